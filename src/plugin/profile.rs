//! The profile of one function, for the passes of bpa and, with `rust-analyses`, for those of LLVM. The pass manager caches the profile until the function changes.
//!
//! All analyses of a function use the same cached profile. An analysis must not request another analysis from the pass
//! manager, because the crate llvm-plugin would deadlock.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::fault;
use super::host::ComputeProfile;
use super::request::{Analysis, Mode, Request, RequestOptions};
use crate::host_dialect;
use crate::ir::{KeptProfile, LiveFunction, Module, NumberedProfile, ProfileCache, Results, FITS};
use bpa_core::bpi::{self, Annotation, AnnotationRules, BranchProbabilities, Inexpressible, Probability};
use bpa_core::cfg::Block;
use bpa_core::dialect::Dialect;
use bpa_core::facts::FunctionFacts;
use bpa_core::profile::{Profile, ProfileBuilder};
use bpa_core::Predictor;

/// The cached profile of a function. The profile is computed at its first use. The pass manager drops the profile when
/// the function changes.
#[derive(Default)]
pub(super) struct ProfileCell {
    profile: RefCell<Option<KeptProfile>>,
    /// Results of analyses that plugins define.
    results: Results,
}

impl ProfileCell {
    /// Returns the profile of `live` with everything that `analysis` needs. Computes the parts that the cached profile
    /// does not have.
    pub fn require(&self, live: &LiveFunction, analysis: Analysis) -> Rc<Profile> {
        let mut place = self.profile.borrow_mut();
        let kept = kept(&mut place, live);
        if analysis.needs_frequencies() {
            add_frequencies(&mut kept.profile, live);
        }
        kept.profile.clone()
    }

    /// Drops the block frequencies. Also drops the results of plugins' analyses, because these results can depend on
    /// frequencies. If a pass still uses the profile, the cache drops the whole profile instead.
    pub fn invalidate_frequencies(&self) {
        self.results.clear();
        let mut place = self.profile.borrow_mut();
        match place.as_mut().map(|kept| Rc::get_mut(&mut kept.profile)) {
            Some(Some(profile)) => profile.forget_frequencies(),
            Some(None) => *place = None,
            None => {}
        }
    }

    /// Drops the whole profile, and the results of plugins' analyses.
    pub fn invalidate(&self) {
        self.results.clear();
        *self.profile.borrow_mut() = None;
    }
}

impl ProfileCache for ProfileCell {
    fn profile(&self, live: &LiveFunction) -> NumberedProfile {
        let mut place = self.profile.borrow_mut();
        if let Some(numbered) = kept(&mut place, live).numbered(live) {
            return numbered;
        }
        let new = place.insert(KeptProfile::new(compute(live, host_dialect())));
        new.numbered(live).expect("a new profile has the blocks and edges of its function")
    }

    fn results(&self) -> &Results {
        &self.results
    }
}

/// Returns the cached profile. If the cache is empty, first computes the profile of the function and stores it in the
/// cache.
fn kept<'a>(place: &'a mut Option<KeptProfile>, live: &LiveFunction) -> &'a mut KeptProfile {
    place.get_or_insert_with(|| KeptProfile::new(compute(live, host_dialect())))
}

/// Computes the profile of `live`, with the branch probabilities of the LLVM version that `dialect` describes.
fn compute(live: &LiveFunction, dialect: &'static Dialect) -> Profile {
    compute_from(Profile::builder(live.facts(dialect), dialect), live, None)
}

/// Records that the computation of the branch probabilities of `live` starts.
fn start_probabilities(live: &LiveFunction) {
    log::debug!("computing branch probabilities of '{}'", live.display_name());
    fault::point("probabilities", Some(live));
}

/// Computes the profile of `live`. The facts in `builder` must be the facts of `live`. If `predictor` is `None`, uses
/// LLVM's rules.
pub(super) fn compute_from(
    builder: ProfileBuilder,
    live: &LiveFunction,
    predictor: Option<&Predictor>,
) -> Profile {
    start_probabilities(live);
    let conditions = &mut live.conditions(builder.dialect());
    match predictor {
        None => builder.build_with(conditions),
        Some(predictor) => {
            predictor.profile(builder, conditions, |facts| live.statistics(facts)).expect(FITS)
        }
    }
}

/// Adds block frequencies to the profile if they are missing. Then drops the data from which the frequencies were
/// computed, because this data is rarely needed again.
fn add_frequencies(profile: &mut Rc<Profile>, live: &LiveFunction) {
    if !profile.has_frequencies() {
        log::debug!("computing block frequencies of '{}'", live.display_name());
        fault::point("frequencies", Some(live));
        if let Some(profile) = Rc::get_mut(profile) {
            profile.compute_frequencies();
            profile.forget_structure();
        }
    }
}

/// Computes a profile for the LLVM version, the predictor and the method in `how`. The profile contains frequencies if
/// `analysis` needs frequencies. The profile is not cached.
pub(super) fn compute_as(live: &LiveFunction, analysis: Analysis, how: &RequestOptions) -> Rc<Profile> {
    let dialect = how.dialect();
    let builder = Profile::builder(live.facts(dialect), dialect).method(how.method);
    let mut profile = Rc::new(compute_from(builder, live, how.predictor.as_deref()));
    if analysis.needs_frequencies() {
        add_frequencies(&mut profile, live);
    }
    profile
}

