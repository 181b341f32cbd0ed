//! Finds the condition at a source position. `tree-sitter` parses C and C++, and `syn` parses Rust.
//!
//! Debug information gives one position for a branch: a statement, an operator, or the beginning of an operand. The
//! syntax tree gives the whole condition. Neither parser expands macros.

mod clang;
pub mod conditions;
mod rust;
pub mod sites;

use std::ops::Range;
use std::path::Path;

/// The language of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    C,
    Cxx,
    Rust,
}

impl Grammar {
    /// The grammar for the file `path`. Most C headers are valid C++. Other languages also get the grammar of C++: the
    /// parser skips what it does not know, and finds the operators and words around a position.
    pub fn of(path: &Path) -> Self {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("rs") => Grammar::Rust,
            Some("c") => Grammar::C,
            _ => Grammar::Cxx,
        }
    }
}

/// The syntax tree of a source file.
pub enum Syntax {
    Clang(tree_sitter::Tree),
    Rust(rust::Links),
}

/// A node of the syntax tree that contains a source position.
#[derive(Clone, Debug)]
pub struct Link {
    range: Range<usize>,
    role: Role,
}

/// The meaning of a node for the search of a condition.
#[derive(Clone, Debug)]
enum Role {
    /// `a && b` or `a || b`.
    Logical(Logical),
    /// An expression that continues in its parent: `a` in `a == b`, in `a.b` and in `a[i]`.
    Part,
    /// An expression that is a condition of its own: `a` in `a && b`, in `(a)`, in `f(a)` and in `if (a)`.
    Operand,
    Statement(Statement),
    /// A declaration, or a statement without a condition.
    Barrier,
    Other,
}

#[derive(Clone, Debug)]
struct Logical {
    operator: Range<usize>,
    is_and: bool,
}

/// A statement or expression with a condition.
#[derive(Clone, Debug)]
struct Statement {
    /// The keywords: a `do` loop also has `while`.
    keywords: Vec<Range<usize>>,
    condition: Option<Range<usize>>,
    /// Whether the condition has the form `a && b` or `a || b`.
    is_chain: bool,
    /// True for `if`, `while`, `do` and `for` with a condition. False for `switch` and `match`.
    has_two_values: bool,
}

/// A condition in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub range: Range<usize>,
    /// Whether the condition has the form `a && b` or `a || b`.
    pub is_chain: bool,
    /// True if the range is only the keyword of a statement, because the statement has no condition.
    pub is_keyword: bool,
    /// True if the condition belongs to an `if`, `while`, `do` or `for`.
    pub has_two_values: bool,
}

impl Syntax {
    pub fn parse(bytes: &[u8], grammar: Grammar) -> Self {
        match grammar {
            Grammar::C => Syntax::Clang(clang::parse(bytes, &tree_sitter_c::LANGUAGE.into())),
            Grammar::Cxx => Syntax::Clang(clang::parse(bytes, &tree_sitter_cpp::LANGUAGE.into())),
            Grammar::Rust => Syntax::Rust(rust::Links::of(&String::from_utf8_lossy(bytes))),
        }
    }

    /// The nodes that contain `offset`, from the outermost to the innermost.
    fn path(&self, offset: usize) -> Vec<Link> {
        match self {
            Syntax::Clang(tree) => clang::path(tree, offset),
            Syntax::Rust(links) => links.path(offset),
        }
    }

