//! The pass `rust-audit`: which passes of LLVM damage the profile?

use std::sync::{Arc, Mutex, PoisonError};

use bpa_core::audit::{
    implied_executions, true_executions, Audit, Executions, FunctionReading, Probe, Unweighted,
};
use bpa_core::bpi::Probability;
use bpa_core::cfg::{table, Block};
use bpa_core::cranelift_entity::{EntityRef, PrimaryMap};
use bpa_core::profile::Profile;
use bpa_core::report::{self, AuditReport, AuditedBlock};
use rustc_hash::FxHashMap;

use super::fault;
use super::host::{
    CachedAfter, CachedResults, FunctionAnalyses, PassWatch, Passed, Preserved, Preserves, Watching,
};
use super::message::{print_error, Failure};
use super::output;
use super::profile::compute_from;
use super::request::RequestOptions;
use crate::host_dialect;
use crate::ir::{LiveFunction, Module, ProbeItem, ProbeKey};

/// LLVM's passes that read a profile from a file.
const LOADERS: [&str; 2] = ["PGOInstrumentationUse", "SampleProfileLoaderPass"];

/// The audits of the pipelines of one pass builder. Two audits never run at the same time.
pub(super) struct Auditor {
    watch: PassWatch,
    state: Arc<Mutex<State>>,
}

/// The state of an auditor.
#[derive(Default)]
enum State {
    #[default]
    Idle,
    /// The module has no profile yet.
    Waiting,
    Running(Box<Running>),
}

/// A running audit.
#[derive(Default)]
struct Running {
    audit: Audit,
    probes: FxHashMap<ProbeKey, Probe>,
    blocks: Vec<AuditedBlock>,
    /// The function that contains the first probe with the function's number.
    homes: FxHashMap<u64, u32>,
    /// The cached probabilities and frequencies of functions.
    stale: FxHashMap<u32, [Stale; 2]>,
    /// Whether the audit has added the probes of the module.
    has_added_probes: bool,
}

impl Drop for Auditor {
    fn drop(&mut self) {
        if matches!(&*lock(&self.state), State::Running(running) if running.has_added_probes) {
            print_error(
                "rust-audit<begin>: the pipeline contains no rust-audit, so the probes of the audit remain",
            );
        }
    }
}

impl Auditor {
    pub fn new(watch: PassWatch) -> Self {
        Auditor { watch, state: Arc::default() }
    }

    /// Begins an audit. If the module has no profile yet, the audit begins after the pass that reads the profile. If an
    /// audit is running, does nothing.
    pub fn begin(&self, module: &mut Module, functions: &FunctionAnalyses) -> Result<Preserved, Failure> {
        if !matches!(*lock(&self.state), State::Idle) {
            log::debug!("the audit of '{}' is running already", module.name());
            return Ok(Preserved::All);
        }
        let state = self.state.clone();
        let watching = self.watch.start(module, functions, move |passed| lock(&state).after(passed));
        let Some(watching) = watching else {
            return Err(Failure("rust-audit: the host does not report the passes that it runs".into()));
        };
        let mut state = lock(&self.state);
        *state = State::Waiting;
        if !module.live_functions().any(|live| live.has_measured_entries(host_dialect())) {
            return Ok(Preserved::All);
        }
        let running = Running::begin(module, &watching);
        let preserved = if running.has_added_probes { Preserved::ControlFlow } else { Preserved::All };
        *state = State::Running(running.into());
        Ok(preserved)
    }

