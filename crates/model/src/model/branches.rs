//! Predicts the branches of a function with a model.

use std::ops::Range;
use std::sync::Arc;

use super::logistic::probability;
use super::source::Asked;
use super::{FeatureMatrix, Model, ModelPart, Trees};
use crate::features::{goes_back, side_values, FunctionContents, SuccessorEdges, View};
use bpa_profile::bpi::{Predictions, Probability};
use bpa_profile::cfg::Block;
use bpa_profile::facts::Terminator;
use bpa_profile::profile::Profile;

/// The logarithm of odds of 63 to 1, in units of 2^-16. It is the upper bound for branches that do not leave a loop...
const LIKELY: i64 = 271_524;
/// ... unless their odds are above 400 to 1. If so many features agree, for example because of a printed message, the
/// successor may be rarer.
const OVERWHELMING: i64 = 392_656;

impl Model {
    /// Predicts branches, for [`Rule::Learned`](bpa_profile::bpi::Rule::Learned). `profile` has the predictions of
    /// LLVM's rules without a profile from the IR, and `statistics` describe the same function.
    ///
    /// The model does not predict a branch if LLVM estimates a weight for one of its edges: a successor that never
    /// completes, does not return, unwinds or is cold. If a switch has such successors, the model distributes the rest
    /// of LLVM's probability over the other successors.
    ///
    /// # Panics
    ///
    /// If the numbers of blocks or edges show that the statistics belong to another function.
    pub fn predict_branches(self: &Arc<Self>, profile: &Profile, contents: &FunctionContents) -> Predictions {
        let view = View::new(profile, contents);
        let graph = view.graph();
        let is_supported = |kind: Terminator| match kind {
            Terminator::Branch => true,
            Terminator::Switch => self.part(ModelPart::Switch).is_some(),
            _ => false,
        };
        let blocks = profile.facts().blocks().iter().map(|(block, facts)| (block, facts.terminator));
        let reached = blocks.filter(|&(block, kind)| is_asked(kind) && graph.tree().reaches(block));
        let reached: Vec<(Block, Terminator)> = reached.collect();
        let mut asked = Questions::new(reached.len(), graph.edge_count());
        reached.into_iter().for_each(|(block, kind)| asked.add(&view, block, kind));
        asked.answer(&view, self)
    }
}

/// The branches that a model predicts, with their features.
struct Questions {
    branches: Vec<AskedBranch>,
    sides: Vec<SuccessorEdges>,
    two_way: FeatureMatrix,
    switch: FeatureMatrix,
}

struct AskedBranch {
    block: Block,
    kind: Terminator,
    /// The range of the branch's items in `sides`.
    sides: Range<usize>,
}

impl Questions {
    /// Reserves memory for up to this many branches and successors.
    fn new(branches: usize, sides: usize) -> Self {
        Questions {
            branches: Vec::with_capacity(branches),
            sides: Vec::with_capacity(sides),
            two_way: FeatureMatrix::new(ModelPart::TwoWay.feature_count(), branches),
            switch: FeatureMatrix::new(ModelPart::Switch.feature_count(), 0),
        }
    }

    /// Adds the branch of `block` if the model can predict it.
    fn add(&mut self, view: &View<'_>, block: Block, kind: Terminator) {
        let start = self.sides.len();
        view.add_sides(block, &mut self.sides);
        let sides = &self.sides[start..];
        let open = sides.iter().filter(|&&side| !view.knows(side)).count();
        let is_predicted = match kind {
            Terminator::Switch => sides.len() >= 2 && open > 0,
            _ => sides.len() == 2 && open == 2,
        };
        if !is_asked {
            return self.sides.truncate(start);
        }
        let own = view.branch_values(block);
        match (kind, sides) {
            (Terminator::Switch, _) => {
                let open = sides.iter().filter(|&&side| !view.knows(side));
                open.for_each(|&side| self.switch.push(&[&own, &side_values(view, side)]));
            }
            (_, &[first, second]) => {
                self.two_way.push(&[&own, &side_values(view, first), &side_values(view, second)]);
            }
            _ => {}
        }
        self.branches.push(AskedBranch { block, kind, sides: start..self.sides.len() });
    }

