//! Finds the likeliest path through a function. The path takes the likeliest arrow of each block. After one iteration
//! of a loop, the path leaves the loop through the most frequent exit.

use cranelift_entity::PrimaryMap;

use super::Arrow;
use crate::successors::Successor;
use bpa_profile::bfi::nest::{LoopNest, NestedLoop};
use bpa_profile::cfg::{table, Block};

/// The blocks and arrows of the hot path.
pub(super) struct HotPath {
    blocks: PrimaryMap<Block, bool>,
    arrows: Vec<bool>,
}

impl HotPath {
    /// Finds the path from the entry through `arrows`, which are sorted by source block.
    pub(crate) fn new(blocks: usize, arrows: &[Arrow], nest: &LoopNest) -> Self {
        let likeliest = likeliest(blocks, arrows);
        let exits = exits(arrows, nest);
        let mut path = HotPath { blocks: table(blocks, false), arrows: vec![false; arrows.len()] };
        let mut current = Block::from_u32(0);
        path.blocks[current] = true;
        while let Some(mut next) = likeliest[current] {
            path.arrows[next] = true;
            // If the arrow leads to a block on the path, the path continues with the exit of the innermost loop around
            // the arrow. If this exit also leads to a block on the path, the path continues with the exit of an
            // outer loop.
            while path.blocks[arrows[next].successor.target] {
                let Arrow { source, successor: Successor { target, .. }, .. } = arrows[next];
                let Some(around) = nest.around(source).find(|&around| nest.contains(around, target)) else {
                    return path;
                };
                let Some(exit) = exits[around] else { return path };
                next = exit;
                path.arrows[next] = true;
            }
            current = arrows[next].successor.target;
            path.blocks[current] = true;
        }
        path
    }

    /// Whether the path contains `block`.
    pub(crate) fn has_block(&self, block: Block) -> bool {
        self.blocks[block]
    }

    /// Whether the path contains the arrow with the index `place`.
    pub(crate) fn has_arrow(&self, place: usize) -> bool {
        self.arrows[place]
    }
}

/// The likeliest arrow from each block, or the first of several equally likely arrows.
fn likeliest(blocks: usize, arrows: &[Arrow]) -> PrimaryMap<Block, Option<usize>> {
    let mut found: PrimaryMap<Block, Option<usize>> = table(blocks, None);
    for (place, arrow) in taken(arrows) {
        let best = &mut found[arrow.source];
        if best.is_none_or(|best| arrow.successor.probability > arrows[best].successor.probability) {
            *best = Some(place);
        }
    }
    found
}

/// The most frequent arrow that leaves each loop, or the first of several equally frequent arrows.
fn exits(arrows: &[Arrow], nest: &LoopNest) -> PrimaryMap<NestedLoop, Option<usize>> {
    let mut found: PrimaryMap<NestedLoop, Option<usize>> = table(nest.loops().len(), None);
    for (place, arrow) in taken(arrows) {
        for left in
            nest.around(arrow.source).take_while(|&around| !nest.contains(around, arrow.successor.target))
        {
            let best = &mut found[left];
            if best.is_none_or(|best| arrow.flow > arrows[best].flow) {
                *best = Some(place);
            }
        }
    }
    found
}

/// The arrows whose probability is not 0, with their indices.
fn taken(arrows: &[Arrow]) -> impl Iterator<Item = (usize, &Arrow)> {
    arrows.iter().enumerate().filter(|(_, arrow)| !arrow.successor.probability.is_zero())
}

#[cfg(test)]
mod tests {
    use super::super::collect_arrows;
    use super::*;
    use bpa_profile::cfg::parse_graph;
    use bpa_profile::dialect::Dialect;
    use bpa_profile::facts::FunctionFacts;
    use bpa_profile::profile::Profile;

    /// The arrows on the hot path of the parsed function, sorted by source block. Each item of the list contains the
    /// name of the source block and the name of the target block.
    fn hot(picture: &str, weights: &[(&str, &[u32])]) -> Vec<String> {
        let (graph, block) = parse_graph(picture).unwrap();
        let names: Vec<&str> = picture.split(';').map(|row| row.split_whitespace().next().unwrap()).collect();
        let mut function = FunctionFacts::from(graph);
        weights.iter().for_each(|(name, weights)| function.set_weights(block(name), weights));
        let profile = Profile::new(function, Dialect::named("16").expect("supported"));
        let graph = profile.graph();
        let arrows = collect_arrows(&profile);
        let path = HotPath::new(graph.block_count(), &arrows, profile.nest());
        let name = |block: Block| names[block.as_u32() as usize];
        let on_path = arrows.iter().enumerate().filter(|(place, _)| path.has_arrow(*place));
        on_path.map(|(_, arrow)| format!("{} {}", name(arrow.source), name(arrow.successor.target))).collect()
    }

    #[test]
    fn the_path_takes_the_likeliest_successor_with_parallel_edges_added() {
        let hot = |weights: &[u32]| hot("e -> a b b; a -> x; b -> x; x", &[("e", weights)]);
        assert_eq!(hot(&[4, 3, 2]), ["e b", "b x"]);
        assert_eq!(hot(&[6, 3, 2]), ["e a", "a x"]);
    }

    /// The path leaves the inner loop from the inner header, and the outer loop from the outer latch.
    #[test]
    fn the_path_goes_around_each_loop_once() {
        assert_eq!(
            hot("e -> o; o -> i; i -> b l; b -> i l; l -> o x; x", &[]),
            ["e o", "o i", "i b", "i l", "b i", "l o", "l x"]
        );
    }

    #[test]
    fn the_path_ends_in_an_infinite_loop() {
        assert_eq!(hot("e -> a; a -> b; b -> a", &[]), ["e a", "a b", "b a"]);
    }
}
