//! Passes of other plugins: names, options and closures.

use std::sync::Arc;

use super::host::{Parse, Pass, Preserved};
use super::message::Failure;
use super::profile::ProfileCell;
use super::request::{option_name, OptionError, Options};
use crate::ir::{Function, LiveFunction, Module};

/// A pass that another plugin has registered.
pub(super) struct NamedPass {
    pub name: &'static str,
    pub options: &'static [&'static str],
    /// The type of the closure. If two passes have the same name and closures of the same type, the plugin was loaded
    /// twice, and the passes are copies. If the types differ, the passes are different.
    pub closure: &'static str,
    pub make: Make,
}

/// Creates the pass with the given options.
pub(super) type Make = Box<dyn Fn(&Options<'_>) -> Result<Pass, OptionError> + Send + Sync>;

/// A pass that only prints.
pub(super) fn printer(name: &str, print: impl Fn(&Function<'_>) + Send + Sync + 'static) -> Pass {
    let run = move |live: LiveFunction<'_>, cell: &ProfileCell| {
        print(&Function::with_cache(&live, cell));
        Ok(Preserved::All)
    };
    Pass { is_required: true, on_function: Some(Arc::new(run)), ..Pass::named(name) }
}

/// A pass that may change the function. In a function pipeline, LLVM itself skips functions with `optnone` if a pass is
/// not required. In a module pipeline, LLVM cannot skip single functions, so the pass checks for `optnone`.
pub(super) fn change(
    name: &'static str,
    change: impl Fn(&mut Function<'_>) -> Preserved + Send + Sync + 'static,
) -> Pass {
    let run = move |live: LiveFunction<'_>, cell: &ProfileCell| {
        let mut function = Function::with_cache(&live, cell);
        if function.is_optnone() {
            log::debug!("{name} skips '{}' because of its attribute optnone", function.name());
            return Ok(Preserved::All);
        }
        Ok(change(&mut function))
    };
    Pass { on_function: Some(Arc::new(run)), ..Pass::named(name) }
}

/// A pass on modules.
pub(super) fn on_module(
    name: &str,
    run: impl Fn(&mut Module<'_>) -> Preserved + Send + Sync + 'static,
) -> Pass {
    Pass { on_module: Some(Arc::new(move |module, _| Ok(run(module)))), ..Pass::named(name) }
}

/// Parses pipeline elements that name one of `passes`.
pub(super) fn parser(passes: Vec<NamedPass>) -> Parse {
    Arc::new(move |element| {
        // Exact names come first: `count<all>` can be the name of a pass, or the pass `count` with the option `all`.
        let exact = passes.iter().find(|pass| pass.name == element);
        let (pass, options) = match exact {
            Some(pass) => (pass, None),
            None => passes.iter().find_map(|pass| Some((pass, Some(pass.options_in(element)?))))?,
        };
        Some(pass.with_options(options).map_err(Failure::from))
    })
}

impl NamedPass {
    /// The text of the options if `element` is the name of this pass with options, for example `name<a;b>`. If the name
    /// of the pass ends with `>`, a semicolon and the options come before this bracket: `print<name;a;b>`.
    fn options_in<'a>(&self, element: &'a str) -> Option<&'a str> {
        match self.name.strip_suffix('>') {
            Some(start) => match element.strip_prefix(start)? {
                // An empty text after a semicolon is an option with an empty name, not an empty list of options.
                after @ ";>" => Some(after),
                after => after.strip_prefix(';'),
            },
            None => element.strip_prefix(self.name)?.strip_prefix('<'),
        }
    }

    fn with_options(&self, options: Option<&str>) -> Result<Pass, OptionError> {
        (self.make)(&Options::parse(self.name, options, self.options)?)
    }

    /// The key of the pass. A pass is registered only once per key, and copies of a plugin have the same keys.
    pub fn key(&self, plugin: &str) -> String {
        as_key(&format!("{plugin} {} {}", self.name, self.closure))
    }

    /// The first error in the registration of the pass.
    fn problem(&self) -> Option<String> {
        let name = self.name;
        // LLVM splits pipelines at commas and parentheses.
        if name.is_empty() || name.contains([',', '(', ')']) {
            return Some(format!("'{name}' is not a valid name for a pass"));
        }
        self.options.iter().enumerate().find_map(|(place, &option)| {
            let is_known = |earlier: &&str| option_name(earlier) == option_name(option);
            if option_name(option).is_empty() || option.contains([',', '(', ')', '<', '>', ';']) {
                Some(format!("'{option}' is not a valid name for an option of '{name}'"))
            } else if self.options[..place].iter().any(is_known) {
                Some(format!("'{name}' has the option '{option}' twice"))
            } else {
                None
            }
        })
    }
}

