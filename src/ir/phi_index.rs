//! Indexes the phis of a function by their incoming values. If a function has many connected phis, walks through the
//! phis are repeated often, and this index makes the walks fast.

use rustc_hash::FxHashMap;

use super::value::{Phi, Value};
use super::LiveFunction;
use bpa_core::cfg::Block;
use bpa_core::facts::LoopAround;

/// All phis of a function.
pub(super) struct PhiIndex<'ir> {
    numbers: FxHashMap<Value<'ir>, u32>,
    /// For each phi P, the phis that are incoming values of P. Each such phi is stored with its incoming block in P.
    sources: Rows<(Block, u32)>,
    /// For each phi P, the phis that have P as an incoming value. Each such phi is stored with the incoming block of P.
    uses: Rows<(Block, u32)>,
    /// For each block, the phis whose incoming value from this block is a constant, each with its constant.
    constants: Rows<(Phi<'ir>, Value<'ir>)>,
    /// The walks `to_sources` and `to_uses` are restricted to the loop with this header.
    header: Option<Block>,
    to_sources: Walk,
    to_uses: Walk,
}

/// A search along phi operands. The result is kept until the next search.
struct Walk {
    /// For each phi, the number of the last search that reached the phi. `current` is the number of the current search.
    visits: Vec<u32>,
    current: u32,
    pending: Vec<u32>,
}

/// A list of entries for each key. The entries of all lists are in one vector.
struct Rows<T> {
    ends: Vec<u32>,
    entries: Vec<T>,
}

impl<T> Rows<T> {
    fn new(keys: usize, mut entries: Vec<(u32, T)>) -> Self {
        entries.sort_by_key(|entry| entry.0);
        let mut ends = vec![0; keys];
        entries.iter().for_each(|entry| ends[entry.0 as usize] += 1);
        let mut end = 0;
        for count in &mut ends {
            end += *count;
            *count = end;
        }
        Rows { ends, entries: entries.into_iter().map(|entry| entry.1).collect() }
    }

    fn of(&self, key: u32) -> &[T] {
        let first = key.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.entries[first as usize..self.ends[key as usize] as usize]
    }
}

impl<'ir> PhiIndex<'ir> {
    /// Reads all phis of `live`.
    pub fn new(live: &'ir LiveFunction) -> Self {
        let phis: Vec<Phi> = live
            .basic_blocks()
            .flat_map(|(_, block)| block.instructions().map_while(|instruction| instruction.phi()))
            .collect();
        let numbers: FxHashMap<Value, u32> = phis.iter().map(|phi| ***phi).zip(0..).collect();
        let (mut sources, mut uses, mut constants) = (Vec::new(), Vec::new(), Vec::new());
        for (&phi, number) in phis.iter().zip(0..) {
            for (block, value) in phi.incoming() {
                // A pass may have deleted a block that is still an incoming block of phis.
                let Some(block) = live.find(block) else { continue };
                if let Some(&source) = numbers.get(&value) {
                    sources.push((number, (block, source)));
                    uses.push((source, (block, number)));
                } else if value.is_constant() {
                    constants.push((block.as_u32(), (phi, value)));
                }
            }
        }
        PhiIndex {
            numbers,
            sources: Rows::new(phis.len(), sources),
            uses: Rows::new(phis.len(), uses),
            constants: Rows::new(live.block_count(), constants),
            header: None,
            to_sources: Walk::new(phis.len()),
            to_uses: Walk::new(phis.len()),
        }
    }

    /// The phis whose incoming value from `block` is a constant, each with its constant.
    pub fn constants_from(&self, block: Block) -> &[(Phi<'ir>, Value<'ir>)] {
        self.constants.of(block.as_u32())
    }

    /// Whether the value of `source` reaches `phi` directly or through other phis. Values that flow along an edge from
    /// a block outside the loop are ignored.
    ///
    /// If two phis reach each other, every phi that reaches one of them also reaches the other. One walk is therefore
    /// enough for both phis.
    pub fn reaches(&mut self, source: Phi, phi: Phi, around: &LoopAround) -> bool {
        let (source, phi) = (self.numbers[&**source], self.numbers[&**phi]);
        let same = self.to_sources.has_reached(phi) && self.to_uses.has_reached(phi);
        if self.header != Some(around.header) || !same {
            self.header = Some(around.header);
            self.to_sources.go(&self.sources, phi, around);
            self.to_uses.go(&self.uses, phi, around);
        }
        self.to_sources.has_reached(source)
    }
}

impl Walk {
    fn new(phis: usize) -> Self {
        Walk { visits: vec![0; phis], current: 1, pending: Vec::new() }
    }

    /// Walks from the phi `start` along `links`, and skips each link whose incoming block is outside the loop.
    fn go(&mut self, links: &Rows<(Block, u32)>, start: u32, around: &LoopAround) {
        self.current += 1;
        self.pending.push(start);
        while let Some(phi) = self.pending.pop() {
            if std::mem::replace(&mut self.visits[phi as usize], self.current) != self.current {
                let inside = links.of(phi).iter().filter(|&&(block, _)| (around.contains)(block));
                self.pending.extend(inside.map(|&(_, phi)| phi));
            }
        }
    }

    fn has_reached(&self, phi: u32) -> bool {
        self.visits[phi as usize] == self.current
    }
}
