//! Compiles the program with edits, and selects the edits that improve predictions.
//!
//! An edit is kept if it lowers the log-loss and the number of misses. Only profiled branches with changed predictions
//! count. One compilation per edit would take too long, so edits are tried in groups. The first group contains all
//! edits.
//!
//! 1. The program is compiled with the kept edits and the edits of the group. [`Attribution`] attributes each change of
//!    a prediction to an edit of the group, if possible. A change that cannot be attributed to an edit is called a side
//!    effect.
//! 2. An edit helps if it brings a gain even in the worst case. In the worst case, the edit has caused all harmful side
//!    effects. An edit is useless if it brings no gain even in the best case. In the best case, the edit has caused all
//!    useful side effects. If a function has a side effect, each edit of the group that affects this function is a
//!    possible cause. If no edit of the group affects the function, each edit of the group is a possible cause.
//! 3. If all edits of a group help, all of them are kept. The program with exactly these edits has already been
//!    compiled in step 1, so the costs of its branches are known.
//! 4. If only some edits of a group help, they form the next group, and the other edits form the group after it. An
//!    edit is left out if it is useless in two groups. An edit is also left out if it is useless in a group without
//!    other edits. If no edit helps, the group is divided.
//!
//! A change in the region of an edit is attributed to this edit, although another edit may have caused it.
//!
//! If bpa does not find a branch in the edited program, the prediction of the branch is unknown. bpa then
//! assumes the cost of a hint that mispredicts the branch.

use std::collections::HashMap;

use super::attribution::{Attribution, Verdict};
use super::edit::{Edit, LeftOut, Reason};
use super::files::Files;
use super::matching::{Candidates, EditedFiles, Location};
use super::trial::{edited, Trial};
use crate::base::error::Result;
use crate::base::shares;
use crate::edit::hints::branches::MeasuredBranch;
use crate::edit::hints::cost::Cost;

pub const NOT_COMPILED: Reason = "the hint was tried, but the program cannot be compiled with the hint";
const NO_EFFECT: Reason = "the hint was tried, but it improves no prediction";
const HARMFUL: Reason =
    "the hint was tried, but it harms other predictions more than it improves the prediction of its branch";
const NOT_TRIED: Reason =
    "the hint was not tried alone: its effect was still unknown after 40 compilations of the program";

/// The maximum number of compilations. If one compilation takes 45 seconds, 40 compilations take half an hour.
const MOST_COMPILATIONS: usize = 40;

/// The number of groups in which an edit must be useless before it is left out. One group does not prove that an edit
/// is useless, because the other edits of the group can hide its gain.
const MOST_FAILURES: u32 = 2;

/// The cost of all profiled branches before and after the edits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effect {
    pub executions: f64,
    pub before: Cost,
    pub after: Cost,
    /// The number of executions of branches that bpa does not find in the edited program.
    pub unknown: f64,
    /// The number of compilations with edits.
    pub compilations: usize,
}

impl Effect {
    /// Describes the effect in lines of text, which bpa prints as notes.
    pub fn lines(&self) -> Vec<String> {
        if self.executions == 0.0 {
            return Vec::new();
        }
        let per_execution = |amount: f64| amount / self.executions;
        let [before, after] = [self.before, self.after].map(|cost| shares::share(per_execution(cost.misses)));
        let [loss_before, loss_after] =
            [self.before, self.after].map(|cost| format!("{:.3}", per_execution(cost.log_loss)));
        let mut lines = vec![format!(
            "before the patch, {before} of {} measured executions are mispredicted; after the patch, {after}",
            shares::times(self.executions)
        )];
        lines.push(format!(
            "before the patch, the log-loss is {loss_before} bits per execution; after the patch, {loss_after}"
        ));
        if self.unknown > 0.0 {
            lines.push(format!(
                "{} of these executions belong to branches that were not found after the patch; \
                 bpa counts these executions as mispredicted",
                shares::share(per_execution(self.unknown))
            ));
        }
        lines
    }
}

impl std::ops::Add for Effect {
    type Output = Effect;

