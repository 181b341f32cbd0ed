//! Selects branches by function, position and origin.

use std::collections::BTreeSet;

use crate::args;
use crate::base::demangle;
use crate::base::error::{Error, Result};
use crate::base::input::Language;
use crate::base::messages;
use crate::base::shares;
use crate::program::focus::{Nearness, Spot};
use crate::program::{Program, Unit};
use crate::study::branch::Branch;
use crate::study::source::Sources;

/// The default number of printed branches for one file, function or position.
const MOST: usize = 50;

/// The default number of printed branches for a program with several files.
const MOST_OF_PROGRAM: usize = 10;

/// The maximum number of similar function names that an error message suggests.
const MOST_SUGGESTIONS: usize = 3;

/// The minimum similarity of a suggested name, from 0 to 1.
const LEAST_ALIKE: f64 = 0.7;

/// The minimum number of bytes of a name that is suggested because another name contains it.
const LEAST_CONTAINED: usize = 3;

/// The selected branches. Branches in system files are left out if they are not selected explicitly. Prints a note with
/// the number of left-out branches.
pub fn of<'a>(
    branches: &'a [Branch<'a>],
    program: &Program,
    selection: &args::Selection,
) -> Result<Vec<&'a Branch<'a>>> {
    let wanted = &selection.functions;
    let is_wanted = |branch: &&Branch| wanted.is_empty() || wanted.iter().any(|name| has_name(branch, name));
    let of_functions: Vec<&Branch> = branches.iter().filter(is_wanted).collect();
    if of_functions.is_empty() && !wanted.is_empty() {
        return Err(no_function(branches, wanted, program));
    }
    let sources = Sources::default();
    let asked = program.focus.select(of_functions, "branch", &program.paths, |branch, spot| {
        nearness(branch, spot, program, &sources)
    });
    if asked.is_empty() && !program.focus.is_everything() {
        return Err(Error::advice(
            format!("no branch at {}", program.focus.in_words(&program.paths)),
            format!(
                "a branch is at the line of its condition; code that is unused or optimised away has no branches, and \
                 the optimiser turns some conditions into a select; `-- {}` shows the branches of the source",
                program.no_inlining()
            ),
        ));
    }
    // An explicitly selected position or function is printed even in a system file.
    let is_named = |branch: &Branch| !wanted.is_empty() && program.has_system_function(branch);
    let shown = left_out(
        asked,
        "in system headers and the standard library (--system shows these branches)",
        |branch| !program.selects_system() && program.is_in_system(branch) && !is_named(branch),
    );
    let is_rust = |unit: &Unit| unit.input.language == Language::Rust;
    let calls = match program.units.iter().all(is_rust) {
        true => "calls that may unwind (--exceptions shows these branches)",
        false => "calls that may throw, or catch clauses (--exceptions shows these branches)",
    };
    let shown = left_out(shown, calls, |branch| program.is_hidden_exception(branch));
    Ok(shown)
}

/// Removes the branches for which `is_folded` is true. Prints a note with the number of removed branches, followed by
/// the text `what`, which describes these branches.
fn left_out<'a>(
    branches: Vec<&'a Branch<'a>>,
    what: &str,
    is_folded: impl Fn(&Branch) -> bool,
) -> Vec<&'a Branch<'a>> {
    let count = branches.len();
    let shown: Vec<&Branch> = branches.into_iter().filter(|branch| !is_folded(branch)).collect();
    let folded = count - shown.len();
    if folded > 0 {
        let share = shares::share(folded as f64 / count as f64);
        let [folded, count] = [folded, count].map(shares::grouped);
        messages::note(&format!("{folded} of {count} branches ({share}) are {what}"));
    }
    shown
}

/// Returns true if the whole program is selected, and the program has several files.
pub fn is_overview(program: &Program, selection: &args::Selection) -> bool {
    program.units.len() > 1 && selection.functions.is_empty() && program.focus.is_everything()
}

/// The number of branches to print as text: the user's limit or a default.
pub fn limit(program: &Program, selection: &args::Selection) -> usize {
    selection.limit_or(if is_overview(program, selection) { MOST_OF_PROGRAM } else { MOST })
}

/// The error if no selected branch has a profiled execution.
pub fn no_execution() -> Error {
    Error::advice(
        "the profile contains no execution of these branches",
        "select other functions or lines, or run the program with input that reaches these branches. If the source of \
         their function has changed since the profile was recorded, record a new profile",
    )
}

