//! Selects the edits that make predictions better, by compiling the program with them.
//!
//! An edit is kept if it lowers both the log-loss and the misses, in total over all measured branches of all functions that
//! it changes. Edits are added in rounds, those with the most avoidable misses first. In a round, no two edits change the same
//! function (or the same branch, where edits have no effect beyond it). So each difference between two rounds is the effect of
//! one edit on top of the edits that were kept before. One effect cannot be separated: if an edit changes a function only
//! because it is inlined differently, and another edit of the round is for that function, the change counts for the other
//! edit. The last compilation, with all edits that are kept, finds harm that remains.
//!
//! A branch that is not found with the edits has an unknown prediction. It counts as one with a wrong hint.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use super::check::edited;
use super::edit::{Edit, Reason};
use super::files::Files;
use super::matching::{Candidates, EditedFiles, Location};
use super::LeftOut;
use crate::error::Result;
use crate::hints::branches::MeasuredBranch;
use crate::hints::cost::Cost;
use crate::hints::places::once_each;
use crate::shares;
use bpa_schema::Function;

pub const NOT_COMPILED: Reason = "tried, the program cannot be compiled with it";
const NO_EFFECT: Reason = "tried, no branch is predicted better with it";
const HARMFUL: Reason = "tried, it makes the predictions of other branches worse than its own better";

/// The functions of modules as they are predicted with edits, or why a module cannot be compiled. Modules that are not there
/// have not changed.
pub type Outcomes = HashMap<usize, Result<Vec<Function<'static>>>>;

/// How far the effect of an edit reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It changes the predictions of branches in its own text.
    Text,
    /// It may change all of a function.
    Function,
}

/// Compiles a program with edits.
pub trait Trial {
    const REACH: Reach;

    fn compile(&self, files: &Files, edits: &[&Edit]) -> Result<Outcomes>;
}

/// What all measured branches together cost before and after the edits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effect {
    pub executions: f64,
    pub before: Cost,
    pub after: Cost,
    /// Executions of branches that are not found with the edits.
    pub unknown: f64,
}