    fn add(self, other: Effect) -> Effect {
        Effect {
            executions: self.executions + other.executions,
            before: self.before + other.before,
            after: self.after + other.after,
            unknown: self.unknown + other.unknown,
            compilations: self.compilations + other.compilations,
        }
    }
}

/// The cost of a branch in a compilation with edits. `is_known` is false if the branch was not found.
#[derive(Clone, Copy, Debug, PartialEq)]
struct BranchCost {
    cost: Cost,
    is_known: bool,
}

/// The result of a compilation with edits.
enum Tried {
    /// The cost of each branch.
    Costs(Vec<BranchCost>),
    /// A module cannot be compiled. `blamed` contains the edits that can be the cause.
    Fails { blamed: Vec<usize> },
}

/// Removes from `edits` the edits that do not improve the predictions of `branches`. Returns the branches whose
/// edit is removed, each with a reason, and the effect of the kept edits.
pub fn select<'a, T: Trial>(
    trial: &T,
    branches: Vec<&'a MeasuredBranch>,
    files: &mut Files,
    edits: &mut Vec<Edit<'a>>,
) -> Result<(LeftOut<'a>, Effect)> {
    let mut selection = Selection::new(trial, branches, files, std::mem::take(edits));
    let mut groups = vec![selection.by_avoidable_misses()];
    while let Some(group) = groups.pop() {
        groups.extend(selection.try_group(files, group)?);
    }
    selection.verify(files)?;
    let effect = selection.effect();
    let Selection { all, outcome, .. } = selection;
    let mut left_out = Vec::new();
    for (edit, outcome) in all.into_iter().zip(outcome) {
        match outcome {
            None => edits.push(edit),
            Some(reason) => left_out.extend(edit.members.into_iter().map(|branch| (branch, reason))),
        }
    }
    Ok((left_out, effect))
}

struct Selection<'a, 't, T> {
    trial: &'t T,
    /// The branches without copies.
    branches: Vec<&'a MeasuredBranch>,
    locations: Vec<Location>,
    by_function: Vec<Vec<usize>>,
    all: Vec<Edit<'a>>,
    attribution: Attribution,
    kept: Vec<usize>,
    /// For each edit, the reason why the edit is left out, or `None` if the edit is not left out.
    outcome: Vec<Option<Reason>>,
    /// For each edit, the number of tested groups in which the edit brought no gain, even in the best case.
    failures: Vec<u32>,
    compilations: usize,
    before: Vec<BranchCost>,
    /// The cost of each branch in the program with all kept edits and no other edit.
    now: Vec<BranchCost>,
}

impl<'a, 't, T: Trial> Selection<'a, 't, T> {
    fn new(trial: &'t T, branches: Vec<&'a MeasuredBranch>, files: &mut Files, all: Vec<Edit<'a>>) -> Self {
        let branches: Vec<_> = branches.into_iter().filter(|branch| !branch.is_copy).collect();
        let locations: Vec<Location> = branches.iter().map(|branch| Location::of(branch, files)).collect();
        let (mut numbers, mut by_function) = (HashMap::new(), Vec::new());
        let mut functions = Vec::new();
        for (place, branch) in branches.iter().enumerate() {
            let next = by_function.len();
            let number = *numbers.entry((branch.module, branch.symbol.as_str())).or_insert(next);
            if number == next {
                by_function.push(Vec::new());
            }
            by_function[number].push(place);
            functions.push(number);
        }
        let before: Vec<BranchCost> =
            branches.iter().map(|branch| BranchCost { cost: branch.cost(), is_known: true }).collect();
        let attribution = Attribution::new(&all, &branches, &locations, functions, files);
        let (outcome, failures) = (vec![None; all.len()], vec![0; all.len()]);
        let (kept, now) = (Vec::new(), before.clone());
        Selection {
            trial,
            branches,
            locations,
            by_function,
            all,
            attribution,
            kept,
            outcome,
            failures,
            compilations: 0,
            before,
            now,
        }
    }

    /// All edits, in descending order of avoidable misses.
    fn by_avoidable_misses(&self) -> Vec<usize> {
        let avoidable = |edit: &Edit| edit.members.iter().map(|one| one.avoidable_misses()).sum::<f64>();
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        order.sort_by(|&one, &other| avoidable(&self.all[other]).total_cmp(&avoidable(&self.all[one])));
        order
    }

