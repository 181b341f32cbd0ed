//! The binding to the pass manager through llvm-plugin.

use std::ffi::{c_void, CStr};
use std::marker::PhantomData;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use llvm_plugin::inkwell::module::Module;
use llvm_plugin::inkwell::values::{AsValueRef, FunctionValue};
use llvm_plugin::{
    AnalysisKey, FunctionAnalysisManager, LlvmFunctionAnalysis, LlvmFunctionPass, LlvmModulePass,
    ModuleAnalysisManager, ModulePassManager, PassBuilder, PipelineParsing, PreservedAnalyses,
};

use super::errors::ErrorReport;
use super::pass::{self, AnyPass, ModulePass, Parse, Pass, Preserved};
use crate::plugin::profile::ProfileCell;

/// The description of a plugin for the host.
pub use llvm_plugin::PassPluginLibraryInfo as PluginInfo;

/// The function that registers the plugin. A shared object contains at most one plugin.
static REGISTER: OnceLock<fn(Host<'_>)> = OnceLock::new();

/// Describes the plugin to the host. The host then calls `register`.
pub(in crate::plugin) fn describe(
    name: &'static CStr,
    version: &'static CStr,
    register: fn(Host<'_>),
) -> PluginInfo {
    REGISTER.get_or_init(|| register);
    PluginInfo {
        api_version: llvm_plugin::get_llvm_plugin_api_version__(),
        plugin_name: name.as_ptr().cast(),
        plugin_version: version.as_ptr().cast(),
        plugin_registrar: register_with,
    }
}

/// LLVM calls this function with a pass builder that is alive during the call.
unsafe extern "C" fn register_with(builder: *mut c_void) {
    if let Some(register) = REGISTER.get() {
        register(Host { builder, while_alive: PhantomData });
    }
}

/// The host while it registers a plugin.
///
/// The type contains a pointer to the builder instead of a reference, because a builder may have several `Host` values
/// at the same time. For example, a plugin requests that the host parses an element, and the host then calls parsers
/// with their own `Host` values.
pub(in crate::plugin) struct Host<'a> {
    builder: *mut c_void,
    while_alive: PhantomData<&'a ()>,
}

/// A pointer to the pass builder, for closures that the pass builder owns.
#[derive(Clone, Copy)]
pub(in crate::plugin) struct HostHandle(*mut c_void);

// SAFETY: a pass builder and the objects that it owns are never used by two threads at the same time.
unsafe impl Send for HostHandle {}
unsafe impl Sync for HostHandle {}

impl HostHandle {
    /// # Safety
    ///
    /// The pass builder must be alive while the result is used.
    pub unsafe fn host(&self) -> Host<'_> {
        Host { builder: self.0, while_alive: PhantomData }
    }
}

unsafe extern "C" {
    /// Registers a parser that accepts no pipeline element. For each element, the parser only records whether
    /// parentheses follow the element.
    fn bpa_watch_parentheses(builder: *mut c_void);
    /// Whether parentheses follow the element that this thread is parsing. llvm-plugin does not report this.
    fn bpa_has_parentheses() -> bool;
    fn bpa_accepts(builder: *mut c_void, element: *const u8, length: usize) -> bool;
}

