//! The ranked lists of branches of the whole program.

use std::collections::HashMap;

use serde::Serialize;

use super::branches::BranchRow;
use super::function::FunctionRow;
use crate::study::branch::Branch;
use crate::study::merged::merge_by;
use crate::study::source::Sources;

/// The maximum number of branches of one group in a list.
pub const MOST_LISTED: usize = 500;

/// A source branch in a list: function, branch, number by which the list is sorted, number of copies, group, rule, and
/// the [number of the branch in its expression](crate::study::merged::SourceBranch::number). The number by which the list is
/// sorted is the sum over all copies. The copy with the highest number determines the function, the branch, the group
/// and the rule.
#[derive(Debug, PartialEq, Serialize)]
pub struct Listed(usize, usize, f64, usize, Group, String, (usize, usize));

/// The group of a branch. The page folds all branches of `System` into one row, and all branches of `Exceptional` into
/// another row. The file data.js must use the same number for each group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Group {
    Own,
    System,
    Exceptional,
}

impl Serialize for Group {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(*self as u8)
    }
}

/// The functions on the page, and a list of all their branches.
pub struct Ranking<'a> {
    pub sources: &'a Sources,
    pub branches: Vec<Branch<'a>>,
    pub functions: &'a [FunctionRow],
}

impl Ranking<'_> {
    /// The source branches for which `measure` returns the highest numbers.
    pub fn listed(
        &self,
        is_system: impl Fn(usize) -> bool,
        measure: impl Fn(&Branch, &BranchRow) -> f64,
    ) -> Vec<Listed> {
        let numbers = self
            .functions
            .iter()
            .enumerate()
            .flat_map(|(function, row)| (0..row.branches.len()).map(move |branch| (function, branch)));
        let numbers: HashMap<_, _> = self.branches.iter().map(Branch::key).zip(numbers).collect();
        let row = |branch: &Branch| {
            let (function, number) = numbers[&branch.key()];
            (function, number, &self.functions[function].branches[number])
        };
        let merged =
            merge_by(&self.branches.iter().collect::<Vec<_>>(), self.sources, |one| measure(one, row(one).2));
        let mut counts: HashMap<Group, usize> = HashMap::new();
        let listed = merged.iter().filter(|one| one.weight > 0.0).map(|one| {
            let (function, number, row) = row(one.first());
            let rule = self.functions[function].strings[row.rule].clone();
            Listed(function, number, one.weight, one.copies.len(), group(row, &is_system), rule, one.number)
        });
        let is_kept = |listed: &Listed| {
            let count = counts.entry(listed.4).or_default();
            *count += 1;
            *count <= MOST_LISTED
        };
        listed.filter(is_kept).collect()
    }
}

fn group(branch: &BranchRow, is_system: impl Fn(usize) -> bool) -> Group {
    match branch.at {
        _ if branch.exceptional => Group::Exceptional,
        Some((file, _, _)) if is_system(file) => Group::System,
        _ => Group::Own,
    }
}
