// A pass whose name somebody else answers to would never run: that is an error, and not a plugin without it.
// RUN: %cxx %s %llvm_flags -o %t
// RUN: not %t %examples/libcounters.so counters 2>&1 | FileCheck %s
// RUN: %t %examples/libcounters.so counter 2>&1 | FileCheck %s --check-prefix=FREE
// CHECK: counters: LLVM or another plugin has a pass by the name of 'counters' already
// CHECK-NOT: the end
// FREE-NOT: counters:
// FREE: the end

#include "llvm/Passes/PassBuilder.h"
#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

int main(int, char **arguments) {
  Expected<PassPlugin> plugin = PassPlugin::Load(arguments[1]);
  if (!plugin)
    report_fatal_error(plugin.takeError());
  PassBuilder builder;
  builder.registerPipelineParsingCallback(
      [&](StringRef name, FunctionPassManager &, ArrayRef<PassBuilder::PipelineElement>) {
        return name == arguments[2];
      });
  plugin->registerPassBuilderCallbacks(builder);
  errs() << "the end\n";
}
