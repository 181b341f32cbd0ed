//! Builds graphs from text, for tests and examples.

use rustc_hash::FxHashMap;

use super::{Adjacency, Block, Graph};
use cranelift_entity::EntityRef;

/// An error in the textual description of a graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseGraphError {
    /// The text describes no block. A graph needs at least an entry block.
    #[error("no line for the entry block")]
    NoBlocks,
    /// Two lines have the same block name.
    #[error("block {0} has two lines")]
    DuplicateBlock(String),
    /// No line describes this successor.
    #[error("no line for block {0}")]
    UnknownSuccessor(String),
}

/// Builds a graph from `text`, and returns the graph and a function that maps block names to blocks.
///
/// Each line describes one block: `name -> successor successor ...`. Blocks are numbered in the order of their lines,
/// so the first line is the entry. The line of a block without successors contains only the block's name. A semicolon
/// ends a line, like a line break.
///
/// # Errors
///
/// Returns an error if the text has no line, if two lines have the same name, or if a successor has no line.
///
/// # Panics
///
/// The returned closure panics if its argument is not the name of a block.
///
/// ```
/// let (graph, block) = bpa_cfg::parse_graph("entry -> left right; left -> end; right -> end; end").unwrap();
/// assert_eq!(graph.successors(graph.entry()), [block("left"), block("right")]);
/// ```
pub fn parse_graph(text: &str) -> Result<(Graph, impl Fn(&str) -> Block + use<>), ParseGraphError> {
    let lines: Vec<(&str, Vec<&str>)> = text
        .split([';', '\n'])
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(|line| match line.split_once("->") {
            Some((name, successors)) => (name.trim(), successors.split_whitespace().collect()),
            None => (line, Vec::new()),
        })
        .collect();

    if lines.is_empty() {
        return Err(ParseGraphError::NoBlocks);
    }
    let mut blocks: FxHashMap<String, Block> = FxHashMap::default();
    for (index, (name, _)) in lines.iter().enumerate() {
        if blocks.insert(name.to_string(), Block::new(index)).is_some() {
            return Err(ParseGraphError::DuplicateBlock(name.to_string()));
        }
    }
    let mut rows = Adjacency::default();
    for (_, successors) in &lines {
        for successor in successors {
            let block = blocks.get(*successor);
            rows.push(*block.ok_or_else(|| ParseGraphError::UnknownSuccessor(successor.to_string()))?);
        }
        rows.end_row();
    }
    Ok((Graph::from_successors(rows), move |name: &str| blocks[name]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Line breaks, semicolons and spaces do not change the graph.
    #[test]
    fn semicolons_and_line_breaks_separate_lines() {
        let (graph, block) = parse_graph("\n  a -> b  c\n\n b->c ;c;").unwrap();
        assert_eq!(graph.block_count(), 3);
        assert_eq!(graph.successors(block("a")), [block("b"), block("c")]);
        assert_eq!(graph.successors(block("b")), [block("c")]);
        assert_eq!(graph.successors(block("c")), []);
    }

    /// Blocks are numbered in the order of their lines, even if an earlier line mentions a block as a successor.
    #[test]
    fn the_first_line_is_the_entry() {
        let (graph, block) = parse_graph("a -> c b; b; c").unwrap();
        assert_eq!(graph.entry(), block("a"));
        assert_eq!((block("b"), block("c")), (Block::new(1), Block::new(2)));
    }

    #[test]
    fn errors_name_the_block() {
        let error = |text| parse_graph(text).err().unwrap().to_string();
        assert_eq!(error(" ;\n"), "no line for the entry block");
        assert_eq!(error("a -> b"), "no line for block b");
        assert_eq!(error("a -> b; b; a"), "block a has two lines");
    }
}
