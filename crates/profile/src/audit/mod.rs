//! Compares the executions that LLVM's profile implies after each pass with the true executions.
//!
//! When an audit begins, every block has a probe, and the number of executions of the probe is known. Passes copy, move
//! and delete probes together with the code. A correct pass does not change how often all copies of a probe run
//! together. The audit therefore adds up the counts that LLVM implies for the copies, and compares the sum with the
//! true number.
//!
//! - A probe with copies is **wrong** by the difference between the sum and the true number.
//! - A probe without copies is **lost**: its true executions no longer appear in the code.
//!
//! The audit charges each pass with the changes of both quantities.

use std::mem::take;

use cranelift_entity::{entity_impl, PrimaryMap};
use rustc_hash::FxHashMap;

mod truth;

pub use truth::{implied_executions, true_executions};

/// A probe: a block of the code at the beginning of the audit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Probe(u32);
entity_impl!(Probe, "probe");

/// The number of executions of a block, computed from the weights by LLVM's algorithm and by the exact solution. The unit
/// is a [`FRACTION`] of an execution, because the executions of a copy need not be a whole number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Executions {
    /// The count that LLVM implies.
    pub llvm: u64,
    /// The count that exact frequencies imply.
    pub exact: u64,
}

/// The number of units of an execution.
pub const FRACTION: u64 = 1 << 10;

/// A kind of instruction that can have branch weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Weighted {
    /// A conditional branch or a switch.
    Terminator,
    /// A `select` whose condition is not a vector.
    Select,
}

/// Instructions without branch weights in one part of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unweighted {
    /// The last probe before the instructions in their block.
    pub probe: Option<Probe>,
    /// The kind of the instructions.
    pub kind: Weighted,
    /// Whether the instructions state that their profile is unknown (`!{!"unknown", ...}`).
    pub is_unknown: bool,
    /// The number of instructions.
    pub count: u32,
}

/// The audited content of a function.
#[derive(Clone, Debug, Default)]
pub struct FunctionReading {
    /// The probes in the function, with the executions of their blocks.
    pub copies: Vec<(Probe, Executions)>,
    /// The instructions without weights.
    pub unweighted: Vec<Unweighted>,
    /// Whether the function was executed according to its profile. Weights of other functions are not missed.
    pub is_executed: bool,
}

/// The changes that are charged to all runs of a pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Charges {
    /// The sum of all increases of the wrong executions of a probe.
    pub worse: u128,
    /// The sum of all decreases of the wrong executions of a probe.
    pub better: u128,
    /// The change of the wrong executions if LLVM computed frequencies exactly.
    pub wrong_exact: i128,
    /// The change of the lost executions.
    pub lost: i128,
    /// The number of branches, switches and selects that lost their weights or were created without weights.
    pub weights: u64,
    /// The number of branches, switches and selects that now state that their profile is unknown.
    pub unknown: u64,
    /// The number of cached results of LLVM's two analyses that were correct before the pass, that the pass declared
    /// preserved, and that differ from a new computation.
    pub stale: u64,
}

impl Charges {
    /// The change of the wrong executions.
    pub fn wrong(&self) -> i128 {
        self.worse as i128 - self.better as i128
    }
}

/// The sums over all probes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The true executions.
    pub executions: u128,
    /// The wrong executions of the probes that have copies.
    pub wrong: u128,
    /// The wrong executions if LLVM computed frequencies exactly.
    pub wrong_exact: u128,
    /// The true executions of the probes without copies.
    pub lost: u128,
}

/// The pass that increased the wrong executions of a probe most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worsening {
    /// The probe.
    pub probe: Probe,
    /// The index of the pass in [`Audit::passes`].
    pub pass: usize,
    /// The true executions.
    pub executions: u64,
    /// The executions that LLVM implied before the pass.
    pub before: u128,
    /// The executions that LLVM implied after the pass.
    pub after: u128,
    /// The executions that LLVM implies now.
    pub now: u128,
    /// The increase of the wrong executions.
    pub by: u128,
}

#[derive(Clone, Debug, Default)]
struct ProbeState {
    /// The true executions, or `None` if they are unknown.
    executions: Option<u64>,
    copies: u32,
    llvm: u128,
    exact: u128,
    /// Whether the current pass has changed a copy.
    is_touched: bool,
    /// The index of the pass, and the implied executions before and after the pass.
    worst: Option<(usize, u128, u128)>,
}

impl ProbeState {
    fn wrong_by(&self, implied: u128) -> u128 {
        match self.executions {
            Some(executions) if self.copies > 0 => {
                whole(implied.abs_diff(u128::from(executions) * u128::from(FRACTION)))
            }
            _ => 0,
        }
    }

