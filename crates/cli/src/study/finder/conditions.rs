//! The conditions of a C or C++ file for which clang generates branches.
//!
//! For `if (a && !b)`, clang generates one branch for `a` and one branch for `b`. For a loop with the condition `a &&
//! b`, clang computes the value of the condition: one branch tests `a`, and one branch tests the value of `a && b`. The
//! branch takes its first edge if the tested value is true. For the operand `!b`, clang generates a branch on `b` and
//! swaps the two edges of the branch. For `!!b`, clang swaps the edges twice.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use tree_sitter::Node;

use super::clang::{inner, is_expression, is_logical, is_not, operator, tested, text, without_parentheses};
use super::Syntax;

/// The condition of a conditional branch in unoptimised code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    pub range: Range<usize>,
    /// The value of the condition on the first edge of the branch.
    pub first_edge: bool,
    /// True if the condition is a comparison, a negation, `&&` or `||`.
    pub is_truth: bool,
    /// True if the condition is in a template, where operators can return objects of classes.
    pub is_in_template: bool,
    /// True if the condition begins with a parenthesis, and ends with the matching parenthesis.
    pub is_in_parentheses: bool,
    /// The offset of the statement that tests only this condition, or `None` if there is no such statement.
    pub statement: Option<usize>,
    /// True for `a && b` in an `if`. Clang tests the value of this condition only if the condition has temporaries;
    /// otherwise it tests the operands alone.
    pub is_whole: bool,
    /// The existing `__builtin_expect` around the condition.
    pub expectation: Option<Expectation>,
    /// The names of the functions or macros that have the condition as an argument.
    pub callees: Vec<Range<usize>>,
}

/// `__builtin_expect(argument, value)`, where the value is 0 or 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    pub argument: Range<usize>,
    /// The range of the second argument.
    pub value: Range<usize>,
    pub is_true: bool,
    /// True if the first argument is always 0 or 1.
    pub is_truth: bool,
}

/// The conditions of a file, in the order of their beginnings. If several conditions begin at one offset, the longest
/// comes first.
#[derive(Default)]
pub struct Conditions(Vec<Condition>);

impl Conditions {
    pub fn of(syntax: &Syntax, bytes: &[u8]) -> Self {
        let Syntax::Clang(tree) = syntax else { return Conditions::default() };
        let mut collector = Collector {
            bytes,
            found: Vec::new(),
            tested: HashSet::new(),
            template_end: 0,
            calls: Vec::new(),
            skipped_end: 0,
        };
        let mut cursor = tree.walk();
        loop {
            collector.node(cursor.node());
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    let mut found = collector.found;
                    found.sort_by_key(|one| (one.range.start, Reverse(one.range.end)));
                    found.dedup_by_key(|one| one.range.clone());
                    return Conditions(found);
                }
            }
        }
    }

    /// The innermost condition that contains `offset`. If there is none, the only condition of the statement that
    /// begins at `offset`.
    pub fn at(&self, offset: usize) -> Option<&Condition> {
        let end = self.0.partition_point(|one| one.range.start <= offset);
        let mut before = self.0[..end].iter().rev().filter(|one| !one.is_whole);
        let around = before.find(|one| one.range.contains(&offset));
        let mut behind = self.0[end..].iter().filter(|one| !one.is_whole);
        around.or_else(|| behind.find(|one| one.statement == Some(offset)))
    }

    /// `condition`, and the conditions around `condition` that begin at the same offset, beginning with the shortest.
    pub fn around<'a>(&'a self, condition: &'a Condition) -> impl Iterator<Item = &'a Condition> {
        let Range { start, end } = condition.range;
        let behind = self.0.partition_point(|one| one.range.start <= start);
        let same = self.0[..behind].iter().rev().take_while(move |one| one.range.start == start);
        same.filter(move |one| one.range.end >= end)
    }
}

