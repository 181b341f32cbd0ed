//! Lowers expectations in the source to branch weights, as LLVM's `lower-expect` does.
//!
//! A front end translates `__builtin_expect(x, 1)` to a call of `llvm.expect` that returns `x`. Branches, switches and
//! selects that use the result of the call get weights. If the argument of the call is a phi, the branches that select
//! a constant for the phi also get weights. Then the call is removed, and `x` replaces its result.
//!
//! The order matters. If several expectations apply to one branch, the branch gets the weights of the last expectation.
//! An expectation has no effect after its call is removed. Blocks are visited in layout order. In each block, the
//! terminator comes first, then the instructions from the last to the first. Therefore, if a select follows a call of
//! `llvm.expect`, the select gets weights before the call is removed.

mod condition;
mod intrinsic;
mod odds;
mod phi;

pub(super) use self::intrinsic::case_value;
use self::intrinsic::ExpectIntrinsics;
use super::fold::Folder;
use super::metadata::{write_branch_weights, EXPECTED};
use super::value::{BasicBlock, Instruction};
use super::LiveFunction;
use bpa_core::dialect::Dialect;

impl LiveFunction<'_> {
    /// Lowers the calls of `llvm.expect` intrinsics in the function to branch weights. Returns whether such a call was
    /// removed.
    ///
    /// LLVM: `lowerExpectIntrinsic`.
    pub fn lower_expect(&mut self, dialect: &Dialect) -> bool {
        let lowering = Lowering::new(self, dialect);
        let mut changed = false;
        for (_, block) in self.basic_blocks() {
            changed |= lowering.lower_block(block);
        }
        changed
    }
}

/// The data for lowering all blocks of a function.
struct Lowering<'a> {
    dialect: &'a Dialect,
    intrinsics: ExpectIntrinsics,
    folder: Folder<'a>,
}

impl<'a> Lowering<'a> {
    fn new(live: &'a LiveFunction, dialect: &'a Dialect) -> Self {
        Lowering { dialect, intrinsics: ExpectIntrinsics::new(live), folder: Folder::new(live, dialect) }
    }

    /// Replaces the expect intrinsics of a block by branch weights. Returns whether a call was removed.
    ///
    /// LLVM: `lowerExpectIntrinsic`.
    fn lower_block(&self, block: BasicBlock<'a>) -> bool {
        self.weigh_terminator(block);
        let mut removed = false;
        for instruction in block.instructions_from_last() {
            if self.intrinsics.are_called_by(instruction) {
                self.weigh_branches_before_phi(instruction);
                // SAFETY: the iterator has already read the next instruction, and no other code refers to this
                // instruction.
                unsafe { remove(instruction) };
                removed = true;
            } else if instruction.is_select() {
                self.weigh_outcomes(instruction);
            }
        }
        removed
    }

    fn write(&self, decision: Instruction, weights: &[u32]) {
        let origin = self.dialect.lowered_weights_have_origin.then_some(EXPECTED);
        write_branch_weights(decision, Some(weights), origin);
    }

    /// LLVM: `handleBranchExpect`.
    fn weigh_terminator(&self, block: BasicBlock<'a>) {
        let Some(terminator) = block.terminator() else { return };
        if terminator.is_switch() {
            self.weigh_cases(terminator);
        } else if terminator.condition().is_some() {
            self.weigh_outcomes(*terminator);
        }
    }
}

/// Removes a call of an intrinsic. All uses of the call's result then use the first argument of the call.
///
/// # Safety
///
/// After `remove` returns, no reference to `call` may be used.
unsafe fn remove(call: Instruction) {
    let value = call.operand(0);
    // A call can be its own argument only in unreachable code. For such a call, LLVM 16 itself does not terminate, so
    // bpa can replace the call with any value.
    let replacement = if value == *call { call.type_of().poison() } else { value };
    // SAFETY: the caller guarantees that no reference to the call is used afterwards.
    unsafe { call.replace(replacement) }
}
