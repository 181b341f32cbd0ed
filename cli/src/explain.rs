//! `bpa explain`: each branch at its line, with a mark under its condition.

use std::io::{self, Write};

use crate::args;
use crate::branch::Branch;
use crate::demangle;
use crate::diagnostic::{self, Words};
use crate::error::{Error, Result};
use crate::place::BlockLines;
use crate::program::{Program, Whose};
use crate::selection;
use crate::source::Sources;

pub fn run(arguments: &args::Explain) -> Result<()> {
    let whose = Whose::asked_for(&arguments.answer)?;
    let program = Program::load(&arguments.program)?;
    if arguments.ir {
        return in_names_of_ir(&program, &whose, arguments);
    }
    let modules = program.analyse(&whose, false)?;
    let all: Vec<Branch> = modules.iter().flat_map(Branch::all).collect();
    let asked = selection::of(&all, &program, &arguments.selection)?;
    let of = asked.len();
    let branches = selection::most_run(asked, arguments.selection.most.get());
    let sources = Sources::default();
    for branch in &branches {
        diagnostic::print(branch, words(branch, arguments.verbose), &sources)?;
    }
    tell_end(&branches, of)?;
    program.finish()
}

fn words(branch: &Branch, is_verbose: bool) -> Words {
    let mut notes = Vec::new();
    if let Some(reason) = branch.reason() {
        notes.push(("why", BlockLines::of(branch.function).beside_names(&reason)));
    }
    if let Some(others) = branch.other_rules().filter(|_| is_verbose) {
        notes.push(("note", others.to_string()));
    }
    notes.push(("note", diagnostic::whereabouts(branch)));
    Words { title: diagnostic::shares_in_words(branch), label: String::new(), notes }
}

fn tell_end(branches: &[&Branch], of: usize) -> Result<()> {
    let mut text = match branches.len() {
        0 => "no branch\n".to_string(),
        shown if shown < of => {
            format!("{shown} of {of} branches, those that run most; --most shows more, --function those of one function\n")
        }
        shown => format!("{shown} branch{}\n", if shown == 1 { "" } else { "es" }),
    };
    if !branches.is_empty() && branches.iter().all(|branch| branch.position().is_none()) {
        text += "no debug information, so no lines: compile with -gline-tables-only\n";
    }
    write!(anstream::stdout().lock(), "{text}").map_err(Error::Output)
}

/// What the plugin itself prints.
fn in_names_of_ir(program: &Program, whose: &Whose, arguments: &args::Explain) -> Result<()> {
    let pass = if arguments.frequencies { "rust-bfi" } else { "rust-bpi" };
    let passes = format!("{pass}<explain{}>", whose.options());
    let mut is_found = arguments.selection.functions.is_empty();
    for text in program.each_unit("analysing", |unit| program.print_passes(unit, &passes))? {
        let shown = of_functions(&text, &arguments.selection.functions);
        is_found |= !shown.is_empty();
        io::stdout().write_all(&shown).map_err(Error::Output)?;
    }
    match is_found {
        true => program.finish(),
        false => Err(Error::advice(
            format!("there is no function {} with a body", arguments.selection.functions.join(" or ")),
            "functions that are inlined everywhere are gone; `-- -O0` keeps them apart",
        )),
    }
}

/// The reports about functions that go by one of `names`, of all if there are none.
fn of_functions(text: &[u8], names: &[String]) -> Vec<u8> {
    let mut is_shown = names.is_empty();
    let mut shown = Vec::new();
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if line.starts_with(b"Printing analysis") && !names.is_empty() {
            let title = String::from_utf8_lossy(line);
            let symbol = title.split('\'').rev().nth(1).unwrap_or_default();
            is_shown = names.iter().any(|name| demangle::symbol_goes_by(symbol, name));
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
    fn reports_are_chosen_by_their_titles() {
        let text = b"Printing analysis results of BPI for function 'f':\n a\nPrinting analysis 'X' for function '_Z1gv':\n b\n";
        let chosen = |name: &str| String::from_utf8(of_functions(text, &[name.to_string()])).expect("text");
        assert!(chosen("f").ends_with(" a\n"));
        assert!(chosen("g").ends_with(" b\n") && !chosen("g").contains(" a\n"));
        assert_eq!(chosen("h"), "");
        assert_eq!(of_functions(text, &[]), text);
    }
}
