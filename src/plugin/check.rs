//! Compares bpa's numbers with the results of the host's own analyses.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use bpa_core::cfg::Block;
use bpa_core::dialect::BlockNameStyle;
use bpa_core::profile::Profile;

use super::fault;
use super::message::Failure;
use super::request::Analysis;
use crate::ir::{BlockNames, HostProfile, LiveFunction};

/// Compares `profile` with the host's results for `live`: every edge probability and, if `analysis` needs frequencies,
/// every block frequency. Returns the first difference as an error.
pub(super) fn check(analysis: Analysis, live: &LiveFunction, profile: &Profile) -> Result<(), Failure> {
    let with_frequencies = analysis.needs_frequencies();
    log::trace!("having LLVM analyse '{}'", live.display_name());
    let pass = if with_frequencies { "rust-bfi<check>" } else { "rust-bpi<check>" };
    let failure = |what| Failure(format!("{pass}: function '{}', {what}", live.display_name()));
    let Some(mut host) = live.host_profile(with_frequencies) else {
        return Err(failure("a block has no terminator, so LLVM cannot analyse the function".into()));
    };
    if fault::is_wanted("check", Some(live)) {
        host.probabilities.iter_mut().for_each(|numerator| *numerator ^= 1);
    }
    let names = BlockNames::new(live, BlockNameStyle::Operand);
    if let Some(difference) = first_difference(profile, &host, |block| names.operand(block)) {
        return Err(failure(difference));
    }
    if log::log_enabled!(log::Level::Debug) {
        let branches = profile.blocks().filter(|&block| profile.successors(block).len() > 1).count();
        let (name, blocks, form) =
            (live.display_name(), profile.blocks().len(), form(profile, with_frequencies));
        log::debug!("LLVM agrees on '{name}': {blocks} blocks, {branches} branches, form {form:016x}");
    }
    Ok(())
}

/// A hash of the compared parts of a function: the edges, the edge probabilities and, if requested, the block
/// frequencies. The fuzzing script counts distinct hashes, so equal functions count once.
fn form(profile: &Profile, with_frequencies: bool) -> u64 {
    let mut hasher = DefaultHasher::new();
    for block in profile.blocks() {
        let numerators = profile.probabilities(block).iter().map(|probability| probability.numerator());
        let frequency = with_frequencies.then(|| profile.integer_frequency(block));
        (block, frequency, profile.successors(block)).hash(&mut hasher);
        numerators.for_each(|numerator| numerator.hash(&mut hasher));
    }
    hasher.finish()
}

/// Describes the first edge in layout order for which the two probabilities differ. If all probabilities are equal,
/// describes the first block for which the two frequencies differ. Probabilities are compared first because frequencies
/// depend on probabilities. `name` returns the name of a block.
fn first_difference(profile: &Profile, host: &HostProfile, name: impl Fn(Block) -> String) -> Option<String> {
    // If an earlier pass has changed blocks or edges and has not reported the change, `profile` describes the function
    // before the change.
    if let Some(numbers) = differing(host.edges.len(), profile.blocks().len()) {
        return Some(format!("number of blocks: {numbers}"));
    }
    profile.blocks().find_map(|block| edge_difference(profile, host, block, &name)).or_else(|| {
        let frequencies = host.frequencies.as_ref()?;
        let ours = profile.block_frequencies();
        frequencies.iter().find_map(|(block, &frequency)| {
            let numbers = differing(frequency, ours.integer(block))?;
            Some(format!("frequency of {}: {numbers}", name(block)))
        })
    })
}

/// Describes the first difference among the edges of `block`.
fn edge_difference(
    profile: &Profile,
    host: &HostProfile,
    block: Block,
    name: impl Fn(Block) -> String,
) -> Option<String> {
    let (theirs, ours) = (&host.probabilities[host.edges[block].clone()], profile.probabilities(block));
    if let Some(numbers) = differing(theirs.len(), ours.len()) {
        return Some(format!("number of edges from {}: {numbers}", name(block)));
    }
    let targets = profile.successors(block);
    (0..ours.len()).find_map(|place| {
        let numbers = differing(Numerator(theirs[place]), Numerator(ours[place].numerator()))?;
        let (from, to) = (name(block), name(targets[place]));
        Some(format!("probability of edge {place} of {from}, which leads to {to}: {numbers}"))
    })
}

/// Describes the host's number and bpa's number if they differ.
fn differing<T: PartialEq + fmt::Display>(host: T, ours: T) -> Option<String> {
    (host != ours).then(|| format!("LLVM has {host}, we have {ours}"))
}

