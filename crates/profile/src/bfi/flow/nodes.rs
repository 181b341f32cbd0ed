//! Distributes the mass of an irreducible region among all its nodes, as LLVM does from version 24 on.

use super::{Flow, FlowInput};
use crate::bfi::regions::Region;
use crate::bfi::rpo::RpoIndex;

impl Flow {
    /// LLVM: `BlockFrequencyInfoImpl::solveIrreducibleMass`.
    pub(super) fn iterate_over_nodes(&mut self, input: &FlowInput, region: Region) {
        self.regions.open(region);
        let mut iteration = std::mem::take(&mut self.iteration);
        iteration.start(&self.regions, region);
        for place in 0..iteration.count() {
            let node = iteration.node(place);
            iteration.add_edges(place, |edges| self.weigh_edges(input, node, edges));
        }
        let mut sum = iteration.pin(|node| input.evidence.header_weight(self.rpo.block(node)));
        iteration.run(&mut sum);
        iteration.hand_over(&mut self.regions, region, sum);
        self.iteration = iteration;
        self.finish(input, region);
    }

    /// Appends the outgoing edges of `node` to `edges`. Only an edge that leaves a solved region can have the weight 0.
    ///
    /// LLVM: `BlockFrequencyInfoImpl::getSuccWeights`.
    fn weigh_edges(&mut self, input: &FlowInput, node: RpoIndex, edges: &mut Vec<(RpoIndex, u64)>) {
        match self.regions.package_of(node) {
            Some(package) => {
                for place in self.regions.exit_places(package) {
                    let exit = self.regions.exit(place);
                    edges.push((self.regions.representative(exit.target), exit.mass.0));
                }
            }
            None => {
                let (places, successors) = input.graph.outgoing(self.rpo.block(node));
                for (place, &successor) in places.zip(successors) {
                    let target = self.regions.representative(self.rpo.of(successor));
                    edges.push((target, input.evidence.edge_weight(place).max(1)));
                }
            }
        }
    }
}
