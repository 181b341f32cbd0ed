//! Block bias: the effect of all evidence on a block, after LLVM's "Block Frequency Terminology":
//!
//! > **bias = frequency / reference frequency**
//!
//! - The *frequency* uses all evidence: profile weights and heuristics of branches, iterations of loops, weights of
//!   irreducible headers.
//! - The *reference frequency* is the result of the same algorithm without evidence. All n edges of a block have the
//!   probability 1/n. Every loop, natural or irreducible, has the scale 1: one iteration for each entry. The header of a
//!   loop has all the mass that enters the loop, and the other blocks have even shares of it. The mass leaves the loop by
//!   its exits, in proportion to the mass that reaches each of them. Headers of an irreducible loop share the mass that
//!   enters it, first evenly, and then in proportion to the mass that returns to them.
//!
//! `docs/src/reference/block-bias.md` in the repository explains how to use it.

use std::fmt;

use cranelift_entity::PrimaryMap;

use super::analysis::{FrequencyAnalysis, FrequencyInput};
use super::evidence::Evidence;
use super::frequencies::BlockFrequencies;
use super::scaled::Scaled;
use crate::cfg::{table, Block};

/// The bias of every block of a function.
#[derive(Clone, Debug, Default)]
pub struct BlockBiases {
    rows: PrimaryMap<Block, Bias>,
}

/// The bias of one block.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bias {
    /// The frequency of the block.
    pub frequency: Scaled,
    /// The reference frequency: every branch even, and every loop with one iteration.
    pub reference: Scaled,
}

impl Bias {
    /// `frequency` / `reference`; 0 for an unreachable block.
    pub fn ratio(self) -> Scaled {
        self.frequency / self.reference
    }
}

impl fmt::Display for Bias {
    /// The line of the printer: `bias = 1.0, float = 0.5, reference = 0.5`.
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Bias { frequency, reference } = self;
        write!(out, "bias = {:.5}, float = {frequency:.5}, reference = {reference:.5}", self.ratio())
    }
}

impl BlockBiases {
    /// The bias of `block`.
    pub fn of(&self, block: Block) -> Bias {
        self.rows[block]
    }
}

impl FrequencyAnalysis {
    /// Compares `frequencies`, computed from `input`, with the reference frequencies of the same function.
    pub fn compute_biases(&mut self, input: &FrequencyInput, frequencies: &BlockFrequencies) -> BlockBiases {
        self.solve(input, Evidence::Absent);
        let mut rows = table(input.graph.block_count(), Bias::default());
        for (index, block) in self.flow.rpo.iter() {
            let reference = self.frequencies[index];
            rows[block] = Bias { frequency: frequencies.scaled(block), reference };
        }
        BlockBiases { rows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bfi::drawing::Drawing;

    fn bias(text: &str, names: &str) -> Vec<String> {
        let (drawing, block) = Drawing::new(text);
        let biases = drawing.biases();
        names.split_whitespace().map(|name| biases.of(block(name)).to_string()).collect()
    }

    #[test]
    fn a_tree_without_evidence_has_no_bias_at_any_depth() {
        let mut text = String::new();
        for node in 1..32 {
            text += &format!("n{node} -> n{} n{};", 2 * node, 2 * node + 1);
        }
        let leaves: Vec<String> = (32..64).map(|node| format!("n{node}")).collect();
        let (drawing, block) = Drawing::new(&(text + &leaves.join(";")));
        let (biases, frequencies) = (drawing.biases(), drawing.frequencies());
        for node in 1u32..64 {
            let block = block(&format!("n{node}"));
            assert_eq!(format!("{:.5}", biases.of(block).ratio()), "1.0");
            let depth = node.ilog2() as i16;
            let expected = Scaled::new(1, -depth);
            assert_eq!(format!("{:.5}", frequencies.scaled(block)), format!("{expected:.5}"));
        }
    }

    #[test]
    fn likely_and_rare() {
        // 7/8 over 1/2 and 1/8 over 1/2; the block after both has no bias.
        assert_eq!(
            bias("entry -> likely rare : 7 1; likely -> end; rare -> end; end", "entry likely rare end"),
            [
                "bias = 1.0, float = 1.0, reference = 1.0",
                "bias = 1.75, float = 0.875, reference = 0.5",
                "bias = 0.25, float = 0.125, reference = 0.5",
                "bias = 1.0, float = 1.0, reference = 1.0"
            ]
        );
    }

    #[test]
    fn parallel_edges_count_each() {
        // Two of three edges lead to `often`.
        assert_eq!(
            bias("entry -> often often rarely; often; rarely", "often"),
            ["bias = 1.0, float = 0.66667, reference = 0.66667"]
        );
    }

    #[test]
    fn a_loop_is_evidence_and_leaving_it_is_not() {
        // The loop repeats 32 times with 31/32; in the reference it is passed once, and half of that reaches
        // the body. All mass leaves it by `end`.
        let text = "entry -> loop; loop -> body end : 31 1; body -> loop; end";
        assert_eq!(
            bias(text, "loop body end"),
            [
                "bias = 32.0, float = 32.0, reference = 1.0",
                "bias = 62.0, float = 31.0, reference = 0.5",
                "bias = 1.0, float = 1.0, reference = 1.0"
            ]
        );
    }

    #[test]
    fn a_loop_without_exit_and_a_block_nobody_reaches() {
        assert_eq!(
            bias("entry -> loop; loop -> loop; cut_off", "loop cut_off"),
            ["bias = 4096.0, float = 4096.0, reference = 1.0", "bias = 0.0, float = 0.0, reference = 0.0"]
        );
    }

    #[test]
    fn the_reference_knows_no_header_weights() {
        let (mut drawing, block) = Drawing::new("entry -> a b; a -> b end; b -> a end; end");
        drawing.header_weights = vec![(block("a"), 3), (block("b"), 1)];
        // Scale 2 and 3/4 of the mass, over an even half of the mass and scale 1.
        assert_eq!(drawing.biases().of(block("a")).to_string(), "bias = 3.0, float = 1.5, reference = 0.5");
    }
}
