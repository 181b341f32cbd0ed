//! Attributes changes of predictions to the edits of a group, and determines which edits help.

use std::collections::{BTreeSet, HashMap};

use super::edit::Edit;
use super::files::{FileId, Files};
use super::matching::Location;
use crate::edit::hints::branches::MeasuredBranch;
use crate::edit::hints::cost::Cost;

/// Whether one edit of a group decreases the cost of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Even if the edit causes all harmful side effects, the edit decreases the cost of the program.
    Helps,
    /// Even if the edit causes all useful side effects, the edit does not decrease the cost of the program.
    Useless { has_effect: bool },
    /// It is unknown which edits cause the side effects. If we assume that this edit causes all harmful side effects,
    /// the edit does not decrease the cost of the program.
    Unknown,
}

/// The branches that each edit affects. An edit affects all branches of a function if one of these branches is in the
/// region of the edit.
///
/// A branch is in the region of an edit if the region contains the source position of the branch. An inlined branch is
/// also in the region if the region contains the position of one of the inlined calls.
pub struct Attribution {
    /// For each branch: the edits whose region contains the branch. The innermost edit comes first.
    edits: Vec<Vec<usize>>,
    /// For each branch, the index of its function.
    function_of: Vec<usize>,
    /// The functions that each edit affects.
    functions: Vec<BTreeSet<usize>>,
}

/// The cost changes that cannot be attributed to a single edit.
#[derive(Clone, Copy, Debug, Default)]
struct SideEffects {
    /// The sum of the cost changes that are positive.
    harm: Cost,
    /// The sum of the cost changes that are negative.
    benefit: Cost,
}

impl SideEffects {
    fn add(&mut self, change: Cost) {
        self.harm += change.max(Cost::default());
        self.benefit += change.min(Cost::default());
    }
}

impl Attribution {
    /// `function_of` contains the number of the function for each branch.
    pub fn new(
        all: &[Edit],
        branches: &[&MeasuredBranch],
        locations: &[Location],
        function_of: Vec<usize>,
        files: &Files,
    ) -> Self {
        let mut by_member: HashMap<(&str, usize), Vec<usize>> = HashMap::new();
        let mut by_file: HashMap<FileId, Vec<usize>> = HashMap::new();
        for (number, edit) in all.iter().enumerate() {
            by_file.entry(edit.file).or_default().push(number);
            for member in &edit.members {
                by_member.entry((&member.symbol, member.number)).or_default().push(number);
            }
        }
        // Inner edits come first: if the region of edit A contains the region of edit B, B comes before A.
        by_file.values_mut().for_each(|edits| edits.sort_by_key(|&edit| all[edit].region.len()));
        let mut functions = vec![BTreeSet::new(); all.len()];
        let mut edits = Vec::with_capacity(branches.len());
        for ((branch, location), &function) in branches.iter().zip(locations).zip(&function_of) {
            let mut found = by_member.get(&(&*branch.symbol, branch.number)).cloned().unwrap_or_default();
            for point in &location.frames {
                let Some(in_file) = by_file.get(&point.file) else { continue };
                let text = files.text(point.file).ok();
                let Some(offset) = text.and_then(|text| text.offset(point.line, point.column)) else {
                    continue;
                };
                found.extend(in_file.iter().filter(|&&edit| all[edit].region.contains(&offset)));
            }
            let mut seen = BTreeSet::new();
            found.retain(|&edit| seen.insert(edit));
            for edit in seen {
                functions[edit].insert(function);
            }
            edits.push(found);
        }
        Attribution { edits, function_of, functions }
    }

    /// The numbers of the functions that `edit` affects.
    pub fn functions(&self, edit: usize) -> &BTreeSet<usize> {
        &self.functions[edit]
    }

