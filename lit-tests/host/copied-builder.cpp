// A host copies or moves its pass builder, and destroys the original. The passes of the plugin and the extensions by
// BPA_PIPELINE work in the new builder. A plugin that registers with the new builder as well adds no pass twice.
// RUN: %cxx %s %llvm_flags -o %t
// RUN: %t %plugin copy 2>&1 | FileCheck %s
// RUN: %t %plugin move 2>&1 | FileCheck %s
// RUN: env BPA_PIPELINE=optimizer-last:rust-bpi,analyses %t %plugin copy 2>&1 | FileCheck %s --check-prefixes=CHECK,EXTEND
// RUN: env BPA_PIPELINE=optimizer-last:rust-bpi %t %plugin move again 2>&1 | FileCheck %s --check-prefixes=CHECK,EXTEND
// RUN: sh -c 'BPA_PIPELINE=optimizer-last:nonsense %t %plugin move; test $? = 1' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN --implicit-check-not={{.}}
// CHECK: for function 'f'
// EXTEND: for function 'f'
// CHECK-NOT: for function 'f'
// CHECK: the end
// UNKNOWN: bpa: BPA_PIPELINE: unknown pass 'nonsense'

#include "../Inputs/pass_plugin.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <utility>

using namespace llvm;

int main(int count, char **arguments) {
  PassPlugin plugin = loadPlugin(arguments[1]);
  LLVMContext context;
  Module module("m", context);
  auto *type = FunctionType::get(Type::getVoidTy(context), false);
  auto *function = Function::Create(type, Function::ExternalLinkage, "f", module);
  IRBuilder<>(BasicBlock::Create(context, "", function)).CreateRetVoid();
  alignas(Builder) static char memory[sizeof(Builder)];
  auto *original = new (memory) Builder(context);
  plugin.registerPassBuilderCallbacks(*original);
  bool isCopied = StringRef(arguments[2]) == "copy";
  Builder builder = isCopied ? Builder(*original) : Builder(std::move(*original));
  original->~Builder();
  std::memset(memory, 0xff, sizeof memory);
  if (count > 3)
    plugin.registerPassBuilderCallbacks(builder);
  Analyses analyses;
  analyses.add(builder);
  if (Error error = analyses.run(builder, "rust-bpi,default<O1>", module))
    report_fatal_error(std::move(error));
  errs() << "the end\n";
}
