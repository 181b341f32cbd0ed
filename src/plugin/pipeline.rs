//! Runs the passes that `BPA_PIPELINE` and plugins request at extension points. Extension points are necessary because
//! compilers and linkers have no option `-passes=`.
//!
//! The host can load several plugins that link this library, and `BPA_PIPELINE` can name passes of each plugin. Each
//! plugin reads the variable when it registers, and sends the name of each pass to the parsers of all plugins that
//! have registered so far, through the pass builder. The plugin that defines the pass adds the pass to the pipeline. If
//! no plugin has the pass yet, the later passes of the same extension point wait for the next plugin. Passes at one
//! extension point therefore run in the order of the variable. The code of a plugin can also request passes. After the
//! plugin has registered its own passes, it sends the name of each requested pass to the parsers of all plugins.
//!
//! Passes are only added while a plugin registers, because a host can copy or move its pass builder afterwards.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::extensions::{self, AUDIT, VARIABLE};
use super::guard::guard;
use super::host::{Host, OnFunction, OnModule, Parse, Pass};
use super::message::Failure;
use super::named_pass::as_key;
use super::profile::Replacement;
use super::request::{Mode, Request};

/// The prefix of a pipeline element that asks all plugins to add a pass: `PREFIX ADDRESS:TAG:POINT:PASS`, with the
/// address of the pass builder. Users do not type this prefix. Such an element is called an offer.
const OFFER: &str = "bpa-extend:";

/// Offers for passes of `BPA_PIPELINE` have a tag that begins with this prefix.
const FROM_VARIABLE: &str = "variable-";

/// The tag of an offer that only asks whether a plugin has the pass. No plugin adds the pass. The extension point of
/// such an offer is empty.
const QUESTION: &str = "question";

/// The pipeline element by which a plugin announces that it reads `BPA_PIPELINE`.
const READS_VARIABLE: &str = "bpa-reads-variable";

/// Adds the passes of `BPA_PIPELINE` that a plugin defines. When the host registers analyses, the plugin that has read
/// the variable last reports errors, because it knows the passes of all plugins.
pub(super) fn follow_variable(host: &Host<'_>) {
    let Some(text) = std::env::var_os(VARIABLE) else { return };
    // No parser accepts the element, so all earlier plugins get it.
    host.accepts(READS_VARIABLE);
    let outcome = extend_by_variable(host, &text.to_string_lossy());
    let is_last = Arc::new(AtomicBool::new(true));
    let listener = is_last.clone();
    host.add_parser(Arc::new(move |element: &str| {
        if element == READS_VARIABLE {
            listener.store(false, Ordering::Relaxed);
        }
        None
    }));
    host.when_analyses_register(move |analyses| {
        if !is_last.load(Ordering::Relaxed) {
            return;
        }
        let result = || outcome.as_ref().map(Clone::clone).map_err(|error| Failure(error.0.clone()));
        if let Some(replacement) = guard(|| VARIABLE.to_string(), result) {
            analyses.replace(replacement, None);
        }
    });
}

/// For each pass in `BPA_PIPELINE`, asks all plugins to add the pass. Returns an error if no plugin has a pass of this
/// name. The result is the last request for `rust-analyses` without an extension point.
fn extend_by_variable(host: &Host<'_>, text: &str) -> Result<Option<Arc<Replacement>>, Failure> {
    let is_pass = |element: &str| offer(host, QUESTION, "", element);
    let extensions = extensions::parse(text, &Host::extension_points(), is_pass)
        .map_err(|error| Failure(format!("{VARIABLE}: {error}")))?;
    let (mut replacement, mut unknown) = (None, Vec::new());
    for (place, extensions::Extension { point, element }) in extensions.iter().enumerate() {
        let Some(point) = point else {
            if element.starts_with(AUDIT) {
                audit(host, place, element)?;
                continue;
            }
            let request = Request::parse(&format!("rust-{element}")).expect("a pass of this library");
            let request = request.map_err(|error| Failure(format!("{VARIABLE}: {error}")))?;
            replacement = Some(Replacement::new(request.into()));
            continue;
        };
        let waits = unknown.iter().any(|&(earlier, _)| earlier == point);
        if !waits && !offer(host, &format!("{FROM_VARIABLE}{place}"), point, element) {
            unknown.push((point, element));
        }
    }
    match unknown.first() {
        Some((_, element)) => Err(Failure(format!("{VARIABLE}: unknown pass '{element}'"))),
        None => Ok(replacement),
    }
}

