//! Finds conditions in clang's syntax tree.
//!
//! For `if (a && !b)`, clang generates one branch for `a` and one branch for `b`. For a loop with the condition `a &&
//! b`, clang computes the value of the condition: one branch tests `a`, and one branch tests the value of `a && b`. The
//! branch takes its first edge if the tested value is true. For the operand `!b`, clang generates a branch on `b` and
//! swaps the two edges of the branch. For `!!b`, clang swaps the edges twice.

use super::condition::{Condition, Conditions, Expectation, Form};
use super::files::Files;
use super::tree::{Kind, Node, Opcode, Range, Sink, Token, TypeName};

/// A part of an expression. The parent node determines whether the part is a condition.
pub struct Part {
    shape: Shape,
    range: Option<Range>,
    form: Form,
    name: String,
    literal: Option<bool>,
    expectation: Option<Expectation>,
    inner: Vec<Part>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Logical,
    Not,
    Paren,
    Choice,
    Implicit,
    Other,
}

/// The statement or operator around a condition.
#[derive(Clone, Copy)]
struct Around {
    range: Range,
    /// The keyword of a statement, or `None` for an operator.
    word: Option<&'static str>,
    /// True if the statement or operator has only one condition.
    is_only: bool,
}

impl Sink for Conditions {
    type Node = Part;

    fn node(&mut self, files: &Files, mut node: Node<Part>) -> Part {
        let mut finder = Finder { conditions: self, files };
        finder.conditions_of(&node);
        let shape = shape(&node);
        let (form, literal) = (form(&node), literal(&node));
        let expectation = expectation(&node);
        if node.kind == Kind::Conditional {
            node.inner.drain(..node.inner.len().min(1));
        }
        if shape == Shape::Other {
            node.inner.drain(..).for_each(|part| finder.value(&part));
        }
        Part { shape, range: node.range, form, name: node.name, literal, expectation, inner: node.inner }
    }
}

fn shape(node: &Node<Part>) -> Shape {
    match (node.kind, node.opcode) {
        (Kind::Binary, Opcode::And | Opcode::Or) => Shape::Logical,
        (Kind::Unary, Opcode::Not) => Shape::Not,
        (Kind::Paren, _) => Shape::Paren,
        (Kind::Conditional, _) => Shape::Choice,
        (Kind::Implicit, _) => Shape::Implicit,
        _ => Shape::Other,
    }
}

fn form(node: &Node<Part>) -> Form {
    let of_operand = || node.inner.first().map_or(Form::Class, |part| part.form);
    let is_truth = matches!(node.opcode, Opcode::And | Opcode::Or | Opcode::Not | Opcode::Comparison);
    match node.type_name {
        _ if node.is_user_conversion => Form::Class,
        _ if matches!(node.kind, Kind::Implicit | Kind::Paren) => of_operand(),
        TypeName::Dependent => Form::Class,
        TypeName::Bool => Form::Truth,
        TypeName::Int if is_truth => Form::Truth,
        _ => Form::Scalar,
    }
}

fn literal(node: &Node<Part>) -> Option<bool> {
    match (node.kind, node.value.as_str()) {
        (Kind::Integer, "0") => Some(false),
        (Kind::Integer, "1") => Some(true),
        (Kind::Implicit | Kind::Paren, _) => node.inner.first()?.literal,
        _ => None,
    }
}

/// Returns the arguments if the node is a call of `__builtin_expect` that contains no macros.
fn expectation(node: &Node<Part>) -> Option<Expectation> {
    if matches!(node.kind, Kind::Implicit | Kind::Paren) {
        return node.inner.first()?.expectation;
    }
    let [callee, argument, value] = node.inner.as_slice() else { return None };
    let written = |part: &Part| {
        let Range { begin, end } = part.range?;
        (begin.spelled.is_none() && end.spelled.is_none()).then_some((begin.offset, end.offset + end.length))
    };
    if node.kind != Kind::Call || callee.first_name() != "__builtin_expect" {
        return None;
    }
    let (start, end) = written(value)?;
    written(callee)?;
    let is_truth = argument.form == Form::Truth;
    Some(Expectation { argument: written(argument)?, value: (start, end, value.literal?), is_truth })
}

impl Part {
    fn first_name(&self) -> &str {
        match self.inner.first() {
            Some(first) if self.name.is_empty() => first.first_name(),
            _ => &self.name,
        }
    }

    fn without_parentheses(&self) -> &Part {
        match self.shape {
            Shape::Paren => self.inner.first().map_or(self, Part::without_parentheses),
            _ => self,
        }
    }
}

/// The `!` or parenthesis around an operand.
#[derive(Clone, Copy)]
struct Outside<'a> {
    /// The outermost `!`, or the innermost parenthesis if there is no `!`.
    part: &'a Part,
    /// True if the operand has an odd number of `!` around it. Each `!` swaps the edges of the branch.
    swaps_edges: bool,
}

struct Finder<'a> {
    conditions: &'a mut Conditions,
    files: &'a Files,
}

