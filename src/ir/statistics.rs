//! Reads IR statistics of the blocks of a live function, for predictors.

use super::live::LiveFunction;
use super::tested::TestReader;
use super::value::{BasicBlock, FunctionRef, Value};
use bpa_core::cfg::{Block, ControlFlow};
use bpa_core::facts::{ConstantKind, FunctionFacts};
use bpa_core::features::{BlockStatistics, EdgeStatistics, FunctionStatistics, Returned, MOST};

/// The row that `statistics.cpp` writes for a block.
#[repr(C)]
#[derive(Clone, Default)]
struct BlockRow {
    /// The counts, in the order of the fields of [`BlockStatistics`].
    counts: [u32; 8],
    returned: u32,
}

layout!(BlockRow, 36: counts 0, returned 32);

/// The row that `statistics.cpp` writes for an edge.
#[repr(C)]
#[derive(Clone, Default)]
struct EdgeRow {
    constants: u32,
    returned: u32,
    is_case: u32,
    is_wide: u32,
    case_value: i64,
}

layout!(EdgeRow, 24: constants 0, returned 4, is_case 8, is_wide 12, case_value 16);

unsafe extern "C" {
    fn bpa_read_statistics(
        function: FunctionRef,
        blocks: *mut BlockRow,
        block_count: usize,
        edges: *mut EdgeRow,
        edge_count: usize,
    ) -> bool;
    safe fn bpa_uses(block: BasicBlock, value: Value) -> bool;
}

/// A message for `expect`. A predictor returns an error if the statistics and the facts of a function describe
/// different IR. For a live function, both describe the current IR.
pub(crate) const FITS: &str = "the statistics and the facts describe the same IR";

impl LiveFunction<'_> {
    /// Reads the IR statistics of the function.
    ///
    /// # Panics
    ///
    /// Panics if `facts` do not have as many blocks and edges as the current IR.
    pub fn statistics(&self, facts: &FunctionFacts) -> FunctionStatistics {
        let mut reader = TestReader::new(self, facts);
        let graph = facts.graph();
        let mut blocks = vec![BlockRow::default(); graph.block_count()];
        let mut edges = vec![EdgeRow::default(); graph.edge_count()];
        // SAFETY: the pointers and lengths belong to two vectors.
        let fits = unsafe {
            let (blocks, edges) = (&mut blocks, &mut edges);
            bpa_read_statistics(
                self.value(),
                blocks.as_mut_ptr(),
                blocks.len(),
                edges.as_mut_ptr(),
                edges.len(),
            )
        };
        assert!(fits, "the facts describe the current IR");
        let mut statistics = FunctionStatistics {
            blocks: blocks.into_iter().map(BlockStatistics::from).collect(),
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

impl From<BlockRow> for BlockStatistics {
    fn from(row: BlockRow) -> Self {
        let [instructions, calls, indirect_calls, text_calls, loads, stores, phis, arithmetic] = row.counts;
        let returned = Returned::ALL[row.returned as usize];
        BlockStatistics {
            instructions,
            calls,
            indirect_calls,
            text_calls,
            loads,
            stores,
            phis,
            arithmetic,
            returned,
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
