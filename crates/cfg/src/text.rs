//! Graphs from a few lines of text, for tests and examples that read like pictures.

use rustc_hash::FxHashMap;

use super::{Block, Graph, Rows};
use cranelift_entity::EntityRef;

/// Builds the graph that `text` draws, and says which block each name became.
///
/// One block a line, `name -> successor successor ...`; blocks are numbered in the order of their lines, so
/// the first line is the entry. A block without successors stands alone on its line. Lines may also be
/// separated by `;`.
///
/// # Errors
///
/// Names the successor that has no line of its own, or the block that has two. A text without a block is none, either.
///
/// # Panics
///
/// The function that says which block a name became panics if there is no line for the name.
///
/// ```
/// let (graph, block) = bpa_cfg::parse_graph("entry -> left right; left -> end; right -> end; end").unwrap();
/// assert_eq!(graph.successors(graph.entry()), [block("left"), block("right")]);
/// ```
pub fn parse_graph(text: &str) -> Result<(Graph, impl Fn(&str) -> Block), String> {
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
        return Err("no line for an entry".to_string());
    }
    let mut blocks: FxHashMap<String, Block> = FxHashMap::default();
    for (index, (name, _)) in lines.iter().enumerate() {
        if blocks.insert(name.to_string(), Block::new(index)).is_some() {
            return Err(format!("block {name} has two lines"));
        }
    }
    let mut rows = Rows::default();
    for (_, successors) in &lines {
        for successor in successors {
            rows.push(*blocks.get(*successor).ok_or_else(|| format!("no line for block {successor}"))?);
        }
        rows.end_row();
    }
    Ok((Graph::from_successors(rows), move |name: &str| blocks[name]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// New lines or semicolons, spaces or none: the same picture.
    #[test]
    fn lines_may_stand_on_their_own_or_in_a_row() {
        let (graph, block) = parse_graph("\n  a -> b  c\n\n b->c ;c;").unwrap();
        assert_eq!(graph.block_count(), 3);
        assert_eq!(graph.successors(block("a")), [block("b"), block("c")]);
        assert_eq!(graph.successors(block("b")), [block("c")]);
        assert_eq!(graph.successors(block("c")), []);
    }

    /// Blocks are numbered by their lines, whoever mentions them first.
    #[test]
    fn the_first_line_is_the_entry() {
        let (graph, block) = parse_graph("a -> c b; b; c").unwrap();
        assert_eq!(graph.entry(), block("a"));
        assert_eq!((block("b"), block("c")), (Block::new(1), Block::new(2)));
    }

    #[test]
    fn errors_name_the_block() {
        let error = |text| parse_graph(text).err().unwrap();
        assert_eq!(error(" ;\n"), "no line for an entry");
        assert_eq!(error("a -> b"), "no line for block b");
        assert_eq!(error("a -> b; b; a"), "block a has two lines");
    }
}
