//! What a model says of a function.

use std::borrow::Cow;
use std::mem::take;

use super::columns::goes_back;
use super::contents::FunctionContents;
use super::names::{BRANCH_COUNT, SIDE_COUNT};
use super::rows::BranchFeatures;
use super::view::{Side, View};
use crate::bpi::Probability;
use crate::cfg::Block;
use crate::dialect::Dialect;
use crate::facts::{FunctionFacts, LoopConditions, Prediction, Terminator};
use crate::predictor::{probability, Model, ModelPart, Trees};
use crate::profile::Profile;

/// The logarithm of odds of 63 to 1, in 2^-16: no branch that does not decide on a loop is held to be likelier than that...
const LIKELY: i64 = 271_524;
/// ... if its odds are not above 400 to 1: what so many features agree on, such as a message that is printed, may be rarer.
const OVERWHELMING: i64 = 392_656;

impl Model {
    /// Adds to `facts` what the model says of each branch, for [`Rule::Learned`](crate::bpi::Rule::Learned) to go by.
    /// `contents` are those of the same function.
    ///
    /// It says nothing where LLVM knows rather than guesses: where a side never completes, does not return, unwinds or is
    /// cold. Of a switch with such sides it parts what LLVM leaves to the others. Its features are those without a profile,
    /// whether there is one or not.
    ///
    /// # Panics
    ///
    /// If `contents` are those of another function, where that is noticed.
    pub fn predict_branches(
        &self,
        facts: &mut FunctionFacts,
        contents: &FunctionContents,
        conditions: &mut impl LoopConditions,
        dialect: &'static Dialect,
    ) {
        // What follows from the graph serves the caller, too, if these facts can do without a copy.
        let is_measured = facts.has_profile();
        let own = if is_measured { facts.clone() } else { take(facts) };
        let profile = Profile::unmeasured(own, conditions, dialect);
        let view = View::new(&profile, contents);
        let mut predictions = Vec::new();
        if let Some(trees) = self.part(ModelPart::TwoWay) {
            predictions.extend(view.two_way(trees));
        }
        if let Some(trees) = self.part(ModelPart::Switch) {
            predictions.extend(view.switches(trees));
        }
        predictions.sort_unstable_by_key(|&(block, _)| block);
        if !is_measured {
            *facts = profile.into_facts();
        }
        facts.predictions = predictions;
    }
}

impl View<'_> {
    /// What is said of conditional branches.
    fn two_way(&self, trees: &Trees) -> Vec<(Block, Prediction)> {
        let mut of_loops = Vec::new();
        let (mut blocks, mut rows) = (Vec::new(), Vec::new());
        for (block, sides) in self.asked(Terminator::Branch) {
            if sides.len() == 2 && !sides.iter().any(|&side| self.knows(side)) {
                of_loops.push(sides.iter().any(|&side| goes_back(self, side) || self.leaves(side) > 0));
                rows.push(all_features(&self.row(block, &sides)));
                blocks.push(block);
            }
        }
        let odds = trees.log_odds(&rows).into_iter().zip(of_loops);
        let first = odds.map(|(odds, is_of_loop)| probability(if is_of_loop { odds } else { bounded(odds) }));
        let said = blocks.into_iter().zip(rows).zip(first);
        said.map(|((block, features), first)| (block, two_sides(first, features))).collect()
    }

    /// What is said of switches.
    fn switches(&self, trees: &Trees) -> Vec<(Block, Prediction)> {
        let mut made = Vec::new();
        for (block, sides) in self.asked(Terminator::Switch) {
            if sides.len() < 2 || sides.iter().all(|&side| self.knows(side)) {
                continue;
            }
            let features = all_features(&self.row(block, &sides));
            let rows: Vec<_> =
                (0..sides.len() as u32).map(|side| ModelPart::Switch.asked(&features, side)).collect();
            let odds = trees.log_odds(&rows);
            // Of sides that nothing is known of, before they are made one.
            let share = |(&side, odds): (&Side, i64)| match self.knows(side) {
                true => 0,
                false => probability(odds).numerator().into(),
            };
            let shares: Vec<u64> = sides.iter().zip(odds).map(share).collect();
            drop(rows);
            made.push((block, self.parted(block, &sides, &shares, features)));
        }
        made
    }

    /// The blocks that the entry reaches and that end in such a terminator, with the sides that they have.
    fn asked(&self, terminator: Terminator) -> impl Iterator<Item = (Block, Vec<Side>)> + '_ {
        let (graph, blocks) = (self.graph(), self.profile.facts().blocks());
        let is_asked =
            move |&block: &Block| blocks[block].terminator == terminator && graph.tree().reaches(block);
        graph.blocks().filter(is_asked).map(|block| (block, self.sides(block)))
    }

    /// Edges to what LLVM knows keep its answer; the sides of the others part the rest as `shares` are, each evenly among its
    /// edges.
    fn parted(&self, block: Block, sides: &[Side], shares: &[u64], features: Box<[i32]>) -> Prediction {
        let graph = self.graph();
        let answers = &self.profile.branch_probabilities().probabilities()[graph.edges(block)];
        let mut places: Vec<(Block, usize)> = sides.iter().map(|side| side.target).zip(0..).collect();
        places.sort_unstable();
        let side_of = |target: &Block| {
            let place = places.binary_search_by_key(target, |&(known, _)| known);
            places[place.expect("each edge has its side")].1
        };
        let edges: Vec<usize> = graph.successors(block).iter().map(side_of).collect();
        let known = edges.iter().zip(answers).filter(|(&side, _)| self.knows(sides[side]));
        let taken: u64 = known.map(|(_, answer)| u64::from(answer.numerator())).sum();
        let rest = u64::from(Probability::DENOMINATOR).saturating_sub(taken);
        let total: u64 = shares.iter().sum();
        let weight = |(&side, answer): (&usize, &Probability)| match self.knows(sides[side]) {
            true => answer.numerator(),
            false => ((rest * shares[side] / total) as u32 / sides[side].edges).max(1),
        };
        Prediction {
            weights: edges.iter().zip(answers).map(weight).collect(),
            sides: edges.iter().map(|&side| (!self.knows(sides[side])).then_some(side as u32)).collect(),
            features,
        }
    }

    /// Whether LLVM's estimates know something of where a side leads, and do not only guess.
    fn knows(&self, side: Side) -> bool {
        self.estimates[side.edge].is_some()
    }
}

/// The odds of what does not decide on a loop.
pub(super) fn bounded(log_odds: i64) -> i64 {
    match log_odds.abs() < OVERWHELMING {
        true => log_odds.clamp(-LIKELY, LIKELY),
        false => log_odds,
    }
}

fn two_sides(first: Probability, features: Box<[i32]>) -> Prediction {
    let weights = [first.numerator(), Probability::DENOMINATOR - first.numerator()];
    Prediction { weights: weights.into(), sides: [Some(0), Some(1)].into(), features }
}

fn all_features(row: &BranchFeatures) -> Box<[i32]> {
    row.values.into_iter().chain(row.sides.iter().flat_map(|side| side.values)).collect()
}

impl ModelPart {
    /// Of the features that a [`Prediction`] has, those that the model is asked with about `side`.
    pub(crate) fn asked<'a>(self, features: &'a [i32], side: u32) -> Cow<'a, [i32]> {
        match self {
            ModelPart::TwoWay | ModelPart::Select => features.into(),
            ModelPart::Switch => {
                let (branch, sides) = features.split_at(BRANCH_COUNT);
                let side = &sides[side as usize * SIDE_COUNT..][..SIDE_COUNT];
                [branch, side].concat().into()
            }
        }
    }
}