impl Host<'_> {
    fn builder(&self) -> PassBuilder {
        // SAFETY: the builder is alive during registration.
        unsafe { PassBuilder::from_raw(self.builder) }
    }

    /// Registers an analysis that caches a profile for each function.
    pub fn cache_profiles(&self) {
        self.builder().add_function_analysis_registration_callback(|manager| {
            // If the manager already has the analysis, `register_pass` panics. This panic is not an error, because the
            // analysis is registered. A panic must not unwind into C++, so `catch_unwind` stops it.
            let _ = catch_unwind(AssertUnwindSafe(|| manager.register_pass(ProfileAnalysis)));
        });
    }

    /// Adds a parser for elements of module pipelines and function pipelines.
    pub fn add_parser(&self, parse: Parse) {
        let errors = Rc::new(ErrorReport::default());
        // SAFETY: the builder is alive during registration.
        unsafe { bpa_watch_parentheses(self.builder) };
        let (errors_in_module, parse_in_module) = (errors.clone(), parse.clone());
        // SAFETY: the closure is called on the thread that parses.
        let has_parentheses = || unsafe { bpa_has_parentheses() };
        self.builder().add_module_pipeline_parsing_callback(move |element, manager| {
            let pass = errors_in_module.pass(element.as_bytes(), has_parentheses(), &parse_in_module);
            taken(pass.map(|pass| add(manager, pass)))
        });
        self.builder().add_function_pipeline_parsing_callback(move |element, manager| {
            let pass = errors.function_pass(element.as_bytes(), has_parentheses(), &parse);
            taken(pass.map(|pass| manager.add_pass(HostPass(pass))))
        });
    }

    /// A handle for closures that the pass builder will own.
    pub fn handle(&self) -> HostHandle {
        HostHandle(self.builder)
    }

    /// Calls `work` each time the host registers analyses. The host registers analyses after all plugins are loaded.
    pub fn when_analyses_register(&self, work: impl Fn() + 'static) {
        self.builder().add_function_analysis_registration_callback(move |_| work());
    }

    /// Whether the host or a plugin accepts a pipeline element.
    pub fn accepts(&self, element: &str) -> bool {
        // SAFETY: the builder is alive during registration.
        unsafe { bpa_accepts(self.builder, element.as_ptr(), element.len()) }
    }

    /// The names of the extension points.
    pub fn extension_points() -> Vec<&'static str> {
        EXTENSION_POINTS.iter().map(|point| point.name).collect()
    }

    /// Adds a pass at `point`, one of [`Host::extension_points`]. `text` is the pass with its options, as the user
    /// typed it. Returns an error if `pass` cannot run at this point.
    pub fn extend(&self, point: &str, pass: AnyPass, _text: &str) -> Result<(), String> {
        let point = EXTENSION_POINTS.iter().find(|candidate| candidate.name == point);
        match point.expect("callers pass a known extension point").extend {
            Extend::Functions(extend) => extend(&mut self.builder(), HostPass(pass.on_functions()?)),
            Extend::Module(extend) => extend(&mut self.builder(), pass),
        }
        Ok(())
    }
}

/// Converts the result of a parser to llvm-plugin's type.
fn taken(added: Option<()>) -> PipelineParsing {
    added.map_or(PipelineParsing::NotParsed, |()| PipelineParsing::Parsed)
}

fn add(manager: &mut ModulePassManager, pass: AnyPass) {
    match pass {
        AnyPass::OnFunctions(pass) => manager.add_pass(HostPass(pass)),
        AnyPass::OnModule(pass) | AnyPass::Either { module: pass, .. } => {
            manager.add_pass(HostModulePass(pass))
        }
    }
}

struct ExtensionPoint {
    name: &'static str,
    extend: Extend,
}

/// Adds a pass at an extension point. At some extension points, LLVM runs passes on functions. At all
/// other extension points, LLVM runs passes on modules.
enum Extend {
    Functions(fn(&mut PassBuilder, HostPass)),
    Module(fn(&mut PassBuilder, AnyPass)),
}

/// Defines an extension point for passes on functions. `$add_callback` is llvm-plugin's function that adds a callback.
macro_rules! on_functions {
    ($name:literal, $add_callback:ident) => {
        ExtensionPoint {
            name: $name,
            extend: Extend::Functions(|builder, pass| {
                builder.$add_callback(move |manager, _| manager.add_pass(pass.clone()))
            }),
        }
    };
}

/// Defines an extension point for passes on modules. `$add_callback` is llvm-plugin's function that adds a callback.
macro_rules! on_module {
    ($name:literal, $add_callback:ident) => {
        ExtensionPoint {
            name: $name,
            extend: Extend::Module(|builder, pass| {
                builder.$add_callback(move |manager, _| add(manager, pass.clone()))
            }),
        }
    };
}

