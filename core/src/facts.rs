//! What the analyses know of a function: its graph and, for each block, the facts that the rules look at.
//!
//! A snapshot is plain data taken from the live function in one walk. The few questions that are worth asking
//! only of some blocks, and late, go through [`LoopConditions`].

use cranelift_entity::PrimaryMap;

use crate::cfg::{Block, ControlFlow, Graph};

/// A function as plain data.
#[derive(Clone, Debug, Default)]
pub struct FunctionFacts {
    /// Blocks and edges, in LLVM's order, and what follows from them.
    pub graph: ControlFlow,
    /// What is known of each block.
    pub blocks: PrimaryMap<Block, BlockFacts>,
    /// Branch weights of all blocks that carry valid ones; see [`FunctionFacts::weights`].
    pub weight_pool: Vec<u32>,
    /// Loop header weights (`!irr_loop` metadata), in block order.
    pub header_weights: Vec<(Block, u64)>,
    /// How often the function was entered, if a profile says so (`!prof` on the function).
    pub entry_count: Option<EntryCount>,
}

/// How often a function was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryCount {
    /// The number of entries.
    pub count: u64,
    /// Estimated by a pass, not measured by a profile. LLVM's printers leave such counts out.
    pub synthetic: bool,
}

impl From<Graph> for FunctionFacts {
    /// A function of which nothing is known but its graph. Its terminators are as their successors are many: `ret`, `br`
    /// and `switch`.
    fn from(graph: Graph) -> Self {
        let facts = |block| BlockFacts {
            terminator: match graph.successors(block).len() {
                0 => Terminator::Return,
                1 => Terminator::Jump,
                2 => Terminator::Branch,
                _ => Terminator::Switch,
            },
            ..BlockFacts::default()
        };
        let blocks = graph.blocks().map(facts).collect();
        FunctionFacts { graph: graph.into(), blocks, ..FunctionFacts::default() }
    }
}

impl FunctionFacts {
    /// The valid branch weights on the terminator of `block`, one for each successor.
    #[inline(always)] // asked of every branch
    pub fn weights(&self, block: Block) -> Option<&[u32]> {
        let start = self.blocks[block].weights? as usize;
        Some(&self.weight_pool[start..start + self.graph.successors(block).len()])
    }

    /// Puts `weights` on the terminator of `block`, one for each successor.
    pub fn set_weights(&mut self, block: Block, weights: &[u32]) {
        self.blocks[block].weights = Some(self.weight_pool.len() as u32);
        self.weight_pool.extend_from_slice(weights);
    }

    /// Takes the branch weights off all terminators.
    pub fn forget_weights(&mut self) {
        self.weight_pool.clear();
        self.blocks.values_mut().for_each(|facts| facts.weights = None);
    }

    /// The loop header weight on the terminator of `block`.
    pub fn header_weight(&self, block: Block) -> Option<u64> {
        header_weight(&self.header_weights, block)
    }

    /// How often a profile saw the function entered. LLVM's printers leave estimated counts out.
    pub fn measured_entries(&self) -> Option<u64> {
        self.entry_count.filter(|entries| !entries.synthetic).map(|entries| entries.count)
    }
}

/// The weight of `block` in a list of header weights, ascending by block.
pub(crate) fn header_weight(header_weights: &[(Block, u64)], block: Block) -> Option<u64> {
    let place = header_weights.binary_search_by_key(&block, |&(block, _)| block).ok()?;
    Some(header_weights[place].1)
}

/// What the rules look at in one block.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlockFacts {
    /// What ends the block.
    pub terminator: Terminator,
    /// What else is true of it.
    pub marks: Marks,
    /// What a conditional branch at its end tests.
    pub condition: Condition,
    /// Where the block's branch weights begin in [`FunctionFacts::weight_pool`].
    pub weights: Option<u32>,
}

/// The kinds of terminator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// Ends in a branch on a value compared with a constant: [`LoopConditions`] has an answer for it.
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

/// What a conditional branch tests, as far as a rule cares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Condition {
    /// Nothing that any rule knows.
    #[default]
    Opaque,
    /// Two pointers for equality.
    Pointer {
        /// `ne` rather than `eq`.
        unequal: bool,
    },
    /// An integer with a constant.
    Integer {
        /// How they are compared.
        predicate: IntegerPredicate,
        /// What stands on the left.
        operand: IntegerOperand,
        /// What stands on the right.
        constant: IntegerConstant,
    },
    /// Two floating point numbers.
    Float {
        /// How they are compared.
        predicate: FloatPredicate,
    },
}

/// Integer comparisons that some rule distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerPredicate {
    /// `eq`
    Equal,
    /// `ne`
    Unequal,
    /// `slt`
    SignedLess,
    /// `sgt`
    SignedGreater,
    /// Any other.
    Other,
}

/// The left side of an integer comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerOperand {
    /// A value of which nothing is known.
    Plain,
    /// One bit picked out of a value (`and` with a power of two).
    SingleBit,
    /// The result of comparing two strings or memory blocks.
    StringComparison,
}

/// The right side of an integer comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerConstant {
    /// 0
    Zero,
    /// 1, also the `true` of one bit
    One,
    /// All bits set, in more than one bit
    MinusOne,
    /// Any other constant.
    Other,
}

