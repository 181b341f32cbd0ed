//! Finds the branches of a Rust file, and the source blocks of their successors.
//!
//! `syn` parses the file. The spans of `syn` are byte ranges of the text (`proc-macro2` with `span-locations`), so an
//! edit is an insertion into the text. The parser `ra_ap_syntax` is not used, because its interface changes every week.
//! `syn` does not expand macros, so conditions in macros get no hints.

use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ExprIf, ExprMatch, ExprWhile, Local, Pat, UnOp};

use crate::jobs::with_deep_stack;

/// An `if`, `match`, `while` or `let ... else`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The source offsets, in bytes, that debug information can give for the branches of this `if`, `match`, `while` or
    /// `let ... else`.
    /// Each offset is the start of a condition, an operand of `&&` or `||`, a pattern or a part of a pattern, the word
    /// `match`, or a matched value.
    pub keys: Vec<usize>,
    /// The tested expression.
    pub condition: Range<usize>,
    /// The blocks that can be successors of the branches.
    pub arms: Vec<Arm>,
    /// For an `if` without `else`: the end of its block, where an `else` can be inserted.
    pub no_else: Option<usize>,
}

impl Site {
    /// The range of bytes that contains the condition and all blocks.
    pub fn region(&self) -> Range<usize> {
        let start = self.keys.iter().copied().chain([self.condition.start]).min().unwrap_or_default();
        let ends = self.arms.iter().map(|arm| arm.span.end.max(arm.body.end));
        start..ends.chain([self.condition.end]).max().unwrap_or_default() + 1
    }
}

/// A source block or `match` arm that a branch can lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// The range of the block, including the pattern of a `match` arm.
    pub span: Range<usize>,
    /// The range of the block, or the range of the arm's expression for a `match` arm without a block.
    pub body: Range<usize>,
    pub is_block: bool,
}

/// The `if`, `match`, `while` and `let ... else` in `text`. The list is empty if `text` cannot be parsed.
pub fn sites(text: &str) -> Vec<Site> {
    let parse = || {
        let Ok(file) = syn::parse_file(text) else { return Vec::new() };
        let mut sites = Sites(Vec::new());
        sites.visit_file(&file);
        sites.0
    };
    // If the text begins with a byte order mark or `#!`, the spans are not offsets in `text`, and the file gets no
    // hints.
    let skipped = text.len() - text.trim_start_matches('\u{feff}').len();
    if skipped > 0 || text.starts_with("#!") && !text.starts_with("#![") {
        return Vec::new();
    }
    with_deep_stack(parse).unwrap_or_default()
}

struct Sites(Vec<Site>);

impl Visit<'_> for Sites {
    fn visit_expr_if(&mut self, node: &ExprIf) {
        let then = arm_of_block(&node.then_branch);
        let other = node.else_branch.as_ref().map(|(_, body)| arm_of(body));
        let no_else = other.is_none().then_some(then.body.end);
        self.add(&node.cond, std::iter::once(then).chain(other).collect(), no_else);
        visit::visit_expr_if(self, node);
    }

    fn visit_expr_while(&mut self, node: &ExprWhile) {
        self.add(&node.cond, vec![arm_of_block(&node.body)], None);
        visit::visit_expr_while(self, node);
    }

    fn visit_expr_match(&mut self, node: &ExprMatch) {
        let with_pattern = |arm: &syn::Arm| {
            let body = arm_of(&arm.body);
            Arm { span: range(arm.pat.span()).start..body.span.end, ..body }
        };
        let mut keys = vec![range(node.match_token.span).start, range(node.expr.span()).start];
        node.arms.iter().for_each(|arm| keys.extend(patterns(&arm.pat)));
        self.0.push(Site {
            keys,
            condition: range(node.expr.span()),
            arms: node.arms.iter().map(with_pattern).collect(),
            no_else: None,
        });
        for arm in &node.arms {
            if let Pat::Guard(pattern) = &arm.pat {
                self.add(&pattern.guard, vec![arm_of(&arm.body)], None);
            }
        }
        visit::visit_expr_match(self, node);
    }

    fn visit_local(&mut self, node: &Local) {
        if let Some((_, body)) = node.init.as_ref().and_then(|init| init.diverge.as_ref()) {
            self.0.push(Site {
                keys: patterns(&node.pat),
                condition: range(node.pat.span()),
                arms: vec![arm_of(body)],
                no_else: None,
            });
        }
        visit::visit_local(self, node);
    }
}

