//! Pages about functions that need no LLVM.

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::bfi::{BlockFrequencies, FrequencyAnalysis, FrequencyInput};
use crate::bpi::test_support::{draw, pictures, Drawn};
use crate::bpi::Explainer;
use crate::cfg::test_support::config;
use crate::cfg::Block;
use crate::dialect::{Dialect, FrequencyScaling, HashProbing};
use crate::facts::{EntryCount, IrText, Terminator, UnreadProfile};

/// A function that prints: its blocks are called `b0`, `b1`, and so on.
struct Printed(Drawn);

impl Printed {
    fn new(picture: &str) -> Self {
        Printed(draw(picture))
    }

    fn input(&self) -> FrequencyInput<'_> {
        FrequencyInput {
            graph: &self.0.snapshot.graph,
            tree: &self.0.workspace.tree,
            loops: &self.0.workspace.loops,
            probabilities: self.0.result.probabilities(),
            header_weights: &self.0.snapshot.header_weights,
            scaling: FrequencyScaling::SmallestToEight,
            probing: HashProbing::Growing,
        }
    }

    fn block_frequencies(&self) -> BlockFrequencies {
        FrequencyAnalysis::default().compute(&self.input())
    }

    fn probabilities(&self) -> String {
        text(|page| write_probabilities(&self.0.snapshot.graph, &self.0.result, name, page))
    }

    fn frequencies(&self) -> String {
        text(|page| write_frequencies(b"f", &self.0.snapshot, &self.block_frequencies(), name, page))
    }

    fn biases(&self) -> String {
        let frequencies = self.block_frequencies();
        let biases = FrequencyAnalysis::default().compute_biases(&self.input(), &frequencies);
        text(|page| write_biases(b"f", &self.0.snapshot.graph, &biases, name, page))
    }

    fn explained_probabilities(&mut self) -> String {
        let Drawn { snapshot, workspace, conditions, result, .. } = &mut self.0;
        let mut explainer = Explainer::new(snapshot, workspace, conditions);
        text(|page| write_explained_probabilities(snapshot, result, &mut explainer, &Words, name, page))
    }

    fn explained_frequencies(&self) -> String {
        let grounds = FrequencyGrounds {
            snapshot: &self.0.snapshot,
            probabilities: &self.0.result,
            frequencies: &self.block_frequencies(),
            nest: &FrequencyAnalysis::default().compute_nest(&self.input()),
        };
        text(|page| write_explained_frequencies(b"f", &grounds, &Words, name, page))
    }

    /// What `write` makes of the whole function, with frequencies or without.
    fn portrayed(&self, with_frequencies: bool, write: impl FnOnce(&Portrait, &mut Vec<u8>)) -> String {
        let mut analysis = FrequencyAnalysis::default();
        let frequencies = analysis.compute(&self.input());
        let biases = analysis.compute_biases(&self.input(), &frequencies);
        let portrait = Portrait {
            module: b"m",
            function: b"f",
            names: self.0.snapshot.graph.blocks().map(|block| Words.block_name(block)).collect(),
            dialect: Dialect::named("16").expect("supported"),
            snapshot: &self.0.snapshot,
            probabilities: &self.0.result,
            nest: analysis.compute_nest(&self.input()),
            frequencies: with_frequencies.then_some(Frequencies { frequencies: &frequencies, biases }),
        };
        text(|page| write(&portrait, page))
    }
}

/// What could be said of live code.
struct Words;

impl IrText for Words {
    fn block_name(&self, block: Block) -> String {
        format!("%b{}", block.as_u32())
    }

    fn condition(&self, _: Block) -> String {
        "%c".to_string()
    }

    fn cold_call(&self, _: Block) -> String {
        "@log (cold)".to_string()
    }

    fn noreturn_call(&self, _: Block) -> String {
        "@abort (noreturn)".to_string()
    }

    fn pad(&self, _: Block) -> &'static str {
        "landingpad"
    }

    fn unread_profile(&self, block: Block, _: Terminator) -> Option<UnreadProfile> {
        match block.as_u32() % 5 {
            0 => None,
            1 => Some(UnreadProfile::Terminator),
            2 => Some(UnreadProfile::Name("VP".to_string())),
            3 => Some(UnreadProfile::Count { weights: 1, successors: 2 }),
            _ => Some(UnreadProfile::NoNumber),
        }
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
    assert_eq!(text(|page| write_header("Results for function", b"f", page)), "Results for function 'f':\n");
}

