//! One branch: what was said of it, and what it did.

use cranelift_entity::PrimaryMap;

use bpa_profile::bpi::{Probability, Rule};
use bpa_profile::cfg::{table, Block};
use bpa_profile::facts::Terminator;
use bpa_profile::profile::Profile;

/// The kinds of branches, which are counted apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A conditional `br` to two different blocks.
    TwoWay,
    /// A `switch`.
    Switch,
    /// Whatever else has a choice: `invoke`, `indirectbr`, `callbr`, exceptional terminators, and a conditional `br`
    /// both edges of which lead to the same block.
    Other,
}

impl Kind {
    /// All kinds, the one that counts most first.
    pub const ALL: [Kind; 3] = [Kind::TwoWay, Kind::Switch, Kind::Other];

    /// The kind's name in data.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::TwoWay => "two-way",
            Kind::Switch => "switch",
            Kind::Other => "other",
        }
    }

    pub(crate) fn of(terminator: Terminator, targets: usize) -> Self {
        match terminator {
            Terminator::Branch if targets > 1 => Kind::TwoWay,
            Terminator::Switch => Kind::Switch,
            _ => Kind::Other,
        }
    }
}

/// What was said of a branch, and what it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The block that it ends.
    pub block: Block,
    /// What kind of branch it is.
    pub kind: Kind,
    /// The rule that answered.
    pub rule: Rule,
    /// How often it ran: 0 if it never did, and nothing is known of which way it goes.
    pub executions: u64,
    /// Where it may go, each block once, in the order of the terminator.
    pub sides: Vec<ComparedSuccessor>,
}

/// A block that a branch may go to, by any of its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparedSuccessor {
    /// The block.
    pub target: Block,
    /// How likely the branch was said to go there.
    pub answer: Probability,
    /// How much of the time it went there, relative to its other sides.
    pub truth: u64,
}

/// All branches of a function that the entry reaches, in layout order; none if no measured profile says how often the
/// function was entered.
///
/// `measured` has the branch weights and entry count of the profile, and `answered` the same function without:
/// [`FunctionFacts::forget_profile`](bpa_profile::facts::FunctionFacts::forget_profile) makes it. A branch has run if it has
/// weights other than 0, and if the count of its block is not 0: entry count times frequency, rounded.
pub fn branches(measured: &Profile, answered: &Profile) -> Vec<Branch> {
    if measured.facts().measured_entries().is_none() {
        return Vec::new();
    }
    let graph = measured.graph();
    let blocks =
        graph.blocks().filter(|&block| graph.successors(block).len() > 1 && graph.tree().reaches(block));
    let count = graph.block_count();
    let mut reader = Reader { measured, answered, totals: table(count, 0), places: table(count, u32::MAX) };
    blocks.map(|block| reader.branch(block)).collect()
}

/// What branches are read from, and memory for it.
struct Reader<'a> {
    measured: &'a Profile,
    answered: &'a Profile,
    /// For the sums of probabilities.
    totals: PrimaryMap<Block, u32>,
    /// The place of each target among the sides of the branch at hand.
    places: PrimaryMap<Block, u32>,
}

impl Reader<'_> {
    fn branch(&mut self, block: Block) -> Branch {
        let sides = self.sides(block);
        let went_somewhere = sides.iter().any(|side| side.truth > 0);
        Branch {
            block,
            kind: Kind::of(self.measured.facts().blocks()[block].terminator, sides.len()),
            rule: self.answered.rule(block).unwrap_or_default(),
            executions: self.measured.count(block).filter(|_| went_somewhere).unwrap_or(0),
            sides,
        }
    }

    fn sides(&mut self, block: Block) -> Vec<ComparedSuccessor> {
        let Reader { measured, answered, totals, places } = self;
        let weights = measured.facts().weights(block);
        let mut weights = weights.into_iter().flatten().copied().map(u64::from);
        let mut sides: Vec<ComparedSuccessor> = Vec::new();
        answered.branch_probabilities().for_each_target(answered.graph(), block, totals, |target, answer| {
            let truth = weights.next().unwrap_or(0);
            match sides.get_mut(places[target] as usize) {
                Some(side) => side.truth += truth,
                None => {
                    places[target] = sides.len() as u32;
                    sides.push(ComparedSuccessor { target, answer, truth });
                }
            }
        });
        sides.iter().for_each(|side| places[side.target] = u32::MAX);
        sides
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bpa_profile::bpi::test_support::draw;
    use bpa_profile::dialect::Dialect;
    use bpa_profile::facts::EntryCount;

    /// The branches of `picture`, entered `entries` times.
    fn scored(picture: &str, entries: Option<u64>) -> Vec<Branch> {
        let mut measured = draw(picture).function;
        let entries = entries.map(|count| EntryCount { count, synthetic: false });
        measured.set_profile(entries, measured.header_weights().to_vec());
        let mut answered = measured.clone();
        answered.forget_profile();
        let llvm16 = Dialect::named("16").expect("supported");
        let [measured, answered] = [measured, answered].map(|facts| Profile::new(facts, llvm16));
        branches(&measured, &answered)
    }

    fn sides(branch: &Branch) -> Vec<(u32, u64)> {
        branch.sides.iter().map(|side| (side.answer.numerator(), side.truth)).collect()
    }

    const HALF: u32 = 1 << 30;

    /// Entered 40 times, 30 of which go to b: there the rules have their say, not the weights.
    #[test]
    fn the_answer_is_given_without_the_weights_and_the_truth_with_them() {
        let found = scored("a: 1:3 -> c b; b: ptr_eq 3:7 -> d c; c; d", Some(40));
        assert_eq!([found[0].executions, found[1].executions], [40, 30]);
        assert_eq!([found[0].rule, found[1].rule], [Rule::Even, Rule::Pointer]);
        assert_eq!(sides(&found[0]), [(HALF, 1), (HALF, 3)]);
        assert_eq!(sides(&found[1]), [(3 << 28, 3), (5 << 28, 7)]); // 12 : 20
    }

    #[test]
    fn who_never_ran_has_no_truth() {
        let runs = |picture| scored(picture, Some(1_000)).iter().map(|b| b.executions).collect::<Vec<_>>();
        assert_eq!(runs("a -> b c; b; c"), [0]); // no weights
        assert_eq!(runs("a: 0:0 -> b c; b; c"), [0]);
        assert_eq!(runs("a: 0:5 -> b c; b: 1:1 -> c d; c; d"), [1_000, 0]); // weights, but no way there
        assert_eq!(scored("a: 1:3 -> b c; b; c", Some(0))[0].executions, 0);
    }

    #[test]
    fn without_a_measured_profile_nothing_is_known() {
        assert_eq!(scored("a: 1:3 -> b c; b; c", None), []);
    }

    #[test]
    fn what_the_entry_does_not_reach_is_no_branch_that_counts() {
        assert_eq!(scored("a; dead: 1:2 -> a b; b", Some(9)), []);
    }

    /// Three edges to two blocks are two sides: 2/3 rounded once.
    #[test]
    fn parallel_edges_are_one_side() {
        let found = scored("a: 1:2:4 -> x y x; x; y", Some(7));
        assert_eq!((found[0].kind, found[0].executions), (Kind::Switch, 7));
        assert_eq!(sides(&found[0]), [(1_431_655_765, 5), (715_827_883, 2)]);
        assert_eq!(scored("a: 1:2 -> x x; x", Some(7))[0].kind, Kind::Other);
        assert_eq!(scored("a: 1:2 -> x y; x; y", Some(7))[0].kind, Kind::TwoWay);
    }
}
