// A host can register a plugin twice with one pass builder, and can register an analysis manager twice. A host can
// also create several pass builders at one address, one after the other.
// RUN: %cxx %s %llvm_flags -o %t
// RUN: %t %plugin 2>&1 | FileCheck %s
// RUN: sh -c 'BPA_FAULT=print@f %t %debug_plugin; test $? = 1' 2>&1 | FileCheck %s --check-prefix=FAULT --implicit-check-not={{.}}
// FAULT: bpa: internal error in rust-bpi on function 'f': BPA_FAULT requests this panic ({{.*}})
// CHECK-COUNT-3: function 'f'
// CHECK-NOT: function 'f'
// CHECK: the end

#include "../Inputs/pass_plugin.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static void run(Module &module, PassPlugin &plugin) {
  Analyses analyses;
  Builder builder(module.getContext());
  for (int time = 0; time < 2; ++time) {
    plugin.registerPassBuilderCallbacks(builder);
    analyses.add(builder);
  }
  if (Error error = analyses.run(builder, "rust-bpi", module))
    report_fatal_error(std::move(error));
}

int main(int, char **arguments) {
  PassPlugin plugin = loadPlugin(arguments[1]);
  LLVMContext context;
  Module module("m", context);
  auto *type = FunctionType::get(Type::getVoidTy(context), false);
  auto *function = Function::Create(type, Function::ExternalLinkage, "f", module);
  IRBuilder<>(BasicBlock::Create(context, "", function)).CreateRetVoid();
  for (int time = 0; time < 3; ++time)
    run(module, plugin);
  errs() << "the end\n";
}
