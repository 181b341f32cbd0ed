//! Profile metadata: branch weights, entry counts, loop header weights.
//!
//! This module ignores nodes on which LLVM would crash: nodes with a string or a null operand instead of a number.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;

use super::live::LiveFunction;
use super::value::{FunctionRef, Instruction, Value};
use crate::ir::names::escaped;
use bpa_core::cfg::Block;
use bpa_core::dialect::{BranchWeightNode, Dialect};
use bpa_core::facts::{EntryCount, UnreadProfile};

/// The name of branch-weight metadata.
///
/// LLVM: `isBranchWeightMD`, `isTargetMD`.
const BRANCH_WEIGHTS: &[u8] = b"branch_weights";

/// The name of metadata that states that no profile is known. LLVM writes this metadata from version 22 on.
///
/// LLVM: `MDProfLabels::UnknownBranchWeightsMarker`, `isExplicitlyUnknownProfileMetadata`.
const UNKNOWN: &[u8] = b"unknown";

/// The string before the header weight in `!irr_loop` metadata.
///
/// LLVM: `BasicBlock::getIrrLoopHeaderWeight`.
const HEADER_WEIGHT: &[u8] = b"loop_header_weight";

/// The profile metadata of a terminator.
pub(super) enum TerminatorProfile {
    /// The terminator has no profile metadata, or the metadata is not well formed or states that the profile is unknown.
    None,
    /// Valid branch weights.
    Weights,
    /// Metadata with a name other than `branch_weights` and `unknown`.
    Other,
}

unsafe extern "C" {
    safe fn bpa_kind_of_profiles() -> u32;
    safe fn bpa_kind_of_header_weights() -> u32;
    safe fn bpa_function_profile(function: FunctionRef) -> LLVMMetadataRef;
}

/// Reads profile metadata.
pub(super) struct MetadataReader<'ir> {
    node: BranchWeightNode,
    /// The operands of the metadata node that the reader has read most recently.
    operands: Vec<Option<Value<'ir>>>,
}

impl<'ir> MetadataReader<'ir> {
    /// Creates a reader. `node` defines which metadata nodes count as branch weights.
    pub fn new(node: BranchWeightNode) -> Self {
        MetadataReader { node, operands: Vec::new() }
    }

    /// Reads the profile metadata of `terminator`, and appends valid branch weights to `weights`.
    ///
    /// LLVM: `getValidBranchWeightMDNode`, `extractBranchWeights`.
    pub fn profile(
        &mut self,
        terminator: Instruction<'ir>,
        successors: usize,
        weights: &mut Vec<u32>,
    ) -> TerminatorProfile {
        self.load(terminator.metadata(bpa_kind_of_profiles()));
        let name = self.operands.first().and_then(|&name| string(name));
        let is_named = self.node == BranchWeightNode::AnyName || name == Some(BRANCH_WEIGHTS);
        let first = 1 + usize::from(self.has_origin());
        if is_named && self.operands.len() == successors + first && self.append_numbers(first, weights) {
            TerminatorProfile::Weights
        } else if name.is_some_and(|name| name != BRANCH_WEIGHTS && name != UNKNOWN) {
            TerminatorProfile::Other
        } else {
            TerminatorProfile::None
        }
    }

    /// The reason why LLVM does not read the profile metadata of `terminator` as branch weights. The result is `None`
    /// in two cases: the terminator has no profile metadata, or LLVM reads the metadata as branch weights. `may_carry`
    /// must be false for a kind of terminator that cannot have branch weights.
    pub fn unread(
        &mut self,
        terminator: Instruction<'ir>,
        successors: usize,
        may_carry: bool,
    ) -> Option<UnreadProfile> {
        terminator.metadata(bpa_kind_of_profiles())?;
        if !may_carry {
            return Some(UnreadProfile::Terminator);
        }
        let profile = self.profile(terminator, successors, &mut Vec::new());
        let first = 1 + usize::from(self.has_origin());
        let name = self.operands.first().and_then(|&name| string(name));
        match profile {
            TerminatorProfile::Weights => None,
            _ if name != Some(BRANCH_WEIGHTS) => Some(UnreadProfile::Name(escaped(name.unwrap_or_default()))),
            _ if self.operands.len() != successors + first => {
                Some(UnreadProfile::Count { weights: self.operands.len().saturating_sub(first), successors })
            }
            _ => Some(UnreadProfile::NoNumber),
        }
    }

