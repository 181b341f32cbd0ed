//! Tests of the conditions that are found in syntax trees of clang.

use super::*;
use crate::edit::patch::files::FileId;
use crate::edit::patch::reader;

/// The conditions of a function with the body `source`. `statement` is clang's syntax tree for the body.
fn conditions(source: &str, statement: &str) -> (Conditions, FileId) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("it is there");
    std::fs::write(root.join("a.c"), source).expect("a file");
    let mut files = Files::below(root.clone());
    let mut conditions = Conditions::default();
    // Clang prints the file name only at the first position of a file.
    let first = r#"{"offset": 0, "file": "a.c", "tokLen": 1}"#;
    let function = format!(r#"{{"kind": "FunctionDecl", "loc": {first}, "inner": [{statement}]}}"#);
    reader::read(function.as_bytes(), &root, &mut files, &mut conditions).expect("a tree");
    (conditions, files.id(&root, "a.c"))
}

/// For each found condition: the text, the value on the first edge, the form, and whether the statement has no other
/// condition.
fn found(source: &str, statement: &str) -> Vec<(String, bool, Form, bool)> {
    let (conditions, file) = conditions(source, statement);
    let row = |one: &Condition| {
        (source[one.start..one.end].into(), one.first_edge, one.form, one.statement.is_some())
    };
    conditions.of(file).map(row).collect()
}

fn offset(source: &str, part: &str) -> usize {
    source.find(part).expect("it is there")
}