fn has_name(branch: &Branch, name: &str) -> bool {
    demangle::has_name(branch.function, name)
}

/// The nearness of `branch` to `spot`. If `spot` has a line, the inlined calls around the branch are also taken into
/// account.
fn nearness(branch: &Branch, spot: &Spot, program: &Program, sources: &Sources) -> Nearness {
    branch.position().map_or(Nearness::Elsewhere, |position| {
        let own = program.nearness(&position.frame, branch.is_optimised(), spot, sources);
        let calls = position.inlined_at.iter().map(|call| program.nearness_of_call(call, spot));
        calls.fold(own, Nearness::max)
    })
}

/// The similarity of the function name `name` to the name `wanted`, which no function has: a class of similarity, and a
/// number from 0 to 1. In class 2, the names differ only in their namespaces. In class 1, `name` contains `wanted` if
/// case is ignored. All other names are in class 0.
fn likeness(name: &str, wanted: &str) -> (u8, f64) {
    let [own, other] = [name, wanted].map(demangle::unqualified);
    let is_same = own == other;
    let [name, wanted, own, other] = [name, wanted, own, other].map(str::to_lowercase);
    let distance = strsim::jaro_winkler(&name, &wanted);
    let is_contained = own == other || (other.len() >= LEAST_CONTAINED && own.contains(&other));
    match is_same {
        true => (2, distance),
        false => (u8::from(is_contained), distance.max(strsim::jaro_winkler(&own, &other))),
    }
}

fn no_function(branches: &[Branch], wanted: &[String], program: &Program) -> Error {
    let names: BTreeSet<String> =
        branches.iter().map(|branch| demangle::plain_name_of(branch.function)).collect();
    let near = similar(&names, wanted);
    let help = match near.as_slice() {
        [] => format!(
            "a function is found if it has a branch in a selected file. If a function is inlined everywhere, its \
             branches belong to its callers; `-- {}` turns inlining off",
            program.no_inlining()
        ),
        near => format!("did you mean {}?", near.join(", ")),
    };
    Error::advice(format!("no branch in a function named {}", wanted.join(" or ")), help)
}

/// The names in `names` that are most similar to a name in `wanted`. All of them have the same class of [`likeness`].
fn similar<'n>(names: &'n BTreeSet<String>, wanted: &[String]) -> Vec<&'n str> {
    let pairs = names.iter().flat_map(|name| wanted.iter().map(move |wanted| (likeness(name, wanted), name)));
    let mut near: Vec<((u8, f64), &String)> = pairs.collect();
    near.retain(|((class, distance), _)| *class > 0 || *distance >= LEAST_ALIKE);
    near.sort_by(|(one, _), (other, _)| other.0.cmp(&one.0).then(other.1.total_cmp(&one.1)));
    let best = near.first().map(|((class, _), _)| *class);
    near.retain(|((class, _), _)| Some(*class) == best);
    let mut near: Vec<&str> = near.into_iter().map(|(_, name)| name.as_str()).collect();
    let mut seen = BTreeSet::new();
    near.retain(|name| seen.insert(*name));
    near.truncate(MOST_SUGGESTIONS);
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggested_names_are_equal_up_to_namespaces_or_case_before_they_are_near() {
        let names = [
            "mu::Parser::IsBuiltin",
            "mu::ParserBase::IsEOF",
            "mu::TokenReader::IsEOF",
            "mu::Parser::Eval",
            "mu::Parser::EvalBulk",
            "mu::Parser::IsEOL",
        ];
        let names: BTreeSet<String> = names.map(String::from).into();
        let similar = |wanted: &str| similar(&names, &[wanted.to_string()]);
        assert_eq!(similar("mu::TokenRead::IsEOF"), ["mu::TokenReader::IsEOF", "mu::ParserBase::IsEOF"]);
        assert_eq!(similar("iseof"), ["mu::ParserBase::IsEOF", "mu::TokenReader::IsEOF"]);
        assert_eq!(similar("Parser::eval"), ["mu::Parser::Eval", "mu::Parser::EvalBulk"]);
        assert_eq!(similar("bulk"), ["mu::Parser::EvalBulk"]);
        assert_eq!(similar("IsBultin"), ["mu::Parser::IsBuiltin"]);
        assert!(similar("Is").len() <= 3 && similar("g").is_empty());
    }
}
