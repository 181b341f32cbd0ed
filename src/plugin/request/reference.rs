//! Writes the reference page of passes and options. A test compares the page with the table of passes.

use std::fmt::Write as _;
use std::path::Path;

use super::table::{ModeSpec, OptionSpec, PassSpec, Value, Wrapper, OPTIONS, PASSES};

const HEAD: &str = "# Passes and options

<!-- Generated from src/plugin/request/table.rs: BPA_WRITE_DOCS=1 cargo test -p bpa reference -->

This page lists all passes of the plugin with their options, for `-passes=` of `opt` and for [`BPA_PIPELINE`](../guide/builds.md)
in clang and lld.

Each name works alone, in `function(...)`, in `cgscc(function(...))`, in the middle of a pipeline and after `default<O2>`.
`rust-entry-counts` and `rust-analyses` work only in a module pipeline. In a module pipeline, a pass covers all defined functions. LLVM's own printers skip
functions with `optnone` up to LLVM 16; the passes of bpa do not. `cgscc(rust-bpi)` is an error, as `cgscc(instcombine)` is in LLVM.
Results are printed on stderr unless `output=FILE` names a file.

Options are in angle brackets after the name of the pass, separated by semicolons: `rust-bpi<annotate;overwrite>`,
`print<rust-bpi;json>`. For an unknown, repeated or invalid option, `opt` prints one line with the option and the valid options,
exits with a non-zero status and writes nothing. For an old spelling (`most=`, `raise=`, `degree=`), the error message contains the new spelling.
`RUST_LOG=bpa=debug` logs what the plugin does.

";

/// The text of the reference page.
fn page() -> String {
    let mut page = HEAD.to_string();
    for pass in &PASSES {
        write_pass(&mut page, pass).expect("writing to a string does not fail");
    }
    write_options(&mut page).expect("writing to a string does not fail");
    page
}

fn write_pass(page: &mut String, pass: &PassSpec) -> std::fmt::Result {
    let bare = pass.is_bare.then(|| format!("`{}`", pass.name));
    let wrapped = pass.wrappers.iter().map(|wrapper| format!("`{}<{}>`", wrapper.name(), pass.name));
    let spellings: Vec<String> = bare.into_iter().chain(wrapped).collect();
    writeln!(page, "## {}\n\n{}\n\nSpellings: {}.", pass.name, pass.help, spellings.join(", "))?;
    if pass.wrappers.contains(&Wrapper::Require) {
        writeln!(
            page,
            "`require<{name}>` computes the result and caches it for later passes. With `predictor=NAME|FILE`, the result is \
             discarded, which is useful for timing. `invalidate<{name}>` discards the cached result.",
            name = pass.name
        )?;
    }
    writeln!(page, "\n| pass | effect | other options |\n| --- | --- | --- |")?;
    for mode in pass.modes {
        writeln!(page, "| `{}` | {} | {} |", spelling(pass, mode), mode.help, taken(mode))?;
    }
    writeln!(page)
}

/// The pipeline element that runs the pass in the mode, for example `print<rust-bfi;json>`.
fn spelling(pass: &PassSpec, mode: &ModeSpec) -> String {
    match (mode.option, pass.is_bare) {
        (None, true) => pass.name.to_string(),
        (None, false) => format!("print<{}>", pass.name),
        (Some(option), true) => format!("{}<{option}>", pass.name),
        (Some(option), false) => format!("print<{};{option}>", pass.name),
    }
}

/// The options of the mode, without the option that selects the mode.
fn taken(mode: &ModeSpec) -> String {
    let options: Vec<String> = mode.takes.iter().map(|option| code(option)).collect();
    let mut text = options.join(", ");
    if !mode.needs_one_of.is_empty() {
        let needed: Vec<String> = mode.needs_one_of.iter().map(|option| code(option)).collect();
        let _ = write!(text, "; the pass needs {}", needed.join(" or "));
    }
    if let Some(limit) = mode.limit {
        let _ = write!(text, "; `limit` is {limit} by default");
    }
    text
}

/// Formats code in a table. In a Markdown table, `|` separates cells, so a `|` in the code is escaped.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

fn write_options(page: &mut String) -> std::fmt::Result {
    writeln!(page, "## Options\n\n| option | value | default | effect |\n| --- | --- | --- | --- |")?;
    for OptionSpec { spelling, value, default, help, needs } in
        OPTIONS.iter().filter(|option| !option.help.is_empty())
    {
        let meaning = if matches!(value, Value::None) { String::new() } else { value.meaning() };
        let needs = needs.map_or(String::new(), |needed| format!(" The option needs {}.", code(needed)));
        writeln!(page, "| {} | {meaning} | {default} | {help}{needs} |", code(spelling))?;
    }
    Ok(())
}

#[test]
fn the_reference_page_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/reference/passes.md");
    if std::env::var_os("BPA_WRITE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("docs/src/reference");
        std::fs::write(&path, page()).expect("docs/src/reference/passes.md");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page(),
        "docs/src/reference/passes.md is not current. To update the file, run: \
         BPA_WRITE_DOCS=1 cargo test -p bpa reference"
    );
}
