//! Tests of the table, and property tests: the parser accepts exactly the options that the table lists for a mode, and reads their values.

use std::collections::BTreeSet;

use bpa_core::bfi::FrequencyMethod;
use bpa_core::dialect::Dialect;
use proptest::prelude::*;
use proptest::sample::{select, Index};

use super::super::table::{Value, OPTIONS, PASSES};
use super::*;

/// `spelling` with a valid value.
fn with_value(spelling: &str) -> String {
    let value = match &OptionSpec::find(spelling).value {
        Value::None => return spelling.to_string(),
        Value::Percent(range) => format!("{}%", range.end()),
        Value::Number(range) => range.end().to_string(),
        Value::Word(words) => words[words.len() - 1].to_string(),
        Value::Version => "14".to_string(),
        Value::Predictor => "llvm".to_string(),
        Value::File => "a=b".to_string(),
        Value::Function => "f".to_string(),
    };
    format!("{}={value}", name(spelling))
}

/// A pass with one of its wrappers, a mode, and some options of this mode.
#[derive(Clone, Debug)]
struct Typed {
    pass: &'static str,
    wrapper: Option<&'static str>,
    mode: Mode,
    own: Option<&'static str>,
    options: Vec<&'static str>,
}

impl Typed {
    /// The element with the options and `more` in the order that `rotation` gives.
    fn element(&self, more: Option<&str>, rotation: usize) -> String {
        let all = self.own.iter().chain(&self.options).copied().chain(more);
        let mut all: Vec<String> = all.map(with_value).collect();
        let middle = rotation % all.len().max(1);
        all.rotate_left(middle);
        let options = all.join(";");
        match self.wrapper {
            Some(wrapper) if options.is_empty() => format!("{wrapper}<{}>", self.pass),
            Some(wrapper) => format!("{wrapper}<{};{options}>", self.pass),
            None => format!("{}<{options}>", self.pass),
        }
    }

    fn has(&self, spelling: &str) -> bool {
        self.own == Some(spelling) || self.options.contains(&spelling)
    }
}

fn typed() -> impl Strategy<Value = (Typed, &'static PassSpec, &'static ModeSpec)> {
    let all = PASSES.iter().flat_map(|pass| {
        let bare = pass.is_bare.then_some(None);
        let printed = pass.wrappers.contains(&Wrapper::Print).then_some(Some(Wrapper::Print));
        let wrappers = bare.into_iter().chain(printed);
        wrappers.flat_map(move |wrapper| pass.modes(wrapper).map(move |mode| (pass, wrapper, mode)))
    });
    (select(all.collect::<Vec<_>>()), any::<u32>()).prop_map(|((pass, wrapper, mode), bits)| {
        let options = mode.takes.iter().zip(0..).filter(|(_, place)| bits >> place & 1 == 1);
        let typed = Typed {
            pass: pass.name,
            wrapper: wrapper.map(Wrapper::name),
            mode: mode.mode,
            own: mode.option,
            options: options.map(|(option, _)| *option).collect(),
        };
        (typed, pass, mode)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4_000) })]

    #[test]
    fn the_options_of_the_table_are_accepted((typed, _, mode) in typed(), rotation in 0..8_usize) {
        let element = typed.element(None, rotation);
        let needs = |option: &&str| OptionSpec::find(option).needs.is_none_or(|needed| typed.has(needed));
        let lacks_nothing = mode.needs_one_of.is_empty() || mode.needs_one_of.iter().any(|one| typed.has(one));
        let is_valid = lacks_nothing && typed.options.iter().all(needs);
        match Request::parse(&element) {
            Some(Ok(request)) => {
                prop_assert!(is_valid, "{element}");
                let options = &request.options;
                prop_assert_eq!(request.mode, typed.mode, "{}", element);
                prop_assert_eq!(options.overwrite, typed.has("overwrite"));
                prop_assert_eq!(options.skip_even, typed.has("skip-even"));
                prop_assert_eq!(options.complete, typed.has("complete"));
                prop_assert_eq!(options.json, typed.has("json"));
                prop_assert_eq!(options.method == FrequencyMethod::Exact, typed.has("exact"));
                prop_assert_eq!(options.like, Dialect::named("14").filter(|_| typed.has("like=N")));
                prop_assert_eq!(options.limit, if typed.has("limit=N") { Some(u32::MAX as usize) } else { mode.limit });
                prop_assert_eq!(options.output.is_some(), typed.has("output=FILE"));
                prop_assert_eq!(&options.predictor, &None);
            }
            Some(Err(error)) => prop_assert!(!is_valid, "{element}: {error}"),
            None => prop_assert!(false, "{element}"),
        }
    }

    /// Options of other modes, repeated options, and mistyped options are errors. The message begins with the pass.
    #[test]
    fn other_options_are_errors((typed, pass, mode) in typed(), place in any::<Index>(), rotation in 0..8_usize) {
        let joins = |option: &&str| {
            pass.modes.iter().any(|other| other.option == Some(option) && mode.option.is_none_or(|own| other.takes.contains(&own)))
        };
        let foreign: Vec<&str> = OPTIONS
            .iter()
            .map(|option| option.spelling)
            .filter(|option| typed.has(option) || !mode.takes.contains(option) && !joins(option))
            .filter(|option| name(option) != "explain")
            .collect();
        let element = typed.element(Some(foreign[place.index(foreign.len())]), rotation);
        let error = Request::parse(&element).expect("a pass of bpa").expect_err(&element);
        prop_assert!(error.to_string().starts_with(element.split(['<', ';']).next().unwrap()), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn no_element_panics(parts in prop::collection::vec("print|require|rust-bp?i|rust-bfi|rust-bias|like=1.|json|output=.|[<>;=]|.", 0..9)) {
        let _ = Request::parse(&parts.concat());
    }
}

#[test]
fn modes_and_options_refer_to_each_other() {
    let spellings: Vec<&str> = OPTIONS.iter().map(|option| option.spelling).collect();
    assert_eq!(spellings.iter().collect::<BTreeSet<_>>().len(), OPTIONS.len());
    let mut used = BTreeSet::new();
    for pass in &PASSES {
        assert_eq!(pass.modes[0].mode, Mode::Plain);
        for mode in pass.modes {
            assert_eq!(mode.option.is_none(), mode.mode == Mode::Plain);
            assert!(mode.needs_one_of.iter().all(|option| mode.takes.contains(option)), "{}", mode.help);
            used.extend(mode.option.iter().chain(mode.takes));
        }
    }
    assert_eq!(used, spellings.iter().copied().collect());
}

/// The parser chooses the first selected mode. If `explain;json` selected the mode of `json`, the parser would
/// ignore `explain`.
#[test]
fn a_mode_that_takes_the_option_of_another_mode_precedes_that_mode() {
    for pass in &PASSES {
        for (place, mode) in pass.modes.iter().enumerate() {
            for earlier in &pass.modes[..place] {
                assert!(earlier.option.is_none_or(|option| !mode.takes.contains(&option)), "{}", mode.help);
            }
        }
    }
}

#[test]
fn options_with_a_placeholder_take_a_value() {
    for option in &OPTIONS {
        assert_eq!(
            option.spelling.contains('='),
            !matches!(option.value, Value::None),
            "{}",
            option.spelling
        );
    }
}
