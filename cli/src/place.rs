//! Places in the source, in words.

use std::collections::HashMap;

use crate::branch::{Branch, Turn};
use bpa_schema::{Block, Frame, Function, Position};

/// Where going to block `to` leads, as seen from `branch`: `line 8`, `line 5, another turn`, or the block's name.
pub fn target(branch: &Branch, to: usize) -> String {
    let position = branch.position();
    let here = position.map(|position| &position.frame);
    let first = branch.function.blocks[to].first.as_ref();
    let place = match first.map(|first| as_far_in(first, position)) {
        Some(there) => match here.filter(|here| here.file == there.file) {
            Some(here) if here.line == there.line && there.column > 0 && here.column != there.column => {
                format!("line {}:{}", there.line, there.column)
            }
            Some(_) => format!("line {}", there.line),
            None => format!("{}:{}", there.file, there.line),
        },
        None => branch.function.blocks[to].name.to_string(),
    };
    match branch.turn(to) {
        Some(Turn::Again) => format!("{place}, another turn"),
        Some(Turn::Leaves) => format!("{place}, out of the loop"),
        None => place,
    }
}

/// `there`, or the call in which it was inlined, if `here` is outside of that.
fn as_far_in<'a>(there: &'a Position<'a>, here: Option<&Position>) -> &'a Frame<'a> {
    let deeper = here.map_or(0, |here| there.depth().saturating_sub(here.depth()));
    there.frames().nth(deeper).unwrap_or(&there.frame)
}

/// `file:line:column`.
pub fn place(frame: &Frame) -> String {
    format!("{}:{}:{}", frame.file, frame.line, frame.column)
}

/// The lines that the blocks of a function begin with, by their names.
pub struct BlockLines<'a>(HashMap<&'a str, u32>);

impl<'a> BlockLines<'a> {
    pub fn of(function: &'a Function) -> Self {
        let line = |block: &'a Block| Some((&*block.name, block.first.as_ref()?.frame.line));
        BlockLines(function.blocks.iter().filter_map(line).collect())
    }

    /// `sentence` with the line beside each block that it names.
    pub fn beside_names(&self, sentence: &str) -> String {
        let mut text = String::new();
        let mut rest = sentence;
        while let Some(start) = rest.find('%') {
            text.push_str(&rest[..start]);
            let name = block_name(&rest[start..]);
            text.push_str(name);
            if let Some(line) = self.0.get(name) {
                text.push_str(&format!(" (line {line})"));
            }
            rest = &rest[start + name.len()..];
        }
        text + rest
    }
}

/// The operand that `text` begins with: `%7`, `%"a b"`, `%for.body`.
fn block_name(text: &str) -> &str {
    if let Some(quoted) = text.strip_prefix("%\"") {
        return quoted.find('"').map_or(text, |end| &text[..end + 3]);
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    let end = text[1..].find(|c| !is_name(c)).map_or(text.len(), |end| end + 1);
    text[..end].trim_end_matches(['.', '-'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_where_they_end() {
        assert_eq!(block_name("%for.body calls"), "%for.body");
        assert_eq!(block_name("%7."), "%7");
        assert_eq!(block_name("%\"a b\"->"), "%\"a b\"");
        assert_eq!(block_name("%"), "%");
    }

    #[test]
    fn what_is_inlined_is_told_by_its_call() {
        let position = |text: &'static str| serde_json::from_str::<Position>(text).expect("a position");
        let there = position(r#"{"file":"a.h","line":4,"inlined_at":[{"file":"a.c","line":11}]}"#);
        let here = position(r#"{"file":"a.c","line":9}"#);
        assert_eq!(as_far_in(&there, Some(&here)).line, 11);
        assert_eq!(as_far_in(&there, Some(&there)).line, 4);
        assert_eq!(as_far_in(&here, Some(&there)).line, 9);
    }

    #[test]
    fn sentences_name_lines() {
        let mut function = crate::opt::empty_function();
        let block = r#"{"name":"%a","loop":null,"first":{"file":"a.c","line":8}}"#;
        function.blocks = vec![serde_json::from_str(block).expect("a block")];
        let lines = BlockLines::of(&function);
        assert_eq!(lines.beside_names("%a is cold: %b is."), "%a (line 8) is cold: %b is.");
        assert_eq!(lines.beside_names("50% of %a"), "50% of %a (line 8)");
    }
}
