//! Follows casts and negations from a value to the phi that the value copies.

use rustc_hash::FxHashSet;

use crate::ir::fold::Folder;
use crate::ir::value::{BinaryOperator, Cast, Opcode, Phi, Value};

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
