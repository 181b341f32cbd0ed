//! Writes pictures of functions: one Graphviz file for each function. The file has the name that LLVM's `dot-cfg` uses.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::message;
use super::message::Failure;

/// The maximum length of a file name in common file systems.
const LONGEST: usize = 255;

/// Writes the picture of `function` into `directory`, and reports the file on stderr.
pub(super) fn write(function: &[u8], picture: &[u8], directory: &Path) -> Result<(), Failure> {
    let path = directory.join(OsStr::from_bytes(&file_name(function)));
    message::write(format!("Writing '{}'...\n", path.display()).as_bytes())?;
    fs::write(&path, picture)
        .map_err(|reason| Failure(format!("cannot write '{}': {reason}", path.display())))
}

/// The file name `.NAME.dot`. `NAME` is the name of the function. Each slash or control character in `NAME` becomes
/// `_`. If `NAME` is too long, its end is cut off. A changed name ends with a hash of the original name. Different
/// functions therefore have different files.
fn file_name(function: &[u8]) -> Vec<u8> {
    let mut name: Vec<u8> = function
        .iter()
        .map(|&byte| if byte == b'/' || byte.is_ascii_control() { b'_' } else { byte })
        .collect();
    let frame = ".".len() + ".dot".len();
    if name != function || name.len() + frame > LONGEST {
        let hash = format!("-{:016x}", hash(function));
        let mut end = name.len().min(LONGEST - frame - hash.len());
        // The name must not end within a character that has several bytes.
        while end < name.len() && end > 0 && name[end] & 0xc0 == 0x80 {
            end -= 1;
        }
        name.truncate(end);
        name.extend_from_slice(hash.as_bytes());
    }
    [b".", &name[..], b".dot"].concat()
}

/// The FNV-1a hash. The result is the same on every machine.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(function: &[u8]) -> String {
        String::from_utf8(file_name(function)).expect("UTF-8 stays UTF-8")
    }

    #[test]
    fn file_names_are_those_of_dot_cfg() {
        assert_eq!(named(b"main"), ".main.dot");
        assert_eq!(named("a b \u{e9}".as_bytes()), ".a b \u{e9}.dot");
    }

    #[test]
    fn file_names_stay_in_the_directory_and_are_distinct() {
        // The authors of FNV-1a publish this hash of "a".
        assert_eq!(hash(b"a"), 0xaf63_dc4c_8601_ec8c);
        let names = [named(b"../../x"), named(b".._../x"), named(b".._.._x"), named(b"..\n..\nx")];
        assert!(names.iter().all(|name| name.starts_with("..._.._x") && !name.contains('/')), "{names:?}");
        assert!((0..4).all(|one| (0..one).all(|other| names[one] != names[other])), "{names:?}");
    }

    #[test]
    fn long_names_fit() {
        let longest = "f".repeat(250);
        assert_eq!(named(longest.as_bytes()), format!(".{longest}.dot"));
        let name = named("\u{e9}".repeat(126).as_bytes());
        assert!((LONGEST - 1..=LONGEST).contains(&name.len()), "{name}");
    }
}
