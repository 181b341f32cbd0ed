//! Branches that decide which constant a phi with an expectation takes.
//!
//! LLVM IR for `if (__builtin_expect(a && b, 1))` has a phi with two incoming values: `false` if `a` is false, and
//! otherwise `b`. The constant `false` contradicts the expectation. The edge along which the phi takes this constant is
//! therefore an unlikely edge of the branch on `a`.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;

use super::copies::CopyOfPhi;
use super::intrinsic::Expectation;
use super::{is_conditional_branch, Lowering};

impl Lowering<'_> {
    /// If the argument of `call` is a copy of a phi, writes weights on the branches that select constants for the phi.
    ///
    /// LLVM: `handlePhiDef`.
    pub(super) unsafe fn weigh_branches_before_phi(&self, call: LLVMValueRef) {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let Some(expectation) = self.intrinsics.expectation(call) else { return };
            let Some(copy) = CopyOfPhi::find(expectation.value) else { return };
            for place in 0..LLVMCountIncoming(copy.phi) {
                if !self.is_unlikely(LLVMGetIncomingValue(copy.phi, place), &copy, &expectation) {
                    continue;
                }
                let source = LLVMGetIncomingBlock(copy.phi, place);
                if let Some((branch, way)) = decision(source, LLVMGetInstructionParent(copy.phi)) {
                    let mut weights = self.odds_against_incoming(&expectation);
                    weights.rotate_left(way);
                    self.write(branch, &weights);
                }
            }
        }
    }

    /// Whether `incoming` is a constant that contradicts the expectation.
    unsafe fn is_unlikely(
        &self,
        incoming: LLVMValueRef,
        copy: &CopyOfPhi,
        expectation: &Expectation,
    ) -> bool {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let constant = LLVMIsAConstantInt(incoming);
            if constant.is_null() {
                return false;
            }
            let is_expected = copy.value_for(constant, &self.folder) == Some(expectation.expected);
            is_expected != self.favours_expected(expectation)
        }
    }

    /// The weights of an unlikely edge towards the phi, and of the other edge of the branch.
    fn odds_against_incoming(&self, expectation: &Expectation) -> [u32; 2] {
        let odds = expectation.confidence.odds(2);
        match self.favours_expected(expectation) {
            true => [odds.other, odds.expected],
            false => [odds.expected, odds.other],
        }
    }

    fn favours_expected(&self, expectation: &Expectation) -> bool {
        !self.dialect.phis_follow_probability || expectation.confidence.favours_expected()
    }
}

/// The conditional branch that decides whether control flows from `source` to the phi's block, and the index of the
/// successor towards the phi. `source` is a predecessor of the phi's block. The branch ends `source` or the only
/// predecessor of `source`.
///
/// LLVM: `handlePhiDef`.
unsafe fn decision(source: LLVMBasicBlockRef, phi_block: LLVMBasicBlockRef) -> Option<(LLVMValueRef, usize)> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let last = LLVMGetBasicBlockTerminator(source);
        let (branch, target) = if is_conditional_branch(last) {
            (last, Some(phi_block))
        } else {
            let before = LLVMGetBasicBlockTerminator(single_predecessor(source)?);
            (is_conditional_branch(before).then_some(before)?, None)
        };
        // An edge from the branch to `source` itself also counts as an edge to the phi. The second successor is checked
        // first, as in LLVM.
        let leads_to_phi = |place: &usize| {
            let successor = LLVMGetSuccessor(branch, *place as u32);
            successor == source || target == Some(successor)
        };
        [1, 0].into_iter().find(leads_to_phi).map(|place| (branch, place))
    }
}

/// The source of the only edge to `block`, or `None` if the block has several incoming edges or none.
unsafe fn single_predecessor(block: LLVMBasicBlockRef) -> Option<LLVMBasicBlockRef> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let mut predecessor = None;
        let mut next = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
        while !next.is_null() {
            // Among instructions, only terminators have blocks as operands. The other users of a block are block
            // addresses.
            let user = LLVMIsAInstruction(LLVMGetUser(next));
            if !user.is_null() && predecessor.replace(LLVMGetInstructionParent(user)).is_some() {
                return None;
            }
            next = LLVMGetNextUse(next);
        }
        predecessor
    }
}
