//! Successors and loops of the functions that the plugin prints.

use std::collections::HashMap;

use bpa_schema::Function;

/// For each edge of a branch, the index of its target among the successors. Edges to one block have one successor.
/// `targets` are the targets of the edges.
pub fn successor_places(targets: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut known = HashMap::new();
    targets
        .map(|target| {
            let next = known.len();
            *known.entry(target).or_insert(next)
        })
        .collect()
}

/// The loop `innermost` and all loops around it.
pub fn loops_around(function: &Function, innermost: Option<usize>) -> impl Iterator<Item = usize> {
    std::iter::successors(innermost, |&place| function.loops[place].parent)
}

/// Whether the loop `place` contains `block`.
pub fn loop_contains(function: &Function, place: usize, block: usize) -> bool {
    loops_around(function, function.blocks[block].innermost).any(|around| around == place)
}