    fn quantities(&self) -> Quantities {
        Quantities {
            llvm: whole(self.llvm),
            wrong: self.wrong_by(self.llvm),
            wrong_exact: self.wrong_by(self.exact),
            lost: self.executions.filter(|_| self.copies == 0).unwrap_or(0),
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Quantities {
    llvm: u128,
    wrong: u128,
    wrong_exact: u128,
    lost: u64,
}

/// The number of executions, rounded to the nearest integer.
fn whole(units: u128) -> u128 {
    (units + u128::from(FRACTION / 2)) / u128::from(FRACTION)
}

/// An audit of a module.
#[derive(Debug, Default)]
pub struct Audit {
    probes: PrimaryMap<Probe, ProbeState>,
    /// The probes in each function.
    functions: Vec<Vec<(Probe, Executions)>>,
    /// For each function, the number of instructions without weights and without a probe. The index is
    /// `is_unknown`.
    without_probe: Vec<[u64; 2]>,
    /// The greatest number of instructions without weights after a probe in one block. A copy of a block is not charged
    /// for weights that the block did not have before.
    known: FxHashMap<(Probe, Weighted, bool), u32>,
    passes: Vec<(Box<str>, Charges)>,
    of_name: FxHashMap<Box<str>, usize>,
    begin: Totals,
    /// The touched probes with their quantities before the current pass.
    touched: Vec<(Probe, Quantities)>,
    /// The instructions that have no weights since the current pass. The index is `is_unknown`.
    new_unweighted: [u64; 2],
}

impl Audit {
    /// Begins an audit. `executions` are the true executions of the probes, or `None` if they are unknown. `functions`
    /// are the functions of the module, by index.
    pub fn begin(executions: PrimaryMap<Probe, Option<u64>>, functions: Vec<FunctionReading>) -> Self {
        let probe =
            |executions: &Option<u64>| ProbeState { executions: *executions, ..ProbeState::default() };
        let mut audit = Audit { probes: executions.values().map(probe).collect(), ..Audit::default() };
        for (index, function) in functions.into_iter().enumerate() {
            audit.replace(index, function);
        }
        audit.touched.clear();
        audit.probes.values_mut().for_each(|probe| probe.is_touched = false);
        audit.new_unweighted = [0; 2];
        audit.begin = audit.totals();
        audit
    }

    /// Records the content of a function after the current pass. If the function is new, `index` is a new index. If
    /// the function was deleted, the reading is empty.
    pub fn replace(&mut self, index: usize, reading: FunctionReading) {
        if index >= self.functions.len() {
            self.functions.resize_with(index + 1, Vec::new);
            self.without_probe.resize(index + 1, [0; 2]);
        }
        for (probe, counts) in take(&mut self.functions[index]) {
            let state = self.touch(probe);
            state.copies -= 1;
            state.llvm -= u128::from(counts.llvm);
            state.exact -= u128::from(counts.exact);
        }
        for &(probe, counts) in &reading.copies {
            let state = self.touch(probe);
            state.copies += 1;
            state.llvm += u128::from(counts.llvm);
            state.exact += u128::from(counts.exact);
        }
        self.functions[index] = reading.copies;
        let mut without_probe = [0; 2];
        for Unweighted { probe, kind, is_unknown, count } in reading.unweighted {
            match probe {
                Some(probe) => {
                    let known = self.known.entry((probe, kind, is_unknown)).or_default();
                    if reading.is_executed {
                        self.new_unweighted[usize::from(is_unknown)] +=
                            u64::from(count.saturating_sub(*known));
                    }
                    *known = count.max(*known);
                }
                None if !reading.is_executed => {}
                None => without_probe[usize::from(is_unknown)] += u64::from(count),
            }
        }
        for (place, now) in without_probe.into_iter().enumerate() {
            let before = std::mem::replace(&mut self.without_probe[index][place], now);
            self.new_unweighted[place] += now.saturating_sub(before);
        }
    }

    fn touch(&mut self, probe: Probe) -> &mut ProbeState {
        let state = &mut self.probes[probe];
        if !state.is_touched {
            state.is_touched = true;
            self.touched.push((probe, state.quantities()));
        }
        state
    }

    /// Ends the current pass, and charges `pass` with all changes since the end of the pass before.
    pub fn charge(&mut self, pass: &str) {
        let index = self.pass(pass);
        let charges = &mut self.passes[index].1;
        for (probe, before) in self.touched.drain(..) {
            let state = &mut self.probes[probe];
            state.is_touched = false;
            let now = state.quantities();
            let worse = now.wrong.saturating_sub(before.wrong);
            charges.worse += worse;
            charges.better += before.wrong.saturating_sub(now.wrong);
            charges.wrong_exact += now.wrong_exact as i128 - before.wrong_exact as i128;
            charges.lost += i128::from(now.lost) - i128::from(before.lost);
            let is_worst = state.worst.is_none_or(|(_, before, after)| {
                let executions = state.executions.unwrap_or(0).into();
                worse > after.abs_diff(executions).saturating_sub(before.abs_diff(executions))
            });
            if worse > 0 && is_worst {
                state.worst = Some((index, before.llvm, now.llvm));
            }
        }
        let [weights, unknown] = take(&mut self.new_unweighted);
        charges.weights += weights;
        charges.unknown += unknown;
    }

    /// Charges `pass` with a stale result.
    pub fn charge_stale(&mut self, pass: &str) {
        let index = self.pass(pass);
        self.passes[index].1.stale += 1;
    }

    /// The index of a pass in [`passes`](Self::passes).
    fn pass(&mut self, pass: &str) -> usize {
        if let Some(&index) = self.of_name.get(pass) {
            return index;
        }
        self.of_name.insert(pass.into(), self.passes.len());
        self.passes.push((pass.into(), Charges::default()));
        self.passes.len() - 1
    }

    /// The sums over all probes now.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for probe in self.probes.values() {
            let now = probe.quantities();
            totals.executions += u128::from(probe.executions.unwrap_or(0));
            totals.wrong += now.wrong;
            totals.wrong_exact += now.wrong_exact;
            totals.lost += u128::from(now.lost);
        }
        totals
    }

    /// The sums over all probes when the audit began. The wrong executions are errors of LLVM's algorithm.
    pub fn totals_at_begin(&self) -> Totals {
        self.begin
    }

    /// The number of probes whose executions are known.
    pub fn known_count(&self) -> usize {
        self.probes.values().filter(|probe| probe.executions.is_some()).count()
    }

    /// The number of probes whose executions are unknown.
    pub fn unknown_count(&self) -> usize {
        self.probes.len() - self.known_count()
    }

    /// The names of the passes, in the order of their first run, with the charges of all their runs.
    pub fn passes(&self) -> impl ExactSizeIterator<Item = (&str, &Charges)> {
        self.passes.iter().map(|(name, charges)| (&**name, charges))
    }

    /// For each probe, the pass that increased its wrong executions most. The greatest increase comes first.
    pub fn worsenings(&self) -> Vec<Worsening> {
        let mut all: Vec<Worsening> = Vec::new();
        for (probe, state) in &self.probes {
            let (Some((pass, before, after)), Some(executions)) = (state.worst, state.executions) else {
                continue;
            };
            let wrong = |implied: u128| implied.abs_diff(executions.into());
            let by = wrong(after).saturating_sub(wrong(before));
            all.push(Worsening { probe, pass, executions, before, after, now: whole(state.llvm), by });
        }
        all.sort_by(|one, other| other.by.cmp(&one.by).then(one.probe.cmp(&other.probe)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn at(probe: u32, llvm: u64) -> (Probe, Executions) {
        (Probe(probe), Executions { llvm: llvm * FRACTION, exact: llvm * FRACTION })
    }

    /// Begins an audit in which the executions at the beginning are true.
    fn begin(functions: Vec<FunctionReading>) -> Audit {
        let mut executions = PrimaryMap::new();
        for &(probe, counts) in functions.iter().flat_map(|function| &function.copies) {
            while !executions.is_valid(probe) {
                executions.push(Some(0));
            }
            *executions[probe].as_mut().unwrap() += counts.exact / FRACTION;
        }
        Audit::begin(executions, functions)
    }

    fn reading(copies: &[(Probe, Executions)]) -> FunctionReading {
        FunctionReading { copies: copies.to_vec(), ..FunctionReading::default() }
    }

    #[test]
    fn copies_that_share_the_executions_are_correct() {
        let mut audit = begin(vec![reading(&[at(0, 10), at(1, 90)]), reading(&[])]);
        audit.replace(0, reading(&[at(0, 10), at(1, 60)]));
        audit.replace(1, reading(&[at(1, 30)]));
        audit.charge("clone");
        assert_eq!(audit.passes().collect::<Vec<_>>(), [("clone", &Charges::default())]);
        assert_eq!(audit.totals(), Totals { executions: 100, ..Totals::default() });
    }

    #[test]
    fn a_copy_without_scaling_a_repair_and_a_deletion_are_charged_apart() {
        let mut audit = begin(vec![reading(&[at(0, 10), at(1, 90)])]);
        audit.replace(0, reading(&[at(0, 10), at(1, 90), at(1, 90)]));
        audit.charge("copy");
        audit.replace(0, reading(&[at(0, 4), at(1, 80)]));
        audit.charge("mixed");
        audit.replace(0, reading(&[at(0, 4)]));
        audit.charge("delete");
        let of = |name: &str| audit.passes().find(|(pass, _)| *pass == name).unwrap().1.clone();
        assert_eq!((of("copy").worse, of("copy").better, of("copy").lost), (90, 0, 0));
        assert_eq!((of("mixed").worse, of("mixed").better, of("mixed").wrong()), (6, 80, -74));
        assert_eq!((of("delete").worse, of("delete").better, of("delete").lost), (0, 10, 90));
        let worst: Vec<_> = audit.worsenings().iter().map(|one| (one.probe.0, one.pass, one.by)).collect();
        assert_eq!(worst, [(1, 0, 90), (0, 1, 6)]);
    }

    #[test]
    fn only_the_first_loss_of_weights_is_charged() {
        let unweighted = |probe: Option<u32>, count| Unweighted {
            probe: probe.map(Probe),
            kind: Weighted::Select,
            is_unknown: false,
            count,
        };
        let with = |list: &[Unweighted]| FunctionReading {
            copies: vec![at(0, 1)],
            unweighted: list.to_vec(),
            is_executed: true,
        };
        let mut audit = begin(vec![with(&[unweighted(Some(0), 1)])]);
        audit.replace(0, with(&[unweighted(Some(0), 1), unweighted(Some(0), 3), unweighted(None, 2)]));
        audit.charge("lose");
        audit.replace(1, with(&[unweighted(Some(0), 3)]));
        audit.charge("inline");
        let weights: Vec<u64> = audit.passes().map(|(_, charges)| charges.weights).collect();
        assert_eq!(weights, [2 + 2, 0]);
    }

    /// A module as plain maps, without any increments.
    type Plain = BTreeMap<usize, Vec<(u32, u64, u64)>>;

    fn plain_totals(module: &Plain, truth: &[u64]) -> (u128, u128, u128) {
        let (mut wrong, mut exact, mut lost) = (0, 0, 0);
        for (probe, &executions) in truth.iter().enumerate() {
            let copies: Vec<_> = module.values().flatten().filter(|copy| copy.0 as usize == probe).collect();
            let sum = |of: fn(&(u32, u64, u64)) -> u64| copies.iter().map(|copy| u128::from(of(copy))).sum();
            let [by_llvm, by_exact]: [u128; 2] = [sum(|copy| copy.1), sum(|copy| copy.2)];
            if copies.is_empty() {
                lost += u128::from(executions);
            } else {
                wrong += by_llvm.abs_diff(executions.into());
                exact += by_exact.abs_diff(executions.into());
            }
        }
        (wrong, exact, lost)
    }

    proptest! {
        /// After any sequence of passes, the totals equal a new computation, and the charges of all passes add up to the
        /// change of the totals.
        #[test]
        fn charges_add_up(
            truth in prop::collection::vec(0..1_000_u64, 1..6),
            passes in prop::collection::vec(
                prop::collection::vec(
                    (0..4_usize, prop::collection::vec((0..6_u32, 0..2_000_u64, 0..2_000_u64), 0..5)),
                    0..3,
                ),
                0..8,
            ),
        ) {
            let start: Vec<_> =
                truth.iter().enumerate().map(|(probe, &count)| (probe as u32, count, count)).collect();
            let read = |copies: &[(u32, u64, u64)]| FunctionReading {
                copies: copies.iter().map(|&(probe, llvm, exact)| (Probe(probe), Executions { llvm: llvm * FRACTION, exact: exact * FRACTION })).collect(),
                ..FunctionReading::default()
            };
            let mut module = Plain::from([(0, start.clone())]);
            let mut audit = begin(vec![read(&start)]);
            for (number, pass) in passes.iter().enumerate() {
                for (function, copies) in pass {
                    let copies: Vec<_> =
                        copies.iter().copied().filter(|copy| (copy.0 as usize) < truth.len()).collect();
                    audit.replace(*function, read(&copies));
                    module.insert(*function, copies);
                }
                audit.charge(["even", "odd"][number % 2]);
            }
            let totals = audit.totals();
            prop_assert_eq!((totals.wrong, totals.wrong_exact, totals.lost), plain_totals(&module, &truth));
            let sum = |of: fn(&Charges) -> i128| audit.passes().map(|(_, charges)| of(charges)).sum::<i128>();
            prop_assert_eq!(sum(Charges::wrong), totals.wrong as i128);
            prop_assert_eq!(sum(|charges| charges.wrong_exact), totals.wrong_exact as i128);
            prop_assert_eq!(sum(|charges| charges.lost), totals.lost as i128);
        }
    }
}
