#![no_main]

use bpa::dialect::Dialect;
use bpa::plugin::{Analysis, Annotate, Like, Request};

libfuzzer_sys::fuzz_target!(|element: &str| check(element));

/// Everything that is accepted, written down, but for annotation.
const PLAIN: [(&str, Request); 11] = [
    ("rust-bpi", Request::Print(Analysis::Probabilities)),
    ("rust-bpi<>", Request::Print(Analysis::Probabilities)),
    ("print<rust-bpi>", Request::Print(Analysis::Probabilities)),
    ("require<rust-bpi>", Request::Require(Analysis::Probabilities)),
    ("invalidate<rust-bpi>", Request::Invalidate(Analysis::Probabilities)),
    ("rust-bfi", Request::Print(Analysis::Frequencies)),
    ("rust-bfi<>", Request::Print(Analysis::Frequencies)),
    ("print<rust-bfi>", Request::Print(Analysis::Frequencies)),
    ("require<rust-bfi>", Request::Require(Analysis::Frequencies)),
    ("invalidate<rust-bfi>", Request::Invalidate(Analysis::Frequencies)),
    ("print<rust-bias>", Request::Print(Analysis::Bias)),
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

/// An answer as of another version, and what differs from it.
fn like(element: &str) -> Option<Request> {
    let (name, options) = element.strip_suffix('>')?.split_once('<')?;
    let analysis = match name {
        "rust-bpi" => Analysis::Probabilities,
        "rust-bfi" => Analysis::Frequencies,
        _ => return None,
    };
    let (version, difference) = match options.split(';').collect::<Vec<_>>()[..] {
        [version] => (version, false),
        ["diff", version] | [version, "diff"] => (version, true),
        _ => return None,
    };
    let dialect = Dialect::of(version.strip_prefix("like=")?.parse().ok()?)?;
    Some(Request::PrintLike(analysis, Like { dialect, difference }))
}

fn accepted(element: &str) -> Option<Request> {
    if let Some(options) = ANNOTATE.iter().find(|options| format!("rust-bpi<{options}>") == element) {
        let (overwrite, skip_even) = (options.contains("overwrite"), options.contains("skip-even"));
        return Some(Request::Annotate(Annotate { overwrite, skip_even }));
    }
    if let Some(request) = like(element) {
        return Some(request);
    }
    PLAIN.iter().find(|(spelling, _)| *spelling == element).map(|&(_, request)| request)
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
            let ends = ["it has no options", "like=N, diff", "semicolons"];
            assert!(ends.iter().any(|end| message.ends_with(end)), "{message}");
        }
        None => {
            assert_eq!(accepted(element), None, "{element} is ours");
            assert!(!begins_as_ours, "{element} is ours");
        }
    }
}