impl Finder<'_> {
    /// Adds the conditions of a statement or of `?:`.
    fn conditions_of(&mut self, node: &Node<Part>) {
        let Some(range) = node.range else { return };
        let around = |word| Around { range, word: Some(word), is_only: true };
        let inner = |place: usize| node.inner.get(place).filter(|_| !node.has_variable && !node.is_constant);
        let has_variable = node.inner.get(1).is_some_and(|variable| variable.range.is_some());
        match node.kind {
            Kind::If => inner(usize::from(node.has_init)).map(|part| self.branches(part, around("if"))),
            Kind::While => inner(0).map(|part| self.loop_condition(part, around("while"))),
            Kind::Do => inner(1).map(|part| self.loop_condition(part, around("do"))),
            Kind::For => {
                inner(2).filter(|_| !has_variable).map(|part| self.loop_condition(part, around("for")))
            }
            Kind::Conditional => {
                inner(0).map(|part| self.branches(part, Around { word: None, ..around("") }))
            }
            _ => None,
        };
    }

    /// Adds the condition of an `if` or `?:`. Clang generates one branch per operand of `&&` and `||`.
    fn branches(&mut self, part: &Part, around: Around) {
        let has_operands = matches!(part.without_parentheses().shape, Shape::Logical | Shape::Choice);
        self.operands(part, Around { is_only: !has_operands, ..around }, None);
    }

    /// Adds the operands in `part` for which clang generates a branch. `outside` describes the `!` and the
    /// parentheses around `part`.
    fn operands(&mut self, part: &Part, around: Around, outside: Option<Outside>) {
        match part.shape {
            Shape::Logical => part.inner.iter().for_each(|operand| self.operands(operand, around, None)),
            Shape::Not | Shape::Paren => {
                let negation = outside.filter(|outside| outside.part.shape == Shape::Not);
                let swaps_edges =
                    negation.is_some_and(|negation| negation.swaps_edges) != (part.shape == Shape::Not);
                let outside = Outside { part: negation.map_or(part, |negation| negation.part), swaps_edges };
                part.inner.iter().for_each(|operand| self.operands(operand, around, Some(outside)));
            }
            Shape::Choice => part.inner.iter().for_each(|arm| self.operands(arm, around, None)),
            Shape::Implicit | Shape::Other => {
                self.add(part, around, outside);
                self.value(part);
            }
        }
    }

    /// Adds the condition of a loop. The loop tests the computed value of the whole condition.
    fn loop_condition(&mut self, part: &Part, around: Around) {
        let bare = part.without_parentheses();
        let outside = (part.shape == Shape::Paren).then_some(Outside { part, swaps_edges: false });
        self.add(bare, around, outside);
        self.value(bare);
    }

    /// Adds the conditions inside the expression `part`. Clang generates code that computes the value of `part`.
    fn value(&mut self, part: &Part) {
        match (part.shape, part.inner.as_slice(), part.range) {
            (Shape::Logical, [left, right], Some(range)) => {
                self.operands(left, Around { range, word: None, is_only: false }, None);
                self.value(right);
            }
            _ => part.inner.iter().for_each(|inner| self.value(inner)),
        }
    }

    fn add(&mut self, part: &Part, around: Around, outside: Option<Outside>) {
        let swaps_edges = outside.is_some_and(|outside| outside.swaps_edges);
        let outside = outside.map(|outside| outside.part);
        let negation = outside.filter(|outside| outside.shape == Shape::Not);
        let whole = negation.unwrap_or(part);
        let Some(range) = whole.range else { return };
        let Ok(text) = self.files.text(range.begin.file) else { return };
        if range.end.file != range.begin.file || around.is_in_macro() {
            return;
        }
        let form = if negation.is_some() { Form::Truth } else { part.form };
        let parenthesis = outside.filter(|_| form == Form::Scalar).and_then(|outside| outside.range);
        let is_written = |range: &Range| range.begin.spelled.is_none() && range.end.spelled.is_none();
        let parenthesis = parenthesis.filter(is_written);
        let Range { begin, end } = parenthesis.unwrap_or(range);
        let mut behind = end.offset + end.length;
        // If the condition ends with a macro, the arguments of the macro belong to the condition.
        if end.spelled.is_some() && text.has("(", text.next_token(behind)) {
            behind = text.behind_parenthesis(text.next_token(behind)).unwrap_or(behind);
        }
        let statement = around.word.map(|word| (around.range.begin.offset, word));
        if statement.is_some_and(|(offset, word)| !text.has(word, offset)) {
            return;
        }
        let condition = Condition {
            start: begin.offset,
            end: behind,
            is_in_parentheses: parenthesis.is_some(),
            first_edge: !swaps_edges,
            form,
            statement: statement.filter(|_| around.is_only).map(|(offset, _)| offset),
            expectation: part.expectation.filter(|_| negation.is_none()),
            spelled: Some((begin.spelled, end.spelled)).filter(|spelled| *spelled != (None, None)),
            is_ambiguous: behind <= begin.offset,
        };
        self.conditions.add(begin.file, condition);
    }
}

impl Around {
    /// Returns true if the whole statement or operator is in a macro. An edit would change the macro or its arguments.
    fn is_in_macro(&self) -> bool {
        let same = |one: Token, other: Token| {
            one.spelled.is_some() && other.spelled.is_some() && one.offset == other.offset
        };
        let Range { begin, end } = self.range;
        same(begin, end) || (self.word.is_some() && begin.spelled.is_some())
    }
}

#[cfg(test)]
mod tests;
