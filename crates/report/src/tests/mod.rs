//! Tests of reports that do not need LLVM.

mod claims;

use bpa_schema::words::{full, Explained, IrWords};
use bpa_schema::{AttributedCall, Condition};
use proptest::prelude::*;
use serde_json::{json, Value};

use super::*;
use bpa_profile::bpi::test_support::{parse_function, pictures, ParsedFunction};
use bpa_profile::cfg::test_support::config;
use bpa_profile::cfg::Block;
use bpa_profile::dialect::Dialect;
use bpa_profile::facts::{EntryCount, IrText, Terminator, UnreadProfile};
use bpa_profile::profile::Profile;
use bpa_profile::source::{BlockSource, Definition, Frame, FunctionSource, Position};

/// A function and its profile. The name of block number n is the letter `b`, followed by n.
struct Printed {
    parsed: ParsedFunction,
    profile: Profile,
    source: FunctionSource,
}

impl Printed {
    fn new(picture: &str) -> Self {
        Self::with_entries(picture, None)
    }

    /// Creates a function from text, with an entry count.
    fn with_entries(picture: &str, entry_count: Option<EntryCount>) -> Self {
        let parsed = parse_function(picture);
        let mut facts = parsed.function.clone();
        facts.set_profile(entry_count, facts.header_weights().to_vec());
        let llvm16 = Dialect::named("16").expect("supported");
        let profile = Profile::builder(facts, llvm16).build_with(&mut parsed.conditions.clone());
        Printed { parsed, profile, source: FunctionSource::default() }
    }

    fn probabilities(&self) -> String {
        text(|out| write_probabilities(&self.profile, name, out))
    }

    fn frequencies(&self) -> String {
        text(|out| write_frequencies(b"f", &self.profile, name, out))
    }

    fn biases(&self) -> String {
        text(|out| write_biases(b"f", &self.profile, name, out))
    }

    fn explained_probabilities(&mut self) -> String {
        let mut explainer = self.profile.explainer(&mut self.parsed.conditions);
        text(|out| write_explained_probabilities(&self.profile, &mut explainer, &Words, name, out))
    }

    fn explained_frequencies(&self) -> String {
        text(|out| write_explained_frequencies(b"f", &self.profile, &Words, name, out))
    }

    fn json(&self, analysis: Analysis) -> String {
        text(|out| write_json(&self.names(), &self.source, &self.profile, analysis, None, out))
    }

    fn reasons(&mut self) -> EdgeReasons {
        let mut explainer = self.profile.explainer(&mut self.parsed.conditions);
        edge_reasons(&self.profile, &mut explainer, &Words)
    }

    fn dot(&self) -> String {
        text(|out| write_dot(&self.names(), &self.source, &self.profile, out))
    }

    fn names(&self) -> Names<'static> {
        let blocks = self.profile.blocks().map(|block| Words.block_name(block)).collect();
        Names { module: b"m", function: b"f", blocks }
    }
}

/// Generates names for blocks and conditions, because these tests have no IR.
struct Words;

impl IrText for Words {
    fn block_name(&self, block: Block) -> String {
        format!("%b{}", block.as_u32())
    }

    fn condition(&self, _: Block) -> Condition<'static> {
        Condition { operands: vec!["%c".into()], ..Condition::default() }
    }

    fn cold_call(&self, _: Block) -> Option<AttributedCall<'static>> {
        Some(AttributedCall { callee: "@log".into(), is_call_site_attribute: false })
    }

    fn noreturn_call(&self, _: Block) -> Option<AttributedCall<'static>> {
        Some(AttributedCall { callee: "@abort".into(), is_call_site_attribute: false })
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

fn name(block: Block, out: &mut Vec<u8>) {
    out.extend(format!("b{}", block.as_u32()).bytes());
}

fn text(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8(out).expect("the names are UTF-8")
}

