//! The summary of a program: the number of branches by rule and by file.

use std::collections::HashMap;
use std::fmt::Write;

use crate::base::shares::{grouped, plural, share};
use crate::study::branch::Branch;
use crate::study::merged::SourceBranch;

/// The maximum number of files in the table.
const MOST_FILES: usize = 10;

/// Two tables: the number of branches that each rule predicts, and the number of branches in each file.
pub fn tables(branches: &[SourceBranch], files: usize) -> String {
    let count = branches.len();
    let mut text =
        format!("{} of the source in {}\n", plural(count, "branch"), plural(files, "compiled file"));
    text += &table("rule", &counted(branches.iter().map(|one| rule(one.first()))), count, usize::MAX);
    text += &table("file", &counted(branches.iter().map(|one| file(one.first()))), count, MOST_FILES);
    text
}

fn rule(branch: &Branch) -> String {
    branch.edges[0].rule.to_string()
}

fn file(branch: &Branch) -> String {
    branch.position().map_or("no debug information".to_string(), |position| position.frame.file.to_string())
}

/// The number of occurrences of each name, in descending order.
fn counted(names: impl Iterator<Item = String>) -> Vec<(String, usize)> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    names.for_each(|name| *counts.entry(name).or_default() += 1);
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    counts
}

/// A table of the first elements of `rows`, with at most `most` elements. Each row contains a number and its share of
/// the total `all`. The last row is the sum of the omitted rows.
fn table(title: &str, rows: &[(String, usize)], all: usize, most: usize) -> String {
    let shown = &rows[..rows.len().min(most)];
    let width =
        shown.iter().map(|(name, _)| name.chars().count()).chain([title.len(), 20]).max().unwrap_or(0);
    let mut text = format!("\n{title:width$}  branches\n");
    for (name, count) in shown {
        let part = share(*count as f64 / all as f64);
        writeln!(text, "{name:width$}  {:>8}  {part:>6}", grouped(count)).expect("a String accepts text");
    }
    let rest = &rows[shown.len()..];
    if !rest.is_empty() {
        let count: usize = rest.iter().map(|(_, count)| count).sum();
        let name = plural(rest.len(), &format!("other {title}"));
        let part = share(count as f64 / all as f64);
        writeln!(text, "{name:width$}  {:>8}  {part:>6}", grouped(count)).expect("a String accepts text");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_rows_are_summed_up() {
        let rows: Vec<(String, usize)> = (0..5).map(|place| (format!("f{place}"), 5 - place)).collect();
        let text = table("file", &rows, 15, 3);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[2], ["f0", "5", "33.3%"]);
        assert_eq!(lines.last().expect("a row"), &["2", "other", "files", "3", "20%"]);
        assert_eq!(counted(["b", "a", "b"].map(String::from).into_iter())[0], ("b".to_string(), 2));
    }
}
