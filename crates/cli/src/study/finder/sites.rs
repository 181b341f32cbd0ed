//! Finds the branches of a Rust file, and the source blocks of their successors.
//!
//! `syn` parses the file. The spans of `syn` are byte ranges of the text (`proc-macro2` with `span-locations`), so an
//! edit is an insertion into the text. The parser `ra_ap_syntax` is not used, because its interface changes every week.
//! `syn` does not expand macros, so conditions in macros get no hints.

use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ExprIf, ExprMatch, ExprWhile, ImplItemFn, ItemFn, Local, Pat, Stmt, UnOp};

use crate::base::jobs::with_deep_stack;

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

/// A source block or `match` arm that a branch can lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// The range of the block, including the pattern of a `match` arm.
    pub span: Range<usize>,
    /// The range of the block, or the range of the arm's expression for a `match` arm without a block.
    pub body: Range<usize>,
    pub is_block: bool,
    /// The jump at the end of the block.
    pub jump: Option<Jump>,
}

/// A `continue`, `break` or `return`. If no other code of a block becomes an instruction, the edge to the block leads
/// to the destination of the jump. Debug information then gives the position of the destination instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Jump {
    /// The jump leads to the beginning of a loop. The range begins with the loop, and ends before the statement with
    /// the jump.
    Back(Range<usize>),
    /// The jump leads out of a loop or function with this range.
    OutOf(Range<usize>),
}

impl Jump {
    /// Returns true if the code at `offset` is the destination of the jump. `offset` must be the destination of an edge
    /// of the statement with the jump. The code after the statement is in the same loop or function, and after its
    /// beginning, so it is not the destination of the jump.
    pub fn leads_to(&self, offset: usize) -> bool {
        match self {
            Jump::Back(range) => range.contains(&offset),
            Jump::OutOf(range) => !range.contains(&offset),
        }
    }
}

/// The `if`, `match`, `while` and `let ... else` in `text`. The list is empty if `text` cannot be parsed.
pub fn sites(text: &str) -> Vec<Site> {
    let collect = |file: &syn::File| {
        let mut sites = Sites::default();
        sites.visit_file(file);
        sites.sites
    };
    parsed(text, collect).unwrap_or_default()
}

/// Calls `read` with the syntax tree of `text`, or returns `None` if `text` cannot be parsed. If `text` begins with a
/// byte order mark or `#!`, its spans are not offsets in `text`, and the result is also `None`.
pub fn parsed<T: Send>(text: &str, read: impl FnOnce(&syn::File) -> T + Send) -> Option<T> {
    if text.starts_with('\u{feff}') || (text.starts_with("#!") && !text.starts_with("#![")) {
        return None;
    }
    with_deep_stack(|| syn::parse_file(text).ok().map(|file| read(&file))).ok().flatten()
}

#[derive(Default)]
struct Sites {
    sites: Vec<Site>,
    /// The innermost loop.
    in_loop: Option<Range<usize>>,
    /// The body of the innermost function that is not a closure, without the last brace. A `return` leads to this
    /// brace.
    in_function: Option<Range<usize>>,
}

