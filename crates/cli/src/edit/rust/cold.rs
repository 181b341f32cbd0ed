//! Finds the blocks that rarely run, and adds hints to them.

use crate::edit::hints::cost::Cost;
use crate::edit::patch::edit::{Change, Reason};
use crate::study::finder::sites::{Arm, Jump, Site};
use bpa_schema::{LIKELY_WEIGHT, UNLIKELY_WEIGHT};

/// The hint: a call that marks its block as cold.
pub const CALL: &str = "core::hint::cold_path();";

/// A branch of an `if`, `match`, `while` or `let ... else`.
#[derive(Clone, Debug)]
pub struct Flow {
    /// The offset of the branch.
    pub start: Option<usize>,
    pub successors: Vec<Successor>,
    /// True if the user wants a hint for this branch.
    pub is_chosen: bool,
}

/// A successor of a branch.
#[derive(Clone, Copy, Debug)]
pub struct Successor {
    /// The offset of the beginning of the successor block. `None` if the block is in another file, or has no line.
    pub start: Option<usize>,
    /// The predicted probability.
    pub predicted: f64,
    /// The profiled count.
    pub taken: f64,
}

/// The part of an `if`, `match`, `while` or `let ... else` that contains a successor of the branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SitePart {
    Arm(usize),
    /// The successor evaluates another part of the condition.
    Condition,
    Outside,
    Unknown,
}

const OUTSIDE: Reason = "the rarely executed code begins outside of the blocks of the statement";
const IS_JUMP: Reason =
    "a block of the statement only jumps to other code, and it is unknown which edge leads to this block";
const IN_CONDITION: Reason = "the rarely executed code is another part of the condition";
const NO_GAIN: Reason = "the hint would not improve the predictions of all branches that lead to the block";

/// Returns the changes that add hints to the cold blocks inside the statement `site`. `flows` are the branches that
/// rustc generates from this statement.
///
/// A block is cold if a hint in the block lowers the total log-loss and the total misses of the branches in `flows`.
pub fn changes(text: &str, site: &Site, flows: &[Flow]) -> Result<Vec<Change>, Reason> {
    // The jumps of the blocks that have no code of their own.
    let starts = flows.iter().flat_map(|flow| &flow.successors).filter_map(|one| one.start);
    let jumps = site.arms.iter().enumerate().filter_map(|(index, arm)| {
        let has_code = starts.clone().any(|start| arm.span.contains(&start));
        Some((index, arm.jump.as_ref().filter(|_| !has_code)?))
    });
    let jumps: Vec<(usize, &Jump)> = jumps.collect();
    // The only arm whose jump leads to `offset`.
    let jump_to = |offset: usize| {
        let mut found = jumps.iter().filter(|(_, jump)| jump.leads_to(offset));
        found.next().filter(|_| found.next().is_none()).map(|(arm, _)| *arm)
    };
    let part_of = |offset: Option<usize>| match offset {
        None => SitePart::Unknown,
        // A branch at the pattern of an arm tests the pattern.
        Some(_) if flows.iter().any(|flow| flow.start == offset) => SitePart::Condition,
        Some(offset) => match site.arms.iter().position(|arm| arm.span.contains(&offset)) {
            Some(arm) => SitePart::Arm(arm),
            None if site.condition.contains(&offset) => SitePart::Condition,
            None => jump_to(offset).map_or(SitePart::Outside, SitePart::Arm),
        },
    };
    let is_wanted = |wanted: SitePart| {
        let mut chosen = flows.iter().filter(|flow| flow.is_chosen).flat_map(|flow| &flow.successors);
        chosen.any(|one| part_of(one.start) == wanted)
    };
    let is_cold = |wanted: SitePart| {
        // A successor whose position is unknown can be in any part of the statement.
        let leads_there = |one: &Successor| [wanted, SitePart::Unknown].contains(&part_of(one.start));
        let change: Cost = flows.iter().map(|flow| change_by_hint(flow, leads_there)).sum();
        change.is_gain()
    };
    let is_both = |wanted: SitePart| is_wanted(wanted) && is_cold(wanted);
    let mut changes = Vec::new();
    let mut has_hint = false;
    for (_, arm) in site.arms.iter().enumerate().filter(|(index, _)| is_both(SitePart::Arm(*index))) {
        match begins_with_hint(text, arm) {
            true => has_hint = true,
            false => changes.extend(add_hint(text, arm)),
        }
    }
    match site.no_else {
        Some(end) if is_both(SitePart::Outside) && is_wanted(SitePart::Arm(0)) => {
            changes.push(Change::insert(end, other_block(text, &site.arms[0], end)));
        }
        _ => {}
    }
    if !changes.is_empty() {
        return Ok(changes);
    }
    let chosen = || flows.iter().filter(|flow| flow.is_chosen);
    let rare: Vec<SitePart> = chosen().flat_map(Flow::rare).map(|one| part_of(one.start)).collect();
    Err(match rare.iter().all(|part| matches!(part, SitePart::Arm(_))) {
        _ if has_hint => "there is a hint already",
        true => NO_GAIN,
        false if rare.contains(&SitePart::Condition) => IN_CONDITION,
        false if !jumps.is_empty() => IS_JUMP,
        false => OUTSIDE,
    })
}

