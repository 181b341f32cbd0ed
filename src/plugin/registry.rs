//! What a plugin tells the host of itself.

use std::sync::Arc;

use super::host::{Host, Parse, Pass, Preserved};
use super::profile::ProfileCell;
use crate::ir::{Function, LiveFunction};

/// The passes of a plugin; see [`plugin!`](crate::plugin!).
///
/// A pass works on one function. Its name may stand in `-passes=` at function position and at module position, where it
/// covers every defined function in turn. A panic in it ends the process with one line that names the pass and the
/// function.
pub struct Registry<'a> {
    pub(super) host: Host<'a>,
    named: Vec<Arc<NamedPass>>,
}

/// A pass of another plugin.
struct NamedPass {
    name: &'static str,
    work: Work,
}

enum Work {
    Look(Box<dyn Fn(&Function<'_>) + Send + Sync>),
    Change(Box<dyn Fn(&mut Function<'_>) -> Preserved + Send + Sync>),
}

impl<'a> Registry<'a> {
    pub(super) fn new(host: Host<'a>) -> Self {
        Registry { host, named: Vec::new() }
    }

    /// Answers to `name` with a pass that changes nothing. Where the host can tell (LLVM 19 and later), it also covers
    /// functions marked `optnone` at function position; at module position it always does.
    pub fn add_printer<P>(&mut self, name: &'static str, printer: P)
    where
        P: Fn(&Function<'_>) + Send + Sync + 'static,
    {
        self.named.push(Arc::new(NamedPass { name, work: Work::Look(Box::new(printer)) }));
    }

    /// Answers to `name` with a pass that may change the function, and says what it has left as it was.
    pub fn add_pass<P>(&mut self, name: &'static str, pass: P)
    where
        P: Fn(&mut Function<'_>) -> Preserved + Send + Sync + 'static,
    {
        self.named.push(Arc::new(NamedPass { name, work: Work::Change(Box::new(pass)) }));
    }

    /// Tells the host.
    pub(super) fn finish(mut self) {
        let Registry { named, .. } = self;
        let find = move |element: &str| {
            let pass: Arc<dyn Pass> = named.iter().find(|pass| pass.name == element)?.clone();
            Some(Ok(pass))
        };
        self.host.answer_to(Arc::new(find) as Parse);
    }
}

impl Pass for NamedPass {
    fn name(&self) -> &str {
        self.name
    }

    fn is_required(&self) -> bool {
        matches!(self.work, Work::Look(_))
    }

    fn run(&self, live: LiveFunction, _: &ProfileCell) -> Preserved {
        let mut function = Function::of(live);
        match &self.work {
            Work::Look(printer) => {
                printer(&function);
                Preserved::All
            }
            Work::Change(pass) => pass(&mut function),
        }
    }
}
