//! The syntax tree of Rust, by `syn`.

use std::ops::Range;

use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Arm, BinOp, Expr, ExprBinary, Local, Pat, Stmt, Token};

use super::sites::{parsed, range};
use super::{Link, Logical, Role, Statement};

/// The expressions and statements of a file, in the order of their beginnings. Each has the index of the next link that
/// is not inside it.
pub struct Links(Vec<(Link, usize)>);

impl Links {
    /// The links of `text`. The list is empty if `text` cannot be parsed.
    pub fn of(text: &str) -> Self {
        let collect = |file: &syn::File| {
            let mut collector = Collector::default();
            collector.visit_file(file);
            Links(collector.links)
        };
        parsed(text, collect).unwrap_or(Links(Vec::new()))
    }

    pub fn path(&self, offset: usize) -> Vec<Link> {
        let (mut path, mut place) = (Vec::new(), 0);
        while let Some((link, next)) = self.0.get(place) {
            let contains = link.range.contains(&offset);
            path.extend(contains.then(|| link.clone()));
            place = if contains { place + 1 } else { *next };
        }
        path
    }
}

#[derive(Default)]
struct Collector {
    links: Vec<(Link, usize)>,
    /// Whether the next expression continues in its parent.
    is_part: bool,
}

impl Collector {
    fn link(&mut self, range: Range<usize>, role: Role, children: impl FnOnce(&mut Self)) {
        let place = self.links.len();
        self.links.push((Link { range, role }, 0));
        children(self);
        self.links[place].1 = self.links.len();
    }

    fn part(&mut self, expression: &Expr) {
        self.is_part = true;
        self.visit_expr(expression);
    }

    fn children(&mut self, expression: &Expr) {
        match expression {
            Expr::Binary(node) if logical(node).is_none() => {
                self.part(&node.left);
                self.part(&node.right);
            }
            Expr::Unary(node) => self.part(&node.expr),
            Expr::Field(node) => self.part(&node.base),
            Expr::Cast(node) => self.part(&node.expr),
            Expr::Reference(node) => self.part(&node.expr),
            Expr::Try(node) => self.part(&node.expr),
            Expr::Await(node) => self.part(&node.base),
            Expr::Index(node) => {
                self.part(&node.expr);
                self.visit_expr(&node.index);
            }
            Expr::Call(node) => {
                self.part(&node.func);
                node.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            Expr::MethodCall(node) => {
                self.part(&node.receiver);
                node.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            _ => visit::visit_expr(self, expression),
        }
    }
}

impl Visit<'_> for Collector {
    fn visit_expr(&mut self, node: &Expr) {
        let is_part = std::mem::take(&mut self.is_part);
        let statement = |keyword: proc_macro2::Span, condition: &Expr, has_two_values| {
            Role::Statement(Statement {
                keywords: vec![range(keyword)],
                condition: Some(range(condition.span())),
                is_chain: matches!(condition, Expr::Binary(node) if logical(node).is_some()),
                has_two_values,
            })
        };
        let role = match node {
            Expr::If(node) => statement(node.if_token.span, &node.cond, true),
            Expr::While(node) => statement(node.while_token.span, &node.cond, true),
            Expr::ForLoop(node) => statement(node.for_token.span, &node.expr, true),
            Expr::Match(node) => statement(node.match_token.span, &node.expr, false),
            Expr::Block(_) | Expr::Loop(_) | Expr::Unsafe(_) | Expr::Closure(_) => Role::Barrier,
            Expr::Binary(node) if logical(node).is_some() => {
                Role::Logical(logical(node).expect("it is logical"))
            }
            _ if is_part => Role::Part,
            _ => Role::Operand,
        };
        self.link(range(node.span()), role, |own| own.children(node));
    }

    fn visit_arm(&mut self, node: &Arm) {
        self.link(range(node.pat.span()), Role::Operand, |own| {
            if let Pat::Guard(pattern) = &node.pat {
                own.visit_expr(&pattern.guard);
            }
        });
        self.visit_expr(&node.body);
    }

    fn visit_stmt(&mut self, node: &Stmt) {
        self.link(range(node.span()), Role::Barrier, |own| visit::visit_stmt(own, node));
    }

    fn visit_local(&mut self, node: &Local) {
        self.link(range(node.pat.span()), Role::Operand, |_| {});
        if let Some(init) = &node.init {
            self.visit_expr(&init.expr);
            init.diverge.iter().for_each(|(_, body)| self.visit_expr(body));
        }
    }

    /// The arguments of a macro are expressions, if they have the syntax of expressions.
    fn visit_macro(&mut self, node: &syn::Macro) {
        if let Ok(arguments) = node.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated) {
            arguments.iter().for_each(|argument| self.visit_expr(argument));
        }
    }
}

fn logical(node: &ExprBinary) -> Option<Logical> {
    let (operator, is_and) = match &node.op {
        BinOp::And(token) => (range(token.span()), true),
        BinOp::Or(token) => (range(token.span()), false),
        _ => return None,
    };
    Some(Logical { operator, is_and })
}
