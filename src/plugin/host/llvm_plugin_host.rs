//! The binding to the pass manager through llvm-plugin.

use std::ffi::{c_void, CStr};
use std::mem::{align_of, size_of, transmute};
use std::rc::Rc;

use llvm_plugin::inkwell::module::Module;
use llvm_plugin::inkwell::values::{AsValueRef, FunctionValue};
use llvm_plugin::{
    AnalysisKey, FunctionAnalysisManager, FunctionAnalysisManagerProxy, LlvmFunctionAnalysis,
    LlvmFunctionPass, LlvmModulePass, ModuleAnalysisManager, PassBuilder, PipelineParsing, PreservedAnalyses,
};

use super::analyses::FunctionAnalyses;
use super::parser::Parser;
use super::pass::{self, Parse, Pass, Preserved};
use super::{ExtensionPoint, Host};
use crate::ir::llvm::prelude::LLVMModuleRef;
use crate::plugin::guard::ignore_panic;
use crate::plugin::profile::ProfileCell;

/// The description of a plugin for the host.
pub use llvm_plugin::PassPluginLibraryInfo as PluginInfo;

/// Describes the plugin to the host. The host then calls [`register`](super::register).
pub(super) fn describe(name: &'static CStr, version: &'static CStr) -> PluginInfo {
    PluginInfo {
        api_version: llvm_plugin::get_llvm_plugin_api_version__(),
        plugin_name: name.as_ptr().cast(),
        plugin_version: version.as_ptr().cast(),
        plugin_registrar: super::register,
    }
}

unsafe extern "C" {
    /// Registers a parser that accepts no pipeline element. For each element, the parser only records whether
    /// parentheses follow the element.
    fn bpa_watch_parentheses(builder: *mut c_void);
    /// Whether parentheses follow the element that this thread is parsing. llvm-plugin does not report this.
    fn bpa_has_parentheses() -> bool;
    /// If LLVM has cached the profile summary of the module, reads the summary again.
    fn bpa_refresh_profile_summary(proxy: *mut c_void, module: LLVMModuleRef);
    /// The analysis manager for the functions of a module.
    fn bpa_function_analyses(proxy: *mut c_void) -> *mut c_void;
}

impl Host<'_> {
    fn builder(&self) -> PassBuilder {
        // SAFETY: the builder is alive during registration.
        unsafe { PassBuilder::from_raw(self.builder) }
    }

    /// Registers an analysis that caches a profile for each function.
    pub fn cache_profiles(&self) {
        self.builder().add_function_analysis_registration_callback(|manager| {
            // If the manager already has the analysis, `register_pass` panics.
            ignore_panic(|| manager.register_pass(ProfileAnalysis));
        });
    }

    /// Adds a parser for elements of module pipelines and function pipelines.
    pub fn add_parser(&self, parse: Parse) {
        let in_module = Rc::new(Parser::new(parse));
        let in_function = in_module.clone();
        // SAFETY: the builder is alive during registration.
        unsafe { bpa_watch_parentheses(self.builder) };
        // SAFETY: the closure is called on the thread that parses the pipeline.
        let has_parentheses = || unsafe { bpa_has_parentheses() };
        self.builder().add_module_pipeline_parsing_callback(move |element, manager| {
            let pass = in_module.read(element.as_bytes(), has_parentheses(), true);
            taken(pass.map(|pass| manager.add_pass(HostPass(pass))))
        });
        self.builder().add_function_pipeline_parsing_callback(move |element, manager| {
            let pass = in_function.read(element.as_bytes(), has_parentheses(), false);
            taken(pass.map(|pass| manager.add_pass(HostPass(pass))))
        });
    }

    /// Adds a pass at the extension point with the number `place`. The extension point must accept this kind of pass.
    pub(super) fn extend_at(&self, place: usize, pass: Pass, _text: &str) {
        let (.., extend) = EXTENSION_POINTS[place];
        extend(&mut self.builder(), HostPass(pass));
    }
}

/// Converts the result of a parser to llvm-plugin's type.
fn taken(added: Option<()>) -> PipelineParsing {
    added.map_or(PipelineParsing::NotParsed, |()| PipelineParsing::Parsed)
}

/// All extension points, in the order of their numbers.
pub(super) fn extension_points() -> impl Iterator<Item = ExtensionPoint> {
    let points = EXTENSION_POINTS.iter();
    points.map(|&(name, takes_module_passes, _)| ExtensionPoint { name, takes_module_passes })
}

