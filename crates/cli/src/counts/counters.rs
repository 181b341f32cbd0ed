//! The counters of a front-end profile, and the branch weights that follow from the counters.
//!
//! Clang also computes branch weights from a front-end profile, but these weights are not always counts. While clang
//! 14 to 22 generates code, a variable contains the count of the code that clang generates next. Clang computes branch
//! weights from this variable. After an operand with `&&`, `||` or `?:`, the variable still contains the count of one
//! part of the operand. Clang then computes wrong weights for later branches. Some weights are constants, and some
//! entry counts are 0. Therefore bpa computes the counts itself:
//!
//! 1. Clang compiles the source a second time, with instrumentation: see [`instrumented`](super::instrumented). A call
//!    of `llvm.instrprof.increment` in a block names the counter of the block.
//! 2. The counts of the other blocks and edges follow from the counters: see [`flow`](super::flow).
//! 3. The counts replace the weights in the module without instrumentation.

use std::collections::HashMap;

use super::conditions::{self, FunctionCounts};
use super::instrumented::Function;
use super::transfer::{replaced, Key};

/// The counters of the functions in a front-end profile. The key is the name of the function in the profile, and a hash
/// of the function's control flow. If a profile combines several programs, several functions have the name `main`.
#[derive(Clone, Debug, Default)]
pub struct Counters(HashMap<(String, u64), Vec<u64>>);

impl Counters {
    /// Parses the output of `llvm-profdata show --all-functions --counts`.
    pub fn parse(text: &str) -> Self {
        let mut counters = Counters::default();
        let (mut name, mut hash, mut entries) = ("", None, None);
        for line in text.lines() {
            let Some(line) = line.strip_prefix("  ") else { continue };
            let Some(property) = line.strip_prefix("  ") else {
                name = line.strip_suffix(':').unwrap_or(line);
                continue;
            };
            match property.split_once(": ") {
                Some(("Hash", text)) => hash = u64::from_str_radix(text.trim_start_matches("0x"), 16).ok(),
                Some(("Function count", text)) => entries = text.parse().ok(),
                Some(("Block counts", text)) => {
                    let blocks =
                        text.trim_matches(['[', ']']).split(", ").filter_map(|text| text.parse().ok());
                    if let (Some(hash), Some(entries)) = (hash.take(), entries.take()) {
                        let all: Vec<u64> = std::iter::once(entries).chain(blocks).collect();
                        counters.0.insert((name.to_string(), hash), all);
                    }
                }
                _ => {}
            }
        }
        counters
    }

    /// Returns the text of `module` with the branch weights and entry counts that follow from the counters.
    /// `instrumented` is the text of the same module with instrumentation. The second result lists the coroutines, and
    /// the functions whose branches differ between the two modules. These functions have no counts. The text has no
    /// blocks that join the operands of a [condition](conditions).
    pub fn applied(&self, module: &str, instrumented: &str) -> (String, Vec<String>) {
        let plain = Function::all(module);
        let instrumented: HashMap<&str, Function> =
            Function::all(instrumented).into_iter().map(|function| (function.name, function)).collect();
        let mut all = FunctionCounts::new();
        let mut different = Vec::new();
        for function in &plain {
            let Some(pair) = instrumented.get(function.name) else { continue };
            let Some(counters) = pair.counters.as_ref().and_then(|key| self.0.get(key)) else { continue };
            let branches = if pair.is_coroutine { None } else { pair.counts(counters).branches_of(function) };
            let Some(branches) = branches else {
                different.push(function.name.to_string());
                continue;
            };
            all.insert(
                function.name,
                (counters.first().copied().unwrap_or(0), branches.into_iter().collect()),
            );
        }
        let text = conditions::with_direct_conditions(module, &mut all);
        let mut nodes: HashMap<Key, String> = HashMap::new();
        for (name, (entries, branches)) in all {
            nodes.insert((name, 0), format!("!{{!\"function_entry_count\", i64 {entries}}}"));
            let executed = branches.into_iter().filter(|(_, counts)| counts.iter().any(|&count| count > 0));
            nodes.extend(executed.map(|(number, counts)| ((name, number), branch_weights(&counts))));
        }
        (replaced(&text, |key| nodes.get(key).map(String::as_str)), different)
    }
}

