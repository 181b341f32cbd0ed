//! Runs requests.

use std::path::Path;
use std::sync::Arc;

use bpa_core::bpi::Annotation;
use bpa_core::cfg::Block;
use bpa_core::dialect::{BlockNameStyle, Dialect};
use bpa_core::profile::Profile;
use bpa_core::report;

use super::audit::Auditor;
use super::host::{OnModule, Pass, Preserved};
use super::message::Failure;
use super::output::{self, Output};
use super::profile::{self, ProfileCell, Replacement};
use super::request::{Analysis, Mode, PassKind, Request, RequestOptions};
use super::{check, entry_counts, fault, pictures, remarks, score, source_branches};
use crate::host_dialect;
use crate::ir::{BlockNames, LiveFunction, Module};

/// Prints a report on a whole module.
type ModuleReport = fn(&RequestOptions, &Module) -> Result<(), Failure>;

/// Creates the pass that executes `request`.
pub(super) fn pass(request: Request, auditor: &Arc<Auditor>) -> Pass {
    let mut pass = Pass {
        // If a pass does not change the IR, LLVM must also run the pass on functions with the attribute `optnone`.
        is_required: request.mode != Mode::Annotate && request.pass != PassKind::LowerExpect,
        output: request.options.output.clone(),
        ..Pass::named(&request.name())
    };
    let kind = request.pass;
    let request = Arc::new(request);
    match kind {
        PassKind::LowerExpect => {
            pass.on_function = Some(Arc::new(|mut live, cell| Ok(lower_expect(&mut live, cell))));
        }
        PassKind::EntryCounts => {
            pass.on_module = Some(Arc::new(move |module, _| entry_counts::run(&request, module)));
        }
        PassKind::Analyses => {
            let compute = Replacement::new(request);
            pass.on_module = Some(Arc::new(move |module, functions| {
                functions.replace(compute.clone(), Some(module));
                Ok(Preserved::All)
            }));
        }
        PassKind::Audit => {
            let auditor = auditor.clone();
            pass.on_module = Some(Arc::new(move |module, functions| match request.mode {
                Mode::Begin => auditor.begin(module, &functions),
                _ => auditor.end(&request.options, module),
            }));
        }
        PassKind::SourceBranches => {
            pass.on_module = Some(Arc::new(move |module, _| source_branches::run(&request.options, module)));
        }
        PassKind::Analysis(analysis) => {
            let report: Option<ModuleReport> = match request.mode {
                Mode::Score => Some(score::module),
                Mode::Plain | Mode::Explain | Mode::Json | Mode::Dot | Mode::Diff | Mode::Check => None,
                Mode::Graph
                | Mode::Features
                | Mode::Remarks
                | Mode::Annotate
                | Mode::Begin
                | Mode::Require
                | Mode::Invalidate => None,
            };
            let shared = request.clone();
            pass.on_module = report.map(|report| -> OnModule {
                Arc::new(move |module, _| report(&shared.options, module).map(|()| Preserved::All))
            });
            if request.mode == Mode::Require && request.options.predictor.is_some() {
                let shared = request.clone();
                pass.on_module = Some(Arc::new(move |module, _| {
                    profile::compute_all(module, analysis, &shared.options).for_each(drop);
                    Ok(Preserved::All)
                }));
            }
            pass.on_function = Some(Arc::new(move |mut live, cell| run(analysis, &request, &mut live, cell)));
        }
    }
    pass
}

/// Runs the pass that `analysis` and `request` describe on the function `live`. `cell` caches the profile of `live`.
/// The passes of this library do not change blocks or edges.
fn run(
    analysis: Analysis,
    request: &Request,
    live: &mut LiveFunction,
    cell: &ProfileCell,
) -> Result<Preserved, Failure> {
    let how = &request.options;
    match request.mode {
        Mode::Plain | Mode::Explain | Mode::Json | Mode::Graph | Mode::Dot | Mode::Diff => {
            print(analysis, request, live, cell)?
        }
        Mode::Check => check::check(analysis, live, &cell.require(live, analysis))?,
        Mode::Score => score::function(how, live)?,
        Mode::Features => score::print_features(how, live)?,
        Mode::Remarks => remarks::function(analysis, how, live, cell),
        Mode::Require => drop(profile::requested(live, analysis, how, cell)),
        Mode::Begin => unreachable!("only rust-audit has this mode"),
        Mode::Invalidate if analysis == Analysis::Probabilities => cell.invalidate(),
        Mode::Invalidate => cell.invalidate_frequencies(),
        Mode::Annotate if analysis == Analysis::Probabilities => return Ok(annotate(how, live, cell)),
        Mode::Annotate => return Ok(annotate_headers(how.overwrite, live, cell)),
    }
    Ok(Preserved::All)
}

/// Writes branch weights and drops the cached profile, because the profile depends on the old weights.
fn annotate(how: &RequestOptions, live: &mut LiveFunction, cell: &ProfileCell) -> Preserved {
    let preserved = write_weights(profile::plan_annotations(how, live, cell), how, live);
    if preserved != Preserved::All {
        cell.invalidate();
    }
    preserved
}

