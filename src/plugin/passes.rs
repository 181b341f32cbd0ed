//! Runs a request on one function.

use std::path::Path;
use std::rc::Rc;

use bpa_core::bfi::FrequencyMethod;
use bpa_core::bpi::Annotation;
use bpa_core::dialect::{BlockNameStyle, Dialect};
use bpa_core::profile::Profile;
use bpa_core::report;

use super::check;
use super::failure::Failure;
use super::fault;
use super::features;
use super::hints;
use super::host::{Pass, Preserved};
use super::output;
use super::pictures;
use super::profile::{self, ProfileCell, Wanted};
use super::remarks;
use super::request::{Analysis, Annotate, Form, Output, Print, Request};
use super::score;
use crate::host_dialect;
use crate::ir::{BlockNames, LiveFunction};

/// Whether a pass changed the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Changed {
    No,
    Yes,
}

impl Pass for Request {
    fn name(&self) -> &str {
        Request::name(self)
    }

    /// Whether LLVM must also run the pass on functions with the attribute `optnone`. The result is true for all passes
    /// that do not change the IR.
    fn is_required(&self) -> bool {
        !matches!(self, Request::Annotate(_) | Request::AnnotateHeaders { .. } | Request::LowerExpect)
    }

    fn prepare(&self) -> Result<(), String> {
        output::prepare(self).map_err(|error| error.to_string())
    }

    fn run(&self, mut live: LiveFunction, cell: &ProfileCell) -> Result<Preserved, Failure> {
        Ok(match run(self, &mut live, cell)? {
            Changed::No => Preserved::All,
            // The passes of this library do not change blocks or edges.
            Changed::Yes => Preserved::ControlFlow,
        })
    }
}

/// Runs `request` on `live`. `cell` caches the profile of `live`.
fn run(request: &Request, live: &mut LiveFunction, cell: &ProfileCell) -> Result<Changed, Failure> {
    match request {
        Request::Print(what) => print(what, live, cell)?,
        Request::Check(analysis) => {
            let profile = require(*analysis, live, cell);
            check::check(request.name(), live, &profile, wanted(*analysis) == Wanted::Frequencies)?;
        }
        Request::Score(how) => score::function(how, live)?,
        Request::Features(how) => features::function(how, live)?,
        Request::Hints(how) => hints::function(how, live)?,
        Request::Remarks(how) => remarks::function(how, live, cell),
        Request::Require(analysis) => drop(require(*analysis, live, cell)),
        Request::Compute(analysis, predictor) => {
            let (wanted, dialect, method) = (wanted(*analysis), host_dialect(), FrequencyMethod::Llvm);
            drop(profile::compute_as(live, wanted, dialect, Some(predictor), method));
        }
        Request::Invalidate(Analysis::Probabilities) => cell.invalidate(),
        Request::Invalidate(_) => cell.invalidate_frequencies(),
        Request::Annotate(how) => return Ok(annotate(how, live, cell)),
        Request::AnnotateHeaders { overwrite } => return Ok(annotate_headers(*overwrite, live, cell)),
        Request::LowerExpect => return Ok(lower_expect(live, cell)),
    }
    Ok(Changed::No)
}

/// Writes branch weights and drops the cached profile, because the profile depends on the old weights.
fn annotate(how: &Annotate, live: &mut LiveFunction, cell: &ProfileCell) -> Changed {
    let annotations = profile::plan_annotations(how, live, cell);
    let selects = profile::plan_select_weights(how, live);
    let mut changed = Changed::No;
    for (block, annotation) in annotations {
        match annotation {
            Annotation::Weights(weights) => live.set_branch_weights(block, Some(&weights)),
            Annotation::Inexpressible => {
                let function = live.display_name();
                log::debug!("no branch weights express the probabilities of block {block} of '{function}'");
                if !how.overwrite {
                    continue;
                }
                live.set_branch_weights(block, None);
            }
        }
        changed = Changed::Yes;
        fault::point("annotate", Some(live));
    }
    if let Some((instructions, weights)) = selects {
        for (place, weights) in weights {
            live.set_select_weights(&instructions, place, weights);
            changed = Changed::Yes;
        }
    }
    if changed == Changed::Yes {
        cell.invalidate();
    }
    changed
}

/// Writes header weights and drops the cached profile, because its frequencies depend on the old weights.
fn annotate_headers(overwrite: bool, live: &mut LiveFunction, cell: &ProfileCell) -> Changed {
    let weights = profile::plan_header_weights(overwrite, live, cell);
    for &(block, weight) in &weights {
        live.set_header_weight(block, weight);
        fault::point("annotate-headers", Some(live));
    }
    if weights.is_empty() {
        return Changed::No;
    }
    cell.invalidate();
    Changed::Yes
}

