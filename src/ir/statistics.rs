//! Reads IR statistics of the blocks of a live function, for predictors.

use crate::ir::llvm::prelude::LLVMValueRef;

use super::live::LiveFunction;
use super::tested::TestReader;
use super::value::{BasicBlock, Value};
use bpa_core::cfg::{Block, ControlFlow};
use bpa_core::facts::{ConstantKind, FunctionFacts};
use bpa_core::features::{BlockStatistics, EdgeStatistics, FunctionStatistics, Returned, MOST};

layout!(
    BlockStatistics, 36: instructions 0, calls 4, indirect_calls 8, text_calls 12, loads 16, stores 20, phis 24,
    arithmetic 28, returned 32
);

/// The row that `statistics.cpp` writes for an edge.
#[repr(C)]
#[derive(Clone, Copy)]
struct EdgeRow {
    constants: u32,
    returned: u32,
    is_case: u32,
    is_wide: u32,
    case_value: i64,
}

layout!(EdgeRow, 24: constants 0, returned 4, is_case 8, is_wide 12, case_value 16);

unsafe extern "C" {
    fn bpa_read_statistics(function: LLVMValueRef, blocks: *mut BlockStatistics, edges: *mut EdgeRow);
    safe fn bpa_uses(block: BasicBlock, value: Value) -> bool;
}

/// A message for `expect`. A predictor returns an error if the statistics and the facts of a function describe
/// different IR. For a live function, both describe the current IR.
pub(crate) const FITS: &str = "the statistics and the facts describe the same IR";

impl LiveFunction {
    /// Reads the IR statistics of the function. `facts` must describe the current IR.
    pub fn statistics(&self, facts: &FunctionFacts) -> FunctionStatistics {
        let mut reader = TestReader::new(self, facts);
        let graph = facts.graph();
        let mut blocks = Vec::with_capacity(graph.block_count());
        let mut edges = Vec::with_capacity(graph.edge_count());
        // SAFETY: the function is valid, there is space for one row for each block and each edge, and C++ writes all
        // these rows.
        unsafe {
            bpa_read_statistics(self.value().raw(), blocks.as_mut_ptr(), edges.as_mut_ptr());
            blocks.set_len(graph.block_count());
            edges.set_len(graph.edge_count());
        }
        let mut statistics = FunctionStatistics {
            blocks: blocks.into(),
            edges: edges.into_iter().map(EdgeStatistics::from).collect(),
            tests: Vec::with_capacity(graph.block_count()),
            is_local: self.is_local(),
            returns_value: self.value().signature().result().is_some_and(|result| !result.is_void()),
            parameters: self.value().argument_count(),
        };
        for block in graph.blocks().filter(|&block| graph.successors(block).len() > 1) {
            if let Some((test, left)) = reader.read(block) {
                self.note_uses(graph, block, left, &mut statistics.edges);
                statistics.tests.push((block, test));
            }
        }
        statistics
    }

    /// Records for each edge of `block` whether the target of the edge uses the value `tested`. A target with several
    /// predecessors is skipped, so each block is read at most once.
    fn note_uses(&self, graph: &ControlFlow, block: Block, tested: Value, edges: &mut [EdgeStatistics]) {
        for (edge, &target) in graph.edges(block).zip(graph.successors(block)) {
            if graph.predecessors(target).len() == 1 {
                edges[edge].uses_tested = bpa_uses(self.block(target), tested);
            }
        }
    }
}

impl From<EdgeRow> for EdgeStatistics {
    fn from(row: EdgeRow) -> Self {
        let returned = Returned::ALL[row.returned as usize];
        let case = match (row.is_case != 0, row.is_wide != 0) {
            (false, _) => None,
            (true, true) => Some(ConstantKind::Large),
            (true, false) => Some(ConstantKind::of(row.case_value)),
        };
        let case_value = row.case_value.clamp(0, MOST.into()) as u32;
        EdgeStatistics { constants: row.constants, returned, case, case_value, uses_tested: false }
    }
}
