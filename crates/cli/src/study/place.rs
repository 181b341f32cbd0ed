//! Texts that describe source positions.

use crate::base::demangle;
use crate::study::branch::{Branch, LoopEffect};
use bpa_schema::{Frame, Function, Position};

/// The position of successor `to` of `branch`, for example `line 5, next iteration`. The text after the comma is
/// present if the edge leads to the next iteration of a loop, or out of a loop.
pub fn target(branch: &Branch, to: usize) -> String {
    let place = destination(branch, to);
    match branch.loop_effect(to) {
        Some(LoopEffect::NextIteration) => format!("{place}, next iteration"),
        Some(LoopEffect::Exit) => format!("{place}, out of the loop"),
        None => place,
    }
}

/// The position of successor `to` of `branch`, as in [`position`]. If both successors have the same position, the name
/// of the block follows.
pub fn destination(branch: &Branch, to: usize) -> String {
    let place = position(branch, to);
    match branch.other_successor(to).is_some_and(|other| position(branch, other) == place) {
        true => format!("{place} (block {})", demangle::block_name(&branch.function.blocks[to].name)),
        false => place,
    }
}

/// The position of successor `to` of `branch`: `line 8`, or `a.h:8` in another file. If the branch or its other
/// successor is in the same line, the column follows the line. If the IR has no debug information, the result is the
/// name of the block.
fn position(branch: &Branch, to: usize) -> String {
    let here = branch.position().map(|position| &position.frame);
    match beginning(branch, to).filter(|there| there.line > 0) {
        Some(there) => match here.filter(|here| here.file == there.file) {
            Some(here) => {
                let other = branch.other_successor(to).and_then(|other| beginning(branch, other));
                let is_beside = |one: &Frame| {
                    one.file == there.file && one.line == there.line && one.column != there.column
                };
                let has_column = there.column > 0 && (is_beside(here) || other.is_some_and(is_beside));
                let column = if has_column { format!(":{}", there.column) } else { String::new() };
                format!("line {}{column}", there.line)
            }
            None => format!("{}:{}", short_path(&there.file), there.line),
        },
        None if has_lines(branch.function) => "code without a line number".to_string(),
        None => branch.function.blocks[to].name.to_string(),
    }
}

/// The path `file` as messages show it. rustc names the files of the standard library `/rustc/HASH/library/...`.
fn short_path(file: &str) -> &str {
    match file.strip_prefix("/rustc/").and_then(|rest| rest.split_once('/')) {
        Some((_, path)) => path,
        None => file,
    }
}

/// The position at which successor `to` of `branch` begins. If the successor begins with inlined code, this is the
/// position of the inlined call.
///
/// The compiler can move code from above the branch to the beginning of a successor, for example the initialisation of
/// a reference. If both successors of a branch begin at the same position, the result is the position at which the
/// successor ends.
pub fn beginning<'a>(branch: &Branch<'a>, to: usize) -> Option<&'a Frame> {
    let in_frame = |there: &'a Position| as_far_in(there, branch.position());
    let first = |block: usize| first_position(branch.function, block).map(in_frame);
    let is_same = branch.other_successor(to).is_some_and(|other| first(other) == first(to));
    let end = branch.function.blocks[to].source.as_ref().filter(|_| is_same);
    end.map(in_frame).or_else(|| first(to))
}

/// The position of the beginning of block `block`. If no instruction of the block has a line, the result is the
/// position of the block's only successor. For example, a block with only phis has no line, and merged instructions
/// have line 0.
pub fn first_position<'f>(function: &'f Function, mut block: usize) -> Option<&'f Position> {
    // Without this limit on the number of steps, the search would never leave a cycle of blocks without lines.
    for _ in 0..function.blocks.len() {
        let this = &function.blocks[block];
        let positions = [this.first.as_ref(), this.source.as_ref()];
        if let Some(position) = positions.into_iter().flatten().find(|position| position.frame.line > 0) {
            return Some(position);
        }
        let start = function.edges.partition_point(|edge| edge.from < block);
        let mut edges = function.edges[start..].iter().take_while(|edge| edge.from == block);
        block = edges.next().filter(|first| edges.all(|edge| edge.to == first.to))?.to;
    }
    None
}

/// Returns true if `function` has debug information.
pub fn has_lines(function: &Function) -> bool {
    function.source.is_some()
}

/// Compares the inlining depths of the positions `there` and `here`. If `there` is deeper, returns the inlined call
/// that contains `there` and has the depth of `here`. Otherwise returns `there.frame`.
pub fn as_far_in<'p>(there: &'p Position, here: Option<&Position>) -> &'p Frame {
    let deeper = here.map_or(0, |here| there.depth().saturating_sub(here.depth()));
    there.frames().nth(deeper).unwrap_or(&there.frame)
}

/// Converts `position` to two JSON values: the position of the branch, and the chain of inlined calls.
pub fn columns(position: Option<&Position>) -> (Option<Frame>, Vec<Frame>) {
    position
        .map_or_else(Default::default, |position| (Some(position.frame.clone()), position.inlined_at.clone()))
}

/// The position as `file:line:column`.
pub fn place(frame: &Frame) -> String {
    format!("{}:{}:{}", frame.file, frame.line, frame.column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_without_a_line_has_the_line_of_its_successor() {
        let block = |line: Option<u32>| {
            let first = line.map(|line| serde_json::json!({"file": "a.c", "line": line}));
            serde_json::json!({"name": "%lor.end", "loop": null, "first": first})
        };
        let edge = |from: usize, to: usize| serde_json::json!({"from": from, "to": to, "successor": 0, "numerator": 0, "percent": 0.0, "weight": 1, "rule": "even"});
        let text = serde_json::json!({
            "format": bpa_schema::FORMAT, "analysis": "rust-bfi", "llvm": 16, "module": "m", "function": "f",
            "entry_count": null, "blocks": [block(Some(3)), block(None), block(Some(0)), block(Some(9)), block(None)],
            "edges": [edge(0, 1), edge(0, 4), edge(1, 2), edge(2, 3), edge(4, 4)], "loops": [],
        });
        let text = text.to_string();
        let function: Function = serde_json::from_str(&text).expect("a function");
        let line = |block: usize| first_position(&function, block).map(|first| first.frame.line);
        assert_eq!([0, 1, 2, 3, 4].map(line), [Some(3), Some(9), Some(9), Some(9), None]);
    }

    #[test]
    fn paths_of_the_standard_library_have_no_hash() {
        assert_eq!(
            short_path("/rustc/4eb1/library/core/src/slice/iter.rs"),
            "library/core/src/slice/iter.rs"
        );
        assert_eq!(short_path("src/rustc/a.rs"), "src/rustc/a.rs");
    }

    #[test]
    fn inlined_code_has_the_line_of_its_call() {
        let position = |text: &'static str| serde_json::from_str::<Position>(text).expect("a position");
        let there = position(r#"{"file":"a.h","line":4,"inlined_at":[{"file":"a.c","line":11}]}"#);
        let here = position(r#"{"file":"a.c","line":9}"#);
        assert_eq!(as_far_in(&there, Some(&here)).line, 11);
        assert_eq!(as_far_in(&there, Some(&there)).line, 4);
        assert_eq!(as_far_in(&here, Some(&there)).line, 9);
    }
}