    /// Compiles with the kept edits and the edits of `group`. If all edits of the group help, keeps the group.
    /// Otherwise returns the groups that must be tried next, the last group first.
    fn try_group(&mut self, files: &mut Files, group: Vec<usize>) -> Result<Vec<Vec<usize>>> {
        if group.is_empty() {
            return Ok(Vec::new());
        }
        if self.compilations >= MOST_COMPILATIONS {
            group.iter().for_each(|&edit| self.outcome[edit] = Some(NOT_TRIED));
            return Ok(Vec::new());
        }
        let costs = match self.compile(files, &group)? {
            Tried::Costs(costs) => costs,
            Tried::Fails { blamed } => {
                blamed.iter().for_each(|&edit| self.outcome[edit] = Some(NOT_COMPILED));
                return Ok(vec![group.into_iter().filter(|edit| !blamed.contains(edit)).collect()]);
            }
        };
        let verdicts = self.attribution.verdicts(&group, &self.changes(&costs));
        let (mut helpful, mut others, mut is_smaller) = (Vec::new(), Vec::new(), false);
        for (&edit, verdict) in group.iter().zip(verdicts) {
            let is_useless = matches!(verdict, Verdict::Useless { .. });
            self.failures[edit] += u32::from(is_useless);
            match verdict {
                Verdict::Helps => helpful.push(edit),
                Verdict::Useless { has_effect }
                    if group.len() == 1 || self.failures[edit] >= MOST_FAILURES =>
                {
                    self.outcome[edit] = Some(if has_effect { HARMFUL } else { NO_EFFECT });
                    is_smaller = true;
                }
                Verdict::Useless { .. } | Verdict::Unknown => others.push(edit),
            }
        }
        if helpful.len() == group.len() {
            self.kept.extend(group);
            self.now = costs;
            return Ok(Vec::new());
        }
        Ok(match (helpful.is_empty(), is_smaller) {
            (false, _) => vec![others, helpful],
            (true, true) => vec![others],
            (true, false) => self.attribution.halves(&others).into(),
        })
    }

    /// The branches whose costs have changed, each with the change of its cost.
    fn changes(&self, costs: &[BranchCost]) -> Vec<(usize, Cost)> {
        let pairs = self.now.iter().zip(costs).enumerate();
        let changed = pairs.filter(|(_, (now, cost))| now != cost);
        changed.map(|(branch, (now, cost))| (branch, cost.cost - now.cost)).collect()
    }

    /// Removes the worst edits one by one. Afterwards, the kept edits together improve the predictions of the program.
    /// Each kept edit improves the predictions in the functions that it affects.
    fn verify(&mut self, files: &mut Files) -> Result<()> {
        while let Some(worst) = self.worst_kept() {
            self.outcome[worst] = Some(HARMFUL);
            self.kept.retain(|&edit| edit != worst);
            self.now = loop {
                if self.kept.is_empty() {
                    break self.before.clone();
                }
                match self.compile(files, &[])? {
                    Tried::Costs(costs) => break costs,
                    Tried::Fails { blamed } => {
                        blamed.iter().for_each(|&edit| self.outcome[edit] = Some(NOT_COMPILED));
                        self.kept.retain(|edit| !blamed.contains(edit));
                    }
                }
            };
        }
        Ok(())
    }

    /// The kept edit with the smallest gain. The gain of an edit is the improvement in the functions that the edit
    /// affects. The result is `None` if two conditions hold: this edit has a gain, and all kept edits together improve
    /// the predictions of the program.
    fn worst_kept(&self) -> Option<usize> {
        let change = |branch: usize| self.now[branch].cost - self.before[branch].cost;
        let total: Cost = (0..self.branches.len()).map(change).sum();
        let gain = |edit: usize| -> Cost {
            let functions = self.attribution.functions(edit).iter();
            functions.flat_map(|&number| &self.by_function[number]).map(|&branch| change(branch)).sum()
        };
        let gains = self.kept.iter().map(|&edit| (edit, gain(edit)));
        let (worst, change) = gains.max_by(|one, other| one.1.misses.total_cmp(&other.1.misses))?;
        (!change.is_gain() || !total.is_gain()).then_some(worst)
    }

