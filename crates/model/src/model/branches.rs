//! Predicts the branches of a function with a model.

use std::ops::Range;
use std::sync::Arc;

use super::logistic::probability;
use super::source::FeatureRows;
use super::{FeatureMatrix, Model, ModelPart, Trees};
use crate::features::{successor_values, FunctionStatistics, StatisticsError, SuccessorEdges, View};
use bpa_profile::bpi::{Predictions, Probability};
use bpa_profile::cfg::Block;
use bpa_profile::facts::Terminator;
use bpa_profile::profile::Profile;

/// The natural logarithm of odds of 63 to 1, in units of 2^-16. Higher odds are reduced to this bound, with two
/// exceptions: edges that leave a loop or start its next iteration, and odds above [`OVERWHELMING`].
const LIKELY: i64 = 271_524;
/// The natural logarithm of odds of 400 to 1, in units of 2^-16. Odds above this bound are not reduced to [`LIKELY`].
/// Such odds occur only if several features indicate that a successor is rare. Example: the successor prints a message.
const OVERWHELMING: i64 = 392_656;

impl Model {
    /// Predicts branches. [`Rule::Learned`](bpa_profile::bpi::Rule::Learned) uses these predictions. `profile` must
    /// contain the predictions of LLVM's rules, and must not use a measured profile. `statistics` must describe the
    /// function of `profile`.
    ///
    /// LLVM estimates a weight for an edge if the successor is cold, unwinds, does not return or never completes. If a
    /// two-way branch has such a successor, the model does not predict the branch. If a switch has a successor with an
    /// estimated weight, this successor keeps the probability that LLVM's rules predict. The model distributes the
    /// remaining probability over the other successors.
    ///
    /// # Errors
    ///
    /// Returns an error if the statistics do not fit the function.
    pub(crate) fn predict_branches(
        self: &Arc<Self>,
        profile: &Profile,
        statistics: &FunctionStatistics,
    ) -> Result<Predictions, StatisticsError> {
        let view = View::new(profile, statistics)?;
        let graph = view.graph();
        let is_supported = |kind: Terminator| match kind {
            Terminator::Branch => true,
            Terminator::Switch => self.part(ModelPart::Switch).is_some(),
            _ => false,
        };
        let blocks = profile.facts().blocks().iter().map(|(block, facts)| (block, facts.terminator));
        let mut queries = Queries::new(statistics.tests.len(), graph.edge_count());
        for (block, kind) in blocks.filter(|&(_, kind)| is_supported(kind)) {
            if graph.tree().reaches(block) {
                queries.add(&view, block, kind);
            }
        }
        Ok(queries.predict(&view, self))
    }
}

/// The branches for which a model computes predictions, with their features.
struct Queries {
    branches: Vec<QueriedBranch>,
    successors: Vec<SuccessorEdges>,
    two_way: FeatureMatrix,
    switch: FeatureMatrix,
}

struct QueriedBranch {
    block: Block,
    kind: Terminator,
    /// The range of the branch's items in `successors`.
    successors: Range<usize>,
}

impl Queries {
    /// Creates an empty list with memory for `branches` branches and `successors` successors.
    fn new(branches: usize, successors: usize) -> Self {
        Queries {
            branches: Vec::with_capacity(branches),
            successors: Vec::with_capacity(successors),
            two_way: FeatureMatrix::new(ModelPart::TwoWay.feature_count(), branches),
            switch: FeatureMatrix::new(ModelPart::Switch.feature_count(), 0),
        }
    }

    /// Adds the branch of `block`, if the model can predict this branch.
    fn add(&mut self, view: &View<'_>, block: Block, kind: Terminator) {
        let start = self.successors.len();
        view.add_successors(block, &mut self.successors);
        let successors = &self.successors[start..];
        let open = successors.iter().filter(|&&successor| !view.has_estimate(successor)).count();
        let is_predicted = match kind {
            Terminator::Switch => successors.len() >= 2 && open > 0,
            _ => successors.len() == 2 && open == 2,
        };
        if !is_predicted {
            return self.successors.truncate(start);
        }
        let own = view.branch_values(block);
        match (kind, successors) {
            (Terminator::Switch, _) => {
                let open = successors.iter().filter(|&&successor| !view.has_estimate(successor));
                open.for_each(|&successor| self.switch.push(&[&own, &successor_values(view, successor)]));
            }
            (_, &[taken, other]) => {
                let [first, second] = if view.is_inverted(block) { [other, taken] } else { [taken, other] };
                self.two_way.push(&[&own, &successor_values(view, first), &successor_values(view, second)]);
            }
            _ => {}
        }
        self.branches.push(QueriedBranch { block, kind, successors: start..self.successors.len() });
    }

