//! Which blocks hardly ever run, and how that is written.

use super::syntax::{Arm, Site};
use crate::patch::edit::{Change, Reason};

/// A block that runs at most in this share of the executions gets a hint: `cold_path` means hardly ever.
pub const MOST_COLD: f64 = 0.1;

/// What is written.
pub const CALL: &str = "core::hint::cold_path();";

/// How often a branch of a site led where.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Branches of one function, and of one inlined copy of it, are of one instance.
    pub instance: usize,
    /// Where in the file each successor begins, if it begins there, and how often it was taken.
    pub sides: Vec<(Option<usize>, f64)>,
    /// Whether a hint is wanted for it.
    pub is_chosen: bool,
}

/// Where in a site a branch leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Region {
    Arm(usize),
    /// To the rest of the condition.
    Condition,
    Outside,
    Unknown,
}

pub const NO_BLOCK: Reason = "what hardly ever runs there has no block of its own";

/// The changes that mark the blocks of `site` that hardly ever run by `flows`, the branches that it has become.
pub fn changes(text: &str, site: &Site, flows: &[Flow]) -> Result<Vec<Change>, Reason> {
    let executions = executions(flows);
    let region = |offset: Option<usize>| match offset {
        None => Region::Unknown,
        Some(offset) => match site.arms.iter().position(|arm| arm.span.contains(&offset)) {
            Some(arm) => Region::Arm(arm),
            None if site.condition.contains(&offset) => Region::Condition,
            None => Region::Outside,
        },
    };
    let taken = |wanted: Region| -> f64 {
        let sides = flows.iter().flat_map(|flow| &flow.sides);
        sides.filter(|(offset, _)| region(*offset) == wanted).map(|(_, taken)| taken).sum()
    };
    let is_wanted = |wanted: Region| {
        let mut chosen = flows.iter().filter(|flow| flow.is_chosen).flat_map(|flow| &flow.sides);
        chosen.any(|(offset, _)| region(*offset) == wanted)
    };
    // What is not known may lead to any of them.
    let is_cold = |wanted: Region| taken(wanted) + taken(Region::Unknown) <= MOST_COLD * executions;
    let is_both = |wanted: Region| is_wanted(wanted) && is_cold(wanted);
    let mut changes = Vec::new();
    let mut has_hint = false;
    for (_, arm) in site.arms.iter().enumerate().filter(|(place, _)| is_both(Region::Arm(*place))) {
        match begins_with_hint(text, arm) {
            true => has_hint = true,
            false => changes.extend(mark(text, arm)),
        }
    }
    match site.no_else {
        Some(end) if is_both(Region::Outside) && is_wanted(Region::Arm(0)) => {
            changes.push(Change::insert(end, other_block(text, &site.arms[0], end)));
        }
        _ => {}
    }
    match changes.is_empty() {
        false => Ok(changes),
        true if has_hint => Err("there is a hint already"),
        true => Err(NO_BLOCK),
    }
}

/// How often the site was reached: of each instance the branch that ran most often.
fn executions(flows: &[Flow]) -> f64 {
    let mut instances = std::collections::BTreeMap::<usize, f64>::new();
    for flow in flows {
        let executions = flow.sides.iter().map(|(_, taken)| taken).sum();
        let most = instances.entry(flow.instance).or_default();
        *most = most.max(executions);
    }
    instances.values().sum()
}

fn begins_with_hint(text: &str, arm: &Arm) -> bool {
    let body = text[arm.body.clone()].trim_start_matches('{').trim_start();
    let name = ["core::hint::", "std::hint::", "hint::"].iter().find_map(|path| body.strip_prefix(path));
    name.unwrap_or(body).starts_with("cold_path()")
}

/// `arm` with the hint.
fn mark(text: &str, arm: &Arm) -> Vec<Change> {
    let Arm { body, is_block, .. } = arm;
    if *is_block {
        let inside = &text[body.start + 1..body.end - 1];
        return vec![Change::insert(body.start + 1, in_block(text, body.start, inside))];
    }
    // Of `else if` the whole `if` becomes a block; so does the expression of an arm of `match`.
    vec![Change::insert(body.start, format!("{{ {CALL} ")), Change::insert(body.end, " }".to_string())]
}

/// An `else` behind the block `then`, which ends at `end`: on as many lines as that, as rustfmt has it.
fn other_block(text: &str, then: &Arm, end: usize) -> String {
    if !text[then.body.clone()].contains('\n') {
        return format!(" else {{ {CALL} }}");
    }
    let start = text[..end].rfind('\n').map_or(0, |end| end + 1);
    let line = &text[start..end];
    let indent = &line[..line.len() - line.trim_start().len()];
    let end = if text[..start].ends_with("\r\n") { "\r\n" } else { "\n" };
    format!(" else {{{end}{indent}    {CALL}{end}{indent}}}")
}

