//! Runs what `BPA_PIPELINE` asks for at the extension points of compilers and linkers, which have no `-passes=`.
//!
//! Several plugins of the library may be loaded, and the variable may name passes of all of them. So it is looked at when
//! all are there, which is when the host has analyses registered, and by one of them, which offers each pass in turn to all
//! through the pass builder: whoever has it adds it. That way passes stand at a point in the order in which they are named.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::extensions::{self, VARIABLE};
use super::guard::{give_up, guard};
use super::host::{Host, Mark, Parse, Pass, Preserved};
use super::profile::ProfileCell;
use crate::ir::LiveFunction;

/// What an offer begins with: nobody types it.
const OFFER: &str = "bpa-extend:";

/// Has the plugin, whose elements are read by `parsers`, take part.
pub(super) fn follow(host: &mut Host<'_>, parsers: Vec<Parse>) {
    take_offers(host, parsers);
    if host.is_first("pipeline") {
        let (handle, is_done) = (host.handle(), Cell::new(false));
        host.when_analyses_register(move || {
            if !is_done.replace(true) {
                // SAFETY: the pass builder owns this function, and calls it.
                guard(|| format!("following {VARIABLE}"), || extend(&mut unsafe { handle.host() }));
            }
        });
    }
}

/// Offers to all plugins what the variable asks for. A request that cannot be met ends the process: nothing is ignored
/// silently.
fn extend(host: &mut Host<'_>) {
    let Some(text) = std::env::var_os(VARIABLE) else { return };
    let text = text.to_string_lossy();
    let extensions = extensions::parse(&text, &Host::extension_points())
        .unwrap_or_else(|error| give_up(&format!("{VARIABLE}: {error}")));
    for (place, extension) in extensions.iter().enumerate() {
        let extensions::Extension { point, element } = extension;
        // LLVM would split the offer there.
        let is_name = !element.contains(['(', ')']);
        if !is_name || !host.knows(&format!("{OFFER}{place}:{point}:{element}")) {
            give_up(&format!("{VARIABLE}: unknown pass '{element}'"));
        }
    }
}

/// Has the plugin take offers of what it has.
fn take_offers(host: &mut Host<'_>, parsers: Vec<Parse>) {
    let handle = host.handle();
    // LLVM reads an element several times to find out what it is.
    let taken: Mutex<Vec<String>> = Mutex::default();
    let take = move |element: &str| {
        let offer = element.strip_prefix(OFFER)?;
        let (point, name) = offer.split_once(':')?.1.split_once(':')?;
        let pass = parsers.iter().find_map(|parse| parse(name))?;
        let pass = pass.and_then(|pass| pass.prepare().map(|()| pass));
        let pass = pass.unwrap_or_else(|error| give_up(&format!("{VARIABLE}: {error}")));
        let mut taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
        if !taken.iter().any(|earlier| earlier == offer) {
            taken.push(offer.to_string());
            log::debug!("running {name} at {point}");
            let pass = Extension { pass, point: point.into(), text: name.into(), has_run: false.into() };
            // SAFETY: the pass builder owns this function, and calls it.
            unsafe { handle.host() }.extend(point, Arc::new(pass), name);
        }
        let mark: Arc<dyn Pass> = Arc::new(Mark);
        Some(Ok(mark))
    };
    host.answer_to(Arc::new(take));
}

/// A pass at an extension point.
struct Extension {
    pass: Arc<dyn Pass>,
    point: String,
    text: String,
    has_run: AtomicBool,
}

impl Pass for Extension {
    fn name(&self) -> &str {
        self.pass.name()
    }

    fn is_required(&self) -> bool {
        self.pass.is_required()
    }

    fn run(&self, live: LiveFunction, cell: &ProfileCell) -> Preserved {
        self.has_run.store(true, Ordering::Relaxed);
        self.pass.run(live, cell)
    }
}

/// Each kind of compilation runs some of the extension points.
impl Drop for Extension {
    fn drop(&mut self) {
        if !self.has_run.load(Ordering::Relaxed) {
            log::debug!(
                "{} at {} has run on no function: this pipeline does not run it there",
                self.text,
                self.point
            );
        }
    }
}