/// Lowers expectations to branch weights. If the function had expectations, drops the cached profile.
fn lower_expect(live: &mut LiveFunction, cell: &ProfileCell) -> Changed {
    if !live.lower_expect(host_dialect()) {
        return Changed::No;
    }
    fault::point("expect", Some(live));
    cell.invalidate();
    Changed::Yes
}

/// The cached profile, with all parts that `analysis` needs.
fn require(analysis: Analysis, live: &LiveFunction, cell: &ProfileCell) -> Rc<Profile> {
    cell.require(live, wanted(analysis))
}

/// The parts of a profile that `analysis` needs.
fn wanted(analysis: Analysis) -> Wanted {
    match analysis {
        Analysis::Probabilities => Wanted::Probabilities,
        Analysis::Frequencies | Analysis::Bias => Wanted::Frequencies,
    }
}

/// The text of `analysis` for a function, in the format of `dialect`.
fn plain_text(analysis: Analysis, live: &LiveFunction, profile: &Profile, dialect: &Dialect) -> Vec<u8> {
    let style = match analysis {
        Analysis::Probabilities => dialect.probability_block_names,
        Analysis::Frequencies | Analysis::Bias => dialect.frequency_block_names,
    };
    let names = BlockNames::new(live, style);
    let write_name = |block, out: &mut Vec<u8>| names.write(block, out);
    let mut out = Vec::new();
    fault::point("print", Some(live));
    match analysis {
        Analysis::Probabilities => {
            report::write_header(dialect.probability_header, live.name(), &mut out);
            report::write_probabilities(profile, write_name, &mut out);
        }
        Analysis::Frequencies => {
            report::write_header(dialect.frequency_header, live.name(), &mut out);
            report::write_frequencies(live.name(), profile, write_name, &mut out);
        }
        Analysis::Bias => {
            report::write_header(dialect.bias_header, live.name(), &mut out);
            report::write_biases(live.name(), profile, write_name, &mut out);
        }
    }
    out
}

/// Prints the result for a function. Results of other versions, methods and predictors are not cached.
fn print(print: &Print, live: &LiveFunction, cell: &ProfileCell) -> Result<(), Failure> {
    let Print { analysis, form, ref common } = *print;
    let text = match common.are_hosts() && form != Form::Difference {
        true => formed_text(analysis, form, live, &require(analysis, live, cell)),
        false => {
            let (dialect, predictor) = (common.dialect(), common.predictor.as_deref());
            let profile = profile::compute_as(live, wanted(analysis), dialect, predictor, common.method);
            match form {
                Form::Difference => difference(analysis, live, &profile, &require(analysis, live, cell)),
                form => formed_text(analysis, form, live, &profile),
            }
        }
    };
    match (form, &common.output) {
        (Form::Dot, directory) => {
            let directory = directory.as_ref().map_or(Path::new(""), Output::path);
            pictures::write(live.name(), &text, directory)
        }
        (_, file) => output::write(&text, file.as_ref()),
    }
}

/// The result of `analysis` for a function, in the output format `form`. `form` must not be [`Form::Difference`].
fn formed_text(analysis: Analysis, form: Form, live: &LiveFunction, profile: &Profile) -> Vec<u8> {
    let dialect = profile.dialect();
    let mut out = Vec::new();
    match form {
        Form::Plain | Form::Difference => return plain_text(analysis, live, profile, dialect),
        Form::Explained => return explained_text(analysis, live, profile),
        Form::Json | Form::ExplainedJson => {
            let reasons = (form == Form::ExplainedJson).then(|| live.edge_reasons(profile));
            let (names, source) = (live.names(), live.source());
            report::write_json(&names, &source, profile, json_scope(analysis), reasons, &mut out);
        }
        Form::Dot => report::write_dot(&live.names(), &live.source(), profile, &mut out),
    }
    fault::point("print", Some(live));
    out
}

/// The analyses in the JSON output. If only probabilities are requested, the output has no frequencies.
fn json_scope(analysis: Analysis) -> report::Analysis {
    match analysis {
        Analysis::Probabilities => report::Analysis::Probabilities,
        Analysis::Frequencies | Analysis::Bias => report::Analysis::Frequencies,
    }
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

/// The text of `analysis` for a function, with reasons under each line.
fn explained_text(analysis: Analysis, live: &LiveFunction, profile: &Profile) -> Vec<u8> {
    let mut out = Vec::new();
    match analysis {
        Analysis::Probabilities => live.write_explained_probabilities(profile, &mut out),
        Analysis::Frequencies => live.write_explained_frequencies(profile, &mut out),
        Analysis::Bias => unreachable!("the option explain does not exist for biases"),
    }
    out
}
