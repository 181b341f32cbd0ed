//! Selects the flags for rustc from the flags of a build.

/// Options of `-C` that are removed before compiling to bitcode.
const DROPPED_CODEGEN: [&str; 9] = [
    "incremental",
    "lto",
    "linker-plugin-lto",
    "strip",
    "debuginfo",
    "split-debuginfo",
    "profile-generate",
    "profile-use",
    "instrument-coverage",
];
/// The options that bpa removes before it compiles to bitcode. Each option has a value.
const DROPPED: [&str; 7] =
    ["--emit", "--out-dir", "--error-format", "--json", "--diagnostic-width", "--color", "--cap-lints"];

/// Removes the options for outputs, messages, linking and profiling from the `arguments` of a build.
pub fn of_build(arguments: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = arguments.iter().map(String::as_str).peekable();
    while let Some(word) = words.next() {
        let name = word.split('=').next().unwrap_or_default();
        if DROPPED.contains(&name) {
            if name == word {
                words.next();
            }
            continue;
        }
        let codegen = match word {
            "-C" | "--codegen" => words.next(),
            _ => word.strip_prefix("-C"),
        };
        match codegen {
            Some(option) if DROPPED_CODEGEN.contains(&option.split('=').next().unwrap_or_default()) => {}
            Some(option) => kept.push(format!("-C{option}")),
            None => kept.push(word.to_string()),
        }
    }
    kept
}

/// The number of codegen units in the `arguments` of a build, if `arguments` contain the option.
pub fn codegen_units(arguments: &[String]) -> Option<u32> {
    arguments.iter().rev().find_map(|word| word.strip_prefix("-Ccodegen-units="))?.parse().ok()
}

/// The optimisation level in the `arguments` of rustc, if `arguments` contain one.
pub fn optimisation_level(arguments: &[String]) -> Option<&str> {
    arguments.iter().rev().find_map(|word| match word.as_str() {
        "-O" => Some("3"),
        word => word.strip_prefix("-C").unwrap_or(word).strip_prefix("opt-level="),
    })
}

/// The paths of the compiled crates in the `--extern` options.
pub fn libraries(arguments: &[String]) -> impl Iterator<Item = &str> {
    let named = arguments.iter().zip(arguments.iter().skip(1)).filter(|(word, _)| *word == "--extern");
    named.filter_map(|(_, library)| library.split_once('=')).map(|(_, path)| path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_optimisation_level_counts() {
        for (words, wanted) in
            [("-Copt-level=s -C opt-level=2", Some("2")), ("-Copt-level=z -O", Some("3")), ("-g", None)]
        {
            let words: Vec<String> = words.split(' ').map(String::from).collect();
            assert_eq!(optimisation_level(&words), wanted);
        }
    }

    #[test]
    fn options_for_outputs_are_removed() {
        let words = "--crate-name b --edition=2024 b/src/main.rs --error-format=json --json=artifacts --emit=dep-info,link \
                     -C opt-level=3 -C lto -Cstrip=symbols --out-dir /t -C metadata=4e4d -C incremental=/t -Clinker=cc \
                     --extern a=/t/liba.rlib -Cprofile-generate=/p";
        let words: Vec<String> = words.split_whitespace().map(String::from).collect();
        let wanted = "--crate-name b --edition=2024 b/src/main.rs -Copt-level=3 -Cmetadata=4e4d -Clinker=cc \
                      --extern a=/t/liba.rlib";
        assert_eq!(of_build(&words).join(" "), wanted);
    }
}
