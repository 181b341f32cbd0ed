//! Pipeline elements and their options, against a list of all that are right.
#![no_main]

use bpa::dialect::Dialect;
use bpa::plugin::{Analysis, Annotate, Form, Output, Print, Request};

libfuzzer_sys::fuzz_target!(|element: &str| check(element));

/// What is accepted without options, written down, but for printers.
const PLAIN: [(&str, Request); 4] = [
    ("require<rust-bpi>", Request::Require(Analysis::Probabilities)),
    ("invalidate<rust-bpi>", Request::Invalidate(Analysis::Probabilities)),
    ("require<rust-bfi>", Request::Require(Analysis::Frequencies)),
    ("invalidate<rust-bfi>", Request::Invalidate(Analysis::Frequencies)),
];

/// Each set of options to annotate with, in every order.
const ANNOTATE: [&str; 11] = [
    "annotate",
    "annotate;overwrite",
    "overwrite;annotate",
    "annotate;skip-even",
    "skip-even;annotate",
    "annotate;overwrite;skip-even",
    "annotate;skip-even;overwrite",
    "overwrite;annotate;skip-even",
    "overwrite;skip-even;annotate",
    "skip-even;annotate;overwrite",
    "skip-even;overwrite;annotate",
];

/// A printer under one of its names: which analysis, and the options behind the name.
fn printer(element: &str) -> Option<(Analysis, Vec<&str>)> {
    for (name, analysis) in [("rust-bpi", Analysis::Probabilities), ("rust-bfi", Analysis::Frequencies)] {
        match element.strip_prefix(name) {
            Some("" | "<>") => return Some((analysis, Vec::new())),
            Some(rest) => {
                return Some((analysis, rest.strip_prefix('<')?.strip_suffix('>')?.split(';').collect()))
            }
            None => {}
        }
    }
    let mut parts = element.strip_prefix("print<")?.strip_suffix('>')?.split(';');
    let analysis = match parts.next()? {
        "rust-bpi" => Analysis::Probabilities,
        "rust-bfi" => Analysis::Frequencies,
        "rust-bias" => Analysis::Bias,
        _ => return None,
    };
    Some((analysis, parts.collect()))
}

/// The printers: one form, one version and one file at most, in any order.
fn print(element: &str) -> Option<Request> {
    let (analysis, options) = printer(element)?;
    let mut print = Print::plain(analysis);
    for option in options {
        if option.contains(['<', '>']) {
            return None;
        }
        let form = match (option, analysis) {
            ("diff", _) => Form::Difference,
            ("explain", Analysis::Probabilities | Analysis::Frequencies) => Form::Explained,
            ("json", Analysis::Probabilities | Analysis::Frequencies) => Form::Json,
            ("dot", Analysis::Frequencies) => Form::Dot,
            _ => Form::Plain,
        };
        match option.split_once('=') {
            None if form != Form::Plain && print.form == Form::Plain => print.form = form,
            Some(("like", version)) if print.like.is_none() => print.like = Some(Dialect::named(version)?),
            Some(("output", name)) if print.output.is_none() => print.output = Some(Output::named(name)?),
            _ => return None,
        }
    }
    let has_nothing_to_differ_from = print.form == Form::Difference && print.like.is_none();
    let has_no_directory = print.form == Form::Dot && print.output == Output::named("-");
    (!has_nothing_to_differ_from && !has_no_directory).then_some(Request::Print(print))
}

fn accepted(element: &str) -> Option<Request> {
    if let Some(options) = ANNOTATE.iter().find(|options| format!("rust-bpi<{options}>") == element) {
        let (overwrite, skip_even) = (options.contains("overwrite"), options.contains("skip-even"));
        return Some(Request::Annotate(Annotate { overwrite, skip_even }));
    }
    let plain = PLAIN.iter().find(|(spelling, _)| *spelling == element);
    plain.map(|(_, request)| request.clone()).or_else(|| print(element))
}

/// What is written down is accepted, and nothing else. An error begins with the pass that it is about and ends
/// with what would be right. Names that are not ours are left to others.
fn check(element: &str) {
    let answer = Request::parse(element);
    let begins_as_ours =
        ["rust-bpi<", "rust-bfi<", "print<rust-bpi>", "require<rust-bfi;", "invalidate<rust-bpi<"]
            .iter()
            .any(|start| element.starts_with(start));
    match answer {
        Some(Ok(request)) => assert_eq!(accepted(element), Some(request), "{element}"),
        Some(Err(error)) => {
            assert_eq!(accepted(element), None, "{element} is refused");
            let message = error.to_string();
            let wrapper = element.split('<').next().unwrap_or_default();
            assert!(message.starts_with(wrapper), "{message} begins with {wrapper}");
            let ends = ["it has no options", "output=FILE", "semicolons"];
            assert!(ends.iter().any(|end| message.ends_with(end)), "{message}");
        }
        None => {
            assert_eq!(accepted(element), None, "{element} is ours");
            assert!(!begins_as_ours, "{element} is ours");
        }
    }
}