#[test]
fn the_first_line_names_the_function() {
    assert_eq!(text(|out| write_header("Results for function", b"f", out)), "Results for function 'f':\n");
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

/// An edge is hot if its probability exceeds 80%. The numerator of 80% is 1717986918.4.
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

/// With 100 entries, block `b` has the count 75, and block `c` has the count 25. If the entry count is synthetic,
/// blocks have no counts.
#[test]
fn frequencies_have_counts_if_the_entries_were_counted() {
    let printed = |entries| Printed::with_entries("a: 3:1 -> b c; b; c", entries).frequencies();
    let plain = "block-frequency-info: f
 - b0: float = 1.0, int = 32
 - b1: float = 0.75, int = 24
 - b2: float = 0.25, int = 8

";
    assert_eq!(printed(None), plain);
    assert_eq!(printed(Some(EntryCount { count: 100, synthetic: true })), plain);
    assert_eq!(
        printed(Some(EntryCount { count: 100, synthetic: false })),
        "block-frequency-info: f
 - b0: float = 1.0, int = 32, count = 100
 - b1: float = 0.75, int = 24, count = 75
 - b2: float = 0.25, int = 8, count = 25

"
    );
}

#[test]
fn header_weights_are_at_the_end_of_their_line() {
    let mut facts = parse_function("a: 3:1 -> b c; b; c").function;
    facts.set_profile(facts.entry_count(), vec![(Block::from_u32(1), 7)]);
    let profile = Profile::new(facts, Dialect::named("16").expect("supported"));
    let out = text(|out| write_frequencies(b"f", &profile, name, out));
    assert!(out.contains(" - b1: float = 0.75, int = 24, irr_loop_header_weight = 7\n"), "{out}");
    assert_eq!(out.matches("irr_loop").count(), 1);
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

/// Removes the explanations from a report.
fn without_reasons(out: &str) -> String {
    out.lines().filter(|line| !line.starts_with("      ")).map(|line| format!("{line}\n")).collect()
}

/// Asserts that every line that begins with `start` is followed by an explanation.
fn assert_reasons(out: &str, start: &str) {
    let lines: Vec<&str> = out.lines().collect();
    for (place, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with(start)) {
        let below = lines.get(place + 1).is_some_and(|below| below.starts_with("      "));
        assert!(below, "no explanation follows the line\n{line}\nin\n{out}");
    }
}

proptest! {
    #![proptest_config(config())]

    /// Explanations are additional lines and do not change the other lines.
    #[test]
    fn every_edge_has_its_line_and_a_reason(picture in pictures()) {
        let mut printed = Printed::new(&picture);
        let out = printed.explained_probabilities();
        assert_reasons(&out, "  edge ");
        prop_assert_eq!(without_reasons(&out), printed.probabilities());
    }

    /// The JSON and the text give the same reasons for each edge.
    #[test]
    fn data_has_the_reasons_that_text_has(picture in pictures()) {
        let mut printed = Printed::new(&picture);
        let out = printed.explained_probabilities();
        let printed_reasons = out.split("\n  edge ").skip(1).map(|edge| {
            let lines = edge.lines().skip(1).map(str::trim_start);
            let is_place = |line: &&str| line.starts_with('(') || line.starts_with("source: ");
            lines.filter(|line| !is_place(line) && !line.contains(" parallel edges")).map(String::from).collect()
        });
        let printed_reasons: Vec<Vec<String>> = printed_reasons.collect();
        let given = printed.reasons();
        let reasons = given.reasons.clone();
        prop_assert_eq!(printed_reasons.len(), reasons.len());
        let names = printed.names();
        let json = text(|out| {
            write_json(&names, &printed.source, &printed.profile, Analysis::Probabilities, Some(given), out)
        });
        let function: bpa_schema::Function = serde_json::from_str(&json).expect("well formed");
        let vocabulary = &IrWords(|block| names.blocks[Block::from_u32(block as u32)].clone());
        for ((edge, lines), reason) in function.edges.iter().zip(&printed_reasons).zip(&reasons) {
            let read = edge.why.as_deref().filter(|_| edge.rule != bpa_schema::Rule::Single);
            prop_assert_eq!(read, Some(reason).filter(|_| edge.rule != bpa_schema::Rule::Single));
            let words = full(&Explained { reason, from: edge.from, to: edge.to, vocabulary });
            prop_assert_eq!(&words, lines);
        }
    }

    #[test]
    fn every_block_has_its_line_and_a_reason(picture in pictures(), counted: bool) {
        let entries = counted.then_some(EntryCount { count: 100, synthetic: false });
        let printed = Printed::with_entries(&picture, entries);
        let out = printed.explained_frequencies();
        assert_reasons(&out, " - ");
        prop_assert_eq!(without_reasons(&out), printed.frequencies());
    }

    /// The JSON contains the results of the analyses.
    #[test]
    fn data_reads_back_as_what_was_computed(picture in pictures(), counted: bool, both: bool) {
        let entries = counted.then_some(EntryCount { count: 100, synthetic: false });
        let printed = Printed::with_entries(&picture, entries);
        let analysis = if both { Analysis::Frequencies } else { Analysis::Probabilities };
        let json: Value = serde_json::from_str(&printed.json(analysis)).expect("well formed");
        let (graph, result) = (printed.profile.graph(), &printed.parsed.result);
        prop_assert_eq!(&json["function"], "f");
        let numerators = json["edges"].as_array().expect("a list").iter().map(|edge| edge["numerator"].as_u64());
        prop_assert!(numerators.eq(result.probabilities().iter().map(|edge| Some(edge.numerator().into()))));
        let frequencies = printed.profile.block_frequencies();
        for (block, row) in graph.blocks().zip(json["blocks"].as_array().expect("a list")) {
            prop_assert_eq!(&row["name"], &Words.block_name(block));
            let (integer, count) = (frequencies.integer(block), frequencies.count(block, 100));
            let column = |shown: bool, number: u64| if shown { number.to_string().into() } else { Value::Null };
            prop_assert_eq!(&row["integer"], &column(both, integer));
            prop_assert_eq!(&row["count"], &column(both && counted, count));
            prop_assert!(graph.loops().innermost(block).is_none() || row["loop"].is_u64());
        }
    }

    /// The picture contains every block once, and one arrow for each pair of blocks that an edge connects. Every brace
    /// is closed.
    #[test]
    fn pictures_show_every_block_and_every_arrow(picture in pictures(), counted: bool) {
        let entries = counted.then_some(EntryCount { count: 100, synthetic: false });
        let printed = Printed::with_entries(&picture, entries);
        let out = printed.dot();
        let graph = printed.profile.graph();
        let mut arrows = std::collections::BTreeSet::new();
        for block in graph.blocks() {
            let line = format!("b{} [label=", block.as_u32());
            prop_assert_eq!(out.lines().filter(|other| other.starts_with(&line)).count(), 1);
            arrows.extend(graph.successors(block).iter().map(|&target| (block, target)));
        }
        prop_assert_eq!(
            out.lines().filter(|line| line.contains(" -> b") && line.starts_with('b')).count(),
            arrows.len()
        );
        prop_assert_eq!(out.matches("{\n").count(), out.lines().filter(|&line| line == "}").count());
    }
}

/// JSON and pictures contain source positions that are known, and omit unknown positions.
#[test]
fn data_and_pictures_have_source_positions() {
    let mut printed = Printed::new("a -> b c; b; c");
    let frame = |name: &str, line, function: Option<&str>| Frame {
        file: name.into(),
        directory: Some("/s".into()),
        line,
        column: 7,
        function: function.map(Into::into),
    };
    let inlined = Position { frame: frame("i.h", 3, Some("<i>")), inlined_at: vec![frame("f.c", 5, None)] };
    let first = Some(Position { frame: frame("f.c", 9, None), inlined_at: Vec::new() });
    printed.source.name = Some("g".into());
    printed.source.definition = Some(Definition { file: "/f.c".into(), directory: None, line: Some(4) });
    printed.source.blocks = [
        BlockSource { branch: Some(inlined), lines: vec![5, 6], ..BlockSource::default() },
        BlockSource { first, ..BlockSource::default() },
        BlockSource::default(),
    ]
    .into_iter()
    .collect();
    let data: Value = serde_json::from_str(&printed.json(Analysis::Probabilities)).expect("JSON");
    assert_eq!(data["display_name"], "g");
    assert_eq!(data["source"], json!({"file": "/f.c", "line": 4}));
    let call = json!({"file": "f.c", "directory": "/s", "line": 5, "column": 7});
    let source = json!({
        "file": "i.h", "directory": "/s", "line": 3, "column": 7, "function": "<i>", "inlined_at": [call]
    });
    let entry = json!({"name": "%b0", "loop": null, "terminator": "br", "source": source, "lines": [5, 6]});
    assert_eq!(data["blocks"][0], entry);
    let first = json!({"file": "f.c", "directory": "/s", "line": 9, "column": 7});
    assert_eq!(data["blocks"][1], json!({"name": "%b1", "loop": null, "first": first}));
    assert_eq!(data["blocks"][2], json!({"name": "%b2", "loop": null}));
    let picture = printed.dot();
    let branch = "\\nat i.h:3:7 in <i>, inlined at f.c:5:7";
    for part in [
        format!("{branch}; leads to f.c:9:7\", label"),
        format!("{branch}\", label"),
        "\\nat f.c:9:7\"];".into(),
    ] {
        assert!(picture.contains(&part), "{part} in {picture}");
    }
}
