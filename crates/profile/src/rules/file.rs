//! Reads rules and their weights from TOML. The file `predictors/llvm.toml` contains all tables and fields, and
//! `docs/src/reference/predictor-files.md` describes the format.

use std::borrow::Cow;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::weights::{spanned_table, ConstantWeights, EstimateWeights, FloatWeights, PointerWeights};
use super::{Rule, RuleSet};

/// The contents of a rule file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    rules: Vec<Spanned<NamedRule>>,
    #[serde(default, deserialize_with = "spanned_table")]
    estimated_weights: Option<Spanned<EstimateWeights>>,
    #[serde(default, deserialize_with = "spanned_table")]
    pointer: Option<Spanned<PointerWeights>>,
    #[serde(default, deserialize_with = "spanned_table")]
    constant: Option<Spanned<ConstantWeights>>,
    #[serde(default, deserialize_with = "spanned_table")]
    floating_point: Option<Spanned<FloatWeights>>,
}

/// A rule that a rule file can list.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum NamedRule {
    Metadata,
    EstimatedWeights,
    Pointer,
    Constant,
    FloatingPoint,
}

impl RuleSet {
    /// Reads the rule set `name` from a rule file in TOML.
    ///
    /// Every listed rule that has weights must have a table, and every table must belong to a listed rule. If a table
    /// has no weights for a comparison, the rule does not apply to this comparison.
    ///
    /// # Errors
    ///
    /// If the text is not valid TOML, or does not describe a rule set, returns the first error in the text.
    pub fn read(name: &str, text: &str) -> Result<RuleSet, RuleSetError> {
        let at = |place: Range<usize>, problem| RuleSetError::new(line(text, place.start), problem);
        let file: File = toml::from_str(text)
            .map_err(|error| at(error.span().unwrap_or(0..0), error.message().replace('\n', ", ")))?;
        file.into_rule_set(name).map_err(|(place, problem)| at(place, problem))
    }
}

/// The line number, from 1, of the byte at `place`.
fn line(text: &str, place: usize) -> usize {
    1 + text.as_bytes().iter().take(place).filter(|&&byte| byte == b'\n').count()
}

impl File {
    /// Converts the file to the rule set `name`. Checks that each rule is listed at most once, that each listed rule
    /// with weights has a table, and that no other rule has a table.
    fn into_rule_set(self, name: &str) -> Result<RuleSet, Problem> {
        for (place, rule) in self.rules.iter().enumerate() {
            if self.rules[..place].iter().any(|earlier| earlier.get_ref() == rule.get_ref()) {
                return Err((rule.span(), "the rule is named twice".into()));
            }
        }
        let rules = &self.rules;
        let estimates =
            weights(rules, NamedRule::EstimatedWeights, "estimated-weights", self.estimated_weights)?;
        Ok(RuleSet {
            name: Cow::Owned(name.to_string()),
            rules: Cow::Owned(rules.iter().map(|rule| (*rule.get_ref()).into()).collect()),
            estimates: estimates.unwrap_or(RuleSet::llvm().estimates),
            pointer: weights(rules, NamedRule::Pointer, "pointer", self.pointer)?.unwrap_or_default(),
            constant: weights(rules, NamedRule::Constant, "constant", self.constant)?.unwrap_or_default(),
            floating_point: weights(rules, NamedRule::FloatingPoint, "floating-point", self.floating_point)?
                .unwrap_or_default(),
        })
    }
}

/// The position of an error, and the error.
type Problem = (Range<usize>, String);

/// The weights in the table `name` of the rule `rule`. The result is `None` if `rules` does not contain the rule.
fn weights<T>(
    rules: &[Spanned<NamedRule>],
    rule: NamedRule,
    name: &str,
    table: Option<Spanned<T>>,
) -> Result<Option<T>, Problem> {
    match (rules.iter().find(|named| *named.get_ref() == rule), table) {
        (Some(named), None) => Err((named.span(), format!("the rule needs a table [{name}]"))),
        (None, Some(table)) => {
            Err((table.span(), format!("table [{name}], but {name} is not among the rules")))
        }
        (_, table) => Ok(table.map(Spanned::into_inner)),
    }
}

impl From<NamedRule> for Rule {
    fn from(rule: NamedRule) -> Self {
        match rule {
            NamedRule::Metadata => Rule::Metadata,
            NamedRule::EstimatedWeights => Rule::EstimatedWeights,
            NamedRule::Pointer => Rule::Pointer,
            NamedRule::Constant => Rule::Constant,
            NamedRule::FloatingPoint => Rule::FloatingPoint,
        }
    }
}

/// An error in a rule file, with its line number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {problem}")]
#[non_exhaustive]
pub struct RuleSetError {
    /// The line number, from 1.
    pub line: usize,
    /// What is wrong, or what the parser expected instead.
    pub problem: String,
}

impl RuleSetError {
    /// Creates an error from a line number and a description. Lines are counted from 1.
    pub fn new(line: usize, problem: impl Into<String>) -> Self {
        RuleSetError { line, problem: problem.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::weights::PredicateWeights;

    const LLVM: &str = include_str!("../../predictors/llvm.toml");

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
        let names =
            "expected one of `metadata`, `estimated-weights`, `pointer`, `constant`, `floating-point`";
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
}