/// The `!` or parenthesis around an operand.
#[derive(Clone, Copy)]
struct Outside<'t> {
    /// The outermost `!`, or the innermost parenthesis if there is no `!`.
    node: Node<'t>,
    is_not: bool,
    /// True if the operand has an odd number of `!` around it. Each `!` swaps the edges of the branch.
    swaps_edges: bool,
}

struct Collector<'b> {
    bytes: &'b [u8],
    found: Vec<Condition>,
    /// The nodes `a && b` and `a || b` whose operands have branches of their own.
    tested: HashSet<usize>,
    /// The end of the outermost template that has begun.
    template_end: usize,
    /// The names of the functions or macros around the node, and the ends of the calls.
    calls: Vec<(Range<usize>, usize)>,
    /// The end of the last arguments of a template that have begun.
    skipped_end: usize,
}

impl Collector<'_> {
    /// Adds the conditions of a statement or an operator.
    fn node(&mut self, node: Node) {
        let statement = Some(node.start_byte());
        let condition = || tested(node).filter(|&condition| is_expression(condition));
        self.calls.retain(|(_, end)| *end > node.start_byte());
        match node.kind() {
            "call_expression" => {
                let callee =
                    node.child_by_field_name("function").filter(|callee| callee.kind() == "identifier");
                self.calls.extend(callee.map(|callee| (callee.byte_range(), node.end_byte())));
            }
            // These can be two comparisons. See `can_be_comparisons`.
            "template_argument_list" => self.skipped_end = self.skipped_end.max(node.end_byte()),
            _ if node.start_byte() < self.skipped_end => {}
            "template_declaration" => self.template_end = self.template_end.max(node.end_byte()),
            "if_statement" if !is_constant(node) => {
                if let Some(condition) = condition() {
                    let bare = without_parentheses(condition);
                    let has_operands = is_logical(bare) || bare.kind() == "conditional_expression";
                    self.operands(condition, statement.filter(|_| !has_operands));
                    if is_logical(bare) {
                        let count = self.found.len();
                        self.add(bare, statement, None);
                        self.found[count..].iter_mut().for_each(|whole| whole.is_whole = true);
                    }
                }
            }
            // `a ?: b` gets no hint: clang tests the value of `a` that it also returns.
            "conditional_expression" if node.child_by_field_name("consequence").is_some() => {
                condition().into_iter().for_each(|condition| self.operands(condition, None));
            }
            "while_statement" | "do_statement" | "for_statement" => {
                if let Some(condition) = condition() {
                    let outside = Outside { node: condition, is_not: false, swaps_edges: false };
                    let is_in_parentheses = condition.kind() == "parenthesized_expression";
                    let outside = Some(outside).filter(|_| is_in_parentheses);
                    self.add(without_parentheses(condition), statement, outside);
                }
            }
            // The value of `a && b` is computed: there is a branch for each operand of `a`.
            "binary_expression" if is_logical(node) && !self.tested.contains(&node.id()) => {
                if let Some(left) = node.child_by_field_name("left") {
                    self.operands(left, None);
                }
            }
            _ => {}
        }
    }

    /// Adds the operands in `condition` for which clang generates a branch.
    fn operands(&mut self, condition: Node, statement: Option<usize>) {
        let mut open = vec![(condition, None::<Outside>)];
        while let Some((node, outside)) = open.pop() {
            let fields = |names: [&str; 2]| names.map(|name| node.child_by_field_name(name));
            let is_not = is_not(node);
            if is_logical(node) {
                self.tested.insert(node.id());
                open.extend(fields(["left", "right"]).into_iter().flatten().map(|operand| (operand, None)));
            } else if node.kind() == "conditional_expression" {
                if let [Some(one), Some(other)] = fields(["consequence", "alternative"]) {
                    open.extend([(one, None), (other, None)]);
                }
            } else if is_not || node.kind() == "parenthesized_expression" {
                let negation = outside.filter(|outside| outside.is_not);
                let new = Outside {
                    node: negation.map_or(node, |negation| negation.node),
                    is_not: is_not || negation.is_some(),
                    swaps_edges: negation.is_some_and(|negation| negation.swaps_edges) != is_not,
                };
                let argument = if is_not { node.child_by_field_name("argument") } else { inner(node) };
                open.extend(argument.map(|argument| (argument, Some(new))));
            } else {
                self.add(node, statement, outside);
            }
        }
    }

    fn add(&mut self, node: Node, statement: Option<usize>, outside: Option<Outside>) {
        let negation = outside.filter(|outside| outside.is_not);
        let whole = negation.map_or(node, |negation| negation.node);
        if !is_expression(node) || whole.has_error() || self.can_be_comparisons(whole) {
            return;
        }
        let is_truth = negation.is_some() || is_truth(node);
        let is_in_template = node.start_byte() < self.template_end;
        let parentheses = outside.filter(|_| negation.is_none() && (!is_truth || is_in_template));
        self.found.push(Condition {
            range: parentheses.map_or(whole, |outside| outside.node).byte_range(),
            first_edge: !outside.is_some_and(|outside| outside.swaps_edges),
            is_truth,
            is_in_template,
            is_in_parentheses: parentheses.is_some(),
            statement,
            is_whole: false,
            expectation: self.expectation(node).filter(|_| negation.is_none()),
            callees: self.calls.iter().map(|(callee, _)| callee.clone()).collect(),
        });
    }

    /// Whether `node` contains `a < b && c > (d)`, which the grammar can read as a call of the template `a`.
    fn can_be_comparisons(&self, node: Node) -> bool {
        let has_logical =
            |node: Node| text(node, self.bytes).windows(2).any(|pair| pair == b"&&" || pair == b"||");
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if has_logical(node) {
                if node.kind() == "template_argument_list" {
                    return true;
                }
                open.extend(node.named_children(&mut node.walk()));
            }
        }
        false
    }

    fn expectation(&self, node: Node) -> Option<Expectation> {
        let call = without_parentheses(node);
        let callee = call.child_by_field_name("function").filter(|_| call.kind() == "call_expression")?;
        let arguments = call.child_by_field_name("arguments")?;
        let arguments: Vec<Node> = arguments.named_children(&mut arguments.walk()).collect();
        let [argument, value] = arguments[..] else { return None };
        let is_true = match text(value, self.bytes) {
            b"0" => false,
            b"1" => true,
            _ => return None,
        };
        let is_truth = is_truth(argument) || is_not(without_parentheses(argument));
        let found =
            Expectation { argument: argument.byte_range(), value: value.byte_range(), is_true, is_truth };
        (text(callee, self.bytes) == b"__builtin_expect").then_some(found)
    }
}