/// The profiles of all functions of `module`, in the module's order. Each profile is equal to the result of
/// [`compute_as`]. A model predicts several functions together, because this is faster.
pub(super) fn compute_all<'a>(
    module: &'a Module<'_>,
    analysis: Analysis,
    how: &'a RequestOptions,
) -> impl Iterator<Item = (LiveFunction<'a>, Rc<Profile>)> {
    let mut functions = module.live_functions();
    let batches = std::iter::from_fn(move || next_batch(&mut functions, how));
    batches.flatten().map(move |(live, profile)| {
        let mut profile = Rc::new(profile);
        if analysis.needs_frequencies() {
            add_frequencies(&mut profile, &live);
        }
        (live, profile)
    })
}

/// The profiles of the next functions, without block frequencies. `None` if there are no more functions.
fn next_batch<'ir>(
    functions: &mut impl Iterator<Item = LiveFunction<'ir>>,
    how: &RequestOptions,
) -> Option<Vec<(LiveFunction<'ir>, Profile)>> {
    let dialect = how.dialect();
    let builder = |live: &LiveFunction| Profile::builder(live.facts(dialect), dialect).method(how.method);
    let live = functions.next()?;
    let Some(predictor) = how.predictor.as_deref() else {
        let profile = compute_from(builder(&live), &live, None);
        return Some(vec![(live, profile)]);
    };
    let (mut batch, mut lives, mut next) = (predictor.batch(), Vec::new(), Some(live));
    while let Some(live) = next {
        start_probabilities(&live);
        let conditions = &mut live.conditions(dialect);
        batch.add(builder(&live), conditions, |facts| live.statistics(facts)).expect(FITS);
        lives.push(live);
        next = if batch.is_full() { None } else { functions.next() };
    }
    Some(lives.into_iter().zip(batch.finish()).collect())
}

/// The profile that `how` requests. Only the profile of the host's LLVM is cached.
pub(super) fn requested(
    live: &LiveFunction,
    analysis: Analysis,
    how: &RequestOptions,
    cell: &ProfileCell,
) -> Rc<Profile> {
    match how.are_hosts() {
        true => cell.require(live, analysis),
        false => compute_as(live, analysis, how),
    }
}

/// Computes the header weights to write into the function `live`.
pub(super) fn plan_header_weights(
    overwrite: bool,
    live: &LiveFunction,
    cell: &ProfileCell,
) -> Vec<(Block, u64)> {
    let weights = cell.require(live, Analysis::Probabilities).plan_header_weights(overwrite);
    log::debug!("{} blocks of '{}' get header weights", weights.len(), live.display_name());
    weights
}

/// Computes the branch weights to write into the function `live`.
///
/// With `overwrite`, the function is predicted without its weights, and the cached profile is not used. If a branch
/// gets no weights, later passes predict the branch by LLVM's rules. If `how` selects LLVM's rules, the later
/// prediction equals the prediction that this function computes.
pub(super) fn plan_annotations(
    how: &RequestOptions,
    live: &LiveFunction,
    cell: &ProfileCell,
) -> Vec<(Block, Annotation)> {
    if !how.overwrite && how.predictor.is_none() {
        return annotations_of(&cell.require(live, Analysis::Probabilities), how, live);
    }
    let host = host_dialect();
    let mut facts = live.facts(host);
    if how.overwrite {
        facts.forget_weights();
    }
    let profile = compute_from(Profile::builder(facts, host), live, how.predictor.as_deref());
    annotations_of(&profile, how, live)
}

/// The branch weights to write into the function `live` if its probabilities are those of `profile`.
fn annotations_of(profile: &Profile, how: &RequestOptions, live: &LiveFunction) -> Vec<(Block, Annotation)> {
    let host = host_dialect();
    let is_like_llvm = how.predictor.as_ref().is_none_or(|predictor| predictor.is_like_llvm());
    let inexpressible = if is_like_llvm { Inexpressible::Skip } else { Inexpressible::Approximate };
    let rules =
        AnnotationRules { skip_even: how.skip_even, callbr: host.reads_callbr_weights, inexpressible };
    let predict = |facts: &FunctionFacts| BranchProbabilities::compute(facts, &mut live.conditions(host));
    bpi::plan_annotations(profile.facts(), profile.branch_probabilities(), rules, predict)
}

/// Computes the profiles that a request for `rust-analyses` describes.
pub(super) struct Replacement(Arc<Request>);

impl Replacement {
    pub fn new(request: Arc<Request>) -> Arc<Self> {
        Arc::new(Replacement(request))
    }
}

impl ComputeProfile for Replacement {
    fn predict(&self, live: &LiveFunction) -> Profile {
        let how = &self.0.options;
        let dialect = how.dialect();
        let builder = Profile::builder(live.facts(dialect), dialect).method(how.method);
        compute_from(builder, live, how.predictor.as_deref())
    }

    fn with_probabilities(&self, facts: FunctionFacts, probabilities: Vec<Probability>) -> Profile {
        let how = &self.0.options;
        Profile::builder(facts, how.dialect()).method(how.method).build_from(probabilities)
    }

    fn is_like_llvm(&self) -> bool {
        self.0.options.are_hosts()
    }

    fn is_checked(&self) -> bool {
        self.0.mode == Mode::Check
    }
}
