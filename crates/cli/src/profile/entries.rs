//! Entry counts that clang's front end does not find in the profile.
//!
//! A function body can contain a declaration of another function, for example `extern int grow(int);`. If the file does
//! not define `grow`, clang 14 to 22 emits the entry count 0 for the function that contains the declaration. The cause
//! is that clang looks for the counter of a missing body, and finds the unused counter of the declaration. The branch
//! weights of the function are correct. `llvm-profdata` prints the correct entry count.

use std::collections::HashMap;

use super::transfer::{defined, named_node, node, FIRST_NEW_NODE};

/// The entry counts of the functions in a front-end profile, by the function's name in the profile.
#[derive(Clone, Debug, Default)]
pub struct EntryCounts(HashMap<String, Option<u64>>);

impl EntryCounts {
    /// Parses the output of `llvm-profdata show --all-functions`.
    pub fn parse(text: &str) -> Self {
        let mut counts = HashMap::new();
        let mut name = "";
        for line in text.lines() {
            let Some(line) = line.strip_prefix("  ") else { continue };
            if let Some(count) = line.strip_prefix("  Function count: ") {
                let count = count.parse().ok();
                // If a profile combines several programs, several functions can have the same name, for example `main`.
                counts.entry(name.to_string()).and_modify(|known| *known = None).or_insert(count);
            } else if let Some(function) = line.strip_suffix(':').filter(|line| !line.starts_with(' ')) {
                name = function;
            }
        }
        EntryCounts(counts)
    }

    /// Returns the text of `module`, in which the entry counts of the profile replace entry counts of 0.
    pub fn corrected(&self, module: &str) -> String {
        let nodes: HashMap<&str, &str> = module.lines().filter_map(node).collect();
        let is_zero = |node: &str| nodes.get(node) == Some(&"!{!\"function_entry_count\", i64 0}");
        let file =
            module.lines().find_map(|line| line.strip_prefix("source_filename = \"")?.strip_suffix('"'));
        let file = file.unwrap_or_default();
        let mut counts: Vec<u64> = Vec::new();
        let mut text = String::with_capacity(module.len());
        for line in module.split_inclusive('\n') {
            let zero = named_node(line).filter(|node| line.starts_with("define ") && is_zero(node));
            match zero.and_then(|zero| Some((zero, self.of(line, file, &nodes)?))) {
                Some((zero, count)) => {
                    let node = FIRST_NEW_NODE + counts.len();
                    text.push_str(&line.replacen(&format!("!prof !{zero}"), &format!("!prof !{node}"), 1));
                    counts.push(count);
                }
                None => text.push_str(line),
            }
        }
        for (place, count) in counts.into_iter().enumerate() {
            text.push_str(&format!(
                "!{} = !{{!\"function_entry_count\", i64 {count}}}\n",
                FIRST_NEW_NODE + place
            ));
        }
        text
    }

    /// The entry count of the function whose first line is `definition`, unless the count is 0 or unknown. In the
    /// profile, the name of a local function begins with the name of the source file. The metadata `PGOFuncName`
    /// contains this name. LLVM 24 does not write this metadata, and `file` is then the name of the source file.
    fn of(&self, definition: &str, file: &str, nodes: &HashMap<&str, &str>) -> Option<u64> {
        let name = defined(definition)?;
        let name = match definition.split_once("!PGOFuncName !") {
            Some((_, rest)) => {
                let node = rest.split(|c: char| !c.is_ascii_digit()).next()?;
                nodes.get(node)?.strip_prefix("!{!\"")?.strip_suffix("\"}")?.to_string()
            }
            None if definition.starts_with("define internal ") => format!("{file}:{name}"),
            None => name.to_string(),
        };
        self.0.get(&name).copied().flatten().filter(|&count| count > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOWN: &str =
        "Counters:\n  my.c:local:\n    Hash: 0x18\n    Counters: 2\n    Function count: 34\n  \
                         global:\n    Hash: 0x0\n    Counters: 1\n    Function count: 12\n  \
                         main:\n    Hash: 0x0\n    Counters: 1\n    Function count: 1\n  \
                         main:\n    Hash: 0x1\n    Counters: 1\n    Function count: 2\n  \
                         never:\n    Hash: 0x0\n    Counters: 1\n    Function count: 0\n\
                         Total functions: 5\nMaximum function count: 34\n";

    fn module(counts: [(usize, u64); 2], node_of: [usize; 4]) -> String {
        let [local, global, main, never] = node_of;
        let mut text = format!(
            "define internal i32 @local(i32 %0) #0 !dbg !5 !prof !{local} !PGOFuncName !2 {{\n}}\n\
             define void @global() !prof !{global} {{\n}}\ndefine i32 @main() !prof !{main} {{\n}}\n\
             define void @never() !prof !{never} {{\n}}\n!2 = !{{!\"my.c:local\"}}\n\
             !1 = !{{!\"function_entry_count\", i64 0}}\n"
        );
        for (node, count) in counts.into_iter().filter(|(node, _)| *node > 0) {
            text += &format!("!{node} = !{{!\"function_entry_count\", i64 {count}}}\n");
        }
        text
    }

    #[test]
    fn only_known_counts_replace_0() {
        let [first, second] = [FIRST_NEW_NODE, FIRST_NEW_NODE + 1];
        let wanted = module([(first, 34), (second, 12)], [first, second, 1, 1]);
        assert_eq!(EntryCounts::parse(SHOWN).corrected(&module([(0, 0); 2], [1; 4])), wanted);
    }

    #[test]
    fn local_functions_need_no_metadata() {
        let text = |node, count| {
            format!(
                "source_filename = \"my.c\"\ndefine internal void @local() !prof !{node} {{\n}}\n\
                 !1 = !{{!\"function_entry_count\", i64 0}}\n{count}"
            )
        };
        let wanted =
            text(FIRST_NEW_NODE, format!("!{FIRST_NEW_NODE} = !{{!\"function_entry_count\", i64 34}}\n"));
        assert_eq!(EntryCounts::parse(SHOWN).corrected(&text(1, String::new())), wanted);
    }

    #[test]
    fn counts_of_clang_are_kept() {
        let module = module([(3, 7), (0, 0)], [3, 3, 3, 1]);
        assert_eq!(EntryCounts::parse(SHOWN).corrected(&module), module);
    }
}