impl Effect {
    /// In words, a line each.
    pub fn lines(&self) -> Vec<String> {
        if self.executions == 0.0 {
            return Vec::new();
        }
        let per_execution = |amount: f64| amount / self.executions;
        let [before, after] = [self.before, self.after].map(|cost| shares::share(per_execution(cost.misses)));
        let [loss_before, loss_after] =
            [self.before, self.after].map(|cost| format!("{:.3}", per_execution(cost.log_loss)));
        let mut lines = vec![format!(
            "with the hints, {after} of {} measured executions are mispredicted, {before} without; log-loss {loss_after} bits per \
             execution, {loss_before} without",
            shares::times(self.executions)
        )];
        if self.unknown > 0.0 {
            lines.push(format!(
                "{} of these executions are of branches that are not found with the hints; they count as predicted by a wrong hint",
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
        }
    }
}

/// What a branch costs with some of the edits.
#[derive(Clone, Copy, Debug, PartialEq)]
struct BranchCost {
    cost: Cost,
    is_known: bool,
}

/// What compiling with edits gives.
enum Tried {
    /// What each branch costs.
    Costs(Vec<BranchCost>),
    /// A module cannot be compiled, and some of these edits may be the reason.
    Fails { blamed: Vec<usize> },
}

/// Keeps the edits that make the predictions of `branches` better. Returns the others with the reason, and the effect.
pub fn select<'a, T: Trial>(
    trial: &T,
    branches: Vec<&'a MeasuredBranch>,
    files: &mut Files,
    edits: &mut Vec<Edit<'a>>,
) -> Result<(LeftOut<'a>, Effect)> {
    let mut selection = Selection::new(trial, branches, files, std::mem::take(edits));
    let mut rounds: VecDeque<Vec<usize>> = selection.rounds().into();
    while let Some(round) = rounds.pop_front() {
        let halves = selection.add(files, round)?;
        halves.into_iter().rev().for_each(|half| rounds.push_front(half));
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
    /// Each function that several modules share once.
    branches: Vec<&'a MeasuredBranch>,
    locations: Vec<Location>,
    /// The function of each branch, as a number.
    functions: Vec<usize>,
    by_function: Vec<Vec<usize>>,
    all: Vec<Edit<'a>>,
    /// The branches in the text of each edit.
    touched: Vec<BTreeSet<usize>>,
    kept: Vec<usize>,
    /// Why an edit is left out.
    outcome: Vec<Option<Reason>>,
    before: Vec<BranchCost>,
    /// With the edits that are kept so far.
    now: Vec<BranchCost>,
}

impl<'a, 't, T: Trial> Selection<'a, 't, T> {
    fn new(trial: &'t T, branches: Vec<&'a MeasuredBranch>, files: &mut Files, all: Vec<Edit<'a>>) -> Self {
        let branches = once_each(&branches);
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
        let touched = all.iter().map(|edit| touched(edit, &branches, &locations, files)).collect();
        let outcome = vec![None; all.len()];
        let (kept, now) = (Vec::new(), before.clone());
        Selection {
            trial,
            branches,
            locations,
            functions,
            by_function,
            all,
            touched,
            kept,
            outcome,
            before,
            now,
        }
    }

    /// What of the program `edit` may change: functions or branches, as numbers.
    fn reached(&self, edit: usize) -> HashSet<usize> {
        let touched = self.touched[edit].iter();
        match T::REACH {
            Reach::Text => touched.copied().collect(),
            Reach::Function => touched.map(|&branch| self.functions[branch]).collect(),
        }
    }

    /// All edits, divided into rounds: in none of them do two edits reach the same.
    fn rounds(&self) -> Vec<Vec<usize>> {
        let avoidable = |edit: &Edit| edit.members.iter().map(|one| one.avoidable_misses()).sum::<f64>();
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        order.sort_by(|&one, &other| avoidable(&self.all[other]).total_cmp(&avoidable(&self.all[one])));
        let mut rounds: Vec<(HashSet<usize>, Vec<usize>)> = Vec::new();
        for edit in order {
            let reached = self.reached(edit);
            match rounds.iter_mut().find(|(all, _)| all.is_disjoint(&reached)) {
                Some((all, edits)) => {
                    all.extend(reached);
                    edits.push(edit);
                }
                None => rounds.push((reached, vec![edit])),
            }
        }
        rounds.into_iter().map(|(_, edits)| edits).collect()
    }

    /// Tries the edits of a round on top of those that are kept, and keeps those that help. Returns the parts in which the
    /// round has to be tried instead, if it does harm that belongs to none of its edits.
    fn add(&mut self, files: &mut Files, mut round: Vec<usize>) -> Result<Vec<Vec<usize>>> {
        let costs = loop {
            if round.is_empty() {
                return Ok(Vec::new());
            }
            match self.compile(files, &round)? {
                Tried::Costs(costs) => break costs,
                Tried::Fails { blamed } => {
                    blamed.iter().for_each(|&edit| self.outcome[edit] = Some(NOT_COMPILED));
                    round.retain(|edit| !blamed.contains(edit));
                }
            }
        };
        let mut changes = vec![Cost::default(); round.len()];
        let mut owners: HashMap<usize, usize> = HashMap::new();
        for (place, &edit) in round.iter().enumerate() {
            owners.extend(self.reached(edit).into_iter().map(|reached| (reached, place)));
        }
        let (mut owned, mut elsewhere) = (vec![Vec::new(); round.len()], Cost::default());
        for (branch, cost) in costs.iter().enumerate().filter(|(branch, cost)| self.now[*branch] != **cost) {
            let reached = if T::REACH == Reach::Text { branch } else { self.functions[branch] };
            let change = cost.cost - self.now[branch].cost;
            // What a single edit changes elsewhere is its own effect, too.
            let only = (round.len() == 1).then_some(&0);
            match owners.get(&reached).or(only) {
                Some(&place) => {
                    changes[place] += change;
                    owned[place].push(branch);
                }
                None => elsewhere += change,
            }
        }
        let is_harm_elsewhere = elsewhere.log_loss > 0.0 || elsewhere.misses > 0.0;
        if is_harm_elsewhere {
            let (first, second) = round.split_at(round.len() / 2);
            return Ok(vec![first.to_vec(), second.to_vec()]);
        }
        for ((&edit, change), owned) in round.iter().zip(changes).zip(owned) {
            if change.is_gain() {
                self.kept.push(edit);
                owned.into_iter().for_each(|branch| self.now[branch] = costs[branch]);
            } else {
                let is_unchanged = change == Cost::default();
                self.outcome[edit] = Some(if is_unchanged { NO_EFFECT } else { HARMFUL });
            }
        }
        Ok(Vec::new())
    }

    /// Compiles with all edits that are kept. Takes out edits until no function, and not the program, is worse than before.
    fn verify(&mut self, files: &mut Files) -> Result<()> {
        while !self.kept.is_empty() {
            let worst = match self.compile(files, &[])? {
                Tried::Fails { blamed } => {
                    blamed.iter().for_each(|&edit| self.outcome[edit] = Some(NOT_COMPILED));
                    self.kept.retain(|edit| !blamed.contains(edit));
                    continue;
                }
                Tried::Costs(costs) => {
                    self.now = costs;
                    self.worst_kept()
                }
            };
            let Some(worst) = worst else { return Ok(()) };
            self.outcome[worst] = Some(HARMFUL);
            self.kept.retain(|&edit| edit != worst);
        }
        self.now = self.before.clone();
        Ok(())
    }

    /// The kept edit with the least gain in what it reaches, if that is no gain, or if the program has none.
    fn worst_kept(&self) -> Option<usize> {
        let change = |branch: usize| self.now[branch].cost - self.before[branch].cost;
        let total: Cost = (0..self.branches.len()).map(change).sum();
        let gain = |edit: usize| -> Cost {
            let branches: Vec<usize> = match T::REACH {
                Reach::Text => self.touched[edit].iter().copied().collect(),
                Reach::Function => self
                    .reached(edit)
                    .into_iter()
                    .flat_map(|number| self.by_function[number].clone())
                    .collect(),
            };
            branches.into_iter().map(change).sum()
        };
        let gains = self.kept.iter().map(|&edit| (edit, gain(edit)));
        let (worst, change) = gains.max_by(|one, other| one.1.misses.total_cmp(&other.1.misses))?;
        (!change.is_gain() || !total.is_gain()).then_some(worst)
    }

    /// Compiles with the edits that are kept and those of `round`.
    fn compile(&self, files: &mut Files, round: &[usize]) -> Result<Tried> {
        let edits: Vec<&Edit> = self.kept.iter().chain(round).map(|&edit| &self.all[edit]).collect();
        let outcomes = self.trial.compile(files, &edits)?;
        let mut candidates: HashMap<usize, Candidates> = HashMap::new();
        for (&module, outcome) in &outcomes {
            match outcome {
                Ok(functions) => drop(candidates.insert(module, Candidates::of(functions, files))),
                Err(error) => {
                    let edited = EditedFiles::new(files, &edits, edited(files, &edits));
                    let blamed = self.blamed(module, &error.to_string(), &edited, round);
                    return Ok(Tried::Fails { blamed });
                }
            }
        }
        let edited = EditedFiles::new(files, &edits, edited(files, &edits));
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

    /// The edits of `round`, or if that is empty of those that are kept, that may have broken a module: those whose lines the
    /// compiler names, else all that are in the module, else all.
    fn blamed(&self, module: usize, error: &str, edited: &EditedFiles, round: &[usize]) -> Vec<usize> {
        let tried = if round.is_empty() { &self.kept } else { round };
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
        }
    }
}

/// The branches that are, or are inlined through a call, in the text that `edit` is about.
fn touched(
    edit: &Edit,
    branches: &[&MeasuredBranch],
    locations: &[Location],
    files: &Files,
) -> BTreeSet<usize> {
    let is_inside = |location: &Location| {
        let here = location.frames.iter().filter(|point| point.file == edit.file);
        let offsets = here.filter_map(|point| files.text(point.file).ok()?.offset(point.line, point.column));
        offsets.into_iter().any(|offset| edit.region.contains(&offset))
    };
    let is_member = |branch: &MeasuredBranch| {
        edit.members.iter().any(|one| one.symbol == branch.symbol && one.number == branch.number)
    };
    let all = branches.iter().zip(locations).enumerate();
    all.filter(|(_, (branch, location))| is_member(branch) || is_inside(location))
        .map(|(place, _)| place)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hints::branches::branch;
    use serde_json::json;

    const SURE: [f64; 2] = [2000.0 / 2001.0, 1.0 / 2001.0];

    /// Edits are known by where their regions start. Each has predictions of branches, by their lines.
    struct Predictions(HashMap<usize, Vec<(u32, [f64; 2])>>);

    impl Trial for Predictions {
        const REACH: Reach = Reach::Function;

        fn compile(&self, _: &Files, edits: &[&Edit]) -> Result<Outcomes> {
            let mut predicted: HashMap<u32, [f64; 2]> =
                [(2, [0.5; 2]), (3, [0.9, 0.1]), (4, [0.5; 2])].into();
            edits.iter().for_each(|edit| predicted.extend(self.0[&edit.region.start].iter().copied()));
            let functions = [("f", &[2, 3][..]), ("g", &[4])];
            let functions = functions.map(|(name, lines)| function(name, lines, &predicted));
            Ok([(0, Ok(functions.into()))].into())
        }
    }

    /// A function that has a branch in the block of the number of each of `lines`.
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

    /// Selects among an edit for line 2 and one for line 4, which change predictions as given. Returns what is kept.
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
        // The program misses less with both, but the first edit makes line 3 worse.
        let [likely, unlikely] = SURE;
        assert_eq!(kept(&[(2, SURE), (3, [unlikely, likely])], &[(4, SURE)]), [4]);
    }

    #[test]
    fn an_edit_that_changes_nothing_is_left_out() {
        assert_eq!(kept(&[], &[(4, SURE)]), [4]);
        // Fewer misses with a higher log-loss are no gain.
        assert_eq!(kept(&[(2, [0.51, 0.49]), (3, [0.6, 0.4])], &[(4, SURE)]), [4]);
    }

    #[test]
    fn harm_in_a_function_without_the_edit_counts() {
        let [likely, unlikely] = SURE;
        // The second edit costs more at line 3, in the other function, than it gains.
        assert!(kept(&[], &[(4, SURE), (3, [unlikely, likely])]).is_empty());
    }
}
