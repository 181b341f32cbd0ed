//! Takes branch weights off branches that have them from hints, not from the profile.
//!
//! LLVM lowers `__builtin_expect` and `cold_path` to branch weights before `pgo-instr-use`. That pass replaces the weights of
//! branches that ran, and leaves those of branches that never ran and of functions that the profile does not know. These are
//! no counts.

use std::collections::HashMap;

/// The module `after` a pass that reads a profile, without the branch weights that the module `before` has, too.
pub fn without_old_weights(before: &str, after: &str) -> String {
    let old = weights(before);
    let nodes = nodes(after);
    let mut text = String::with_capacity(after.len());
    let mut place = Place::default();
    for line in after.split_inclusive('\n') {
        let key = place.next(line);
        let own = key.and_then(|key| Some((old.get(&key)?, node_of(line)?)));
        match own {
            Some((old, node)) if nodes.get(node) == Some(old) => {
                text.push_str(&line.replacen(&format!(", !prof {node}"), "", 1));
            }
            _ => text.push_str(line),
        }
    }
    text
}

/// The function that a line is of, and how many branches of it came before.
#[derive(Default)]
struct Place<'a> {
    function: &'a str,
    branches: usize,
}

impl<'a> Place<'a> {
    /// The branch that `line` is or ends.
    fn next(&mut self, line: &'a str) -> Option<(&'a str, usize)> {
        if line.starts_with("define ") {
            let name = line.split_once('@').map_or("", |(_, rest)| rest);
            *self = Place { function: name.split('(').next().unwrap_or_default(), branches: 0 };
        }
        let code = line.trim_start();
        if !(code.starts_with("br i1 ") || code.starts_with(']')) {
            return None;
        }
        self.branches += 1;
        Some((self.function, self.branches))
    }
}

/// The weights of all branches that have some.
fn weights(module: &str) -> HashMap<(&str, usize), &str> {
    let nodes = nodes(module);
    let mut place = Place::default();
    let branch = |line| Some((place.next(line)?, *nodes.get(node_of(line)?)?));
    module.lines().filter_map(branch).collect()
}

/// The nodes of branch weights: `!7 = !{!"branch_weights", i32 1, i32 2}`.
fn nodes(module: &str) -> HashMap<&str, &str> {
    let weights = module.lines().filter_map(|line| line.split_once(" = !{!\"branch_weights\","));
    weights.filter(|(name, _)| name.starts_with('!')).collect()
}

/// The node that `line` names by `!prof`.
fn node_of(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once(", !prof ")?;
    rest.split([',', ' ', '\n']).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_that_were_there_are_no_counts() {
        let before = "define void @f() {\n  br i1 %a, label %b, label %c, !prof !1\n  br i1 %d, label %e, label %f, !prof !1\n}\n\
                      !1 = !{!\"branch_weights\", !\"expected\", i32 1, i32 2000}\n";
        let after = "define void @f() {\n  br i1 %a, label %b, label %c, !prof !1\n  br i1 %d, label %e, label %f, !dbg !3, !prof !2\n}\n\
                     !1 = !{!\"branch_weights\", !\"expected\", i32 1, i32 2000}\n!2 = !{!\"branch_weights\", i32 7, i32 9}\n";
        assert_eq!(without_old_weights(before, after), after.replacen(", !prof !1", "", 1));
        assert_eq!(without_old_weights("", after), after);
    }
}