    /// The verdict for each edit of `group`. `changes` contains each branch whose cost changed, and the difference of
    /// its cost. All edits of the group together have caused these changes.
    pub fn verdicts(&self, group: &[usize], changes: &[(usize, Cost)]) -> Vec<Verdict> {
        let indices: HashMap<usize, usize> =
            group.iter().enumerate().map(|(index, &edit)| (edit, index)).collect();
        let mut reaching: HashMap<usize, Vec<usize>> = HashMap::new();
        for (index, &edit) in group.iter().enumerate() {
            for &function in &self.functions[edit] {
                reaching.entry(function).or_default().push(index);
            }
        }
        let mut own = vec![Cost::default(); group.len()];
        let (mut in_functions, mut elsewhere) = (HashMap::new(), SideEffects::default());
        for &(branch, change) in changes {
            let function = self.function_of[branch];
            let innermost = self.edits[branch].iter().find_map(|edit| indices.get(edit).copied());
            // If the group has a single edit, the edit has caused the changes in all functions.
            let candidates = reaching.get(&function).map_or(&[][..], Vec::as_slice);
            let only = match (candidates, group.len()) {
                (&[index], _) => Some(index),
                (_, 1) => Some(0),
                _ => None,
            };
            match innermost.or(only) {
                Some(index) => own[index] += change,
                None if candidates.is_empty() => elsewhere.add(change),
                None => in_functions.entry(function).or_insert_with(SideEffects::default).add(change),
            }
        }
        let verdict = |(index, &edit): (usize, &usize)| {
            let of_functions = self.functions[edit].iter().filter_map(|function| in_functions.get(function));
            let all = || of_functions.clone().chain([&elsewhere]);
            let at_worst = own[index] + all().map(|effects| effects.harm).sum();
            let at_best = own[index] + all().map(|effects| effects.benefit).sum();
            match (at_worst.is_gain(), at_best.is_gain()) {
                (true, _) => Verdict::Helps,
                (false, true) => Verdict::Unknown,
                (false, false) => Verdict::Useless { has_effect: at_worst != Cost::default() },
            }
        };
        group.iter().enumerate().map(verdict).collect()
    }

    /// Divides `group` into two halves. Edits that affect the same function go to the first half and the second half
    /// in turn. The result contains the second half first.
    pub fn halves(&self, group: &[usize]) -> [Vec<usize>; 2] {
        let mut counts: HashMap<Option<&usize>, usize> = HashMap::new();
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for &edit in group {
            let count = counts.entry(self.functions[edit].first()).or_default();
            if *count % 2 == 0 { &mut first } else { &mut second }.push(edit);
            *count += 1;
        }
        if second.is_empty() {
            second = first.split_off(first.len().div_ceil(2));
        }
        [second, first]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAIN: f64 = -10.0;

    fn cost(amount: f64) -> Cost {
        Cost { log_loss: amount, misses: amount }
    }

    /// Three edits: two for branches 0 and 1 of function 0, and one for branch 3 of function 1. Function 0 also has
    /// branch 2. This branch is outside the regions of all edits.
    fn attribution() -> Attribution {
        let edits = vec![vec![0], vec![1, 0], vec![], vec![2]];
        let functions = [[0], [0], [1]].map(BTreeSet::from).into();
        Attribution { edits, function_of: vec![0, 0, 0, 1], functions }
    }

    #[test]
    fn a_change_belongs_to_the_innermost_edit() {
        let verdicts = attribution().verdicts(&[0, 1, 2], &[(1, cost(GAIN)), (3, cost(GAIN))]);
        assert_eq!(verdicts, [Verdict::Useless { has_effect: false }, Verdict::Helps, Verdict::Helps]);
        assert_eq!(attribution().verdicts(&[0], &[(1, cost(GAIN))]), [Verdict::Helps]);
    }

    #[test]
    fn side_effects_count_for_all_edits_of_a_function() {
        let gains = [(0, cost(GAIN)), (1, cost(2.0 * GAIN)), (3, cost(GAIN))];
        let with = |side_effect: f64| {
            attribution().verdicts(&[0, 1, 2], &[&gains[..], &[(2, cost(side_effect))]].concat())
        };
        assert_eq!(with(-1.5 * GAIN), [Verdict::Unknown, Verdict::Helps, Verdict::Helps]);
        assert_eq!(with(-0.5 * GAIN), [Verdict::Helps; 3]);
        // If only one edit of the group affects a function, this edit has caused all changes in the function.
        let verdicts = attribution().verdicts(&[0, 2], &[(0, cost(GAIN)), (2, cost(-2.0 * GAIN))]);
        assert_eq!(verdicts, [Verdict::Useless { has_effect: true }, Verdict::Useless { has_effect: false }]);
    }

    #[test]
    fn harm_in_other_functions_counts_for_all_edits() {
        let changes = [(0, cost(GAIN)), (1, cost(3.0 * GAIN)), (3, cost(-2.0 * GAIN))];
        assert_eq!(attribution().verdicts(&[0, 1], &changes), [Verdict::Unknown, Verdict::Helps]);
    }

    #[test]
    fn the_edits_of_a_function_are_divided() {
        assert_eq!(attribution().halves(&[0, 1, 2]), [vec![1], vec![0, 2]]);
        assert_eq!(attribution().halves(&[0, 2]), [vec![2], vec![0]]);
    }
}