    /// Compiles with the kept edits and the edits of `group`.
    fn compile(&mut self, files: &mut Files, group: &[usize]) -> Result<Tried> {
        self.compilations += 1;
        let edits: Vec<&Edit> = self.kept.iter().chain(group).map(|&edit| &self.all[edit]).collect();
        let outcomes = self.trial.compile(files, &edits)?;
        let mut candidates: HashMap<usize, Candidates> = HashMap::new();
        let mut failure = None;
        for (&module, outcome) in &outcomes {
            match outcome {
                Ok(functions) => drop(candidates.insert(module, Candidates::of(functions, files))),
                Err(error) => failure = Some((module, error)),
            }
        }
        let edited = EditedFiles::new(files, &edits, edited(files, &edits));
        if let Some((module, error)) = failure {
            let blamed = self.blamed(module, &error.to_string(), &edited, group);
            return Ok(Tried::Fails { blamed });
        }
        let mut costs = self.before.clone();
        for members in &self.by_function {
            let first = self.branches[members[0]];
            let Some(candidates) = candidates.get(&first.module) else { continue };
            let of_function: Vec<(&MeasuredBranch, &Location)> =
                members.iter().map(|&place| (self.branches[place], &self.locations[place])).collect();
            let found = candidates.costs(&first.symbol, &of_function, &edited);
            for (&place, cost) in members.iter().zip(found) {
                let is_known = cost.is_some();
                let cost = cost.unwrap_or_else(|| self.branches[place].cost_of_wrong_hint());
                costs[place] = BranchCost { cost, is_known };
            }
        }
        Ok(Tried::Costs(costs))
    }

    /// The edits that can be the cause of a compilation error in `module`. The candidates are the edits of `group`, or
    /// the kept edits if `group` is empty. Returns the candidates in the lines to which the compiler's message `error`
    /// refers. If `error` refers to no candidate, returns the candidates in `module`. If `module` contains no
    /// candidate, returns all candidates.
    fn blamed(&self, module: usize, error: &str, edited: &EditedFiles, group: &[usize]) -> Vec<usize> {
        let tried = if group.is_empty() { &self.kept } else { group };
        let is_named = |edit: usize| edited.lines(&self.all[edit]).any(|line| error.contains(&line));
        let is_inside = |edit: usize| self.all[edit].members.iter().any(|one| one.module == module);
        let named: Vec<usize> = tried.iter().copied().filter(|&edit| is_named(edit)).collect();
        let inside: Vec<usize> = tried.iter().copied().filter(|&edit| is_inside(edit)).collect();
        [named, inside].into_iter().find(|edits| !edits.is_empty()).unwrap_or_else(|| tried.to_vec())
    }

