//! Adds, reads and removes pseudo-probes, which identify blocks while passes change the code.

use super::live::LiveFunction;
use super::llvm::prelude::LLVMModuleRef;
use super::module::Module;
use super::value::{BasicBlock, FunctionRef};
use bpa_core::audit::Weighted;
use bpa_core::cfg::Block;
use cranelift_entity::EntityRef;

/// The row that `probes.cpp` writes.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Row {
    block: u32,
    kind: u32,
    function: u64,
    index: u64,
}

layout!(Row, 24: block 0, kind 4, function 8, index 16);

unsafe extern "C" {
    fn bpa_has_probes(module: LLVMModuleRef) -> bool;
    safe fn bpa_add_probe(block: BasicBlock, function: u64, index: u64) -> bool;
    fn bpa_remove_probes(module: LLVMModuleRef);
    fn bpa_read_probes(function: FunctionRef, rows: *mut Row, capacity: usize) -> usize;
}

/// The identity of a probe: a function, and the number of a block in this function.
pub(crate) type ProbeKey = (u64, u64);

/// An item that an audit reads from a block.
pub(crate) enum ProbeItem {
    Probe(ProbeKey),
    /// An instruction without branch weights.
    Unweighted {
        kind: Weighted,
        is_unknown: bool,
    },
}

/// What `kind` of a [`Row`] means.
const KINDS: [Option<Weighted>; 3] = [None, Some(Weighted::Terminator), Some(Weighted::Select)];

impl LiveFunction<'_> {
    /// Visits the probes and the instructions without branch weights, in the order of the code.
    pub fn probe_items(&self) -> Vec<(Block, ProbeItem)> {
        let mut rows: Vec<Row> = Vec::with_capacity(64);
        loop {
            // SAFETY: C++ writes at most as many rows as the vector has space for.
            let count = unsafe { bpa_read_probes(self.value(), rows.as_mut_ptr(), rows.capacity()) };
            if count > rows.capacity() {
                rows.reserve(count);
                continue;
            }
            // SAFETY: C++ has written this number of rows.
            unsafe { rows.set_len(count) };
            break;
        }
        let item = |row: Row| match KINDS[row.kind as usize] {
            None => ProbeItem::Probe((row.function, row.index)),
            Some(kind) => ProbeItem::Unweighted { kind, is_unknown: row.index != 0 },
        };
        rows.into_iter().map(|row| (Block::new(row.block as usize), item(row))).collect()
    }

    /// Adds a probe to the start of `block`. Returns false if the block has no place for a call.
    pub fn add_probe(&mut self, block: Block, (function, index): ProbeKey) -> bool {
        bpa_add_probe(self.block(block), function, index)
    }
}

impl Module<'_> {
    /// Whether the module contains probes.
    pub(crate) fn has_probes(&self) -> bool {
        // SAFETY: the module is valid.
        unsafe { bpa_has_probes(self.as_raw()) }
    }

    /// Removes all probes.
    pub(crate) fn remove_probes(&mut self) {
        // SAFETY: the module is valid, and no other value refers to a probe.
        unsafe { bpa_remove_probes(self.as_raw()) }
    }
}
