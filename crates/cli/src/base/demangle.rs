//! Demangles symbols to names of the source.

use bpa_schema::Function;

/// The size in bytes above which a name is shortened.
const LONG: usize = 80;

/// The name of `function` in the source, with namespaces and types if the symbol contains them.
pub fn name_of(function: &Function) -> String {
    demangled(&function.function)
        .or_else(|| function.display_name.as_ref().map(ToString::to_string))
        .unwrap_or_else(|| function.function.to_string())
}

/// Returns the same name as [`name_of`], but replaces template arguments by `<...>` if the name is long.
pub fn short_name_of(function: &Function) -> String {
    shortened(name_of(function))
}

fn shortened(name: String) -> String {
    // The `<` of `operator<` and the `>` of `operator->` are not brackets. In `<T as Trait>::f`, the text in brackets
    // is a part of the name.
    let has_other = ["operator<", "operator>", "operator-"].iter().any(|operator| name.contains(operator));
    if name.len() <= LONG || has_other || name.starts_with('<') {
        return name;
    }
    let mut short = String::new();
    let mut depth = 0u32;
    for c in name.chars() {
        match c {
            '<' => depth += 1,
            '>' if depth == 1 => short += "<...",
            _ => {}
        }
        if c == '>' {
            depth = depth.saturating_sub(1);
        }
        if depth == 0 {
            short.push(c);
        }
    }
    short
}

/// The result of [`name_of`] without parameters and template arguments.
pub fn plain_name_of(function: &Function) -> String {
    plain(&name_of(function)).to_string()
}

/// `name` up to its parameters, its template arguments or its ABI tag (`f[abi:cxx11](int)`).
fn plain(name: &str) -> &str {
    let ends = ["(", "<", "[abi:"].iter().filter_map(|end| name.find(end));
    let end = ends.min().filter(|&end| end > 0).unwrap_or(name.len());
    &name[..end]
}

/// `name` without namespaces, classes, parameters and template arguments.
pub fn unqualified(name: &str) -> &str {
    plain(name).rsplit("::").next().unwrap_or_default()
}

/// The source name of a Rust symbol, without the hash. Codegen units that are linked can have local symbols with a
/// number: `.130`. The name has no such number.
pub fn of_rust(symbol: &str) -> Option<String> {
    let name = format!("{:#}", rustc_demangle::try_demangle(symbol).ok()?);
    let start = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let without = start.strip_suffix('.').filter(|_| start.len() < name.len());
    Some(without.unwrap_or(&name).to_string())
}

/// The source name of a C++ or Rust symbol.
fn demangled(symbol: &str) -> Option<String> {
    if let Some(name) = of_rust(symbol) {
        return Some(name);
    }
    let symbol = symbol.strip_prefix('\u{1}').unwrap_or(symbol);
    if !symbol.starts_with("_Z") {
        return None;
    }
    let options = cpp_demangle::DemangleOptions::default().no_return_type();
    cpp_demangle::Symbol::new(symbol).ok()?.demangle_with_options(&options).ok()
}

/// The name of a block of the IR, without `%` and quotes. rustc and the inliner name blocks after symbols; such a symbol
/// is replaced by the name of its function.
pub fn block_name(name: &str) -> String {
    let name = name.trim_start_matches('%').trim_matches('"');
    let (symbol, ending) = match name.rsplit_once(".exit") {
        Some((symbol, number)) => (symbol, format!(".exit{number}")),
        None => (name, String::new()),
    };
    match demangled(symbol) {
        Some(function) => unqualified(&function).to_string() + &ending,
        None => name.to_string(),
    }
}

/// The name of a called function: without parameters, and with long template arguments replaced by `<...>`.
pub fn called(symbol: &str) -> String {
    let name = demangled(symbol).unwrap_or_else(|| symbol.into());
    let name = shortened(name);
    // `Pool<(unsigned long)8>::add(int)`
    let is_argument =
        |before: &str| (before.ends_with('<') && !before.ends_with("operator<")) || before.ends_with(", ");
    let parts = name.match_indices('(').map(|(place, _)| name.split_at(place));
    match parts.into_iter().find(|(before, _)| !is_argument(before)) {
        // `(anonymous namespace)::f`, `f()::{lambda()#1}::operator()`
        Some((before, _)) if !before.is_empty() && !name.starts_with('<') && !name.contains(")::") => {
            before.into()
        }
        _ => name,
    }
}

