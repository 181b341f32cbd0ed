//! Places in the source, in words.

use crate::branch::{Branch, Turn};
use bpa_schema::{Frame, Position};

/// Where going to block `to` leads, as seen from `branch`, and what that means for the loop around: `line 5, next iteration`.
pub fn target(branch: &Branch, to: usize) -> String {
    let place = destination(branch, to);
    match branch.turn(to) {
        Some(Turn::Again) => format!("{place}, next iteration"),
        Some(Turn::Leaves) => format!("{place}, out of the loop"),
        None => place,
    }
}

/// Where block `to` begins, as seen from `branch`: `line 8`, `a.h:8`, or the block's name.
pub fn destination(branch: &Branch, to: usize) -> String {
    let position = branch.position();
    let here = position.map(|position| &position.frame);
    let first = branch.function.blocks[to].first.as_ref();
    match first.map(|first| as_far_in(first, position)) {
        Some(there) => match here.filter(|here| here.file == there.file) {
            Some(here) if here.line == there.line && there.column > 0 && here.column != there.column => {
                format!("line {}:{}", there.line, there.column)
            }
            Some(_) => format!("line {}", there.line),
            None => format!("{}:{}", there.file, there.line),
        },
        None => branch.function.blocks[to].name.to_string(),
    }
}

/// `there`, or the call in which it was inlined, if `here` is outside of that.
pub fn as_far_in<'p, 'a>(there: &'p Position<'a>, here: Option<&Position>) -> &'p Frame<'a> {
    let deeper = here.map_or(0, |here| there.depth().saturating_sub(here.depth()));
    there.frames().nth(deeper).unwrap_or(&there.frame)
}

/// `file:line:column`.
pub fn place(frame: &Frame) -> String {
    format!("{}:{}:{}", frame.file, frame.line, frame.column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_inlined_is_told_by_its_call() {
        let position = |text: &'static str| serde_json::from_str::<Position>(text).expect("a position");
        let there = position(r#"{"file":"a.h","line":4,"inlined_at":[{"file":"a.c","line":11}]}"#);
        let here = position(r#"{"file":"a.c","line":9}"#);
        assert_eq!(as_far_in(&there, Some(&here)).line, 11);
        assert_eq!(as_far_in(&there, Some(&there)).line, 4);
        assert_eq!(as_far_in(&here, Some(&there)).line, 9);
    }
}
