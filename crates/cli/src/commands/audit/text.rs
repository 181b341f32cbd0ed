//! Formats an audit of several modules as text.

use std::cmp::Reverse;
use std::fmt;

use bpa_schema::{AuditedPass, ModuleAudit, WorsenedBlock};

use crate::base::demangle;
use crate::base::shares::{grouped, plural};

/// The sums over modules. A function that several modules contain counts once per module.
#[derive(Default)]
pub struct Totals {
    modules: usize,
    known: u64,
    unknown: u64,
    pub executions: u128,
    pub wrong: u128,
    wrong_exact: u128,
    wrong_at_begin: u128,
    lost: u128,
    /// The passes in the order of the pipeline.
    passes: Vec<AuditedPass<'static>>,
}

impl Totals {
    pub fn of(audits: &[ModuleAudit<'static>]) -> Self {
        let mut totals = Totals { modules: audits.len(), ..Totals::default() };
        for audit in audits {
            totals.known += audit.known_blocks;
            totals.unknown += audit.unknown_blocks;
            totals.executions += u128::from(audit.executions);
            totals.wrong += u128::from(audit.wrong);
            totals.wrong_exact += u128::from(audit.wrong_exact);
            totals.wrong_at_begin += u128::from(audit.wrong_at_begin);
            totals.lost += u128::from(audit.lost);
            totals.add_passes(&audit.passes);
        }
        totals
    }

    /// Adds the passes of a module. A pass that no earlier module has run comes after the pass that precedes it in this
    /// module.
    fn add_passes(&mut self, passes: &[AuditedPass<'static>]) {
        let mut next = 0;
        for pass in passes {
            match self.passes.iter_mut().enumerate().find(|(_, known)| known.pass == pass.pass) {
                Some((place, known)) => {
                    add(known, pass);
                    next = place + 1;
                }
                None => {
                    self.passes.insert(next, pass.clone());
                    next += 1;
                }
            }
        }
    }

    /// The count in percent of all executions. Wrong executions can be more than 100%.
    fn percent(&self, count: u128) -> String {
        format!("{:.2}%", count as f64 * 100.0 / self.executions.max(1) as f64)
    }
}

fn add(sum: &mut AuditedPass, pass: &AuditedPass) {
    sum.wrong = sum.wrong.saturating_add(pass.wrong);
    sum.worse = sum.worse.saturating_add(pass.worse);
    sum.better = sum.better.saturating_add(pass.better);
    sum.wrong_exact = sum.wrong_exact.saturating_add(pass.wrong_exact);
    sum.lost = sum.lost.saturating_add(pass.lost);
    sum.weights += pass.weights;
    sum.unknown += pass.unknown;
    sum.stale += pass.stale;
}

/// Prints the totals and a table of the passes that changed something.
impl fmt::Display for Totals {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let count = |count: u128| format!("{} ({})", grouped(count), self.percent(count));
        writeln!(
            out,
            "{} ran {} in {}; the executions of {} are unknown",
            plural(self.known, "block"),
            plural(self.executions, "time"),
            plural(self.modules, "module"),
            plural(self.unknown, "other block")
        )?;
        writeln!(out, "wrong at the end:       {}", count(self.wrong))?;
        writeln!(out, "with exact frequencies: {}", count(self.wrong_exact))?;
        writeln!(out, "wrong at the beginning: {}", count(self.wrong_at_begin))?;
        writeln!(out, "lost:                   {}\n", count(self.lost))?;
        let mut table = vec![TITLES.map(String::from)];
        table.extend(self.passes.iter().filter(|pass| has_changed(pass)).map(|pass| {
            let part = self.percent(pass.wrong.unsigned_abs().into());
            [
                signed(pass.wrong),
                if pass.wrong < 0 { format!("-{part}") } else { part },
                grouped(pass.worse),
                grouped(pass.better),
                signed(pass.wrong_exact),
                signed(pass.lost),
                grouped(pass.weights),
                grouped(pass.unknown),
                grouped(pass.stale),
                pass.pass.to_string(),
            ]
        }));
        if table.len() == 1 {
            return writeln!(out, "no pass changed the executions, weights or cached results");
        }
        let width = |column: usize| table.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let widths: [usize; 9] = std::array::from_fn(width);
        for row in &table {
            for (cell, width) in row.iter().zip(widths) {
                write!(out, "{cell:>width$}  ")?;
            }
            writeln!(out, "{}", row[9])?;
        }
        Ok(())
    }
}

const TITLES: [&str; 10] =
    ["wrong", "%", "worse", "better", "exact", "lost", "weights", "unknown", "stale", "pass"];

fn has_changed(pass: &AuditedPass) -> bool {
    let counts = [pass.worse, pass.better, pass.weights, pass.unknown, pass.stale];
    counts.iter().any(|&count| count > 0) || pass.lost != 0 || pass.wrong_exact != 0
}

fn signed(count: i64) -> String {
    let sign = if count < 0 { "-" } else { "+" };
    match count {
        0 => "0".to_string(),
        _ => sign.to_string() + &grouped(count.unsigned_abs()),
    }
}

/// The `most` blocks whose wrong executions one pass increased most, with their source lines. Copies of an inline
/// function in several modules are printed once.
pub fn worst_lines(audits: &[ModuleAudit], most: usize) -> String {
    let mut blocks: Vec<&WorsenedBlock> = audits.iter().flat_map(|audit| &audit.blocks).collect();
    let increase = |block: &WorsenedBlock| {
        let wrong = |implied: u64| implied.abs_diff(block.executions);
        wrong(block.after).saturating_sub(wrong(block.before))
    };
    blocks.sort_by_key(|block| Reverse(increase(block)));
    let mut lines: Vec<String> = Vec::new();
    for block in blocks {
        if lines.len() == most {
            break;
        }
        let line = in_words(block);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.iter().map(|line| format!("\n{line}")).collect()
}

fn in_words(block: &WorsenedBlock) -> String {
    let [executions, before, after, end] =
        [block.executions, block.before, block.after, block.end].map(grouped);
    let place = block.source.as_ref().map_or("(no line)".to_string(), ToString::to_string);
    format!(
        "{place}: ran {executions} times; after {} LLVM assumes {after}\n  block {} of {}; before the pass: {before}; at \
         the end: {end}\n",
        block.pass,
        demangle::block_name(&block.block),
        demangle::called(&block.function),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn audit(passes: &[(&str, i64)], blocks: &[[u64; 3]]) -> ModuleAudit<'static> {
        let passes: Vec<_> = passes
            .iter()
            .map(|(pass, wrong)| {
                serde_json::json!({"pass": pass, "wrong": wrong, "worse": wrong.max(&0), "better": 0,
                    "wrong_exact": 0, "lost": 0, "weights": 1, "unknown": 0, "stale": 0})
            })
            .collect();
        let blocks: Vec<_> = blocks
            .iter()
            .map(|[executions, before, after]| {
                serde_json::json!({"function": "_Z1fv", "block": "%b", "executions": executions, "pass": "P",
                    "before": before, "after": after, "end": after})
            })
            .collect();
        serde_json::from_value(serde_json::json!({"format": bpa_schema::FORMAT, "analysis": "rust-audit", "llvm": 16,
            "module": "a", "known_blocks": 2, "unknown_blocks": 0, "executions": 1000, "wrong": 10, "wrong_exact": 5,
            "lost": 0, "wrong_at_begin": 0, "passes": passes, "blocks": blocks}))
        .expect("an audit")
    }

    #[test]
    fn passes_of_several_modules_are_in_the_order_of_the_pipeline() {
        let totals = Totals::of(&[
            audit(&[("A", 1000), ("C", -1)], &[]),
            audit(&[("B", 2), ("C", 1), ("D", 1)], &[]),
            audit(&[("A", 1), ("E", 1)], &[]),
        ]);
        let names: Vec<&str> = totals.passes.iter().map(|pass| &*pass.pass).collect();
        assert_eq!(names, ["B", "A", "E", "C", "D"]);
        let text = totals.to_string();
        assert!(text.contains("6 blocks ran 3,000 times in 3 modules"), "{text}");
        assert!(text.contains("wrong at the end:       30 (1.00%)\n"), "{text}");
        let row = text.lines().find(|line| line.ends_with("  A")).expect("a row");
        assert_eq!(row.split_whitespace().take(4).collect::<Vec<_>>(), ["+1,001", "33.37%", "1,001", "0"]);
    }

    #[test]
    fn the_greatest_increase_is_first_and_copies_are_printed_once() {
        let [one, other] = [[100, 100, 50], [100, 100, 100_000]];
        let text = worst_lines(&[audit(&[], &[one, other]), audit(&[], &[other, one])], 10);
        let lines: Vec<&str> = text.lines().filter(|line| line.contains("ran")).collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert!(lines[0].contains("after P LLVM assumes 100,000"), "{text}");
        assert!(text.contains("block b of f;"), "{text}");
    }
}
