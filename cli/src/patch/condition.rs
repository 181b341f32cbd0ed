//! The conditions of a source: what each conditional branch of unoptimised code tests.
//!
//! clang makes of `if (a && !b)` a branch for `a` and one for `b`; of the condition of a loop it makes one for the whole
//! value, and before that one for the left operand of each `&&` and `||`. The first edge of a branch is always that for
//! true; a `!` that it takes off swaps the edges.

use std::collections::BTreeMap;
use std::collections::HashMap;

use super::files::{FileId, Files};
use super::tree::{Kind, Node, Opcode, Place, Range, Sink, TypeName};

/// What a conditional branch tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    pub start: usize,
    pub end: usize,
    /// Its value where the branch takes its first edge.
    pub first_edge: bool,
    pub form: Form,
    /// Whether it begins and ends with a pair of parentheses.
    pub is_in_parentheses: bool,
    /// Where the statement begins of which it is the whole condition.
    pub statement: Option<usize>,
    /// The `__builtin_expect` that it is.
    pub expectation: Option<Expectation>,
    /// Where a macro has part of it: where first and last token are spelled.
    pub spelled: Option<(Option<usize>, Option<usize>)>,
    /// Whether what is there is not the same for all who include it.
    pub is_ambiguous: bool,
}

/// How it becomes a truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// It is 0 or 1.
    Truth,
    /// It is a number or a pointer.
    Scalar,
    /// A class may decide.
    Class,
}

/// `__builtin_expect(argument, value)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expectation {
    pub argument: (usize, usize),
    /// Where the value stands, if it is `0` or `1`, and which.
    pub value: (usize, usize, bool),
    /// Whether the argument is 0 or 1.
    pub is_truth: bool,
}

/// The conditions in the files that may be changed.
#[derive(Default)]
pub struct Conditions {
    by_file: HashMap<FileId, BTreeMap<(usize, usize), Condition>>,
}

impl Conditions {
    /// The condition at a place: the innermost that is there, or that of the statement which begins there.
    pub fn at(&self, file: FileId, offset: usize) -> Option<&Condition> {
        let all = || self.of(file);
        let around = all().filter(|condition| condition.start <= offset && offset < condition.end);
        let of_statement = || {
            let mut whole = all().filter(|condition| condition.statement == Some(offset));
            whole.next().filter(|_| whole.next().is_none())
        };
        around.min_by_key(|condition| condition.end - condition.start).or_else(of_statement)
    }

    /// Whether other conditions are made of the same macro.
    pub fn shares_macro(&self, file: FileId, condition: &Condition) -> bool {
        let meets = |other: &Condition| other.start < condition.end && condition.start < other.end;
        let is_other = |other: &Condition| (other.start, other.end) != (condition.start, condition.end);
        condition.spelled.is_some()
            && self.of(file).any(|other| other.spelled.is_some() && is_other(other) && meets(other))
    }

    fn of(&self, file: FileId) -> impl Iterator<Item = &Condition> {
        self.by_file.get(&file).into_iter().flat_map(|conditions| conditions.values())
    }

    fn add(&mut self, file: FileId, new: Condition) {
        let place = self.by_file.entry(file).or_default().entry((new.start, new.end));
        place.and_modify(|old| old.merge(&new)).or_insert(new);
    }
}

impl Condition {
    /// One that is written out, and is a truth value.
    #[cfg(test)]
    pub fn written(start: usize, end: usize) -> Self {
        Condition {
            start,
            end,
            first_edge: true,
            form: Form::Truth,
            is_in_parentheses: false,
            statement: None,
            expectation: None,
            spelled: None,
            is_ambiguous: false,
        }
    }

    /// Takes in what another instance of a template, or another file that includes it, makes of the same text.
    fn merge(&mut self, other: &Condition) {
        self.form = self.form.max(other.form);
        self.is_ambiguous |= other.is_ambiguous
            || (self.first_edge, self.spelled, self.expectation.is_some())
                != (other.first_edge, other.spelled, other.expectation.is_some());
        self.statement = self.statement.or(other.statement);
    }
}

/// Part of an expression of which the parent decides what it is.
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

