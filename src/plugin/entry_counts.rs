//! Estimates the entry counts of a module's functions, and prints them or writes them into the module.

use std::rc::Rc;

use bpa_core::bfi::FrequencyMethod;
use bpa_core::calls::{CallNode, Estimate, IntegerCounts, Measured};
use bpa_core::dialect::Dialect;
use bpa_core::profile::Profile;
use bpa_core::report;
use bpa_core::Predictor;

use super::failure::Failure;
use super::fault;
use super::host::{ModulePass, Preserved};
use super::output;
use super::profile::{self, Wanted};
use super::request::{AnnotateEntryCounts, Degree, EntryCountForm, EntryCountRequest, PrintEntryCounts};
use crate::host_dialect;
use crate::ir::Module;

impl ModulePass for EntryCountRequest {
    fn name(&self) -> &str {
        EntryCountRequest::name(self)
    }

    fn prepare(&self) -> Result<(), String> {
        match self {
            EntryCountRequest::Print(how) => {
                output::prepare_file(how.common.output.as_ref()).map_err(|e| e.to_string())
            }
            EntryCountRequest::Annotate(_) => Ok(()),
        }
    }

    fn run(&self, module: &mut Module<'_>) -> Result<Preserved, Failure> {
        match self {
            EntryCountRequest::Print(how) => print(how, module).map(|()| Preserved::All),
            EntryCountRequest::Annotate(how) => Ok(annotate(how, module)),
        }
    }
}

/// Estimates the entry counts of the functions of `module`. `predictor` predicts the profile of each function. If
/// `predictor` is `None`, the rules of `dialect`'s LLVM version predict the profile. Profiles are not cached.
fn estimate(module: &Module<'_>, dialect: &'static Dialect, predictor: Option<&Predictor>) -> Estimate {
    fault::point("entry-counts", None);
    Estimate::of(module.call_facts(|live| {
        let method = FrequencyMethod::Llvm;
        profile::compute_as(live, Wanted::Frequencies, dialect, predictor, method)
    }))
}

/// Estimates entry counts without the module's profile, compares the estimates with the profile, and prints the result.
fn score(how: &PrintEntryCounts, dialect: &'static Dialect, module: &Module<'_>) -> Result<(), Failure> {
    let (predictor, method) = (how.common.predictor.as_deref(), FrequencyMethod::Llvm);
    let estimate = Estimate::of(module.call_facts(|live| {
        let mut facts = live.facts(dialect);
        facts.forget_profile();
        Rc::new(profile::compute_from(Profile::builder(facts, dialect), live, predictor))
    }));
    let mut calls = Vec::new();
    let facts = module.call_facts(|live| {
        let measured = profile::compute_as(live, Wanted::Frequencies, dialect, None, method);
        calls.push(measured.facts().measured_entries());
        measured
    });
    let mut calls = calls.into_iter();
    let calls = facts.functions.values().map(|function| match function.body {
        Some(_) => calls.next().flatten(),
        None => None,
    });
    let measured = Measured { calls: calls.collect(), module: facts };
    let mut out = Vec::new();
    report::write_entry_count_score(module.name().as_bytes(), &estimate, &measured, &mut out);
    output::write(&out, how.common.output.as_ref())
}

fn print(how: &PrintEntryCounts, module: &Module<'_>) -> Result<(), Failure> {
    let dialect = how.common.dialect();
    if how.form == EntryCountForm::Scored {
        return score(how, dialect, module);
    }
    let predictor = how.common.predictor.as_deref();
    let estimate = estimate(module, dialect, predictor);
    let (name, mut out) = (module.name(), Vec::new());
    match &how.form {
        EntryCountForm::Plain | EntryCountForm::Scored => {
            report::write_entry_counts(name.as_bytes(), &estimate, &mut out)
        }
        EntryCountForm::Json => {
            let rules = predictor.map_or_else(|| "llvm", |predictor| predictor.name());
            report::write_entry_counts_json(name.as_bytes(), &estimate, dialect.version, rules, &mut out);
        }
        &EntryCountForm::Dot(limit) => {
            report::write_call_graph_dot(name.as_bytes(), &estimate, limit, &mut out);
        }
        EntryCountForm::Explained(function) => {
            let named = |&node: &CallNode| estimate.module().functions[node].name == function.as_bytes();
            let Some(node) = estimate.defined().find(named) else {
                return Err(Failure::NoFunction { module: name.into_owned(), function: function.clone() });
            };
            report::write_explained_entry_count(name.as_bytes(), node, &estimate, &mut out);
        }
    }
    output::write(&out, how.common.output.as_ref())
}

/// Writes counts or attributes. Without the option `overwrite`, an existing profile is not changed.
fn annotate(how: &AnnotateEntryCounts, module: &mut Module<'_>) -> Preserved {
    if !how.overwrite && module.has_profile() {
        log::debug!("module '{}' keeps its profile", module.name());
        return Preserved::All;
    }
    let estimate = estimate(module, host_dialect(), how.predictor.as_deref());
    let counts = IntegerCounts::of(&estimate);
    let summary = module.summarize(&counts, how.degree != Degree::Attributes);
    log::debug!(
        "counts of '{}' are hot from {} on, and cold up to {}",
        module.name(),
        summary.hot,
        summary.cold
    );
    let is_defined = |node: CallNode| estimate.module().functions[node].body.is_some();
    // LLVM also treats a count that is equal to the threshold as cold. In a small module, every count can be equal to
    // the threshold.
    let is_cold = |node: CallNode| is_defined(node) && counts.greatest[node] < summary.cold;
    match how.degree {
        Degree::Attributes => module.add_cold_attributes(is_cold),
        Degree::Cold => module.write_entry_counts(|node| is_cold(node).then(|| counts.entries[node])),
        Degree::Counts => module.write_entry_counts(|node| is_defined(node).then(|| counts.entries[node])),
    }
    fault::point("annotate-entry-counts", None);
    Preserved::ControlFlow
}