/// The extension points of LLVM that llvm-plugin supports.
const EXTENSION_POINTS: &[ExtensionPoint] = &[
    on_module!("pipeline-start", add_pipeline_start_ep_callback),
    on_module!("pipeline-early-simplification", add_pipeline_early_simplification_ep_callback),
    on_functions!("peephole", add_peephole_ep_callback),
    on_functions!("scalar-optimizer-late", add_scalar_optimizer_late_ep_callback),
    on_functions!("vectorizer-start", add_vectorizer_start_ep_callback),
    // This extension point and the extension points of link-time optimisation exist from LLVM 15 on.
    #[cfg(not(feature = "llvm14-0"))]
    on_module!("optimizer-early", add_optimizer_early_ep_callback),
    on_module!("optimizer-last", add_optimizer_last_ep_callback),
    #[cfg(not(feature = "llvm14-0"))]
    on_module!("full-lto-early", add_full_lto_early_ep_callback),
    #[cfg(not(feature = "llvm14-0"))]
    on_module!("full-lto-last", add_full_lto_last_ep_callback),
];

/// Stores the profile of a function. The profile is computed outside the analysis because llvm-plugin holds a lock
/// while an analysis runs.
struct ProfileAnalysis;

impl LlvmFunctionAnalysis for ProfileAnalysis {
    type Result = ProfileCell;

    fn run_analysis(&self, _: &FunctionValue<'_>, _: &FunctionAnalysisManager) -> ProfileCell {
        ProfileCell::default()
    }

    fn id() -> AnalysisKey {
        static KEY: u8 = 0;
        &KEY
    }
}

/// Adapts a pass to llvm-plugin.
#[derive(Clone)]
struct HostPass(Arc<dyn Pass>);

impl HostPass {
    fn run(&self, function: &FunctionValue<'_>, manager: &FunctionAnalysisManager) -> Preserved {
        let cell = || manager.get_result::<ProfileAnalysis>(function);
        // SAFETY: llvm-plugin passes a function that lives while the pass runs.
        unsafe { pass::run(&*self.0, function.as_value_ref(), cell) }
    }
}

impl LlvmFunctionPass for HostPass {
    fn run_pass(
        &self,
        function: &mut FunctionValue<'_>,
        manager: &FunctionAnalysisManager,
    ) -> PreservedAnalyses {
        all_or_none(self.run(function, manager))
    }
}

impl LlvmModulePass for HostPass {
    fn run_pass(&self, module: &mut Module<'_>, manager: &ModuleAnalysisManager) -> PreservedAnalyses {
        let functions = manager.get_function_analysis_manager_proxy(module).get_manager();
        let mut preserved = Preserved::All;
        for function in module.get_functions() {
            if self.run(&function, &functions) != Preserved::All {
                preserved = Preserved::Nothing;
            }
        }
        all_or_none(preserved)
    }
}

/// Adapts a pass on modules to llvm-plugin.
#[derive(Clone)]
struct HostModulePass(Arc<dyn ModulePass>);

impl LlvmModulePass for HostModulePass {
    fn run_pass(&self, module: &mut Module<'_>, _: &ModuleAnalysisManager) -> PreservedAnalyses {
        // SAFETY: llvm-plugin passes a module that lives while the pass runs.
        all_or_none(unsafe { pass::run_on_module(&*self.0, module.as_mut_ptr()) })
    }
}

/// With llvm-plugin, a pass can only preserve all analyses or none. If a function changes, all analyses of the function
/// are therefore dropped.
fn all_or_none(preserved: Preserved) -> PreservedAnalyses {
    match preserved {
        Preserved::All => PreservedAnalyses::All,
        Preserved::ControlFlow | Preserved::Nothing => PreservedAnalyses::None,
    }
}
