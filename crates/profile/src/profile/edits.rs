//! Updates for common edits of a pass: splitting an edge, removing an edge, and merging two blocks.

use super::profile::Profile;
use super::update::UpdateError;
use crate::bpi::Probability;
use crate::cfg::Block;

impl Profile {
    /// Splits the edge from `block` to its successor with index `place`, and returns the new block on this edge. The
    /// new block has the frequency of the edge. All other frequencies do not change.
    ///
    /// ```
    /// # use bpa_profile::cfg::parse_graph;
    /// # use bpa_profile::dialect::Dialect;
    /// # use bpa_profile::facts::FunctionFacts;
    /// # use bpa_profile::profile::Profile;
    /// let (graph, block) = parse_graph("entry -> then end; then -> end; end").unwrap();
    /// let mut profile = Profile::new(FunctionFacts::from(graph), Dialect::named("16").unwrap());
    /// let middle = profile.split_edge(block("entry"), 1)?;
    /// assert_eq!(profile.successors(block("entry")), [block("then"), middle]);
    /// assert_eq!(profile.successors(middle), [block("end")]);
    /// assert_eq!(profile.frequency(middle).to_string(), "0.5");
    /// # Ok::<(), bpa_profile::profile::UpdateError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the block has no successor with this index.
    ///
    /// LLVM: `SplitEdge`.
    pub fn split_edge(&mut self, block: Block, place: usize) -> Result<Block, UpdateError> {
        let mut edges = self.edges_of(block, place)?;
        let middle = self.add_block(self.edge_frequency(block, place));
        self.set_successors(middle, &[(edges[place].0, Probability::ONE)])?;
        edges[place].0 = middle;
        self.set_successors(block, &edges)?;
        Ok(middle)
    }

    /// Removes the edge from `block` to its successor with index `place`. The probabilities of the remaining edges keep
    /// their proportions, and are scaled to the sum 1. If all these probabilities are 0, the edges get equal
    /// probabilities. Frequencies do not change until they are [recomputed](Self::recompute).
    ///
    /// ```
    /// # use bpa_profile::bpi::Probability;
    /// # use bpa_profile::cfg::parse_graph;
    /// # use bpa_profile::dialect::Dialect;
    /// # use bpa_profile::facts::FunctionFacts;
    /// # use bpa_profile::profile::Profile;
    /// let (graph, block) = parse_graph("entry -> a b c; a -> c; b -> c; c").unwrap();
    /// let mut profile = Profile::new(FunctionFacts::from(graph), Dialect::named("16").unwrap());
    /// let [half, quarter] = [2, 4].map(|whole| Probability::ratio(1, whole));
    /// profile.set_probabilities(block("entry"), &[half, quarter, quarter])?;
    /// profile.remove_edge(block("entry"), 0)?;
    /// assert_eq!(profile.successors(block("entry")), [block("b"), block("c")]);
    /// assert_eq!(profile.probabilities(block("entry")), [half, half]);
    /// # Ok::<(), bpa_profile::profile::UpdateError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the block has no successor with this index.
    pub fn remove_edge(&mut self, block: Block, place: usize) -> Result<(), UpdateError> {
        let mut edges = self.edges_of(block, place)?;
        edges.remove(place);
        let sum: u64 = edges.iter().map(|edge| u64::from(edge.1.numerator())).sum();
        let count = edges.len() as u64;
        let whole = u64::from(Probability::DENOMINATOR);
        for (_, probability) in &mut edges {
            let numerator = match sum {
                0 => whole / count,
                // The result is at most 2^31, because each numerator is at most the sum.
                sum => (u64::from(probability.numerator()) * whole + sum / 2) / sum,
            };
            *probability = Probability::from_numerator(numerator as u32);
        }
        self.set_successors(block, &edges)
    }

    /// Merges `block` with its only successor, and returns this successor. `block` gets the edges and probabilities of
    /// the successor, and the successor is [removed](Self::forget). The search for other predecessors takes time
    /// proportional to the number of edges. A caller that knows the predecessors can use
    /// [`set_successors`](Self::set_successors) and [`forget`](Self::forget) instead.
    ///
    /// ```
    /// # use bpa_profile::cfg::parse_graph;
    /// # use bpa_profile::dialect::Dialect;
    /// # use bpa_profile::facts::FunctionFacts;
    /// # use bpa_profile::profile::Profile;
    /// let (graph, block) = parse_graph("entry -> next; next -> a b; a -> b; b").unwrap();
    /// let mut profile = Profile::new(FunctionFacts::from(graph), Dialect::named("16").unwrap());
    /// assert_eq!(profile.merge_successor(block("entry"))?, block("next"));
    /// assert_eq!(profile.successors(block("entry")), [block("a"), block("b")]);
    /// # Ok::<(), bpa_profile::profile::UpdateError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the block does not have exactly one successor, or if this successor has other predecessors
    /// or is the entry.
    ///
    /// LLVM: `MergeBlockIntoPredecessor`.
    pub fn merge_successor(&mut self, block: Block) -> Result<Block, UpdateError> {
        self.check_count(block, 1)?;
        let merged = self.successors(block)[0];
        if merged == self.facts().graph.entry() {
            return Err(UpdateError::Entry);
        }
        if let Some(&other) = self.graph().predecessors(merged).iter().find(|&&other| other != block) {
            return Err(UpdateError::OtherPredecessor { block: merged, other });
        }
        if merged == block {
            return Err(UpdateError::OtherPredecessor { block, other: block });
        }
        let (successors, probabilities) = (self.successors(merged), self.probabilities(merged));
        let edges: Vec<_> = successors.iter().copied().zip(probabilities.iter().copied()).collect();
        self.set_successors(block, &edges)?;
        self.forget(merged)?;
        Ok(merged)
    }