#[test]
fn probabilities_have_a_line_for_each_edge() {
    assert_eq!(
        Printed::new("a: 31:1 -> b c; b -> c; c").probabilities(),
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
    let hot = |weights: [u32; 2]| {
        Printed::new(&format!("a: {}:{} -> b c; b; c", weights[0], weights[1]))
            .probabilities()
            .contains("[HOT")
    };
    assert!(!hot([4, 1]));
    assert!(!hot([1_717_986_918, 429_496_730]));
    assert!(hot([1_717_986_919, 429_496_729]));
}

/// 3/4 and 1/4 of 100 entries; a count that no profile has measured is no count.
#[test]
fn frequencies_have_counts_if_the_entries_were_counted() {
    let mut printed = Printed::new("a: 3:1 -> b c; b; c");
    let plain = "block-frequency-info: f
 - b0: float = 1.0, int = 32
 - b1: float = 0.75, int = 24
 - b2: float = 0.25, int = 8

";
    assert_eq!(printed.frequencies(), plain);
    printed.0.snapshot.entry_count = Some(EntryCount { count: 100, synthetic: true });
    assert_eq!(printed.frequencies(), plain);
    printed.0.snapshot.entry_count = Some(EntryCount { count: 100, synthetic: false });
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
    let mut printed = Printed::new("a: 3:1 -> b c; b; c");
    let block = Block::from_u32(1);
    printed.0.snapshot.header_weights = vec![(block, 7)];
    let page = printed.frequencies();
    assert!(page.contains(" - b1: float = 0.75, int = 24, irr_loop_header_weight = 7\n"), "{page}");
    assert_eq!(page.matches("irr_loop").count(), 1);
}

#[test]
fn biases_have_a_line_for_each_block() {
    assert_eq!(
        Printed::new("a: 3:1 -> b c; b; c").biases(),
        "block-bias-info: f
 - b0: bias = 1.0, float = 1.0, reference = 1.0
 - b1: bias = 1.5, float = 0.75, reference = 0.5
 - b2: bias = 0.5, float = 0.25, reference = 0.5

"
    );
}

/// The lines of a page with reasons that are LLVM's.
fn without_reasons(page: &str) -> String {
    page.lines().filter(|line| !line.starts_with("      ")).map(|line| format!("{line}\n")).collect()
}

/// Asserts that below every line that begins with `start` stands a reason.
fn assert_reasons(page: &str, start: &str) {
    let lines: Vec<&str> = page.lines().collect();
    for (place, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with(start)) {
        let below = lines.get(place + 1).is_some_and(|below| below.starts_with("      "));
        assert!(below, "{line} has no reason in\n{page}");
    }
}

proptest! {
    #![proptest_config(config())]

    /// Reasons come in between, and nothing else changes.
    #[test]
    fn every_edge_has_its_line_and_a_reason(picture in pictures()) {
        let mut printed = Printed::new(&picture);
        let page = printed.explained_probabilities();
        assert_reasons(&page, "  edge ");
        prop_assert_eq!(without_reasons(&page), printed.probabilities());
    }

    #[test]
    fn every_block_has_its_line_and_a_reason(picture in pictures(), counted: bool) {
        let mut printed = Printed::new(&picture);
        printed.0.snapshot.entry_count = counted.then_some(EntryCount { count: 100, synthetic: false });
        let page = printed.explained_frequencies();
        assert_reasons(&page, " - ");
        prop_assert_eq!(without_reasons(&page), printed.frequencies());
    }

    /// What is read from the data is what the analyses say.
    #[test]
    fn data_reads_back_as_what_was_computed(picture in pictures(), counted: bool, both: bool) {
        let mut printed = Printed::new(&picture);
        printed.0.snapshot.entry_count = counted.then_some(EntryCount { count: 100, synthetic: false });
        let json: Value = serde_json::from_str(&printed.portrayed(both, write_json)).expect("well formed");
        let Drawn { snapshot, result, workspace, .. } = &printed.0;
        let graph = &snapshot.graph;
        prop_assert_eq!(&json["function"], "f");
        let numerators = json["edges"].as_array().expect("a list").iter().map(|edge| edge["numerator"].as_u64());
        prop_assert!(numerators.eq(result.probabilities().iter().map(|edge| Some(edge.numerator().into()))));
        let frequencies = printed.block_frequencies();
        for (block, row) in graph.blocks().zip(json["blocks"].as_array().expect("a list")) {
            prop_assert_eq!(&row["name"], &Words.block_name(block));
            let (integer, count) = (frequencies.integer(block), frequencies.count(block, 100));
            let column = |shown: bool, number: u64| if shown { number.to_string().into() } else { Value::Null };
            prop_assert_eq!(&row["integer"], &column(both, integer));
            prop_assert_eq!(&row["count"], &column(both && counted, count));
            prop_assert!(workspace.loops.innermost(block).is_none() || row["loop"].is_u64());
        }
    }

    /// Every block once, an arrow for each pair of blocks with edges between them, and every brace closed.
    #[test]
    fn pictures_show_every_block_and_every_way(picture in pictures(), counted: bool) {
        let mut printed = Printed::new(&picture);
        printed.0.snapshot.entry_count = counted.then_some(EntryCount { count: 100, synthetic: false });
        let page = printed.portrayed(true, write_dot);
        let graph = &printed.0.snapshot.graph;
        let mut ways = std::collections::BTreeSet::new();
        for block in graph.blocks() {
            let line = format!("b{} [label=", block.as_u32());
            prop_assert_eq!(page.lines().filter(|other| other.starts_with(&line)).count(), 1);
            ways.extend(graph.successors(block).iter().map(|&target| (block, target)));
        }
        prop_assert_eq!(page.lines().filter(|line| line.contains(" -> b") && line.starts_with('b')).count(), ways.len());
        prop_assert_eq!(page.matches("{\n").count(), page.lines().filter(|&line| line == "}").count());
    }
}
