//! The seam over llvm-plugin.

use std::rc::Rc;

use llvm_plugin::inkwell::module::Module;
use llvm_plugin::inkwell::values::{AsValueRef, FunctionValue};
use llvm_plugin::{
    AnalysisKey, FunctionAnalysisManager, LlvmFunctionAnalysis, LlvmFunctionPass, LlvmModulePass,
    ModuleAnalysisManager, ModulePassManager, PassBuilder, PipelineParsing, PreservedAnalyses,
};

use super::ErrorReport;
use crate::plugin::passes::Changed;
use crate::plugin::profile::ProfileCell;
use crate::plugin::request::{Parse, Request};

/// Called by the host once, when it has loaded the library.
#[llvm_plugin::plugin(name = "bpa", version = "0.1.0")]
fn register_plugin(builder: &mut PassBuilder) {
    crate::plugin::register(&mut Host { builder });
}

/// The host under registration.
pub(in crate::plugin) struct Host<'a> {
    builder: &'a mut PassBuilder,
}

impl Host<'_> {
    /// Has the analysis manager keep a profile for each function.
    pub fn cache_profiles(&mut self) {
        self.builder.add_function_analysis_registration_callback(|manager| {
            manager.register_pass(ProfileAnalysis);
        });
    }

    /// Adds a pass wherever a pipeline element parses as a request, at module and at function position.
    pub fn answer_to(&mut self, parse: Parse) {
        let errors = Rc::new(ErrorReport::default());
        let module_errors = Rc::clone(&errors);
        self.builder.add_module_pipeline_parsing_callback(move |element, manager| {
            match module_errors.request(element.as_bytes(), parse) {
                Some(request) => {
                    manager.add_pass(Pass(request));
                    PipelineParsing::Parsed
                }
                None => PipelineParsing::NotParsed,
            }
        });
        self.builder.add_function_pipeline_parsing_callback(move |element, manager| {
            match errors.request(element.as_bytes(), parse) {
                Some(request) => {
                    manager.add_pass(Pass(request));
                    PipelineParsing::Parsed
                }
                None => PipelineParsing::NotParsed,
            }
        });
    }

    /// The names of the extension points.
    pub fn extension_points() -> Vec<&'static str> {
        EXTENSION_POINTS.iter().map(|point| point.name).collect()
    }

    /// Adds a pass at an extension point, one of [`Host::extension_points`]; `text` is how it was asked for.
    pub fn extend(&mut self, point: &str, request: Request, _text: &str) {
        let point = EXTENSION_POINTS.iter().find(|candidate| candidate.name == point);
        (point.expect("callers name extension points that there are").extend)(self.builder, request);
    }
}

struct ExtensionPoint {
    name: &'static str,
    extend: fn(&mut PassBuilder, Request),
}

/// What llvm-plugin offers of LLVM's extension points.
const EXTENSION_POINTS: &[ExtensionPoint] = &[
    ExtensionPoint {
        name: "pipeline-start",
        extend: |builder, request| {
            builder.add_pipeline_start_ep_callback(move |manager, _| manager.add_pass(Pass(request.clone())))
        },
    },
    ExtensionPoint {
        name: "pipeline-early-simplification",
        extend: |builder, request| {
            let add = move |manager: &mut ModulePassManager, _| manager.add_pass(Pass(request.clone()));
            builder.add_pipeline_early_simplification_ep_callback(add)
        },
    },
    ExtensionPoint {
        name: "peephole",
        extend: |builder, request| {
            builder.add_peephole_ep_callback(move |manager, _| manager.add_pass(Pass(request.clone())))
        },
    },
    ExtensionPoint {
        name: "scalar-optimizer-late",
        extend: |builder, request| {
            builder.add_scalar_optimizer_late_ep_callback(move |manager, _| {
                manager.add_pass(Pass(request.clone()))
            })
        },
    },
    ExtensionPoint {
        name: "vectorizer-start",
        extend: |builder, request| {
            builder
                .add_vectorizer_start_ep_callback(move |manager, _| manager.add_pass(Pass(request.clone())))
        },
    },
    // The next one and those of link-time optimisation came with LLVM 15.
    #[cfg(not(feature = "llvm14-0"))]
    ExtensionPoint {
        name: "optimizer-early",
        extend: |builder, request| {
            builder.add_optimizer_early_ep_callback(move |manager, _| manager.add_pass(Pass(request.clone())))
        },
    },
    ExtensionPoint {
        name: "optimizer-last",
        extend: |builder, request| {
            builder.add_optimizer_last_ep_callback(move |manager, _| manager.add_pass(Pass(request.clone())))
        },
    },
    #[cfg(not(feature = "llvm14-0"))]
    ExtensionPoint {
        name: "full-lto-early",
        extend: |builder, request| {
            builder.add_full_lto_early_ep_callback(move |manager, _| manager.add_pass(Pass(request.clone())))
        },
    },
    #[cfg(not(feature = "llvm14-0"))]
    ExtensionPoint {
        name: "full-lto-last",
        extend: |builder, request| {
            builder.add_full_lto_last_ep_callback(move |manager, _| manager.add_pass(Pass(request.clone())))
        },
    },
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

/// A request as a pass.
struct Pass(Request);

impl Pass {
    fn run(&self, function: &FunctionValue<'_>, manager: &FunctionAnalysisManager) -> Changed {
        let cell = || manager.get_result::<ProfileAnalysis>(function);
        // SAFETY: llvm-plugin hands out functions that live while the pass runs.
        unsafe { super::run(&self.0, function.as_value_ref(), cell) }
    }
}

impl LlvmFunctionPass for Pass {
    fn run_pass(
        &self,
        function: &mut FunctionValue<'_>,
        manager: &FunctionAnalysisManager,
    ) -> PreservedAnalyses {
        preserved(self.run(function, manager))
    }
}

impl LlvmModulePass for Pass {
    fn run_pass(&self, module: &mut Module<'_>, manager: &ModuleAnalysisManager) -> PreservedAnalyses {
        let functions = manager.get_function_analysis_manager_proxy(module).get_manager();
        let mut changed = Changed::No;
        for function in module.get_functions() {
            if self.run(&function, &functions) == Changed::Yes {
                changed = Changed::Yes;
            }
        }
        preserved(changed)
    }
}

/// llvm-plugin knows all and nothing: whatever changes a function drops every analysis of it.
fn preserved(changed: Changed) -> PreservedAnalyses {
    match changed {
        Changed::No => PreservedAnalyses::All,
        Changed::Yes => PreservedAnalyses::None,
    }
}
