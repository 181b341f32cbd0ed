//! Writes hints as text.

use bpa_schema::{Advice, AdviceKind, Destination};

use super::{HintReport, RankedHint};
use crate::places::near;
use crate::WriteText;
use bpa_profile::source::Position;

impl HintReport {
    /// Appends all hints to `out`, below a heading with `title`.
    pub fn write_text(&self, title: &str, out: &mut Vec<u8>) {
        writeln!(out, "---- Hints for {title} ----");
        for hint in &self.hints {
            hint.write(out);
        }
        let (never_ran, unmeasured) = (self.never_ran, self.unmeasured);
        writeln!(out, "never ran: {never_ran} branches; no profile: {unmeasured} functions\n");
    }
}

impl RankedHint {
    fn write(&self, out: &mut Vec<u8>) {
        let RankedHint { cost, row } = self;
        let place = row.source.as_ref().map_or_else(|| row.block.to_string(), Position::to_string);
        let (executions, function) = (row.executions, &row.function);
        writeln!(out, "{place}: in {function}, {cost:.0} avoidable misses of {executions} executions");
        let went = format!("went to {} {}", self.destination(&row.likely), percent(row.likely.share));
        if let Some(expected) = &row.expected {
            let (expected, share) = (self.destination(expected), percent(expected.share));
            writeln!(out, "      {went}; the hint in the source expects {expected}, {share}");
        } else if let (Some(rule), Some(predicted)) = (row.rule, row.predicted) {
            writeln!(out, "      {went}; {rule} predicts {}", percent(predicted));
        }
        let advice: Vec<String> = row.write.iter().map(|advice| self.advice(advice)).collect();
        let advice = match advice.is_empty() {
            true => "nothing (the language has no such hint)".into(),
            false => advice.join(", or "),
        };
        writeln!(out, "      write: {advice}");
    }

    fn advice(&self, advice: &Advice) -> String {
        let Advice { what, at, probability } = advice;
        let standard = match what {
            AdviceKind::Likely | AdviceKind::Unlikely => "in C++20 ",
            _ => "",
        };
        let probability = probability.map(|share| format!(" of {share:.2}")).unwrap_or_default();
        let place = match (what, at) {
            (AdviceKind::Remove, _) => String::new(),
            (_, Some(statement)) => format!(" at {}", self.near(statement)),
            (_, None) => format!(" for the value that leads to {}", self.destination(&self.row.likely)),
        };
        format!("{standard}{what}{probability}{place}")
    }

    /// The source position of a destination, or the name of the block if the position is unknown.
    fn destination(&self, destination: &Destination) -> String {
        destination.first.as_ref().map_or_else(|| destination.block.to_string(), |first| self.near(first))
    }

    /// A source position as text. If the branch is in the same file as this position, the text omits the file.
    fn near(&self, there: &Position) -> String {
        near(self.row.source.as_ref(), there, true)
    }
}

fn percent(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}
