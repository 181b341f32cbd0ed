//! Reads the facts of live IR in one walk.

use cranelift_entity::{EntityRef, PrimaryMap};

use super::live::LiveFunction;
use super::metadata::{MetadataReader, TerminatorProfile};
use super::string_comparisons::StringComparisons;
use super::value::{BasicBlock, Instruction};
use super::walked::{BlockRow, Reads};
use bpa_core::dialect::{Dialect, ExceptionPaths};
use bpa_core::facts::{BlockFacts, BlockProperties, FactsParts, FunctionFacts, Terminator, WeightIndex};

unsafe extern "C" {
    safe fn bpa_deoptimizes(block: BasicBlock) -> bool;
    safe fn bpa_has_noreturn_call(block: BasicBlock) -> bool;
}

impl LiveFunction<'_> {
    /// Reads the facts for the analyses. The LLVM version of `dialect` determines some of the facts.
    pub fn facts(&self, dialect: &Dialect) -> FunctionFacts {
        let walked = self.walk(Reads::Instructions);
        let mut reader = Reader {
            live: self,
            dialect,
            string_comparisons: StringComparisons::new(dialect),
            metadata: MetadataReader::new(dialect.branch_weight_node),
            facts: FactsParts {
                graph: walked.graph(),
                blocks: PrimaryMap::with_capacity(self.block_count()),
                ..FactsParts::default()
            },
            has_invokes: false,
        };
        for (row, (_, block)) in walked.rows().iter().zip(self.basic_blocks()) {
            reader.read_block(row, block);
        }
        reader.finish()
    }
}

impl LiveFunction<'_> {
    /// Reads only the graph and the header weights. Together with probabilities, these facts determine frequencies.
    pub fn flow_facts(&self, dialect: &Dialect) -> FunctionFacts {
        let walked = self.walk(Reads::Edges);
        let mut facts = FactsParts { graph: walked.graph(), ..FactsParts::default() };
        let mut metadata = MetadataReader::new(dialect.branch_weight_node);
        for row in walked.rows() {
            let weight =
                row.last.filter(|_| row.has_metadata()).and_then(|last| metadata.header_weight(last));
            facts.header_weights.extend(weight.map(|weight| (facts.blocks.next_key(), weight)));
            // `unreachable` would need properties of the block's instructions.
            let terminator = row.terminator().filter(|&kind| kind != Terminator::Unreachable);
            let terminator = terminator.unwrap_or_default();
            facts.blocks.push(BlockFacts { terminator, ..BlockFacts::default() });
        }
        FunctionFacts::from_parts_unchecked(facts)
    }
}

struct Reader<'a> {
    live: &'a LiveFunction<'a>,
    dialect: &'a Dialect,
    string_comparisons: StringComparisons,
    metadata: MetadataReader<'a>,
    facts: FactsParts,
    /// Whether any block ends in an `invoke`.
    has_invokes: bool,
}

impl<'a> Reader<'a> {
    /// LLVM: `BranchProbabilityInfo::getInitialEstimatedBlockWeight`.
    fn read_block(&mut self, row: &BlockRow<'a>, block: BasicBlock) {
        let mut facts = BlockFacts::default();
        if row.handles_exceptions() && self.dialect.exception_paths == ExceptionPaths::Pads {
            facts.properties.add(BlockProperties::EXCEPTION_PATH);
        }
        if row.calls_cold_function() {
            facts.properties.add(BlockProperties::COLD_CALL);
        }
        // If a pass requests the facts while it changes the function, a block can be without a terminator.
        if let Some(terminator) = row.terminator() {
            facts.terminator = terminator;
            self.read_terminator(row, block, &mut facts);
        }
        if facts.properties.has(BlockProperties::NEVER_COMPLETES) && bpa_has_noreturn_call(block) {
            facts.properties.add(BlockProperties::NORETURN_CALL);
        }
        self.facts.blocks.push(facts);
    }

    fn read_terminator(&mut self, row: &BlockRow<'a>, block: BasicBlock, facts: &mut BlockFacts) {
        match facts.terminator {
            Terminator::Unreachable => facts.properties.add(BlockProperties::NEVER_COMPLETES),
            Terminator::Return if bpa_deoptimizes(block) => {
                facts.properties.add(BlockProperties::NEVER_COMPLETES);
            }
            Terminator::Branch => {
                facts.condition = row.condition.condition(self.string_comparisons);
                if row.condition.compares_with_constant() {
                    facts.properties.add(BlockProperties::COMPARES_WITH_CONSTANT);
                }
            }
            Terminator::Invoke => self.has_invokes = true,
            _ => {}
        }
        if let Some(terminator) = row.last.filter(|_| row.has_metadata()) {
            self.read_metadata(terminator, facts);
        }
    }

    fn read_metadata(&mut self, terminator: Instruction<'a>, facts: &mut BlockFacts) {
        let block = self.facts.blocks.next_key();
        if let Some(weight) = self.metadata.header_weight(terminator) {
            self.facts.header_weights.push((block, weight));
        }
        let successors = self.facts.graph.successors(block).len();
        if successors < 2 || !facts.terminator.may_carry_weights(self.dialect.reads_callbr_weights) {
            return;
        }
        let start = WeightIndex::new(self.facts.weight_pool.len());
        match self.metadata.profile(terminator, successors, &mut self.facts.weight_pool) {
            TerminatorProfile::Weights => facts.weights = start.into(),
            TerminatorProfile::Other => facts.properties.add(BlockProperties::OTHER_PROFILE),
            TerminatorProfile::None => {}
        }
    }

    fn finish(mut self) -> FunctionFacts {
        self.facts.entry_count = self.metadata.entry_count(self.live);
        if self.has_invokes && self.dialect.exception_paths == ExceptionPaths::UnwindDestinations {
            add_unwind_destinations(&mut self.facts);
        }
        FunctionFacts::from_parts_unchecked(self.facts)
    }
}

/// Adds the property `EXCEPTION_PATH` to the unwind destinations of invokes.
///
/// LLVM: `InvokeInst::getUnwindDest`.
fn add_unwind_destinations(facts: &mut FactsParts) {
    for block in facts.graph.blocks() {
        if facts.blocks[block].terminator == Terminator::Invoke {
            let unwind = facts.graph.successors(block)[1];
            facts.blocks[unwind].properties.add(BlockProperties::EXCEPTION_PATH);
        }
    }
}
