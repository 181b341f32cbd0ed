//! The passes and extensions that a plugin registers.

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
/// A pass works on one function, or on the whole module. Its name is used in `-passes=`: at module position, where a
/// pass on functions covers every defined function in turn, and, if it is a pass on functions, at function position. A
/// name that LLVM or another plugin has already, or that is registered twice, is an error that ends the process.
/// `BPA_PIPELINE` may name the pass too: `docs/src/guide/builds.md`. A panic in a pass ends the process with one line
/// that names the pass and the function or module.
///
/// Passes may have options in angle brackets behind the name, separated by semicolons: `name<depth=3;verbose>`.
/// [`Options`] has an example. An option that a pass does not have is an error in one line, and so is a pass on modules
/// among passes on functions.
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

    /// Registers `name` as a pass that changes nothing. It also covers functions with `optnone`: always at module
    /// position, at function position from LLVM 19 on.
    pub fn add_printer<P>(&mut self, name: &'static str, printer: P)
    where
        P: Fn(&Function<'_>) + Send + Sync + 'static,
    {
        self.add::<P>(name, &[], without_options(Work::Look(Arc::new(printer))));
    }

    /// The same with a list of options: names, with `=` and a word for the value if the option takes one.
    ///
    /// `make` makes the printer from the given options. It may be called several times for one element of a pipeline,
    /// while the host parses it.
    pub fn add_printer_with<M, P>(&mut self, name: &'static str, options: &'static [&'static str], make: M)
    where
        M: Fn(&Options<'_>) -> Result<P, OptionError> + Send + Sync + 'static,
        P: Fn(&Function<'_>) + Send + Sync + 'static,
    {
        let make = move |given: &Options<'_>| Ok(Work::Look(Arc::new(make(given)?)));
        self.add::<M>(name, options, Box::new(make));
    }

    /// Registers `name` as a pass that may change the function, and returns what it preserves. It skips functions with
    /// `optnone`, as LLVM's optional passes do.
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

    /// Registers `name`, at module position, as a pass on the whole module. It may change everything, and returns what
    /// it preserves of all functions together. If functions were added or deleted, nothing is preserved.
    ///
    /// As LLVM's own module passes, it also runs on functions with `optnone`; it decides itself whether to skip them.
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

    /// Runs `pass` at one of LLVM's extension points, in every pipeline that has it: in clang and lld, and in `opt`'s
    /// `default<O2>`. `pass` is a name with its options, of this plugin or of one that is loaded before; the passes of
    /// the library are among them. Passes at one point run in the order of the requests; passes from `BPA_PIPELINE`
    /// come last.
    ///
    /// An extension point that the host does not have, an unknown pass, and a pass that cannot run there are errors in
    /// one line that end the process. [`Registry::extension_points`] lists the points.
    pub fn extend(&mut self, point: &str, pass: &str) {
        self.extensions.push((point.to_string(), pass.to_string()));
    }

    /// The host's extension points, by the names that `docs/src/guide/builds.md` explains.
    pub fn extension_points() -> Vec<&'static str> {
        Host::extension_points()
    }

    /// Adds the passes that `parse` parses.
    pub(super) fn add_parser(&mut self, parse: Parse) {
        self.host.add_parser(parse.clone());
        self.parsers.push(parse);
    }

    fn add<P>(&mut self, name: &'static str, options: &'static [&'static str], make: Make) {
        self.named.push(NamedPass { name, options, closure: type_name::<P>(), make });
    }

    /// Registers everything with the host. A name that LLVM or another plugin has already is an error: the pass would
    /// never run.
    pub(super) fn finish(mut self, plugin: &str) -> Result<(), RegistrationError> {
        let mut named = take(&mut self.named);
        if let Some(problem) = named_pass::problem(&named) {
            return Err(problem);
        }
        let keys: Vec<_> = named.iter().map(|pass| pass.key(plugin)).collect();
        named.retain(|pass| self.host.is_first(&pass.key(plugin)));
        for NamedPass { name, .. } in &named {
            if self.host.knows(name) {
                return Err(RegistrationError::PassExists(name));
            }
        }
        self.add_parser(named_pass::parser(named));
        pipeline::take_offers(&self.host, self.parsers);
        pipeline::extend(&self.host, &self.extensions, &format!("{plugin} {}", keys.join(" ")))?;
        pipeline::follow_variable(&self.host);
        Ok(())
    }
}

fn without_options(work: Work) -> Make {
    Box::new(move |_| Ok(work.clone()))
}
