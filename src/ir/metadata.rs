//! Profile metadata: branch weights, entry counts, loop header weights.
//!
//! A node counts as missing if LLVM would crash on it: a string or a null operand in the place of a number.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;

use super::live::LiveFunction;
use crate::ir::identifier::escaped;
use bpa_core::cfg::Block;
use bpa_core::dialect::BranchWeightNode;
use bpa_core::facts::{EntryCount, UnreadProfile};

/// The name of branch-weight metadata.
///
/// LLVM: `isBranchWeightMD`, `isTargetMD`.
const BRANCH_WEIGHTS: &[u8] = b"branch_weights";

/// The name of header-weight metadata.
///
/// LLVM: `BasicBlock::getIrrLoopHeaderWeight`.
const HEADER_WEIGHT: &[u8] = b"loop_header_weight";

/// The profile metadata of a terminator.
pub(super) enum TerminatorProfile {
    /// The terminator has no profile metadata, or the metadata is not well formed.
    None,
    /// Valid branch weights.
    Weights,
    /// Metadata with a name other than `branch_weights`.
    Other,
}

unsafe extern "C" {
    fn bpa_kind_of_profiles() -> u32;
    fn bpa_kind_of_header_weights() -> u32;
    fn bpa_function_profile(function: LLVMValueRef) -> LLVMMetadataRef;
}

/// Reads profile metadata.
pub(super) struct MetadataReader {
    node: BranchWeightNode,
    /// The operands of the node that was read last.
    operands: Vec<LLVMValueRef>,
}

impl MetadataReader {
    /// Creates a reader. `node` defines which nodes count as branch weights.
    pub fn new(node: BranchWeightNode) -> Self {
        MetadataReader { node, operands: Vec::new() }
    }

    /// Reads the profile metadata of `terminator`, and appends its branch weights to `weights` if they are valid.
    ///
    /// # Safety
    ///
    /// `terminator` is a valid instruction with `successors` successors.
    ///
    /// LLVM: `getValidBranchWeightMDNode`, `extractBranchWeights`.
    pub unsafe fn profile(
        &mut self,
        terminator: LLVMValueRef,
        successors: usize,
        weights: &mut Vec<u32>,
    ) -> TerminatorProfile {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            self.load(LLVMGetMetadata(terminator, bpa_kind_of_profiles()));
            let name = self.operands.first().and_then(|&name| string(name));
            let is_named = self.node == BranchWeightNode::AnyName || name == Some(BRANCH_WEIGHTS);
            let first = 1 + usize::from(self.has_origin());
            if is_named && self.operands.len() == successors + first && self.append_numbers(first, weights) {
                TerminatorProfile::Weights
            } else if name.is_some_and(|name| name != BRANCH_WEIGHTS) {
                TerminatorProfile::Other
            } else {
                TerminatorProfile::None
            }
        }
    }

    /// The reason why the profile metadata of `terminator` does not count as branch weights. The result is `None` if
    /// the terminator has no such metadata or the metadata counts. `may_carry` is false for kinds of terminators
    /// without weights.
    ///
    /// # Safety
    ///
    /// As for [`MetadataReader::profile`].
    pub unsafe fn unread(
        &mut self,
        terminator: LLVMValueRef,
        successors: usize,
        may_carry: bool,
    ) -> Option<UnreadProfile> {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            if LLVMGetMetadata(terminator, bpa_kind_of_profiles()).is_null() {
                return None;
            }
            if !may_carry {
                return Some(UnreadProfile::Terminator);
            }
            let profile = self.profile(terminator, successors, &mut Vec::new());
            let first = 1 + usize::from(self.has_origin());
            let name = self.operands.first().and_then(|&name| string(name));
            match profile {
                TerminatorProfile::Weights => None,
                _ if name != Some(BRANCH_WEIGHTS) => {
                    Some(UnreadProfile::Name(escaped(name.unwrap_or_default())))
                }
                _ if self.operands.len() != successors + first => Some(UnreadProfile::Count {
                    weights: self.operands.len().saturating_sub(first),
                    successors,
                }),
                _ => Some(UnreadProfile::NoNumber),
            }
        }
    }

    /// Whether the second operand is a string, which states the origin of the weights. Any string is accepted.
    ///
    /// LLVM: `hasBranchWeightOrigin`, `getBranchWeightOffset`.
    unsafe fn has_origin(&self) -> bool {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            self.node == BranchWeightNode::NamedWithOrigin
                && self.operands.get(1).is_some_and(|&origin| string(origin).is_some())
        }
    }

    /// Appends the operands from `first` on. If an operand is not a number, appends nothing and returns false. Only
    /// the low 32 bits of a wide number are used.
    ///
    /// LLVM: `extractWeights`, `WeightsIdx`.
    unsafe fn append_numbers(&self, first: usize, weights: &mut Vec<u32>) -> bool {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let before = weights.len();
            let operands = &self.operands[first..];
            weights.extend(operands.iter().map_while(|&operand| Some(integer(operand)? as u32)));
            let complete = weights.len() - before == operands.len();
            if !complete {
                weights.truncate(before);
            }
            complete
        }
    }

    /// The loop header weight on `terminator`.
    ///
    /// # Safety
    ///
    /// `terminator` is a valid instruction.
    ///
    /// LLVM: `BasicBlock::getIrrLoopHeaderWeight`.
    pub unsafe fn header_weight(&mut self, terminator: LLVMValueRef) -> Option<u64> {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            self.load(LLVMGetMetadata(terminator, bpa_kind_of_header_weights()));
            match self.operands[..] {
                [name, weight, ..] if string(name) == Some(HEADER_WEIGHT) => integer(weight),
                _ => None,
            }
        }
    }

    /// The entry count of `live`. The count 2^64-1 means "no samples", so the result is then `None`.
    ///
    /// LLVM: `Function::getEntryCount`.
    pub fn entry_count(&mut self, live: &LiveFunction) -> Option<EntryCount> {
        // SAFETY: the function is valid, and so is its metadata.
        unsafe {
            let node = bpa_function_profile(live.value());
            if node.is_null() {
                return None;
            }
            self.load(LLVMMetadataAsValue(live.context(), node));
            let [name, count, ..] = self.operands[..] else { return None };
            match string(name)? {
                b"function_entry_count" => {
                    let count = integer(count).filter(|&count| count != u64::MAX)?;
                    Some(EntryCount { count, synthetic: false })
                }
                b"synthetic_function_entry_count" => {
                    Some(EntryCount { count: integer(count)?, synthetic: true })
                }
                _ => None,
            }
        }
    }

    /// Loads the operands of `node`. If `node` is null, there are no operands.
    unsafe fn load(&mut self, node: LLVMValueRef) {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            self.operands.clear();
            if !node.is_null() {
                self.operands.resize(LLVMGetMDNodeNumOperands(node) as usize, std::ptr::null_mut());
                LLVMGetMDNodeOperands(node, self.operands.as_mut_ptr());
            }
        }
    }
}

