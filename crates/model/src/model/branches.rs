//! Predicts the branches of functions with a model.

use std::sync::Arc;

use bpa_profile::bpi::{Contribution, EdgeEstimates, LogOdds, PredictionSource, Predictions, Probability};
use bpa_profile::cfg::{Block, ControlFlow};
use bpa_profile::facts::Terminator;
use bpa_profile::profile::Profile;

use super::logistic::probability;
use super::{FeatureMatrix, Model, ModelPart, Trees};
use crate::features::{
    collected, successor_values, two_way_successor_values, FunctionStatistics, StatisticsError,
    SuccessorEdges, View, BRANCH_COUNT, INVERTED, OF_LOOP, SUCCESSOR_COUNT,
};
#[cfg(test)]
use bpa_profile::bpi::edge_estimates;

/// The natural logarithm of odds of 63 to 1, in units of 2^-16. Higher odds are reduced to this bound, with two
/// exceptions: edges that leave a loop or start its next iteration, and odds above [`OVERWHELMING`].
const LIKELY: i64 = 271_524;
/// The natural logarithm of odds of 400 to 1, in units of 2^-16. Odds above this bound are not reduced to [`LIKELY`].
/// Such odds occur only if several features indicate that a successor is rare. Example: the successor prints a message.
const OVERWHELMING: i64 = 392_656;

#[cfg(test)]
impl Model {
    /// Predicts the branches of one function. [`Queries::add_function`] describes the arguments.
    pub(crate) fn predict_branches(
        self: &Arc<Self>,
        profile: &Profile,
        statistics: &FunctionStatistics,
    ) -> Result<Predictions, StatisticsError> {
        let mut queries = Queries::with_capacity(0);
        queries.add_function(self, profile, edge_estimates(profile.facts()), statistics)?;
        Ok(queries.predict(self, [profile.graph()]).remove(0))
    }
}

/// The branches of one or more functions for which a model computes predictions, with their features. The trees are
/// evaluated for up to 128 branches at once. Predicting small functions together therefore takes fewer instructions
/// than predicting them one by one.
pub(crate) struct Queries {
    /// For each function, the end of its items in `branches`.
    functions: Vec<usize>,
    branches: Vec<QueriedBranch>,
    /// The successors of all switches.
    successors: Vec<QueriedSuccessor>,
    /// The probabilities that LLVM's rules predict for the edges of all switches.
    probabilities: Vec<Probability>,
    two_way: FeatureMatrix,
    switch: FeatureMatrix,
}

struct QueriedBranch {
    block: Block,
    is_switch: bool,
    /// Whether the condition is the negation of the test.
    is_inverted: bool,
    /// Whether an edge leaves a loop that contains the branch, or leads to the header of such a loop.
    is_of_loop: bool,
    /// The end of the branch's items in `successors`.
    successors_end: usize,
}

struct QueriedSuccessor {
    target: Block,
    /// The number of edges to the successor.
    edges: u32,
    /// Whether LLVM's rules estimate a weight for the edges to the successor.
    has_estimate: bool,
}

impl Queries {
    /// Creates an empty list, with memory for `branches` two-way branches.
    pub(crate) fn with_capacity(branches: usize) -> Self {
        Queries {
            functions: Vec::new(),
            branches: Vec::with_capacity(branches),
            successors: Vec::new(),
            probabilities: Vec::new(),
            two_way: FeatureMatrix::new(ModelPart::TwoWay.feature_count(), branches),
            switch: FeatureMatrix::new(ModelPart::Switch.feature_count(), 0),
        }
    }

    /// The number of queried two-way branches.
    pub(crate) fn len(&self) -> usize {
        self.two_way.len()
    }

    /// Adds the branches of a function that `model` can predict. `profile` must contain the predictions of LLVM's
    /// rules, and must not use a measured profile. `estimates` must be the function's [edge estimates](EdgeEstimates).
    /// `statistics` must describe the same function.
    ///
    /// LLVM estimates a weight for an edge if the successor is cold, unwinds, does not return or never completes. If a
    /// two-way branch has such a successor, the model does not predict the branch. If a switch has a successor with an
    /// estimated weight, this successor keeps the probability that LLVM's rules predict. The model distributes the
    /// remaining probability over the other successors.
    ///
    /// # Errors
    ///
    /// Returns an error if the statistics do not fit the function. No branch is then added.
    pub(crate) fn add_function(
        &mut self,
        model: &Model,
        profile: &Profile,
        estimates: EdgeEstimates,
        statistics: &FunctionStatistics,
    ) -> Result<(), StatisticsError> {
        let view = View::with_estimates(profile, estimates, statistics)?;
        let tree = view.graph().tree();
        self.two_way.reserve(statistics.tests.len());
        let has_switches = model.part(ModelPart::Switch).is_some();
        let mut successors = Vec::new();
        for (block, facts) in profile.facts().blocks() {
            match facts.terminator {
                Terminator::Branch if tree.reaches(block) => self.add_two_way(&view, block),
                Terminator::Switch if has_switches && tree.reaches(block) => {
                    self.add_switch(&view, block, &mut successors)
                }
                _ => {}
            }
        }
        self.functions.push(self.branches.len());
        Ok(())
    }

