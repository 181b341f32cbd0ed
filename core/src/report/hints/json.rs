//! Hints as data: one JSON object a branch, on a line of its own.

use serde::Serialize;

use super::advice::Advice;
use super::{Hint, HintReport, Said, Way};
use crate::report::json::Digits;
use crate::report::places::PositionRow;

/// The version of the format. It changes when something is removed or gets another meaning; what is added does not
/// change it.
const FORMAT: u32 = 1;

impl HintReport {
    /// Appends a line about each hint to `out`.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        for hint in &self.hints {
            serde_json::to_writer(&mut *out, &hint.document()).expect("writing to memory does not fail");
            out.push(b'\n');
        }
    }
}

impl Hint {
    fn document(&self) -> Document<'_> {
        let (rule, predicted, expected) = match &self.said {
            Said::ByRule { rule, predicted } => (Some(rule.name()), Some(*predicted), None),
            Said::ByHint { expected, share } => (None, None, Some(WayRow::new(expected, *share))),
        };
        Document {
            format: FORMAT,
            module: &self.module,
            function: &self.function,
            symbol: &self.symbol,
            block: &self.block,
            number: self.number,
            source: self.source.as_ref().map(PositionRow::new),
            cost: Digits(self.cost.round() as u64),
            executions: Digits(self.executions),
            rule,
            predicted,
            expected,
            likely: WayRow::new(&self.likely, self.share),
            write: self.advice.iter().map(AdviceRow::new).collect(),
        }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    module: &'a str,
    function: &'a str,
    symbol: &'a str,
    block: &'a str,
    number: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<PositionRow<'a>>,
    cost: Digits,
    executions: Digits,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    predicted: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<WayRow<'a>>,
    likely: WayRow<'a>,
    write: Vec<AdviceRow<'a>>,
}

#[derive(Serialize)]
struct WayRow<'a> {
    block: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<PositionRow<'a>>,
    share: f64,
}

#[derive(Serialize)]
struct AdviceRow<'a> {
    what: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<PositionRow<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
}

impl<'a> WayRow<'a> {
    fn new(way: &'a Way, share: f64) -> Self {
        WayRow { block: &way.block, first: way.source.as_ref().map(PositionRow::new), share }
    }
}

impl<'a> AdviceRow<'a> {
    fn new(advice: &'a Advice) -> Self {
        let (at, probability) = match advice {
            Advice::Likely(source) | Advice::Unlikely(source) => (Some(PositionRow::new(source)), None),
            Advice::ExpectWithProbability(share) => (None, Some(*share)),
            Advice::Remove | Advice::Expect => (None, None),
        };
        AdviceRow { what: advice.spelling(), at, probability }
    }
}