    /// Ends the audit and prints its report.
    pub fn end(&self, how: &RequestOptions, module: &mut Module) -> Result<Preserved, Failure> {
        let state = std::mem::take(&mut *lock(&self.state));
        self.watch.stop();
        let running = match state {
            State::Running(running) => *running,
            State::Waiting => Running::default(),
            State::Idle => {
                return Err(Failure(
                    "rust-audit: no audit is running; it begins with rust-audit<begin>".into(),
                ))
            }
        };
        if running.has_added_probes {
            module.remove_probes();
        }
        let name = module.name().into_owned();
        let report = AuditReport {
            module: &name,
            llvm: host_dialect().version,
            audit: &running.audit,
            blocks: &running.blocks,
            limit: how.limit.unwrap_or(usize::MAX),
        };
        let mut text = Vec::new();
        match how.json {
            true => report::write_audit_json(&report, &mut text),
            false => report::write_audit(&report, &mut text),
        }
        output::write(&text, how.output.as_ref())?;
        let totals = running.audit.totals();
        match how.fail_above {
            Some(percent) if totals.wrong * 100 > totals.executions * u128::from(percent) => {
                Err(Failure(format!(
                    "rust-audit: {} of {} executions are wrong, more than {percent}%",
                    totals.wrong, totals.executions
                )))
            }
            _ if running.has_added_probes => Ok(Preserved::ControlFlow),
            _ => Ok(Preserved::All),
        }
    }
}

fn lock(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    /// Takes a pass into account.
    fn after(&mut self, mut passed: Passed<'_>) {
        let reads_profile = LOADERS.contains(&&*passed.pass);
        match self {
            State::Idle => {}
            // A later profile, for example a context-sensitive profile, contains other executions.
            State::Waiting | State::Running(_) if reads_profile => {
                let has_added_probes = matches!(self, State::Running(running) if running.has_added_probes);
                let mut running = Running::begin(&mut passed.module, &passed.watching);
                running.has_added_probes |= has_added_probes;
                *self = State::Running(running.into());
            }
            State::Waiting => {}
            State::Running(running) => running.after(&passed),
        }
    }
}

impl Running {
    /// Adds probes to the module if it has none, and reads their executions.
    fn begin(module: &mut Module, watching: &Watching) -> Self {
        fault::point("audit", None);
        let mut running = Running { has_added_probes: !module.has_probes(), ..Running::default() };
        for (index, mut live) in watching.all_functions() {
            running.register(index, &mut live);
        }
        // Read again, because the probes have changed the functions.
        let functions = watching.all_functions();
        let count = functions.iter().map(|&(index, _)| index as usize + 1).max().unwrap_or(0);
        let mut readings = vec![FunctionReading::default(); count];
        let mut executions: PrimaryMap<Probe, Option<u64>> = table(running.blocks.len(), Some(0));
        for (index, live) in &functions {
            readings[*index as usize] = running.read_at_begin(live, &mut executions);
        }
        running.audit = Audit::begin(executions, readings);
        running
    }

    /// Reads a function, and adds the true executions of its probes.
    fn read_at_begin(
        &self,
        live: &LiveFunction,
        executions: &mut PrimaryMap<Probe, Option<u64>>,
    ) -> FunctionReading {
        let Scan { mut reading, blocks } = self.scan(live);
        let facts = live.facts(host_dialect());
        let entries = facts.measured_entries();
        reading.is_executed = entries.is_some_and(|entries| entries > 0);
        let truth = entries.map(|entries| {
            let mut profile = compute_from(Profile::builder(facts, host_dialect()), live, None);
            profile.compute_frequencies();
            imply(&profile, entries, &blocks, &mut reading);
            let truth = true_executions(&profile, entries);
            profile.forget_structure();
            truth
        });
        for (&(probe, _), &(block, _)) in reading.copies.iter().zip(&blocks) {
            let here = truth.as_ref().and_then(|all| all[block]);
            let sum = &mut executions[probe];
            *sum = sum.zip(here).map(|(sum, here)| sum.saturating_add(here));
        }
        reading
    }

    /// Gives a number to each probe of a function.
    fn register(&mut self, index: u32, live: &mut LiveFunction) {
        let keys: Vec<(Block, ProbeKey)> = match self.has_added_probes {
            true => {
                let key = |block: Block| (block, (u64::from(index), block.index() as u64 + 1));
                live.layout().map(key).filter(|&(block, key)| live.add_probe(block, key)).collect()
            }
            false => {
                let items = live.probe_items().into_iter();
                let key = |(block, item)| match item {
                    ProbeItem::Probe(key) => Some((block, key)),
                    ProbeItem::Unweighted { .. } => None,
                };
                items.filter_map(key).collect()
            }
        };
        let (names, source) = (live.names(), live.source());
        let function: Arc<str> = live.display_name().into();
        for (block, key) in keys {
            if self.probes.contains_key(&key) {
                continue;
            }
            self.probes.insert(key, Probe::new(self.blocks.len()));
            self.homes.entry(key.0).or_insert(index);
            let (name, position) = (names.blocks[block].clone(), source.first(block).cloned());
            self.blocks.push(AuditedBlock { function: function.clone(), name, position });
        }
    }

