//! What a plugin tells the host of itself.

use std::any::type_name;
use std::mem::take;
use std::sync::Arc;

use super::failure::RegistrationError;
use super::host::{Host, Parse, Preserved};
use super::named_pass::{self, Make, NamedPass, Work};
use super::pipeline;
use super::request::{OptionError, Options};
use crate::ir::{Function, Module};

/// The passes of a plugin; see [`plugin!`](crate::plugin!).
///
/// A pass works on one function, or on the whole module. Its name may stand in `-passes=`: at module position, where a
/// pass on functions covers every defined function in turn, and if it is one, at function position. A name that LLVM or
/// another plugin answers to, or that is registered twice, is an error that ends the process. `BPA_PIPELINE` may name
/// the pass too: `docs/src/guide/builds.md`. A panic in it ends the process with one line that names the pass and the function
/// or module.
///
/// Passes may have options, which stand in angle brackets behind the name and are separated by semicolons:
/// `name<depth=3;verbose>`. [`Options`] has an example. Options that a pass does not have are an error in one line,
/// as is a pass on modules among passes on functions.
///
/// ```
/// use bpa::plugin::{OptionError, Options, Preserved, Registry};
/// use bpa::{Function, Module};
///
/// bpa::plugin!("entries", register);
///
/// fn register(registry: &mut Registry) {
///     registry.add_printer("print-entries", |function| eprintln!("{}", function.name()));
///     registry.add_module_pass_with("count-entries", &["at-least=N"], count);
///     registry.extend("optimizer-last", "count-entries<at-least=100>");
/// }
///
/// fn count(options: &Options) -> Result<impl Fn(&mut Module) -> Preserved, OptionError> {
///     let least = options.number("at-least", 0..=1_000_000)?.unwrap_or(1);
///     Ok(move |module: &mut Module| {
///         let count = module.functions().count();
///         if count >= least {
///             eprintln!("{}: {count} functions", module.name());
///         }
///         Preserved::All
///     })
/// }
/// ```
pub struct Registry<'a> {
    pub(super) host: Host<'a>,
    named: Vec<NamedPass>,
    parsers: Vec<Parse>,
    extensions: Vec<(String, String)>,
}

impl<'a> Registry<'a> {
    pub(super) fn new(host: Host<'a>) -> Self {
        Registry { host, named: Vec::new(), parsers: Vec::new(), extensions: Vec::new() }
    }