    /// Predicts all branches of the list with `model`.
    fn predict(self, view: &View<'_>, model: &Arc<Model>) -> Predictions {
        let odds = |part, rows| model.part(part).map_or(Vec::new(), |trees: &Trees| trees.log_odds(rows));
        let two_way = odds(ModelPart::TwoWay, &self.two_way);
        let switch = odds(ModelPart::Switch, &self.switch);
        let (mut two_way, mut switch) = (two_way.into_iter().zip(0..), switch.into_iter().zip(0..));
        // [`FeatureRows`] numbers the rows of switches after the rows of two-way branches.
        let before = self.two_way.len() as u32;
        let source = FeatureRows { model: model.clone(), two_way: self.two_way, switch: self.switch };
        let mut predictions = Predictions::with_capacity(self.branches.len(), self.successors.len())
            .explained_by(Arc::new(source));
        let mut shares = Vec::new();
        for QueriedBranch { block, kind, successors } in self.branches {
            let successors = &self.successors[successors];
            if kind == Terminator::Switch {
                shares.clear();
                shares.extend(successors.iter().map(|&successor| match view.has_estimate(successor) {
                    true => Share::Fixed,
                    false => {
                        Share::of(switch.next().expect("the model returns one value for each row"), before)
                    }
                }));
                view.distribute(block, successors, &shares, &mut predictions);
            } else {
                let (odds, row) = two_way.next().expect("the model returns one value for each row");
                let is_of_loop = successors.iter().any(|&successor| view.leaves_or_repeats(successor));
                let first = probability(if is_of_loop { odds } else { bounded(odds) }).numerator();
                let mut weights = [first, Probability::DENOMINATOR - first];
                if view.is_inverted(block) {
                    weights.reverse();
                }
                add(&mut predictions, block, weights.into_iter().map(|weight| (weight, Some(row))));
            }
        }
        predictions
    }
}

/// Adds a prediction. Branches are queried in the order of blocks, and their weights add up to about 2^31.
fn add(predictions: &mut Predictions, block: Block, edges: impl Iterator<Item = (u32, Option<u32>)>) {
    predictions.add(block, edges).expect("blocks are added in ascending order, and weights have a valid sum");
}

/// How a successor of a switch gets its probability.
#[derive(Clone, Copy)]
enum Share {
    /// LLVM estimates a weight for the edges to the successor, so the edges keep LLVM's probability.
    Fixed,
    /// The model predicts the successor. `numerator` is the numerator of the model's probability, which is not yet
    /// scaled. `row` is the index of the successor's feature row.
    Open { numerator: u32, row: u32 },
}

impl Share {
    fn of((odds, row): (i64, u32), before: u32) -> Self {
        Share::Open { numerator: probability(odds).numerator(), row: before + row }
    }

    fn numerator(self) -> u64 {
        match self {
            Share::Fixed => 0,
            Share::Open { numerator, .. } => numerator.into(),
        }
    }
}

impl View<'_> {
    /// Sets the probabilities of a switch. Edges with an estimated weight keep LLVM's probability. The other successors
    /// get the remaining probability in proportion to their `shares`. If several edges lead to a successor, these edges
    /// get equal parts of the successor's probability.
    fn distribute(
        &self,
        block: Block,
        successors: &[SuccessorEdges],
        shares: &[Share],
        predictions: &mut Predictions,
    ) {
        let graph = self.graph();
        let probabilities = &self.probabilities[graph.edges(block)];
        let mut places: Vec<(Block, usize)> =
            successors.iter().map(|successor| successor.target).zip(0..).collect();
        places.sort_unstable();
        let index_of = |target: &Block| {
            let place = places.binary_search_by_key(target, |&(known, _)| known);
            places[place.expect("each edge leads to one of the successors")].1
        };
        let edges: Vec<usize> = graph.successors(block).iter().map(index_of).collect();
        let known = edges
            .iter()
            .zip(probabilities)
            .filter(|&(&successor, _)| matches!(shares[successor], Share::Fixed));
        let taken: u64 = known.map(|(_, probability)| u64::from(probability.numerator())).sum();
        let rest = u64::from(Probability::DENOMINATOR).saturating_sub(taken);
        let total: u64 = shares.iter().map(|share| share.numerator()).sum();
        add(
            predictions,
            block,
            edges.iter().zip(probabilities).map(|(&successor, probability)| match shares[successor] {
                Share::Fixed => (probability.numerator(), None),
                Share::Open { numerator, row } => {
                    let weight = (rest * u64::from(numerator) / total) as u32 / successors[successor].edges;
                    (weight.max(1), Some(row))
                }
            }),
        );
    }

    /// Whether LLVM's rules estimate a weight for the edges to a successor.
    fn has_estimate(&self, successor: SuccessorEdges) -> bool {
        self.estimates[successor.edge].is_some()
    }
}

/// Limits the odds for and against an edge to [`LIKELY`]. Does not change odds of at least [`OVERWHELMING`].
pub(super) fn bounded(log_odds: i64) -> i64 {
    match log_odds.abs() < OVERWHELMING {
        true => log_odds.clamp(-LIKELY, LIKELY),
        false => log_odds,
    }
}
