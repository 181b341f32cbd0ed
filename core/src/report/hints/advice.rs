//! What to write in the source.

use crate::cfg::Block;
use crate::score::{Branch, Kind, Side};
use crate::source::SourcePosition;

/// From here on a branch is as sure as attributes say: they know no shares.
const SURE: f64 = 0.9;

/// Something to write.
pub(super) enum Advice {
    /// To take away the hint that is there.
    Remove,
    /// `[[likely]]` before the statement there.
    Likely(SourcePosition),
    /// `[[unlikely]]` before the statement there.
    Unlikely(SourcePosition),
    /// `__builtin_expect` around what is tested.
    Expect,
    /// `__builtin_expect_with_probability` around what is tested.
    ExpectWithProbability(f64),
}

impl Advice {
    /// As it is written.
    pub fn spelling(&self) -> &'static str {
        match self {
            Advice::Remove => "no hint",
            Advice::Likely(_) => "[[likely]]",
            Advice::Unlikely(_) => "[[unlikely]]",
            Advice::Expect => "__builtin_expect",
            Advice::ExpectWithProbability(_) => "__builtin_expect_with_probability",
        }
    }
}

/// What would make the answer about `branch` right, which mostly goes to `likely`. `own_statement` says where a statement stands
/// to which only one edge leads: an attribute there says something of that edge alone.
pub(super) fn advice(
    branch: &Branch,
    likely: &Side,
    share: f64,
    is_hinted: bool,
    own_statement: impl Fn(Block) -> Option<SourcePosition>,
) -> Vec<Advice> {
    let mut advice = Vec::new();
    if is_hinted {
        advice.push(Advice::Remove);
    }
    if share < SURE {
        advice.push(Advice::ExpectWithProbability(share));
        return advice;
    }
    if let Some(source) = own_statement(likely.target) {
        advice.push(Advice::Likely(source));
    } else if branch.kind == Kind::TwoWay {
        let other = branch.sides.iter().find(|side| side.target != likely.target);
        advice.extend(other.and_then(|side| own_statement(side.target)).map(Advice::Unlikely));
    }
    advice.push(Advice::Expect);
    advice
}