/// The hint behind `{` at `open`, before `inside`: on a line of its own if the statements are.
fn in_block(text: &str, open: usize, inside: &str) -> String {
    let first_line = inside.split('\n').next().unwrap_or_default();
    let is_on_lines = inside.contains('\n') && first_line.trim().is_empty();
    if !is_on_lines {
        return if inside.trim().is_empty() { format!(" {CALL} ") } else { format!(" {CALL}") };
    }
    let end = if first_line.ends_with('\r') { "\r\n" } else { "\n" };
    let indent = |line: &str| line[..line.len() - line.trim_start().len()].trim_end_matches('\r').to_string();
    let statement = inside.lines().skip(1).find(|line| !line.trim().is_empty()).map(indent);
    let own = || {
        let start = text[..open].rfind('\n').map_or(0, |end| end + 1);
        indent(&text[start..open]) + "    "
    };
    format!("{end}{}{CALL}", statement.unwrap_or_else(own))
}

#[cfg(test)]
mod tests {
    use super::super::syntax::sites;
    use super::*;
    use crate::patch::edit::apply;

    /// `text` with hints at its first site, whose successors are given by words in the text and how often they are taken.
    fn edited(text: &str, sides: &[(&str, f64)]) -> Result<String, Reason> {
        let sides = sides.iter().map(|(word, taken)| (text.find(word), *taken)).collect();
        let flow = Flow { instance: 0, sides, is_chosen: true };
        let changes = changes(text, &sites(text)[0], &[flow])?;
        Ok(String::from_utf8(apply(text.as_bytes(), changes.iter())).expect("text"))
    }

    #[test]
    fn the_cold_block_gets_the_hint() {
        let text = "fn f() {\n    if a {\n        xx();\n    } else { yy() }\n    zz()\n}\n";
        let then = edited(text, &[("xx", 1.0), ("yy", 99.0)]).expect("it is certain");
        assert_eq!(then, text.replace("{\n        xx", "{\n        core::hint::cold_path();\n        xx"));
        let other = edited(text, &[("xx", 99.0), ("yy", 1.0)]).expect("it is certain");
        assert_eq!(other, text.replace("{ yy", "{ core::hint::cold_path(); yy"));
        assert_eq!(edited(text, &[("xx", 80.0), ("yy", 20.0)]), Err(NO_BLOCK));
        // It may be either.
        assert_eq!(edited(text, &[("nowhere", 99.0), ("yy", 1.0)]), Err(NO_BLOCK));
    }

    #[test]
    fn an_else_is_written_where_there_is_none() {
        let text = "fn f() { if a { xx(); } zz() }";
        let wanted = "fn f() { if a { xx(); } else { core::hint::cold_path(); } zz() }";
        assert_eq!(edited(text, &[("xx", 99.0), ("zz", 1.0)]).as_deref(), Ok(wanted));
        let text = "fn f() {\n    if a {\n        xx();\n    }\n    zz()\n}";
        let wanted = text.replace("}\n    zz", "} else {\n        core::hint::cold_path();\n    }\n    zz");
        assert_eq!(edited(text, &[("xx", 99.0), ("zz", 1.0)]), Ok(wanted));
        let loops = "fn f() { while a { xx(); } zz() }";
        assert_eq!(edited(loops, &[("xx", 99.0), ("zz", 1.0)]), Err(NO_BLOCK));
    }

    #[test]
    fn expressions_become_blocks() {
        let text = "fn f() { match o { Some(x) => xx(x), None => yy() } }";
        let wanted = "fn f() { match o { Some(x) => { core::hint::cold_path(); xx(x) }, None => yy() } }";
        assert_eq!(edited(text, &[("xx", 1.0), ("yy", 99.0)]).as_deref(), Ok(wanted));
        let text = "fn f() { if a { xx() } else if b { yy() } else { zz() } }";
        let wanted = "fn f() { if a { xx() } else { core::hint::cold_path(); if b { yy() } else { zz() } } }";
        assert_eq!(edited(text, &[("xx", 99.0), ("b {", 1.0)]).as_deref(), Ok(wanted));
    }

    #[test]
    fn a_hint_is_written_once() {
        let text = "fn f() { if a { std::hint::cold_path(); xx() } zz() }";
        assert_eq!(edited(text, &[("std", 1.0), ("zz", 99.0)]), Err("there is a hint already"));
    }
}
