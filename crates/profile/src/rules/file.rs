//! Reading a predictor from a text in TOML. `predictors/llvm.toml` shows all that can be in it, and docs/src/guide/predictors.md
//! describes it.

use std::borrow::Cow;
use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::comparisons::{ConstantWeights, FloatWeights, PointerWeights, PredicateWeights};
use super::entries::{one_of, Entries, Entry, MOST};
use super::error::RuleSetError;
use super::estimates::EstimateWeights;
use super::RuleSet;
use crate::bpi::Rule;

/// The rules that can be asked, as texts name them.
const RULES: [(&str, Rule); 5] = [
    ("metadata", Rule::Metadata),
    ("estimated-weights", Rule::EstimatedWeights),
    ("pointer", Rule::Pointer),
    ("constant", Rule::Constant),
    ("floating-point", Rule::FloatingPoint),
];

impl RuleSet {
    /// The predictor that `text` describes, called `name`: rules and their numbers in TOML.
    ///
    /// Every rule with numbers that is among its `rules` has a table of them, and no other has one. What a comparison
    /// is not given weights for has no answer.
    ///
    /// # Errors
    ///
    /// The first thing in the text that is not as it should be.
    pub fn read(name: &str, text: &str) -> Result<RuleSet, RuleSetError> {
        let mut entries = Entries::new(text);
        match DeTable::parse(text) {
            Ok(parsed) => {
                let predictor = read(name, parsed.get_ref(), &mut entries);
                entries.first_problem().map_or(Ok(predictor), Err)
            }
            Err(error) => {
                let place = error.span().unwrap_or(0..0);
                let message = error.message().replace('\n', ", ");
                entries.expect(place, format!("TOML, but: {message}"));
                Err(entries.first_problem().expect("it has been told"))
            }
        }
    }
}

/// What `top` describes, as far as it can be read.
fn read<'a>(name: &str, top: &DeTable<'a>, entries: &mut Entries<'a>) -> RuleSet {
    let mut known = vec!["rules"];
    known.extend(RULES.iter().map(|(name, _)| *name).filter(|name| *name != "metadata"));
    entries.know(top, "a predictor", &known);
    let rules = read_rules(top, entries);
    let mut tables = Tables { top, rules: &rules, entries };
    let estimates = tables.of(Rule::EstimatedWeights, RuleSet::llvm().estimates, read_estimates);
    let pointer = tables.of(Rule::Pointer, PointerWeights::default(), read_pointer);
    let constant = tables.of(Rule::Constant, ConstantWeights::default(), read_constant);
    let floating_point = tables.of(Rule::FloatingPoint, FloatWeights::default(), read_floating_point);
    let rules = rules.into_iter().map(|(rule, _)| rule).collect();
    RuleSet {
        name: Cow::Owned(name.to_string()),
        rules: Cow::Owned(rules),
        estimates,
        pointer,
        constant,
        floating_point,
    }
}

/// A rule, and where it is named.
type Named = (Rule, Range<usize>);

fn read_rules<'a>(top: &DeTable<'a>, entries: &mut Entries<'a>) -> Vec<Named> {
    let names = RULES.map(|(name, _)| name);
    let meaning = format!("rules = an array of names of rules, {}", one_of(&names));
    let Some(entry) = top.get("rules") else {
        entries.expect(0..0, meaning);
        return Vec::new();
    };
    let DeValue::Array(elements) = entry.get_ref() else {
        entries.expect(entry.span(), meaning);
        return Vec::new();
    };
    let mut rules: Vec<Named> = Vec::new();
    for element in elements {
        let typed = match element.get_ref() {
            DeValue::String(name) => Some(name.as_ref()),
            _ => None,
        };
        match RULES.iter().find(|(name, _)| Some(*name) == typed) {
            None => entries.expect(element.span(), format!("the name of a rule, {}", one_of(&names))),
            Some((name, rule)) if rules.iter().any(|(earlier, _)| earlier == rule) => {
                entries.expect(element.span(), format!("each rule once, and not {name} again"));
            }
            Some((_, rule)) => rules.push((*rule, element.span())),
        }
    }
    rules
}

/// A table, what it is called, and where that stands.
type Place<'t, 'a> = (&'t DeTable<'a>, &'t str, Range<usize>);

/// Reads the numbers of a rule.
type Read<'a, T> = fn(Place<'_, 'a>, &mut Entries<'a>) -> Option<T>;