    /// The condition of the branch at `offset`.
    ///
    /// In optimised code, a branch on the second operand of `a && b` can have the position of the first operand. The
    /// condition is then the whole expression.
    pub fn condition(&self, offset: usize, is_optimised: bool) -> Option<Found> {
        let path = self.path(offset);
        let innermost = path.iter().rposition(|link| !matches!(link.role, Role::Other))?;
        let mut place = innermost;
        match &path[innermost].role {
            Role::Statement(statement) => return of_keyword(statement, offset),
            Role::Barrier | Role::Other => return None,
            Role::Logical(logical) if logical.operator.contains(&offset) => {
                place = whole_chain(&path, place, logical.is_and);
            }
            Role::Logical(_) | Role::Part | Role::Operand => {
                while matches!(path[place].role, Role::Part) {
                    place = path[..place].iter().rposition(|link| !matches!(link.role, Role::Other))?;
                }
                let parent = place.checked_sub(1).map(|parent| &path[parent]);
                if let Some(Link { role: Role::Logical(logical), range }) = parent.filter(|_| is_optimised) {
                    let whole = whole_chain(&path, place - 1, logical.is_and);
                    let is_first = path[whole].range.start == path[place].range.start;
                    place = if is_first && range.contains(&offset) { whole } else { place };
                }
            }
        }
        let Link { range, role } = &path[place];
        Some(Found {
            range: range.clone(),
            is_chain: matches!(role, Role::Logical(_)),
            is_keyword: false,
            has_two_values: has_two_values(&path[..place], range),
        })
    }
}

/// The outermost expression around `path[place]` that joins operands with the same operator.
fn whole_chain(path: &[Link], mut place: usize, is_and: bool) -> usize {
    let joins = |link: &Link| matches!(&link.role, Role::Logical(logical) if logical.is_and == is_and);
    while place > 0 && joins(&path[place - 1]) {
        place -= 1;
    }
    place
}

/// The condition of `statement` if `offset` is in one of its keywords.
fn of_keyword(statement: &Statement, offset: usize) -> Option<Found> {
    let keyword = statement.keywords.iter().find(|keyword| keyword.contains(&offset))?;
    // The condition of a `do` loop does not belong to the word `do`.
    let is_last = statement.keywords.last() == Some(keyword);
    let condition = statement.condition.clone().filter(|_| is_last);
    Some(Found {
        is_keyword: condition.is_none(),
        is_chain: condition.is_some() && statement.is_chain,
        range: condition.unwrap_or_else(|| keyword.clone()),
        has_two_values: statement.has_two_values,
    })
}

