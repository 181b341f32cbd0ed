//! The profile of one function, cached by the pass manager until the function changes.
//!
//! There is one cached object per function for all analyses. They share its facts, and no analysis has to ask the pass
//! manager for another one, on which llvm-plugin deadlocks.

use std::cell::RefCell;
use std::rc::Rc;

use bpa_core::bfi::FrequencyMethod;
use bpa_core::bpi::{self, Annotation, AnnotationRules, BranchProbabilities, Inexpressible, Probability};
use bpa_core::cfg::Block;
use bpa_core::dialect::Dialect;
use bpa_core::facts::FunctionFacts;
use bpa_core::model::ModelPart;
use bpa_core::profile::{Profile, ProfileBuilder};
use bpa_core::Predictor;

use super::fault;
use super::request::{Annotate, AnnotateHeaders};
use crate::host_dialect;
use crate::ir::{KeptProfile, LiveFunction, NumberedProfile, ProfileCache, SelectInstructions};

/// The cached profile of a function, computed when first needed. The pass manager drops it when the function changes.
#[derive(Default)]
pub(super) struct ProfileCell(RefCell<Option<KeptProfile>>);

/// The analyses that a profile needs to have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Probabilities,
    Frequencies,
}

impl ProfileCell {
    /// The profile of `live` with the `wanted` analyses, computed now if it has none.
    pub fn require(&self, live: &LiveFunction, wanted: Wanted) -> Rc<Profile> {
        let mut place = self.0.borrow_mut();
        let kept = kept(&mut place, live);
        if wanted == Wanted::Frequencies {
            add_frequencies(&mut kept.profile, live);
        }
        kept.profile.clone()
    }

    /// Drops the block frequencies, which depend on everything else. If a pass still holds the profile, it keeps it,
    /// and the cache drops all of it.
    pub fn invalidate_frequencies(&self) {
        let mut place = self.0.borrow_mut();
        match place.as_mut().map(|kept| Rc::get_mut(&mut kept.profile)) {
            Some(Some(profile)) => profile.forget_frequencies(),
            Some(None) => *place = None,
            None => {}
        }
    }

    /// Drops the profile.
    pub fn invalidate(&self) {
        *self.0.borrow_mut() = None;
    }
}

impl ProfileCache for ProfileCell {
    fn profile(&self, live: &LiveFunction) -> NumberedProfile {
        let mut place = self.0.borrow_mut();
        if let Some(numbered) = kept(&mut place, live).numbered(live) {
            return numbered;
        }
        let fresh = place.insert(KeptProfile::new(compute(live, host_dialect())));
        fresh.numbered(live).expect("the profile of what is there")
    }
}

/// The cached profile in `place`; computes the profile of `live` if there is none.
fn kept<'a>(place: &'a mut Option<KeptProfile>, live: &LiveFunction) -> &'a mut KeptProfile {
    place.get_or_insert_with(|| KeptProfile::new(compute(live, host_dialect())))
}

/// The profile of `live` with branch probabilities, as the LLVM of `dialect` computes them.
fn compute(live: &LiveFunction, dialect: &'static Dialect) -> Profile {
    compute_from(Profile::builder(live.facts(dialect), dialect), live, None)
}

/// The same from a `builder` with the facts of `live`, and by `predictor` instead of LLVM's rules if there is one.
pub(super) fn compute_from(
    builder: ProfileBuilder,
    live: &LiveFunction,
    predictor: Option<&Predictor>,
) -> Profile {
    log::debug!("computing branch probabilities of '{}'", live.display_name());
    fault::point("probabilities", Some(live));
    let conditions = &mut live.conditions(builder.dialect());
    match predictor {
        None => builder.build_with(conditions),
        Some(predictor) => predictor.profile(builder, conditions, |facts| live.contents(facts)),
    }
}

