use super::*;
use crate::rules::comparisons::PredicateWeights;

const LLVM: &str = include_str!("../../../predictors/llvm.toml");

/// The error in `text`.
fn problem(text: &str) -> String {
    RuleSet::read("mine", text).expect_err("the text is invalid").to_string()
}

#[test]
fn llvm_toml_describes_the_built_in_rules() {
    assert_eq!(RuleSet::read("llvm", LLVM).as_ref(), Ok(RuleSet::llvm()));
    assert!(RuleSet::read("mine", LLVM).expect("the text is valid").is_like_llvm());
    let other = LLVM.replace("loop = [124, 4]", "loop = [125, 4]");
    assert!(!RuleSet::read("mine", &other).expect("the text is valid").is_like_llvm());
}

#[test]
fn rules_can_be_omitted_or_reordered_and_comparisons_added() {
    let text = "rules = ['constant', 'metadata']\nconstant.other.other = [3, 4]\nconstant.bit = { equal = [0x1, 0] }";
    let read = RuleSet::read("mine", text).expect("the text is valid");
    assert_eq!((read.name(), read.rules()), ("mine", &[Rule::Constant, Rule::Metadata][..]));
    assert_eq!((read.constant.other.other, read.constant.bit.equal), (Some([3, 4]), Some([1, 0])));
    assert_eq!((read.constant.zero, read.pointer.equal), (PredicateWeights::default(), None));
    assert!(RuleSet::read("none", "rules = []").expect("the text is valid").rules().is_empty());
}

/// Each text has one error.
#[test]
fn errors_name_the_line_and_the_problem() {
    let estimates =
        "rules = ['estimated-weights']\n[estimated-weights]\nunreachable = 0\nnoreturn = 1\nunwind = 1\n\
                     cold = 9\ndefault = 99\nloop = [4, 1]\nunlikely = [2, 1]\n";
    assert!(RuleSet::read("mine", estimates).is_ok());
    let with = |from: &str, to: &str| {
        assert!(estimates.contains(from), "{from}");
        problem(&estimates.replace(from, to))
    };
    let pointer = |entry: &str| problem(&format!("rules = ['pointer']\n[pointer]\n{entry}"));
    let constant = |entry: &str| problem(&format!("rules = ['constant']\n[constant]\n{entry}"));
    let number = "expected a whole number from 0 to 2147483647";
    let ratio = "expected two whole numbers from 1 to 2147483647; the second number must not be greater than the first";
    let pair = "expected two whole numbers from 0 to 2147483647, not both 0";
    let names = "expected one of `metadata`, `estimated-weights`, `pointer`, `constant`, `floating-point`";
    let keys = "expected one of `rules`, `estimated-weights`, `pointer`, `constant`, `floating-point`";
    let predicates = "expected one of `equal`, `unequal`, `less`, `greater`, `other`";
    let found = [
        // Errors in the list of rules.
        (problem(""), "1: missing field `rules`".to_string()),
        (problem("\nrules = 'pointer'"), "2: invalid type: string \"pointer\", expected a sequence".into()),
        (problem("rules = [\n1]"), "2: wanted string or table".into()),
        (problem("rules = ['Pointer']"), format!("1: unknown variant `Pointer`, {names}")),
        (problem("rules = ['even']"), format!("1: unknown variant `even`, {names}")),
        (problem("rules = ['']"), format!("1: unknown variant ``, {names}")),
        (problem("rules = ['metadata',\n'metadata']"), "2: the rule is named twice".into()),
        (problem("rules = []\nrule = 1"), format!("2: unknown field `rule`, {keys}")),
        (problem("rules = []\n[metadata]"), format!("2: unknown field `metadata`, {keys}")),
        // A table is missing, superfluous, or of the wrong type.
        (problem("rules = [\n'metadata',\n'pointer']"), "3: the rule needs a table [pointer]".into()),
        (problem("rules = []\n[pointer]"), "2: table [pointer], but pointer is not among the rules".into()),
        (problem("rules = ['pointer']\npointer = 3"), "2: invalid type: integer `3`, expected a table".into()),
        (problem("rules = ['pointer']\n[[pointer]]"), "2: invalid type: sequence, expected a table".into()),
        // A key for estimated weights is missing, or its value is invalid.
        (with("cold = 9\n", ""), "2: missing field `cold`".into()),
        (with("loop = [4, 1]\n", ""), "2: missing field `loop`".into()),
        (with("= 9\n", "= -1\n"), format!("6: {number}")),
        (with("= 9\n", "= 2147483648\n"), format!("6: {number}")),
        (with("= 9\n", "= 1e3\n"), format!("6: {number}")),
        (with("= 9\n", "= '9'\n"), format!("6: {number}")),
        (with("= 9\n", "= 99999999999999999999\n"), format!("6: {number}")),
        (with("= 99\n", "= 0\n"), "7: expected a whole number from 1 to 2147483647".into()),
        (with("[4, 1]", "[1, 4]"), format!("8: {ratio}")),
        (with("[4, 1]", "[4, 0]"), format!("8: {ratio}")),
        (with("[4, 1]", "4"), format!("8: {ratio}")),
        (with("[4, 1]", "[4, 1, 1]"), format!("8: {ratio}")),
        (with("[2, 1]", "[]"), format!("9: {ratio}")),
        (
            with("cold", "warm"),
            "6: unknown field `warm`, expected one of `unreachable`, `noreturn`, `unwind`, `cold`, `default`, `loop`, \
             `unlikely`"
                .into(),
        ),
        // Errors in comparisons.
        (pointer("equal = [0, 0]"), format!("3: {pair}")),
        (pointer("equal = [1]"), format!("3: {pair}")),
        (pointer("equal = [1.0, 2]"), format!("3: {pair}")),
        (pointer("equal = [[1], 2]"), format!("3: {pair}")),
        (pointer("equal = true"), format!("3: {pair}")),
        (pointer("less = [1, 2]"), "3: unknown field `less`, expected `equal` or `unequal`".into()),
        (constant("zero = [1, 2]"), "3: invalid type: sequence, expected a table".into()),
        (constant("zero.eq = [1, 2]"), format!("3: unknown field `eq`, {predicates}")),
        (
            constant("two.equal = [1, 2]"),
            "3: unknown field `two`, expected one of `zero`, `one`, `minus-one`, `other`, `string`, `bit`".into(),
        ),
    ];
    let wrong: Vec<_> = found.iter().filter(|(found, expected)| found != expected).collect();
    assert_eq!(wrong, [] as [&(String, String); 0]);
}

/// If a text is not valid TOML, the error contains the correct line number.
#[test]
fn syntax_errors_name_the_line() {
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
        let error = RuleSet::read("mine", text).expect_err("the text is not TOML");
        assert_eq!(error.line, line, "{text:?}: {error}");
        assert!(!error.problem.contains('\n'), "{error}");
    }
}

/// If there are several errors, the first error is reported.
#[test]
fn the_first_problem_is_reported() {
    let error = problem("rules = ['pointer']\n[pointer]\nunequal = 1\nequal = 2\nless = 3");
    assert!(error.starts_with("3: expected two whole numbers"), "{error}");
}