/// Adds an audit to the pipelines. An audit begins as early as possible, and waits for the pass that reads the profile.
/// In the back end of ThinLTO, the point `pipeline-start` does not exist.
fn audit(host: &Host<'_>, place: usize, element: &str) -> Result<(), Failure> {
    let (begin, end) = ("rust-audit<begin>".to_string(), format!("rust-{element}"));
    let request = Request::parse(&end).expect("a pass of this library");
    if request.map_err(|error| Failure(format!("{VARIABLE}: {error}")))?.mode == Mode::Begin {
        return Err(Failure(format!(
            "{VARIABLE}: '{element}': write 'audit', which begins and ends an audit"
        )));
    }
    let points = [
        ("pipeline-start", &begin),
        ("pipeline-early-simplification", &begin),
        ("full-lto-early", &begin),
        ("optimizer-last", &end),
        ("full-lto-last", &end),
    ];
    let known = Host::extension_points();
    for (point, pass) in points.into_iter().filter(|(point, _)| known.contains(point)) {
        offer(host, &format!("{FROM_VARIABLE}{place}-{point}"), point, pass);
    }
    Ok(())
}

/// One plugin requests these passes. For each request, this function calls the parsers of all loaded plugins. The
/// plugin that defines the requested pass then adds this pass to the pipeline. Each request consists of an extension
/// point and a pass. If the plugin is loaded twice, both copies have the same `key` and make the same requests. Only
/// the first of two equal requests adds a pass.
pub(super) fn extend(host: &Host<'_>, extensions: &[(String, String)], key: &str) -> Result<(), Failure> {
    for (place, (point, element)) in extensions.iter().enumerate() {
        extensions::check_point(point, &Host::extension_points())?;
        let tag = as_key(&format!("plugin {key} {place} {point} {element}"));
        if !offer(host, &tag, point, element) {
            return Err(Failure(format!("unknown pass '{element}' for the extension point '{point}'")));
        }
    }
    Ok(())
}

/// Asks all plugins to add a pass. Returns whether a plugin has added the pass, now or for an earlier offer with the
/// same `tag`.
fn offer(host: &Host<'_>, tag: &str, point: &str, element: &str) -> bool {
    // LLVM would split a pass name at commas and parentheses.
    let is_name = !element.contains([',', '(', ')']);
    let asks = || host.accepts(&format!("{OFFER}{:x}:{tag}:{point}:{element}", host.address()));
    let key = format!("offer-{tag}");
    is_name && (host.is_registered(&key) || asks() && (tag == QUESTION || host.is_first(&key)))
}

/// Adds a parser to the host. If another plugin requests a pass, and one of `parsers` accepts the name of the pass,
/// this plugin adds the pass.
pub(super) fn take_offers(host: &Host<'_>, parsers: Vec<Parse>) {
    let address = host.address();
    // LLVM parses an element several times to determine its kind.
    let last: Mutex<String> = Mutex::default();
    let take = move |element: &str| {
        let (builder, offer) = element.strip_prefix(OFFER)?.split_once(':')?;
        let (tag, rest) = offer.split_once(':')?;
        let (point, name) = rest.split_once(':')?;
        // If the host has copied or moved its pass builder, the builder of the offer is another one.
        if builder != format!("{address:x}") {
            return None;
        }
        let pass = parsers.iter().find_map(|parse| parse(name))?;
        if tag == QUESTION {
            return Some(Ok(Pass::of_key()));
        }
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if *last != offer {
            *last = offer.to_string();
            // SAFETY: `offer` sends the address of the builder that it uses, so the builder is alive.
            let host = unsafe { Host::at(address) };
            let added = pass.and_then(|pass| add(&host, point, pass, name));
            let requested_by = if tag.starts_with(FROM_VARIABLE) { VARIABLE } else { point };
            let failure = |error| Failure(format!("{requested_by}: {error}"));
            guard(|| format!("the extension point '{point}'"), || added.map_err(failure));
        }
        Some(Ok(Pass::of_key()))
    };
    host.add_parser(Arc::new(take));
}

/// Adds a pass at an extension point of the host.
fn add(host: &Host<'_>, point: &str, pass: Pass, name: &str) -> Result<(), Failure> {
    pass.prepare()?;
    log::debug!("running {name} at {point}");
    let run = Run { point: point.into(), text: name.into(), has_run: false.into() };
    host.extend(point, recorded(pass, run), name)
        .map_err(|error| Failure(format!("{error}, as at '{point}'")))
}

/// Returns a pass that first records its run in `run`, and then runs `pass`.
fn recorded(pass: Pass, run: Run) -> Pass {
    let run = Arc::new(run);
    let in_module = run.clone();
    let on_function = pass.on_function.map(|work| -> OnFunction {
        Arc::new(move |live, cell| {
            run.has_run.store(true, Ordering::Relaxed);
            work(live, cell)
        })
    });
    let on_module = pass.on_module.map(|work| -> OnModule {
        Arc::new(move |module, functions| {
            in_module.has_run.store(true, Ordering::Relaxed);
            work(module, functions)
        })
    });
    Pass { on_function, on_module, ..pass }
}

/// Records whether a pass at an extension point has run.
struct Run {
    point: String,
    text: String,
    has_run: AtomicBool,
}

/// Reports a pass that has not run. Each kind of compilation uses only some of the extension points.
impl Drop for Run {
    fn drop(&mut self) {
        if !self.has_run.load(Ordering::Relaxed) {
            log::debug!(
                "{} at {} has not run because this pipeline does not use the extension point",
                self.text,
                self.point
            );
        }
    }
}