impl Flow {
    /// All successors except the most frequent successor.
    fn rare(&self) -> impl Iterator<Item = &Successor> {
        let most = self.successors.iter().map(|one| one.taken).fold(0.0, f64::max);
        self.successors.iter().filter(move |one| one.taken < most)
    }
}

/// The cost of the branch `flow` with hints minus its cost without hints. A hint is added to each successor for which
/// `is_cold` is true.
fn change_by_hint(flow: &Flow, is_cold: impl Fn(&Successor) -> bool) -> Cost {
    let (cold, others): (Vec<Successor>, Vec<Successor>) =
        flow.successors.iter().partition(|one| is_cold(one));
    if cold.is_empty() || others.is_empty() {
        return Cost::default();
    }
    let sum = |all: &[Successor]| {
        all.iter().fold((0.0, 0.0), |(predicted, taken), one| (predicted + one.predicted, taken + one.taken))
    };
    let [cold_sum, other_sum] = [&cold, &others].map(|all| sum(all));
    let [cold_weight, other_weight] =
        [cold.len() as f64 * UNLIKELY_WEIGHT, others.len() as f64 * LIKELY_WEIGHT];
    let total = cold_weight + other_weight;
    let hinted = [(cold_weight / total, cold_sum.1), (other_weight / total, other_sum.1)];
    Cost::of_branch(&hinted) - Cost::of_branch(&[cold_sum, other_sum])
}

fn begins_with_hint(text: &str, arm: &Arm) -> bool {
    let body = text[arm.body.clone()].trim_start_matches('{').trim_start();
    let name = ["core::hint::", "std::hint::", "hint::"].iter().find_map(|path| body.strip_prefix(path));
    name.unwrap_or(body).starts_with("cold_path()")
}

/// The insertions that add the hint to `arm`.
fn add_hint(text: &str, arm: &Arm) -> Vec<Change> {
    let Arm { body, is_block, .. } = arm;
    if *is_block {
        let inside = &text[body.start + 1..body.end - 1];
        return vec![Change::insert(body.start + 1, in_block(text, body.start, inside))];
    }
    // Braces are added around the `if` of an `else if`, and around the expression of a `match` arm.
    vec![Change::insert(body.start, format!("{{ {CALL} ")), Change::insert(body.end, " }".to_string())]
}

/// The text of an `else` block with the hint. The block `then` ends at position `end`. If `then` has several lines,
/// the `else` block also has several lines, as in rustfmt.
fn other_block(text: &str, then: &Arm, end: usize) -> String {
    if !text[then.body.clone()].contains('\n') {
        return format!(" else {{ {CALL} }}");
    }
    let start = text[..end].rfind('\n').map_or(0, |end| end + 1);
    let line = &text[start..end];
    let indent = &line[..line.len() - line.trim_start().len()];
    let end = if text[..start].ends_with("\r\n") { "\r\n" } else { "\n" };
    format!(" else {{{end}{}{CALL}{end}{indent}}}", deeper(indent))
}

