#![no_main]

use bpa::plugin::{Action, Analysis, Request};

libfuzzer_sys::fuzz_target!(|element: &str| check(element));

/// All that is accepted, written down: there are no options yet.
const ACCEPTED: [(&str, Analysis, Action); 11] = [
    ("rust-bpi", Analysis::Probabilities, Action::Print),
    ("rust-bpi<>", Analysis::Probabilities, Action::Print),
    ("print<rust-bpi>", Analysis::Probabilities, Action::Print),
    ("require<rust-bpi>", Analysis::Probabilities, Action::Require),
    ("invalidate<rust-bpi>", Analysis::Probabilities, Action::Invalidate),
    ("rust-bfi", Analysis::Frequencies, Action::Print),
    ("rust-bfi<>", Analysis::Frequencies, Action::Print),
    ("print<rust-bfi>", Analysis::Frequencies, Action::Print),
    ("require<rust-bfi>", Analysis::Frequencies, Action::Require),
    ("invalidate<rust-bfi>", Analysis::Frequencies, Action::Invalidate),
    ("print<rust-bias>", Analysis::Bias, Action::Print),
];

/// The list is accepted and nothing else is. Names that are not ours are left to others; an error begins with
/// the pass it is about and ends with what would be right.
fn check(element: &str) {
    let listed = ACCEPTED.iter().find(|(spelling, ..)| *spelling == element);
    match Request::parse(element) {
        Some(Ok(request)) => {
            let &(_, analysis, action) = listed.expect("only what is listed is accepted");
            assert_eq!(request, Request { analysis, action });
        }
        Some(Err(error)) => {
            assert!(listed.is_none(), "{element} is refused");
            assert!(["rust-bpi", "rust-bfi", "rust-bias"].iter().any(|name| element.contains(name)));
            let pass = element.split('<').next().unwrap_or_default();
            let line = error.to_string();
            assert!(line.starts_with(pass), "{line} begins with {pass}");
            assert!(line.ends_with("<option;option>") || line.ends_with("it has no options"), "{line}");
        }
        None => {
            assert!(listed.is_none(), "{element} is ours");
            assert!(
                !element.starts_with("rust-bpi<") && !element.starts_with("rust-bfi<"),
                "{element} is ours"
            );
        }
    }
}
