//! Compares the public items of the library crates with docs/src/internals/public-surface.txt. A change of the
//! interface is therefore visible in a review.
//!
//! `BPA_WRITE_DOCS=1 cargo test -p bpa-core --test public_surface` rewrites the file. The lint `unreachable_pub`
//! ensures that other crates can use every item with `pub`.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const CRATES: [&str; 6] = ["cfg", "core", "model", "profile", "report", "schema"];

/// Modules that are not a stable interface, and that are only public if a feature is enabled.
const HIDDEN: [&str; 2] = ["naive", "test_support"];

/// Appends the Rust files in `path` to `found`, sorted by path.
fn files(path: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(path).expect("a directory").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for entry in entries {
        let is_hidden = HIDDEN.iter().any(|&name| entry.file_stem().is_some_and(|stem| stem == name));
        match entry.is_dir() {
            _ if is_hidden => {}
            true => files(&entry, found),
            false => found.push(entry),
        }
    }
}

/// The public items of a file: declarations without bodies, public fields, and re-exports.
fn items(text: &str) -> Vec<String> {
    let mut items = Vec::new();
    let mut is_public = false;
    let mut lines = text.lines().map(str::trim);
    while let Some(line) = lines.next() {
        // The fields of a private struct are private.
        if let Some((before, _)) = line.split_once("struct ") {
            is_public = before == "pub ";
        }
        let is_field = line.ends_with(',');
        if !line.starts_with("pub ") || is_field && !is_public {
            continue;
        }
        let mut item = line.to_string();
        while !is_complete(&item) {
            let Some(next) = lines.next() else { break };
            item = format!("{item} {next}");
        }
        let value = item.find(" = ").filter(|_| !item.contains("fn "));
        let declared = &item[..value.unwrap_or(item.len())];
        items.push(declared.trim_end_matches([';', '{', ',']).trim_end().to_string());
    }
    items
}

/// Returns true if the declaration in `item` is complete. A declaration ends with the `{` of its body, with `;`, or
/// with the `,` after a field.
fn is_complete(item: &str) -> bool {
    let is_balanced = item.matches('(').count() == item.matches(')').count();
    match item.starts_with("pub use ") {
        true => item.ends_with(';'),
        false => is_balanced && item.ends_with(['{', ';', ',']),
    }
}

#[test]
fn the_list_of_public_items_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut list = String::new();
    for name in CRATES {
        let source = root.join("crates").join(name).join("src");
        let mut found = Vec::new();
        files(&source, &mut found);
        for file in found {
            let items = items(&fs::read_to_string(&file).expect("a source file"));
            if !items.is_empty() {
                let place = file.strip_prefix(&source).expect("a file of the crate").display();
                writeln!(list, "\n{name}: {place}").expect("text");
                items.iter().for_each(|item| writeln!(list, "    {item}").expect("text"));
            }
        }
    }
    let path = root.join("docs/src/internals/public-surface.txt");
    if std::env::var_os("BPA_WRITE_DOCS").is_some() {
        fs::write(&path, list.trim_start()).expect("public-surface.txt can be written");
        return;
    }
    let current = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        current == list.trim_start(),
        "docs/src/internals/public-surface.txt is not current. To update the file, run: \
         BPA_WRITE_DOCS=1 cargo test -p bpa-core --test public_surface"
    );
}
