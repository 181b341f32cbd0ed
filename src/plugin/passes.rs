//! What the passes do with one function.

use std::cell::Ref;
use std::path::Path;

use super::fault;
use super::host::{Pass, Preserved};
use super::output::{self, Output};
use super::pictures;
use super::profile::{self, Profile, ProfileCell, Wanted};
use super::request::{Analysis, Annotate, Form, Print, Request};
use crate::host_dialect;
use crate::ir::{BlockNames, LiveFunction};
use bpa_core::bpi::{Annotation, Explainer};
use bpa_core::cfg::Workspace;
use bpa_core::dialect::{BlockNameStyle, Dialect};
use bpa_core::report::{self, Frequencies, FrequencyGrounds, Portrait};

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

    /// Whoever asks for an answer gets it, whoever asks for a change gets it where changes are welcome.
    fn is_required(&self) -> bool {
        !matches!(self, Request::Annotate(_) | Request::LowerExpect)
    }

    fn prepare(&self) -> Result<(), String> {
        output::prepare(self).map_err(|error| error.to_string())
    }

    fn run(&self, mut live: LiveFunction, cell: &ProfileCell) -> Preserved {
        match run(self, &mut live, cell) {
            Changed::No => Preserved::All,
            // Branch weights are all that we ever change.
            Changed::Yes => Preserved::ControlFlow,
        }
    }
}

/// Does what `request` asks for to `live`, whose profile is in `cell`.
fn run(request: &Request, live: &mut LiveFunction, cell: &ProfileCell) -> Changed {
    match request {
        Request::Print(what) => print(what, live, cell),
        Request::Require(analysis) => drop(require(*analysis, live, cell)),
        Request::Invalidate(Analysis::Probabilities) => cell.invalidate(),
        Request::Invalidate(_) => cell.invalidate_frequencies(),
        Request::Annotate(how) => return annotate(*how, live, cell),
        Request::LowerExpect => return lower_expect(live, cell),
    }
    Changed::No
}

/// Writes branch weights, and drops the profile, which rests on those that were there.
fn annotate(how: Annotate, live: &mut LiveFunction, cell: &ProfileCell) -> Changed {
    let annotations = profile::plan_annotations(how, live, cell);
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
    if changed == Changed::Yes {
        cell.invalidate();
    }
    changed
}

/// Lowers expectations to branch weights, and drops the profile if there were any.
fn lower_expect(live: &mut LiveFunction, cell: &ProfileCell) -> Changed {
    if !live.lower_expect(host_dialect()) {
        return Changed::No;
    }
    fault::point("expect", Some(live));
    cell.invalidate();
    Changed::Yes
}

/// The profile with everything that `analysis` needs.
fn require<'a>(analysis: Analysis, live: &LiveFunction, cell: &'a ProfileCell) -> Ref<'a, Profile> {
    cell.require(live, wanted(analysis))
}

/// How much of a profile `analysis` needs.
fn wanted(analysis: Analysis) -> Wanted {
    match analysis {
        Analysis::Probabilities => Wanted::Probabilities,
        Analysis::Frequencies | Analysis::Bias => Wanted::Frequencies,
    }
}

/// What `analysis` prints of a function, in the words of `dialect`.
fn plain_page(analysis: Analysis, live: &LiveFunction, profile: &Profile, dialect: &Dialect) -> Vec<u8> {
    let style = match analysis {
        Analysis::Probabilities => dialect.probability_block_names,
        Analysis::Frequencies | Analysis::Bias => dialect.frequency_block_names,
    };
    let names = BlockNames::new(live, style);
    let write_name = |block, page: &mut Vec<u8>| names.write(block, page);
    let Profile { snapshot, probabilities, .. } = profile;
    let mut page = Vec::new();
    fault::point("print", Some(live));
    match analysis {
        Analysis::Probabilities => {
            report::write_header(dialect.probability_header, live.name(), &mut page);
            report::write_probabilities(snapshot.graph(), probabilities, write_name, &mut page);
        }
        Analysis::Frequencies => {
            report::write_header(dialect.frequency_header, live.name(), &mut page);
            let frequencies = profile.frequencies();
            report::write_frequencies(live.name(), snapshot, frequencies, write_name, &mut page);
        }
        Analysis::Bias => {
            report::write_header(dialect.bias_header, live.name(), &mut page);
            report::write_biases(live.name(), snapshot.graph(), &profile.biases(), write_name, &mut page);
        }
    }
    page
}

