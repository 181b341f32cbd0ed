//! Which branches are shown.

use bpa_schema::Frame;

use crate::args::Selection;
use crate::branch::Branch;
use crate::demangle;
use crate::error::{Error, Result};

/// Branches that are shown, in the order of the source, and of how many.
pub struct Selected<'a> {
    pub branches: Vec<&'a Branch<'a>>,
    pub of: usize,
}

/// Of the functions that `selection` names the branches that run most.
pub fn most_run<'a>(branches: &'a [Branch<'a>], selection: &Selection) -> Result<Selected<'a>> {
    let mut chosen = of_functions(branches, selection)?;
    let of = chosen.len();
    chosen.sort_by(|one, other| other.runs.total_cmp(&one.runs));
    chosen.truncate(selection.most);
    chosen.sort_by_key(|branch| {
        branch.position().map(|position| {
            let outermost = position.outermost();
            let Frame { line, column, .. } = position.frame;
            (outermost.file.clone(), outermost.line, outermost.column, line, column)
        })
    });
    Ok(Selected { branches: chosen, of })
}

/// The branches of the functions that `selection` names, of all if it names none.
pub fn of_functions<'a>(branches: &'a [Branch<'a>], selection: &Selection) -> Result<Vec<&'a Branch<'a>>> {
    let wanted = &selection.functions;
    let is_wanted = |branch: &&Branch| {
        wanted.is_empty() || wanted.iter().any(|name| demangle::goes_by(branch.function, name))
    };
    let chosen: Vec<&Branch> = branches.iter().filter(is_wanted).collect();
    if chosen.is_empty() && !wanted.is_empty() {
        return Err(Error::advice(
            format!("there is no branch in a function {}", wanted.join(" or ")),
            "functions that are inlined everywhere are told where they are inlined; `-- -O0` keeps them apart",
        ));
    }
    Ok(chosen)
}
