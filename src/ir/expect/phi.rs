//! If there is an expectation about a phi, writes weights on the branches that determine which constant the phi takes.
//!
//! LLVM IR for `if (__builtin_expect(a && b, 1))` has a phi with two incoming values: `false` if `a` is false,
//! otherwise `b`. The constant `false` contradicts the expectation, and the phi takes this constant if `a` is false.
//! Therefore, the false edge of the branch on `a` is unlikely.

use rustc_hash::FxHashSet;

use super::intrinsic::Expectation;
use super::Lowering;
use crate::ir::fold::Folder;
use crate::ir::value::{
    BasicBlock, BinaryOperator, Cast, Instruction, Opcode, Phi, TerminatorInstruction, Value,
};

impl<'ir> Lowering<'ir> {
    /// If the argument of `call` is a copy of a phi, writes weights on the branches that select constants for the phi.
    ///
    /// LLVM: `handlePhiDef`.
    pub(super) fn weigh_branches_before_phi(&self, call: Instruction<'ir>) {
        let Some(expectation) = self.intrinsics.expectation(*call) else { return };
        let Some(copy) = CopyOfPhi::find(expectation.value) else { return };
        let Some(phi_block) = copy.phi.parent() else { return };
        for (source, incoming) in copy.phi.incoming() {
            if !self.is_unlikely(incoming, &copy, &expectation) {
                continue;
            }
            if let Some((branch, place)) = decision(source, phi_block) {
                let mut weights = self.odds_against_incoming(&expectation);
                weights.rotate_left(place);
                self.write(*branch, &weights);
            }
        }
    }

    /// Whether `incoming` is a constant that LLVM treats as unlikely because of `expectation`.
    fn is_unlikely(
        &self,
        incoming: Value<'ir>,
        copy: &CopyOfPhi<'ir>,
        expectation: &Expectation<'ir>,
    ) -> bool {
        if !incoming.is_integer() {
            return false;
        }
        let is_expected = copy.value_for(incoming, &self.folder) == Some(*expectation.expected);
        is_expected != self.favours_expected(expectation)
    }

    /// Returns two branch weights. The first weight is for the unlikely successor, which leads to the phi. The second
    /// weight is for the other successor.
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

/// Finds the conditional branch that determines whether control flows from `source` to the phi's block. Also returns
/// the index of the successor that leads to the phi. `source` must be a predecessor of the phi's block. The branch is
/// the terminator of `source` or of the only predecessor of `source`.
///
/// LLVM: `handlePhiDef`.
fn decision<'ir>(
    source: BasicBlock<'ir>,
    phi_block: BasicBlock<'ir>,
) -> Option<(TerminatorInstruction<'ir>, usize)> {
    let last = source.terminator()?;
    let (branch, target) = if last.condition().is_some() {
        (last, Some(phi_block))
    } else {
        let before = single_predecessor(source)?.terminator()?;
        before.condition()?;
        (before, None)
    };
    // Edges to `source` always lead to the phi. If the branch is the terminator of `source`, edges to the phi's block
    // also lead to the phi. The second successor is checked first, as in LLVM.
    let leads_to_phi = |place: &usize| {
        let successor = branch.successor(*place);
        successor == source || target == Some(successor)
    };
    [1, 0].into_iter().find(leads_to_phi).map(|place| (branch, place))
}

/// The source of the only edge to `block`. If `block` does not have exactly one incoming edge, the result is `None`.
fn single_predecessor(block: BasicBlock) -> Option<BasicBlock> {
    // Among instructions, only terminators have blocks as operands. If a user of a block is not an instruction, the
    // user is a block address.
    let mut edges = block.value().users().filter_map(Value::instruction);
    let edge = edges.next()?;
    edges.next().is_none().then(|| edge.parent()).flatten()
}

/// A phi, and the operations that were applied to the value of the phi.
pub(super) struct CopyOfPhi<'ir> {
    pub phi: Phi<'ir>,
    /// The operations that compute the value from the phi, in reverse order: the phi is an operand of the last
    /// operation.
    steps: Vec<Step<'ir>>,
}

enum Step<'ir> {
    /// A widening cast.
    Cast(Cast<'ir>),
    /// `xor` with a constant.
    Xor(BinaryOperator<'ir>),
}

impl<'ir> CopyOfPhi<'ir> {
    /// If `value` is a phi, or the result of widening casts and `xor` operations on a phi, returns the phi and these
    /// operations. Otherwise, returns `None`.
    ///
    /// LLVM: `handlePhiDef`.
    pub fn find(mut value: Value<'ir>) -> Option<Self> {
        let mut steps = Vec::new();
        // In unreachable code, negations can form a cycle.
        let mut seen = FxHashSet::default();
        loop {
            if let Some(phi) = value.phi() {
                return Some(CopyOfPhi { phi, steps });
            }
            let step = Step::of(value)?;
            if !seen.insert(value) {
                return None;
            }
            steps.push(step);
            value = value.operand(0);
        }
    }

    /// Applies all operations to the integer `constant` instead of the phi, and returns the result.
    ///
    /// LLVM: `handlePhiDef`.
    pub fn value_for(&self, constant: Value<'ir>, folder: &Folder<'ir>) -> Option<Value<'ir>> {
        self.steps.iter().rev().try_fold(constant, |constant, step| match *step {
            Step::Xor(xor) => folder.binary(xor, constant, xor.right()),
            Step::Cast(cast) => folder.cast(cast, constant),
        })
    }
}

impl<'ir> Step<'ir> {
    /// The operation that computes `value`. A `xor` is accepted only if its second operand is a constant. LLVM does not
    /// check the first operand, because LLVM's passes move constants to the second operand.
    fn of(value: Value<'ir>) -> Option<Self> {
        match value.opcode()? {
            Opcode::ZERO_EXTENSION | Opcode::SIGN_EXTENSION => Some(Step::Cast(value.cast()?)),
            Opcode::XOR => value.binary_operator().filter(|xor| xor.right().is_integer()).map(Step::Xor),
            _ => None,
        }
    }
}