    /// The successors of `block` with their probabilities, or an error if `block` has no successor with index `place`.
    fn edges_of(&self, block: Block, place: usize) -> Result<Vec<(Block, Probability)>, UpdateError> {
        self.check_block(block)?;
        let (successors, probabilities) = (self.successors(block), self.probabilities(block));
        if place >= successors.len() {
            return Err(UpdateError::Count { block, successors: successors.len(), given: place + 1 });
        }
        Ok(successors.iter().copied().zip(probabilities.iter().copied()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::parse_graph;
    use crate::dialect::Dialect;
    use crate::facts::FunctionFacts;
    use crate::profile::BlockFrequency;

    fn profile(text: &str) -> (Profile, impl Fn(&str) -> Block + use<>) {
        let (graph, block) = parse_graph(text).expect("a graph");
        (Profile::new(FunctionFacts::from(graph), Dialect::named("16").expect("supported")), block)
    }

    #[test]
    fn invalid_edits_return_errors_and_change_nothing() {
        let (mut profile, block) = profile("entry -> a b; a -> b; b -> b c; c");
        let before = profile.blocks().len();
        let count = |block, successors, given| UpdateError::Count { block, successors, given };
        assert_eq!(profile.split_edge(block("a"), 1), Err(count(block("a"), 1, 2)));
        assert_eq!(profile.remove_edge(block("c"), 0), Err(count(block("c"), 0, 1)));
        assert_eq!(profile.merge_successor(block("entry")), Err(count(block("entry"), 2, 1)));
        let other = UpdateError::OtherPredecessor { block: block("b"), other: block("b") };
        assert_eq!(profile.merge_successor(block("a")), Err(other));
        assert_eq!(profile.split_edge(Block::from_u32(9), 0), Err(UpdateError::NoBlock(Block::from_u32(9))));
        assert_eq!(profile.blocks().len(), before);
        assert_eq!(profile.successors(block("b")), [block("b"), block("c")]);
    }

    #[test]
    fn a_block_is_not_merged_into_itself() {
        let (mut profile, block) = profile("entry -> a; a -> a");
        assert!(matches!(profile.merge_successor(block("a")), Err(UpdateError::OtherPredecessor { .. })));
    }

    #[test]
    fn the_last_edge_and_edges_of_probability_0_can_be_removed() {
        let (mut profile, block) = profile("entry -> a b c; a; b; c");
        profile
            .set_probabilities(block("entry"), &[Probability::ONE, Probability::ZERO, Probability::ZERO])
            .expect("one probability for each edge");
        profile.remove_edge(block("entry"), 0).expect("the edge exists");
        assert_eq!(profile.probabilities(block("entry")), [Probability::ratio(1, 2); 2]);
        profile.remove_edge(block("entry"), 0).expect("the edge exists");
        assert_eq!(profile.probabilities(block("entry")), [Probability::ONE]);
        profile.remove_edge(block("entry"), 0).expect("the edge exists");
        assert_eq!(profile.successors(block("entry")), []);
        profile.recompute().expect("no edge leads to a removed block");
        assert_eq!(profile.frequency(block("c")), BlockFrequency::NEVER);
    }

    #[test]
    fn edits_and_recomputation_give_equal_frequencies() {
        let (mut profile, block) =
            profile("entry -> a b; a -> c; b -> c; c -> entry2; entry2 -> d e; d -> e; e");
        let middle = profile.split_edge(block("entry"), 0).expect("the edge exists");
        profile.merge_successor(block("c")).expect("the block has one predecessor");
        let values = |profile: &Profile| -> Vec<BlockFrequency> {
            profile.blocks().map(|block| profile.frequency(block)).collect()
        };
        let before = values(&profile);
        profile.recompute().expect("no edge leads to a removed block");
        // The test compares printed digits, because the frequency of a split edge and the frequency from a new analysis
        // are rounded differently.
        let unit = Probability::from_numerator(1);
        for (one, other) in before.into_iter().zip(values(&profile)) {
            assert!(one <= other + other * unit && other <= one + one * unit, "{one:?} {other:?}");
        }
        assert_eq!(profile.dominators().idom(block("a")), Some(middle));
    }
}
