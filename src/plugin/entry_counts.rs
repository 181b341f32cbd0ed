//! Estimates the entry counts of a module's functions, and prints them or writes them into the module.

use std::rc::Rc;
use std::sync::Arc;

use bpa_core::calls::{CallNode, Estimate, IntegerCounts, Measured};
use bpa_core::model::estimate_calls;
use bpa_core::profile::Profile;
use bpa_core::report;

use super::fault;
use super::host::Preserved;
use super::message::Failure;
use super::output;
use super::profile;
use super::request::{Analysis, Degree, Mode, Request, RequestOptions};
use crate::ir::{LiveFunction, Module};

/// Runs `request` on `module`.
pub(super) fn run(request: &Request, module: &mut Module<'_>) -> Result<Preserved, Failure> {
    let Request { mode, ref options, .. } = *request;
    let mut out = Vec::new();
    match mode {
        Mode::Annotate => return Ok(annotate(options, module)),
        Mode::Score | Mode::Features => compare(mode, options, module, &mut out),
        Mode::Graph => print_graph(options, module, &mut out),
        _ => print(mode, options, module, &mut out)?,
    }
    output::write(&out, options.output.as_ref())?;
    Ok(Preserved::All)
}

/// Estimates the entry counts of the functions of `module`. The functions' profiles are computed for the
/// LLVM version and the predictor in `how`. Profiles are not cached.
fn estimate(module: &Module<'_>, how: &RequestOptions) -> Estimate {
    fault::point("entry-counts", None);
    estimate_with(module, how, profiles_of(module, how))
}

/// Returns a function that must be called for each function of `module`, in order, and returns the function's profile.
fn profiles_of<'a>(
    module: &'a Module<'_>,
    how: &'a RequestOptions,
) -> impl FnMut(&LiveFunction) -> Rc<Profile> {
    let mut profiles = profile::compute_all(module, Analysis::Probabilities, how);
    move |_| profiles.next().expect("each function has a profile").1
}

/// Estimates entry counts from the branch probabilities in the profile that `profile_of` returns for each function. If
/// the predictor has a model, the model improves the estimate.
fn estimate_with(
    module: &Module<'_>,
    how: &RequestOptions,
    profile_of: impl FnMut(&LiveFunction) -> Rc<Profile>,
) -> Estimate {
    let model = how.predictor.as_ref().and_then(|predictor| predictor.model());
    estimate_calls(module.call_facts(profile_of), model.map(Arc::as_ref))
}

/// Estimates entry counts without the module's profile, and prints either the score of the estimates or the features of
/// the functions.
fn compare(mode: Mode, how: &RequestOptions, module: &Module<'_>, out: &mut Vec<u8>) {
    let (dialect, predictor) = (how.dialect(), how.predictor.as_deref());
    let estimate = estimate_with(module, how, |live| {
        let _ignored = live.ignore_expectations();
        let mut facts = live.facts(dialect);
        facts.forget_profile();
        Rc::new(profile::compute_from(Profile::builder(facts, dialect), live, predictor))
    });
    let by_profile = RequestOptions { like: how.like, ..RequestOptions::default() };
    let mut calls = Vec::new();
    let facts = module.call_facts(|live| {
        let measured = profile::compute_as(live, Analysis::Probabilities, &by_profile);
        calls.push(measured.facts().measured_entries());
        measured
    });
    let mut calls = calls.into_iter();
    let calls = facts.functions.values().map(|function| match function.body {
        Some(_) => calls.next().flatten(),
        None => None,
    });
    let measured = Measured { calls: calls.collect(), module: facts };
    let name = module.name();
    match mode {
        Mode::Features => {
            report::write_function_features_json(name.as_bytes(), &estimate, &measured, dialect.version, out);
        }
        _ => report::write_entry_count_score(name.as_bytes(), &estimate, &measured, out),
    }
}

fn print_graph(how: &RequestOptions, module: &Module<'_>, out: &mut Vec<u8>) {
    let linkable = module.linkable(profiles_of(module, how));
    let rules = how.predictor.as_ref().map_or("llvm", |predictor| predictor.name());
    report::write_call_graph_json(module.name().as_bytes(), &linkable, how.dialect().version, rules, out);
}

fn print(mode: Mode, how: &RequestOptions, module: &Module<'_>, out: &mut Vec<u8>) -> Result<(), Failure> {
    let estimate = estimate(module, how);
    let name = module.name();
    match mode {
        Mode::Json => {
            let rules = how.predictor.as_ref().map_or("llvm", |predictor| predictor.name());
            let version = how.dialect().version;
            report::write_entry_counts_json(name.as_bytes(), &estimate, version, rules, out);
        }
        Mode::Dot => {
            let limit = how.limit.unwrap_or(usize::MAX);
            report::write_call_graph_dot(name.as_bytes(), &estimate, limit, out);
        }
        Mode::Explain => {
            let function = how.function.as_deref().unwrap_or_default();
            let named = |&node: &CallNode| estimate.module().functions[node].name == function.as_bytes();
            let Some(node) = estimate.defined().find(named) else {
                return Err(Failure(format!(
                    "rust-entry-counts: module '{name}' defines no function '{function}'"
                )));
            };
            report::write_explained_entry_count(name.as_bytes(), node, &estimate, out);
        }
        _ => report::write_entry_counts(name.as_bytes(), &estimate, out),
    }
    Ok(())
}

/// Writes counts or attributes. Without the option `overwrite`, an existing profile is not changed.
fn annotate(how: &RequestOptions, module: &mut Module<'_>) -> Preserved {
    if !how.overwrite && module.has_profile() {
        log::debug!("module '{}' keeps its profile", module.name());
        return Preserved::All;
    }
    write_counts(&estimate(module, how), how.write, module);
    Preserved::ControlFlow
}

/// Writes counts or attributes, and replaces an existing profile.
fn write_counts(estimate: &Estimate, write: Degree, module: &mut Module<'_>) {
    let counts = IntegerCounts::of(estimate);
    let summary = module.summarize(&counts, write != Degree::Attributes);
    log::debug!(
        "in '{}', a count of at least {} is hot, and a count of at most {} is cold",
        module.name(),
        summary.hot,
        summary.cold
    );
    let is_known =
        |node: CallNode| estimate.module().functions[node].body.is_some() && !estimate.is_unknown(node);
    // LLVM also treats a count that is equal to the threshold as cold. In a small module, every count can be equal to
    // the threshold.
    let is_cold = |node: CallNode| is_known(node) && counts.greatest[node] < summary.cold;
    match write {
        Degree::Attributes => module.add_cold_attributes(is_cold),
        Degree::Cold => module.write_entry_counts(|node| is_cold(node).then(|| counts.entries[node])),
        Degree::Counts => {
            module.write_entry_counts(|node| is_known(node).then(|| counts.entries[node]));
            let functions = &estimate.module().functions;
            module.mark_unknown_entry_counts(|node| functions[node].body.is_some() && !is_known(node));
        }
    }
    fault::point("annotate-entry-counts", None);
}
