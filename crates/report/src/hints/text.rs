//! Writes hints as text.

use super::advice::Advice;
use super::{BlockPosition, CurrentPrediction, Hint, HintReport};
use crate::places::near;
use crate::write;
use bpa_profile::source::Position;

impl HintReport {
    /// Appends all hints to `out`, below a heading with `title`.
    pub fn write_text(&self, title: &str, out: &mut Vec<u8>) {
        write(out, format_args!("---- Hints for {title} ----\n"));
        for hint in &self.hints {
            hint.write(out);
        }
        let (never_ran, unmeasured) = (self.never_ran, self.unmeasured);
        write(out, format_args!("never ran: {never_ran} branches; no profile: {unmeasured} functions\n\n"));
    }
}

impl Hint {
    fn write(&self, out: &mut Vec<u8>) {
        let place = match &self.source {
            Some(source) => source.to_string(),
            None => self.block.clone(),
        };
        let (cost, executions, function) = (self.cost, self.executions, &self.function);
        write(
            out,
            format_args!("{place}: in {function}, {cost:.0} avoidable misses of {executions} executions\n"),
        );
        let to = self.position_text(&self.likely);
        let went = format!("went to {to} {}", percent(self.share));
        match &self.current {
            CurrentPrediction::ByRule { rule, predicted } => {
                let predicted = percent(*predicted);
                write(out, format_args!("      {went}; {} predicts {predicted}\n", rule.name()));
            }
            CurrentPrediction::ByHint { expected, share } => {
                let (expected, share) = (self.position_text(expected), percent(*share));
                write(
                    out,
                    format_args!("      {went}; the hint in the source expects {expected}, {share}\n"),
                );
            }
        }
        let write_what: Vec<String> = self.advice.iter().map(|advice| self.advice_text(advice)).collect();
        let write_what = if write_what.is_empty() {
            "nothing (the language has no such hint)".into()
        } else {
            write_what.join(", or ")
        };
        write(out, format_args!("      write: {write_what}\n"));
    }

    fn advice_text(&self, advice: &Advice) -> String {
        let spelling = advice.spelling();
        let to = self.position_text(&self.likely);
        match advice {
            Advice::Remove => spelling.to_string(),
            Advice::Likely(source) | Advice::Unlikely(source) => {
                format!("in C++20 {spelling} at {}", self.near(source))
            }
            Advice::ColdPath(source) => format!("{spelling} at {}", self.near(source)),
            Advice::Expect => format!("{spelling} for the value that leads to {to}"),
            Advice::ExpectWithProbability(share) => {
                format!("{spelling} of {share:.3} for the value that leads to {to}")
            }
        }
    }

    /// The source position of a block, or the block's name if the position is unknown.
    fn position_text(&self, block: &BlockPosition) -> String {
        block.source.as_ref().map_or_else(|| block.block.clone(), |source| self.near(source))
    }

    /// A source position as text. The file is omitted if the branch is in the same file.
    fn near(&self, there: &Position) -> String {
        near(self.source.as_ref(), there, true)
    }
}

fn percent(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}