/// Returns true if `wanted` is the function's symbol, its source name, or its source name without namespaces and
/// parameters.
pub fn has_name(function: &Function, wanted: &str) -> bool {
    function.display_name.as_deref() == Some(wanted) || symbol_has_name(&function.function, wanted)
}

/// Returns true if `wanted` names the function with the mangled name `symbol`. [`has_name`] also compares `wanted` with
/// the display name of the function.
pub fn symbol_has_name(symbol: &str, wanted: &str) -> bool {
    let name = demangled(symbol).unwrap_or_else(|| symbol.into());
    if symbol == wanted {
        return true;
    }
    let ending = format!("::{wanted}");
    let is_it = |name: &str| name == wanted || name.ends_with(&ending);
    is_it(&name) || is_it(plain(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(symbol: &str, display_name: Option<&str>) -> Function<'static> {
        let mut function = crate::toolchain::opt::empty_function();
        function.function = symbol.to_string().into();
        function.display_name = display_name.map(|name| name.to_string().into());
        function
    }

    #[test]
    fn blocks_named_after_symbols_have_short_names() {
        assert_eq!(block_name("%for.body"), "for.body");
        assert_eq!(block_name("%\"_ZN4core3ptr4read17h0123456789abcdefE.exit\""), "read.exit");
        assert_eq!(block_name("%_ZN1a1fEi.exit12"), "f.exit12");
    }

    #[test]
    fn symbols_are_demangled() {
        assert_eq!(name_of(&function("main", None)), "main");
        assert_eq!(name_of(&function("_ZN2ns3addEii", None)), "ns::add(int, int)");
        assert_eq!(name_of(&function("_ZN1a5clone17h0123456789abcdefE.130", None)), "a::clone");
        assert_eq!(name_of(&function("_ZN1a4int717h0123456789abcdefE", None)), "a::int7");
        assert_eq!(
            name_of(&function("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", None)),
            "core::fmt::Write::write_fmt"
        );
        assert_eq!(name_of(&function("linker_name", Some("source"))), "source");
    }

    #[test]
    fn template_arguments_of_long_names_are_omitted() {
        let parse =
            |arguments: &str| function("_", Some(&format!("parse(std::map<{arguments}> const&, int)")));
        assert_eq!(
            short_name_of(&parse("int, std::less<int>")),
            "parse(std::map<int, std::less<int>> const&, int)"
        );
        let long = "std::vector<int>, ".repeat(9);
        assert_eq!(short_name_of(&parse(&long)), "parse(std::map<...> const&, int)");
        let operator = format!("operator<<({long})");
        assert_eq!(short_name_of(&function("_", Some(&operator))), operator);
    }

    #[test]
    fn a_function_has_several_names() {
        let add = function("_ZN2ns3addEii", Some("add"));
        for name in ["_ZN2ns3addEii", "add", "ns::add", "ns::add(int, int)"] {
            assert!(has_name(&add, name), "{name}");
        }
        assert!(!has_name(&add, "ad"));
    }

    #[test]
    fn names_do_not_contain_abi_tags() {
        let version = function("_ZN2mu6Parser10GetVersionB5cxx11Ei", Some("GetVersion"));
        assert_eq!(name_of(&version), "mu::Parser::GetVersion[abi:cxx11](int)");
        assert_eq!(plain_name_of(&version), "mu::Parser::GetVersion");
        for name in ["GetVersion", "Parser::GetVersion", "mu::Parser::GetVersion"] {
            assert!(has_name(&version, name), "{name}");
        }
        assert!(!has_name(&version, "Version"));
        assert_eq!(unqualified("mu::Parser::GetVersion[abi:cxx11](std::string)"), "GetVersion");
    }
}