/// The tables of the rules.
struct Tables<'t, 'a, 'e> {
    top: &'t DeTable<'a>,
    rules: &'t [Named],
    entries: &'e mut Entries<'a>,
}

impl<'a> Tables<'_, 'a, '_> {
    /// What `read` makes of the table of `rule`, which is there if the rule is asked, and not if it is not; `without`
    /// if it cannot be read.
    fn of<T>(&mut self, rule: Rule, without: T, read: Read<'a, T>) -> T {
        let (name, _) = RULES.iter().find(|(_, known)| *known == rule).expect("all rules have names");
        let named = self.rules.iter().find(|(named, _)| *named == rule);
        let entry: Option<(Range<usize>, &Entry<'a>)> = self
            .top
            .iter()
            .find(|(key, _)| key.get_ref().as_ref() == *name)
            .map(|(key, entry)| (key.span(), entry));
        match (named, entry) {
            (None, None) => without,
            (None, Some((place, _))) => {
                self.entries.expect(place, format!("{name} among the rules, or no table [{name}]"));
                without
            }
            (Some((_, place)), None) => {
                self.entries
                    .expect(place.clone(), format!("a table [{name}] as well, since it is among the rules"));
                without
            }
            (Some(_), Some((place, entry))) => {
                let brackets = format!("[{name}]");
                let table = self.entries.table(entry, &brackets);
                table.and_then(|table| read((table, &brackets, place), self.entries)).unwrap_or(without)
            }
        }
    }
}

fn read_estimates<'a>(at: Place<'_, 'a>, entries: &mut Entries<'a>) -> Option<EstimateWeights> {
    let keys = ["unreachable", "noreturn", "unwind", "cold", "default", "loop", "unlikely"];
    entries.know(at.0, at.1, &keys);
    let mut number = |key, least| entries.number(at.clone(), key, least..=MOST);
    let [unreachable, noreturn, unwind, cold] =
        ["unreachable", "noreturn", "unwind", "cold"].map(|key| number(key, 0));
    let default = number("default", 1);
    let [around_loop, unlikely] = ["loop", "unlikely"].map(|key| entries.ratio(at.clone(), key));
    Some(EstimateWeights {
        unreachable: unreachable?,
        noreturn: noreturn?,
        unwind: unwind?,
        cold: cold?,
        default: default?,
        around_loop: around_loop?,
        unlikely: unlikely?,
    })
}

fn read_pointer<'a>((table, name, _): Place<'_, 'a>, entries: &mut Entries<'a>) -> Option<PointerWeights> {
    entries.know(table, name, &["equal", "unequal"]);
    let [equal, unequal] = ["equal", "unequal"].map(|key| entries.weights(table, key));
    Some(PointerWeights { equal, unequal })
}

fn read_constant<'a>((table, name, _): Place<'_, 'a>, entries: &mut Entries<'a>) -> Option<ConstantWeights> {
    let keys = ["zero", "one", "minus-one", "other", "string", "bit"];
    entries.know(table, name, &keys);
    let [zero, one, minus_one, other, string, bit] = keys.map(|key| read_predicates(table, key, entries));
    Some(ConstantWeights { zero, one, minus_one, other, string, bit })
}

fn read_predicates<'a>(above: &DeTable<'a>, key: &str, entries: &mut Entries<'a>) -> PredicateWeights {
    let Some(entry) = above.get(key) else { return PredicateWeights::default() };
    let name = format!("constant.{key}");
    let Some(table) = entries.table(entry, &name) else { return PredicateWeights::default() };
    let keys = ["equal", "unequal", "less", "greater", "other"];
    entries.know(table, &name, &keys);
    let [equal, unequal, less, greater, other] = keys.map(|key| entries.weights(table, key));
    PredicateWeights { equal, unequal, less, greater, other }
}

fn read_floating_point<'a>(
    (table, name, _): Place<'_, 'a>,
    entries: &mut Entries<'a>,
) -> Option<FloatWeights> {
    let keys = ["equality-ordered", "equality-unordered", "ordered", "unordered", "other"];
    entries.know(table, name, &keys);
    let [equality_ordered, equality_unordered, ordered, unordered, other] =
        keys.map(|key| entries.weights(table, key));
    Some(FloatWeights { equality_ordered, equality_unordered, ordered, unordered, other })
}

#[cfg(test)]
mod tests;
