//! Facts about one block: its terminator and its properties.

use cranelift_entity::entity_impl;
use cranelift_entity::packed_option::PackedOption;

use super::Condition;

/// The properties of one block that the rules use.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlockFacts {
    /// The terminator.
    pub terminator: Terminator,
    /// The properties of the block.
    pub properties: BlockProperties,
    /// The condition of the branch at the end of the block.
    pub condition: Condition,
    /// The index of the block's first branch weight in the [pool](super::FactsParts::weight_pool).
    /// [`FunctionFacts::weights`](super::FunctionFacts::weights) returns the weights.
    pub weights: PackedOption<WeightIndex>,
}

/// An index in the [pool](super::FactsParts::weight_pool) of all branch weights.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct WeightIndex(u32);
entity_impl!(WeightIndex, "weight");

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
    /// The name of the LLVM instruction. For [`Exceptional`](Self::Exceptional), this is `catchswitch`, because
    /// `catchret`, `cleanupret` and `resume` cannot have several successors.
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

    /// Whether this kind of terminator can have this number of successors.
    pub(crate) const fn can_have(self, successors: usize) -> bool {
        match self {
            Terminator::Return | Terminator::Unreachable => successors == 0,
            Terminator::Jump => successors == 1,
            Terminator::Branch | Terminator::Invoke => successors == 2,
            Terminator::Switch | Terminator::CallBranch => successors > 0,
            Terminator::IndirectBranch | Terminator::Exceptional => true,
        }
    }

    /// Whether this kind of terminator can have branch weights. LLVM versions differ for `callbr` instructions, so the
    /// caller passes the result for these instructions as the argument `callbr`.
    pub const fn may_carry_weights(self, callbr: bool) -> bool {
        match self {
            Terminator::Branch | Terminator::Switch | Terminator::IndirectBranch | Terminator::Invoke => true,
            Terminator::CallBranch => callbr,
            _ => false,
        }
    }
}

/// A set of properties of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockProperties(u8);

impl BlockProperties {
    /// The block ends in `unreachable`, or in a call to `llvm.experimental.deoptimize` and a `ret`.
    pub const NEVER_COMPLETES: BlockProperties = BlockProperties(1);
    /// The block contains a call that does not return. Only blocks that never complete can have this property.
    pub const NORETURN_CALL: BlockProperties = BlockProperties(2);
    /// The block contains a call with the attribute `cold`.
    pub const COLD_CALL: BlockProperties = BlockProperties(4);
    /// The block runs only during exception handling.
    pub const EXCEPTION_PATH: BlockProperties = BlockProperties(8);
    /// The block ends in a branch on a comparison with a constant. If the block is in a loop,
    /// [`LoopConditions`](super::LoopConditions) can find the value that the branch compares in the next iteration.
    pub const COMPARES_WITH_CONSTANT: BlockProperties = BlockProperties(16);
    /// The terminator has profile metadata that is not branch weights.
    pub const OTHER_PROFILE: BlockProperties = BlockProperties(32);

    /// Whether this set contains all properties of `other`.
    pub const fn has(self, other: BlockProperties) -> bool {
        self.0 & other.0 == other.0
    }

    /// Adds the properties of `other`.
    pub fn add(&mut self, other: BlockProperties) {
        self.0 |= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminators_with_several_successors_can_have_weights() {
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
    fn properties_are_independent() {
        let mut properties = BlockProperties::default();
        properties.add(BlockProperties::COLD_CALL);
        properties.add(BlockProperties::EXCEPTION_PATH);
        assert!(
            properties.has(BlockProperties::COLD_CALL) && properties.has(BlockProperties::EXCEPTION_PATH)
        );
        let others = [
            BlockProperties::NEVER_COMPLETES,
            BlockProperties::NORETURN_CALL,
            BlockProperties::COMPARES_WITH_CONSTANT,
        ];
        assert!(!others
            .into_iter()
            .chain([BlockProperties::OTHER_PROFILE])
            .any(|other| properties.has(other)));
    }
}
