//! Generates random graphs for property tests, and builds graphs from text.

use proptest::collection::vec;
use proptest::prelude::*;

use super::{parse_graph, Block, ControlFlow, Graph};

/// The configuration of all property tests.
///
/// A failing test prints its graph as text. To keep a failing case, use this text in a unit test. Seeds are not stored
/// in files. By default, each property is tested with 100 random graphs. The environment variable `PROPTEST_CASES` sets
/// another number of graphs.
pub fn config() -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => config,
        None => ProptestConfig { cases: 100, ..config },
    }
}

/// Parses `picture`. Returns the graph, the control flow of the graph, and a function that maps names to blocks.
pub fn from_picture(picture: &str) -> (Graph, ControlFlow, impl Fn(&str) -> Block + use<>) {
    let (graph, block) = parse_graph(picture).expect("the picture is valid");
    (graph.clone(), ControlFlow::new(graph), block)
}

/// Random graphs as text for [`parse_graph`]. The name of a block is its number.
pub fn pictures() -> impl Strategy<Value = String> {
    rows(24).prop_map(|rows| {
        let names = |row: &[usize]| row.iter().map(usize::to_string).collect::<Vec<_>>();
        let lines: Vec<String> =
            rows.iter().enumerate().map(|(block, row)| line(block, "", &names(row))).collect();
        lines.join("; ")
    })
}

/// Generates the lists of successors of graphs with at most `most` blocks. The graphs often have exits, jumps,
/// branches, switches with parallel edges, and unreachable blocks.
pub fn rows(most: usize) -> impl Strategy<Value = Vec<Vec<usize>>> {
    let exit = vec(any_jump(), 0);
    let jump = vec(any_jump(), 1);
    let branch = vec(any_jump(), 2);
    let switch = vec(any_jump(), 3..6);
    vec(prop_oneof![3 => exit, 6 => jump, 10 => branch, 2 => switch], 1..=most).prop_map(|rows| {
        let count = rows.len();
        let targets = |block: usize, row: &[Jump]| row.iter().map(|jump| jump.target(block, count)).collect();
        rows.iter().enumerate().map(|(block, row)| targets(block, row)).collect()
    })
}

/// One line of a graph in text form: the number of a block, words that describe the block, and its successors.
pub fn line(block: usize, words: &str, successors: &[String]) -> String {
    let colon = if words.is_empty() { "" } else { ": " };
    let arrow = if successors.is_empty() { "" } else { " -> " };
    format!("{block}{colon}{words}{arrow}{}", successors.join(" "))
}

/// The target of an edge in a random graph. This type does not contain the number of blocks, so proptest can remove
/// blocks from a failing graph.
#[derive(Clone, Debug)]
enum Jump {
    /// The target is at most four blocks before or after the source in layout order. Such targets form nested loops and
    /// chains of blocks.
    Near(i32),
    /// The target can be any block of the graph. Such targets form irreducible cycles.
    Far(u8),
}

impl Jump {
    fn target(&self, block: usize, count: usize) -> usize {
        match *self {
            Jump::Near(distance) => (block as i32 + distance).rem_euclid(count as i32) as usize,
            Jump::Far(place) => usize::from(place) % count,
        }
    }
}

fn any_jump() -> impl Strategy<Value = Jump> {
    prop_oneof![3 => (-3..=4).prop_map(Jump::Near), 1 => any::<u8>().prop_map(Jump::Far)]
}