    /// Adds a two-way branch, if the model can predict it.
    fn add_two_way(&mut self, view: &View<'_>, block: Block) {
        let Some([taken, other]) = view.two_successors(block) else { return };
        if view.has_estimate(taken) || view.has_estimate(other) {
            return;
        }
        let is_inverted = view.is_inverted(block);
        let [first, second] = if is_inverted { [other, taken] } else { [taken, other] };
        let mut put = self.two_way.push_zeros::<{ ModelPart::TwoWay.feature_count() }>();
        view.branch_values(block, &mut put);
        let mut is_of_loop = false;
        let shows_loop = |column, value| OF_LOOP.contains(&column) && value != 0;
        two_way_successor_values(view, first, |column, value| {
            is_of_loop |= shows_loop(column, value);
            put(BRANCH_COUNT + column, value);
        });
        two_way_successor_values(view, second, |column, value| {
            is_of_loop |= shows_loop(column, value);
            put(BRANCH_COUNT + SUCCESSOR_COUNT + column, value);
        });
        drop(put);
        self.branches.push(QueriedBranch {
            block,
            is_switch: false,
            is_inverted,
            is_of_loop,
            successors_end: self.successors.len(),
        });
    }

    /// Adds a switch, if the model can predict it. `scratch` is scratch memory.
    fn add_switch(&mut self, view: &View<'_>, block: Block, scratch: &mut Vec<SuccessorEdges>) {
        scratch.clear();
        view.add_successors(block, scratch);
        let is_open = |successor: &&SuccessorEdges| !view.has_estimate(**successor);
        if scratch.len() < 2 || !scratch.iter().any(|successor| is_open(&successor)) {
            return;
        }
        let own: [i32; BRANCH_COUNT] = collected(|put| view.branch_values(block, put));
        for &successor in scratch.iter().filter(is_open) {
            let mut put = self.switch.push_zeros::<{ ModelPart::Switch.feature_count() }>();
            (0..).zip(own).for_each(|(column, value)| put(column, value));
            successor_values(view, successor, |column, value| put(BRANCH_COUNT + column, value));
        }
        self.successors.extend(scratch.iter().map(|&successor| QueriedSuccessor {
            target: successor.target,
            edges: successor.edges,
            has_estimate: view.has_estimate(successor),
        }));
        self.probabilities.extend_from_slice(&view.probabilities[view.graph().edges(block)]);
        self.branches.push(QueriedBranch {
            block,
            is_switch: true,
            is_inverted: false,
            is_of_loop: false,
            successors_end: self.successors.len(),
        });
    }