/// Prints what is asked for of a function. Of the answers of other versions nothing is kept.
fn print(print: &Print, live: &LiveFunction, cell: &ProfileCell) {
    let Print { analysis, form, like, .. } = *print;
    let page = match like {
        None => formed_page(analysis, form, live, &require(analysis, live, cell), host_dialect()),
        Some(dialect) => {
            let profile = Profile::compute(live, wanted(analysis), dialect);
            match form {
                Form::Difference => difference(analysis, live, &profile, &require(analysis, live, cell)),
                form => formed_page(analysis, form, live, &profile, dialect),
            }
        }
    };
    match (form, &print.output) {
        (Form::Dot, directory) => {
            let directory = directory.as_ref().map_or(Path::new(""), Output::path);
            pictures::write(live.name(), &page, directory);
        }
        (_, file) => output::write(&page, file.as_ref()),
    }
}

/// What is printed of a function in any form but that of a difference.
fn formed_page(
    analysis: Analysis,
    form: Form,
    live: &LiveFunction,
    profile: &Profile,
    dialect: &Dialect,
) -> Vec<u8> {
    let mut page = Vec::new();
    match form {
        Form::Plain | Form::Difference => return plain_page(analysis, live, profile, dialect),
        Form::Explained => return explained_page(analysis, live, profile, dialect),
        Form::Json => report::write_json(&portrait(analysis, live, profile, dialect), &mut page),
        Form::Dot => report::write_dot(&portrait(analysis, live, profile, dialect), &mut page),
    }
    fault::point("print", Some(live));
    page
}

/// Everything that is known of a function. Of probabilities alone, frequencies are no part.
fn portrait<'a>(
    analysis: Analysis,
    live: &'a LiveFunction,
    profile: &'a Profile,
    dialect: &'a Dialect,
) -> Portrait<'a> {
    let names = BlockNames::new(live, BlockNameStyle::Operand);
    let name_of = |block| {
        let mut name = Vec::new();
        names.write(block, &mut name);
        String::from_utf8(name).expect("operands are ASCII")
    };
    let frequencies = (analysis != Analysis::Probabilities)
        .then(|| Frequencies { frequencies: profile.frequencies(), biases: profile.biases() });
    Portrait {
        module: live.module_name(),
        function: live.name(),
        names: live.layout().map(name_of).collect(),
        dialect,
        snapshot: &profile.snapshot,
        probabilities: &profile.probabilities,
        nest: profile.nest(),
        frequencies,
    }
}

/// Where the profile of another version differs from what the host prints. Both are in the same words, so that only
/// numbers differ, and every block has a name.
fn difference(analysis: Analysis, live: &LiveFunction, there: &Profile, here: &Profile) -> Vec<u8> {
    let words = Dialect {
        probability_block_names: BlockNameStyle::Operand,
        frequency_block_names: BlockNameStyle::Operand,
        ..*host_dialect()
    };
    let mut difference = Vec::new();
    let [here, there] = [here, there].map(|profile| plain_page(analysis, live, profile, &words));
    report::write_difference(&here, &there, &mut difference);
    difference
}

/// What `analysis` prints of a function, in the words of `dialect`, and under each line why.
fn explained_page(analysis: Analysis, live: &LiveFunction, profile: &Profile, dialect: &Dialect) -> Vec<u8> {
    let Profile { snapshot, probabilities, .. } = profile;
    let ir_text = live.ir_text(dialect);
    let mut page = Vec::new();
    match analysis {
        Analysis::Probabilities => {
            let names = BlockNames::new(live, dialect.probability_block_names);
            let mut workspace = Workspace::default();
            workspace.compute(snapshot.graph());
            let mut conditions = live.conditions(dialect);
            let mut explainer = Explainer::new(snapshot, &mut workspace, &mut conditions);
            report::write_header(dialect.probability_header, live.name(), &mut page);
            report::write_explained_probabilities(
                snapshot,
                probabilities,
                &mut explainer,
                &ir_text,
                |block, page| names.write(block, page),
                &mut page,
            );
        }
        Analysis::Frequencies => {
            let names = BlockNames::new(live, dialect.frequency_block_names);
            let (frequencies, nest) = (profile.frequencies(), &profile.nest());
            report::write_header(dialect.frequency_header, live.name(), &mut page);
            report::write_explained_frequencies(
                live.name(),
                &FrequencyGrounds { snapshot, probabilities, frequencies, nest },
                &ir_text,
                |block, page| names.write(block, page),
                &mut page,
            );
        }
        Analysis::Bias => unreachable!("a bias is its own explanation"),
    }
    page
}
