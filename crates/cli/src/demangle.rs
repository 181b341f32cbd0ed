//! Names as people write them.

use bpa_schema::Function;

/// Names of more bytes are long.
const LONG: usize = 80;

/// What `function` is called in its source: with its namespaces and types where the symbol tells them.
pub fn name_of(function: &Function) -> String {
    demangled(&function.function)
        .or_else(|| function.display_name.as_ref().map(ToString::to_string))
        .unwrap_or_else(|| function.function.to_string())
}

/// [`name_of`]; in a long name, `<...>` takes the place of template arguments.
pub fn short_name_of(function: &Function) -> String {
    shortened(name_of(function))
}

fn shortened(name: String) -> String {
    // `operator<` and `operator->` are no brackets, and of `<T as Trait>::f` the arguments are the name.
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

/// [`name_of`] without parameters and template arguments.
pub fn plain_name_of(function: &Function) -> String {
    let name = name_of(function);
    let end = name.find(['(', '<']).filter(|&end| end > 0).unwrap_or(name.len());
    name[..end].to_string()
}

/// The name behind a symbol of C++ or Rust.
fn demangled(symbol: &str) -> Option<String> {
    if let Ok(name) = rustc_demangle::try_demangle(symbol) {
        // Without the hash.
        return Some(format!("{name:#}"));
    }
    let symbol = symbol.strip_prefix('\u{1}').unwrap_or(symbol);
    if !symbol.starts_with("_Z") {
        return None;
    }
    let options = cpp_demangle::DemangleOptions::default().no_return_type();
    cpp_demangle::Symbol::new(symbol).ok()?.demangle_with_options(&options).ok()
}

/// What a function is called where it is called: without parameters, and without most template arguments if these are long.
pub fn called(symbol: &str) -> String {
    let name = demangled(symbol).unwrap_or_else(|| symbol.into());
    let name = shortened(name);
    match name.split_once('(') {
        // `(anonymous namespace)::f`, `f()::{lambda()#1}::operator()`
        Some((before, _)) if !before.is_empty() && !name.starts_with('<') && !name.contains(")::") => {
            before.into()
        }
        _ => name,
    }
}

/// Whether `function` goes by `wanted`: its symbol, its name in the source, or that without namespaces and parameters.
pub fn goes_by(function: &Function, wanted: &str) -> bool {
    function.display_name.as_deref() == Some(wanted) || symbol_goes_by(&function.function, wanted)
}

/// The same where nothing but the symbol is known.
pub fn symbol_goes_by(symbol: &str, wanted: &str) -> bool {
    let name = demangled(symbol).unwrap_or_else(|| symbol.into());
    if symbol == wanted {
        return true;
    }
    let plain = name.split(['(', '<']).next().unwrap_or_default();
    let ending = format!("::{wanted}");
    let is_it = |name: &str| name == wanted || name.ends_with(&ending);
    is_it(&name) || is_it(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(symbol: &str, display_name: Option<&str>) -> Function<'static> {
        let mut function = crate::opt::empty_function();
        function.function = symbol.to_string().into();
        function.display_name = display_name.map(|name| name.to_string().into());
        function
    }

    #[test]
    fn names_are_those_of_the_source() {
        assert_eq!(name_of(&function("main", None)), "main");
        assert_eq!(name_of(&function("_ZN2ns3addEii", None)), "ns::add(int, int)");
        assert_eq!(
            name_of(&function("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", None)),
            "core::fmt::Write::write_fmt"
        );
        assert_eq!(name_of(&function("odd", Some("source"))), "source");
    }

    #[test]
    fn of_long_names_template_arguments_are_left_out() {
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
    fn a_function_goes_by_several_names() {
        let add = function("_ZN2ns3addEii", Some("add"));
        for name in ["_ZN2ns3addEii", "add", "ns::add", "ns::add(int, int)"] {
            assert!(goes_by(&add, name), "{name}");
        }
        assert!(!goes_by(&add, "ad"));
    }
}
