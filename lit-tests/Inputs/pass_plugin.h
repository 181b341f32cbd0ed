// Loading plugins and making pass builders as each version of LLVM has it, for programs that are hosts themselves.

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Passes/PassBuilder.h"
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif
#include "llvm/Support/ErrorHandling.h"

// The plugin in a file, or the end.
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

// A pass builder, which is one for a context from 24 on.
struct Builder : llvm::PassBuilder {
#if LLVM_VERSION_MAJOR >= 24
  explicit Builder(llvm::LLVMContext &context) : PassBuilder(context) {}
#else
  explicit Builder(llvm::LLVMContext &) {}
#endif
};
