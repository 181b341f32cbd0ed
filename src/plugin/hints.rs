//! Prints hints for the source of a module or of one function. The hints are derived from the profile in the IR.

use bpa_core::report::{HintReport, HintedFunction};
use bpa_core::score;

use super::failure::Failure;
use super::fault;
use super::host::{ModulePass, Preserved};
use super::output;
use super::request::Hints;
use super::score::with_and_without_profile;
use crate::ir::{LiveFunction, Module};

/// The pass that prints hints for all functions of a module.
pub(super) struct HintsForModule(pub Hints);

impl ModulePass for HintsForModule {
    fn name(&self) -> &str {
        "rust-bpi<hints>"
    }

    fn run(&self, module: &mut Module<'_>) -> Result<Preserved, Failure> {
        let mut report = HintReport::default();
        module.for_each_live(|live| add(&mut report, &self.0, &live));
        print(report, &self.0, &format!("module '{}'", module.name()))?;
        Ok(Preserved::All)
    }
}

/// Prints hints for one function.
pub(super) fn function(how: &Hints, live: &LiveFunction) -> Result<(), Failure> {
    let mut report = HintReport::default();
    add(&mut report, how, live);
    print(report, how, &format!("function '{}'", live.display_name()))
}

fn add(report: &mut HintReport, how: &Hints, live: &LiveFunction) {
    let dialect = how.common.dialect();
    let facts = live.facts(dialect);
    if facts.measured_entries().is_none() {
        return report.add_unmeasured();
    }
    fault::point("hints", Some(live));
    let predictor = how.common.predictor.as_deref();
    let [measured, predicted] = with_and_without_profile(facts, live, dialect, predictor);
    let branches = score::branches(&measured, &predicted);
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
fn print(mut report: HintReport, how: &Hints, title: &str) -> Result<(), Failure> {
    report.keep(how.limit);
    let mut text = Vec::new();
    match how.json {
        true => report.write_json(&mut text),
        false => report.write_text(title, &mut text),
    }
    output::write(&text, how.common.output.as_ref())
}