    /// Answers to `name` with a pass that changes nothing. It also covers functions marked `optnone`: at module
    /// position always, at function position where the host can tell (LLVM 19 and later).
    pub fn add_printer<P>(&mut self, name: &'static str, printer: P)
    where
        P: Fn(&Function<'_>) + Send + Sync + 'static,
    {
        self.add::<P>(name, &[], without_options(Work::Look(Arc::new(printer))));
    }

    /// The same with the options that are listed: names, with `=` and a word for the value behind those that take one.
    ///
    /// `make` makes the printer of the options that it is given. That may be several times for one element of a
    /// pipeline, while the host reads it.
    pub fn add_printer_with<M, P>(&mut self, name: &'static str, options: &'static [&'static str], make: M)
    where
        M: Fn(&Options<'_>) -> Result<P, OptionError> + Send + Sync + 'static,
        P: Fn(&Function<'_>) + Send + Sync + 'static,
    {
        let make = move |given: &Options<'_>| Ok(Work::Look(Arc::new(make(given)?)));
        self.add::<M>(name, options, Box::new(make));
    }

    /// Answers to `name` with a pass that may change the function, and says what it has left as it was. It keeps away
    /// from functions marked `optnone`, as those of LLVM's passes do that can be done without.
    pub fn add_pass<P>(&mut self, name: &'static str, pass: P)
    where
        P: Fn(&mut Function<'_>) -> Preserved + Send + Sync + 'static,
    {
        self.add::<P>(name, &[], without_options(Work::Change(Arc::new(pass))));
    }

    /// The same with options, as in [`Registry::add_printer_with`].
    pub fn add_pass_with<M, P>(&mut self, name: &'static str, options: &'static [&'static str], make: M)
    where
        M: Fn(&Options<'_>) -> Result<P, OptionError> + Send + Sync + 'static,
        P: Fn(&mut Function<'_>) -> Preserved + Send + Sync + 'static,
    {
        let make = move |given: &Options<'_>| Ok(Work::Change(Arc::new(make(given)?)));
        self.add::<M>(name, options, Box::new(make));
    }

    /// Answers to `name`, at module position, with a pass that works on the module as a whole. It may change whatever
    /// there is, and says what it has left as it was of all functions taken together. Functions that come or go are
    /// noticed: then nothing is preserved.
    ///
    /// As LLVM's own passes on modules it is run on functions marked `optnone` too: whether to leave them alone is
    /// its own business.
    pub fn add_module_pass<P>(&mut self, name: &'static str, pass: P)
    where
        P: Fn(&mut Module<'_>) -> Preserved + Send + Sync + 'static,
    {
        self.add::<P>(name, &[], without_options(Work::Module(Arc::new(pass))));
    }

    /// The same with options, as in [`Registry::add_printer_with`].
    pub fn add_module_pass_with<M, P>(
        &mut self,
        name: &'static str,
        options: &'static [&'static str],
        make: M,
    ) where
        M: Fn(&Options<'_>) -> Result<P, OptionError> + Send + Sync + 'static,
        P: Fn(&mut Module<'_>) -> Preserved + Send + Sync + 'static,
    {
        let make = move |given: &Options<'_>| Ok(Work::Module(Arc::new(make(given)?)));
        self.add::<M>(name, options, Box::new(make));
    }

    /// Has `pass` run at one of LLVM's extension points, in every pipeline that comes by it: those of clang and lld,
    /// and `opt`'s `default<O2>`. `pass` is a name with its options if any, of this plugin or of another that is
    /// loaded before, the passes of the library among them. Passes at one point run in the order in which they are
    /// asked for; those that `BPA_PIPELINE` names come after them.
    ///
    /// A point that the host does not have, and a pass that is not known or cannot stand there, are an error in one
    /// line that ends the process: [`Registry::extension_points`] tells which there are.
    pub fn extend(&mut self, point: &str, pass: &str) {
        self.extensions.push((point.to_string(), pass.to_string()));
    }

    /// The extension points that the host has, by the names that `docs/src/guide/builds.md` explains.
    pub fn extension_points() -> Vec<&'static str> {
        Host::extension_points()
    }

    /// Answers to whatever `parse` reads.
    pub(super) fn answer_to(&mut self, parse: Parse) {
        self.host.answer_to(parse.clone());
        self.parsers.push(parse);
    }

    fn add<P>(&mut self, name: &'static str, options: &'static [&'static str], make: Make) {
        self.named.push(NamedPass { name, options, closure: type_name::<P>(), make });
    }

    /// Tells the host. A name that LLVM or another plugin has answers to them: the pass would never run.
    pub(super) fn finish(mut self, plugin: &str) -> Result<(), RegistrationError> {
        let mut named = take(&mut self.named);
        if let Some(problem) = named_pass::problem(&named) {
            return Err(problem);
        }
        let marks: Vec<_> = named.iter().map(|pass| pass.mark(plugin)).collect();
        named.retain(|pass| self.host.is_first(&pass.mark(plugin)));
        for NamedPass { name, .. } in &named {
            if self.host.knows(name) {
                return Err(RegistrationError::PassExists(name));
            }
        }
        self.answer_to(named_pass::parser(named));
        pipeline::take_offers(&self.host, self.parsers);
        pipeline::extend(&self.host, &self.extensions, &format!("{plugin} {}", marks.join(" ")))?;
        pipeline::follow_variable(&self.host);
        Ok(())
    }
}

fn without_options(work: Work) -> Make {
    Box::new(move |_| Ok(work.clone()))
}
