//! Prints training data: the features that predictors use.

use bpa_core::features::View;
use bpa_core::report::{self, ScoredFunction};

use super::failure::Failure;
use super::fault;
use super::output;
use super::request::RequestOptions;
use super::score::with_and_without_profile;
use crate::ir::{LiveFunction, FITS};

/// Prints the features of all branches of a function.
pub(super) fn function(how: &RequestOptions, live: &LiveFunction) -> Result<(), Failure> {
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
