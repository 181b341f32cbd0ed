//! Copies profiled counts into the IR before `pgo-instr-use`, the pass that reads the profile.
//!
//! This pass changes more than the branch weights:
//!
//! - The pass splits each critical edge for which the profile contains a counter.
//! - The pass adds `cold` and `hot` attributes to functions.
//! - If a branch never ran, the pass keeps the branch weights that come from a hint.
//!
//! The module before the pass has none of these changes. The block numbers and the source lines in this module are the
//! same as in the module for the static prediction. Therefore the profile does not affect the rules. The pass neither
//! adds nor moves branches, so the n-th branch of a function is the same in both modules.

use std::collections::HashMap;

/// New metadata nodes are numbered from this number on.
const FIRST_NEW_NODE: usize = 100_000_000;

/// Replaces the branch weights and entry counts in the module `before` by the profiled counts in the module `after`.
/// `before` and `after` are the text of the same module before and after the pass.
pub fn with_counts(before: &str, after: &str) -> String {
    let (old, new) = (Weights::of(before), Weights::of(after));
    // A branch that never ran has the same weights in both modules.
    replaced(before, |key| new.0.get(key).copied().filter(|counts| old.0.get(key) != Some(counts)))
}

/// Replaces the `!prof` nodes of all branches and functions in the text of `module`, and returns the new text.
/// `content` returns the new node of a branch or function. If `content` returns `None`, the branch or function gets no
/// new node.
pub(super) fn replaced<'a, 'c>(module: &'a str, content: impl Fn(&Key<'a>) -> Option<&'c str>) -> String {
    let mut nodes: HashMap<&str, usize> = HashMap::new();
    let mut text = String::with_capacity(module.len() + module.len() / 8);
    let mut cursor = Cursor::default();
    for line in module.split_inclusive('\n') {
        let Some(key) = cursor.next(line) else {
            text.push_str(line);
            continue;
        };
        let line = without_node(line);
        let Some(content) = content(&key) else {
            text.push_str(&line);
            continue;
        };
        let next = FIRST_NEW_NODE + nodes.len();
        let node = *nodes.entry(content).or_insert(next);
        let code = line.trim_end();
        match code.strip_suffix('{') {
            Some(definition) => text.push_str(&format!("{}!prof !{node} {{\n", definition)),
            None => text.push_str(&format!("{code}, !prof !{node}\n")),
        }
    }
    let mut nodes: Vec<(&str, usize)> = nodes.into_iter().collect();
    nodes.sort_unstable_by_key(|(_, number)| *number);
    for (content, number) in nodes {
        text.push_str(&format!("!{number} = {content}\n"));
    }
    text
}

/// The name of a function, and the number of a branch in the function, from 1. The number 0 stands for the function
/// itself.
pub(super) type Key<'a> = (&'a str, usize);

/// Walks over the lines of a module.
#[derive(Default)]
pub(super) struct Cursor<'a> {
    function: &'a str,
    branches: usize,
}