/// In what a condition stands.
#[derive(Clone, Copy)]
struct Around {
    range: Range,
    /// The word that it begins with, if it is a statement.
    word: Option<&'static str>,
    /// Whether it has no other condition.
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

/// The expectation that a call is, if it is written out.
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

struct Finder<'a> {
    conditions: &'a mut Conditions,
    files: &'a Files,
}

impl Finder<'_> {
    /// Of a node that is no expression, or has conditions whatever it stands in.
    fn conditions_of(&mut self, node: &Node<Part>) {
        let Some(range) = node.range else { return };
        let around = |word| Around { range, word: Some(word), is_only: true };
        let inner = |place: usize| node.inner.get(place).filter(|_| !node.has_variable && !node.is_constant);
        let has_variable = node.inner.get(1).is_some_and(|variable| variable.range.is_some());
        match node.kind {
            Kind::If => inner(usize::from(node.has_init)).map(|part| self.branches(part, around("if"))),
            Kind::While => inner(0).map(|part| self.turns(part, around("while"))),
            Kind::Do => inner(1).map(|part| self.turns(part, around("do"))),
            Kind::For => inner(2).filter(|_| !has_variable).map(|part| self.turns(part, around("for"))),
            Kind::Conditional => {
                inner(0).map(|part| self.branches(part, Around { word: None, ..around("") }))
            }
            _ => None,
        };
    }

    /// Of a condition for which clang makes as many branches as it has operands.
    fn branches(&mut self, part: &Part, around: Around) {
        let has_operands = matches!(part.without_parentheses().shape, Shape::Logical | Shape::Choice);
        self.operands(part, Around { is_only: !has_operands, ..around }, None);
    }

    /// Of an operand, of which clang takes off `!`; `outside` is one directly around it, or a parenthesis.
    fn operands(&mut self, part: &Part, around: Around, outside: Option<&Part>) {
        match part.shape {
            Shape::Logical => part.inner.iter().for_each(|operand| self.operands(operand, around, None)),
            Shape::Not | Shape::Paren => {
                let outside = outside.filter(|outside| outside.shape == Shape::Not).unwrap_or(part);
                part.inner.iter().for_each(|operand| self.operands(operand, around, Some(outside)));
            }
            Shape::Choice => part.inner.iter().for_each(|arm| self.operands(arm, around, None)),
            Shape::Implicit | Shape::Other => {
                self.add(part, around, outside);
                self.value(part);
            }
        }
    }

    /// Of the condition of a loop, which is tested as one value.
    fn turns(&mut self, part: &Part, around: Around) {
        let bare = part.without_parentheses();
        let outside = (part.shape == Shape::Paren).then_some(part);
        self.add(bare, around, outside);
        self.value(bare);
    }

    /// Of what is computed as a value.
    fn value(&mut self, part: &Part) {
        match (part.shape, part.inner.as_slice(), part.range) {
            (Shape::Logical, [left, right], Some(range)) => {
                self.operands(left, Around { range, word: None, is_only: false }, None);
                self.value(right);
            }
            _ => part.inner.iter().for_each(|inner| self.value(inner)),
        }
    }

    fn add(&mut self, part: &Part, around: Around, outside: Option<&Part>) {
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
        // The arguments of a macro belong to it.
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
            first_edge: negation.is_none(),
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
    /// Whether a macro has all of it: an edit would be one of the macro's own text or of its arguments.
    fn is_in_macro(&self) -> bool {
        let same = |one: Place, other: Place| {
            one.spelled.is_some() && other.spelled.is_some() && one.offset == other.offset
        };
        let Range { begin, end } = self.range;
        same(begin, end) || (self.word.is_some() && begin.spelled.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::tree;
    use serde_json::{json, Value};

    /// The conditions of a function whose body is `source`, of which clang prints `statement`.
    fn conditions(source: &str, statement: Value) -> (Conditions, FileId) {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("it is there");
        std::fs::write(root.join("a.c"), source).expect("a file");
        let mut files = Files::below(root.clone());
        let mut conditions = Conditions::default();
        // The file is named once, where the first place is.
        let first = json!({"offset": 0, "file": "a.c", "tokLen": 1});
        let function = json!({"kind": "FunctionDecl", "loc": first, "inner": [statement]});
        tree::read(function.to_string().as_bytes(), &root, &mut files, &mut conditions).expect("a tree");
        (conditions, files.id(&root, "a.c"))
    }

    /// What is found: text, value on the first edge, form, whether it is all that a statement tests.
    fn found(source: &str, statement: Value) -> Vec<(String, bool, Form, bool)> {
        let (conditions, file) = conditions(source, statement);
        let row = |one: &Condition| {
            (source[one.start..one.end].into(), one.first_edge, one.form, one.statement.is_some())
        };
        conditions.of(file).map(row).collect()
    }

    /// A node for a part of `source`, which is there once.
    fn node(source: &str, part: &str, kind: &str, more: Value, inner: &[Value]) -> Value {
        let start = source.find(part).expect("it is there");
        let place = |offset: usize| json!({"offset": offset, "tokLen": 1});
        let range = json!({"begin": place(start), "end": place(start + part.len() - 1)});
        let mut node = json!({"kind": kind, "range": range, "inner": inner});
        let fields = node.as_object_mut().expect("an object");
        more.as_object().expect("an object").iter().for_each(|(key, value)| {
            // Children come last, as clang prints them.
            let inner = fields.remove("inner").expect("they are there");
            fields.insert(key.clone(), value.clone());
            fields.insert("inner".into(), inner);
        });
        node
    }

    fn number(source: &str, part: &str) -> Value {
        node(source, part, "DeclRefExpr", json!({"type": {"qualType": "int"}}), &[])
    }

    fn operator(source: &str, part: &str, opcode: &str, operands: &[Value]) -> Value {
        let kind = if operands.len() == 1 { "UnaryOperator" } else { "BinaryOperator" };
        node(source, part, kind, json!({"opcode": opcode, "type": {"qualType": "int"}}), operands)
    }

    #[test]
    fn an_if_has_a_branch_for_each_operand() {
        let source = "if ((a) && !(b || c == 1)) f();";
        let a = node(source, "(a)", "ParenExpr", json!({}), &[number(source, "a")]);
        let c = operator(source, "c == 1", "==", &[number(source, "c"), number(source, "1")]);
        let or = operator(source, "b || c == 1", "||", &[number(source, "b"), c]);
        let or = node(source, "(b || c == 1)", "ParenExpr", json!({}), &[or]);
        let not = operator(source, "!(b || c == 1)", "!", &[or]);
        let and = operator(source, "(a) && !(b || c == 1)", "&&", &[a, not]);
        let wanted = [("(a)", Form::Scalar), ("b", Form::Scalar), ("c == 1", Form::Truth)];
        let wanted: Vec<_> = wanted.map(|(text, form)| (text.to_string(), true, form, false)).into();
        assert_eq!(found(source, node(source, source, "IfStmt", json!({}), &[and])), wanted);
    }

    #[test]
    fn a_negation_swaps_the_edges_of_an_if_alone() {
        for (word, kind, first_edge) in [("if", "IfStmt", false), ("while", "WhileStmt", true)] {
            let source = format!("{word} (!x) f();");
            let not = operator(&source, "!x", "!", &[number(&source, "x")]);
            let wanted = vec![("!x".to_string(), first_edge, Form::Truth, true)];
            assert_eq!(found(&source, node(&source, &source, kind, json!({}), &[not])), wanted);
        }
    }

    #[test]
    fn a_loop_tests_its_condition_as_one_value() {
        let source = "while (a && b) f();";
        let and = operator(source, "a && b", "&&", &[number(source, "a"), number(source, "b")]);
        let (conditions, file) = conditions(source, node(source, source, "WhileStmt", json!({}), &[and]));
        let text = |place: usize| conditions.at(file, place).map(|one| &source[one.start..one.end]);
        // The left operand; what has no branch of its own; the statement.
        assert_eq!([7, 12, 0].map(text), [Some("a"), Some("a && b"), Some("a && b")]);
        assert_eq!(text(16), None);
    }

    #[test]
    fn declarations_and_constants_are_no_conditions() {
        let source = "if (x) f();";
        for more in [json!({"hasVar": true}), json!({"isConstexpr": true}), json!({"isConsteval": true})] {
            assert_eq!(found(source, node(source, source, "IfStmt", more, &[number(source, "x")])), []);
        }
        let wanted = vec![("x".to_string(), true, Form::Scalar, true)];
        assert_eq!(found(source, node(source, source, "IfStmt", json!({}), &[number(source, "x")])), wanted);
    }

    /// `node` with both ends in a macro that is expanded where it begins.
    fn in_macro(mut node: Value, length: usize) -> Value {
        let offset = node["range"]["begin"]["offset"].clone();
        let spelled = |offset: usize| json!({"offset": offset, "tokLen": 1, "file": "m.h"});
        let expanded = json!({"offset": offset, "tokLen": length, "file": "a.c"});
        for (end, place) in [("begin", 3), ("end", 5)] {
            node["range"][end] = json!({"spellingLoc": spelled(place), "expansionLoc": expanded});
        }
        node
    }

    #[test]
    fn a_macro_is_taken_with_its_arguments() {
        let source = "if (IS (c, ')')) f();";
        let leaf = in_macro(number(source, "IS (c, ')')"), 2);
        let wanted = vec![("IS (c, ')')".to_string(), true, Form::Scalar, true)];
        assert_eq!(
            found(source, node(source, source, "IfStmt", json!({}), std::slice::from_ref(&leaf))),
            wanted
        );
        let inside = in_macro(node(source, source, "IfStmt", json!({}), &[leaf]), 2);
        assert_eq!(found(source, inside), []);
    }

    #[test]
    fn what_a_macro_makes_several_conditions_of_is_told() {
        let source = "if (IS(c)) f();";
        let mut other = in_macro(number(source, "IS(c)"), 2);
        other["range"]["begin"]["spellingLoc"]["offset"] = json!(4);
        let or = operator(source, "IS(c)", "||", &[in_macro(number(source, "IS(c)"), 2), other]);
        let (conditions, file) = conditions(source, node(source, source, "IfStmt", json!({}), &[or]));
        assert!(conditions.at(file, 4).expect("a condition").is_ambiguous);
    }

    #[test]
    fn expectations_are_known() {
        let source = "if (__builtin_expect(x > 2, 1)) f();";
        let name =
            json!({"referencedDecl": {"id": "0x1", "kind": "FunctionDecl", "name": "__builtin_expect"}});
        let callee = node(source, "__builtin_expect", "DeclRefExpr", name, &[]);
        let callee = node(source, "__builtin_expect", "ImplicitCastExpr", json!({}), &[callee]);
        let argument = operator(source, "x > 2", ">", &[number(source, "x"), number(source, "2")]);
        let value = node(source, "1", "IntegerLiteral", json!({"value": "1"}), &[]);
        let call =
            node(source, "__builtin_expect(x > 2, 1)", "CallExpr", json!({}), &[callee, argument, value]);
        let (conditions, file) = conditions(source, node(source, source, "IfStmt", json!({}), &[call]));
        let expectation = conditions.at(file, 4).and_then(|one| one.expectation).expect("it is one");
        assert_eq!(expectation, Expectation { argument: (21, 26), value: (28, 29, true), is_truth: true });
    }

    #[test]
    fn instances_of_a_template_are_one_condition() {
        let source = "if (x) f();";
        let of = |type_name: &str| {
            let leaf = node(source, "x", "DeclRefExpr", json!({"type": {"qualType": type_name}}), &[]);
            node(source, source, "IfStmt", json!({}), &[leaf])
        };
        let both = |one: &str, other: &str| {
            let list = node(source, source, "FunctionTemplateDecl", json!({}), &[of(one), of(other)]);
            found(source, list).iter().map(|(_, _, form, _)| *form).collect::<Vec<_>>()
        };
        assert_eq!(both("bool", "bool"), [Form::Truth]);
        assert_eq!(both("bool", "<dependent type>"), [Form::Class]);
        assert_eq!(both("long", "bool"), [Form::Scalar]);
    }
}
