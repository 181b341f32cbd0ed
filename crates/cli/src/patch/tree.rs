//! clang's syntax tree, as far as conditions need it.

use serde::Deserialize;

use super::files::{FileId, Files};

/// What a node has been reduced to.
pub struct Node<T> {
    pub kind: Kind,
    pub range: Option<Range>,
    pub opcode: Opcode,
    pub type_name: TypeName,
    /// Whether a class decides how this becomes a truth value.
    pub is_user_conversion: bool,
    /// What of an `if` or a loop stands before its condition.
    pub has_init: bool,
    pub has_variable: bool,
    /// `if constexpr` and the like.
    pub is_constant: bool,
    /// Of a reference to a declaration.
    pub name: String,
    pub value: String,
    pub inner: Vec<T>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum Kind {
    #[serde(rename = "IfStmt")]
    If,
    #[serde(rename = "WhileStmt")]
    While,
    #[serde(rename = "DoStmt")]
    Do,
    #[serde(rename = "ForStmt")]
    For,
    #[serde(rename = "ConditionalOperator")]
    Conditional,
    #[serde(rename = "BinaryOperator")]
    Binary,
    #[serde(rename = "UnaryOperator")]
    Unary,
    #[serde(rename = "ParenExpr")]
    Paren,
    #[serde(rename = "ImplicitCastExpr", alias = "ExprWithCleanups")]
    Implicit,
    #[serde(rename = "CallExpr")]
    Call,
    #[serde(rename = "DeclRefExpr")]
    Reference,
    #[serde(rename = "IntegerLiteral")]
    Integer,
    #[default]
    #[serde(other)]
    Other,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum Opcode {
    #[serde(rename = "&&")]
    And,
    #[serde(rename = "||")]
    Or,
    #[serde(rename = "!")]
    Not,
    #[serde(rename = "==", alias = "!=", alias = "<", alias = ">", alias = "<=", alias = ">=")]
    Comparison,
    #[default]
    #[serde(other)]
    Other,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum TypeName {
    #[serde(rename = "bool", alias = "_Bool")]
    Bool,
    #[serde(rename = "int")]
    Int,
    #[serde(rename = "<dependent type>")]
    Dependent,
    #[default]
    #[serde(other)]
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub begin: Place,
    /// Of the last token.
    pub end: Place,
}

/// A token in a file: of what a macro is expanded to, the name of the macro where it is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: FileId,
    pub offset: usize,
    pub length: usize,
    /// Where a token stands that a macro has brought along.
    pub spelled: Option<usize>,
}

/// What makes something of nodes, from the inside out.
pub trait Sink {
    type Node;

    fn node(&mut self, files: &Files, node: Node<Self::Node>) -> Self::Node;
}

impl<T> Default for Node<T> {
    fn default() -> Self {
        Node {
            kind: Kind::Other,
            range: None,
            opcode: Opcode::Other,
            type_name: TypeName::Other,
            is_user_conversion: false,
            has_init: false,
            has_variable: false,
            is_constant: false,
            name: String::new(),
            value: String::new(),
            inner: Vec::new(),
        }
    }
}