impl<'a> Cursor<'a> {
    /// Reads the next line. Returns the key of the function that begins at `line`, or of the branch that ends at
    /// `line`.
    pub(super) fn next(&mut self, line: &'a str) -> Option<Key<'a>> {
        if let Some(name) = defined(line) {
            *self = Cursor { function: name, branches: 0 };
            return Some((name, 0));
        }
        if !is_end(line) {
            return None;
        }
        self.branches += 1;
        Some((self.function, self.branches))
    }
}

/// Returns true if `line` is the last line of a branch. The last line of a switch is `]`, and the last line of an
/// invoke is `to label ...`.
pub(super) fn is_end(line: &str) -> bool {
    let code = line.trim_start();
    line.starts_with(' ') && ["br i1 ", "]", "to label "].iter().any(|start| code.starts_with(start))
}

/// The name of the function whose definition begins in `line`: `define i32 @name(...) #3 ... {`.
pub(super) fn defined(line: &str) -> Option<&str> {
    let (_, rest) = line.strip_prefix("define ")?.split_once('@')?;
    match rest.strip_prefix('"') {
        Some(quoted) => Some(&quoted[..quoted.find('"')?]),
        None => rest.split('(').next(),
    }
}

/// The branch weights and entry counts in the `!prof` nodes of a module.
struct Weights<'a>(HashMap<Key<'a>, &'a str>);

impl<'a> Weights<'a> {
    fn of(module: &'a str) -> Self {
        let kinds = ["!{!\"branch_weights\",", "!{!\"function_entry_count\","];
        let has_counts = |(_, content): &(&str, &str)| kinds.iter().any(|kind| content.starts_with(kind));
        let contents: HashMap<&str, &str> = module.lines().filter_map(node).filter(has_counts).collect();
        let mut cursor = Cursor::default();
        let weights = |line| {
            let key = cursor.next(line)?;
            Some((key, *contents.get(named_node(line)?)?))
        };
        Weights(module.lines().filter_map(weights).collect())
    }
}

/// The number and the content of the metadata node that `line` defines: `!7 = !{!"branch_weights", i32 1, i32 2}`.
fn node(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix('!')?.split_once(" = ")
}

/// The number of the metadata node in the `!prof` attachment of `line`.
fn named_node(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("!prof !")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()
}

/// Removes the `!prof` attachment from `line`.
fn without_node(line: &str) -> String {
    let Some(number) = named_node(line) else { return line.to_string() };
    let with_comma = line.replacen(&format!(", !prof !{number}"), "", 1);
    with_comma.replacen(&format!("!prof !{number} "), "", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_transferred_and_nothing_else() {
        let before =
            "define void @\"f g\"() #0 !dbg !5 {\n  br i1 %a, label %b, label %c, !dbg !3, !prof !1\n\
                      b:\n  switch i32 %x, label %c [\n    i32 1, label %d\n  ], !dbg !4\n\
                      c:\n  br i1 %d, label %e, label %f, !prof !1\n}\nattributes #0 = { nounwind }\n\
                      !1 = !{!\"branch_weights\", !\"expected\", i32 1, i32 2000}\n";
        // The pass has split an edge and added the attribute `cold` to the function. The last branch never ran.
        let after = "define void @\"f g\"() #1 !dbg !5 !prof !7 {\n  br i1 %a, label %s, label %c, !dbg !3, !prof !2\n\
                     s:\n  br label %b\n\
                     b:\n  switch i32 %x, label %c [\n    i32 1, label %d\n  ], !dbg !4, !prof !8\n\
                     c:\n  br i1 %d, label %e, label %f, !prof !1\n}\nattributes #1 = { cold nounwind }\n\
                     !1 = !{!\"branch_weights\", !\"expected\", i32 1, i32 2000}\n\
                     !2 = !{!\"branch_weights\", i32 7, i32 9}\n\
                     !7 = !{!\"function_entry_count\", i64 16}\n!8 = !{!\"branch_weights\", i32 7, i32 9}\n";
        let [entry, first] = [FIRST_NEW_NODE, FIRST_NEW_NODE + 1];
        let wanted = format!(
            "define void @\"f g\"() #0 !dbg !5 !prof !{entry} {{\n  \
             br i1 %a, label %b, label %c, !dbg !3, !prof !{first}\n\
             b:\n  switch i32 %x, label %c [\n    i32 1, label %d\n  ], !dbg !4, !prof !{first}\n\
             c:\n  br i1 %d, label %e, label %f\n}}\nattributes #0 = {{ nounwind }}\n\
             !1 = !{{!\"branch_weights\", !\"expected\", i32 1, i32 2000}}\n\
             !{entry} = !{{!\"function_entry_count\", i64 16}}\n!{first} = !{{!\"branch_weights\", i32 7, i32 9}}\n"
        );
        assert_eq!(with_counts(before, after), wanted);
    }

    #[test]
    fn a_function_without_counts_loses_its_weights() {
        let module = "define void @f() {\n  br i1 %a, label %b, label %c, !prof !1\n}\n\
                      !1 = !{!\"branch_weights\", i32 1, i32 2000}\n";
        assert_eq!(with_counts(module, module), module.replacen(", !prof !1", "", 1));
    }
}
