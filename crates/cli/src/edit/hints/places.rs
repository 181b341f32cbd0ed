//! Groups branches by source position. All branches with the same source position get the same hint.

use std::collections::{BTreeSet, HashMap};

use super::branches::MeasuredBranch;
use crate::study::merged::{Key, Keys};
use crate::study::source::Sources;

pub use bpa_schema::LEAST_HINT_SHARE as LEAST_SHARE;

/// The minimum number of executions at a position with a hint. Fewer executions do not show how the branch behaves.
const LEAST_EXECUTIONS: f64 = 10.0;

/// All branches that are compiled from one source position: template instances, copies of an inline function in several
/// modules, and inlined copies.
#[derive(Clone, Debug)]
pub struct Place {
    /// The indices of the branches, in descending order of executions.
    pub branches: Vec<usize>,
    /// The number of branches without copies.
    pub instances: usize,
    pub executions: f64,
    pub misses: f64,
    pub avoidable_misses: f64,
    /// The successor with the most executions over all branches, as an index into the successors of the first branch.
    pub likely: usize,
    /// The share of all executions that continue at the most frequent successor.
    pub share: f64,
    /// The misses of the static predictions, minus the misses of a hint that predicts the most frequent successor.
    pub avoided: f64,
}

impl Place {
    pub fn wants_hint(&self) -> bool {
        self.share >= LEAST_SHARE && self.executions >= LEAST_EXECUTIONS && self.avoided >= 1.0
    }
}

/// Groups `branches` by source position. The positions are in descending order of avoided misses.
pub fn places(branches: &[MeasuredBranch], sources: &Sources) -> Vec<Place> {
    let mut members: HashMap<Key, Vec<usize>> = HashMap::new();
    let mut keys = Keys::new(sources);
    for (index, branch) in branches.iter().enumerate() {
        members.entry(keys.key(&branch.identity())).or_default().push(index);
    }
    // All branches of a file are copies if another folder contains a copy of the file.
    let has_counts = |indices: &Vec<usize>| indices.iter().any(|&index| !branches[index].is_copy);
    let members = members.into_values().filter(has_counts);
    let mut places: Vec<Place> = members.map(|indices| place(branches, indices)).collect();
    let position = |place: &Place| {
        branches[place.branches[0]].frame().map(|frame| (&frame.file, frame.line, frame.column))
    };
    places.sort_by(|one, other| {
        let by_first = || one.branches[0].cmp(&other.branches[0]);
        other
            .avoided
            .total_cmp(&one.avoided)
            .then_with(|| position(one).cmp(&position(other)))
            .then_with(by_first)
    });
    places
}

fn place(branches: &[MeasuredBranch], mut indices: Vec<usize>) -> Place {
    indices.sort_by(|&one, &other| branches[other].executions().total_cmp(&branches[one].executions()));
    let first = &branches[indices[0]];
    let mut taken = vec![0.0; first.successors.len()];
    let (mut misses, mut avoidable_misses, mut instances) = (0.0, 0.0, 0);
    for branch in indices.iter().map(|&index| &branches[index]).filter(|branch| !branch.is_copy) {
        let is_swapped = is_swapped(first, branch);
        for (place, successor) in branch.successors.iter().enumerate() {
            taken[if is_swapped { 1 - place } else { place }] += successor.taken;
        }
        misses += branch.misses();
        avoidable_misses += branch.avoidable_misses();
        instances += 1;
    }
    // If several successors have the largest count, the first of them is chosen.
    let mut likely = 0;
    for (place, count) in taken.iter().enumerate() {
        if *count > taken[likely] {
            likely = place;
        }
    }
    let executions: f64 = taken.iter().sum();
    Place {
        executions,
        misses,
        avoidable_misses,
        likely,
        share: taken[likely] / executions,
        avoided: misses - (executions - taken[likely]),
        branches: indices,
        instances,
    }
}

/// Returns true if `other` has the successors of `first` in the opposite order. Optimisations can swap the successors
/// of a branch. `first` and `other` come from the same source position.
fn is_swapped(first: &MeasuredBranch, other: &MeasuredBranch) -> bool {
    let starts = |branch: &MeasuredBranch| {
        let start = |place: usize| {
            let first = branch.successors.get(place)?.first.as_ref()?;
            Some((first.file.to_string(), first.line, first.column))
        };
        Some([start(0)?, start(1)?]).filter(|[one, two]| one != two && branch.successors.len() == 2)
    };
    match (starts(first), starts(other)) {
        (Some([a, b]), Some([c, d])) => a == d && b == c,
        _ => false,
    }
}

