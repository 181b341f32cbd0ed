//! The parts of clang's syntax tree that are needed to find conditions.

use serde::Deserialize;

use super::files::{FileId, Files};

/// A node of the syntax tree. The results of [`Sink::node`] replace the children of the node.
pub struct Node<T> {
    pub kind: Kind,
    pub range: Option<Range>,
    pub opcode: Opcode,
    pub type_name: TypeName,
    /// True for a conversion to bool by a member function of a class.
    pub is_user_conversion: bool,
    /// True if the `if` statement has an initialisation before its condition.
    pub has_init: bool,
    pub has_variable: bool,
    /// True for `if constexpr` and `if consteval`.
    pub is_constant: bool,
    /// The name of the referenced declaration.
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
    pub begin: Token,
    /// The last token.
    pub end: Token,
}

/// A token in a file. If the token comes from a macro, `offset` and `length` describe the macro's name in the code that
/// uses the macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub file: FileId,
    pub offset: usize,
    pub length: usize,
    /// If the token comes from a macro, its offset in the definition of this macro; otherwise `None`.
    pub spelled: Option<usize>,
}

/// Processes the nodes of a syntax tree. Children are processed before their parents.
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
