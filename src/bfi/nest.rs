//! The loops of a function as frequencies see them: natural and irreducible ones in one nest.
//!
//! The forest in [`cfg`](crate::cfg) has natural loops alone. Which blocks make an irreducible loop, and with which
//! headers, comes out while masses are worked out, level by level.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{entity_impl, PrimaryMap};

use super::evidence::Evidence;
use super::flow::Flow;
use super::regions::Region;
use super::{FrequencyAnalysis, FrequencyInput, Scaled};
use crate::cfg::{table, Block};

/// A loop, natural or irreducible; outer loops have lower numbers than the loops inside them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NestedLoop(u32);
entity_impl!(NestedLoop, "nested");

/// All loops of a function.
#[derive(Clone, Debug, Default)]
pub struct LoopNest {
    loops: PrimaryMap<NestedLoop, Place>,
    innermost: PrimaryMap<Block, PackedOption<NestedLoop>>,
}

#[derive(Clone, Debug)]
struct Place {
    headers: Vec<Block>,
    parent: Option<NestedLoop>,
    depth: u32,
    entries: Scaled,
    scale: Scaled,
    /// How often the headers run together.
    turns: Scaled,
}

impl LoopNest {
    /// All loops, each before the loops inside it.
    pub fn loops(&self) -> impl DoubleEndedIterator<Item = NestedLoop> + ExactSizeIterator {
        self.loops.keys()
    }

    /// The innermost loop around `block`.
    pub fn innermost(&self, block: Block) -> Option<NestedLoop> {
        self.innermost[block].expand()
    }

    /// The blocks through which `nested` is entered: one of a natural loop, several of an irreducible one.
    pub fn headers(&self, nested: NestedLoop) -> &[Block] {
        &self.loops[nested].headers
    }

    /// Whether `nested` has several headers.
    pub fn is_irreducible(&self, nested: NestedLoop) -> bool {
        self.headers(nested).len() > 1
    }

    /// The loop directly around `nested`.
    pub fn parent(&self, nested: NestedLoop) -> Option<NestedLoop> {
        self.loops[nested].parent
    }

    /// How many loops a block of `nested` is in at least: 1 for an outermost loop.
    pub fn depth(&self, nested: NestedLoop) -> u32 {
        self.loops[nested].depth
    }

    /// How often `nested` is entered for each time the function is.
    pub fn entries(&self, nested: NestedLoop) -> Scaled {
        self.loops[nested].entries
    }

    /// How often the headers of `nested` run together for each time it is entered.
    pub fn scale(&self, nested: NestedLoop) -> Scaled {
        self.loops[nested].scale
    }

    /// Whether `nested` holds `block`.
    pub fn contains(&self, nested: NestedLoop, block: Block) -> bool {
        // A loop that comes later is not around `nested`, so the way up ends there.
        self.around(block).take_while(|&around| around >= nested).any(|around| around == nested)
    }

    /// The loops around `block`, from the inside out.
    pub fn around(&self, block: Block) -> impl Iterator<Item = NestedLoop> + '_ {
        std::iter::successors(self.innermost(block), |&inner| self.parent(inner))
    }
}

impl FrequencyAnalysis {
    /// The loops of a function.
    pub fn compute_nest(&mut self, input: &FrequencyInput) -> LoopNest {
        let FrequencyInput { probabilities, header_weights, .. } = *input;
        self.solve(input, Evidence::Given { probabilities, header_weights });
        let Flow { ranking, regions, .. } = &self.flow;
        let mut nest =
            LoopNest { loops: PrimaryMap::new(), innermost: table(input.graph.block_count(), None.into()) };
        // What a region holds says which loop is around which: an irreducible one comes between loops that were found
        // before it.
        let mut parents: PrimaryMap<Region, PackedOption<NestedLoop>> = table(regions.count(), None.into());
        for region in regions.outermost_first() {
            let parent = parents[region].expand();
            let depth = parent.map_or(1, |parent| nest.depth(parent) + 1);
            let headers = (0..regions.header_count(region)).map(|place| regions.header(region, place));
            let headers = headers.map(|header| ranking.block(header)).collect();
            let turns_around = parent.map_or(Scaled::ONE, |parent| nest.loops[parent].turns);
            let entering = regions.entering_mass(region).to_scaled();
            let scale = regions.scale(region);
            // In the order of multiplications that the headers' own frequencies come from.
            let (entries, turns) = (turns_around * entering, turns_around * scale * entering);
            let number = nest.loops.push(Place { headers, parent, depth, entries, scale, turns });
            for (node, package) in regions.contents(region) {
                match package {
                    Some(inner) => parents[inner] = number.into(),
                    None => nest.innermost[ranking.block(node)] = number.into(),
                }
            }
        }
        nest
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawing::Drawing;
    use super::*;

    /// A loop in a loop, and beside the inner one two blocks that are entered both ways.
    #[test]
    fn natural_and_irreducible_loops_nest() {
        let (drawing, block) = Drawing::new(
            "entry -> outer; outer -> inner a b; inner -> inner latch; a -> b; b -> a latch; latch -> outer end; end",
        );
        let nest = FrequencyAnalysis::default().compute_nest(&drawing.input());
        let [outer, inner, both] = ["outer", "inner", "a"].map(|name| nest.innermost(block(name)).unwrap());
        assert_eq!(nest.loops().len(), 3);
        assert_eq!(nest.innermost(block("b")), Some(both));
        assert_eq!(nest.innermost(block("latch")), Some(outer));
        assert_eq!((nest.innermost(block("entry")), nest.innermost(block("end"))), (None, None));
        assert_eq!([outer, inner, both].map(|nested| nest.parent(nested)), [None, Some(outer), Some(outer)]);
        assert_eq!([outer, inner, both].map(|nested| nest.depth(nested)), [1, 2, 2]);
        assert_eq!(nest.headers(inner), [block("inner")]);
        assert_eq!(nest.headers(both), [block("a"), block("b")]);
        assert_eq!([outer, inner, both].map(|nested| nest.is_irreducible(nested)), [false, false, true]);
        let numbers =
            |nested| [nest.entries(nested), nest.scale(nested)].map(|number| format!("{number:.5}"));
        assert_eq!(numbers(outer), ["1.0", "2.0"]);
        assert_eq!(numbers(inner), ["0.66667", "2.0"]);
        assert_eq!(numbers(both), ["1.3333", "4.0"]);
        assert!(nest.contains(outer, block("b")) && nest.contains(both, block("b")));
        assert!(!nest.contains(inner, block("b")) && !nest.contains(inner, block("latch")));
    }

    /// The header of the inner loop is one of the headers of the irreducible loop around it.
    #[test]
    fn a_loop_may_begin_where_the_loop_around_it_begins() {
        let (drawing, block) = Drawing::new("entry -> a b; a -> a b; b -> a end; end");
        let nest = FrequencyAnalysis::default().compute_nest(&drawing.input());
        let [inner, around] = ["a", "b"].map(|name| nest.innermost(block(name)).unwrap());
        assert_eq!(nest.headers(around), [block("a"), block("b")]);
        assert_eq!((nest.headers(inner), nest.parent(inner)), (&[block("a")][..], Some(around)));
    }
}