impl Visit<'_> for Sites {
    fn visit_item_fn(&mut self, node: &ItemFn) {
        self.in_function(&node.block, |sites| visit::visit_item_fn(sites, node));
    }

    fn visit_impl_item_fn(&mut self, node: &ImplItemFn) {
        self.in_function(&node.block, |sites| visit::visit_impl_item_fn(sites, node));
    }

    fn visit_expr(&mut self, node: &Expr) {
        let is_loop = matches!(node, Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_));
        let outer = self.in_loop.clone();
        self.in_loop = if is_loop { Some(range(node.span())) } else { outer.clone() };
        visit::visit_expr(self, node);
        self.in_loop = outer;
    }

    fn visit_expr_if(&mut self, node: &ExprIf) {
        let start = range(node.span()).start;
        let then = self.arm_of_block(&node.then_branch, start);
        let other = node.else_branch.as_ref().map(|(_, body)| self.arm_of(body, start));
        let no_else = other.is_none().then_some(then.body.end);
        self.add(&node.cond, std::iter::once(then).chain(other).collect(), no_else);
        visit::visit_expr_if(self, node);
    }

    fn visit_expr_while(&mut self, node: &ExprWhile) {
        // If the body ends with a jump out of the loop, the condition leads to the same code as the jump.
        let body = Arm { jump: None, ..self.arm_of_block(&node.body, 0) };
        self.add(&node.cond, vec![body], None);
        visit::visit_expr_while(self, node);
    }

    fn visit_expr_match(&mut self, node: &ExprMatch) {
        let start = range(node.span()).start;
        let with_pattern = |arm: &syn::Arm| {
            let body = self.arm_of(&arm.body, start);
            Arm { span: range(arm.pat.span()).start..body.span.end, ..body }
        };
        let mut keys = vec![range(node.match_token.span).start, range(node.expr.span()).start];
        node.arms.iter().for_each(|arm| keys.extend(patterns(&arm.pat)));
        let arms = node.arms.iter().map(with_pattern).collect();
        self.sites.push(Site { keys, condition: range(node.expr.span()), arms, no_else: None });
        for arm in &node.arms {
            if let Pat::Guard(pattern) = &arm.pat {
                let body = self.arm_of(&arm.body, start);
                self.add(&pattern.guard, vec![body], None);
            }
        }
        visit::visit_expr_match(self, node);
    }

    fn visit_local(&mut self, node: &Local) {
        if let Some((_, body)) = node.init.as_ref().and_then(|init| init.diverge.as_ref()) {
            let arms = vec![self.arm_of(body, range(node.span()).start)];
            let (keys, condition) = (patterns(&node.pat), range(node.pat.span()));
            self.sites.push(Site { keys, condition, arms, no_else: None });
        }
        visit::visit_local(self, node);
    }
}

impl Sites {
    fn add(&mut self, condition: &Expr, arms: Vec<Arm>, no_else: Option<usize>) {
        self.sites.push(Site {
            keys: operands(condition),
            condition: range(condition.span()),
            arms,
            no_else,
        });
    }

    /// The `if`, `match` or `let ... else` with the block `body` begins at `start`.
    fn arm_of(&self, body: &Expr, start: usize) -> Arm {
        match body {
            Expr::Block(body) if body.label.is_none() => self.arm_of_block(&body.block, start),
            Expr::Unsafe(body) => self.arm_of_block(&body.block, start),
            _ => {
                let (jump, body) = (self.jump(body, start), range(body.span()));
                Arm { span: body.clone(), body, is_block: false, jump }
            }
        }
    }

    fn arm_of_block(&self, block: &Block, start: usize) -> Arm {
        let jump = match block.stmts.last() {
            Some(Stmt::Expr(last, _)) => self.jump(last, start),
            _ => None,
        };
        let body = range(block.brace_token.span.join());
        Arm { span: body.clone(), body, is_block: true, jump }
    }

    fn jump(&self, expression: &Expr, start: usize) -> Option<Jump> {
        match expression {
            Expr::Continue(jump) if jump.label.is_none() => {
                Some(Jump::Back(self.in_loop.as_ref()?.start..start))
            }
            Expr::Break(jump) if jump.label.is_none() => self.in_loop.clone().map(Jump::OutOf),
            Expr::Return(_) => self.in_function.clone().map(Jump::OutOf),
            _ => None,
        }
    }

    fn in_function(&mut self, body: &Block, visit: impl FnOnce(&mut Self)) {
        let body = range(body.brace_token.span.join());
        let outer = self.in_function.replace(body.start..body.end - 1);
        visit(self);
        self.in_function = outer;
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

pub fn range(span: Span) -> Range<usize> {
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