/// Writes the branch weights `annotations`.
fn write_weights(
    annotations: Vec<(Block, Annotation)>,
    how: &RequestOptions,
    live: &mut LiveFunction,
) -> Preserved {
    let mut preserved = Preserved::All;
    for (block, annotation) in annotations {
        match annotation {
            Annotation::Weights(weights) => live.set_branch_weights(block, Some(&weights)),
            Annotation::Inexpressible => {
                let function = live.display_name();
                log::debug!(
                    "branch weights cannot express the probabilities of block {block} of '{function}'"
                );
                if !how.overwrite {
                    continue;
                }
                live.set_branch_weights(block, None);
            }
        }
        preserved = Preserved::ControlFlow;
        fault::point("annotate", Some(live));
    }
    if how.complete && mark_unknown_profiles(live) {
        preserved = Preserved::ControlFlow;
    }
    preserved
}

/// Marks the branches and selects that have no profile metadata. Returns whether there was such an instruction.
fn mark_unknown_profiles(live: &mut LiveFunction) -> bool {
    let host = host_dialect();
    let facts = live.facts(host);
    let graph = facts.graph();
    let terminator = |block: Block| facts.blocks()[block].terminator;
    let may_carry = |&block: &Block| {
        graph.successors(block).len() > 1 && terminator(block).may_carry_weights(host.reads_callbr_weights)
    };
    live.mark_unknown_profiles(&graph.blocks().filter(may_carry).collect::<Vec<_>>())
}

/// Writes header weights and drops the cached profile, because its frequencies depend on the old weights.
fn annotate_headers(overwrite: bool, live: &mut LiveFunction, cell: &ProfileCell) -> Preserved {
    let weights = profile::plan_header_weights(overwrite, live, cell);
    for &(block, weight) in &weights {
        live.set_header_weight(block, weight);
        fault::point("annotate-headers", Some(live));
    }
    if weights.is_empty() {
        return Preserved::All;
    }
    cell.invalidate();
    Preserved::ControlFlow
}

/// Lowers calls of `llvm.expect` intrinsics to branch weights. If there were such calls, drops the cached profile.
fn lower_expect(live: &mut LiveFunction, cell: &ProfileCell) -> Preserved {
    if !live.lower_expect() {
        return Preserved::All;
    }
    fault::point("expect", Some(live));
    cell.invalidate();
    Preserved::ControlFlow
}

/// The printed result of `analysis` for a function, in the format of the LLVM version that `dialect` describes.
fn plain_text(analysis: Analysis, live: &LiveFunction, profile: &Profile, dialect: &Dialect) -> Vec<u8> {
    let (style, header) = match analysis {
        Analysis::Probabilities => (dialect.probability_block_names, dialect.probability_header),
        Analysis::Frequencies => (dialect.frequency_block_names, dialect.frequency_header),
        Analysis::Bias => (dialect.frequency_block_names, dialect.bias_header),
    };
    let names = BlockNames::new(live, style);
    let write_name = |block, out: &mut Vec<u8>| names.write(block, out);
    let mut out = Vec::new();
    report::write_header(header, live.name(), &mut out);
    match analysis {
        Analysis::Probabilities => report::write_probabilities(profile, write_name, &mut out),
        Analysis::Frequencies => report::write_frequencies(live.name(), profile, write_name, &mut out),
        Analysis::Bias => report::write_biases(live.name(), profile, write_name, &mut out),
    }
    out
}

/// Prints the result for a function. Results of other versions, methods and predictors are not cached.
fn print(
    analysis: Analysis,
    request: &Request,
    live: &LiveFunction,
    cell: &ProfileCell,
) -> Result<(), Failure> {
    let Request { mode, ref options, .. } = *request;
    let profile = profile::requested(live, analysis, options, cell);
    let mut text = Vec::new();
    fault::point("print", Some(live));
    match mode {
        Mode::Diff => text = difference(analysis, live, &profile, &cell.require(live, analysis)),
        Mode::Dot => report::write_dot(&live.names(), &live.source(), &profile, &mut text),
        _ if options.json => {
            let scope = match analysis.needs_frequencies() {
                true => report::Analysis::Frequencies,
                false => report::Analysis::Probabilities,
            };
            let reasons = (mode == Mode::Explain).then(|| live.edge_reasons(&profile));
            report::write_json(&live.names(), &live.source(), &profile, scope, reasons, &mut text);
        }
        Mode::Explain if analysis == Analysis::Probabilities => {
            live.write_explained_probabilities(&profile, &mut text)
        }
        Mode::Explain => live.write_explained_frequencies(&profile, &mut text),
        _ => text = plain_text(analysis, live, &profile, profile.dialect()),
    }
    if mode == Mode::Dot {
        let directory = options.output.as_ref().map_or(Path::new(""), Output::path);
        return pictures::write(live.name(), &text, directory);
    }
    output::write(&text, options.output.as_ref())
}

/// The lines that differ between the host's profile and the profile of another version, method or predictor. Both
/// profiles are printed in the same format, with a name for every block, so that corresponding lines can differ only in
/// numbers.
fn difference(analysis: Analysis, live: &LiveFunction, there: &Profile, here: &Profile) -> Vec<u8> {
    let mut format = *host_dialect();
    format.probability_block_names = BlockNameStyle::Operand;
    format.frequency_block_names = BlockNameStyle::Operand;
    let mut difference = Vec::new();
    let [here, there] = [here, there].map(|profile| plain_text(analysis, live, profile, &format));
    report::write_difference(&here, &there, &mut difference);
    difference
}