impl Sites {
    fn add(&mut self, condition: &Expr, arms: Vec<Arm>, no_else: Option<usize>) {
        self.0.push(Site { keys: operands(condition), condition: range(condition.span()), arms, no_else });
    }
}

/// The offsets of the condition and of its operands.
fn operands(condition: &Expr) -> Vec<usize> {
    let (mut keys, mut open) = (Vec::new(), vec![condition]);
    while let Some(expression) = open.pop() {
        keys.push(range(expression.span()).start);
        match expression {
            Expr::Paren(inner) => open.push(&inner.expr),
            Expr::Unary(inner) if matches!(inner.op, UnOp::Not(_)) => open.push(&inner.expr),
            Expr::Binary(inner) if matches!(inner.op, BinOp::And(_) | BinOp::Or(_)) => {
                open.extend([&*inner.left, &*inner.right]);
            }
            Expr::Let(inner) => {
                keys.extend(patterns(&inner.pat));
                keys.push(range(inner.expr.span()).start);
            }
            _ => {}
        }
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The offsets of a pattern and of all patterns inside it. rustc tests the parts of a pattern one by one.
fn patterns(pattern: &Pat) -> Vec<usize> {
    struct Starts(Vec<usize>);
    impl Visit<'_> for Starts {
        fn visit_pat(&mut self, node: &Pat) {
            self.0.push(range(node.span()).start);
            visit::visit_pat(self, node);
        }

        // The condition of a guard is not a part of the pattern.
        fn visit_expr(&mut self, _: &Expr) {}
    }
    let mut starts = Starts(Vec::new());
    starts.visit_pat(pattern);
    // A pattern with a guard begins where the pattern inside it begins.
    starts.0.dedup();
    starts.0
}

fn arm_of(body: &Expr) -> Arm {
    match body {
        Expr::Block(body) if body.label.is_none() => arm_of_block(&body.block),
        Expr::Unsafe(body) => arm_of_block(&body.block),
        _ => {
            let body = range(body.span());
            Arm { span: body.clone(), body, is_block: false }
        }
    }
}

fn arm_of_block(block: &Block) -> Arm {
    let body = range(block.brace_token.span.join());
    Arm { span: body.clone(), body, is_block: true }
}

fn range(span: Span) -> Range<usize> {
    span.byte_range()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns three values for each `if`, `match`, `while` and `let ... else`. The first list contains the word at
    /// each offset in `keys`. The second list contains the text of each block in `arms`. The third value is true for an
    /// `if` without `else`.
    fn shown(text: &str) -> Vec<(Vec<&str>, Vec<&str>, bool)> {
        let word = |&start: &usize| text[start..].split([' ', '(', '.']).next().unwrap_or_default();
        let site = |site: Site| {
            let keys = site.keys.iter().map(word).collect();
            let arms = site.arms.iter().map(|arm| &text[arm.span.clone()]).collect();
            (keys, arms, site.no_else.is_some())
        };
        sites(text).into_iter().map(site).collect()
    }

    #[test]
    fn conditions_have_operands() {
        let text = "fn f() { if a < b && !(c || d()) { x } else { y } }";
        assert_eq!(shown(text), [(vec!["a", "!", "", "c", "d"], vec!["{ x }", "{ y }"], false)]);
        let text = "fn f() { if let Some(é) = o { x } }";
        assert_eq!(shown(text), [(vec!["let", "Some", "é)", "o"], vec!["{ x }"], true)]);
    }

    #[test]
    fn arms_of_match_have_patterns() {
        let text = "fn f() { match o { Some(1) if g => 3, None => { x } } }";
        let guard = (vec!["g"], vec!["3"], false);
        let keys = vec!["match", "o", "Some", "1)", "None"];
        let whole = (keys, vec!["Some(1) if g => 3", "None => { x }"], false);
        assert_eq!(shown(text), [whole, guard]);
    }

    #[test]
    fn loops_and_let_else_are_sites() {
        let text = "fn f() { while i < n { x } let Some(y) = g() else { return }; }";
        let wanted = [(vec!["i"], vec!["{ x }"], false), (vec!["Some", "y)"], vec!["{ return }"], false)];
        assert_eq!(shown(text), wanted);
    }

    #[test]
    fn other_languages_have_no_sites() {
        assert!(sites("if (a) {").is_empty());
        assert!(sites("fn f() { m!(if a { b }) }").is_empty());
    }
}