    /// Whether the second operand is a string. Any string is accepted as the origin of the weights.
    ///
    /// LLVM: `hasBranchWeightOrigin`, `getBranchWeightOffset`.
    fn has_origin(&self) -> bool {
        self.node == BranchWeightNode::NamedWithOrigin
            && self.operands.get(1).is_some_and(|&origin| string(origin).is_some())
    }

    /// Appends the operand with the index `first` and all later operands. If one of these operands is not a number,
    /// appends nothing and returns false. Only the low 32 bits of a wide number are used.
    ///
    /// LLVM: `extractWeights`, `WeightsIdx`.
    fn append_numbers(&self, first: usize, weights: &mut Vec<u32>) -> bool {
        let before = weights.len();
        let operands = &self.operands[first..];
        weights.extend(operands.iter().map_while(|&operand| Some(integer(operand)? as u32)));
        let complete = weights.len() - before == operands.len();
        if !complete {
            weights.truncate(before);
        }
        complete
    }

    /// The loop header weight on `terminator`.
    ///
    /// LLVM: `BasicBlock::getIrrLoopHeaderWeight`.
    pub fn header_weight(&mut self, terminator: Instruction<'ir>) -> Option<u64> {
        self.load(terminator.metadata(bpa_kind_of_header_weights()));
        match self.operands[..] {
            [name, weight, ..] if string(name) == Some(HEADER_WEIGHT) => integer(weight),
            _ => None,
        }
    }

    /// The entry count of the function `live`. If the count is 2^64-1, which means "no samples", the result is `None`.
    ///
    /// LLVM: `Function::getEntryCount`.
    pub fn entry_count(&mut self, live: &'ir LiveFunction) -> Option<EntryCount> {
        let node = bpa_function_profile(live.value());
        // SAFETY: a node that is not null is metadata of a valid function.
        let node =
            (!node.is_null()).then(|| unsafe { Value::new(LLVMMetadataAsValue(live.context(), node)) })??;
        self.load(Some(node));
        let [name, count, ..] = self.operands[..] else { return None };
        match string(name)? {
            b"function_entry_count" => {
                let count = integer(count).filter(|&count| count != u64::MAX)?;
                Some(EntryCount { count, synthetic: false })
            }
            b"synthetic_function_entry_count" => Some(EntryCount { count: integer(count)?, synthetic: true }),
            _ => None,
        }
    }

    /// Loads the operands of `node`. If `node` is null, there are no operands.
    fn load(&mut self, node: Option<Value<'ir>>) {
        self.operands.clear();
        if let Some(node) = node {
            // SAFETY: `node` is a metadata node, and the vector has space for all operands of `node`. A missing operand
            // is null.
            unsafe {
                self.operands.resize(LLVMGetMDNodeNumOperands(node.raw()) as usize, None);
                LLVMGetMDNodeOperands(node.raw(), self.operands.as_mut_ptr().cast());
            }
        }
    }
}

/// The text of `operand` if it is a metadata string, otherwise `None`.
fn string(operand: Option<Value<'_>>) -> Option<&[u8]> {
    operand?.metadata_text()
}

/// The value of a constant integer. If the integer has more than 64 bits, the result is its low 64 bits.
fn integer(operand: Option<Value>) -> Option<u64> {
    Some(operand?.integer()?.unsigned())
}

