//! Registers the passes and extensions of a plugin.

use std::any::type_name;
use std::mem::take;

use super::host::{Host, Parse, Pass, Preserved};
use super::message::Failure;
use super::named_pass::{self, Make, NamedPass};
use super::pipeline;
use super::request::{OptionError, Options};
use crate::ir::{Function, Module};

/// The passes of a plugin. See [`plugin!`](crate::plugin!).
///
/// A pass works on one function or on the whole module. Users request a pass by its name, in `-passes=` or in
/// `BPA_PIPELINE` (see `docs/src/guide/builds.md`). In a module pipeline, a function pass runs on every defined
/// function in order. If LLVM or another plugin already uses the name of a pass, or if a name is registered twice, the
/// process ends with an error. If a pass panics, the process ends with a message that names the pass and the function
/// or module.
///
/// A pass can have options. They follow the pass name in angle brackets, and semicolons separate the options:
/// `name<depth=3;verbose>`. [`Options`] has an example. An unknown option is an error. It is also an error if a
/// function pipeline contains a module pass.
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
/// fn count(options: &Options) -> Result<impl Fn(&mut Module) -> Preserved + use<>, OptionError> {
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

    /// Registers `name` as a pass that changes nothing. The pass also runs on functions with `optnone`. Before LLVM 19,
    /// however, function pipelines skip these functions.
    pub fn add_printer<P>(&mut self, name: &'static str, printer: P)
    where
        P: Fn(&Function<'_>) + Send + Sync + 'static,
    {
        self.add::<P>(name, &[], without_options(named_pass::printer(name, printer)));
    }

    /// Registers a printer with a list of options. Each element of `options` is the name of an option. If the option
    /// takes a value, `=` and a placeholder follow the name.
    ///
    /// `make` creates the printer from the given options. The host can call `make` several times for one element of a
    /// pipeline while it parses the element.
    pub fn add_printer_with<M, P>(&mut self, name: &'static str, options: &'static [&'static str], make: M)
    where
        M: Fn(&Options<'_>) -> Result<P, OptionError> + Send + Sync + 'static,
        P: Fn(&Function<'_>) + Send + Sync + 'static,
    {
        let make = move |given: &Options<'_>| Ok(named_pass::printer(name, make(given)?));
        self.add::<M>(name, options, Box::new(make));
    }

    /// Registers `name` as a pass that may change the function. The closure returns the preserved analyses. The pass
    /// skips functions with `optnone`, like LLVM's optional passes.
    pub fn add_pass<P>(&mut self, name: &'static str, pass: P)
    where
        P: Fn(&mut Function<'_>) -> Preserved + Send + Sync + 'static,
    {
        self.add::<P>(name, &[], without_options(named_pass::change(name, pass)));
    }

    /// Registers a pass that can change the function, with options as in [`Registry::add_printer_with`].
    pub fn add_pass_with<M, P>(&mut self, name: &'static str, options: &'static [&'static str], make: M)
    where
        M: Fn(&Options<'_>) -> Result<P, OptionError> + Send + Sync + 'static,
        P: Fn(&mut Function<'_>) -> Preserved + Send + Sync + 'static,
    {
        let make = move |given: &Options<'_>| Ok(named_pass::change(name, make(given)?));
        self.add::<M>(name, options, Box::new(make));
    }

    /// Registers `name` as a pass on the whole module, for module pipelines. The pass may change every
    /// part of the module. The closure returns the analyses that are preserved for all functions. If functions were
    /// added or deleted, no analysis is preserved.
    ///
    /// As in LLVM's own module passes, the module that the closure receives also contains functions with `optnone`. If
    /// the pass should not change functions with `optnone`, the closure must skip such functions.
    pub fn add_module_pass<P>(&mut self, name: &'static str, pass: P)
    where
        P: Fn(&mut Module<'_>) -> Preserved + Send + Sync + 'static,
    {
        self.add::<P>(name, &[], without_options(named_pass::on_module(name, pass)));
    }

    /// Registers a pass on the whole module, with options as in [`Registry::add_printer_with`].
    pub fn add_module_pass_with<M, P>(
        &mut self,
        name: &'static str,
        options: &'static [&'static str],
        make: M,
    ) where
        M: Fn(&Options<'_>) -> Result<P, OptionError> + Send + Sync + 'static,
        P: Fn(&mut Module<'_>) -> Preserved + Send + Sync + 'static,
    {
        let make = move |given: &Options<'_>| Ok(named_pass::on_module(name, make(given)?));
        self.add::<M>(name, options, Box::new(make));
    }

    /// Runs `pass` at one of LLVM's extension points, in every pipeline that contains the point. The pipelines of clang
    /// and lld contain extension points, and so does the pipeline `default<O2>` of `opt`. `pass` is a pass name and the
    /// options of the pass, for example `name<a;b>`. The pass must belong to this plugin, to a plugin that was loaded
    /// earlier, or to this library. If this method adds several passes to one extension point, they run in the order in
    /// which they were added. Passes of this plugin from `BPA_PIPELINE` run last.
    ///
    /// The process ends with an error if the extension point or the pass is unknown, or if the pass cannot run at the
    /// point. [`Registry::extension_points`] lists the points.
    pub fn extend(&mut self, point: &str, pass: &str) {
        self.extensions.push((point.to_string(), pass.to_string()));
    }

    /// The names of the host's extension points. `docs/src/guide/builds.md` describes them.
    pub fn extension_points() -> Vec<&'static str> {
        Host::extension_points()
    }

    /// Adds a parser for the passes of this library.
    pub(super) fn add_parser(&mut self, parse: Parse) {
        self.host.add_parser(parse.clone());
        self.parsers.push(parse);
    }

    fn add<P>(&mut self, name: &'static str, options: &'static [&'static str], make: Make) {
        self.named.push(NamedPass { name, options, closure: type_name::<P>(), make });
    }

    /// Registers all passes with the host. If LLVM or another plugin already uses the name of a pass, this is an error,
    /// because the pass would never run.
    pub(super) fn finish(mut self, plugin: &str) -> Result<(), Failure> {
        let mut named = take(&mut self.named);
        if let Some(problem) = named_pass::problem(&named) {
            return Err(Failure(problem));
        }
        let keys: Vec<_> = named.iter().map(|pass| pass.key(plugin)).collect();
        named.retain(|pass| self.host.is_first(&pass.key(plugin)));
        for NamedPass { name, .. } in &named {
            if self.host.accepts(name) {
                return Err(Failure(format!("LLVM or another plugin already has a pass '{name}'")));
            }
        }
        self.add_parser(named_pass::parser(named));
        pipeline::take_offers(&self.host, self.parsers);
        pipeline::extend(&self.host, &self.extensions, &format!("{plugin} {}", keys.join(" ")))?;
        pipeline::follow_variable(&self.host);
        Ok(())
    }
}

fn without_options(pass: Pass) -> Make {
    Box::new(move |_| Ok(pass.clone()))
}
