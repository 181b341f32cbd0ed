//! Describes the reasons for predictions. The descriptions use words of the source instead of the IR.

use std::ops::Range;

use bpa_schema::words::{full, others, short, Explained, IrWords, Vocabulary};
use bpa_schema::{AttributedCall, Cause, Condition, Reason, WeightOwner};

use crate::base::demangle;
use crate::study::branch::Branch;
use crate::study::place;
use crate::study::source::{SourceCondition, SourceText, Sources};

/// The maximum number of characters of a quoted condition. A longer condition is not quoted, but only underlined.
const MOST_QUOTED: usize = 60;

/// Describes the blocks, conditions and callees around a branch. The descriptions use words of the source.
pub struct SourceWords<'a> {
    branch: &'a Branch<'a>,
    sources: &'a Sources,
}

impl<'a> SourceWords<'a> {
    pub fn new(branch: &'a Branch<'a>, sources: &'a Sources) -> Self {
        SourceWords { branch, sources }
    }

    /// A sentence with the reason for the probability of the least likely destination. This reason is usually more
    /// specific than the reasons of the other destinations.
    pub fn reason(&self) -> Option<String> {
        let successors = self.branch.successors();
        let explained = successors.iter().filter_map(|successor| Some((successor, successor.why?)));
        let (successor, reason) = explained.min_by_key(|(successor, _)| successor.numerator)?;
        Some(short(&self.explained(reason, successor.to)))
    }

    /// The sentences that explain the probability of the edge to block `to`. The explanation is based on `reason`.
    pub fn all(&self, reason: &'a Reason<'a>, to: usize) -> Vec<String> {
        let explained = self.explained(reason, to);
        let mut lines = vec![short(&explained)];
        // If there is only one step from the origin of a weight, the short sentence already names both ends.
        let is_direct = match &reason.cause {
            Cause::Estimate(estimate) => estimate
                .derivation
                .as_ref()
                .is_some_and(|derivation| derivation.left_out == 0 && derivation.steps.len() <= 1),
            _ => false,
        };
        if !is_direct {
            lines.extend(explained.details());
        }
        lines.extend(others(reason));
        lines
    }

    fn explained<'b>(&'b self, reason: &'b Reason<'b>, to: usize) -> Explained<'b, Self> {
        Explained { reason, from: self.branch.block, to, vocabulary: self }
    }

    /// Returns true if the range `range` of the source file contains another branch of the function.
    fn has_another_branch(&self, text: &SourceText, range: &Range<usize>) -> bool {
        let Some(here) = self.branch.position() else { return false };
        let mut others = self
            .branch
            .function
            .blocks
            .iter()
            .enumerate()
            .filter(|&(block, facts)| block != self.branch.block && facts.terminator.is_some());
        others.any(|(_, facts)| {
            facts.source.as_ref().is_some_and(|there| {
                there.frame.is_in_file_of(&here.frame)
                    && there.inlined_at == here.inlined_at
                    && text
                        .offset(there.frame.line, there.frame.column)
                        .is_some_and(|offset| range.contains(&offset))
            })
        })
    }

    /// The condition at the branch, if it is short.
    fn quoted(&self) -> Option<String> {
        let frame = &self.branch.position()?.frame;
        let text = self.sources.text(frame.directory.as_deref(), &frame.file)?;
        let is_optimised = self.branch.is_optimised();
        let SourceCondition { text: lines, span, is_whole, found, .. } =
            text.condition(frame.line, frame.column, is_optimised)?;
        if is_optimised && found.is_chain && self.has_another_branch(&text, &found.range) {
            return Some("a part of this condition".to_string());
        }
        let words: Vec<&str> = lines[span].split_whitespace().collect();
        let quoted = words.join(" ");
        let has_operand = quoted.contains(|c: char| c.is_alphanumeric() || c == '_');
        let is_quoted = is_whole && !found.is_keyword && has_operand;
        (is_quoted && quoted.chars().count() <= MOST_QUOTED).then(|| format!("`{quoted}`"))
    }
}

impl Vocabulary for SourceWords<'_> {
    fn block(&self, block: usize) -> String {
        place::destination(self.branch, block)
    }

    fn condition(&self, _: &Condition) -> String {
        self.quoted().unwrap_or_else(|| "this condition".to_string())
    }

    fn callee(&self, call: &AttributedCall) -> String {
        callee(&call.callee)
    }

    fn weight_owner(&self, owner: WeightOwner) -> String {
        match owner {
            WeightOwner::Block(block) => self.block(block),
            WeightOwner::Loop(header) => format!("the loop of {}", self.block(header)),
            WeightOwner::Cycle(header) => format!("the irreducible cycle of {}", self.block(header)),
        }
    }
}

/// Explains the edge to block `to`, in sentences that use the names of the IR. The explanation contains everything in
/// `reason`.
pub fn in_ir(branch: &Branch, reason: &Reason, to: usize) -> Vec<String> {
    let vocabulary = &IrWords(|block: usize| branch.function.blocks[block].name.to_string());
    full(&Explained { reason, from: branch.block, to, vocabulary })
}

/// The source name of a called operand: `grow()`.
fn callee(operand: &str) -> String {
    match operand.strip_prefix('@') {
        Some(symbol) => format!("{}()", demangle::called(&unquoted(symbol))),
        None if operand.starts_with('%') => "the target of a function pointer".to_string(),
        None => operand.to_string(),
    }
}

/// Removes the quotes and escapes of LLVM's textual IR from a name.
fn unquoted(name: &str) -> String {
    let Some(inside) = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) else {
        return name.to_string();
    };
    let mut bytes = Vec::new();
    let mut parts = inside.split('\\');
    bytes.extend_from_slice(parts.next().unwrap_or_default().as_bytes());
    for part in parts {
        match part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend_from_slice(&part.as_bytes()[2..]);
            }
            None => bytes.extend_from_slice(part.as_bytes()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callees_have_their_source_names() {
        assert_eq!(callee("@grow"), "grow()");
        assert_eq!(callee("@_ZN2ns4growEii"), "ns::grow()");
        assert_eq!(callee("@_ZN4core9panicking5panic17h0123456789abcdefE"), "core::panicking::panic()");
        assert_eq!(callee("@\"_ZN4test17hfd23a0\\C3\\A9\""), "_ZN4test17hfd23a0\u{e9}()");
        assert_eq!(callee("%f"), "the target of a function pointer");
        assert_eq!(callee("inline assembly"), "inline assembly");
    }

    #[test]
    fn quoted_names_are_unescaped() {
        assert_eq!(unquoted("\"a b\""), "a b");
        assert_eq!(unquoted("\"\\22\\5Cx\""), "\"\\x");
        assert_eq!(unquoted("plain"), "plain");
    }
}
