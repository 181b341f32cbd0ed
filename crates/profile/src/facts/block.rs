//! What is known of one block: how it ends, and what is in it.

use cranelift_entity::entity_impl;
use cranelift_entity::packed_option::PackedOption;

use super::Condition;

/// What the rules look at in one block.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlockFacts {
    /// What ends the block.
    pub terminator: Terminator,
    /// What else is true of it.
    pub marks: Marks,
    /// What a conditional branch at its end tests.
    pub condition: Condition,
    /// Where the block's branch weights begin in the [pool](super::FactsParts::weight_pool) of all weights;
    /// [`FunctionFacts::weights`](super::FunctionFacts::weights) has them.
    pub weights: PackedOption<WeightsPlace>,
}

/// A place in the [pool](super::FactsParts::weight_pool) of all branch weights.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct WeightsPlace(u32);
entity_impl!(WeightsPlace, "weight");

/// The kinds of terminator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Terminator {
    /// `ret`
    #[default]
    Return,
    /// `br label`
    Jump,
    /// `br i1`
    Branch,
    /// `switch`
    Switch,
    /// `indirectbr`
    IndirectBranch,
    /// `invoke`
    Invoke,
    /// `callbr`
    CallBranch,
    /// `unreachable`
    Unreachable,
    /// `catchswitch`, `catchret`, `cleanupret` or `resume`
    Exceptional,
}

impl Terminator {
    /// The name of the LLVM instruction. For [`Exceptional`](Self::Exceptional) it is the one with several successors.
    pub const fn opcode(self) -> &'static str {
        match self {
            Terminator::Return => "ret",
            Terminator::Jump | Terminator::Branch => "br",
            Terminator::Switch => "switch",
            Terminator::IndirectBranch => "indirectbr",
            Terminator::Invoke => "invoke",
            Terminator::CallBranch => "callbr",
            Terminator::Unreachable => "unreachable",
            Terminator::Exceptional => "catchswitch",
        }
    }

    /// Whether such a terminator can have so many successors.
    pub const fn can_have(self, successors: usize) -> bool {
        match self {
            Terminator::Return | Terminator::Unreachable => successors == 0,
            Terminator::Jump => successors == 1,
            Terminator::Branch | Terminator::Invoke => successors == 2,
            Terminator::Switch | Terminator::CallBranch => successors > 0,
            Terminator::IndirectBranch | Terminator::Exceptional => true,
        }
    }

    /// Whether such a terminator may carry branch weights; on `callbr` that depends on the version: `callbr` tells.
    pub const fn may_carry_weights(self, callbr: bool) -> bool {
        match self {
            Terminator::Branch | Terminator::Switch | Terminator::IndirectBranch | Terminator::Invoke => true,
            Terminator::CallBranch => callbr,
            _ => false,
        }
    }
}

/// A small set of yes-or-no facts about a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks(u8);

impl Marks {
    /// Ends in `unreachable`, or in a call to `llvm.experimental.deoptimize` and a `ret`.
    pub const NEVER_COMPLETES: Marks = Marks(1);
    /// Contains a call that does not return. Only known of blocks that never complete.
    pub const NORETURN_CALL: Marks = Marks(2);
    /// Contains a call marked `cold`.
    pub const COLD_CALL: Marks = Marks(4);
    /// Runs only while an exception is on its way.
    pub const EXCEPTION_PATH: Marks = Marks(8);
    /// Ends in a branch on a value compared with a constant: [`LoopConditions`](super::LoopConditions)
    /// have an answer for it.
    pub const COMPARES_WITH_CONSTANT: Marks = Marks(16);
    /// Its terminator carries profile metadata of another kind than branch weights.
    pub const OTHER_PROFILE: Marks = Marks(32);

    /// Whether all of `other` is in this set.
    pub const fn has(self, other: Marks) -> bool {
        self.0 & other.0 == other.0
    }

    /// Adds `other`.
    pub fn add(&mut self, other: Marks) {
        self.0 |= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminators_with_a_choice_may_carry_weights() {
        use Terminator::*;
        for terminator in [Branch, Switch, IndirectBranch, Invoke] {
            assert!([false, true].map(|callbr| terminator.may_carry_weights(callbr)) == [true; 2]);
        }
        assert_eq!([false, true].map(|callbr| CallBranch.may_carry_weights(callbr)), [false, true]);
        for terminator in [Return, Jump, Unreachable, Exceptional] {
            assert!([false, true].map(|callbr| terminator.may_carry_weights(callbr)) == [false; 2]);
        }
    }

    #[test]
    fn marks_add_up_and_stay_apart() {
        let mut marks = Marks::default();
        marks.add(Marks::COLD_CALL);
        marks.add(Marks::EXCEPTION_PATH);
        assert!(marks.has(Marks::COLD_CALL) && marks.has(Marks::EXCEPTION_PATH));
        let others = [Marks::NEVER_COMPLETES, Marks::NORETURN_CALL, Marks::COMPARES_WITH_CONSTANT];
        assert!(!others.into_iter().chain([Marks::OTHER_PROFILE]).any(|other| marks.has(other)));
    }
}
