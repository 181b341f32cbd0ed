//! Property tests: the parser must accept exactly the elements that a simple second implementation accepts.

use std::ops::RangeInclusive;

use bpa_core::bfi::FrequencyMethod;
use bpa_core::bpi::Probability;
use bpa_core::dialect::Dialect;
use proptest::prelude::*;

use super::super::model::RequestOptions;
use super::super::options::OptionProblem;
use super::super::table::Analysis;
use super::*;
use crate::plugin::output::{Output, OutputKind};

/// Valid pipeline elements that print no analysis results. This list leaves out `rust-bpi<annotate>` and elements with
/// the option `remarks`.
const PLAIN: [(&str, PassKind, Mode); 15] = [
    ("require<rust-bpi>", PROBABILITIES, Mode::Require),
    ("invalidate<rust-bpi>", PROBABILITIES, Mode::Invalidate),
    ("require<rust-bfi>", FREQUENCIES, Mode::Require),
    ("require<rust-bpi;predictor=llvm>", PROBABILITIES, Mode::Require),
    ("require<rust-bfi;predictor=llvm>", FREQUENCIES, Mode::Require),
    ("invalidate<rust-bfi>", FREQUENCIES, Mode::Invalidate),
    ("rust-bpi<check>", PROBABILITIES, Mode::Check),
    ("print<rust-bpi;check>", PROBABILITIES, Mode::Check),
    ("rust-bfi<check>", FREQUENCIES, Mode::Check),
    ("print<rust-bfi;check>", FREQUENCIES, Mode::Check),
    ("rust-bfi<annotate>", FREQUENCIES, Mode::Annotate),
    ("rust-bfi<annotate;overwrite>", FREQUENCIES, Mode::Annotate),
    ("rust-bfi<overwrite;annotate>", FREQUENCIES, Mode::Annotate),
    ("rust-lower-expect", PassKind::LowerExpect, Mode::Plain),
    ("rust-lower-expect<>", PassKind::LowerExpect, Mode::Plain),
];

const PROBABILITIES: PassKind = PassKind::Analysis(Analysis::Probabilities);
const FREQUENCIES: PassKind = PassKind::Analysis(Analysis::Frequencies);

/// All valid lists of options with `annotate`, in every order.
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

/// The analysis and the options of `element` if it names a printer.
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

/// Parses a request for scores: a printing element with the option `score`. The element can also contain other options
/// of printing elements. The only possible output format is `json`.
fn score(element: &str) -> Option<Request> {
    let (analysis, mut options) = printer(element)?;
    let place = options.iter().position(|&option| option == "score")?;
    options.remove(place);
    if analysis != Analysis::Probabilities {
        return None;
    }
    with_mode(Mode::Score, printed(analysis, options)?, &[Mode::Plain, Mode::Json])
}

/// Changes the mode of the printing request `print` to `mode`. Returns `None` if `of` does not contain the old mode.
fn with_mode(mode: Mode, print: Request, of: &[Mode]) -> Option<Request> {
    of.contains(&print.mode).then_some(Request { mode, ..print })
}

/// Parses a request for features. The element may also contain all options of a printer, except options that select an
/// output format.
fn features(element: &str) -> Option<Request> {
    let (analysis, mut options) = printer(element)?;
    let place = options.iter().position(|&option| option == "features")?;
    options.remove(place);
    if analysis != Analysis::Probabilities || options.contains(&"predictor=llvm") {
        return None;
    }
    with_mode(Mode::Features, printed(analysis, options)?, &[Mode::Plain])
}

/// A request for remarks. The options can be in any order, and each option occurs at most once. An option that is only
/// for printed reports is invalid.
fn remarks(element: &str) -> Option<Request> {
    let (name, options) = element.split_once('<')?;
    let analysis = match name {
        "rust-bpi" => Analysis::Probabilities,
        "rust-bfi" => Analysis::Frequencies,
        _ => return None,
    };
    let mut options: Vec<&str> = options.strip_suffix('>')?.split(';').collect();
    if !take(&mut options, "remarks") {
        return None;
    }
    let may_be_sure = analysis == Analysis::Probabilities;
    let at_least = may_be_sure.then(|| take_share(&mut options, "at-least=", 0..=100)).flatten();
    let is_exact = analysis == Analysis::Frequencies && take(&mut options, "exact");
    take(&mut options, "predictor=llvm");
    let limit = take_limit(&mut options);
    let dialect = |option: &str| option.strip_prefix("like=").and_then(Dialect::named);
    let place = options.iter().position(|option| dialect(option).is_some());
    let like = place.and_then(|place| dialect(options.remove(place)));
    let values = RequestOptions {
        at_least: at_least.unwrap_or_default(),
        limit,
        method: if is_exact { FrequencyMethod::Exact } else { FrequencyMethod::Llvm },
        like,
        ..RequestOptions::default()
    };
    let request = Request { pass: PassKind::Analysis(analysis), mode: Mode::Remarks, options: values };
    options.is_empty().then_some(request)
}

