// Test programs use this header to load plugins and to create pass builders with every LLVM version.

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Passes/PassBuilder.h"
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif
#include "llvm/Support/ErrorHandling.h"

// Loads the plugin in `file`. An error ends the process.
inline llvm::PassPlugin loadPlugin(const char *file) {
#if LLVM_VERSION_MAJOR >= 24
  llvm::Expected<llvm::PassPlugin> plugin = llvm::PassPlugin::load(file);
#else
  llvm::Expected<llvm::PassPlugin> plugin = llvm::PassPlugin::Load(file);
#endif
  if (!plugin)
    llvm::report_fatal_error(plugin.takeError());
  return *plugin;
}

// A pass builder. From LLVM 24 on, the constructor of `PassBuilder` requires a context.
struct Builder : llvm::PassBuilder {
#if LLVM_VERSION_MAJOR >= 24
  explicit Builder(llvm::LLVMContext &context) : PassBuilder(context) {}
#else
  explicit Builder(llvm::LLVMContext &) {}
#endif
};

// The analysis managers of a pipeline.
struct Analyses {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;

  void add(llvm::PassBuilder &builder) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
  }

  // Runs a pipeline. The analyses must have been added.
  llvm::Error run(llvm::PassBuilder &builder, llvm::StringRef pipeline, llvm::Module &module) {
    builder.crossRegisterProxies(loops, functions, components, modules);
    llvm::ModulePassManager passes;
    if (llvm::Error error = builder.parsePassPipeline(passes, pipeline))
      return error;
    passes.run(module, modules);
    return llvm::Error::success();
  }
};
