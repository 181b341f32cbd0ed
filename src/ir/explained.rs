//! Explains the probabilities and frequencies of a live function.

use cranelift_entity::PrimaryMap;

use super::live::LiveFunction;
use super::names::BlockNames;
use bpa_core::bpi::{Derivation, Explanation};
use bpa_core::cfg::Block;
use bpa_core::profile::Profile;
use bpa_core::report::{self, EdgeReasons};

/// The explanation of a function's probabilities and frequencies: data for each block, and the text of
/// `rust-bpi<explain>` and `rust-bfi<explain>`.
///
/// Each method that takes a block panics if the function does not have this block.
pub struct Explanations {
    profile: Profile,
    blocks: PrimaryMap<Block, Explanation>,
    /// The derivation of the estimated weight of each edge, or `None` for edges without an estimated weight.
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

    /// The explained profile.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Explains the probabilities of the edges of `block`.
    pub fn of(&self, block: Block) -> &Explanation {
        &self.blocks[block]
    }

    /// Explains the estimated weight of the edge from `block` to its successor at index `place`. The result is `None`
    /// if the edge has no estimated weight, or if `block` has no successor at this index.
    pub fn derivation(&self, block: Block, place: usize) -> Option<&Derivation> {
        let edge = self.profile.graph().edges(block).nth(place)?;
        self.derivations[edge].as_ref()
    }

    /// The text of `rust-bpi<explain>`. In names, bytes that are not valid UTF-8 become U+FFFD.
    pub fn probabilities_text(&self) -> &str {
        &self.probabilities
    }

    /// The text of `rust-bfi<explain>`. In names, bytes that are not valid UTF-8 become U+FFFD.
    pub fn frequencies_text(&self) -> &str {
        &self.frequencies
    }
}

impl LiveFunction<'_> {
    /// Appends the text of `rust-bpi<explain>` for `profile`, in the format of the profile's LLVM version.
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

    /// The reasons for the probabilities of all edges.
    pub(crate) fn edge_reasons(&self, profile: &Profile) -> EdgeReasons {
        let dialect = profile.dialect();
        let mut conditions = self.conditions(dialect);
        let mut explainer = profile.explainer(&mut conditions);
        report::edge_reasons(profile, &mut explainer, &self.ir_text(dialect))
    }

    /// Appends the text of `rust-bfi<explain>` for `profile`, in the format of the profile's LLVM version.
    pub(crate) fn write_explained_frequencies(&self, profile: &Profile, out: &mut Vec<u8>) {
        let dialect = profile.dialect();
        let names = BlockNames::new(self, dialect.frequency_block_names);
        let write_name = |block, out: &mut Vec<u8>| names.write(block, out);
        report::write_header(dialect.frequency_header, self.name(), out);
        report::write_explained_frequencies(self.name(), profile, &self.ir_text(dialect), write_name, out);
    }
}
