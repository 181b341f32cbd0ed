//! The seam over llvm-plugin.

use std::cell::RefCell;
use std::rc::Rc;

use llvm_plugin::inkwell::module::Module;
use llvm_plugin::inkwell::values::FunctionValue;
use llvm_plugin::{
    AnalysisKey, FunctionAnalysisManager, LlvmFunctionAnalysis, LlvmFunctionPass, LlvmModulePass,
    ModuleAnalysisManager, PassBuilder, PipelineParsing, PreservedAnalyses,
};

use crate::ir::LiveFunction;
use crate::plugin::options::OptionError;
use crate::plugin::passes::{self, Changed};
use crate::plugin::profile::ProfileCell;
use crate::plugin::request::Request;

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
    pub fn answer_to(&mut self, parse: fn(&str) -> Option<Result<Request, OptionError>>) {
        let errors = Rc::new(ErrorReport::default());
        let module_errors = Rc::clone(&errors);
        self.builder.add_module_pipeline_parsing_callback(move |element, manager| {
            match module_errors.check(element, parse(element)) {
                Some(request) => {
                    manager.add_pass(Pass(request));
                    PipelineParsing::Parsed
                }
                None => PipelineParsing::NotParsed,
            }
        });
        self.builder.add_function_pipeline_parsing_callback(move |element, manager| {
            match errors.check(element, parse(element)) {
                Some(request) => {
                    manager.add_pass(Pass(request));
                    PipelineParsing::Parsed
                }
                None => PipelineParsing::NotParsed,
            }
        });
    }
}

/// Reports bad elements, each once: the host offers an element that nobody takes to every parser it has. It then
/// refuses the pipeline by itself.
#[derive(Default)]
struct ErrorReport {
    reported: RefCell<Option<String>>,
}

impl ErrorReport {
    fn check(&self, element: &str, parsed: Option<Result<Request, OptionError>>) -> Option<Request> {
        match parsed? {
            Ok(request) => Some(request),
            Err(error) => {
                let mut reported = self.reported.borrow_mut();
                if reported.as_deref() != Some(element) {
                    eprintln!("bpa: {error}");
                    *reported = Some(element.to_string());
                }
                None
            }
        }
    }
}

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
        match LiveFunction::new(function) {
            Some(mut live) => passes::run(self.0, &mut live, manager.get_result::<ProfileAnalysis>(function)),
            None => Changed::No,
        }
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
        let run = |changed: Changed, function| changed.or(self.run(&function, &functions));
        preserved(module.get_functions().fold(Changed::No, run))
    }
}

/// llvm-plugin knows all and nothing: whatever changes a function drops every analysis of it.
fn preserved(changed: Changed) -> PreservedAnalyses {
    match changed {
        Changed::No => PreservedAnalyses::All,
        Changed::Yes => PreservedAnalyses::None,
    }
}
