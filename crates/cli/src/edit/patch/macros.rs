//! The macros of a program. The parser of the sources does not expand them.
//!
//! A condition that uses a macro gets a hint only if the expansion can neither add a branch nor swap its edges.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::edit::Reason;
use crate::base::error::{Error, Result};
use crate::base::process;
use crate::compile::Compiler;
use crate::program::{Program, Unit};
use crate::toolchain::cache::KeyBuilder;

/// The reason why a condition with a macro is not edited.
pub const IN_MACRO: Reason =
    "a macro in the condition can expand to several conditions, to a negation or to a hint";

/// bpa has compiled the file before.
const REPEATABLE: &str =
    "the file compiled, but the preprocessor fails: the file or its headers have changed";

/// The macros of one or more compilation units. The value is true if the expansion can add a branch, swap the edges of
/// a branch, or end the condition.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Macros(BTreeMap<String, bool>);

impl Macros {
    /// The macros of `unit`, from the cache or from clang's preprocessor.
    pub fn of_unit(program: &Program, compiler: &Compiler, unit: &Unit) -> Result<Self> {
        // bpa compiles the unit before this step. Therefore the cache contains the names of the source files.
        let key = compiler.sources(&unit.input).map(|key| KeyBuilder::new("macros-1").key(key).finish());
        if let Some(macros) = key.and_then(|key| program.store.value(key)) {
            return Ok(macros);
        }
        let mut command = compiler.preprocessor(&unit.input)?;
        let program_name = PathBuf::from(command.get_program());
        let done =
            process::output(&mut command).map_err(|source| Error::Run { program: program_name, source })?;
        // Without the macros, an edit could swap the edges of a branch.
        if !done.status.success() {
            return Err(Error::compile(&unit.input, &String::from_utf8_lossy(&done.stderr), REPEATABLE));
        }
        let macros = Macros::defined_in(&String::from_utf8_lossy(&done.stdout));
        if let Some(key) = key {
            program.store.keep_value(key, &macros);
        }
        Ok(macros)
    }

    /// The macros that the lines `#define NAME BODY` in `text` define.
    fn defined_in(text: &str) -> Self {
        let mut bodies: HashMap<&str, Vec<&str>> = HashMap::new();
        for definition in text.lines().filter_map(|line| line.strip_prefix("#define ")) {
            let end = definition.find(|c: char| !is_in_word(c)).unwrap_or(definition.len());
            let (name, rest) = definition.split_at(end);
            let is_call = rest.starts_with('(');
            let body = if is_call { rest.split_once(')').map_or("", |(_, body)| body) } else { rest };
            bodies.entry(name).or_default().push(body);
        }
        let mut known = HashMap::new();
        for name in bodies.keys() {
            can_branch(name, &bodies, &mut known);
        }
        Macros(known.into_iter().map(|(name, can_branch)| (name.to_string(), can_branch)).collect())
    }

    /// Adds `other`. A macro with several definitions can branch if one of them can.
    pub fn merge(&mut self, other: Macros) {
        for (name, can_branch) in other.0 {
            *self.0.entry(name).or_default() |= can_branch;
        }
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Whether the macros in `condition` can add a branch or swap the edges of a branch.
    pub fn can_branch(&self, condition: &str) -> bool {
        let words = tokens(condition);
        let mut uses =
            words.iter().enumerate().filter_map(|(place, word)| Some((place, *self.0.get(*word)?)));
        uses.any(|(place, can_branch)| {
            let arguments = &words[place + 1..];
            let arguments = &arguments[..length_of_call(arguments)];
            can_branch || arguments.iter().any(|word| BRANCHING.contains(word))
        })
    }
}

/// The tokens that can add a branch, or swap the edges of a branch.
const BRANCHING: &[&str] = &["&&", "||", "?", "!", "and", "or", "not"];

/// Whether the macro `name` can branch. `bodies` contains the definitions of all macros.
fn can_branch<'t>(
    name: &'t str,
    bodies: &HashMap<&'t str, Vec<&'t str>>,
    known: &mut HashMap<&'t str, bool>,
) -> bool {
    if let Some(&can_branch) = known.get(name) {
        return can_branch;
    }
    // A macro is not expanded inside its own expansion.
    known.insert(name, false);
    let mut found = false;
    for body in &bodies[name] {
        let mut depth = 0i32;
        for word in tokens(body) {
            depth += i32::from(["(", "["].contains(&word)) - i32::from([")", "]"].contains(&word));
            let is_comparison = ["==", "!=", "<=", ">="].contains(&word);
            let ends_operand = depth == 0 && (word == "," || (word.ends_with('=') && !is_comparison));
            found |= depth < 0
                || ends_operand
                || BRANCHING.contains(&word)
                || [";", "{", "}", "#", "##"].contains(&word)
                || word.starts_with("__builtin_expect")
                || (bodies.contains_key(word) && can_branch(word, bodies, known));
        }
        found |= depth != 0;
    }
    known.insert(name, found);
    found
}

