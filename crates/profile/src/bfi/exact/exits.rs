//! Where loops are left to, and how often.

use std::ops::Range;

use cranelift_entity::PrimaryMap;

use super::real::Real;
use crate::cfg::{refill, table, Block, Loop};

/// What of one turn of a loop leaves it to a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExitFlow {
    pub target: Block,
    pub share: Real,
}

/// The exits of all loops that stand for a node of a level that is still to be solved.
///
/// Loops are solved from the last to the first, so that of the loops inside one the exits are always the last that
/// were added: its own take their place.
#[derive(Default)]
pub(super) struct ExitFlows {
    all: Vec<ExitFlow>,
    /// Where the exits of each solved loop are; of others, where those of the loops inside begin.
    places: PrimaryMap<Loop, (u32, u32)>,
    /// The exits of the loop that is being solved, one a target.
    own: Vec<ExitFlow>,
    /// Where in `own` each target is. What it says of others is checked before it is believed.
    own_places: PrimaryMap<Block, u32>,
}

impl ExitFlows {
    /// Starts with a function.
    pub fn start(&mut self, blocks: usize, loops: usize) {
        self.all.clear();
        refill(&mut self.places, loops, (u32::MAX, u32::MAX));
        self.own.clear();
        if self.own_places.len() < blocks {
            self.own_places = table(blocks, 0);
        }
    }

    /// Adds to what leaves the loop that is being solved.
    pub fn add(&mut self, target: Block, share: Real) {
        let place = &mut self.own_places[target];
        match self.own.get_mut(*place as usize) {
            Some(exit) if exit.target == target => exit.share += share,
            _ => {
                *place = self.own.len() as u32;
                self.own.push(ExitFlow { target, share });
            }
        }
    }

    /// Ends with `natural`, inside of `parent`, and gives what of a turn leaves it in all. The exits of the loops inside
    /// are gone.
    pub fn close(&mut self, natural: Loop, parent: Option<Loop>) -> Real {
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

    /// The places of the exits of `natural`, which has been solved.
    pub fn places(&self, natural: Loop) -> Range<usize> {
        let (start, end) = self.places[natural];
        start as usize..end as usize
    }

    /// The exit at `place`.
    pub fn exit(&self, place: usize) -> ExitFlow {
        self.all[place]
    }
}
