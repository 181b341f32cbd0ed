use super::*;

const LLVM: &str = include_str!("../../../predictors/llvm.toml");

/// What is wrong with `text`, and where.
fn problem(text: &str) -> String {
    RuleSet::read("mine", text).expect_err("it is wrong").to_string()
}

#[test]
fn the_text_that_says_what_llvm_says_is_llvm() {
    assert_eq!(RuleSet::read("llvm", LLVM).as_ref(), Ok(RuleSet::llvm()));
    assert!(RuleSet::read("mine", LLVM).expect("it is right").is_like_llvm());
    let other = LLVM.replace("loop = [124, 4]", "loop = [125, 4]");
    assert!(!RuleSet::read("mine", &other).expect("it is right").is_like_llvm());
}

#[test]
fn rules_may_go_or_change_places_and_comparisons_be_added() {
    let text = "rules = ['constant', 'metadata']\nconstant.other.other = [3, 4]\nconstant.bit = { equal = [0x1, 0] }";
    let read = RuleSet::read("mine", text).expect("it is right");
    assert_eq!((read.name(), read.rules()), ("mine", &[Rule::Constant, Rule::Metadata][..]));
    assert_eq!((read.constant.other.other, read.constant.bit.equal), (Some([3, 4]), Some([1, 0])));
    assert_eq!((read.constant.zero, read.pointer.equal), (PredicateWeights::default(), None));
    assert!(RuleSet::read("none", "rules = []").expect("no rules").rules().is_empty());
}