    fn effect(&self) -> Effect {
        let executions = self.branches.iter().map(|branch| branch.executions());
        let unknown = executions.clone().zip(&self.now).filter(|(_, now)| !now.is_known);
        Effect {
            executions: executions.sum(),
            before: self.before.iter().map(|one| one.cost).sum(),
            after: self.now.iter().map(|one| one.cost).sum(),
            unknown: unknown.map(|(executions, _)| executions).sum(),
            compilations: self.compilations,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial::Outcomes;
    use super::*;
    use crate::edit::hints::branches::branch;
    use bpa_schema::Function;
    use serde_json::json;

    const SURE: [f64; 2] = [2000.0 / 2001.0, 1.0 / 2001.0];

    /// A trial that compiles nothing. The map's key for an edit is the start offset of the edit's region. For each
    /// edit, the map contains the line and the new prediction of each branch that the edit changes.
    struct Predictions(HashMap<usize, Vec<(u32, [f64; 2])>>);

    impl Trial for Predictions {
        fn compile(&self, _: &Files, edits: &[&Edit]) -> Result<Outcomes> {
            let mut predicted: HashMap<u32, [f64; 2]> =
                [(2, [0.5; 2]), (3, [0.9, 0.1]), (4, [0.5; 2])].into();
            edits.iter().for_each(|edit| predicted.extend(self.0[&edit.region.start].iter().copied()));
            let functions = [("f", &[2, 3][..]), ("g", &[4])];
            let functions = functions.map(|(name, lines)| function(name, lines, &predicted));
            Ok([(0, Ok(functions.into()))].into())
        }
    }

    /// Creates a function with one branch on each line in `lines`. The block number of a branch equals the line
    /// number of the branch.
    fn function(name: &str, lines: &[u32], predicted: &HashMap<u32, [f64; 2]>) -> Function<'static> {
        let block = |number: u32| match lines.contains(&number) {
            true => json!({"name": "%entry", "loop": null, "terminator": "br",
                "source": {"file": "/p/a.c", "line": number, "column": 7}}),
            false => json!({"name": "%entry", "loop": null}),
        };
        let edge = |from: u32, to: usize| {
            let numerator = (predicted[&from][to] * f64::from(bpa_schema::WHOLE)) as u32;
            json!({"from": from, "to": to, "successor": to, "numerator": numerator, "percent": 0.0,
                "weight": 1, "rule": "even"})
        };
        let edges: Vec<_> = lines.iter().flat_map(|&line| [edge(line, 0), edge(line, 1)]).collect();
        let blocks: Vec<_> = (0..5).map(block).collect();
        let function = json!({"format": bpa_schema::FORMAT, "analysis": "rust-bfi", "llvm": 22, "module": "m",
            "function": name, "entry_count": null, "blocks": blocks, "edges": edges, "loops": []});
        serde_json::from_str(&function.to_string()).expect("a function")
    }

    /// Runs [`select`] with an edit for line 2 and an edit for line 4. `first` contains the predictions that the first
    /// edit changes. `second` contains the predictions that the second edit changes. Returns the lines of the kept
    /// edits.
    fn kept(first: &[(u32, [f64; 2])], second: &[(u32, [f64; 2])]) -> Vec<usize> {
        let branches = [
            branch(2, [(0.5, 90.0), (0.5, 0.0)]),
            branch(3, [(0.9, 1000.0), (0.1, 0.0)]),
            MeasuredBranch { symbol: "g".into(), ..branch(4, [(0.5, 9000.0), (0.5, 0.0)]) },
        ];
        let mut files = Files::below("/p".into());
        let file = files.id(std::path::Path::new("/p"), "a.c");
        let edit = |start: usize, member| Edit {
            file,
            changes: Vec::new(),
            members: vec![member],
            region: start..start,
            span: 0..0,
            value: false,
            probability: None,
            is_whole_if: false,
        };
        let mut edits = vec![edit(2, &branches[0]), edit(4, &branches[2])];
        let trial = Predictions([(2, first.to_vec()), (4, second.to_vec())].into());
        let (left_out, effect) =
            select(&trial, branches.iter().collect(), &mut files, &mut edits).expect("it compiles");
        assert_eq!(left_out.len() + edits.len(), 2);
        assert_eq!(effect.before.misses, 45.0 + 4500.0);
        edits.iter().map(|edit| edit.region.start).collect()
    }

    #[test]
    fn edits_that_help_are_kept() {
        assert_eq!(kept(&[(2, SURE)], &[(4, SURE)]), [2, 4]);
    }

    #[test]
    fn a_gain_elsewhere_does_not_hide_harm() {
        // The program has fewer misses with both edits, but the first edit adds misses in line 3.
        let [likely, unlikely] = SURE;
        assert_eq!(kept(&[(2, SURE), (3, [unlikely, likely])], &[(4, SURE)]), [4]);
    }

    #[test]
    fn an_edit_that_changes_nothing_is_left_out() {
        assert_eq!(kept(&[], &[(4, SURE)]), [4]);
        // An edit that reduces misses but increases the log-loss is no gain.
        assert_eq!(kept(&[(2, [0.51, 0.49]), (3, [0.6, 0.4])], &[(4, SURE)]), [4]);
    }

    #[test]
    fn harm_in_a_function_without_the_edit_counts() {
        let [likely, unlikely] = SURE;
        // The second edit increases the cost at line 3, in the other function, by more than it reduces the cost at line
        // 4.
        assert!(kept(&[], &[(4, SURE), (3, [unlikely, likely])]).is_empty());
    }
}