/// Parses a pipeline element that prints the results of an analysis.
fn print(element: &str) -> Option<Request> {
    let (analysis, options) = printer(element)?;
    printed(analysis, options)
}

/// The options of a request to print an analysis, in any order. At most one mode, one `like=N` and one `output=FILE`
/// are valid, but `json` and `explain` can occur together.
fn printed(analysis: Analysis, given: Vec<&str>) -> Option<Request> {
    let (mut mode, mut options, mut output) = (Mode::Plain, RequestOptions::default(), None);
    let (mut is_added, mut is_llvm) = (false, false);
    for option in given {
        if option.contains(['<', '>']) {
            return None;
        }
        let selected = match (option, analysis) {
            ("diff", _) => Mode::Diff,
            ("explain", Analysis::Probabilities | Analysis::Frequencies) => Mode::Explain,
            ("json", Analysis::Probabilities | Analysis::Frequencies) => Mode::Json,
            ("dot", Analysis::Frequencies) => Mode::Dot,
            _ => Mode::Plain,
        };
        match option.split_once('=') {
            None if option == "exact"
                && analysis == Analysis::Frequencies
                && options.method == FrequencyMethod::Llvm =>
            {
                options.method = FrequencyMethod::Exact;
            }
            None if option == "append" && !is_added => is_added = true,
            None if selected != Mode::Plain && mode == Mode::Plain => {
                mode = selected;
                options.json = mode == Mode::Json;
            }
            None if (selected, mode, options.json) == (Mode::Json, Mode::Explain, false)
                || (selected, mode) == (Mode::Explain, Mode::Json) =>
            {
                mode = Mode::Explain;
                options.json = true;
            }
            Some(("like", version)) if options.like.is_none() => {
                options.like = Some(Dialect::named(version)?)
            }
            Some(("predictor", "llvm")) if !is_llvm => is_llvm = true,
            Some(("output", name)) if output.is_none() => output = (!name.is_empty()).then_some(name),
            _ => return None,
        }
        if option == "output=" {
            return None;
        }
    }
    let is_the_hosts = options.like.is_none() && options.method == FrequencyMethod::Llvm && !is_llvm;
    let has_nothing_to_differ_from = mode == Mode::Diff && is_the_hosts;
    let has_no_directory = mode == Mode::Dot && output == Some("-");
    let has_nothing_to_add_to = is_added && (mode == Mode::Dot || output.is_none());
    let kind = match mode {
        Mode::Dot => OutputKind::Directory,
        _ if is_added => OutputKind::Appended,
        _ => OutputKind::File,
    };
    options.output = output.and_then(|name| Output::new(name, kind));
    let request = Request { pass: PassKind::Analysis(analysis), mode, options };
    (!has_nothing_to_differ_from && !has_no_directory && !has_nothing_to_add_to).then_some(request)
}

/// Removes `option` from the options. Returns whether the option was present.
fn take(options: &mut Vec<&str>, option: &str) -> bool {
    let place = options.iter().position(|&given| given == option);
    place.map(|place| options.remove(place)).is_some()
}

/// Removes the option `name` from the options and returns its value. The value must be a number in `range`, without
/// leading zeros or a sign.
fn take_number(
    options: &mut Vec<&str>,
    (name, unit): (&str, &str),
    range: RangeInclusive<u32>,
) -> Option<u32> {
    let number = |option: &str| {
        let text = option.strip_prefix(name)?.strip_suffix(unit)?;
        text.parse().ok().filter(|number: &u32| range.contains(number) && number.to_string() == text)
    };
    let (place, number) =
        options.iter().enumerate().find_map(|(place, option)| Some((place, number(option)?)))?;
    options.remove(place);
    Some(number)
}

