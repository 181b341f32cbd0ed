//! Parses the text of a model.

use std::iter::Peekable;
use std::str::Lines;

use super::scorer::{Scorer, MOST_COMPARISONS, MOST_LEAVES};
use super::trees::{Node, Trees};
use super::{Model, ModelPart};
use bpa_profile::rules::RuleSetError;

/// If a text begins with this prefix, bpa reads the text as a model.
const TITLE: &str = "bpa-model ";
/// The version of the file format.
const VERSION: &str = "2";
/// The maximum number of trees in a part.
const MOST_TREES: usize = 1 << 16;
/// The maximum number of nodes in all trees of a part.
const MOST_NODES: usize = 1 << 20;
/// The maximum absolute value of a leaf, in units of 2^-16. The limit prevents overflow of the sum of leaves.
const MOST: i32 = 1 << 26;

impl Model {
    /// Whether `text` is intended to be a model.
    pub(crate) fn has_title(text: &str) -> bool {
        text.starts_with(TITLE)
    }

    /// Reads a model: a title and the parts. The first part, about two-way branches, is required. The other parts are
    /// optional. docs/src/reference/predictor-files.md describes the format.
    ///
    /// # Errors
    ///
    /// Returns the first error in the text. It is also an error if the feature names differ from the names in this
    /// version of bpa.
    pub fn read(text: &str) -> Result<Model, RuleSetError> {
        let mut lines = Numbered { lines: text.lines().peekable(), line: 0 };
        let title = format!("{TITLE}{VERSION}");
        lines.expect(&title, |line| (line == title).then_some(()))?;
        let mut model = Model::default();
        for part in ModelPart::ALL {
            let is_there =
                part == ModelPart::TwoWay || lines.lines.peek().is_some_and(|line| begins(line, part));
            if is_there {
                model.parts[part as usize].trees = lines.part(part)?.into();
            }
        }
        match lines.next() {
            None => Ok(model),
            Some(_) => {
                let names = ModelPart::ALL.map(ModelPart::name).join(", ");
                let order = format!("each part occurs at most once, in the order {names}");
                Err(lines.problem(format!("expected the end of the file: {order}")))
            }
        }
    }
}

/// The parts of a built-in model that are read at their first use, because most processes do not need them.
const READ_LATE: [ModelPart; 2] = [ModelPart::Calls, ModelPart::Time];

/// The message of `expect` for a built-in model.
const VALID: &str = "the built-in models are valid";

impl Model {
    /// Reads a built-in model.
    pub(crate) fn built_in(mut text: &'static str) -> Model {
        let mut late = [None; ModelPart::ALL.len()];
        for part in READ_LATE.into_iter().rev() {
            if let Some(end) = text.rfind(&format!("\n{} ", part.name())) {
                late[part as usize] = Some(&text[end + 1..]);
                text = &text[..=end];
            }
        }
        let mut model = Model::read(text).expect(VALID);
        for (part, text) in model.parts.iter_mut().zip(late) {
            part.text = text;
        }
        model
    }
}

/// Reads the trees of a part of a built-in model. `text` must only contain this part.
pub(super) fn built_in_part(part: ModelPart, text: &str) -> Trees {
    Numbered { lines: text.lines().peekable(), line: 0 }.part(part).expect(VALID)
}

/// An iterator over lines that counts the lines.
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

    /// Reads a part. The first line has the name of the part and a number, to which the results of the trees are added.
    /// The second line has the names of the features. Each further line is a tree, until the next part begins.
    fn part(&mut self, part: ModelPart) -> Result<Trees, RuleSetError> {
        let name = part.name();
        let meaning = format!("the word {name} and a number from -{MOST} to {MOST}");
        let start =
            self.expect(&meaning, |line| limited(line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok()?))?;
        let names = part.feature_names();
        let wanted = format!("features {}", names.join(","));
        self.expect(&format!("the line '{wanted}'"), |line| (line == wanted).then_some(()))?;
        let mut trees = Trees { start, ..Trees::default() };
        while let Some(line) = self.lines.next_if(|line| !begins_part(line)) {
            self.line += 1;
            if line.starts_with("select ") {
                let expected =
                    "no part select, which no longer exists: delete its lines, or train the model again";
                return Err(self.problem(format!("expected {expected}")));
            }
            let root = trees.nodes.len() as u32;
            let mut tree = Tree { rest: line.as_bytes(), features: names.len(), nodes: &mut trees.nodes };
            tree.read().map_err(|expected| self.problem(format!("expected {expected}")))?;
            if trees.nodes.len() - root as usize >= 2 * MOST_LEAVES {
                return Err(self.problem(format!("expected at most {MOST_LEAVES} leaves in a tree")));
            }
            if trees.roots.len() == MOST_TREES {
                return Err(self.problem(format!("expected at most {MOST_TREES} trees")));
            }
            trees.roots.push(root);
        }
        trees.scorer = Scorer::new(&trees.roots, &trees.nodes).ok_or_else(|| {
            self.problem(format!("expected at most {MOST_COMPARISONS} different comparisons in a part"))
        })?;
        Ok(trees)
    }
}