/// Formats a syntax tree node of the kind `kind` for the first occurrence of `part` in `source`. The argument
/// `more` contains additional JSON fields of the node.
fn node(source: &str, part: &str, kind: &str, more: &str, inner: &[&str]) -> String {
    let place = |offset: usize| format!(r#"{{"offset": {offset}, "tokLen": 1}}"#);
    let start = offset(source, part);
    written(kind, &place(start), &place(start + part.len() - 1), more, inner)
}

/// A syntax tree node that a macro generates. `source` uses the macro at the text `part`, and the macro's name has
/// `length` bytes. The node's first token is at the offset `spelled` in the macro.
fn macro_node(
    source: &str,
    part: &str,
    kind: &str,
    (length, spelled): (usize, usize),
    inner: &[&str],
) -> String {
    let offset = offset(source, part);
    let expanded = format!(r#"{{"offset": {offset}, "file": "a.c", "tokLen": {length}}}"#);
    let place = |spelled: usize| {
        let spelled = format!(r#"{{"offset": {spelled}, "file": "m.h", "tokLen": 1}}"#);
        format!(r#"{{"spellingLoc": {spelled}, "expansionLoc": {expanded}}}"#)
    };
    written(kind, &place(spelled), &place(spelled + 2), "", inner)
}

fn written(kind: &str, begin: &str, end: &str, more: &str, inner: &[&str]) -> String {
    let inner = inner.join(", ");
    format!(r#"{{"kind": "{kind}", "range": {{"begin": {begin}, "end": {end}}}{more}, "inner": [{inner}]}}"#)
}

fn number(source: &str, part: &str) -> String {
    node(source, part, "DeclRefExpr", r#", "type": {"qualType": "int"}"#, &[])
}

fn operator(source: &str, part: &str, opcode: &str, operands: &[&str]) -> String {
    let kind = if operands.len() == 1 { "UnaryOperator" } else { "BinaryOperator" };
    let more = format!(r#", "type": {{"qualType": "int"}}, "opcode": "{opcode}""#);
    node(source, part, kind, &more, operands)
}

#[test]
fn an_if_has_a_branch_for_each_operand() {
    let source = "if ((a) && !(b || c == 1)) g();";
    let a = node(source, "(a)", "ParenExpr", "", &[&number(source, "a")]);
    let c = operator(source, "c == 1", "==", &[&number(source, "c"), &number(source, "1")]);
    let or = operator(source, "b || c == 1", "||", &[&number(source, "b"), &c]);
    let or = node(source, "(b || c == 1)", "ParenExpr", "", &[&or]);
    let not = operator(source, "!(b || c == 1)", "!", &[&or]);
    let and = operator(source, "(a) && !(b || c == 1)", "&&", &[&a, &not]);
    let wanted = [("(a)", Form::Scalar), ("b", Form::Scalar), ("c == 1", Form::Truth)];
    let wanted: Vec<_> = wanted.map(|(text, form)| (text.to_string(), true, form, false)).into();
    assert_eq!(found(source, &node(source, source, "IfStmt", "", &[&and])), wanted);
}

#[test]
fn a_negation_swaps_the_edges_of_an_if_alone() {
    for (word, kind, first_edge) in [("if", "IfStmt", false), ("while", "WhileStmt", true)] {
        let source = format!("{word} (!x) f();");
        let not = operator(&source, "!x", "!", &[&number(&source, "x")]);
        let wanted = vec![("!x".to_string(), first_edge, Form::Truth, true)];
        assert_eq!(found(&source, &node(&source, &source, kind, "", &[&not])), wanted);
    }
}

#[test]
fn a_double_negation_keeps_the_edges() {
    let source = "if (!(!x)) f();";
    let inner = operator(source, "!x", "!", &[&number(source, "x")]);
    let parenthesis = node(source, "(!x)", "ParenExpr", "", &[&inner]);
    let not = operator(source, "!(!x)", "!", &[&parenthesis]);
    let wanted = vec![("!(!x)".to_string(), true, Form::Truth, true)];
    assert_eq!(found(source, &node(source, source, "IfStmt", "", &[&not])), wanted);
}

#[test]
fn a_loop_tests_its_condition_as_one_value() {
    let source = "while (a && b) f();";
    let and = operator(source, "a && b", "&&", &[&number(source, "a"), &number(source, "b")]);
    let (conditions, file) = conditions(source, &node(source, source, "WhileStmt", "", &[&and]));
    let text = |place: usize| conditions.at(file, place).map(|one| &source[one.start..one.end]);
    // The three places are the left operand, the right operand (which has no separate branch), and the statement.
    assert_eq!([7, 12, 0].map(text), [Some("a"), Some("a && b"), Some("a && b")]);
    assert_eq!(text(16), None);
}

#[test]
fn declarations_and_constants_are_no_conditions() {
    let source = "if (x) f();";
    let of = |more: &str| found(source, &node(source, source, "IfStmt", more, &[&number(source, "x")]));
    for field in ["hasVar", "isConstexpr", "isConsteval"] {
        assert_eq!(of(&format!(r#", "{field}": true"#)), []);
    }
    assert_eq!(of(""), [("x".to_string(), true, Form::Scalar, true)]);
}

#[test]
fn a_macro_is_taken_with_its_arguments() {
    let source = "if (IS (c, ')')) f();";
    let leaf = macro_node(source, "IS", "DeclRefExpr", (2, 3), &[]);
    let wanted = vec![("IS (c, ')')".to_string(), true, Form::Scalar, true)];
    assert_eq!(found(source, &node(source, source, "IfStmt", "", &[&leaf])), wanted);
    assert_eq!(found(source, &macro_node(source, source, "IfStmt", (2, 0), &[&leaf])), []);
}

#[test]
fn a_macro_with_several_conditions_is_ambiguous() {
    let source = "if (IS(c)) f();";
    let [one, other] = [3, 8].map(|spelled| macro_node(source, "IS", "DeclRefExpr", (2, spelled), &[]));
    for (second, is_ambiguous) in [(&other, true), (&one, false)] {
        let or = operator(source, "IS(c)", "||", &[&one, second]);
        let (conditions, file) = conditions(source, &node(source, source, "IfStmt", "", &[&or]));
        assert_eq!(conditions.at(file, 4).expect("a condition").is_ambiguous, is_ambiguous);
    }
}

#[test]
fn expectations_are_recognised() {
    let source = "if (__builtin_expect(x > 2, 1)) f();";
    let name = r#", "referencedDecl": {"id": "0x1", "kind": "FunctionDecl", "name": "__builtin_expect"}"#;
    let callee = node(source, "__builtin_expect", "DeclRefExpr", name, &[]);
    let callee = node(source, "__builtin_expect", "ImplicitCastExpr", "", &[&callee]);
    let argument = operator(source, "x > 2", ">", &[&number(source, "x"), &number(source, "2")]);
    let value = node(source, "1", "IntegerLiteral", r#", "value": "1""#, &[]);
    let call = node(source, "__builtin_expect(x > 2, 1)", "CallExpr", "", &[&callee, &argument, &value]);
    let (conditions, file) = conditions(source, &node(source, source, "IfStmt", "", &[&call]));
    let expectation =
        conditions.at(file, 4).and_then(|one| one.expectation).expect("the condition has a hint");
    assert_eq!(expectation, Expectation { argument: (21, 26), value: (28, 29, true), is_truth: true });
}

#[test]
fn instances_of_a_template_are_one_condition() {
    let source = "if (x) f();";
    let of = |type_name: &str| {
        let more = format!(r#", "type": {{"qualType": "{type_name}"}}"#);
        node(source, source, "IfStmt", "", &[&node(source, "x", "DeclRefExpr", &more, &[])])
    };
    let both = |one: &str, other: &str| {
        let list = node(source, source, "FunctionTemplateDecl", "", &[&of(one), &of(other)]);
        found(source, &list).iter().map(|(_, _, form, _)| *form).collect::<Vec<_>>()
    };
    assert_eq!(both("bool", "bool"), [Form::Truth]);
    assert_eq!(both("bool", "<dependent type>"), [Form::Class]);
    assert_eq!(both("long", "bool"), [Form::Scalar]);
}