/// The indentation of a block inside a line with the indentation `indent`.
fn deeper(indent: &str) -> String {
    let step = if indent.starts_with('\t') { "\t" } else { "    " };
    format!("{indent}{step}")
}

/// The text of the hint. The caller inserts the hint after the `{` at offset `open`. The parameter `inside` is the text
/// between the braces of the block. If the statements of the block begin on a new line, the hint is also on a new line.
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
        deeper(&indent(&text[start..open]))
    };
    format!("{end}{}{CALL}", statement.unwrap_or_else(own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::patch::edit::apply;
    use crate::study::finder::sites::sites;

    /// A branch whose successors have equal predicted probabilities. Each item of `successors` has two values:
    /// the first word of a successor block in `text`, and the count of the successor.
    fn flow(text: &str, successors: &[(&str, f64)]) -> Flow {
        let predicted = 1.0 / successors.len() as f64;
        let successor =
            |(word, taken): &(&str, f64)| Successor { start: text.find(word), predicted, taken: *taken };
        Flow { start: None, successors: successors.iter().map(successor).collect(), is_chosen: true }
    }

    /// Adds hints to the first `if`, `match`, `while` or `let ... else` in `text`. `successors` are the successors of
    /// the only branch of this statement.
    fn edited(text: &str, successors: &[(&str, f64)]) -> Result<String, Reason> {
        edited_by(text, &[flow(text, successors)])
    }

    fn edited_by(text: &str, flows: &[Flow]) -> Result<String, Reason> {
        let changes = changes(text, &sites(text)[0], flows)?;
        Ok(String::from_utf8(apply(text.as_bytes(), changes.iter())).expect("text"))
    }

    #[test]
    fn the_cold_block_gets_the_hint() {
        let text = "fn f() {\n    if a {\n        xx();\n    } else { yy() }\n    zz()\n}\n";
        let then = edited(text, &[("xx", 1.0), ("yy", 99.0)]).expect("it is certain");
        assert_eq!(then, text.replace("{\n        xx", "{\n        core::hint::cold_path();\n        xx"));
        let other = edited(text, &[("xx", 99.0), ("yy", 1.0)]).expect("it is certain");
        assert_eq!(other, text.replace("{ yy", "{ core::hint::cold_path(); yy"));
        assert_eq!(edited(text, &[("xx", 80.0), ("yy", 20.0)]), Err(NO_GAIN));
        // The position of the first successor is unknown, so this successor can be in either block of the `if`.
        assert_eq!(edited(text, &[("nowhere", 99.0), ("yy", 1.0)]), Err(NO_GAIN));
    }

    #[test]
    fn a_block_is_cold_if_the_hint_lowers_the_log_loss() {
        let text = "fn f() { if a { xx() } else { yy() } }";
        let is_marked = |predicted: f64, taken: f64| {
            let mut flow = flow(text, &[("xx", taken), ("yy", 100.0 - taken)]);
            (flow.successors[0].predicted, flow.successors[1].predicted) = (predicted, 1.0 - predicted);
            edited_by(text, &[flow]).is_ok()
        };
        // If the block runs in 9.1% of the executions of the `if`, the hint has the same log-loss as a prediction of
        // 50%. If the block runs in 12.1% of the executions, the hint has the same log-loss as a prediction of 62.5%.
        assert!(is_marked(0.5, 9.0) && !is_marked(0.5, 9.2));
        assert!(is_marked(0.625, 11.0) && !is_marked(0.625, 14.0));
        // The predicted probability of the block is below 50%, so a hint avoids no misses.
        assert!(!is_marked(0.375, 1.0));
    }

    #[test]
    fn only_branches_that_lead_to_a_block_count() {
        // `a` is rarely true. If `a` is true, `b` is usually true.
        let text = "fn f() { if a && b { xx() } zz() }";
        let flows = [
            flow(text, &[("b {", 5.0), ("zz", 95.0)]),
            Flow { is_chosen: true, ..flow(text, &[("xx", 4.0), ("zz", 1.0)]) },
        ];
        assert_eq!(edited_by(text, &flows), Err(IN_CONDITION));
    }

    #[test]
    fn an_else_is_written_where_there_is_none() {
        let text = "fn f() { if a { xx(); } zz() }";
        let wanted = "fn f() { if a { xx(); } else { core::hint::cold_path(); } zz() }";
        assert_eq!(edited(text, &[("xx", 99.0), ("zz", 1.0)]).as_deref(), Ok(wanted));
        let text = "fn f() {\n    if a {\n        xx();\n    }\n    zz()\n}";
        let wanted = text.replace("}\n    zz", "} else {\n        core::hint::cold_path();\n    }\n    zz");
        assert_eq!(edited(text, &[("xx", 99.0), ("zz", 1.0)]), Ok(wanted.clone()));
        let tabs = |text: &str| text.replace("    ", "\t");
        assert_eq!(edited(&tabs(text), &[("xx", 99.0), ("zz", 1.0)]), Ok(tabs(&wanted)));
        let loops = "fn f() { while a { xx(); } zz() }";
        assert_eq!(edited(loops, &[("xx", 99.0), ("zz", 1.0)]), Err(OUTSIDE));
    }

    #[test]
    fn an_edge_to_a_jump_has_the_position_of_the_destination() {
        for text in [
            "fn f() { for x in zz { if a {/**/ continue; } ww() } }",
            "fn f() { for x in y { if a {/**/ break; } ww() } zz() }",
            "fn f() { loop { if a {/**/ return 3; } ww() } } // zz",
            "fn f() { loop { zz(); let Some(x) = y else {/**/ continue }; ww() } }",
            "fn f() { loop { zz(); if a {/**/ bb(); continue; } ww() } }",
        ] {
            let code = if text.contains("bb") { "bb" } else { "zz" };
            let edited = edited(&text.replace("/**/", ""), &[(code, 1.0), ("ww", 99.0)]);
            assert_eq!(edited, Ok(text.replace("/**/", " core::hint::cold_path();")));
        }
        let text = "fn f() { for x in vv { if a { continue; } ww() } zz() }";
        assert_eq!(edited(text, &[("zz", 1.0), ("ww", 99.0)]), Err(IS_JUMP));
        // If the block has code, the edge to the beginning of the loop does not lead to the block.
        let text = "fn f() { for x in zz { if a { bb(); continue; } } }";
        let wanted = text.replace("} } }", "} else { core::hint::cold_path(); } } }");
        assert_eq!(edited(text, &[("bb", 99.0), ("zz", 1.0)]), Ok(wanted));
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
    fn tests_of_patterns_are_not_blocks() {
        let text = "fn f() { match n { 0..=3 => xx(), 6..=9 => yy(), _ => zz() } }";
        let at = |start: &str, successors: &[(&str, f64)]| Flow {
            start: text.find(start),
            ..flow(text, successors)
        };
        let first = at("0..=3", &[("xx", 1.0), ("6..=9", 99.0)]);
        let second = at("6..=9", &[("yy", 97.0), ("zz", 2.0)]);
        let wanted = text
            .replace("xx()", "{ core::hint::cold_path(); xx() }")
            .replace("zz()", "{ core::hint::cold_path(); zz() }");
        assert_eq!(edited_by(text, &[first.clone(), second.clone()]), Ok(wanted));
        let rare_test = at("0..=3", &[("xx", 99.0), ("6..=9", 1.0)]);
        let second = Flow { is_chosen: false, ..second };
        assert_eq!(edited_by(text, &[rare_test, second]), Err(IN_CONDITION));
        assert_eq!(edited(text, &[("xx", 99.0), ("fn", 1.0)]), Err(OUTSIDE));
    }

    #[test]
    fn a_hint_is_written_once() {
        let text = "fn f() { if a { std::hint::cold_path(); xx() } zz() }";
        assert_eq!(edited(text, &[("std", 1.0), ("zz", 99.0)]), Err("there is a hint already"));
    }
}
