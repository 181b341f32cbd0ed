//! For each loop, the flow from the loop to each target outside the loop.

use std::ops::Range;

use cranelift_entity::PrimaryMap;

use super::real::Real;
use crate::cfg::unstable::refill;
use crate::cfg::{table, Block, Loop};

/// The flow from a loop to `target` in one iteration of the loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExitFlow {
    pub target: Block,
    pub share: Real,
}

/// The exits of all solved loops, except the loops inside another solved loop.
///
/// Loops are solved in descending order of their numbers, so inner loops come before outer loops. When a loop is
/// solved, the exits of its inner loops are therefore at the end of the list. The exits of the solved loop then replace
/// the exits of its inner loops.
#[derive(Default)]
pub(super) struct ExitFlows {
    all: Vec<ExitFlow>,
    /// For each solved loop, the range of its exits in the list `all`. For each unsolved loop, the index in the list
    /// `all` where the exits of its inner loops start.
    places: PrimaryMap<Loop, (u32, u32)>,
    /// The exits of the current loop, one for each target.
    own: Vec<ExitFlow>,
    /// If the current loop has an exit to a block, the index of this exit in `own`. For other blocks, the table
    /// contains an index from an earlier loop. Before you use the index of a block, check that the exit in `own` at
    /// this index leads to the block.
    own_places: PrimaryMap<Block, u32>,
}

impl ExitFlows {
    /// Starts a function.
    pub(crate) fn start(&mut self, blocks: usize, loops: usize) {
        self.all.clear();
        refill(&mut self.places, loops, (u32::MAX, u32::MAX));
        self.own.clear();
        if self.own_places.len() < blocks {
            self.own_places = table(blocks, 0);
        }
    }

    /// Adds flow of an edge from the current loop to `target`, which is outside the loop.
    pub(crate) fn add(&mut self, target: Block, share: Real) {
        let place = &mut self.own_places[target];
        match self.own.get_mut(*place as usize) {
            Some(exit) if exit.target == target => exit.share += share,
            _ => {
                *place = self.own.len() as u32;
                self.own.push(ExitFlow { target, share });
            }
        }
    }

    /// Stores the exits of the solved loop `natural`, and removes the exits of the loops inside `natural`. `parent` is
    /// the parent loop of `natural`. Returns how much of the flow of one iteration leaves `natural`.
    pub(crate) fn close(&mut self, natural: Loop, parent: Option<Loop>) -> Real {
        let start = self.places[natural].0.min(self.all.len() as u32);
        self.all.truncate(start as usize);
        self.all.append(&mut self.own);
        self.places[natural] = (start, self.all.len() as u32);
        if let Some(parent) = parent {
            let inside = &mut self.places[parent].0;
            *inside = start.min(*inside);
        }
        self.all[start as usize..].iter().fold(Real::ZERO, |sum, exit| sum + exit.share)
    }

    /// The indices of the exits of the solved loop `natural`.
    pub(crate) fn places(&self, natural: Loop) -> Range<usize> {
        let (start, end) = self.places[natural];
        start as usize..end as usize
    }

    /// The exit with index `place`.
    pub(crate) fn exit(&self, place: usize) -> ExitFlow {
        self.all[place]
    }
}
