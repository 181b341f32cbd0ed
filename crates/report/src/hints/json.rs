//! Writes hints as JSON: one line for each branch.

use bpa_schema::{AdviceKind, Destination, Digits, Format};

use super::advice::Advice;
use super::{BlockPosition, CurrentPrediction, Hint, HintReport};
use crate::json::write_line;

impl HintReport {
    /// Appends a line about each hint to `out`.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        for hint in &self.hints {
            write_line(&hint.row(), out);
        }
    }
}

impl Hint {
    fn row(&self) -> bpa_schema::Hint<'_> {
        let (rule, predicted, expected) = match &self.current {
            CurrentPrediction::ByRule { rule, predicted } => (Some(*rule), Some(*predicted), None),
            CurrentPrediction::ByHint { expected, share } => (None, None, Some(expected.row(*share))),
        };
        bpa_schema::Hint {
            format: Format,
            module: (&self.module).into(),
            function: (&self.function).into(),
            symbol: (&self.symbol).into(),
            block: (&self.block).into(),
            number: self.number,
            source: self.source.clone(),
            cost: Digits(self.cost.round() as u64),
            executions: Digits(self.executions),
            rule,
            predicted,
            expected,
            likely: self.likely.row(self.share),
            write: self.advice.iter().map(Advice::row).collect(),
        }
    }
}

impl BlockPosition {
    fn row(&self, share: f64) -> Destination<'_> {
        Destination { block: (&self.block).into(), first: self.source.clone(), share }
    }
}

impl Advice {
    fn row(&self) -> bpa_schema::Advice<'_> {
        let (what, at, probability) = match self {
            Advice::Remove => (AdviceKind::Remove, None, None),
            Advice::Likely(source) => (AdviceKind::Likely, Some(source), None),
            Advice::Unlikely(source) => (AdviceKind::Unlikely, Some(source), None),
            Advice::ColdPath(source) => (AdviceKind::ColdPath, Some(source), None),
            Advice::Expect => (AdviceKind::Expect, None, None),
            Advice::ExpectWithProbability(share) => (AdviceKind::ExpectWithProbability, None, Some(*share)),
        };
        bpa_schema::Advice { what, at: at.cloned(), probability }
    }
}
