//! `bpa explain --ir`: prints the explanations of the plugin unchanged, with the names of the IR.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::args;
use crate::base::demangle;
use crate::base::error::{Error, Result};
use crate::program::focus::Spot;
use crate::program::{Prediction, Program};

/// Returns an error if `arguments` select a line, or a file of a cargo project. This check needs no compilation.
pub fn require_no_selection(arguments: &args::Program) -> Result<()> {
    let is_selected = |file: &&PathBuf| arguments.cargo.is_some() || Spot::read(file).has_line();
    match arguments.files.iter().find(is_selected) {
        Some(file) => Err(cannot_select(file.display())),
        None => Ok(()),
    }
}

fn cannot_select(what: impl std::fmt::Display) -> Error {
    Error::advice(
        format!("--ir prints whole functions of all compiled files, so it cannot select {what}"),
        "--function selects functions",
    )
}

/// Prints the reports about the selected functions.
pub fn print(program: &Program, prediction: &Prediction, arguments: &args::Explain) -> Result<()> {
    // A header of a project selects lines of all files.
    if !program.focus.is_everything() {
        return Err(cannot_select(program.focus.in_words(&program.paths)));
    }
    let pass = if arguments.frequencies { "rust-bfi" } else { "rust-bpi" };
    let passes = format!("{pass}<explain{}>", prediction.options());
    let mut is_found = arguments.selection.functions.is_empty();
    for text in program.each_unit("analysing", |unit| program.print_passes(unit, &passes))? {
        let shown = of_functions(&text, &arguments.selection.functions);
        is_found |= !shown.is_empty();
        io::stdout().write_all(&shown).map_err(Error::Output)?;
    }
    match is_found {
        true => program.finish(),
        false => Err(Error::advice(
            format!("no function {} has a body", arguments.selection.functions.join(" or ")),
            format!(
                "a function that is inlined everywhere has no body; `-- {}` turns inlining off",
                program.no_inlining()
            ),
        )),
    }
}

/// The part of `text` about functions with a name in `names`, or the whole `text` if `names` is empty.
fn of_functions(text: &[u8], names: &[String]) -> Vec<u8> {
    let mut is_shown = names.is_empty();
    let mut shown = Vec::new();
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if line.starts_with(b"Printing analysis") && !names.is_empty() {
            let title = String::from_utf8_lossy(line);
            let symbol = title.split('\'').rev().nth(1).unwrap_or_default();
            is_shown = names.iter().any(|name| demangle::symbol_has_name(symbol, name));
        }
        if is_shown {
            shown.extend_from_slice(line);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_selected_by_function_name() {
        let text = b"Printing analysis results of BPI for function 'f':\n a\nPrinting analysis 'X' for function '_Z1gv':\n b\n";
        let chosen = |name: &str| String::from_utf8(of_functions(text, &[name.to_string()])).expect("text");
        assert!(chosen("f").ends_with(" a\n"));
        assert!(chosen("g").ends_with(" b\n") && !chosen("g").contains(" a\n"));
        assert_eq!(chosen("h"), "");
        assert_eq!(of_functions(text, &[]), text);
    }
}
