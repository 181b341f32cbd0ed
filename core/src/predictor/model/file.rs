//! Reading a model from a text.

use std::iter::Peekable;
use std::str::{Lines, SplitAsciiWhitespace};

use super::{Model, Node};
use crate::features::{BRANCH_NAMES, SIDE_NAMES};
use crate::predictor::PredictorError;

/// What a text begins with that is meant to be a model.
const TITLE: &str = "bpa-model ";
/// The version of the format.
const VERSION: &str = "1";
/// So many nodes all trees may have together.
const MOST_NODES: usize = 1 << 20;
/// No leaf adds more than this, in 2^-16, so that no sum is too large.
const MOST: i32 = 1 << 26;

impl Model {
    /// Whether `text` is meant to be a model.
    pub(in crate::predictor) fn is_meant_by(text: &str) -> bool {
        text.starts_with(TITLE)
    }

    /// Reads a model, line after line: a title, the names of the features, where the sum begins, and a tree a line.
    /// docs/predictors.md describes the text.
    ///
    /// # Errors
    ///
    /// The first thing in the text that is not as it should be, or if it is for other features than those that are read
    /// here.
    pub fn read(text: &str) -> Result<Model, PredictorError> {
        let mut lines = Numbered { lines: text.lines(), line: 0 };
        let title = format!("{TITLE}{VERSION}");
        lines.expect(&title, |line| (line == title).then_some(()))?;
        for (what, names) in [("branch", &BRANCH_NAMES[..]), ("side", &SIDE_NAMES)] {
            let wanted = format!("{what} {}", names.join(","));
            lines.expect(&wanted, |line| (line == wanted).then_some(()))?;
        }
        let meaning = format!("start and a number from -{MOST} to {MOST}");
        let start = lines.expect(&meaning, |line| amount(line.strip_prefix("start ")?))?;
        let mut model = Model { start, ..Model::default() };
        while let Some(line) = lines.next() {
            let mut tree = Tree { words: line.split_ascii_whitespace().peekable(), nodes: &mut model.nodes };
            let root = tree.nodes.len() as u32;
            tree.read().map_err(|expected| lines.problem(expected))?;
            model.roots.push(root);
        }
        Ok(model)
    }
}

/// Lines with their numbers.
struct Numbered<'a> {
    lines: Lines<'a>,
    line: usize,
}

impl<'a> Numbered<'a> {
    fn next(&mut self) -> Option<&'a str> {
        self.line += 1;
        self.lines.next()
    }

    fn expect<T>(&mut self, expected: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, PredictorError> {
        self.next().and_then(read).ok_or_else(|| self.problem(expected.into()))
    }

    fn problem(&self, expected: String) -> PredictorError {
        PredictorError { line: self.line, expected: format!("expected {expected}") }
    }
}

/// A tree under construction, of the words of its line.
struct Tree<'a, 'm> {
    words: Peekable<SplitAsciiWhitespace<'a>>,
    nodes: &'m mut Vec<Node>,
}

impl Tree<'_, '_> {
    /// Reads the nodes in preorder; what is wrong, if something is.
    fn read(&mut self) -> Result<(), String> {
        // Splits whose second way has yet to come.
        let mut open: Vec<usize> = Vec::new();
        loop {
            let place = self.nodes.len();
            if place == MOST_NODES {
                return Err(format!("at most {MOST_NODES} nodes in all trees"));
            }
            let word = self.words.next().ok_or("a split as 3<=7@-21, or what a leaf adds")?;
            let node = node(word)
                .ok_or_else(|| format!("a split as 3<=7@-21, or what a leaf adds, not '{word}'"))?;
            self.nodes.push(node);
            if matches!(node, Node::Split { .. }) {
                open.push(place);
                continue;
            }
            let Some(split) = open.pop() else { break };
            let next = self.nodes.len() as u32;
            if let Node::Split { otherwise, .. } = &mut self.nodes[split] {
                *otherwise = next;
            }
        }
        match self.words.peek() {
            Some(word) => Err(format!("the end of the line, not '{word}'")),
            None => Ok(()),
        }
    }
}

/// A leaf's number, or `FEATURE<=MOST@MEAN`.
fn node(word: &str) -> Option<Node> {
    let Some((feature, rest)) = word.split_once("<=") else { return amount(word).map(Node::Leaf) };
    let (most, mean) = rest.split_once('@')?;
    let feature: u16 = feature.parse().ok()?;
    if usize::from(feature) >= BRANCH_NAMES.len() + 2 * SIDE_NAMES.len() {
        return None;
    }
    Some(Node::Split { feature, most: most.parse().ok()?, otherwise: 0, mean: amount(mean)? })
}

fn amount(word: &str) -> Option<i32> {
    word.parse().ok().filter(|amount: &i32| amount.abs() <= MOST)
}
