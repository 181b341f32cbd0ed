//! Runs the passes that `BPA_PIPELINE` and plugins request at extension points. Compilers and linkers have no
//! `-passes=`.
//!
//! Several plugins that link the library may be loaded, and the variable may name passes of all of them. So one plugin
//! reads the variable when all are loaded, which is when the host registers analyses. It offers each pass to all
//! plugins through the pass builder, and the plugin that has the pass adds it. So passes at a point run in the order in
//! which they are named. Requests of a plugin are offered in the same way, as soon as it has registered.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::extensions::{self, VARIABLE};
use super::failure::{Failure, RegistrationError};
use super::guard::guard;
use super::host::{AnyPass, Host, KeyPass, ModulePass, Parse, Pass, Preserved};
use super::named_pass::as_key;
use super::profile::ProfileCell;
use crate::ir::{LiveFunction, Module};

/// The prefix of an offer, which nobody types.
const OFFER: &str = "bpa-extend:";

/// The prefix of the tag of an offer from the variable.
const FROM_VARIABLE: &str = "variable-";

/// One of the plugins adds the passes of the variable.
pub(super) fn follow_variable(host: &Host<'_>) {
    if host.is_first("pipeline") {
        let (handle, is_done) = (host.handle(), Cell::new(false));
        host.when_analyses_register(move || {
            if !is_done.replace(true) {
                // SAFETY: the pass builder owns this closure, and calls it.
                let extend = || extend_by_variable(&unsafe { handle.host() });
                guard(|| format!("following {VARIABLE}"), extend);
            }
        });
    }
}

/// Offers the passes of the variable to all plugins. A request that cannot be met is an error: nothing is ignored
/// silently.
fn extend_by_variable(host: &Host<'_>) -> Result<(), Failure> {
    let Some(text) = std::env::var_os(VARIABLE) else { return Ok(()) };
    let text = text.to_string_lossy();
    let extensions = extensions::parse(&text, &Host::extension_points()).map_err(Failure::Variable)?;
    for (place, extensions::Extension { point, element }) in extensions.iter().enumerate() {
        if !offer(host, &format!("{FROM_VARIABLE}{place}"), point, element) {
            return Err(Failure::VariablePass(element.to_string()));
        }
    }
    Ok(())
}

/// Offers the requests of one plugin, pairs of an extension point and a pass, to all loaded plugins. A copy of the
/// plugin has the same `key` and makes the same offers, which are accepted once.
pub(super) fn extend(
    host: &Host<'_>,
    extensions: &[(String, String)],
    key: &str,
) -> Result<(), RegistrationError> {
    for (place, (point, element)) in extensions.iter().enumerate() {
        extensions::check_point(point, &Host::extension_points())?;
        let tag = as_key(&format!("plugin {key} {place} {point} {element}"));
        if !offer(host, &tag, point, element) {
            return Err(RegistrationError::UnknownPass { pass: element.clone(), point: point.clone() });
        }
    }
    Ok(())
}

/// Whether some plugin accepts the offer. The tag makes each offer unique.
fn offer(host: &Host<'_>, tag: &str, point: &str, element: &str) -> bool {
    // LLVM would split the offer there.
    let is_name = !element.contains([',', '(', ')']);
    is_name && host.knows(&format!("{OFFER}{tag}:{point}:{element}"))
}

/// Makes the plugin accept offers of its passes, which `parsers` parse.
pub(super) fn take_offers(host: &Host<'_>, parsers: Vec<Parse>) {
    let handle = host.handle();
    // LLVM parses an element several times to find out its kind.
    let taken: Mutex<Vec<String>> = Mutex::default();
    let take = move |element: &str| {
        let offer = element.strip_prefix(OFFER)?;
        let (tag, (point, name)) =
            offer.split_once(':').and_then(|(tag, rest)| Some((tag, rest.split_once(':')?)))?;
        let pass = parsers.iter().find_map(|parse| parse(name))?;
        let mut taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
        if !taken.iter().any(|earlier| earlier == offer) {
            taken.push(offer.to_string());
            // SAFETY: the pass builder owns this closure, and calls it.
            let added = pass.and_then(|pass| add(&unsafe { handle.host() }, point, pass, name));
            let asked_by = if tag.starts_with(FROM_VARIABLE) { VARIABLE } else { point };
            let failure = |problem| Failure::Extension { asked_by: asked_by.to_string(), problem };
            guard(|| format!("extending '{point}'"), || added.map_err(failure));
        }
        Some(Ok(AnyPass::OnFunctions(Arc::new(KeyPass))))
    };
    host.add_parser(Arc::new(take));
}

/// Adds a pass at an extension point that the host has.
fn add(host: &Host<'_>, point: &str, pass: AnyPass, name: &str) -> Result<(), String> {
    pass.prepare()?;
    log::debug!("running {name} at {point}");
    let run = Run { point: point.into(), text: name.into(), has_been: false.into() };
    let host_pass = Extension::host_pass(pass, Arc::new(run));
    host.extend(point, host_pass, name).map_err(|error| format!("{error}, as at '{point}'"))
}

/// A pass at an extension point, which records that it has run.
struct Extension<P: ?Sized> {
    pass: Arc<P>,
    run: Arc<Run>,
}

impl Extension<()> {
    /// `pass`, made to record that it has run.
    fn host_pass(pass: AnyPass, run: Arc<Run>) -> AnyPass {
        let noted = run.clone();
        let on_functions = |pass| -> Arc<dyn Pass> { Arc::new(Extension { pass, run }) };
        let on_module = |pass| -> Arc<dyn ModulePass> { Arc::new(Extension { pass, run: noted }) };
        match pass {
            AnyPass::OnFunctions(pass) => AnyPass::OnFunctions(on_functions(pass)),
            AnyPass::OnModule(pass) => AnyPass::OnModule(on_module(pass)),
            AnyPass::Either { functions, module } => {
                AnyPass::Either { functions: on_functions(functions), module: on_module(module) }
            }
        }
    }
}

impl Pass for Extension<dyn Pass> {
    fn name(&self) -> &str {
        self.pass.name()
    }

    fn is_required(&self) -> bool {
        self.pass.is_required()
    }

    fn run(&self, live: LiveFunction, cell: &ProfileCell) -> Result<Preserved, Failure> {
        self.run.has_been.store(true, Ordering::Relaxed);
        self.pass.run(live, cell)
    }
}

impl ModulePass for Extension<dyn ModulePass> {
    fn name(&self) -> &str {
        self.pass.name()
    }

    fn run(&self, module: &mut Module<'_>) -> Result<Preserved, Failure> {
        self.run.has_been.store(true, Ordering::Relaxed);
        self.pass.run(module)
    }
}

/// Whether a pass at an extension point has run.
struct Run {
    point: String,
    text: String,
    has_been: AtomicBool,
}

/// Each kind of compilation runs some of the extension points.
impl Drop for Run {
    fn drop(&mut self) {
        if !self.has_been.load(Ordering::Relaxed) {
            log::debug!(
                "{} at {} has run on nothing: this pipeline does not run it there",
                self.text,
                self.point
            );
        }
    }
}