fn take_limit(options: &mut Vec<&str>) -> Option<usize> {
    take_number(options, ("limit=", ""), 1..=u32::MAX).map(|limit| limit as usize)
}

fn take_share(options: &mut Vec<&str>, name: &str, range: RangeInclusive<u32>) -> Option<Probability> {
    take_number(options, (name, "%"), range).map(|percent| Probability::ratio(percent, 100))
}

/// Parses a pipeline element with the option `annotate`. The predictor can be anywhere among the
/// other options.
fn annotate(element: &str) -> Option<Request> {
    let mut options: Vec<&str> = element.strip_prefix("rust-bpi<")?.strip_suffix('>')?.split(';').collect();
    take(&mut options, "predictor=llvm");
    let complete = take(&mut options, "complete");
    let options = options.join(";");
    let (overwrite, skip_even) = (options.contains("overwrite"), options.contains("skip-even"));
    let values = RequestOptions { overwrite, skip_even, complete, ..RequestOptions::default() };
    let request = Request { pass: PROBABILITIES, mode: Mode::Annotate, options: values };
    ANNOTATE.contains(&&*options).then_some(request)
}

/// The request that the pipeline element `element` describes, or `None` if the element is invalid.
fn accepted(element: &str) -> Option<Request> {
    let plain = PLAIN.iter().find(|(spelling, ..)| *spelling == element);
    plain
        .map(|&(_, pass, mode)| {
            let options =
                RequestOptions { overwrite: element.contains("overwrite"), ..RequestOptions::default() };
            Request { pass, mode, options }
        })
        .or_else(|| annotate(element))
        .or_else(|| print(element))
        .or_else(|| score(element))
        .or_else(|| features(element))
        .or_else(|| remarks(element))
}

/// Checks that the parser accepts exactly the valid elements. An error begins with the pass and ends with the valid
/// options. If two options exclude each other, the list does not contain the rejected option. If an element names a
/// pass of LLVM or of another plugin, the parser ignores the element.
fn check(element: &str) -> Result<(), TestCaseError> {
    let ours = [
        "rust-bpi<",
        "rust-bfi<",
        "rust-bias<",
        "rust-lower-expect<",
        "print<rust-bpi>",
        "require<rust-bfi;",
        "invalidate<rust-bpi<",
    ];
    match Request::parse(element) {
        Some(Ok(request)) => prop_assert_eq!(accepted(element), Some(request), "{}", element),
        Some(Err(error)) => {
            prop_assert_eq!(accepted(element), None, "{} is valid and must be accepted", element);
            let message = error.to_string();
            if message.starts_with("cannot read predictor '") {
                return Ok(()); // a misspelt predictor counts as the name of a file
            }
            let wrapper = element.split('<').next().unwrap_or_default();
            prop_assert!(message.starts_with(wrapper), "{} does not begin with {}", message, wrapper);
            let ends = [
                "this pass has no options",
                "no other option is valid",
                "valid options are: overwrite",
                "output=FILE",
                "predictor=NAME|FILE",
                "semicolons",
                "print<rust-bias>?",
            ];
            prop_assert!(ends.iter().any(|end| message.ends_with(end)), "{}", message);
            if let OptionError::Option { problem: OptionProblem::Apart(rejected, _), valid, .. } = error {
                let valid = valid.to_string();
                let list = valid.split(": ").nth(1).unwrap_or_default();
                let is_listed = list.split(", ").any(|option| name(option) == name(&rejected));
                prop_assert!(!is_listed, "{} lists the rejected option", message);
            }
        }
        None => {
            prop_assert_eq!(accepted(element), None, "{} is valid and must be accepted", element);
            prop_assert!(
                !ours.iter().any(|start| element.starts_with(start)),
                "{} names a pass of bpa",
                element
            );
        }
    }
    Ok(())
}

/// Options that are valid for a printer or for `annotate`.
const RIGHT: [&str; 21] = [
    "annotate",
    "overwrite",
    "skip-even",
    "complete",
    "at-least=80%",
    "exact",
    "explain",
    "json",
    "dot",
    "diff",
    "check",
    "score",
    "features",
    "remarks",
    "limit=7",
    "append",
    "like=14",
    "predictor=llvm",
    "like=24",
    "output=a",
    "output=-",
];

