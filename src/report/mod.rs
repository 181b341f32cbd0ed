//! Results as text, as data and as pictures.
//!
//! Writers append to a page of bytes, since names may be any bytes. They are given the name of a block by a
//! function, so that they need to know nothing of live IR.

mod biases;
mod difference;
mod dot;
mod explain;
mod frequencies;
mod json;
mod portrait;
mod probabilities;

pub use biases::write_biases;
pub use difference::write_difference;
pub use dot::write_dot;
pub use explain::{write_explained_frequencies, write_explained_probabilities, FrequencyGrounds};
pub use frequencies::write_frequencies;
pub use json::write_json;
pub use portrait::{Frequencies, Portrait};
pub use probabilities::write_probabilities;

/// Appends the line that a printer begins with.
pub fn write_header(header: &str, function: &[u8], page: &mut Vec<u8>) {
    for part in [header.as_bytes(), b" '", function, b"':\n"] {
        page.extend_from_slice(part);
    }
}

/// Appends formatted text.
fn write(page: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    use std::io::Write;
    page.write_fmt(text).expect("writing to memory does not fail");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bfi::{FrequencyAnalysis, FrequencyInput};
    use crate::bpi::BranchProbabilities;
    use crate::cfg::{parse_graph, Block, Workspace};
    use crate::dialect::{FrequencyScaling, HashProbing};
    use crate::snapshot::{BlockFacts, EntryCount, NoConditions, Snapshot};

    /// A function that prints: its blocks are called `b0`, `b1`, and so on.
    struct Printed {
        snapshot: Snapshot,
        workspace: Workspace,
        probabilities: BranchProbabilities,
    }

    impl Printed {
        /// The function of `picture`, whose first block has branch weights `weights`.
        fn new(picture: &str, weights: &[u32]) -> Self {
            let (graph, _) = parse_graph(picture).expect("the picture is well drawn");
            let blocks = graph.blocks().map(|_| BlockFacts::default()).collect();
            let mut snapshot = Snapshot { graph, blocks, ..Snapshot::default() };
            snapshot.set_weights(snapshot.graph.entry(), weights);
            let mut workspace = Workspace::default();
            workspace.compute(&snapshot.graph);
            let probabilities = BranchProbabilities::compute(&snapshot, &mut workspace, &mut NoConditions);
            Printed { snapshot, workspace, probabilities }
        }

        fn input(&self) -> FrequencyInput<'_> {
            FrequencyInput {
                graph: &self.snapshot.graph,
                tree: &self.workspace.tree,
                loops: &self.workspace.loops,
                probabilities: self.probabilities.probabilities(),
                header_weights: &self.snapshot.header_weights,
                scaling: FrequencyScaling::SmallestToEight,
                probing: HashProbing::Growing,
            }
        }

        fn probabilities(&self) -> String {
            text(|page| write_probabilities(&self.snapshot.graph, &self.probabilities, name, page))
        }

        fn frequencies(&self) -> String {
            let frequencies = FrequencyAnalysis::default().compute(&self.input());
            text(|page| write_frequencies(b"f", &self.snapshot, &frequencies, name, page))
        }

        fn biases(&self) -> String {
            let mut analysis = FrequencyAnalysis::default();
            let frequencies = analysis.compute(&self.input());
            let biases = analysis.compute_biases(&self.input(), &frequencies);
            text(|page| write_biases(b"f", &self.snapshot.graph, &biases, name, page))
        }
    }

    fn name(block: Block, page: &mut Vec<u8>) {
        page.extend(format!("b{}", block.as_u32()).bytes());
    }

    fn text(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut page = Vec::new();
        write(&mut page);
        String::from_utf8(page).expect("the names are plain")
    }

    #[test]
    fn the_first_line_names_the_function() {
        assert_eq!(
            text(|page| write_header("Results for function", b"f", page)),
            "Results for function 'f':\n"
        );
    }

    #[test]
    fn probabilities_have_a_line_for_each_edge() {
        assert_eq!(
            Printed::new("a -> b c; b -> c; c", &[31, 1]).probabilities(),
            "---- Branch Probabilities ----
  edge b0 -> b1 probability is 0x7c000000 / 0x80000000 = 96.88% [HOT edge]
  edge b0 -> b2 probability is 0x04000000 / 0x80000000 = 3.12%
  edge b1 -> b2 probability is 0x80000000 / 0x80000000 = 100.00% [HOT edge]
"
        );
    }

    /// Four fifths of 2^31 is 1717986918.4, and the next numerator is 1717986919.
    #[test]
    fn an_edge_is_hot_above_four_fifths() {
        let hot =
            |weights: [u32; 2]| Printed::new("a -> b c; b; c", &weights).probabilities().contains("[HOT");
        assert!(!hot([4, 1]));
        assert!(!hot([1_717_986_918, 429_496_730]));
        assert!(hot([1_717_986_919, 429_496_729]));
    }

    /// 3/4 and 1/4 of 100 entries; a count that no profile has measured is no count.
    #[test]
    fn frequencies_have_counts_if_the_entries_were_counted() {
        let mut printed = Printed::new("a -> b c; b; c", &[3, 1]);
        let plain = "block-frequency-info: f
 - b0: float = 1.0, int = 32
 - b1: float = 0.75, int = 24
 - b2: float = 0.25, int = 8

";
        assert_eq!(printed.frequencies(), plain);
        printed.snapshot.entry_count = Some(EntryCount { count: 100, synthetic: true });
        assert_eq!(printed.frequencies(), plain);
        printed.snapshot.entry_count = Some(EntryCount { count: 100, synthetic: false });
        assert_eq!(
            printed.frequencies(),
            "block-frequency-info: f
 - b0: float = 1.0, int = 32, count = 100
 - b1: float = 0.75, int = 24, count = 75
 - b2: float = 0.25, int = 8, count = 25

"
        );
    }

    #[test]
    fn header_weights_stand_at_the_end_of_their_line() {
        let mut printed = Printed::new("a -> b c; b; c", &[3, 1]);
        let block = Block::from_u32(1);
        printed.snapshot.header_weights = vec![(block, 7)];
        let page = printed.frequencies();
        assert!(page.contains(" - b1: float = 0.75, int = 24, irr_loop_header_weight = 7\n"), "{page}");
        assert_eq!(page.matches("irr_loop").count(), 1);
    }

    #[test]
    fn biases_have_a_line_for_each_block() {
        assert_eq!(
            Printed::new("a -> b c; b; c", &[3, 1]).biases(),
            "block-bias-info: f
 - b0: bias = 1.0, float = 1.0, reference = 1.0
 - b1: bias = 1.5, float = 0.75, reference = 0.5
 - b2: bias = 0.5, float = 0.25, reference = 0.5

"
        );
    }
}