/// Whether the value of `node` is 0 or 1.
fn is_truth(node: Node) -> bool {
    let node = without_parentheses(node);
    let is_comparison = || {
        operator(node).is_some_and(|one| ["==", "!=", "<", ">", "<=", ">=", "not_eq"].contains(&one.kind()))
    };
    is_logical(node) || is_not(node) || (node.kind() == "binary_expression" && is_comparison())
}

/// Whether `node` is an `if constexpr` or `if consteval`.
fn is_constant(node: Node) -> bool {
    node.children(&mut node.walk()).any(|child| ["constexpr", "consteval"].contains(&child.kind()))
}

#[cfg(test)]
mod tests {
    use super::super::Grammar;
    use super::*;

    fn conditions(source: &str) -> Conditions {
        Conditions::of(&Syntax::parse(source.as_bytes(), Grammar::Cxx), source.as_bytes())
    }

    /// For each condition: the text, the value on the first edge, whether the value is 0 or 1, and whether the statement
    /// has no other condition.
    fn found(statement: &str) -> Vec<(String, bool, bool, bool)> {
        let source = format!("void g() {{ {statement} }}");
        let row = |one: &Condition| {
            (source[one.range.clone()].to_string(), one.first_edge, one.is_truth, one.statement.is_some())
        };
        conditions(&source).0.iter().filter(|one| !one.is_whole).map(row).collect()
    }

