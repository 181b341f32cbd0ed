//! The syntax trees of C and C++, by `tree-sitter`.

use std::ops::Range;

use tree_sitter::{Language, Node, Parser, Tree};

use super::{Link, Logical, Role, Statement};

pub fn parse(bytes: &[u8], language: &Language) -> Tree {
    let mut parser = Parser::new();
    parser.set_language(language).expect("the grammar has a version that this tree-sitter reads");
    parser.parse(bytes, None).expect("parsing has no time limit")
}

/// The named nodes that contain `offset`, from the outermost to the innermost.
///
/// `Node::parent` searches from the root, so this function goes down once instead.
pub fn path(tree: &Tree, offset: usize) -> Vec<Link> {
    let (mut links, mut parent) = (Vec::new(), None);
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_named() {
            let role = role(node, parent, cursor.field_name());
            links.push(Link { range: node.byte_range(), role });
        }
        parent = Some(node);
        if cursor.goto_first_child_for_byte(offset).is_none() || cursor.node().start_byte() > offset {
            return links;
        }
    }
}

fn role(node: Node, parent: Option<Node>, field: Option<&str>) -> Role {
    let kind = node.kind();
    match kind {
        "if_statement" | "while_statement" | "do_statement" | "for_statement" | "switch_statement"
        | "for_range_loop" => Role::Statement(statement(node)),
        _ if is_logical(node) => logical(node).map_or(Role::Other, Role::Logical),
        _ if is_expression(node) => match parent.is_some_and(|parent| continues(parent, field)) {
            true => Role::Part,
            false => Role::Operand,
        },
        _ if ["_statement", "declaration", "_definition"].iter().any(|end| kind.ends_with(end)) => {
            Role::Barrier
        }
        _ => Role::Other,
    }
}

fn statement(node: Node) -> Statement {
    let words = ["if", "while", "do", "for", "switch"];
    let mut cursor = node.walk();
    let keywords = node.children(&mut cursor).filter(|child| words.contains(&child.kind()));
    let keywords = keywords.map(|child| child.byte_range()).collect();
    let condition = tested(node).or_else(|| node.child_by_field_name("right"));
    Statement {
        keywords,
        is_chain: condition.is_some_and(is_logical),
        condition: condition.map(|condition| condition.byte_range()),
        has_two_values: node.kind() != "switch_statement",
    }
}

/// The condition of a statement or of `?:`, without the parentheses that belong to the statement.
pub fn tested(node: Node) -> Option<Node> {
    let condition = node.child_by_field_name("condition")?;
    match (condition.kind(), node.kind()) {
        ("condition_clause", _) => condition.child_by_field_name("value"),
        (_, "for_statement" | "conditional_expression") => Some(condition),
        ("parenthesized_expression", _) => inner(condition),
        _ => Some(condition),
    }
}

/// The expression in the parentheses `node`.
pub fn inner(node: Node) -> Option<Node> {
    let mut cursor = node.walk();
    let mut children = node.named_children(&mut cursor).filter(|child| child.kind() != "comment");
    children.next().filter(|_| children.next().is_none())
}

/// `node`, or the expression inside the parentheses.
pub fn without_parentheses(mut node: Node) -> Node {
    while let Some(inner) = inner(node).filter(|_| node.kind() == "parenthesized_expression") {
        node = inner;
    }
    node
}

pub fn operator<'t>(node: Node<'t>) -> Option<Node<'t>> {
    node.child_by_field_name("operator")
}

pub fn is_logical(node: Node) -> bool {
    node.kind() == "binary_expression"
        && operator(node).is_some_and(|operator| ["&&", "||", "and", "or"].contains(&operator.kind()))
}

pub fn is_not(node: Node) -> bool {
    node.kind() == "unary_expression"
        && operator(node).is_some_and(|operator| ["!", "not"].contains(&operator.kind()))
}

fn logical(node: Node) -> Option<Logical> {
    let operator = operator(node)?;
    Some(Logical { operator: operator.byte_range(), is_and: ["&&", "and"].contains(&operator.kind()) })
}

pub fn is_expression(node: Node) -> bool {
    const OTHERS: &[&str] = &[
        "identifier",
        "field_identifier",
        "qualified_identifier",
        "template_function",
        "template_method",
        "number_literal",
        "char_literal",
        "string_literal",
        "raw_string_literal",
        "concatenated_string",
        "user_defined_literal",
        "true",
        "false",
        "null",
        "this",
    ];
    node.is_named() && (node.kind().ends_with("_expression") || OTHERS.contains(&node.kind()))
}

/// Whether the child `field` of `parent` continues in `parent`. The arguments of a call do not.
fn continues(parent: Node, field: Option<&str>) -> bool {
    match parent.kind() {
        "binary_expression" => !is_logical(parent),
        "call_expression" => field == Some("function"),
        "subscript_expression" => field == Some("argument"),
        "unary_expression"
        | "pointer_expression"
        | "update_expression"
        | "cast_expression"
        | "field_expression"
        | "co_await_expression"
        | "qualified_identifier"
        | "template_function"
        | "template_method" => true,
        _ => false,
    }
}

/// The text of `node`.
pub fn text<'b>(node: Node, bytes: &'b [u8]) -> &'b [u8] {
    let Range { start, end } = node.byte_range();
    bytes.get(start..end).unwrap_or_default()
}
