//! The data that `json` prints: one JSON object a function, on a line of its own. docs/json.md describes it, and
//! docs/bpa.schema.json defines it.

use std::borrow::Cow;

use cranelift_entity::EntityRef;
use serde::{Serialize, Serializer};

use super::nearest_double;
use super::portrait::{Frequencies, Portrait};
use super::probabilities::percentage;
use crate::bfi::nest::NestedLoop;
use crate::bfi::Scaled;
use crate::cfg::Block;

/// The version of the format. It changes when something is removed or gets another meaning; what is added does not
/// change it.
const FORMAT: u32 = 1;

/// Appends the line about `portrait` to `page`. It has block frequencies if the portrait has.
pub fn write_json(portrait: &Portrait, page: &mut Vec<u8>) {
    serde_json::to_writer(&mut *page, &document(portrait)).expect("writing to memory does not fail");
    page.push(b'\n');
}

fn document<'a>(portrait: &'a Portrait) -> impl Serialize + 'a {
    let snapshot = portrait.snapshot;
    Document {
        format: FORMAT,
        analysis: if portrait.frequencies.is_some() { "rust-bfi" } else { "rust-bpi" },
        llvm: portrait.dialect.version,
        module: String::from_utf8_lossy(portrait.module),
        function: String::from_utf8_lossy(portrait.function),
        function_bytes: bytes_unless_text(portrait.function),
        entry_count: snapshot
            .entry_count
            .map(|entries| EntryCountRow { count: Digits(entries.count), synthetic: entries.synthetic }),
        blocks: Rows(move || snapshot.graph.blocks().map(|block| block_row(portrait, block))),
        edges: Rows(move || snapshot.graph.blocks().flat_map(|block| edge_rows(portrait, block))),
        loops: Rows(move || portrait.nest.loops().map(|nested| loop_row(portrait, nested))),
    }
}

fn block_row<'a>(portrait: &'a Portrait, block: Block) -> BlockRow<'a> {
    let snapshot = portrait.snapshot;
    BlockRow {
        name: &portrait.names[block],
        innermost: portrait.nest.innermost(block).map(EntityRef::index),
        header_weight: snapshot.header_weight(block).map(Digits),
        frequencies: portrait.frequencies.as_ref().map(|Frequencies { frequencies, biases }| {
            let entries = snapshot.entry_count.filter(|entries| !entries.synthetic);
            FrequencyColumns {
                frequency: frequencies.scaled(block).into(),
                integer: Digits(frequencies.integer(block)),
                count: entries.map(|entries| Digits(frequencies.count(block, entries.count))),
                bias: biases.of(block).ratio().into(),
                reference: biases.of(block).reference.into(),
            }
        }),
    }
}

fn edge_rows<'a>(portrait: &'a Portrait, block: Block) -> impl Iterator<Item = EdgeRow> + 'a {
    let graph = &portrait.snapshot.graph;
    let targets = graph.successors(block);
    let rule = if targets.len() > 1 { portrait.probabilities.rule(block).name() } else { "single" };
    targets.iter().zip(graph.edges(block)).enumerate().map(move |(successor, (&target, edge))| {
        let probability = portrait.probabilities.probabilities()[edge];
        EdgeRow {
            from: block.index(),
            successor,
            to: target.index(),
            numerator: probability.numerator(),
            percent: percentage(probability),
            weight: portrait.probabilities.weights()[edge],
            rule,
        }
    })
}

fn loop_row<'a>(portrait: &'a Portrait, nested: NestedLoop) -> impl Serialize + 'a {
    let nest = &portrait.nest;
    LoopRow {
        headers: Rows(move || nest.headers(nested).iter().map(|header| header.index())),
        irreducible: nest.is_irreducible(nested),
        parent: nest.parent(nested).map(EntityRef::index),
        depth: nest.depth(nested),
        frequencies: portrait
            .frequencies
            .is_some()
            .then(|| LoopColumns { entries: nest.entries(nested).into(), scale: nest.scale(nested).into() }),
    }
}

#[derive(Serialize)]
struct Document<'a, B: Serialize, E: Serialize, L: Serialize> {
    format: u32,
    analysis: &'a str,
    llvm: u32,
    module: Cow<'a, str>,
    function: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function_bytes: Option<String>,
    entry_count: Option<EntryCountRow>,
    blocks: B,
    edges: E,
    loops: L,
}

#[derive(Serialize)]
struct EntryCountRow {
    count: Digits,
    synthetic: bool,
}

#[derive(Serialize)]
struct BlockRow<'a> {
    name: &'a str,
    #[serde(rename = "loop")]
    innermost: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    header_weight: Option<Digits>,
    #[serde(flatten)]
    frequencies: Option<FrequencyColumns>,
}

#[derive(Serialize)]
struct FrequencyColumns {
    frequency: ScaledColumn,
    integer: Digits,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<Digits>,
    bias: ScaledColumn,
    reference: ScaledColumn,
}

#[derive(Serialize)]
struct EdgeRow {
    from: usize,
    successor: usize,
    to: usize,
    numerator: u32,
    percent: f64,
    weight: u32,
    rule: &'static str,
}

#[derive(Serialize)]
struct LoopRow<H: Serialize> {
    headers: H,
    irreducible: bool,
    parent: Option<usize>,
    depth: u32,
    #[serde(flatten)]
    frequencies: Option<LoopColumns>,
}

#[derive(Serialize)]
struct LoopColumns {
    entries: ScaledColumn,
    scale: ScaledColumn,
}

/// A number `digits` x 2^`exponent`, and the double nearest to it, the largest where doubles do not reach.
#[derive(Serialize)]
struct ScaledColumn {
    digits: Digits,
    exponent: i16,
    value: f64,
}

impl From<Scaled> for ScaledColumn {
    fn from(number: Scaled) -> Self {
        // JSON has no infinity.
        let value = nearest_double(number).min(f64::MAX);
        ScaledColumn { digits: Digits(number.digits()), exponent: number.exponent(), value }
    }
}

/// A 64-bit number. It is written as a string of digits: many readers take a JSON number for a double, which is exact
/// only up to 2^53.
struct Digits(u64);

impl Serialize for Digits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// Rows that are made while they are written.
struct Rows<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Rows<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0())
    }
}

/// The bytes of `name` in hexadecimal digits, if they are not UTF-8.
fn bytes_unless_text(name: &[u8]) -> Option<String> {
    match std::str::from_utf8(name) {
        Ok(_) => None,
        Err(_) => Some(name.iter().map(|byte| format!("{byte:02x}")).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_as_near_as_they_come() {
        let value = |digits, exponent| ScaledColumn::from(Scaled::new(digits, exponent)).value;
        assert_eq!(value(3, -1), 1.5);
        assert_eq!(value(u64::MAX, -64), 1.0);
        assert_eq!(value(1 << 63, 960), 2f64.powi(1023));
        assert_eq!(value(1 << 63, -1137), f64::from_bits(1)); // 2^-1074, the least there is
        assert_eq!(value(u64::MAX, Scaled::MAX_EXPONENT), f64::MAX);
        assert_eq!(value(u64::MAX, Scaled::MIN_EXPONENT), 0.0);
    }

    #[test]
    fn bytes_are_given_only_of_what_is_no_text() {
        assert_eq!(bytes_unless_text("\u{e9}\n".as_bytes()), None);
        assert_eq!(bytes_unless_text(b"\x0a\xc3"), Some("0ac3".to_string()));
    }
}