/// Adds block frequencies, unless there are some. The structures that they were computed from are rarely needed again,
/// and are dropped.
fn add_frequencies(profile: &mut Rc<Profile>, live: &LiveFunction) {
    if !profile.has_frequencies() {
        log::debug!("computing block frequencies of '{}'", live.display_name());
        fault::point("frequencies", Some(live));
        if let Some(missed) = profile.block_frequencies().residual() {
            log::debug!("each equation of '{}' holds to {missed:.5} of its frequency", live.display_name());
        }
        if let Some(profile) = Rc::get_mut(profile) {
            profile.forget_structure();
        }
    }
}

/// The profile for another LLVM than the host, or by other rules or another method, with the `wanted` analyses. It is
/// not cached.
pub(super) fn compute_as(
    live: &LiveFunction,
    wanted: Wanted,
    dialect: &'static Dialect,
    predictor: Option<&Predictor>,
    method: FrequencyMethod,
) -> Rc<Profile> {
    let builder = Profile::builder(live.facts(dialect), dialect).method(method);
    let mut profile = Rc::new(compute_from(builder, live, predictor));
    if wanted == Wanted::Frequencies {
        add_frequencies(&mut profile, live);
    }
    profile
}

/// Plans which header weights to write on `live`.
pub(super) fn plan_header_weights(
    how: AnnotateHeaders,
    live: &LiveFunction,
    cell: &ProfileCell,
) -> Vec<(Block, u64)> {
    let weights = cell.require(live, Wanted::Probabilities).plan_header_weights(how.overwrite);
    log::debug!("{} blocks of '{}' get weights of headers", weights.len(), live.display_name());
    weights
}

/// Plans which branch weights to write on `live`.
///
/// With `overwrite`, predictions start from the function without weights, whatever the cache has. A branch that stays
/// without weights is predicted by LLVM's rules in later passes, which is the same if LLVM's rules were used here.
pub(super) fn plan_annotations(
    how: &Annotate,
    live: &LiveFunction,
    cell: &ProfileCell,
) -> Vec<(Block, Annotation)> {
    let host = host_dialect();
    let is_like_llvm = how.predictor.as_ref().is_none_or(|predictor| predictor.is_like_llvm());
    let inexpressible = if is_like_llvm { Inexpressible::Skip } else { Inexpressible::Approximate };
    let rules = AnnotationRules {
        skip_even: how.skip_even,
        at_least: how.at_least,
        sharpen: how.raise,
        callbr: host.reads_callbr_weights,
        inexpressible,
    };
    let predict = |facts: &FunctionFacts| BranchProbabilities::compute(facts, &mut live.conditions(host));
    let plan = |profile: &Profile| {
        bpi::plan_annotations(profile.facts(), profile.branch_probabilities(), rules, predict)
    };
    if how.overwrite || how.predictor.is_some() {
        let mut facts = live.facts(host);
        if how.overwrite {
            facts.forget_weights();
        }
        plan(&compute_from(Profile::builder(facts, host), live, how.predictor.as_deref()))
    } else {
        plan(&cell.require(live, Wanted::Probabilities))
    }
}

/// Weights for selects, by their places.
pub(super) type SelectWeights = Vec<(usize, [u32; 2])>;

/// Whether one of two outcomes is at least as likely as `least`.
fn is_as_sure([first, second]: [u32; 2], least: Probability) -> bool {
    let (likelier, sum) = (u128::from(first.max(second)), u128::from(first) + u128::from(second));
    likelier * u128::from(Probability::DENOMINATOR) >= sum * u128::from(least.numerator())
}

/// Plans which branch weights to write on selects of `live`. LLVM's rules do not predict selects; only a model may.
pub(super) fn plan_select_weights(
    how: &Annotate,
    live: &LiveFunction,
) -> Option<(SelectInstructions, SelectWeights)> {
    let model = how.predictor.as_ref()?.model()?;
    model.part(ModelPart::Select)?;
    let host = host_dialect();
    let facts = live.facts(host);
    let (contents, instructions) = live.contents_with_selects(&facts, host);
    let conditions = &mut live.conditions(host);
    let mut weights = model.predict_selects(&facts, &contents, how.overwrite, conditions, host);
    weights.retain(|(_, weights)| is_as_sure(*weights, how.at_least));
    log::debug!("{} selects of '{}' get weights", weights.len(), live.display_name());
    Some((instructions, weights))
}
