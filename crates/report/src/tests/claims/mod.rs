//! Checks every statement of the explanations against the graph. The checks use only the graph, the printed text and the
//! JSON, and their own simple definitions of dominance and loops.

mod frequencies;
mod probabilities;

use std::collections::BTreeSet;

use bpa_schema::Function;
use proptest::collection::vec;
use proptest::option;

use super::*;
use bpa_profile::bfi::FrequencyMethod;

type Blocks = BTreeSet<usize>;

/// A graph, as lists of successors. Block 0 is the entry.
struct Graph(Vec<Vec<usize>>);

impl Graph {
    fn of(profile: &Profile) -> Self {
        let successors = |block| profile.graph().successors(block).iter().map(|to| to.as_u32() as usize);
        Graph(profile.graph().blocks().map(|block| successors(block).collect()).collect())
    }

    fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.0.iter().enumerate().flat_map(|(from, targets)| targets.iter().map(move |&to| (from, to)))
    }

    /// The blocks that `from` reaches by a path within `within`. The path can be empty.
    fn reached(&self, from: usize, within: impl Fn(usize) -> bool) -> Blocks {
        let (mut found, mut frontier) = (Blocks::new(), vec![from]);
        while let Some(block) = frontier.pop() {
            if within(block) && found.insert(block) {
                frontier.extend(&self.0[block]);
            }
        }
        found
    }

    fn reachable(&self) -> Blocks {
        self.reached(0, |_| true)
    }

    fn dominates(&self, above: usize, below: usize) -> bool {
        !self.reached(0, |block| block != above).contains(&below)
    }

    fn post_dominates(&self, below: usize, above: usize) -> bool {
        let avoiding = self.reached(above, |block| block != below);
        avoiding.iter().all(|&block| !self.0[block].is_empty())
    }

    /// The natural loop of `header`, or `None` if the block heads no natural loop.
    fn natural_loop(&self, header: usize) -> Option<Blocks> {
        let alive = self.reachable();
        let mut latches = self.edges().filter(|&(from, to)| to == header && alive.contains(&from));
        if !latches.any(|(latch, _)| self.dominates(header, latch)) {
            return None;
        }
        let inside = |&block: &usize| {
            self.dominates(header, block)
                && self.0[block].iter().any(|&next| {
                    next == header
                        || self
                            .reached(next, |on| on != header && self.dominates(header, on))
                            .iter()
                            .any(|&last| self.0[last].contains(&header))
                })
        };
        Some(alive.iter().copied().filter(inside).chain([header]).collect())
    }

    /// The strongly connected component of `block` within `blocks`. The component of a block that is in no cycle is
    /// empty.
    fn component(&self, block: usize, blocks: &Blocks) -> Blocks {
        let reached = |from: usize| -> Blocks {
            self.0[from].iter().flat_map(|&next| self.reached(next, |on| blocks.contains(&on))).collect()
        };
        let forward = reached(block);
        forward.into_iter().filter(|&other| reached(other).contains(&block)).collect()
    }

    /// The blocks of `cycle` with an edge from a reachable block outside.
    fn entries(&self, cycle: &Blocks) -> Blocks {
        let alive = self.reachable();
        let enters = |&(from, to): &(usize, usize)| {
            alive.contains(&from) && !cycle.contains(&from) && cycle.contains(&to)
        };
        self.edges().filter(enters).map(|edge| edge.1).collect()
    }
}

/// The values of the placeholders `{}` of `pattern` in `line`.
fn scan<'a, const N: usize>(pattern: &str, line: &'a str) -> Option<[&'a str; N]> {
    let parts: Vec<&str> = pattern.split("{}").collect();
    let (first, last) = (parts.first()?, parts.last()?);
    let mut rest = line.strip_prefix(first)?;
    let mut values = Vec::new();
    for part in &parts[1..parts.len().max(2) - 1] {
        let (value, after) = rest.split_once(part)?;
        values.push(value);
        rest = after;
    }
    match parts.len() {
        1 => rest.is_empty().then_some(())?,
        _ => values.push(rest.strip_suffix(last)?),
    }
    values.try_into().ok()
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("'{text}' is not a number"))
}

fn block_of(name: &str) -> usize {
    name.strip_prefix("%b")
        .and_then(|digits| digits.parse().ok())
        .unwrap_or_else(|| panic!("no block: {name}"))
}

/// A function and its explanations.
struct Explained {
    printed: Printed,
    graph: Graph,
    probabilities: String,
    frequencies: String,
    json: Function<'static>,
}

impl Explained {
    fn new(picture: &str, version: &str, method: FrequencyMethod, weights: &[Option<u64>]) -> Self {
        // The entry of a function in LLVM has no predecessors.
        let mut printed = Printed::new(&format!("entry -> 0; {picture}"));
        let mut facts = printed.parsed.function.clone();
        let header_weights =
            facts.graph().blocks().zip(weights).filter_map(|(block, weight)| Some((block, (*weight)?)));
        let header_weights = header_weights.collect();
        facts.set_profile(Some(EntryCount { count: 1_000, synthetic: false }), header_weights);
        let dialect = Dialect::named(version).expect("supported");
        let builder = Profile::builder(facts, dialect).method(method);
        printed.profile = builder.build_with(&mut printed.parsed.conditions.clone());
        let (probabilities, frequencies) =
            (printed.explained_probabilities(), printed.explained_frequencies());
        let reasons = Some(printed.reasons());
        let (names, source) = (printed.names(), &printed.source);
        let json =
            text(|out| write_json(&names, source, &printed.profile, Analysis::Frequencies, reasons, out));
        let json = serde_json::from_str::<Function>(Box::leak(json.into_boxed_str())).expect("well formed");
        Explained { graph: Graph::of(&printed.profile), printed, probabilities, frequencies, json }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn explanations_state_facts(
        picture in pictures(),
        exact in proptest::bool::weighted(0.2),
        weights in vec(option::weighted(0.1, 0..100u64), 17),
    ) {
        let method = if exact { FrequencyMethod::Exact } else { FrequencyMethod::Llvm };
        for version in ["16", "22", "24"] {
            let explained = Explained::new(&picture, version, method, &weights);
            explained.check_frequencies();
            explained.check_probabilities();
        }
    }
}