    /// Reads the functions that a pass has changed, and charges the pass.
    fn after(&mut self, passed: &Passed<'_>) {
        let mut origins = Vec::new();
        let mut has_run = true;
        for changed in passed.changed() {
            if let CachedAfter::Decided(preserves) = changed.results {
                self.decide(changed.index, preserves);
                has_run = false;
                continue;
            }
            let reading = match &changed.live {
                Some(live) => {
                    let (reading, new) = self.read(changed.index, live, Some((passed, changed.results)));
                    origins.extend(new);
                    reading
                }
                None => {
                    self.stale.remove(&changed.index);
                    FunctionReading::default()
                }
            };
            self.audit.replace(changed.index as usize, reading);
        }
        // If a pass inlines a function, the pass also changes the entry count of the function.
        origins.sort_unstable();
        origins.dedup();
        for index in origins {
            if let Some(live) = passed.watching.if_changed(index) {
                let reading = self.read(index, &live, None).0;
                self.audit.replace(index as usize, reading);
            }
        }
        if has_run {
            self.audit.charge(&passed.pass);
        }
    }

    /// Finds the probes and the instructions without weights in a function. The executions are not set.
    fn scan(&self, live: &LiveFunction) -> Scan {
        let mut scan = Scan::default();
        let Scan { reading, blocks } = &mut scan;
        let mut last: Option<(Block, Probe)> = None;
        for (block, item) in live.probe_items() {
            match item {
                ProbeItem::Probe(key) => {
                    let Some(&probe) = self.probes.get(&key) else { continue };
                    last = Some((block, probe));
                    reading.copies.push((probe, Executions::default()));
                    blocks.push((block, key));
                }
                ProbeItem::Unweighted { kind, is_unknown } => {
                    let probe = last.filter(|&(of, _)| of == block).map(|(_, probe)| probe);
                    let same = |one: &&mut Unweighted| {
                        probe.is_some() && (one.probe, one.kind, one.is_unknown) == (probe, kind, is_unknown)
                    };
                    match reading.unweighted.last_mut().filter(same) {
                        Some(row) => row.count += 1,
                        None => reading.unweighted.push(Unweighted { probe, kind, is_unknown, count: 1 }),
                    }
                }
            }
        }
        scan
    }