/// The text of a metadata string, or `None` if the operand is not one.
unsafe fn string<'a>(operand: LLVMValueRef) -> Option<&'a [u8]> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        if operand.is_null() {
            return None;
        }
        let mut length = 0;
        let start = LLVMGetMDString(operand, &mut length);
        (!start.is_null()).then(|| std::slice::from_raw_parts(start.cast(), length as usize))
    }
}

/// The value of a constant integer, or its low 64 bits if it is wider.
unsafe fn integer(operand: LLVMValueRef) -> Option<u64> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let known = !operand.is_null() && !LLVMIsAConstantInt(operand).is_null();
        known.then(|| LLVMConstIntGetZExtValue(operand))
    }
}

impl LiveFunction {
    /// Writes branch weights on the terminator of `block`, one for each successor. `None` removes the terminator's
    /// profile metadata.
    pub fn set_branch_weights(&mut self, block: Block, weights: Option<&[u32]>) {
        // SAFETY: the block belongs to the live function. It has a terminator because it has weights.
        unsafe {
            let terminator = LLVMGetBasicBlockTerminator(self.blocks()[block]);
            write_branch_weights(self.context(), terminator, weights, None);
        }
    }

    /// Writes the weight of a header of an irreducible region on the terminator of `block`, and replaces an existing
    /// weight. The block is a header or inside the region.
    ///
    /// LLVM: `MDBuilder::createIrrLoopHeaderWeight`.
    pub fn set_header_weight(&mut self, block: Block, weight: u64) {
        let context = self.context();
        // SAFETY: the block belongs to the live function, and has a terminator because it is in a cycle. The context is
        // valid, and each call gets the start and length of a text.
        unsafe {
            let number = LLVMValueAsMetadata(LLVMConstInt(LLVMInt64TypeInContext(context), weight, 0));
            let name = LLVMMDStringInContext2(context, HEADER_WEIGHT.as_ptr().cast(), HEADER_WEIGHT.len());
            let mut operands = [name, number];
            let node = LLVMMDNodeInContext2(context, operands.as_mut_ptr(), operands.len());
            let terminator = LLVMGetBasicBlockTerminator(self.blocks()[block]);
            LLVMSetMetadata(terminator, bpa_kind_of_header_weights(), LLVMMetadataAsValue(context, node));
        }
    }
}

/// The origin of weights that come from `llvm.expect`.
pub(super) const EXPECTED: &[u8] = b"expected";

/// Writes branch weights on `instruction`, with their origin if there is one, and replaces existing profile metadata.
/// If `weights` is `None`, removes the profile metadata.
///
/// # Safety
///
/// `instruction` is a valid instruction of the context.
///
/// LLVM: `setBranchWeights`.
pub(super) unsafe fn write_branch_weights(
    context: LLVMContextRef,
    instruction: LLVMValueRef,
    weights: Option<&[u32]>,
    origin: Option<&[u8]>,
) {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let node =
            weights.map_or(std::ptr::null_mut(), |weights| branch_weight_node(context, weights, origin));
        LLVMSetMetadata(instruction, bpa_kind_of_profiles(), node);
    }
}

/// LLVM: `MDBuilder::createBranchWeights`.
unsafe fn branch_weight_node(
    context: LLVMContextRef,
    weights: &[u32],
    origin: Option<&[u8]>,
) -> LLVMValueRef {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let i32 = LLVMInt32TypeInContext(context);
        let string = |text: &[u8]| LLVMMDStringInContext2(context, text.as_ptr().cast(), text.len());
        let number = |&weight| LLVMValueAsMetadata(LLVMConstInt(i32, u64::from(weight), 0));
        let mut operands: Vec<LLVMMetadataRef> = [Some(BRANCH_WEIGHTS), origin]
            .into_iter()
            .flatten()
            .map(string)
            .chain(weights.iter().map(number))
            .collect();
        LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, operands.as_mut_ptr(), operands.len()))
    }
}
