// Updates LLVM's cached profile summary. The binding through llvm-plugin uses this file.

#include "summary.h"

#include "llvm-c/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

using namespace llvm;

// The analysis manager for the functions of a module.
extern "C" FunctionAnalysisManager *bpa_function_analyses(FunctionAnalysisManagerModuleProxy::Result *proxy) {
  return &proxy->getManager();
}

// If LLVM has cached the profile summary of a module, reads the summary again. llvm-plugin only gives access to the
// analyses of functions, and these analyses contain a reference to the analyses of the module.
extern "C" void bpa_refresh_profile_summary(FunctionAnalysisManagerModuleProxy::Result *proxy, LLVMModuleRef module) {
  Module &all = *unwrap(module);
  auto defined = find_if(all, [](const Function &function) { return !function.isDeclaration(); });
  if (defined != all.end())
    refreshProfileSummary(all, proxy->getManager().getResult<ModuleAnalysisManagerFunctionProxy>(*defined));
}
