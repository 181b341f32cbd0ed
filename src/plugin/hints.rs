//! Prints hints for the source of a module or of one function. The hints are derived from the profile in the IR.

use bpa_core::report::{HintReport, HintedFunction};
use bpa_core::score;

use super::failure::Failure;
use super::fault;
use super::output;
use super::request::RequestOptions;
use super::score::with_and_without_profile;
use crate::ir::{LiveFunction, Module};

/// Prints hints for all functions of a module.
pub(super) fn module(how: &RequestOptions, module: &Module<'_>) -> Result<(), Failure> {
    let mut report = HintReport::default();
    module.for_each_live(|live| add(&mut report, how, &live));
    print(report, how, &format!("module '{}'", module.name()))
}

/// Prints hints for one function.
pub(super) fn function(how: &RequestOptions, live: &LiveFunction) -> Result<(), Failure> {
    let mut report = HintReport::default();
    add(&mut report, how, live);
    print(report, how, &format!("function '{}'", live.display_name()))
}

fn add(report: &mut HintReport, how: &RequestOptions, live: &LiveFunction) {
    let dialect = how.dialect();
    let ignored = live.ignore_expectations();
    let facts = live.facts(dialect);
    if facts.measured_entries().is_none() {
        return report.add_unmeasured();
    }
    fault::point("hints", Some(live));
    let predictor = how.predictor.as_deref();
    let [measured, predicted] = with_and_without_profile(facts, live, dialect, predictor);
    let branches = score::branches(&measured, &predicted);
    drop(ignored);
    let expectations = live.expectations(dialect);
    let function = HintedFunction {
        names: &live.names(),
        source: &live.source(),
        graph: measured.graph(),
        expected: &|block| expectations.of_terminator(block),
    };
    report.add(&function, &branches);
}

/// Prints the whole report with one write, because other output must not be mixed with the report.
fn print(mut report: HintReport, how: &RequestOptions, title: &str) -> Result<(), Failure> {
    report.keep(how.limit.unwrap_or(usize::MAX));
    let mut text = Vec::new();
    match how.json {
        true => report.write_json(&mut text),
        false => report.write_text(title, &mut text),
    }
    output::write(&text, how.output.as_ref())
}
