//! What a plugin tells the host of itself.

use std::any::type_name;
use std::mem::take;
use std::sync::Arc;

use super::guard::give_up;
use super::host::{Host, Parse, Pass, Preserved};
use super::pipeline;
use super::profile::ProfileCell;
use crate::ir::{Function, LiveFunction};

/// The passes of a plugin; see [`plugin!`](crate::plugin!).
///
/// A pass works on one function. Its name may stand in `-passes=` at function position and at module position, where it
/// covers every defined function in turn. A name that LLVM or another plugin answers to, or that is registered twice, is
/// an error that ends the process. `BPA_PIPELINE` may name the pass too: `docs/hosts.md`. A panic in it ends the process with one line that names the pass and the
/// function.
pub struct Registry<'a> {
    pub(super) host: Host<'a>,
    named: Vec<Arc<NamedPass>>,
    parsers: Vec<Parse>,
}

/// A pass of another plugin.
struct NamedPass {
    name: &'static str,
    /// The type of the function, by which the same pass of a copy of the plugin is told from another of this name.
    function: &'static str,
    work: Work,
}

enum Work {
    Look(Box<dyn Fn(&Function<'_>) + Send + Sync>),
    Change(Box<dyn Fn(&mut Function<'_>) -> Preserved + Send + Sync>),
}

impl<'a> Registry<'a> {
    pub(super) fn new(host: Host<'a>) -> Self {
        Registry { host, named: Vec::new(), parsers: Vec::new() }
    }

    /// Answers to `name` with a pass that changes nothing. Where the host can tell (LLVM 19 and later), it also covers
    /// functions marked `optnone` at function position; at module position it always does.
    pub fn add_printer<P>(&mut self, name: &'static str, printer: P)
    where
        P: Fn(&Function<'_>) + Send + Sync + 'static,
    {
        self.add(NamedPass { name, function: type_name::<P>(), work: Work::Look(Box::new(printer)) });
    }

    /// Answers to `name` with a pass that may change the function, and says what it has left as it was.
    pub fn add_pass<P>(&mut self, name: &'static str, pass: P)
    where
        P: Fn(&mut Function<'_>) -> Preserved + Send + Sync + 'static,
    {
        self.add(NamedPass { name, function: type_name::<P>(), work: Work::Change(Box::new(pass)) });
    }

    /// Answers to whatever `parse` reads.
    pub(super) fn answer_to(&mut self, parse: Parse) {
        self.host.answer_to(parse.clone());
        self.parsers.push(parse);
    }

    fn add(&mut self, pass: NamedPass) {
        self.named.push(Arc::new(pass));
    }

    /// Tells the host. A name that LLVM or another plugin has answers to them: the pass would never run.
    pub(super) fn finish(mut self, plugin: &str) {
        let mut named = take(&mut self.named);
        let names: Vec<_> = named.iter().map(|pass| pass.name).collect();
        if let Some(problem) = wrong_name(&names) {
            give_up(&problem);
        }
        named.retain(|pass| self.host.is_first(&pass.mark(plugin)));
        for NamedPass { name, .. } in named.iter().map(|pass| &**pass) {
            if self.host.knows(name) {
                give_up(&format!("LLVM or another plugin has a pass by the name of '{name}' already"));
            }
        }
        let find = move |element: &str| {
            let pass: Arc<dyn Pass> = named.iter().find(|pass| pass.name == element)?.clone();
            Some(Ok(pass))
        };
        self.answer_to(Arc::new(find));
        pipeline::follow(&mut self.host, self.parsers);
    }
}

/// What is wrong with the names of a plugin's passes.
fn wrong_name(names: &[&str]) -> Option<String> {
    names.iter().enumerate().find_map(|(place, name)| {
        if names[..place].contains(name) {
            Some(format!("a pass by the name of '{name}' is registered twice"))
        } else if name.is_empty() || name.contains([',', '(', ')']) {
            // LLVM splits a pipeline there.
            Some(format!("no pass can go by the name of '{name}'"))
        } else {
            None
        }
    })
}

impl NamedPass {
    /// What marks it as registered: the same in a copy of the plugin.
    fn mark(&self, plugin: &str) -> String {
        let mut mark = String::new();
        for c in format!("{plugin} {} {}", self.name, self.function).chars() {
            match c {
                'a'..='z' | 'A'..='Z' | '0'..='9' => mark.push(c),
                // LLVM would split the mark at some of the others.
                _ => mark.push_str(&format!("-{:x}-", u32::from(c))),
            }
        }
        mark
    }
}

impl Pass for NamedPass {
    fn name(&self) -> &str {
        self.name
    }

    fn is_required(&self) -> bool {
        matches!(self.work, Work::Look(_))
    }

    fn run(&self, live: LiveFunction, cell: &ProfileCell) -> Preserved {
        let mut function = Function::with_cache(&live, cell);
        match &self.work {
            Work::Look(printer) => {
                printer(&function);
                Preserved::All
            }
            Work::Change(pass) => pass(&mut function),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_leads_nowhere_is_wrong() {
        assert_eq!(wrong_name(&["a", "b", "count<all>"]), None);
        let twice = "a pass by the name of 'a' is registered twice";
        assert_eq!(wrong_name(&["a", "b", "a"]).as_deref(), Some(twice));
        for name in ["", "a,b", "a(b)"] {
            assert_eq!(wrong_name(&[name]), Some(format!("no pass can go by the name of '{name}'")));
        }
    }
}
