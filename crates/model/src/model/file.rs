//! Reading a model from a text.

use std::iter::Peekable;
use std::str::{Lines, SplitAsciiWhitespace};

use super::node::Node;
use super::scorer::{Scorer, MOST_LEAVES};
use super::trees::Trees;
use super::{Model, ModelPart};
use bpa_profile::rules::RuleSetError;

/// What a text begins with that is meant to be a model.
const TITLE: &str = "bpa-model ";
/// The version of the format.
const VERSION: &str = "2";
/// So many trees a part may have.
const MOST_TREES: usize = 1 << 16;
/// So many nodes all trees may have together.
const MOST_NODES: usize = 1 << 20;
/// No leaf adds more than this, in 2^-16, so that no sum is too large.
const MOST: i32 = 1 << 26;

impl Model {
    /// Whether `text` is meant to be a model.
    pub(crate) fn is_meant_by(text: &str) -> bool {
        text.starts_with(TITLE)
    }

    /// Reads a model: a title, and parts, of which the first is about two-way branches. The others may be left out. docs/src/reference/predictor-files.md describes the text.
    ///
    /// # Errors
    ///
    /// The first thing in the text that is not as it should be, or if it is for other features than those that are read
    /// here.
    pub fn read(text: &str) -> Result<Model, RuleSetError> {
        let mut lines = Numbered { lines: text.lines().peekable(), line: 0 };
        let title = format!("{TITLE}{VERSION}");
        lines.expect(&title, |line| (line == title).then_some(()))?;
        let two_way = lines.part(ModelPart::TwoWay)?;
        let switch = lines.part_if_there(ModelPart::Switch)?;
        let select = lines.part_if_there(ModelPart::Select)?;
        match lines.next() {
            None => Ok(Model { two_way, switch, select }),
            Some(_) => Err(lines.problem(
                "expected the end of the file: parts stand once, as two-way, switch, select".into(),
            )),
        }
    }
}

/// Lines with their numbers.
struct Numbered<'a> {
    lines: Peekable<Lines<'a>>,
    line: usize,
}

impl<'a> Numbered<'a> {
    fn next(&mut self) -> Option<&'a str> {
        self.line += 1;
        self.lines.next()
    }

    fn expect<T>(&mut self, expected: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, RuleSetError> {
        self.next().and_then(read).ok_or_else(|| self.problem(format!("expected {expected}")))
    }

    fn problem(&self, expected: String) -> RuleSetError {
        RuleSetError::new(self.line, expected)
    }

    /// Reads a part that may be left out.
    fn part_if_there(&mut self, part: ModelPart) -> Result<Option<Trees>, RuleSetError> {
        let is_there = self.lines.peek().is_some_and(|line| begins(line, part));
        is_there.then(|| self.part(part)).transpose()
    }

    /// Reads a part: its name and where the sum begins, the names of its features, and a tree a line, up to the next part.
    fn part(&mut self, part: ModelPart) -> Result<Trees, RuleSetError> {
        let name = part.name();
        let meaning = format!("{name} and a number from -{MOST} to {MOST}");
        let start = self.expect(&meaning, |line| amount(line.strip_prefix(name)?.strip_prefix(' ')?))?;
        let names = part.feature_names();
        let wanted = format!("features {}", names.join(","));
        self.expect(&wanted, |line| (line == wanted).then_some(()))?;
        let mut trees = Trees { start, ..Trees::default() };
        while let Some(line) = self.lines.next_if(|line| !begins_part(line)) {
            self.line += 1;
            let root = trees.nodes.len() as u32;
            let words = line.split_ascii_whitespace().peekable();
            let mut tree = Tree { words, features: names.len(), nodes: &mut trees.nodes };
            tree.read().map_err(|expected| self.problem(format!("expected {expected}")))?;
            if trees.nodes.len() - root as usize >= 2 * MOST_LEAVES {
                return Err(self.problem(format!("expected at most {MOST_LEAVES} leaves in a tree")));
            }
            if trees.roots.len() == MOST_TREES {
                return Err(self.problem(format!("expected at most {MOST_TREES} trees")));
            }
            trees.roots.push(root);
        }
        trees.scorer = Scorer::new(&trees.roots, &trees.nodes);
        Ok(trees)
    }
}

fn begins_part(line: &str) -> bool {
    ModelPart::ALL.iter().any(|&part| begins(line, part))
}

fn begins(line: &str, part: ModelPart) -> bool {
    line.strip_prefix(part.name()).is_some_and(|rest| rest.starts_with(' '))
}

/// A tree under construction, of the words of its line.
struct Tree<'a, 'm> {
    words: Peekable<SplitAsciiWhitespace<'a>>,
    /// How many features there are.
    features: usize,
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
            let node = node(word, self.features)
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
fn node(word: &str, features: usize) -> Option<Node> {
    let Some((feature, rest)) = word.split_once('<') else { return amount(word).map(Node::Leaf) };
    let (most, mean) = rest.strip_prefix('=')?.split_once('@')?;
    let feature: u16 = feature.parse().ok()?;
    if usize::from(feature) >= features {
        return None;
    }
    let most = most.parse().ok().filter(|&most| most < i16::MAX)?;
    Some(Node::Split { feature, most, otherwise: 0, mean: amount(mean)? })
}

fn amount(word: &str) -> Option<i32> {
    word.parse().ok().filter(|amount: &i32| amount.abs() <= MOST)
}