    /// Reads a function. `passed` is the pass that has changed the function. Also returns the functions in which the
    /// probes of this function began.
    fn read(
        &mut self,
        index: u32,
        live: &LiveFunction,
        passed: Option<(&Passed<'_>, CachedAfter)>,
    ) -> (FunctionReading, Vec<u32>) {
        let Scan { mut reading, blocks } = self.scan(live);
        let mut origins = Vec::new();
        for &(_, key) in &blocks {
            self.note_origin(index, key.0, passed.map(|(passed, _)| passed), &mut origins);
        }
        let facts = live.facts(host_dialect());
        let entries = facts.measured_entries().unwrap_or(0);
        reading.is_executed = entries > 0;
        let cached = passed.and_then(|(passed, results)| {
            let cached = passed.cached(live, facts.graph().edge_count(), results)?;
            Some((passed, results, cached))
        });
        if cached.is_none() {
            self.stale.remove(&index);
        }
        let is_needed = !blocks.is_empty() && entries > 0;
        if is_needed || cached.is_some() {
            let mut profile = compute_from(Profile::builder(facts, host_dialect()), live, None);
            profile.compute_frequencies();
            if let Some((passed, results, cached)) = cached {
                self.judge(index, &profile, &cached, &passed.pass, results);
            }
            if is_needed {
                imply(&profile, entries, &blocks, &mut reading);
            }
            profile.forget_structure();
        }
        (reading, origins)
    }

    /// Records where the probes of function number `number` come from.
    fn note_origin(&mut self, index: u32, number: u64, passed: Option<&Passed<'_>>, origins: &mut Vec<u32>) {
        let Some(home) = self.homes.get_mut(&number) else { return };
        if *home == index || origins.last() == Some(home) {
            return;
        }
        // A pass can replace a function by a new function with the same code.
        match passed.is_some_and(|passed| passed.has_deleted(*home)) {
            true => *home = index,
            false => origins.push(*home),
        }
    }

    /// Charges a pass with the cached results that have become stale through the pass.
    fn judge(
        &mut self,
        index: u32,
        profile: &Profile,
        cached: &CachedResults,
        pass: &str,
        results: CachedAfter,
    ) {
        let now = [
            cached.probabilities.as_ref().is_some_and(|cached| are_stale_probabilities(cached, profile)),
            cached.frequencies.as_ref().is_some_and(|cached| are_stale_frequencies(cached, profile)),
        ];
        let before = self.stale.remove(&index).unwrap_or_default();
        let mut stale = <[Stale; 2]>::default();
        // LLVM computes frequencies from cached probabilities. If these were stale, the pass is not the cause.
        let is_known = [before[0].is_stale, before[0].is_stale || before[1].is_stale];
        for place in 0..2 {
            stale[place].is_stale = now[place];
            if !now[place] || is_known[place] {
                let cause = before[place].cause.clone();
                stale[place].cause = cause.filter(|_| now[place]);
            } else if results == CachedAfter::Undecided {
                stale[place].cause = Some(pass.into());
            } else {
                self.audit.charge_stale(pass);
            }
        }
        self.stale.insert(index, stale);
    }

    /// Charges loop passes with stale results that their adaptor preserves.
    fn decide(&mut self, index: u32, preserves: Preserves) {
        let Some(stale) = self.stale.get_mut(&index) else { return };
        for (result, is_preserved) in stale.iter_mut().zip([preserves.probabilities, preserves.frequencies]) {
            let cause = result.cause.take();
            if !is_preserved {
                result.is_stale = false;
            } else if let Some(pass) = cause {
                self.audit.charge_stale(&pass);
            }
        }
    }
}

/// A cached result of LLVM.
#[derive(Clone, Default)]
struct Stale {
    is_stale: bool,
    /// The loop pass that made the result stale, while the adaptor of the loop pass is running.
    cause: Option<Box<str>>,
}

fn are_stale_probabilities(cached: &[u32], profile: &Profile) -> bool {
    let new = profile.branch_probabilities().probabilities();
    let differs = |(&cached, new): (&u32, &Probability)| {
        u64::from(cached.abs_diff(new.numerator())) * TOLERANCE > u64::from(Probability::DENOMINATOR)
    };
    cached.iter().zip(new).any(differs)
}

/// Compares frequencies relative to the entry. A difference of one unit is a rounding error.
fn are_stale_frequencies(cached: &[u64], profile: &Profile) -> bool {
    let new = |block: usize| u128::from(profile.integer_frequency(Block::new(block)));
    let [entry, new_entry] = [u128::from(cached[0]), new(0)];
    cached.iter().enumerate().any(|(block, &cached)| {
        let (one, other) = (u128::from(cached) * new_entry, new(block) * entry);
        one.abs_diff(other) > entry + new_entry + one.max(other) / u128::from(TOLERANCE)
    })
}

/// Cached results count as stale if they differ by more than this fraction: LLVM's passes update results with rounded
/// numbers.
const TOLERANCE: u64 = 1000;

/// The content of a function before its executions are known.
#[derive(Default)]
struct Scan {
    reading: FunctionReading,
    /// For each copy in `reading`, its block and its key.
    blocks: Vec<(Block, ProbeKey)>,
}

/// Sets the executions that the profile implies for the blocks of the copies.
fn imply(profile: &Profile, entries: u64, blocks: &[(Block, ProbeKey)], reading: &mut FunctionReading) {
    let executions = implied_executions(profile, entries);
    for (&(block, _), (_, counts)) in blocks.iter().zip(&mut reading.copies) {
        *counts = executions[block];
    }
}
