//! Block bias, as defined in LLVM's "Block Frequency Terminology": the effect of all evidence on the frequency of a
//! block.
//!
//! > **bias = frequency / reference frequency**
//!
//! - The *frequency* uses all evidence: profile weights, branch heuristics, loop iterations, and weights of
//!   irreducible headers.
//! - The *reference frequency* is the frequency that the same algorithm computes without evidence:
//!   - Each of the n edges out of a block has the probability 1/n.
//!   - Every loop, natural or irreducible, has the scale 1: one iteration each time the loop is entered.
//!   - The header of a loop gets all the mass that enters the loop. The mass then flows along the edges to the other
//!     blocks.
//!   - The exits of a loop get parts of the entering mass, in proportion to the mass that reaches each exit.
//!   - At first, the mass that enters an irreducible loop is divided equally among its headers. After one pass over the
//!     loop, the entering mass is divided a second time. Each header then gets a part in proportion to the mass that
//!     has returned to this header.
//!
//! `docs/src/reference/block-bias.md` in the repository explains how to use block bias.

use std::fmt;

use cranelift_entity::PrimaryMap;

use super::analysis::{FrequencyAnalysis, FrequencyInput};
use super::distribution::Evidence;
use super::double::padded;
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
    /// The frequency that the block would have if all edges were equally likely and every loop had one iteration.
    pub reference: Scaled,
}

impl Bias {
    /// `frequency` / `reference`, or 0 for an unreachable block.
    pub fn ratio(self) -> Scaled {
        self.frequency / self.reference
    }
}

impl fmt::Display for Bias {
    /// Formats the bias as `print<rust-bias>` prints it: `bias = 1.0, float = 0.5, reference = 0.5`.
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Bias { frequency, reference } = self;
        let ratio = self.ratio();
        padded(out, format_args!("bias = {ratio:.5}, float = {frequency:.5}, reference = {reference:.5}"))
    }
}

impl BlockBiases {
    /// The bias of `block`.
    pub fn of(&self, block: Block) -> Bias {
        self.rows[block]
    }
}

impl FrequencyAnalysis {
    /// Computes the bias of each block. `frequencies` must be the result for `input`.
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
    use crate::bfi::test_function::TestFunction;

    fn bias(text: &str, names: &str) -> Vec<String> {
        let (function, block) = TestFunction::new(text);
        let biases = function.biases();
        names.split_whitespace().map(|name| biases.of(block(name)).to_string()).collect()
    }

    #[test]
    fn a_tree_without_evidence_has_no_bias_at_any_depth() {
        let mut text = String::new();
        for node in 1..32 {
            text += &format!("n{node} -> n{} n{};", 2 * node, 2 * node + 1);
        }
        let leaves: Vec<String> = (32..64).map(|node| format!("n{node}")).collect();
        let (function, block) = TestFunction::new(&(text + &leaves.join(";")));
        let (biases, frequencies) = (function.biases(), function.frequencies());
        for node in 1u32..64 {
            let block = block(&format!("n{node}"));
            assert_eq!(format!("{:.5}", biases.of(block).ratio()), "1.0");
            let depth = node.ilog2() as i16;
            let expected = Scaled::new(1, -depth);
            assert_eq!(format!("{:.5}", frequencies.scaled(block)), format!("{expected:.5}"));
        }
    }

    #[test]
    fn a_likely_block_has_a_bias_above_1_and_a_rare_block_below_1() {
        // `likely` has the frequency 7/8, and `rare` has the frequency 1/8. Both blocks have the reference frequency
        // 1/2. All mass reaches `end`.
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
    fn the_reference_frequency_includes_each_parallel_edge() {
        // Two of the three edges lead to `often`, so the reference frequency of `often` is 2/3.
        assert_eq!(
            bias("entry -> often often rarely; often; rarely", "often"),
            ["bias = 1.0, float = 0.66667, reference = 0.66667"]
        );
    }

    #[test]
    fn loop_iterations_are_evidence_and_loop_exits_are_not() {
        // If the header has the mass 1, the mass 31/32 returns to it, so the loop has 1 / (1 - 31/32) = 32 iterations.
        // Without evidence, the loop has one iteration, and half of the mass reaches the body. The whole mass
        // reaches `end`, with evidence and without evidence.
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
    fn infinite_loops_and_unreachable_blocks_have_a_bias() {
        assert_eq!(
            bias("entry -> loop; loop -> loop; cut_off", "loop cut_off"),
            ["bias = 4096.0, float = 4096.0, reference = 1.0", "bias = 0.0, float = 0.0, reference = 0.0"]
        );
    }

    #[test]
    fn the_reference_ignores_header_weights() {
        let (mut function, block) = TestFunction::new("entry -> a b; a -> b end; b -> a end; end");
        function.header_weights = vec![(block("a"), 3), (block("b"), 1)];
        // For the frequency, the scale of the loop is 2, and block `a` gets 3/4 of the mass. For the reference
        // frequency, the scale of the loop is 1, and block `a` gets 1/2 of the mass.
        assert_eq!(function.biases().of(block("a")).to_string(), "bias = 3.0, float = 1.5, reference = 0.5");
    }
}