/// Returns the metadata node with the branch weights `counts`. If a count does not fit into 32 bits, the function
/// divides all counts by the smallest sufficient number, as LLVM does.
fn branch_weights(counts: &[u64]) -> String {
    let largest = counts.iter().copied().max().unwrap_or(0);
    let scale = largest / u64::from(u32::MAX) + 1;
    let weights = counts.iter().map(|count| format!(", i32 {}", count / scale)).collect::<String>();
    format!("!{{!\"branch_weights\"{weights}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOWN: &str = "Counters:\n  my.c:f:\n    Hash: 0xffffffffffffffff\n    Counters: 2\n    Function count: 34\n    \
                         Block counts: [7]\n  main:\n    Hash: 0x0000000000000000\n    Counters: 1\n    \
                         Function count: 1\n    Block counts: []\n  main:\n    Hash: 0x0000000000000001\n    \
                         Counters: 1\n    Function count: 5000000000\n    Block counts: []\nTotal functions: 3\n";

    const PLAIN: &str = "define internal void @f() #0 !prof !1 {\nentry:\n  br i1 %a, label %if.then, label %if.end, !prof !2\n\n\
                         if.then:                          ; preds = %entry\n  call void @g()\n  br label %if.end\n\n\
                         if.end:\n  ret void\n}\n!1 = !{!\"function_entry_count\", i64 0}\n\
                         !2 = !{!\"branch_weights\", i32 1, i32 1}\n";

    /// `PLAIN` with instrumentation. `hash` identifies the control flow of the function.
    fn instrumented(hash: &str, condition: &str) -> String {
        let increment = |counter: usize| {
            format!("  call void @llvm.instrprof.increment(ptr @__profn_my.c_f, i64 {hash}, i32 2, i32 {counter})\n")
        };
        format!(
            "@__profn_my.c_f = private constant [6 x i8] c\"my.c:f\"\n\
             define internal void @f() #0 {{\nentry:\n{}  br i1 %a, label %{condition}\n\n\
             lop.rhscnt:\n{}  br label %if.then\n\nif.then:\n  call void @g()\n  br label %if.end\n\nif.end:\n  ret void\n}}\n",
            increment(0),
            increment(1),
        )
    }

    #[test]
    fn counters_become_weights() {
        let counters = Counters::parse(SHOWN);
        assert_eq!(counters.0[&("main".to_string(), 1)], [5_000_000_000]);
        let (text, different) = counters.applied(PLAIN, &instrumented("-1", "lop.rhscnt, label %if.end"));
        assert!(different.is_empty());
        for wanted in [
            "!{!\"function_entry_count\", i64 34}\n",
            "!{!\"branch_weights\", i32 7, i32 27}\n",
            " !prof !100000000 {\n",
        ] {
            assert!(text.contains(wanted), "{wanted}: {text}");
        }
    }

    #[test]
    fn functions_without_matching_counters_have_no_data() {
        let counters = Counters::parse(SHOWN);
        let (stale, different) = counters.applied(PLAIN, &instrumented("24", "lop.rhscnt, label %if.end"));
        assert!(!stale.contains("!prof") && different.is_empty(), "{stale}");
        // The successors are exchanged.
        let (other, different) = counters.applied(PLAIN, &instrumented("-1", "if.end, label %if.then"));
        assert!(!other.contains("!prof"), "{other}");
        assert_eq!(different, ["f"]);
        let coroutine = instrumented("-1", "lop.rhscnt, label %if.end");
        let coroutine = coroutine.replace("ret void", "%id = call token @llvm.coro.id(i32 16)\n  ret void");
        let (text, different) = counters.applied(PLAIN, &coroutine);
        assert!(!text.contains("!prof") && different == ["f"], "{text}");
    }

    #[test]
    fn large_counts_are_divided() {
        assert_eq!(branch_weights(&[5_000_000_000, 6]), "!{!\"branch_weights\", i32 2500000000, i32 3}");
    }
}
