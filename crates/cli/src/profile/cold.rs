//! Takes the attribute `cold` off functions that have it from the profile.
//!
//! `pgo-instr-use` marks functions that hardly ever ran. Static rules that look at calls would then know what was measured.

use std::collections::{HashMap, HashSet};

/// Groups of attributes with numbers from here on are new.
const FIRST_NEW_GROUP: usize = 1_000_000;

/// The module `after` a pass that marks functions as cold, without the marks that the module `before` does not have.
pub fn without_new_marks(before: &str, after: &str) -> String {
    let known = cold_functions(before);
    let groups = cold_groups(after);
    let mut new_groups: HashMap<&str, usize> = HashMap::new();
    let mut text = String::with_capacity(after.len() + 1024);
    for line in after.split_inclusive('\n') {
        let marked =
            definition(line).filter(|(name, group)| groups.contains_key(group) && !known.contains(name));
        let Some((_, group)) = marked else {
            text.push_str(line);
            continue;
        };
        let next = FIRST_NEW_GROUP + new_groups.len();
        let number = *new_groups.entry(group).or_insert(next);
        text.push_str(&line.replacen(&format!(" #{group} "), &format!(" #{number} "), 1));
    }
    for (group, number) in new_groups {
        let words = groups[group].split(' ').filter(|word| *word != "cold");
        text += &format!("attributes #{number} = {{ {} }}\n", words.collect::<Vec<_>>().join(" ").trim());
    }
    text
}

fn cold_functions(module: &str) -> HashSet<&str> {
    let groups = cold_groups(module);
    let definitions = module.lines().filter_map(definition);
    definitions.filter(|(_, group)| groups.contains_key(group)).map(|(name, _)| name).collect()
}

/// The groups that have `cold`, by number: their attributes.
fn cold_groups(module: &str) -> HashMap<&str, &str> {
    let groups = module.lines().filter_map(group);
    groups.filter(|(_, attributes)| attributes.split(' ').any(|word| word == "cold")).collect()
}

/// The number and the attributes of a group: `attributes #3 = { cold nounwind }`.
fn group(line: &str) -> Option<(&str, &str)> {
    let (number, attributes) = line.strip_prefix("attributes #")?.split_once(" = { ")?;
    Some((number, attributes.trim_end().strip_suffix('}')?.trim_end()))
}

/// The name and the group of attributes of a function with a body: `define i32 @name(...) #3 ... {`.
fn definition(line: &str) -> Option<(&str, &str)> {
    let (_, rest) = line.strip_prefix("define ")?.split_once('@')?;
    let name = match rest.strip_prefix('"') {
        Some(quoted) => &rest[..quoted.find('"')? + 2],
        None => &rest[..rest.find('(')?],
    };
    // Behind the parameters; those have no groups.
    let (_, group) = rest.split_once(" #")?;
    let number = group.split(' ').next()?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then_some((name, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_the_source_stay() {
        let before =
            "define void @own() #0 {\ndefine void @\"b c\"() #1 {\ndefine void @g(i32 %0) #1 !prof !1 {\n\
                      attributes #0 = { cold nounwind }\nattributes #1 = { nounwind \"x\"=\"cold y\" }\n";
        let after =
            "define void @own() #0 {\ndefine void @\"b c\"() #0 {\ndefine void @g(i32 %0) #1 !prof !1 {\n\
                     attributes #0 = { cold nounwind }\nattributes #1 = { nounwind }\n";
        let expected = "define void @own() #0 {\ndefine void @\"b c\"() #1000000 {\n\
                        define void @g(i32 %0) #1 !prof !1 {\nattributes #0 = { cold nounwind }\n\
                        attributes #1 = { nounwind }\nattributes #1000000 = { nounwind }\n";
        assert_eq!(without_new_marks(before, after), expected);
    }

    #[test]
    fn without_new_marks_nothing_changes() {
        let module = "define void @f() {\n}\n";
        assert_eq!(without_new_marks(module, module), module);
    }
}
