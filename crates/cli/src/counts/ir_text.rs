//! Extracts the textual IR from a compiler's output, and converts the branch weights in the IR to counts.

/// The options `-print-before=` and `-print-after=` print a line with this prefix before a module. Newer versions of
/// LLVM print `; ` before the prefix.
const BEFORE: &str = "*** IR Dump Before";
const AFTER: &str = "*** IR Dump After";

/// The output of a compiler: its messages, the first module that it prints before a pass, and the first module that it
/// prints after the pass.
#[derive(Debug, Default)]
pub struct Printed {
    pub messages: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// Separates the messages of a compiler from the modules that it prints.
pub fn split(printed: &str) -> Printed {
    let mut parts = Printed::default();
    // Only the first module before the pass and the first module after the pass are kept.
    let mut ignored = String::new();
    let mut place = 0;
    for line in printed.split_inclusive('\n') {
        let title = line.trim_start_matches("; ");
        if title.starts_with(BEFORE) || title.starts_with(AFTER) {
            let (next, module) = match title.starts_with(BEFORE) {
                true => (1, &mut parts.before),
                false => (2, &mut parts.after),
            };
            place = if module.is_some() { 3 } else { next };
            module.get_or_insert_default();
            continue;
        }
        let text = match place {
            0 => &mut parts.messages,
            _ if is_message(line) => &mut parts.messages,
            1 => parts.before.get_or_insert_default(),
            2 => parts.after.get_or_insert_default(),
            _ => &mut ignored,
        };
        text.push_str(line);
    }
    parts
}

/// Returns true if a line of the output is a compiler message, not a line of a module. Examples of messages are
/// `file: warning: text` and `1 warning generated.`
fn is_message(line: &str) -> bool {
    let is_of_module = line.starts_with(|c: char| c.is_whitespace() || "@!;%}$^#\"".contains(c))
        || is_label(line)
        || ["define", "declare", "attributes", "module asm", "target ", "source_filename", "uselistorder"]
            .iter()
            .any(|word| line.starts_with(word));
    let has_level = ["warning:", "note:", "remark:", "error:"].iter().any(|level| line.contains(level));
    !is_of_module && (has_level || line.trim_end().ends_with("generated."))
}

/// Returns true if a line names a block, as in `error:    ; preds = %entry`.
fn is_label(line: &str) -> bool {
    line.split_once(':').is_some_and(|(name, rest)| {
        let rest = rest.trim_start();
        !name.contains(char::is_whitespace) && (rest.is_empty() || rest.starts_with(';'))
    })
}

/// Subtracts 1 from each profiled branch weight of `module`.
///
/// LLVM's sample loader adds 1 to each count, to avoid weights of 0. All other branch weights of an unoptimised module
/// come from hints, and have the operand `expected`.
pub fn with_weights_less_one(module: &str) -> String {
    let mut text = String::with_capacity(module.len());
    for line in module.split_inclusive('\n') {
        match line.split_once("!{!\"branch_weights\", i32 ") {
            Some((name, weights)) if line.starts_with('!') => {
                text.push_str(name);
                text.push_str("!{!\"branch_weights\", i32 ");
                push_less_one(weights, &mut text);
            }
            _ => text.push_str(line),
        }
    }
    text
}

/// Subtracts 1 from each weight, and appends the result to `text`. For example, if `weights` is `9, i32 1}`, appends
/// `8, i32 0}`. LLVM prints weights of 2^31 and more as negative numbers.
fn push_less_one(weights: &str, text: &mut String) {
    let (list, end) = weights.split_once('}').unwrap_or((weights, ""));
    for (place, word) in list.split(", i32 ").enumerate() {
        if place > 0 {
            text.push_str(", i32 ");
        }
        match word.parse::<i64>() {
            Ok(number) => {
                let weight = number as u32;
                text.push_str(&weight.saturating_sub(1).to_string());
            }
            Err(_) => text.push_str(word),
        }
    }
    text.push('}');
    text.push_str(end);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_separated_from_messages() {
        let printed = "a.c: warning: old [-Wx]\n; *** IR Dump After PGOInstrumentationUse on [module] ***\n\
                       ; ModuleID = 'a.c'\n\
                       @s = c\"warning: no\"\ndefine void @f() {\nentry:\n  br label %error\n\n\
                       error:                   ; preds = %entry\nnote:\n\"a warning: b\":\n}\n\n\
                       !0 = !{!\"note: no\"}\nwarning: late\n\
                       1 warning generated.\n\
                       *** IR Dump After PGOInstrumentationUse on [module] ***\nsecond\n";
        let Printed { messages, after, .. } = split(printed);
        assert_eq!(messages, "a.c: warning: old [-Wx]\nwarning: late\n1 warning generated.\n");
        let module = after.expect("a module");
        assert!(module.starts_with("; ModuleID") && module.ends_with("!{!\"note: no\"}\n"), "{module}");
        assert!(
            module.contains("\nerror:    ") && module.contains("\nnote:\n\"a warning: b\":\n"),
            "{module}"
        );
        assert!(split("only words\n").after.is_none());
    }

    #[test]
    fn weights_become_counts() {
        let text = "!1 = !{!\"branch_weights\", i32 1001, i32 2}\n!2 = !{!\"branch_weights\", i32 -1, i32 1, i32 1}\n\
                    !3 = !{!\"branch_weights\", !\"expected\", i32 2000, i32 1}\n\
                    !4 = !{!\"function_entry_count\", i64 5}\n";
        let expected = "!1 = !{!\"branch_weights\", i32 1000, i32 1}\n\
                        !2 = !{!\"branch_weights\", i32 4294967294, i32 0, i32 0}\n\
                        !3 = !{!\"branch_weights\", !\"expected\", i32 2000, i32 1}\n\
                        !4 = !{!\"function_entry_count\", i64 5}\n";
        assert_eq!(with_weights_less_one(text), expected);
    }
}