fn begins_part(line: &str) -> bool {
    ModelPart::ALL.iter().any(|&part| begins(line, part))
}

fn begins(line: &str, part: ModelPart) -> bool {
    line.strip_prefix(part.name()).is_some_and(|rest| rest.starts_with(' '))
}

/// A parser of a tree. In a model file, each tree is one line, which contains words separated by white space. The
/// parser must be fast, because every process that uses the built-in model parses the text of the model.
struct Tree<'a, 'm> {
    /// The text that has not been read.
    rest: &'a [u8],
    /// The number of features.
    features: usize,
    nodes: &'m mut Vec<Node>,
}

impl Tree<'_, '_> {
    /// Reads the nodes in preorder. An error describes the text that was expected.
    fn read(&mut self) -> Result<(), String> {
        // The splits whose second subtree has not been read.
        let mut open: Vec<usize> = Vec::new();
        loop {
            let place = self.nodes.len();
            if place == MOST_NODES {
                return Err(format!("at most {MOST_NODES} nodes in all trees"));
            }
            self.rest = self.rest.trim_ascii_start();
            let Some((node, rest)) = node(self.rest, self.features) else {
                return Err(format!("a split such as 3<=7@-21, or the number of a leaf{}", self.found()));
            };
            self.rest = rest;
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
        match self.found() {
            none if none.is_empty() => Ok(()),
            found => Err(format!("the end of the line{found}")),
        }
    }

    /// The next word of the line for a message, or nothing if there are no more words.
    fn found(&self) -> String {
        let word = self.rest.split(u8::is_ascii_whitespace).find(|word| !word.is_empty());
        word.map_or(String::new(), |word| format!("; found '{}'", String::from_utf8_lossy(word)))
    }
}

/// Reads a node: a number, which is a leaf, or a split in the form `FEATURE<=BOUND@MEAN`. Returns the node and the text
/// after it, which is empty or begins with white space.
fn node(text: &[u8], features: usize) -> Option<(Node, &[u8])> {
    let (first, rest) = number(text)?;
    let (node, rest) = match rest {
        [b'<', b'=', rest @ ..] => {
            let (most, rest) = number(rest)?;
            let (mean, rest) = number(rest.strip_prefix(b"@")?)?;
            let feature = u16::try_from(first).ok().filter(|&feature| usize::from(feature) < features)?;
            let most = i16::try_from(most).ok().filter(|&most| most < i16::MAX)?;
            (Node::Split { feature, most, otherwise: 0, mean: limited(mean)? }, rest)
        }
        _ => (Node::Leaf(limited(first)?), rest),
    };
    rest.first().is_none_or(u8::is_ascii_whitespace).then_some((node, rest))
}

/// Reads a number of at most ten digits. Returns the number and the text after the number.
fn number(text: &[u8]) -> Option<(i64, &[u8])> {
    let (is_negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        _ => (false, text),
    };
    let (mut value, mut rest) = (0, digits);
    while let [digit @ b'0'..=b'9', after @ ..] = rest {
        if digits.len() - rest.len() == 10 {
            return None;
        }
        value = 10 * value + i64::from(digit - b'0');
        rest = after;
    }
    (rest.len() < digits.len()).then_some((if is_negative { -value } else { value }, rest))
}

fn limited(amount: i64) -> Option<i32> {
    i32::try_from(amount).ok().filter(|amount| amount.abs() <= MOST)
}