/// The numerator of a probability.
#[derive(PartialEq)]
struct Numerator(u32);

impl fmt::Display for Numerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08x} / 0x80000000", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host_dialect;
    use bpa_core::cfg::parse_graph;
    use bpa_core::facts::FunctionFacts;

    /// The profile of a function with parallel edges, a loop and an unreachable block.
    fn profile() -> Profile {
        let (graph, block) = parse_graph("a -> b c b; b -> b c; c; lost -> c a").unwrap();
        let mut facts = FunctionFacts::builder(graph);
        facts.weights(block("a"), &[1, 2, 3]);
        Profile::new(facts.build().unwrap(), host_dialect())
    }

    /// The results of a host that computes the same numbers as bpa.
    fn agreeing(profile: &Profile) -> HostProfile {
        let graph = profile.graph();
        HostProfile {
            edges: profile.blocks().map(|block| graph.edges(block)).collect(),
            probabilities: profile
                .branch_probabilities()
                .probabilities()
                .iter()
                .map(|probability| probability.numerator())
                .collect(),
            frequencies: Some(profile.blocks().map(|block| profile.integer_frequency(block)).collect()),
        }
    }

    fn difference(profile: &Profile, host: &HostProfile) -> Option<String> {
        first_difference(profile, host, |block| format!("%{}", block.as_u32()))
    }

    #[test]
    fn equal_numbers_are_no_difference() {
        let profile = profile();
        let mut host = agreeing(&profile);
        assert_eq!(difference(&profile, &host), None);
        host.frequencies = None;
        assert_eq!(difference(&profile, &host), None);
    }

    /// The comparison finds a difference of one unit in any number, also for parallel edges and unreachable blocks.
    #[test]
    fn every_number_is_compared() {
        let profile = profile();
        let edges = profile.blocks().flat_map(|block| {
            profile.graph().edges(block).zip(0..).map(move |(edge, place)| (block, edge, place))
        });
        for (block, edge, place) in edges {
            let mut host = agreeing(&profile);
            let ours = host.probabilities[edge];
            host.probabilities[edge] ^= 1;
            let text = difference(&profile, &host).expect("the changed probability is reported");
            let edge = format!("probability of edge {place} of %{}, which leads to ", block.as_u32());
            assert!(text.starts_with(&edge), "{text}");
            assert!(text.contains(&format!("LLVM has 0x{:08x} / ", ours ^ 1)), "{text}");
            assert!(text.contains(&format!("we have 0x{ours:08x} / ")), "{text}");
        }
        for block in profile.blocks() {
            let mut host = agreeing(&profile);
            let theirs = &mut host.frequencies.as_mut().unwrap()[block];
            *theirs ^= 1;
            let (block, theirs, ours) = (block.as_u32(), *theirs, *theirs ^ 1);
            let expected = format!("frequency of %{block}: LLVM has {theirs}, we have {ours}");
            assert_eq!(difference(&profile, &host), Some(expected));
        }
    }

    #[test]
    fn other_numbers_give_another_hash() {
        let (profile, facts) = (profile(), FunctionFacts::builder((**profile().graph()).clone()));
        let even = Profile::new(facts.build().unwrap(), host_dialect());
        assert_eq!(form(&profile, true), form(&profile, true));
        assert_ne!(form(&profile, true), form(&even, true));
        assert_ne!(form(&profile, false), form(&even, false));
        assert_ne!(form(&profile, false), form(&profile, true));
    }

    #[test]
    fn both_numbers_are_reported() {
        let profile = profile();
        let mut host = agreeing(&profile);
        host.frequencies.as_mut().unwrap()[Block::from_u32(3)] = u64::MAX;
        let frequency = "frequency of %3: LLVM has 18446744073709551615, we have 0";
        assert_eq!(difference(&profile, &host).as_deref(), Some(frequency));
        host.probabilities[2] = u32::MAX;
        let probability = "probability of edge 2 of %0, which leads to %1: \
                           LLVM has 0xffffffff / 0x80000000, we have 0x40000000 / 0x80000000";
        assert_eq!(difference(&profile, &host).as_deref(), Some(probability));
        host.edges[Block::from_u32(0)] = 0..2;
        let edges = "number of edges from %0: LLVM has 2, we have 3";
        assert_eq!(difference(&profile, &host).as_deref(), Some(edges));
        host.edges = Default::default();
        let blocks = "number of blocks: LLVM has 0, we have 4";
        assert_eq!(difference(&profile, &host).as_deref(), Some(blocks));
    }
}
