//! Detects the format of a profile from the content of the file. The file name is ignored.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::base::error::{Error, Result};

/// The format of a file that the user passes as a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The output of `llvm-profdata merge` for the counters of an instrumented program.
    Indexed(Counted),
    /// The text form of an indexed profile.
    IndexedText,
    /// The file that an instrumented program writes when it exits.
    Raw(Counted),
    /// Samples, as text or in one of LLVM's binary encodings.
    Samples,
    /// The file that `perf record` writes.
    Perf,
    /// Counts of gcov or of GCC (`.gcda`).
    GcovCounts,
    /// Control-flow graphs of gcov (`.gcno`), without counts.
    GcovGraph,
    /// A compiled program or library.
    Program,
    Empty,
    Unknown,
}

/// What each counter of an instrumented program counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Regions of the source: `-fprofile-instr-generate`.
    Source,
    /// Edges of the IR: `-fprofile-generate`, and rustc's `-Cprofile-generate`.
    Ir,
    /// Whether a function or block ran: the profile has one bit for each function or block.
    Coverage,
}

/// The number of bytes that are read from a profile to detect its format. A signature needs at most 16 bytes, and a
/// text profile needs a few lines.
const PREFIX: u64 = 4096;

const INDEXED: [u8; 8] = *b"\xfflprofi\x81";
/// The signature of LLVM's binary sample profiles, from the third byte on. The first two bytes depend on the encoding.
const SAMPLES: [u8; 7] = [0xd0, 0xb1, 0xf4, 0xc9, 0x94, 0xa8, 0x53];

/// Bits of the version of an indexed profile: LLVM's `VARIANT_MASK_IR_PROF` and `VARIANT_MASK_BYTE_COVERAGE`.
const IS_IR: u64 = 1 << 56;
const IS_COVERAGE: u64 = 1 << 60;
const IS_FUNCTION_COVERAGE: u64 = 1 << 61;

impl Format {
    /// Detects the format from the first bytes of the file at `path`.
    pub fn of_file(path: &Path) -> Result<Self> {
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(Error::read(path))?;
        file.take(PREFIX).read_to_end(&mut bytes).map_err(Error::read(path))?;
        Ok(Self::of(&bytes))
    }

    /// The format of a file that begins with `bytes`.
    fn of(bytes: &[u8]) -> Self {
        let has = |place: usize, signature: &[u8]| {
            bytes.get(place..).is_some_and(|rest| rest.starts_with(signature))
        };
        let is_raw = |r: u8| {
            has(0, &[0x81, r, b'f', b'o', b'r', b'p', b'l', 0xff])
                || has(0, &[0xff, b'l', b'p', b'r', b'o', b'f', r, 0x81])
        };
        match bytes {
            [] => Format::Empty,
            _ if has(0, &INDEXED) => counted(bytes).map_or(Format::Unknown, Format::Indexed),
            // Raw profiles of 64-bit and 32-bit programs, in either byte order.
            _ if is_raw(b'r') || is_raw(b'R') => counted(bytes).map_or(Format::Unknown, Format::Raw),
            _ if has(2, &SAMPLES) => Format::Samples,
            _ if has(0, b"PERFILE2") || has(0, b"2ELIFREP") => Format::Perf,
            _ if has(0, b"adcg") || has(0, b"gcda") => Format::GcovCounts,
            _ if has(0, b"oncg") || has(0, b"gcno") => Format::GcovGraph,
            _ if has(0, b"\x7fELF") => Format::Program,
            _ => text(&String::from_utf8_lossy(bytes)),
        }
    }
}

/// What the counters of a profile count: a part of its version number. A raw profile has the byte order of its program.
fn counted(bytes: &[u8]) -> Option<Counted> {
    let number: [u8; 8] = bytes.get(8..16)?.try_into().ok()?;
    let is_big_endian = bytes[0] == 0xff && bytes[7] == 0x81 && !bytes.starts_with(&INDEXED);
    let version = if is_big_endian { u64::from_be_bytes(number) } else { u64::from_le_bytes(number) };
    Some(match version {
        _ if version & (IS_COVERAGE | IS_FUNCTION_COVERAGE) != 0 => Counted::Coverage,
        _ if version & IS_IR != 0 => Counted::Ir,
        _ => Counted::Source,
    })
}

/// A text profile begins with a mode such as `:ir`, or with the name of a function. The first line of samples is
/// `name:total:head`.
fn text(text: &str) -> Format {
    let mut lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let first = lines.clone().find(|line| !line.starts_with('#')).unwrap_or_default();
    let mut parts = first.rsplitn(3, ':');
    if let (Some(head), Some(total), Some(_)) = (parts.next(), parts.next(), parts.next()) {
        if is_number(head) && is_number(total) {
            return Format::Samples;
        }
    }
    let is_mode = matches!(
        first,
        ":ir" | ":fe" | ":csir" | ":entry_first" | ":not_entry_first" | ":single_byte_coverage"
    );
    if is_mode || lines.any(|line| line == "# Func Hash:") {
        return Format::IndexedText;
    }
    Format::Unknown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_detected_by_signature() {
        let indexed = |bits: u64| [&INDEXED[..], &(13 | bits).to_le_bytes()].concat();
        assert_eq!(Format::of(&indexed(0)), Format::Indexed(Counted::Source));
        assert_eq!(Format::of(&indexed(IS_IR)), Format::Indexed(Counted::Ir));
        // In the version field of a context-sensitive IR profile, bits 56 and 57 are set.
        assert_eq!(Format::of(&indexed(IS_IR | 1 << 57)), Format::Indexed(Counted::Ir));
        assert_eq!(Format::of(&indexed(IS_IR | IS_COVERAGE)), Format::Indexed(Counted::Coverage));
        assert_eq!(Format::of(&INDEXED), Format::Unknown);
        let little = [&b"\x81rforpl\xff"[..], &8u64.to_le_bytes()].concat();
        assert_eq!(Format::of(&little), Format::Raw(Counted::Source));
        let big = [&b"\xfflprofR\x81"[..], &(8 | IS_IR).to_be_bytes()].concat();
        assert_eq!(Format::of(&big), Format::Raw(Counted::Ir));
        assert_eq!(Format::of(b"\x81rforpl\xff\x0a"), Format::Unknown);
        assert_eq!(Format::of(b"\x84\xe4\xd0\xb1\xf4\xc9\x94\xa8\x53g\x07"), Format::Samples);
        assert_eq!(Format::of(b"\xff\xe5\xd0\xb1\xf4\xc9\x94\xa8\x53g"), Format::Samples);
        assert_eq!(Format::of(b"PERFILE2h"), Format::Perf);
        assert_eq!(Format::of(b"adcg*22B"), Format::GcovCounts);
        assert_eq!(Format::of(b"oncg*22B"), Format::GcovGraph);
        assert_eq!(Format::of(b"\x7fELF\x02"), Format::Program);
        assert_eq!(Format::of(b""), Format::Empty);
        assert_eq!(Format::of(b"int main(void) { return 0; }\n"), Format::Unknown);
    }

    #[test]
    fn text_profiles_are_detected_by_their_first_lines() {
        assert_eq!(Format::of(b"# IR level Instrumentation Flag\n:ir\nf\n"), Format::IndexedText);
        assert_eq!(Format::of(b"main\n# Func Hash:\n42\n"), Format::IndexedText);
        assert_eq!(Format::of(b"collatz:20000:100\n 1: 1000\n"), Format::Samples);
        assert_eq!(Format::of(b"std::f():200:1\n 1: 10\n"), Format::Samples);
    }
}