/// Selects modules so that, for each source position in `places`, at least one selected module contains a branch with
/// this position. Returns the indices of the selected modules.
pub fn modules_of<'p>(
    branches: &[MeasuredBranch],
    places: impl Iterator<Item = &'p Place>,
) -> BTreeSet<usize> {
    let mut modules = BTreeSet::new();
    for place in places {
        if !place.branches.iter().any(|&index| modules.contains(&branches[index].module)) {
            modules.insert(branches[place.branches[0]].module);
        }
    }
    modules
}

/// Sums of counts over a set of source positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    pub places: usize,
    pub executions: f64,
    pub misses: f64,
    pub avoidable_misses: f64,
    pub avoided: f64,
}

impl Sums {
    pub fn of<'p>(places: impl Iterator<Item = &'p Place>) -> Self {
        let mut sums = Sums::default();
        for place in places {
            sums.places += 1;
            sums.executions += place.executions;
            sums.misses += place.misses;
            sums.avoidable_misses += place.avoidable_misses;
            sums.avoided += place.avoided;
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::super::branches::branch;
    use super::super::finding::whole;
    use super::*;

    #[test]
    fn branches_at_one_position_are_one_place() {
        let mut all = vec![
            branch(1, [(0.4, 90.0), (0.6, 10.0)]),
            MeasuredBranch { symbol: "g".into(), ..branch(1, [(0.4, 10.0), (0.6, 30.0)]) },
        ];
        let [place] = &places(&all, &Sources::default())[..] else { panic!("one place") };
        assert_eq!((place.executions, place.misses, place.avoidable_misses), (140.0, 100.0, 80.0));
        // One hint predicts both branches, so it avoids fewer misses than two different hints.
        assert_eq!((place.likely, place.avoided, place.instances), (0, 60.0, 2));
        // Another module contains the same function. Both copies have the counts of one function, so the counts are
        // added only once.
        all.push(MeasuredBranch { module: 1, is_copy: true, ..all[0].clone() });
        let [place] = &places(&all, &Sources::default())[..] else { panic!("one place") };
        assert_eq!((place.executions, place.instances, place.branches.len()), (140.0, 2, 3));
        all[2].is_copy = false;
        assert_eq!(places(&all, &Sources::default())[0].executions, 240.0);
    }

    #[test]
    fn only_printed_numbers_are_rounded() {
        // Half of the executions of an even prediction are misses.
        let odd = |line| branch(line, [(0.5, 1.0), (0.5, 4.0)]);
        let all = places(&[odd(1), odd(2)], &Sources::default());
        let sums = Sums::of(all.iter());
        assert_eq!(
            (sums.misses, sums.avoidable_misses, sums.avoided, sums.executions),
            (5.0, 3.0, 3.0, 10.0)
        );
        let printed: u64 = all.iter().map(|place| whole(place.avoided).0).sum();
        assert_eq!((printed, whole(sums.avoided).0), (2, 3));
    }

    #[test]
    fn branches_of_one_macro_are_separate_places() {
        let all = [branch(1, [(0.4, 90.0), (0.6, 10.0)]), {
            let mut second = branch(1, [(0.4, 0.0), (0.6, 10.0)]);
            second.number += 1;
            second
        }];
        assert_eq!(places(&all, &Sources::default()).len(), 2);
    }

    #[test]
    fn swapped_successors_are_swapped_back() {
        let at = |line: u32| serde_json::from_value(serde_json::json!({"file": "/p/a.c", "line": line})).ok();
        let mut one = branch(1, [(0.4, 90.0), (0.6, 10.0)]);
        (one.successors[0].first, one.successors[1].first) = (at(2), at(3));
        let mut other = MeasuredBranch { symbol: "g".into(), ..branch(1, [(0.4, 1.0), (0.6, 99.0)]) };
        (other.successors[0].first, other.successors[1].first) = (at(3), at(2));
        let all = [one, other];
        let place = &places(&all, &Sources::default())[0];
        assert_eq!((place.share, place.executions), (189.0 / 200.0, 200.0));
    }
}
