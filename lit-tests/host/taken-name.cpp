// If LLVM or an earlier plugin already has a pass with the name of a plugin pass, bpa reports an error. Without this
// error, LLVM would run the existing pass, and silently ignore the plugin pass with the same name.
// RUN: %cxx %s %llvm_flags -o %t
// RUN: not %t %examples/libcounters.so counters 2>&1 | FileCheck %s
// RUN: %t %examples/libcounters.so counter 2>&1 | FileCheck %s --check-prefix=FREE
// CHECK: counters: LLVM or another plugin already has a pass 'counters'
// CHECK-NOT: the end
// FREE-NOT: counters:
// FREE: the end

#include "../Inputs/pass_plugin.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

int main(int, char **arguments) {
  PassPlugin plugin = loadPlugin(arguments[1]);
  LLVMContext context;
  Builder builder(context);
  builder.registerPipelineParsingCallback(
      [&](StringRef name, FunctionPassManager &, ArrayRef<PassBuilder::PipelineElement>) {
        return name == arguments[2];
      });
  plugin.registerPassBuilderCallbacks(builder);
  errs() << "the end\n";
}