    /// Predicts all branches with `model`.
    fn predict(self, view: &View<'_>, model: &Arc<Model>) -> Predictions {
        let odds = |part, rows| model.part(part).map_or(Vec::new(), |trees: &Trees| trees.log_odds(rows));
        let two_way = odds(ModelPart::TwoWay, &self.two_way);
        let switch = odds(ModelPart::Switch, &self.switch);
        let (mut two_way, mut switch) = (two_way.into_iter().zip(0..), switch.into_iter().zip(0..));
        // [`FeatureRows`] numbers the rows of switches after the rows of two-way branches.
        let before = self.two_way.len() as u32;
        let source = Asked { model: model.clone(), two_way: self.two_way, switch: self.switch };
        let mut said =
            Predictions::with_capacity(self.branches.len(), self.sides.len()).explained_by(Arc::new(source));
        let mut shares = Vec::new();
        for AskedBranch { block, kind, sides } in self.branches {
            let sides = &self.sides[sides];
            if kind == Terminator::Switch {
                shares.clear();
                shares.extend(sides.iter().map(|&side| match view.knows(side) {
                    true => Share::Known,
                    false => Share::of(switch.next().expect("the model returns one value for each row"), before),
                }));
                view.distribute(block, sides, &shares, &mut said);
            } else {
                let (odds, row) = two_way.next().expect("the model returns one value for each row");
                let is_of_loop = sides.iter().any(|&side| goes_back(view, side) || view.leaves(side) > 0);
                let first = probability(if is_of_loop { odds } else { bounded(odds) }).numerator();
                let weights = [first, Probability::DENOMINATOR - first];
                said.add(block, weights.into_iter().map(|weight| (weight, Some(row))));
            }
        }
        said
    }
}

/// The share of a switch's successor.
#[derive(Clone, Copy)]
enum Share {
    /// LLVM estimates a weight for the edges, so they keep LLVM's probability.
    Known,
    /// The model's probability before normalization, with the number of its feature row.
    Open { numerator: u32, row: u32 },
}

impl Share {
    fn of((odds, row): (i64, u32), before: u32) -> Self {
        Share::Open { numerator: probability(odds).numerator(), row: before + row }
    }

    fn numerator(self) -> u64 {
        match self {
            Share::Known => 0,
            Share::Open { numerator, .. } => numerator.into(),
        }
    }
}

impl View<'_> {
    /// Distributes the probability of a switch. Edges with an estimated weight keep LLVM's probability. The other
    /// successors get the rest in proportion to their `shares`, and each divides its part evenly among its edges.
    fn distribute(&self, block: Block, sides: &[SuccessorEdges], shares: &[Share], said: &mut Predictions) {
        let graph = self.graph();
        let answers = &self.profile.branch_probabilities().probabilities()[graph.edges(block)];
        let mut places: Vec<(Block, usize)> = sides.iter().map(|side| side.target).zip(0..).collect();
        places.sort_unstable();
        let side_of = |target: &Block| {
            let place = places.binary_search_by_key(target, |&(known, _)| known);
            places[place.expect("each edge leads to one of the successors")].1
        };
        let edges: Vec<usize> = graph.successors(block).iter().map(side_of).collect();
        let known = edges.iter().zip(answers).filter(|(&side, _)| matches!(shares[side], Share::Known));
        let taken: u64 = known.map(|(_, answer)| u64::from(answer.numerator())).sum();
        let rest = u64::from(Probability::DENOMINATOR).saturating_sub(taken);
        let total: u64 = shares.iter().map(|share| share.numerator()).sum();
        said.add(
            block,
            edges.iter().zip(answers).map(|(&side, answer)| match shares[side] {
                Share::Known => (answer.numerator(), None),
                Share::Open { numerator, row } => {
                    let weight = (rest * u64::from(numerator) / total) as u32 / sides[side].edges;
                    (weight.max(1), Some(row))
                }
            }),
        );
    }

    /// Whether LLVM's rules estimate a weight for the edges to a successor.
    fn knows(&self, side: SuccessorEdges) -> bool {
        self.estimates[side.edge].is_some()
    }
}

/// Limits the odds of a branch that does not leave a loop.
pub(super) fn bounded(log_odds: i64) -> i64 {
    match log_odds.abs() < OVERWHELMING {
        true => log_odds.clamp(-LIKELY, LIKELY),
        false => log_odds,
    }
}