/// Options that are invalid for all passes.
const WRONG: [&str; 15] = [
    "sharpen=85%",
    "hints",
    "limit=0",
    "at-least=80",
    "at-least=101%",
    "predictor=",
    "",
    "like",
    "like=",
    "like=13",
    "like=016",
    "output",
    "output=",
    "json=1",
    "hot",
];

/// Each text is the beginning of a pipeline element. The options follow this text.
const BEGINNINGS: [&str; 12] = [
    "rust-bpi<",
    "rust-bfi<",
    "rust-bias<",
    "rust-lower-expect<",
    "print<rust-bpi;",
    "print<rust-bfi;",
    "print<rust-bias;",
    "print<rust-lower-expect;",
    "require<rust-bpi;",
    "require<rust-bias;",
    "invalidate<rust-bfi;",
    "verify<rust-bpi;",
];

/// Tests every list of up to three options, including invalid options. Longer lists need no test, because every rule of
/// the parser depends on at most three options.
#[test]
fn all_lists_of_up_to_three_options() {
    let options: Vec<&str> = RIGHT.into_iter().chain(WRONG).collect();
    let mut lists = vec![String::new()];
    let mut longest = vec![String::new()];
    for separator in ["", ";", ";"] {
        let longer =
            |list: &String| options.iter().map(|option| [list, separator, option].concat()).collect();
        longest = longest.iter().flat_map::<Vec<String>, _>(longer).collect();
        lists.extend_from_slice(&longest);
    }
    for (beginning, list) in
        BEGINNINGS.iter().flat_map(|beginning| lists.iter().map(move |list| (beginning, list)))
    {
        check(&format!("{beginning}{list}>")).unwrap();
    }
}

fn options() -> impl Strategy<Value = String> {
    let option = prop_oneof![
        8 => prop::sample::select(RIGHT.as_slice()).prop_map(String::from),
        1 => prop::sample::select(WRONG.as_slice()).prop_map(String::from),
        1 => "output=[a-c=./ -]{0,3}|[a-e=-]{0,4}",
    ];
    prop::collection::vec(option, 0..4).prop_map(|options| options.join(";"))
}

/// Random pipeline elements, most of which are valid.
fn likely_elements() -> impl Strategy<Value = String> {
    let beginning = prop::sample::select(BEGINNINGS.as_slice());
    (beginning, options()).prop_map(|(beginning, options)| format!("{beginning}{options}>"))
}

/// Arbitrary combinations of names, options and brackets.
fn arbitrary_elements() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => prop::sample::select(vec!["<", ">", ";", "="]).prop_map(String::from),
        4 => prop::sample::select(vec!["print", "require", "invalidate", "rust-bpi", "rust-bfi", "rust-bias"])
            .prop_map(String::from),
        2 => options(),
        1 => any::<String>(),
    ];
    prop::collection::vec(part, 0..7).prop_map(|parts| parts.concat())
}

/// Elements from which one character is removed, or in which one character is doubled. All characters are ASCII.
fn mistyped_elements() -> impl Strategy<Value = String> {
    (likely_elements(), any::<prop::sample::Index>(), any::<bool>()).prop_map(
        |(mut element, place, is_twice)| {
            let place = place.index(element.len());
            let character = element.remove(place);
            if is_twice {
                element.insert(place, character);
                element.insert(place, character);
            }
            element
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn mistyped_elements_are_errors(element in mistyped_elements()) {
        check(&element)?;
    }

    #[test]
    fn arbitrary_elements_are_accepted_only_if_valid(element in arbitrary_elements()) {
        check(&element)?;
    }
}

/// The parser accepts every element of `PLAIN` and `ANNOTATE`. The tests with random elements do not always contain all
/// of these elements.
#[test]
fn every_valid_element_is_accepted() {
    let annotate = ANNOTATE.iter().map(|options| format!("rust-bpi<{options}>"));
    for element in annotate.chain(PLAIN.iter().map(|(element, ..)| element.to_string())) {
        let request =
            Request::parse(&element).expect("the element names a pass of bpa").expect("good options");
        assert_eq!(accepted(&element), Some(request));
    }
}
