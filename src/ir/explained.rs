//! Why probabilities and frequencies of a live function are what they are.

use cranelift_entity::PrimaryMap;

use super::live::LiveFunction;
use super::names::BlockNames;
use bpa_core::bpi::{Derivation, Explanation};
use bpa_core::cfg::Block;
use bpa_core::profile::Profile;
use bpa_core::report;
use bpa_core::schema::Reason;

/// Why the edges and blocks of a function have their probabilities and frequencies: block by block as data, and in the
/// words of `rust-bpi<explain>` and `rust-bfi<explain>`.
///
/// Methods that are given a block panic if the function does not have it.
pub struct Explanations {
    profile: Profile,
    blocks: PrimaryMap<Block, Explanation>,
    /// Of each edge.
    derivations: Vec<Option<Derivation>>,
    probabilities: String,
    frequencies: String,
}

impl Explanations {
    /// Explains the profile of `live`.
    pub(super) fn new(live: &LiveFunction, profile: Profile) -> Self {
        let mut conditions = live.conditions(profile.dialect());
        let mut explainer = profile.explainer(&mut conditions);
        let blocks = profile.blocks().map(|block| explainer.explain(block)).collect();
        let edges =
            profile.blocks().flat_map(|block| profile.successors(block).iter().map(move |&to| (block, to)));
        let derivations = edges.map(|(source, target)| explainer.derivation(source, target)).collect();
        let [mut probabilities, mut frequencies] = [Vec::new(), Vec::new()];
        live.write_explained_probabilities(&profile, &mut probabilities);
        live.write_explained_frequencies(&profile, &mut frequencies);
        let [probabilities, frequencies] =
            [probabilities, frequencies].map(|text| String::from_utf8_lossy(&text).into_owned());
        Explanations { profile, blocks, derivations, probabilities, frequencies }
    }

    /// The profile that is explained.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Why the edges of `block` have their probabilities.
    pub fn of(&self, block: Block) -> &Explanation {
        &self.blocks[block]
    }

    /// How the edge from `block` to its successor number `place` came to its estimated weight; none if it has none, or
    /// the block has no successor of that number.
    pub fn derivation(&self, block: Block, place: usize) -> Option<&Derivation> {
        let edge = self.profile.graph().edges(block).nth(place)?;
        self.derivations[edge].as_ref()
    }

    /// What `rust-bpi<explain>` prints. What is not UTF-8 in names becomes U+FFFD.
    pub fn probabilities_text(&self) -> &str {
        &self.probabilities
    }

    /// What `rust-bfi<explain>` prints. What is not UTF-8 in names becomes U+FFFD.
    pub fn frequencies_text(&self) -> &str {
        &self.frequencies
    }
}

impl LiveFunction {
    /// Appends what `rust-bpi<explain>` prints, from the function's `profile`, in the words of the profile's dialect.
    pub(crate) fn write_explained_probabilities(&self, profile: &Profile, out: &mut Vec<u8>) {
        let dialect = profile.dialect();
        let names = BlockNames::new(self, dialect.probability_block_names);
        let mut conditions = self.conditions(dialect);
        let mut explainer = profile.explainer(&mut conditions);
        let write_name = |block, out: &mut Vec<u8>| names.write(block, out);
        report::write_header(dialect.probability_header, self.name(), out);
        report::write_explained_probabilities(
            profile,
            &mut explainer,
            &self.ir_text(dialect),
            write_name,
            out,
        );
    }

    /// Of each edge why it has its probability.
    pub(crate) fn edge_reasons(&self, profile: &Profile) -> Vec<Reason<'static>> {
        let dialect = profile.dialect();
        let mut conditions = self.conditions(dialect);
        let mut explainer = profile.explainer(&mut conditions);
        report::edge_reasons(profile, &mut explainer, &self.ir_text(dialect))
    }

    /// Appends what `rust-bfi<explain>` prints.
    pub(crate) fn write_explained_frequencies(&self, profile: &Profile, out: &mut Vec<u8>) {
        let dialect = profile.dialect();
        let names = BlockNames::new(self, dialect.frequency_block_names);
        let write_name = |block, out: &mut Vec<u8>| names.write(block, out);
        report::write_header(dialect.frequency_header, self.name(), out);
        report::write_explained_frequencies(self.name(), profile, &self.ir_text(dialect), write_name, out);
    }
}
