//! The likeliest run through a function: at every block the likeliest way on; around a loop once, and then out of it
//! by the way that is taken most often.

use cranelift_entity::PrimaryMap;

use super::arrows::Arrow;
use bpa_profile::bfi::nest::{LoopNest, NestedLoop};
use bpa_profile::cfg::{table, Block};

/// The blocks and arrows of that run.
pub(super) struct HotPath {
    blocks: PrimaryMap<Block, bool>,
    arrows: Vec<bool>,
}

impl HotPath {
    /// Finds the run from the entry through `arrows`, which come block by block.
    pub fn new(blocks: usize, arrows: &[Arrow], nest: &LoopNest) -> Self {
        let ways_on = ways_on(blocks, arrows);
        let ways_out = ways_out(arrows, nest);
        let mut path = HotPath { blocks: table(blocks, false), arrows: vec![false; arrows.len()] };
        let mut current = Block::from_u32(0);
        path.blocks[current] = true;
        while let Some(mut way) = ways_on[current] {
            path.arrows[way] = true;
            // Where the run has been before, it leaves the loop that brought it back. Each is larger than the last.
            while path.blocks[arrows[way].target] {
                let Arrow { source, target, .. } = arrows[way];
                let Some(around) = nest.around(source).find(|&around| nest.contains(around, target)) else {
                    return path;
                };
                let Some(out) = ways_out[around] else { return path };
                way = out;
                path.arrows[way] = true;
            }
            current = arrows[way].target;
            path.blocks[current] = true;
        }
        path
    }

    /// Whether the run passes `block`.
    pub fn has_block(&self, block: Block) -> bool {
        self.blocks[block]
    }

    /// Whether the run takes the arrow at `place`.
    pub fn has_arrow(&self, place: usize) -> bool {
        self.arrows[place]
    }
}

/// The likeliest arrow from each block, the first of equals.
fn ways_on(blocks: usize, arrows: &[Arrow]) -> PrimaryMap<Block, Option<usize>> {
    let mut ways: PrimaryMap<Block, Option<usize>> = table(blocks, None);
    for (place, arrow) in taken(arrows) {
        let best = &mut ways[arrow.source];
        if best.is_none_or(|best| arrow.probability > arrows[best].probability) {
            *best = Some(place);
        }
    }
    ways
}

/// The arrow out of each loop that is taken most often, the first of equals.
fn ways_out(arrows: &[Arrow], nest: &LoopNest) -> PrimaryMap<NestedLoop, Option<usize>> {
    let mut ways: PrimaryMap<NestedLoop, Option<usize>> = table(nest.loops().len(), None);
    for (place, arrow) in taken(arrows) {
        for left in nest.around(arrow.source).take_while(|&around| !nest.contains(around, arrow.target)) {
            let best = &mut ways[left];
            if best.is_none_or(|best| arrow.flow > arrows[best].flow) {
                *best = Some(place);
            }
        }
    }
    ways
}

/// The arrows that are ever taken, with their places.
fn taken(arrows: &[Arrow]) -> impl Iterator<Item = (usize, &Arrow)> {
    arrows.iter().enumerate().filter(|(_, arrow)| !arrow.probability.is_zero())
}

#[cfg(test)]
mod tests {
    use super::super::arrows;
    use super::*;
    use bpa_profile::cfg::parse_graph;
    use bpa_profile::dialect::Dialect;
    use bpa_profile::facts::FunctionFacts;
    use bpa_profile::profile::Profile;

    /// The arrows on the hot path of a drawn function, as pairs of names, in the order of blocks.
    fn hot(picture: &str, weights: &[(&str, &[u32])]) -> Vec<String> {
        let (graph, block) = parse_graph(picture).unwrap();
        let names: Vec<&str> = picture.split(';').map(|row| row.split_whitespace().next().unwrap()).collect();
        let mut function = FunctionFacts::from(graph);
        weights.iter().for_each(|(name, weights)| function.set_weights(block(name), weights));
        let profile = Profile::new(function, Dialect::named("16").expect("supported"));
        let graph = profile.graph();
        let arrows = arrows::collect(graph, profile.branch_probabilities(), profile.block_frequencies());
        let path = HotPath::new(graph.block_count(), &arrows, profile.nest());
        let name = |block: Block| names[block.as_u32() as usize];
        let on_path = arrows.iter().enumerate().filter(|(place, _)| path.has_arrow(*place));
        on_path.map(|(_, arrow)| format!("{} {}", name(arrow.source), name(arrow.target))).collect()
    }

    #[test]
    fn the_likeliest_way_on_is_taken_and_parallel_edges_count_together() {
        let hot = |weights: &[u32]| hot("e -> a b b; a -> x; b -> x; x", &[("e", weights)]);
        assert_eq!(hot(&[4, 3, 2]), ["e b", "b x"]);
        assert_eq!(hot(&[6, 3, 2]), ["e a", "a x"]);
    }

    /// Out of the inner loop by its header, out of the outer one by its latch.
    #[test]
    fn loops_are_gone_round_once_and_left() {
        assert_eq!(
            hot("e -> o; o -> i; i -> b l; b -> i l; l -> o x; x", &[]),
            ["e o", "o i", "i b", "i l", "b i", "l o", "l x"]
        );
    }

    #[test]
    fn nothing_leads_out_of_an_endless_loop() {
        assert_eq!(hot("e -> a; a -> b; b -> a", &[]), ["e a", "a b", "b a"]);
    }
}
