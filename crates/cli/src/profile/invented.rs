//! Removes branch weights that clang's front end emits although they are not counts of the profile.
//!
//! - **Guards of initialised variables.** On the branch on `%guard.uninitialized`, clang writes constant weights.
//! - **Conditional expressions.** The value of `x ? a : b` can be a class object or a reference. In this case, clang 14
//!   to 22 looks for the count of `a` at the wrong node of its syntax tree. Therefore clang emits the weight 0 for `a`,
//!   and the count of the whole expression for `b`. In the IR, such a class object or reference looks like a
//!   pointer or an unused value. Therefore a weight of 0 is kept only if the value of the expression is a number.

use std::collections::HashSet;

use super::transfer::{named_node, node, without_node};

/// Removes from the text of a module the branch weights that are not counts.
pub fn without_invented_weights(module: &str) -> String {
    let zeros: HashSet<&str> = module.lines().filter_map(zero_node).collect();
    let lines: Vec<&str> = module.split_inclusive('\n').collect();
    let mut text = String::with_capacity(module.len());
    for (place, line) in lines.iter().enumerate() {
        let is_zero = || named_node(line).is_some_and(|node| zeros.contains(node));
        let is_invented = line.starts_with("  br i1 ")
            && (line.contains("%guard.uninitialized")
                || (line.contains("label %cond.true") && is_zero() && !is_number(&lines[place + 1..])));
        match is_invented {
            true => text.push_str(&without_node(line)),
            false => text.push_str(line),
        }
    }
    text
}

/// If `line` is a metadata node with two branch weights, and the first weight is 0, returns the node's number. Example:
/// `!7 = !{!"branch_weights", i32 0, i32 9}`.
fn zero_node(line: &str) -> Option<&str> {
    let (number, content) = node(line)?;
    content.starts_with("!{!\"branch_weights\", i32 0, i32 ").then_some(number)
}

/// Returns true if the value of a conditional expression is a number. `lines` are the lines after the branch of the
/// expression. If an operand contains another conditional expression, clang emits the blocks of the inner expression
/// between `cond.true` and `cond.end`.
fn is_number(lines: &[&str]) -> bool {
    let mut depth = 0;
    let mut lines = lines.iter().take_while(|line| !line.starts_with('}'));
    let end = lines.by_ref().find(|line| {
        depth += usize::from(line.starts_with("cond.true"));
        let is_end = line.starts_with("cond.end");
        depth -= usize::from(is_end && depth > 0);
        is_end && depth == 0
    });
    let is_value = |line: &str| match line.trim_start().split_once(" = phi ") {
        Some((name, kind)) => {
            let is_own =
                name.strip_prefix("%cond").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
            let kind = kind.split(" [").next().unwrap_or_default();
            is_own && kind != "ptr" && !kind.ends_with('*')
        }
        None => false,
    };
    end.is_some() && lines.take_while(|line| line.contains(" = phi ")).any(|line| is_value(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODES: &str =
        "!1 = !{!\"branch_weights\", i32 0, i32 998}\n!2 = !{!\"branch_weights\", i32 332, i32 666}\n";

    /// Returns true if the branch of a conditional expression keeps its weights 0 and 998. In the IR, the text `end`
    /// follows the blocks `cond.true` and `cond.false`.
    fn is_kept(end: &str) -> bool {
        let branch = "  br i1 %cmp, label %cond.true, label %cond.false, !dbg !3, !prof !1\n";
        let module = format!(
            "define void @f() {{\n{branch}\ncond.true:  ; preds = %entry\n\ncond.false:\n\ncond.end:\n\
             {end}  ret void\n}}\n{NODES}"
        );
        let text = without_invented_weights(&module);
        assert!(text == module || text == module.replacen(", !prof !1", "", 1), "{text}");
        text == module
    }

    #[test]
    fn weights_of_0_are_kept_only_for_numbers() {
        assert!(is_kept("  %cond = phi i32 [ 1, %cond.true ], [ 2, %cond.false ]\n"));
        assert!(is_kept("  %cond12 = phi double [ 1.0, %cond.true ], [ 2.0, %cond.false ]\n"));
        for end in [
            "",
            "  %cond = phi ptr [ @a, %cond.true ], [ @b, %cond.false ]\n",
            "  %cond-lvalue = phi i32* [ @a, %cond.true ], [ @b, %cond.false ]\n",
            "  %w.sroa.0.0 = phi i32 [ 1, %cond.true ], [ 2, %cond.false ]\n",
        ] {
            assert!(!is_kept(end), "{end}");
        }
    }

    #[test]
    fn nested_expressions_have_separate_ends() {
        let inner =
            "  br i1 %b, label %cond.true2, label %cond.false3, !prof !1\ncond.true2:\ncond.false3:\n\
                     cond.end4:\n  %cond5 = phi i32 [ 1, %cond.true2 ], [ 2, %cond.false3 ]\n";
        let module = format!(
            "define void @f() {{\n  br i1 %a, label %cond.true, label %cond.false, !prof !1\ncond.true:\n\
             {inner}cond.false:\n\
             cond.end:\n  ret void\n}}\n{NODES}"
        );
        let wanted = module.replacen(", !prof !1", "", 1);
        assert_eq!(without_invented_weights(&module), wanted);
    }

    #[test]
    fn guards_have_constants() {
        let module = format!(
            "  br i1 %guard.uninitialized, label %init.check, label %init.end, !prof !2, !dbg !3\n{NODES}"
        );
        assert_eq!(without_invented_weights(&module), module.replacen(", !prof !2", "", 1));
        let measured = format!("  br i1 %cmp, label %if.then, label %if.end, !prof !1\n{NODES}");
        assert_eq!(without_invented_weights(&measured), measured);
    }
}
