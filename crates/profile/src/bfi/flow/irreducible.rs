//! Distributes the mass of an irreducible region: among its headers, as LLVM 14 to 23 do, or among all its nodes, as
//! LLVM does from version 24 on.
//!
//! The mass that enters each header is known only after the enclosing loop or function is solved. However, before the
//! solver solves the enclosing loop or function, it must replace the region by a single node. Until LLVM 23, the solver
//! therefore first splits the mass `Mass::FULL` among the headers: by the weights of `irr_loop` metadata, or evenly.
//! After an even split, the solver splits this mass a second time, in proportion to the mass that returned to each
//! header.

use super::{Flow, FlowInput, LEVELS_BECOME_ACYCLIC};
use crate::bfi::distribution::{Distribution, EdgeKind};
use crate::bfi::regions::Region;
use crate::bfi::rpo::RpoIndex;
use crate::bfi::Mass;

impl Flow {
    /// LLVM: `BlockFrequencyInfoImpl::computeMassInLoop`.
    pub(super) fn split_among_headers(&mut self, input: &FlowInput, region: Region) {
        self.regions.open(region);
        let weighted = self.weigh_headers(input, region);
        self.give_headers_their_parts();
        let solved = self.pass_members_on(input, region);
        debug_assert!(solved.is_ok(), "{LEVELS_BECOME_ACYCLIC}");
        if !weighted {
            self.weigh_headers_by_back_mass(region);
            self.give_headers_their_parts();
        }
        self.finish(input, region);
    }

    /// Collects the weights of `region`'s headers. Returns true if a header has a weight in the metadata.
    ///
    /// If only some headers have a weight in the metadata, the remaining headers get the least of these weights. If no
    /// header has a weight, every header gets the weight 1. Headers without a weight come last, in the order of LLVM's
    /// set.
    ///
    /// LLVM: `BlockFrequencyInfoImpl::computeMassInLoop`.
    fn weigh_headers(&mut self, input: &FlowInput, region: Region) -> bool {
        self.distribution.clear();
        self.unweighted.lay_out_set(self.regions.header_count(region));
        let mut least: Option<u64> = None;
        for place in 0..self.regions.header_count(region) {
            let header = self.regions.header(region, place);
            let block = self.rpo.block(header);
            match input.evidence.header_weight(block) {
                Some(weight) => {
                    least = Some(least.map_or(weight, |least| least.min(weight)));
                    add_header(&mut self.distribution, header, weight);
                }
                None => {
                    self.unweighted.entry(place as u32, place as u32);
                }
            }
        }
        for place in self.unweighted.entries() {
            let header = self.regions.header(region, place as usize);
            add_header(&mut self.distribution, header, least.unwrap_or(1));
        }
        least.is_some()
    }

    /// Collects weights for the headers of `region`: the mass that returned to each header.
    ///
    /// If no mass returned to a header, the header is skipped and keeps its mass.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::adjustLoopHeaderMass`.
    fn weigh_headers_by_back_mass(&mut self, region: Region) {
        self.distribution.clear();
        for place in 0..self.regions.header_count(region) {
            let header = self.regions.header(region, place);
            add_header(&mut self.distribution, header, self.regions.back_mass(region, place).0);
        }
    }

    /// Splits the mass [`Mass::FULL`] among the headers in `distribution`.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::distributeIrrLoopHeaderMass`.
    fn give_headers_their_parts(&mut self) {
        let Flow { distribution, regions, .. } = self;
        distribution.split(Mass::FULL, |header, _, mass| regions.set_mass(header, mass));
    }
}

fn add_header(distribution: &mut Distribution, header: RpoIndex, weight: u64) {
    if weight > 0 {
        distribution.add(header, EdgeKind::Local, weight);
    }
}

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