/// Floating point comparisons that some rule distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatPredicate {
    /// `oeq`, `one` or `une`: equality tests that are false of a number and itself, or ask for order
    EqualityOrdered,
    /// `ueq`: the one equality test that is true whenever both sides are the same
    EqualityUnordered,
    /// `ord`: neither side is a NaN
    Ordered,
    /// `uno`: some side is a NaN
    Unordered,
    /// Any other.
    Other,
}

/// A natural loop, as far as [`LoopConditions`] have to know it.
pub struct LoopAround<'a> {
    /// The header, which no other loop has.
    pub header: Block,
    /// Whether a block is in the loop.
    pub contains: &'a dyn Fn(Block) -> bool,
}

/// The live condition behind a branch, for the one rule that follows values through phis and folds constants.
pub trait LoopConditions {
    /// Which of the two successors of `branch` are unlikely, since they set their own condition false: having gone there, the value
    /// under test comes back as a constant that sends the branch the other way.
    ///
    /// `branch` carries [`Marks::COMPARES_WITH_CONSTANT`] and `around` is its innermost loop: values from blocks outside do
    /// not count.
    fn unlikely_successors(&mut self, branch: Block, around: &LoopAround) -> [bool; 2];

    /// The constant as which the value under test comes back, for each unlikely successor, as text. Only explanations ask.
    fn unlikely_constants(&mut self, branch: Block, around: &LoopAround) -> [Option<String>; 2] {
        self.unlikely_successors(branch, around).map(|unlikely| unlikely.then(|| "a constant".to_string()))
    }
}

/// What explanations tell of live code beyond the facts, in the words of LLVM's assembly. It is asked late, and of few
/// blocks.
pub trait Particulars {
    /// The name of `block` as an operand: `%name`, or `%7` if it has none.
    fn block_name(&self, block: Block) -> String;

    /// What the terminator of `block` tests: a comparison, `icmp eq %p, null`, or else a value, `%c`.
    fn condition(&self, block: Block) -> String;

    /// What the first `cold` call in `block` calls, and what of it is marked: `@log (cold)`.
    fn cold_call(&self, block: Block) -> String;

    /// What the last call in `block` that does not return calls, and what of it is marked: `@abort (noreturn)`.
    fn noreturn_call(&self, block: Block) -> String;

    /// The instruction by which `block` handles an exception: `landingpad`.
    fn pad(&self, block: Block) -> &'static str;

    /// Why the profile metadata on the terminator of `block` does not count as branch weights; none if there is no such
    /// metadata, or it does count. The terminator is of `kind`.
    fn unread_profile(&self, block: Block, kind: Terminator) -> Option<UnreadProfile>;
}

/// Why profile metadata does not count as branch weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnreadProfile {
    /// This version of LLVM reads no weights from such a terminator.
    Terminator,
    /// Its name, if it has one, is another than `branch_weights`.
    Name(String),
    /// Another number of weights than of successors.
    Count {
        /// How many weights there are.
        weights: usize,
        /// How many successors there are.
        successors: usize,
    },
    /// Some weight is no number.
    NoNumber,
}

/// Conditions of which nothing is known: no successor makes its own condition false.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoConditions;

impl LoopConditions for NoConditions {
    fn unlikely_successors(&mut self, _: Block, _: &LoopAround) -> [bool; 2] {
        [false; 2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::parse_graph;

    /// a carries weights, b does not, c does.
    fn weighed() -> (FunctionFacts, [Block; 3]) {
        let (graph, block) = parse_graph("a -> b c; b; c -> a b").expect("well drawn");
        let blocks = graph.blocks().map(|_| BlockFacts::default()).collect();
        let mut snapshot = FunctionFacts { graph: graph.into(), blocks, ..FunctionFacts::default() };
        let [a, b, c] = ["a", "b", "c"].map(block);
        snapshot.set_weights(c, &[3, 4]);
        snapshot.set_weights(a, &[1, 2]);
        (snapshot, [a, b, c])
    }

    #[test]
    fn each_block_has_its_own_weights() {
        let (snapshot, blocks) = weighed();
        assert_eq!(blocks.map(|block| snapshot.weights(block)), [Some(&[1, 2][..]), None, Some(&[3, 4])]);
    }

    #[test]
    fn forgotten_weights_are_gone_and_others_can_come() {
        let (mut snapshot, [a, b, c]) = weighed();
        snapshot.forget_weights();
        assert_eq!([a, b, c].map(|block| snapshot.weights(block)), [None; 3]);
        assert!(snapshot.weight_pool.is_empty());
        snapshot.set_weights(c, &[5, 6]);
        assert_eq!([a, c].map(|block| snapshot.weights(block)), [None, Some(&[5, 6][..])]);
    }

    #[test]
    fn header_weights_are_found_by_block() {
        let (mut snapshot, [a, b, c]) = weighed();
        snapshot.header_weights = vec![(a, 7), (c, 0)];
        assert_eq!([a, b, c].map(|block| snapshot.header_weight(block)), [Some(7), None, Some(0)]);
    }

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