    /// Predicts all branches of the list with `model`. [`Rule::Learned`](bpa_profile::bpi::Rule::Learned) uses these
    /// predictions. `graphs` are the graphs of the added functions, in order. The result has one item for each
    /// function.
    pub(crate) fn predict<'a>(
        self,
        model: &Arc<Model>,
        graphs: impl IntoIterator<Item = &'a ControlFlow>,
    ) -> Vec<Predictions> {
        let odds = |part, rows| model.part(part).map_or(Vec::new(), |trees: &Trees| trees.log_odds(rows));
        let two_way = odds(ModelPart::TwoWay, &self.two_way);
        let switch = odds(ModelPart::Switch, &self.switch);
        let (mut two_way, mut switch) = (two_way.into_iter().zip(0..), switch.into_iter().zip(0..));
        // [`FeatureRows`] numbers the rows of switches after the rows of two-way branches.
        let before = self.two_way.len() as u32;
        let source =
            Arc::new(FeatureRows { model: model.clone(), two_way: self.two_way, switch: self.switch });
        let mut shares = Vec::new();
        let (mut first_branch, mut first_successor, mut probabilities) = (0, 0, &self.probabilities[..]);
        let of_function = |(graph, end): (&ControlFlow, usize)| {
            let branches = &self.branches[first_branch..end];
            first_branch = end;
            let mut predictions =
                Predictions::with_capacity(branches.len(), graph.edge_count()).explained_by(source.clone());
            for branch in branches {
                let successors = &self.successors[first_successor..branch.successors_end];
                first_successor = branch.successors_end;
                if branch.is_switch {
                    shares.clear();
                    shares.extend(successors.iter().map(|successor| match successor.has_estimate {
                        true => Share::Fixed,
                        false => Share::of(
                            switch.next().expect("the model returns one value for each row"),
                            before,
                        ),
                    }));
                    let targets = graph.successors(branch.block);
                    let (of_edges, others) = probabilities.split_at(targets.len());
                    probabilities = others;
                    let weights = distribute(targets, of_edges, successors, &shares);
                    add(&mut predictions, branch.block, weights.into_iter());
                    continue;
                }
                let (odds, row) = two_way.next().expect("the model returns one value for each row");
                let first = probability(if branch.is_of_loop { odds } else { bounded(odds) }).numerator();
                let mut weights = [first, Probability::DENOMINATOR - first];
                if branch.is_inverted {
                    weights.reverse();
                }
                add(&mut predictions, branch.block, weights.into_iter().map(|weight| (weight, Some(row))));
            }
            predictions
        };
        graphs.into_iter().zip(self.functions).map(of_function).collect()
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

/// The weight and the row of each edge of a switch. Edges with an estimated weight keep LLVM's probability. The other
/// successors get the remaining probability in proportion to their `shares`. If several edges lead to a successor,
/// these edges get equal parts of the successor's probability. `targets` and `probabilities` have one item for each
/// edge.
fn distribute(
    targets: &[Block],
    probabilities: &[Probability],
    successors: &[QueriedSuccessor],
    shares: &[Share],
) -> Vec<(u32, Option<u32>)> {
    let mut places: Vec<(Block, usize)> =
        successors.iter().map(|successor| successor.target).zip(0..).collect();
    places.sort_unstable();
    let index_of = |target: &Block| {
        let place = places.binary_search_by_key(target, |&(known, _)| known);
        places[place.expect("each edge leads to one of the successors")].1
    };
    let edges: Vec<usize> = targets.iter().map(index_of).collect();
    let known =
        edges.iter().zip(probabilities).filter(|&(&successor, _)| matches!(shares[successor], Share::Fixed));
    let taken: u64 = known.map(|(_, probability)| u64::from(probability.numerator())).sum();
    let rest = u64::from(Probability::DENOMINATOR).saturating_sub(taken);
    let total: u64 = shares.iter().map(|share| share.numerator()).sum();
    let weight = |(&successor, probability): (&usize, &Probability)| match shares[successor] {
        Share::Fixed => (probability.numerator(), None),
        Share::Open { numerator, row } => {
            let weight = (rest * u64::from(numerator) / total) as u32 / successors[successor].edges;
            (weight.max(1), Some(row))
        }
    };
    edges.iter().zip(probabilities).map(weight).collect()
}

impl View<'_> {
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

/// The features of the predicted branches of a function. The rows of two-way branches have lower numbers than the rows
/// of switches.
#[derive(Debug)]
pub(super) struct FeatureRows {
    pub model: Arc<Model>,
    pub two_way: FeatureMatrix,
    pub switch: FeatureMatrix,
}

impl PredictionSource for FeatureRows {
    fn log_odds(&self, row: u32, place: usize) -> LogOdds {
        let row = row as usize;
        let (part, features) = match row.checked_sub(self.two_way.len()) {
            None => (ModelPart::TwoWay, self.two_way.row(row)),
            Some(row) => (ModelPart::Switch, self.switch.row(row)),
        };
        let of_switch = part == ModelPart::Switch;
        // The sum for a two-way branch is the logarithm of the odds that its test is true. The odds of a false test are
        // the reciprocal of these odds.
        let is_false = (place == 1) != (features[INVERTED] != 0);
        let sign = if !of_switch && is_false { -1 } else { 1 };
        let (start, moved) =
            self.model.part(part).expect("the model has a part for each row").contributions(&features);
        let names = part.feature_names();
        let contribution = |&one: &super::FeatureAmount| Contribution {
            feature: names[one.feature].clone(),
            value: features[one.feature],
            amount: sign * one.amount,
        };
        LogOdds { of_switch, start: sign * start, contributions: moved.iter().map(contribution).collect() }
    }
}
