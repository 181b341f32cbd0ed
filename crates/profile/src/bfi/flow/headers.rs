//! Mass through a region with several headers, which share it.
//!
//! Mass enters such a region by several headers, and how much by each is known only once the level around
//! it is solved, for which the region has to be a package already. So full mass is split among the headers
//! beforehand: by the weights that a profile left in `irr_loop` metadata, or else evenly; and in the latter
//! case once more afterwards, in proportion to the mass that came back to each header.

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

    /// Collects the weights of `region`'s headers, and says whether any has one in the metadata.
    ///
    /// A header without metadata counts as the least weight among the others, or 1 if none has any. These
    /// come after the rest, in the order of LLVM's set of them.
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

    /// Collects, as the weights of `region`'s headers, the mass that came back to each.
    ///
    /// A header that nothing comes back to is left out and keeps the mass it has.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::adjustLoopHeaderMass`.
    fn weigh_headers_by_back_mass(&mut self, region: Region) {
        self.distribution.clear();
        for place in 0..self.regions.header_count(region) {
            let header = self.regions.header(region, place);
            add_header(&mut self.distribution, header, self.regions.back_mass(region, place).0);
        }
    }

    /// Splits full mass among the headers that have been collected.
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