/// The number of tokens of the arguments in parentheses at the beginning of `words`.
fn length_of_call(words: &[&str]) -> usize {
    let mut depth = 0usize;
    for (place, word) in words.iter().enumerate() {
        match *word {
            "(" => depth += 1,
            ")" if depth > 0 => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return if place == 0 { 0 } else { place + 1 };
        }
    }
    words.len()
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The tokens of `text`, without comments.
fn tokens(text: &str) -> Vec<&str> {
    const OPERATORS: &[&str] = &[
        "<<=", ">>=", "<=>", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "->", "##", "+=", "-=", "*=",
        "/=", "%=", "&=", "|=", "^=",
    ];
    let (mut tokens, mut rest) = (Vec::new(), text.trim_start());
    while let Some(first) = rest.chars().next() {
        let end_after = |end: &str| rest[2..].find(end).map_or(rest.len(), |place| place + 2 + end.len());
        let length = match first {
            '/' if rest.starts_with("/*") => end_after("*/"),
            '/' if rest.starts_with("//") => end_after("\n"),
            '"' | '\'' => end_of_literal(rest, first),
            _ if is_in_word(first) => rest.find(|c| !is_in_word(c)).unwrap_or(rest.len()),
            _ => OPERATORS
                .iter()
                .find(|operator| rest.starts_with(**operator))
                .map_or(first.len_utf8(), |operator| operator.len()),
        };
        let (token, behind) = rest.split_at(length);
        let is_comment = token.starts_with("/*") || token.starts_with("//");
        tokens.extend((!is_comment).then_some(token));
        rest = behind.trim_start();
    }
    tokens
}

/// The length of the string or character at the beginning of `text`.
fn end_of_literal(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find(|&(_, c)| {
        let is_end = c == quote && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |(place, _)| place + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFINITIONS: &str = "\
#define NONE ((void *)0)
#define SMALL(n) ((n) < 20 /* && */)
#define TINY SMALL
#define LOW(n) (SMALL(n))
#define FLAGS(x) (x) & 4 == 4
#define EITHER(c) ((c) == 'a' || (c) == 'b')
#define OUTER(c) f(EITHER(c))
#define EMPTY(x) (!(x)->head)
#define RARE(x) __builtin_expect(!!(x), 0)
#define SELF (SELF + 1)
#define OPEN (
#define AT(x, y) x, y
#define PICK(x) \"?\"[(x) != 1]
";

    #[test]
    fn macros_with_conditions_can_branch() {
        let mut macros = Macros::defined_in(DEFINITIONS);
        for plain in ["p == NONE", "SMALL(m)", "TINY(m)", "SELF > 2", "a /* EITHER */ > FLAGS(b)", "PICK(x)"]
        {
            assert!(!macros.can_branch(plain), "{plain}");
        }
        for other in [
            "EITHER(c)",
            "OUTER(c)",
            "EMPTY(x)",
            "RARE(x)",
            "OPEN a)",
            "AT(x, y)",
            "SMALL(a && b)",
            "f(SMALL(!a))",
        ] {
            assert!(macros.can_branch(other), "{other}");
        }
        assert!(!macros.can_branch("!f(a && b) == NONE"));
        macros.merge(Macros::defined_in("#define SMALL(n) ((n) % 20 || 0)"));
        assert!(macros.can_branch("SMALL(m)") && !macros.can_branch("TINY(m)"));
    }
}
