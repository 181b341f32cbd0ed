//! The binding over llvm-plugin.

use std::ffi::{c_void, CStr};
use std::marker::PhantomData;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use llvm_plugin::inkwell::module::Module;
use llvm_plugin::inkwell::values::{AsValueRef, FunctionValue};
use llvm_plugin::{
    AnalysisKey, FunctionAnalysisManager, LlvmFunctionAnalysis, LlvmFunctionPass, LlvmModulePass,
    ModuleAnalysisManager, PassBuilder, PipelineParsing, PreservedAnalyses,
};

use super::errors::ErrorReport;
use super::pass::{self, Parse, Pass, Preserved};
use crate::plugin::profile::ProfileCell;

/// The structure by which the host gets to know a plugin.
pub use llvm_plugin::PassPluginLibraryInfo as PluginInfo;

/// What registers the plugin: there is one in a shared object.
static REGISTER: OnceLock<fn(Host<'_>)> = OnceLock::new();

/// Describes the plugin to the host, which then has it register.
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

unsafe extern "C" fn register_with(builder: *mut c_void) {
    if let Some(register) = REGISTER.get() {
        register(HostHandle(builder).host());
    }
}

/// The host under registration.
pub(in crate::plugin) struct Host<'a> {
    builder: PassBuilder,
    raw_builder: *mut c_void,
    while_alive: PhantomData<&'a ()>,
}

/// A host for what its pass builder owns.
#[derive(Clone, Copy)]
pub(in crate::plugin) struct HostHandle(*mut c_void);

// SAFETY: a pass builder is used by one thread at a time, and with it what it owns.
unsafe impl Send for HostHandle {}
unsafe impl Sync for HostHandle {}

impl HostHandle {
    /// # Safety
    ///
    /// The pass builder is alive, and nothing else is done with the host meanwhile.
    pub unsafe fn host(&self) -> Host<'_> {
        Host { builder: PassBuilder::from_raw(self.0), raw_builder: self.0, while_alive: PhantomData }
    }
}

extern "C" {
    /// Has every pipeline element looked at before those who answer to elements.
    fn bpa_watch_parentheses(builder: *mut c_void);
    /// Whether parentheses follow the element that is being read on this thread: llvm-plugin does not tell.
    fn bpa_has_parentheses() -> bool;
    fn bpa_knows(builder: *mut c_void, element: *const u8, length: usize) -> bool;
}

impl Host<'_> {
    /// Has the analysis manager keep a profile for each function.
    pub fn cache_profiles(&mut self) {
        self.builder.add_function_analysis_registration_callback(|manager| {
            // It panics where the manager has the analysis already, which is as good. That must not get into C++.
            let _ = catch_unwind(AssertUnwindSafe(|| manager.register_pass(ProfileAnalysis)));
        });
    }

    /// Adds a pass wherever a pipeline element parses as one, at module and at function position.
    pub fn answer_to(&mut self, parse: Parse) {
        let errors = Rc::new(ErrorReport::default());
        // SAFETY: the builder is alive during registration.
        unsafe { bpa_watch_parentheses(self.raw_builder) };
        let read = move |element: &str| {
            // SAFETY: called on the thread that parses.
            let has_parentheses = unsafe { bpa_has_parentheses() };
            errors.pass(element.as_bytes(), has_parentheses, &parse).map(HostPass)
        };
        let read_in_module = read.clone();
        self.builder.add_module_pipeline_parsing_callback(move |element, manager| {
            taken(read_in_module(element).map(|pass| manager.add_pass(pass)))
        });
        self.builder.add_function_pipeline_parsing_callback(move |element, manager| {
            taken(read(element).map(|pass| manager.add_pass(pass)))
        });
    }

    /// For what the pass builder is going to own.
    pub fn handle(&mut self) -> HostHandle {
        HostHandle(self.raw_builder)
    }

    /// Does `work` each time the host has analyses registered, which it does when all plugins are loaded.
    pub fn when_analyses_register(&mut self, work: impl Fn() + 'static) {
        self.builder.add_function_analysis_registration_callback(move |_| work());
    }

    /// Whether somebody answers to a pipeline element.
    pub fn knows(&mut self, element: &str) -> bool {
        // SAFETY: as above.
        unsafe { bpa_knows(self.raw_builder, element.as_ptr(), element.len()) }
    }

    /// The names of the extension points.
    pub fn extension_points() -> Vec<&'static str> {
        EXTENSION_POINTS.iter().map(|point| point.name).collect()
    }

    /// Adds a pass at an extension point, one of [`Host::extension_points`]; `text` is how it was asked for.
    pub fn extend(&mut self, point: &str, pass: Arc<dyn Pass>, _text: &str) {
        let point = EXTENSION_POINTS.iter().find(|candidate| candidate.name == point);
        (point.expect("callers name extension points that there are").extend)(
            &mut self.builder,
            HostPass(pass),
        );
    }
}

/// Whether an element has been parsed.
fn taken(added: Option<()>) -> PipelineParsing {
    added.map_or(PipelineParsing::NotParsed, |()| PipelineParsing::Parsed)
}

struct ExtensionPoint {
    name: &'static str,
    extend: fn(&mut PassBuilder, HostPass),
}

/// An extension point, with the function of llvm-plugin that adds what is to stand there.
macro_rules! extension_point {
    ($name:literal, $add_callback:ident) => {
        ExtensionPoint {
            name: $name,
            extend: |builder, pass| builder.$add_callback(move |manager, _| manager.add_pass(pass.clone())),
        }
    };
}

/// What llvm-plugin offers of LLVM's extension points.
const EXTENSION_POINTS: &[ExtensionPoint] = &[
    extension_point!("pipeline-start", add_pipeline_start_ep_callback),
    extension_point!("pipeline-early-simplification", add_pipeline_early_simplification_ep_callback),
    extension_point!("peephole", add_peephole_ep_callback),
    extension_point!("scalar-optimizer-late", add_scalar_optimizer_late_ep_callback),
    extension_point!("vectorizer-start", add_vectorizer_start_ep_callback),
    // The next one and those of link-time optimisation came with LLVM 15.
    #[cfg(not(feature = "llvm14-0"))]
    extension_point!("optimizer-early", add_optimizer_early_ep_callback),
    extension_point!("optimizer-last", add_optimizer_last_ep_callback),
    #[cfg(not(feature = "llvm14-0"))]
    extension_point!("full-lto-early", add_full_lto_early_ep_callback),
    #[cfg(not(feature = "llvm14-0"))]
    extension_point!("full-lto-last", add_full_lto_last_ep_callback),
];

/// Provides the place for a function's profile. It is filled outside of the analysis: llvm-plugin holds a lock
/// while one runs.
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

/// A pass in the shape that llvm-plugin asks for.
#[derive(Clone)]
struct HostPass(Arc<dyn Pass>);

impl HostPass {
    fn run(&self, function: &FunctionValue<'_>, manager: &FunctionAnalysisManager) -> Preserved {
        let cell = || manager.get_result::<ProfileAnalysis>(function);
        // SAFETY: llvm-plugin hands out functions that live while the pass runs.
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

/// llvm-plugin knows all and nothing: whatever changes a function drops every analysis of it.
fn all_or_none(preserved: Preserved) -> PreservedAnalyses {
    match preserved {
        Preserved::All => PreservedAnalyses::All,
        Preserved::ControlFlow | Preserved::Nothing => PreservedAnalyses::None,
    }
}