fn has_two_values(outside: &[Link], range: &Range<usize>) -> bool {
    let statement = outside.iter().rev().find_map(|link| match &link.role {
        Role::Statement(statement) => Some(Some(statement)),
        Role::Barrier => Some(None),
        _ => None,
    });
    let statement = statement.flatten().filter(|statement| statement.has_two_values);
    statement
        .and_then(|statement| statement.condition.as_ref())
        .is_some_and(|condition| condition.start <= range.start && range.end <= condition.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, column: u32, grammar: Grammar, is_optimised: bool) -> (&str, Found) {
        let found = Syntax::parse(text.as_bytes(), grammar).condition(column as usize - 1, is_optimised);
        let found = found.unwrap_or_else(|| panic!("no condition at column {column} of {text}"));
        (&text[found.range.clone()], found)
    }

    /// The condition of a C++ statement.
    fn marked(statement: &str, column: u32) -> String {
        let text = format!("void g() {{\n{statement}\n}}");
        found(&text, column + 11, Grammar::Cxx, false).0.to_string()
    }

    #[test]
    fn optimised_code_has_one_column_for_several_operands() {
        let line = "int g() { if (empty() && (tab || p->next(1, 2)) != end) f(); }";
        let at = |part: &str, is_optimised| {
            found(line, line.find(part).expect("it is there") as u32 + 1, Grammar::Cxx, is_optimised)
        };
        assert_eq!(at("empty", false).0, "empty()");
        assert_eq!(at("empty", true).0, "empty() && (tab || p->next(1, 2)) != end");
        assert_eq!(at("tab", true).0, "tab || p->next(1, 2)");
        assert_eq!(at("p->", true).0, "p->next(1, 2)");
        assert!(at("empty", true).1.is_chain && !at("empty", false).1.is_chain && at("if", true).1.is_chain);
    }

    #[test]
    fn a_position_gives_the_whole_condition() {
        for (statement, column, condition) in [
            ("  if (!table->slots) f();", 7, "!table->slots"),
            ("  if (f(a, b) == c && d) f();", 7, "f(a, b) == c"),
            ("  for (i = 0; i < n; i++) f();", 15, "i < n"),
            ("  for (i = 0; i < n; i++) f();", 17, "i < n"),
            ("  return a ? b : c;", 10, "a"),
            ("  if (x) f();", 3, "x"),
            ("  for (p = a[f(1)]; p->next ; p++) {}", 3, "p->next"),
            ("  switch (code & 7) {}", 3, "code & 7"),
            ("  for (;;) {}", 3, "for"),
            ("do {} while (*p++);", 1, "do"),
            ("do {} while (*p++);", 7, "*p++"),
            ("    if (table->slots[place].key == key) f();", 33, "table->slots[place].key == key"),
            ("  x = a == b ? c : d;", 9, "a == b"),
            ("  if (a && f(b, c) > d) f();", 20, "f(b, c) > d"),
            ("  return a <= b;", 12, "a <= b"),
            ("  while (match(tree, *p) > 0) f();", 26, "match(tree, *p) > 0"),
            ("  if (a && b) f();", 9, "a && b"),
            ("  if (a == 1 && f(b, c) && d > 2) {}", 25, "a == 1 && f(b, c) && d > 2"),
            ("  x = a || b && c;", 9, "a || b && c"),
            ("  x = a || b && c;", 14, "b && c"),
            ("  if (a == b\n    && c) f();", 18, "a == b\n    && c"),
        ] {
            assert_eq!(marked(statement, column), condition, "{statement}");
        }
    }

    #[test]
    fn conditions_of_rust_need_no_parentheses() {
        for (statement, column, condition) in [
            ("  match (a, b) { _ => c }", 3, "(a, b)"),
            ("  if word.is_empty() { f() }", 6, "word.is_empty()"),
            ("  for word in words { f() }", 15, "words"),
            ("  if a { f() } else if a.len() > b { f() }", 26, "a.len() > b"),
            ("  let key = if word.len() > 12 { x } else { y };", 16, "word.len() > 12"),
            ("  assert!(a.b < c && d);", 15, "a.b < c"),
            ("  match n { 0..=3 => 1, _ => 2 }", 13, "0..=3"),
        ] {
            let text = format!("fn g() {{\n{statement}\n}}");
            assert_eq!(found(&text, column + 9, Grammar::Rust, false).0, condition, "{statement}");
        }
    }

    #[test]
    fn conditions_of_statements_have_two_values() {
        let has_two_values = |statement: &str, part: &str, grammar| {
            let text = match grammar {
                Grammar::Rust => format!("fn g() {{ {statement} }}"),
                _ => format!("void g() {{ {statement} }}"),
            };
            let offset = text.find(part).expect("the part");
            let found = Syntax::parse(text.as_bytes(), grammar).condition(offset, false);
            found.is_some_and(|found| found.has_two_values)
        };
        for (statement, part) in [
            ("for (; *p != 'e'; ++p) {}", "*p !="),
            ("for (T *p = f(); p->cmd != END; ++p) {}", "!="),
            ("if (a) {} else if (f(a) || x == 5) {}", "x =="),
            ("do {} while (*p);", "*p"),
            ("if (x == 5) switch (y) {}", "x =="),
        ] {
            assert!(has_two_values(statement, part, Grammar::Cxx), "{statement}");
        }
        for (statement, part) in [
            ("switch (x) {}", "switch"),
            ("switch (x) {}", "x"),
            ("if (x == 5) switch (y) {}", "switch"),
            ("SWITCH (x) {}", "SWITCH"),
            ("if (x) z = f(y);", "y"),
        ] {
            assert!(!has_two_values(statement, part, Grammar::Cxx), "{statement}");
        }
        assert!(has_two_values("if x == 5 { f() }", "x ==", Grammar::Rust));
        assert!(!has_two_values("match x { _ => y }", "x", Grammar::Rust));
    }
}
