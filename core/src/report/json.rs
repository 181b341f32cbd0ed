//! The data that `json` prints: one JSON object a function, on a line of its own. docs/json.md describes it, and
//! docs/bpa.schema.json defines it.

use std::borrow::Cow;

use cranelift_entity::EntityRef;
use serde::{Serialize, Serializer};

use super::names::Names;
use super::places::{DefinitionRow, PositionRow};
use super::probabilities::percentage;
use crate::bfi::nest::NestedLoop;
use crate::bfi::{FrequencyMethod, Scaled};
use crate::cfg::Block;
use crate::predictor::Predictor;
use crate::profile::Profile;
use crate::source::FunctionSource;

/// The version of the format. It changes when something is removed or gets another meaning; what is added does not
/// change it.
const FORMAT: u32 = 1;

/// How much of a profile JSON tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Branch probabilities and loops.
    Probabilities,
    /// Block frequencies and biases as well.
    Frequencies,
}

/// Appends the line about the function of `profile`, which stands at `source`, to `out`, with the `reasons` of each edge, if
/// there are any.
pub fn write_json(
    names: &Names,
    source: &FunctionSource,
    profile: &Profile,
    contents: Contents,
    reasons: Option<&[Vec<String>]>,
    out: &mut Vec<u8>,
) {
    let has_frequencies = contents == Contents::Frequencies;
    let function = Function { names, source, profile, has_frequencies, reasons };
    serde_json::to_writer(&mut *out, &function.document()).expect("writing to memory does not fail");
    out.push(b'\n');
}

/// What rows are made from.
struct Function<'a> {
    names: &'a Names<'a>,
    source: &'a FunctionSource,
    profile: &'a Profile,
    has_frequencies: bool,
    /// Of each edge why its probability is what it is, if that is asked for.
    reasons: Option<&'a [Vec<String>]>,
}

impl Function<'_> {
    fn document(&self) -> impl Serialize + '_ {
        let facts = self.profile.facts();
        let graph = self.profile.graph();
        Document {
            format: FORMAT,
            analysis: if self.has_frequencies { "rust-bfi" } else { "rust-bpi" },
            method: (self.has_frequencies && self.profile.method() == FrequencyMethod::Exact)
                .then_some("exact"),
            llvm: self.profile.dialect().version,
            predictor: Some(self.profile.predictor().name()).filter(|&name| name != Predictor::llvm().name()),
            module: String::from_utf8_lossy(self.names.module),
            function: String::from_utf8_lossy(self.names.function),
            function_bytes: bytes_unless_text(self.names.function),
            display_name: self.display_name(),
            source: self.source.definition.as_ref().map(Into::into),
            entry_count: facts
                .entry_count
                .map(|entries| EntryCountRow { count: Digits(entries.count), synthetic: entries.synthetic }),
            blocks: Rows(move || graph.blocks().map(|block| self.block_row(block))),
            edges: Rows(move || graph.blocks().flat_map(|block| self.edge_rows(block))),
            loops: Rows(move || self.profile.nest().loops().map(|nested| self.loop_row(nested))),
        }
    }

    /// What the source calls the function, if that is something else.
    fn display_name(&self) -> Option<&str> {
        let name = &*self.source.definition.as_ref()?.name;
        (!name.is_empty() && name.as_bytes() != self.names.function).then_some(name)
    }

    fn block_row(&self, block: Block) -> BlockRow<'_> {
        let (profile, source) = (self.profile, self.source.blocks.get(block));
        BlockRow {
            name: &self.names.blocks[block],
            innermost: profile.nest().innermost(block).map(EntityRef::index),
            header_weight: profile.facts().header_weight(block).map(Digits),
            source: source.and_then(|source| source.branch.as_ref()).map(PositionRow::new),
            first: source.and_then(|source| source.first.as_ref()).map(PositionRow::new),
            lines: source.map_or(&[], |source| &source.lines),
            frequencies: self.has_frequencies.then(|| {
                let bias = profile.biases().of(block);
                FrequencyColumns {
                    frequency: profile.block_frequencies().scaled(block).into(),
                    integer: Digits(profile.integer_frequency(block)),
                    count: profile.count(block).map(Digits),
                    bias: bias.ratio().into(),
                    reference: bias.reference.into(),
                }
            }),
        }
    }

    fn edge_rows(&self, block: Block) -> impl Iterator<Item = EdgeRow<'_>> + '_ {
        let (graph, result) = (self.profile.graph(), self.profile.branch_probabilities());
        let targets = graph.successors(block);
        let rule = if targets.len() > 1 { result.rule(block).name() } else { "single" };
        targets.iter().zip(graph.edges(block)).enumerate().map(move |(successor, (&target, edge))| {
            let probability = result.probabilities()[edge];
            EdgeRow {
                from: block.index(),
                successor,
                to: target.index(),
                numerator: probability.numerator(),
                percent: percentage(probability),
                weight: result.weights()[edge],
                rule,
                why: self.reasons.filter(|_| targets.len() > 1).map(|reasons| &*reasons[edge]),
            }
        })
    }

    fn loop_row(&self, nested: NestedLoop) -> impl Serialize + '_ {
        let nest = self.profile.nest();
        LoopRow {
            headers: Rows(move || nest.headers(nested).iter().map(|header| header.index())),
            irreducible: nest.is_irreducible(nested),
            parent: nest.parent(nested).map(EntityRef::index),
            depth: nest.depth(nested),
            frequencies: self.has_frequencies.then(|| LoopColumns {
                entries: nest.entries(nested).into(),
                scale: nest.scale(nested).into(),
            }),
        }
    }
}

#[derive(Serialize)]
struct Document<'a, B: Serialize, E: Serialize, L: Serialize> {
    format: u32,
    analysis: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'a str>,
    llvm: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    predictor: Option<&'a str>,
    module: Cow<'a, str>,
    function: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function_bytes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    display_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<DefinitionRow<'a>>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<PositionRow<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<PositionRow<'a>>,
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    lines: &'a [u32],
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
struct EdgeRow<'a> {
    from: usize,
    successor: usize,
    to: usize,
    numerator: u32,
    percent: f64,
    weight: u32,
    rule: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a [String]>,
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
pub(super) struct ScaledColumn {
    digits: Digits,
    exponent: i16,
    value: f64,
}

impl From<Scaled> for ScaledColumn {
    fn from(number: Scaled) -> Self {
        // JSON has no infinity.
        let value = number.to_f64().min(f64::MAX);
        ScaledColumn { digits: Digits(number.digits()), exponent: number.exponent(), value }
    }
}

/// A 64-bit number. It is written as a string of digits: many readers take a JSON number for a double, which is exact
/// only up to 2^53.
pub(super) struct Digits(pub u64);

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
pub(super) fn bytes_unless_text(name: &[u8]) -> Option<String> {
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
        assert_eq!(value(1 << 63, 960), f64::from_bits(0x7FE << 52));
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