/// The first error in the registration of `passes`.
pub(super) fn problem(passes: &[NamedPass]) -> Option<String> {
    passes.iter().enumerate().find_map(|(place, pass)| {
        if passes[..place].iter().any(|earlier| earlier.name == pass.name) {
            return Some(format!("the pass '{}' is registered twice", pass.name));
        }
        pass.problem()
    })
}

/// Converts `text` to a word that can be a pass name in a pipeline. LLVM splits a pipeline at some punctuation
/// characters, so this function escapes all characters except letters and digits.
pub(super) fn as_key(text: &str) -> String {
    let mut key = String::new();
    for c in text.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' => key.push(c),
            _ => key.push_str(&format!("-{:x}-", u32::from(c))),
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &'static str, options: &'static [&'static str]) -> NamedPass {
        let make: Make = Box::new(|_| Ok(printer("", |_| ())));
        NamedPass { name, options, closure: "", make }
    }

    #[test]
    fn a_name_that_no_pipeline_can_contain_is_an_error() {
        let problem =
            |names: &[&'static str]| problem(&names.iter().map(|name| named(name, &[])).collect::<Vec<_>>());
        assert_eq!(problem(&["a", "b", "count<all>"]), None);
        let twice = "the pass 'a' is registered twice";
        assert_eq!(problem(&["a", "b", "a"]).as_deref(), Some(twice));
        for name in ["", "a,b", "a(b)"] {
            assert_eq!(problem(&[name]), Some(format!("'{name}' is not a valid name for a pass")));
        }
    }

    #[test]
    fn an_option_that_no_pipeline_can_contain_is_an_error() {
        let problem = |options| problem(&[named("p", options)]);
        assert_eq!(problem(&["depth=N", "all", "de"]), None);
        assert_eq!(problem(&["depth=N", "depth"]).as_deref(), Some("'p' has the option 'depth' twice"));
        for options in [&[""] as &[_], &["=N"], &["a;b"], &["a=<N>"], &["a,b"]] {
            let wrong = format!("'{}' is not a valid name for an option of 'p'", options[0]);
            assert_eq!(problem(options), Some(wrong));
        }
    }

    /// The result of parsing an element: `None`, a pass, or an error.
    fn read(element: &str) -> Option<Result<(), String>> {
        let passes =
            vec![named("count", &["depth=N"]), named("count<all>", &[]), named("print<it>", &["all"])];
        parser(passes)(element).map(|pass| pass.map(drop).map_err(|error| error.to_string()))
    }

    #[test]
    fn elements_are_parsed_like_those_of_our_own_passes() {
        for good in ["count", "count<>", "count<depth=1>", "count<all>", "print<it>", "print<it;all>"] {
            assert_eq!(read(good), Some(Ok(())), "{good}");
        }
        for other in ["counts", "count>", "coun", "print<it", "print<its>", "print<it<all>>", ""] {
            assert_eq!(read(other), None, "{other}");
        }
        let error = |element| read(element).expect("a known name").expect_err("bad options");
        let valid = "valid options are: depth=N";
        assert_eq!(error("count<deep>"), format!("count: unknown option 'deep'; {valid}"));
        assert_eq!(error("count<depth>"), format!("count: option 'depth' needs a value: depth=N; {valid}"));
        assert_eq!(
            error("count<depth=1;depth=2>"),
            format!("count: option 'depth=2' is given twice; {valid}")
        );
        assert_eq!(error("count<all;x>"), format!("count: unknown option 'all'; {valid}"));
        assert!(error("count<depth=1").contains("one pair of angle brackets"));
        assert_eq!(error("print<it;>"), "print<it>: unknown option ''; valid options are: all");
    }

    #[test]
    fn an_error_about_a_pass_without_options_reports_that_it_has_none() {
        let read = parser(vec![named("plain", &[])]);
        let error = read("plain<x>").expect("a known name").map(drop).expect_err("no options");
        assert_eq!(error.to_string(), "plain: unknown option 'x'; this pass has no options");
    }
}