impl LiveFunction<'_> {
    /// Whether a profile contains the number of entries into the function. Reads less than
    /// [`facts`](Self::facts).
    pub fn has_measured_entries(&self, dialect: &Dialect) -> bool {
        let entries = MetadataReader::new(dialect.branch_weight_node).entry_count(self);
        entries.is_some_and(|entries| !entries.synthetic)
    }

    /// Writes branch weights on the terminator of `block`, one for each successor. If `weights` is `None`, removes the
    /// terminator's profile metadata.
    pub fn set_branch_weights(&mut self, block: Block, weights: Option<&[u32]>) {
        let terminator = self.block(block).terminator().expect("a block with weights has a terminator");
        write_branch_weights(*terminator, weights);
    }

    /// Writes on the terminators of `branches` and on every `select` that the profile is unknown, unless the instruction
    /// has profile metadata. Returns whether there was such an instruction.
    ///
    /// LLVM: `setExplicitlyUnknownBranchWeights`.
    pub fn mark_unknown_profiles(&mut self, branches: &[Block]) -> bool {
        let kind = bpa_kind_of_profiles();
        let terminators = branches.iter().filter_map(|&block| self.block(block).terminator());
        let mut unknown: Vec<Instruction> = terminators.map(|terminator| *terminator).collect();
        for (_, block) in self.basic_blocks() {
            unknown.extend(block.instructions().filter(|instruction| instruction.is_select()));
        }
        unknown.retain(|instruction| instruction.metadata(kind).is_none());
        for &instruction in &unknown {
            set_node(instruction, kind, &[Operand::Text(UNKNOWN), Operand::Text(b"bpa")]);
        }
        !unknown.is_empty()
    }

    /// Writes `weight` as a header weight on the terminator of `block`, and replaces an existing header weight. The
    /// block must be part of an irreducible region.
    ///
    /// LLVM: `MDBuilder::createIrrLoopHeaderWeight`.
    pub fn set_header_weight(&mut self, block: Block, weight: u64) {
        let terminator = self.block(block).terminator().expect("a block in a cycle has a terminator");
        set_node(
            *terminator,
            bpa_kind_of_header_weights(),
            &[Operand::Text(HEADER_WEIGHT), Operand::Wide(weight)],
        );
    }
}

/// Writes branch weights on `instruction`, and replaces existing profile metadata. If `weights` is `None`, removes the
/// profile metadata.
///
/// LLVM: `setBranchWeights`, `MDBuilder::createBranchWeights`.
pub(super) fn write_branch_weights(instruction: Instruction, weights: Option<&[u32]>) {
    let kind = bpa_kind_of_profiles();
    let Some(weights) = weights else {
        instruction.remove_metadata(kind);
        return;
    };
    let numbers = weights.iter().map(|&weight| Operand::Weight(weight));
    let operands: Vec<Operand> = [Operand::Text(BRANCH_WEIGHTS)].into_iter().chain(numbers).collect();
    set_node(instruction, kind, &operands);
}

/// An operand of a metadata node.
enum Operand<'a> {
    Text(&'a [u8]),
    /// An integer of 32 bits.
    Weight(u32),
    /// An integer of 64 bits.
    Wide(u64),
}

/// Sets the metadata of the given kind on `instruction`.
fn set_node(instruction: Instruction, kind: u32, operands: &[Operand]) {
    let context = instruction.type_of().context();
    // SAFETY: the context belongs to the instruction. Each pointer argument points to as many items as the
    // length argument states. All operands are created in this context.
    unsafe {
        let operand = |operand: &Operand| match *operand {
            Operand::Text(text) => LLVMMDStringInContext2(context, text.as_ptr().cast(), text.len()),
            Operand::Weight(number) => {
                LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), number.into(), 0))
            }
            Operand::Wide(number) => {
                LLVMValueAsMetadata(LLVMConstInt(LLVMInt64TypeInContext(context), number, 0))
            }
        };
        let mut operands: Vec<LLVMMetadataRef> = operands.iter().map(operand).collect();
        let node = LLVMMDNodeInContext2(context, operands.as_mut_ptr(), operands.len());
        LLVMSetMetadata(instruction.raw(), kind, LLVMMetadataAsValue(context, node));
    }
}