    fn row(text: &str, first_edge: bool, is_truth: bool, is_only: bool) -> (String, bool, bool, bool) {
        (text.to_string(), first_edge, is_truth, is_only)
    }

    #[test]
    fn an_if_has_a_branch_for_each_operand() {
        let wanted =
            [row("(a)", true, false, false), row("b", true, false, false), row("c == 1", true, true, false)];
        assert_eq!(found("if ((a) && !(b || c == 1)) f();"), wanted);
        let wanted =
            [row("a", true, false, false), row("b", true, false, false), row("c > 1", true, true, false)];
        assert_eq!(found("if (a ? b : c > 1) f();"), wanted);
        assert_eq!(found("x = a ? b : c;"), [row("a", true, false, false)]);
        assert_eq!(found("x = f((a || b) && c);").len(), 2);
    }

    #[test]
    fn a_negation_swaps_the_edges_of_an_if_alone() {
        assert_eq!(found("if (!x) f();"), [row("!x", false, true, true)]);
        assert_eq!(found("if (!(!x)) f();"), [row("!(!x)", true, true, true)]);
        assert_eq!(found("while (!x) f();"), [row("!x", true, true, true)]);
        assert_eq!(found("if (not x and y) f();").len(), 2);
    }

    #[test]
    fn a_loop_tests_its_condition_as_one_value() {
        let source = "void g() { while (a && b) f(); }";
        let conditions = conditions(source);
        let text = |place: usize| conditions.at(place).map(|one| &source[one.range.clone()]);
        // The three places are the left operand, the right operand (which has no separate branch), and the statement.
        assert_eq!([18, 23, 11].map(text), [Some("a"), Some("a && b"), Some("a && b")]);
        assert_eq!(text(26), None);
        let inner = conditions.at(18).expect("a condition");
        let around: Vec<_> = conditions.around(inner).map(|one| &source[one.range.clone()]).collect();
        assert_eq!(around, ["a", "a && b"]);
    }

    #[test]
    fn arguments_and_whole_conditions_are_recognised() {
        let source = "void g() { if (a && b) M(x > 1 && f(y)); }";
        let conditions = conditions(source);
        let at = |part: &str| conditions.at(source.find(part).expect("it is there")).expect("a condition");
        let around: Vec<_> =
            conditions.around(at("a &&")).map(|one| (&source[one.range.clone()], one.is_whole)).collect();
        assert_eq!(around, [("a", false), ("a && b", true)]);
        let callees: Vec<_> = at("x >").callees.iter().map(|callee| &source[callee.clone()]).collect();
        assert_eq!((callees, &at("b)").callees), (vec!["M"], &Vec::new()));
    }

    #[test]
    fn declarations_constants_and_errors_are_no_conditions() {
        for statement in [
            "if (int x = y) f();",
            "if constexpr (x) f();",
            "for (;;) f();",
            "for (int x : y) f();",
            "switch (x) {}",
            "if (a ?: b) f();",
            "if (a < b && c > (d)) f();",
            "if (x EQUALS y) f();",
        ] {
            assert_eq!(found(statement), [], "{statement}");
        }
        assert_eq!(found("if (int x = y; x > 2) f();"), [row("x > 2", true, true, true)]);
    }

    #[test]
    fn templates_and_expectations_are_recognised() {
        let source = "template <class T> void g(T x) { if ((x > 2)) f(); }\nvoid h() { if (x > 2) f(); }";
        let all = conditions(source).0;
        let rows = all.iter().map(|one| (&source[one.range.clone()], one.is_in_template));
        assert_eq!(rows.collect::<Vec<_>>(), [("(x > 2)", true), ("x > 2", false)]);
        let source = "void g() { if (__builtin_expect(x > 2, 1)) f(); }";
        let expectation = conditions(source).0[0].expectation.clone().expect("the condition has a hint");
        let Expectation { argument, value, is_true, is_truth } = expectation;
        assert_eq!((&source[argument], &source[value], is_true, is_truth), ("x > 2", "1", true, true));
    }
}