/// Each is wrong in one place.
#[test]
fn what_is_wrong_is_told_with_its_line() {
    let estimates =
        "rules = ['estimated-weights']\n[estimated-weights]\nunreachable = 0\nnoreturn = 1\nunwind = 1\n\
                     cold = 9\ndefault = 99\nloop = [4, 1]\nunlikely = [2, 1]\n";
    assert!(RuleSet::read("mine", estimates).is_ok());
    let with = |from: &str, to: &str| {
        assert!(estimates.contains(from), "{from}");
        problem(&estimates.replace(from, to))
    };
    let weight = "a whole number from 0 to 2147483647";
    let ratio = "two whole numbers from 1 to 2147483647, the second not above the first";
    let pair = "two whole numbers from 0 to 2147483647, not both 0";
    let names = "one of metadata, estimated-weights, pointer, constant, floating-point";
    let top = "one of rules, estimated-weights, pointer, constant, floating-point in a predictor";
    let predicates = "one of equal, unequal, less, greater, other";
    for (found, expected) in [
        // The list of rules.
        (problem(""), format!("1: expected rules = an array of names of rules, {names}")),
        (problem("# nothing\n"), format!("1: expected rules = an array of names of rules, {names}")),
        (problem("\nrules = 'pointer'"), format!("2: expected rules = an array of names of rules, {names}")),
        (problem("rules = [\n1]"), format!("2: expected the name of a rule, {names}")),
        (problem("rules = ['Pointer']"), format!("1: expected the name of a rule, {names}")),
        (problem("rules = ['even']"), format!("1: expected the name of a rule, {names}")),
        (problem("rules = ['']"), format!("1: expected the name of a rule, {names}")),
        (
            problem("rules = ['metadata',\n'metadata']"),
            "2: expected each rule once, and not metadata again".into(),
        ),
        (problem("rules = []\nrule = 1"), format!("2: expected {top}, not rule")),
        (problem("rules = []\n[metadata]"), format!("2: expected {top}, not metadata")),
        (problem("rules = []\n\"a\\nb\" = 1"), format!("2: expected {top}, not a\\nb")),
        // Which tables there are.
        (
            problem("rules = [\n'metadata',\n'pointer']"),
            "3: expected a table [pointer] as well, since it is among the rules".into(),
        ),
        (
            problem("rules = []\n[pointer]"),
            "2: expected pointer among the rules, or no table [pointer]".into(),
        ),
        (problem("rules = ['pointer']\npointer = 3"), "2: expected a table [pointer]".into()),
        (problem("rules = ['pointer']\n[[pointer]]"), "2: expected a table [pointer]".into()),
        // Estimated weights.
        (with("cold = 9\n", ""), format!("2: expected cold = {weight} in [estimated-weights]")),
        (with("loop = [4, 1]\n", ""), format!("2: expected loop = {ratio} in [estimated-weights]")),
        (with("= 9\n", "= -1\n"), format!("6: expected cold = {weight}")),
        (with("= 9\n", "= 2147483648\n"), format!("6: expected cold = {weight}")),
        (with("= 9\n", "= 1e3\n"), format!("6: expected cold = {weight}")),
        (with("= 9\n", "= '9'\n"), format!("6: expected cold = {weight}")),
        (with("= 9\n", "= 99999999999999999999\n"), format!("6: expected cold = {weight}")),
        (with("= 99\n", "= 0\n"), "7: expected default = a whole number from 1 to 2147483647".into()),
        (with("[4, 1]", "[1, 4]"), format!("8: expected loop = {ratio}")),
        (with("[4, 1]", "[4, 0]"), format!("8: expected loop = {ratio}")),
        (with("[4, 1]", "4"), format!("8: expected loop = {ratio}")),
        (with("[4, 1]", "[4, 1, 1]"), format!("8: expected loop = {ratio}")),
        (with("[2, 1]", "[]"), format!("9: expected unlikely = {ratio}")),
        (with("cold", "warm"), format!("2: expected cold = {weight} in [estimated-weights]")),
        // Comparisons.
        (problem("rules = ['pointer']\n[pointer]\nequal = [0, 0]"), format!("3: expected equal = {pair}")),
        (problem("rules = ['pointer']\n[pointer]\nequal = [1]"), format!("3: expected equal = {pair}")),
        (problem("rules = ['pointer']\n[pointer]\nequal = [1.0, 2]"), format!("3: expected equal = {pair}")),
        (problem("rules = ['pointer']\n[pointer]\nequal = [[1], 2]"), format!("3: expected equal = {pair}")),
        (problem("rules = ['pointer']\n[pointer]\nequal = true"), format!("3: expected equal = {pair}")),
        (
            problem("rules = ['pointer']\n[pointer]\nless = [1, 2]"),
            "3: expected one of equal, unequal in [pointer], not less".into(),
        ),
        (
            problem("rules = ['constant']\n[constant]\nzero = [1, 2]"),
            "3: expected a table constant.zero".into(),
        ),
        (
            problem("rules = ['constant']\n[constant]\nzero.eq = [1, 2]"),
            format!("3: expected {predicates} in constant.zero, not eq"),
        ),
        (
            problem("rules = ['constant']\n[constant]\ntwo.equal = [1, 2]"),
            "3: expected one of zero, one, minus-one, other, string, bit in [constant], not two".into(),
        ),
        (
            problem("rules = ['floating-point']\n[floating-point]\noeq = [1, 2]"),
            "3: expected one of equality-ordered, equality-unordered, ordered, unordered, other \
             in [floating-point], not oeq"
                .into(),
        ),
    ] {
        assert_eq!(found, expected);
    }
}

/// What is no TOML, with the line where it ends to be.
#[test]
fn what_is_no_toml_is_told_with_its_line() {
    for (text, line) in [
        ("rules = [", 1),
        ("rules = []\nrules = []", 2),
        ("rules = []\n[pointer", 2),
        ("rules = []\nx", 2),
        ("rules = []\n\nx = 'a\n", 3),
        ("rules = [] pointer = 1", 1),
        ("rules = []]", 1),
        ("\u{0}", 1),
    ] {
        let error = RuleSet::read("mine", text).expect_err("no TOML");
        assert_eq!(error.line, line, "{text:?}: {error}");
        assert!(error.expected.starts_with("expected TOML, but: "), "{error}");
        assert!(!error.expected.contains('\n'), "{error}");
    }
}

/// Of several problems the first is told.
#[test]
fn the_first_problem_is_told() {
    let text = "rules = ['pointer']\n[pointer]\nunequal = 1\nequal = 2\nless = 3";
    assert!(problem(text).starts_with("3: expected unequal"));
}
