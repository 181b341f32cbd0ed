//! Compares the static predictions for a module or a function with the profile in the IR, and prints both as training data.

use super::message::Failure;
use super::request::RequestOptions;
use super::{fault, output, profile};
use crate::ir::{BlockNames, LiveFunction, Module, FITS};
use bpa_core::dialect::{BlockNameStyle, Dialect};
use bpa_core::facts::FunctionFacts;
use bpa_core::features::View;
use bpa_core::profile::Profile;
use bpa_core::report::{self, ScoreTable, ScoredFunction};
use bpa_core::score::{self, Branch};
use bpa_core::Predictor;

/// Compares the predictions for all functions of a module with the module's profile.
pub(super) fn module(how: &RequestOptions, module: &Module<'_>) -> Result<(), Failure> {
    let mut report = Report::new(how);
    module.for_each_live(|live| report.add(&live));
    report.print(&format!("module '{}'", module.name()))
}

/// Compares the predictions for one function with the function's profile.
pub(super) fn function(how: &RequestOptions, live: &LiveFunction) -> Result<(), Failure> {
    let mut report = Report::new(how);
    report.add(live);
    report.print(&format!("function '{}'", live.display_name()))
}

/// Computes two profiles of a function. The first profile is computed from all `facts`, including the profile in the
/// IR. The second profile contains static predictions and ignores the profile in the IR. If `predictor` is `None`,
/// these predictions come from LLVM's rules. The caller must [ignore](LiveFunction::ignore_expectations) expectations.
pub(super) fn with_and_without_profile(
    facts: FunctionFacts,
    live: &LiveFunction,
    dialect: &'static Dialect,
    predictor: Option<&Predictor>,
) -> [Profile; 2] {
    let mut without = facts.clone();
    without.forget_profile();
    let measured = profile::compute_from(Profile::builder(facts, dialect), live, None);
    [measured, profile::compute_from(Profile::builder(without, dialect), live, predictor)]
}

/// The collected output of a comparison.
struct Report<'a> {
    how: &'a RequestOptions,
    dialect: &'static Dialect,
    table: ScoreTable,
    lines: Vec<u8>,
}

impl<'a> Report<'a> {
    fn new(how: &'a RequestOptions) -> Self {
        Report { how, dialect: how.dialect(), table: ScoreTable::default(), lines: Vec::new() }
    }

    fn add(&mut self, live: &LiveFunction) {
        let _ignored = live.ignore_expectations();
        let facts = live.facts(self.dialect);
        if facts.measured_entries().is_none() {
            return self.table.add_unmeasured();
        }
        fault::point("score", Some(live));
        let [measured, predicted] =
            with_and_without_profile(facts, live, self.dialect, self.how.predictor.as_deref());
        let branches = score::branches(&measured, &predicted);
        if self.how.json {
            self.add_lines(live, &measured, &predicted, &branches);
        } else {
            self.add_to_table(live, &branches);
        }
    }

    fn add_to_table(&mut self, live: &LiveFunction, branches: &[Branch]) {
        let names = BlockNames::new(live, BlockNameStyle::Operand);
        for branch in branches {
            self.table.add(branch, || {
                let position = live.branch_position(branch.block).map(|position| format!(", {position}"));
                let (block, function) = (names.operand(branch.block), live.display_name());
                format!("{block} in {function}{}", position.unwrap_or_default())
            });
        }
    }

    fn add_lines(
        &mut self,
        live: &LiveFunction,
        measured: &Profile,
        predicted: &Profile,
        branches: &[Branch],
    ) {
        let (names, source) = (&live.names(), &live.source());
        let function = ScoredFunction { names, is_local: live.is_local(), measured, predicted, source };
        let mut conditions = live.conditions(self.dialect);
        let mut explainer = predicted.explainer(&mut conditions);
        let ir_text = live.ir_text(self.dialect);
        report::write_score_json(&function, branches, &mut explainer, &ir_text, &mut self.lines);
    }

    /// Prints the whole report with one write, because other output must not be mixed with the report.
    fn print(mut self, title: &str) -> Result<(), Failure> {
        if !self.how.json {
            let by = self.how.predictor.as_ref().map(|predictor| format!(", predictor {}", predictor.name()));
            self.table.write(&format!("{title}{}", by.unwrap_or_default()), &mut self.lines);
        }
        output::write(&self.lines, self.how.output.as_ref())
    }
}

/// Prints the features of all branches of a function.
pub(super) fn print_features(how: &RequestOptions, live: &LiveFunction) -> Result<(), Failure> {
    let dialect = how.dialect();
    let facts = live.facts(dialect);
    fault::point("features", Some(live));
    let statistics = live.statistics(&facts);
    let [measured, predicted] = &with_and_without_profile(facts, live, dialect, None);
    let (names, source) = (&live.names(), &live.source());
    let function = ScoredFunction { names, is_local: live.is_local(), measured, predicted, source };
    let mut lines = Vec::new();
    let view = View::new(predicted, &statistics).expect(FITS);
    report::write_features_json(&function, &view, &mut lines);
    output::write(&lines, how.output.as_ref())
}