/// Defines an extension point. `$add_callback` is llvm-plugin's function that adds a callback.
macro_rules! extension_point {
    ($name:literal, $takes_module_passes:literal, $add_callback:ident) => {
        ($name, $takes_module_passes, |builder, pass| {
            builder.$add_callback(move |manager, _| manager.add_pass(pass.clone()))
        })
    };
}

/// Adds a pass at an extension point.
type Extend = fn(&mut PassBuilder, HostPass);

/// The extension points of LLVM that llvm-plugin supports. The boolean is true for extension points of passes on
/// modules, and false for extension points of passes on functions.
const EXTENSION_POINTS: &[(&str, bool, Extend)] = &[
    extension_point!("pipeline-start", true, add_pipeline_start_ep_callback),
    extension_point!("pipeline-early-simplification", true, add_pipeline_early_simplification_ep_callback),
    extension_point!("peephole", false, add_peephole_ep_callback),
    extension_point!("scalar-optimizer-late", false, add_scalar_optimizer_late_ep_callback),
    extension_point!("vectorizer-start", false, add_vectorizer_start_ep_callback),
    // This extension point and the extension points of link-time optimisation exist from LLVM 15 on.
    #[cfg(not(feature = "llvm14-0"))]
    extension_point!("optimizer-early", true, add_optimizer_early_ep_callback),
    extension_point!("optimizer-last", true, add_optimizer_last_ep_callback),
    #[cfg(not(feature = "llvm14-0"))]
    extension_point!("full-lto-early", true, add_full_lto_early_ep_callback),
    #[cfg(not(feature = "llvm14-0"))]
    extension_point!("full-lto-last", true, add_full_lto_last_ep_callback),
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
        static KEY: Key = Key(0);
        &KEY.0
    }
}

/// LLVM requires this alignment of the address that identifies an analysis, because it uses the lower bits.
#[repr(align(8))]
struct Key(u8);

/// Adapts a pass to llvm-plugin.
#[derive(Clone)]
struct HostPass(Pass);

impl HostPass {
    fn run(&self, function: &FunctionValue<'_>, manager: &FunctionAnalysisManager) -> Preserved {
        let cell = || manager.get_result::<ProfileAnalysis>(function);
        // SAFETY: llvm-plugin passes a function that lives while the pass runs.
        unsafe { pass::run(&self.0, function.as_value_ref(), cell) }
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

/// Runs a module pass once, and a function pass on each function of the module.
impl LlvmModulePass for HostPass {
    fn run_pass(&self, module: &mut Module<'_>, manager: &ModuleAnalysisManager) -> PreservedAnalyses {
        if self.0.on_module.is_some() {
            // SAFETY: llvm-plugin passes a module and an analysis manager that live while the pass runs.
            let preserved = unsafe {
                let functions = FunctionAnalyses::from_raw(bpa_function_analyses(raw_proxy(module, manager)));
                pass::run_on_module(&self.0, module.as_mut_ptr(), functions)
            };
            if preserved != Preserved::All {
                refresh_profile_summary(module, manager);
            }
            return all_or_none(preserved);
        }
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

/// Updates the profile summary that LLVM has cached. LLVM never drops the cached summary, even if a pass preserves no
/// analyses.
fn refresh_profile_summary(module: &Module<'_>, manager: &ModuleAnalysisManager) {
    // SAFETY: the proxy and the module are valid while the pass runs.
    unsafe { bpa_refresh_profile_summary(raw_proxy(module, manager), module.as_mut_ptr()) }
}

/// LLVM's `FunctionAnalysisManagerModuleProxy::Result`.
fn raw_proxy(module: &Module<'_>, manager: &ModuleAnalysisManager) -> *mut c_void {
    let proxy = manager.get_function_analysis_manager_proxy(module);
    const {
        assert!(size_of::<FunctionAnalysisManagerProxy>() == size_of::<*mut c_void>());
        assert!(align_of::<FunctionAnalysisManagerProxy>() == align_of::<*mut c_void>());
    }
    // SAFETY: in llvm-plugin 0.6.0, the version that Cargo.toml pins, the only field of the struct is LLVM's pointer.
    // llvm-plugin has no method that returns the pointer.
    unsafe { transmute::<FunctionAnalysisManagerProxy, *mut c_void>(proxy) }
}

/// With llvm-plugin, a pass can only preserve all analyses or none. If a function changes, all analyses of the function
/// are therefore dropped.
fn all_or_none(preserved: Preserved) -> PreservedAnalyses {
    match preserved {
        Preserved::All => PreservedAnalyses::All,
        Preserved::ControlFlow | Preserved::Nothing => PreservedAnalyses::None,
    }
}
