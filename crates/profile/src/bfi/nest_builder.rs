//! Construction of the loop nest from the solved regions.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::PrimaryMap;

use super::analysis::{FrequencyAnalysis, FrequencyInput};
use super::distribution::Evidence;
use super::flow::Flow;
use super::mass::Mass;
use super::nest::{BlockShare, LoopData, LoopNest, NestedLoop};
use super::regions::Region;
use super::scaled::Scaled;
use crate::cfg::{table, Block};
use crate::dialect::IrreducibleMass;
use crate::facts;

impl FrequencyAnalysis {
    /// Computes the loop nest of a function.
    pub(crate) fn compute_nest(&mut self, input: &FrequencyInput) -> LoopNest {
        let FrequencyInput { probabilities, header_weights, .. } = *input;
        self.solve(input, Evidence::Given { probabilities, header_weights });
        let Flow { rpo, regions, .. } = &self.flow;
        let mut nest = LoopNest {
            loops: PrimaryMap::new(),
            innermost: table(input.graph.block_count(), None.into()),
            shares: table(input.graph.block_count(), None),
        };
        // Stores the share of each block. If a block is in a loop, the code below replaces the share of the block.
        for ((_, block), mass) in rpo.iter().zip(regions.block_masses()) {
            nest.shares[block] = Some(BlockShare { is_header: false, per_iteration: mass.to_scaled() });
        }
        // The parent of a region A is the region that contains A as a single node. The order of discovery does not
        // determine the parent: an irreducible region can be inside a loop that was found earlier.
        let mut parents: PrimaryMap<Region, PackedOption<NestedLoop>> = table(regions.count(), None.into());
        let mut heads_parent: PrimaryMap<Region, bool> = table(regions.count(), false);
        for region in regions.outermost_first() {
            let parent = parents[region].expand();
            let depth = parent.map_or(1, |parent| nest.depth(parent) + 1);
            let headers = (0..regions.header_count(region)).map(|place| regions.header(region, place));
            let headers: Vec<Block> = headers.map(|header| rpo.block(header)).collect();
            let weight = |&block: &Block| facts::header_weight(header_weights, block);
            let has_weights = headers.len() > 1
                && match input.irreducible {
                    IrreducibleMass::ByHeaders => headers.iter().any(|header| weight(header).is_some()),
                    IrreducibleMass::ByNodes => {
                        let mut nodes = regions.nodes_of(region).map(|(node, _)| rpo.block(node));
                        nodes.any(|node| weight(&node).is_some_and(|weight| weight > 0))
                    }
                };
            let iterations_around = parent.map_or(Scaled::ONE, |parent| nest.loops[parent].iterations);
            let entering = regions.entering_mass(region).to_scaled();
            let (scale, back) = (regions.scale(region), regions.total_back_mass(region));
            let leaving = Mass::FULL.minus(back);
            // Each multiplication rounds. `frequencies::unpack` multiplies the same factors in the same order, and
            // therefore gets the same results.
            let (entries, iterations) = (iterations_around * entering, iterations_around * scale * entering);
            let number = nest.loops.push(LoopData {
                headers,
                parent,
                depth,
                has_weights,
                entries,
                scale,
                leaving: leaving.to_scaled(),
                share: BlockShare { is_header: heads_parent[region], per_iteration: entering },
                is_infinite: leaving == Mass::EMPTY,
                iterations,
            });
            for (place, (node, package)) in regions.nodes_of(region).enumerate() {
                match package {
                    Some(inner) => {
                        parents[inner] = number.into();
                        heads_parent[inner] = place < regions.header_count(region);
                    }
                    None => {
                        let block = rpo.block(node);
                        let is_header = place < regions.header_count(region);
                        let per_iteration = regions.block_mass(node).to_scaled();
                        nest.innermost[block] = number.into();
                        nest.shares[block] = Some(BlockShare { is_header, per_iteration });
                    }
                }
            }
        }
        nest
    }
}
