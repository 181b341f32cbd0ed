// The host has an option with the name of LLVM's option for the weights of `llvm.expect`, but with another type.
// UNSUPPORTED: llvm-ge-24
// RUN: %cxx %s %llvm_flags -o %t
// RUN: %t %plugin number | FileCheck %s --check-prefix=NUMBER
// RUN: %t %plugin text | FileCheck %s
// NUMBER: !{!"branch_weights",{{( !"expected",)?}} i32 7, i32 1}
// CHECK: !{!"branch_weights",{{( !"expected",)?}} i32 2000, i32 1}

#include "../Inputs/pass_plugin.h"

#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

using namespace llvm;

static const char *IR = "declare i1 @llvm.expect.i1(i1, i1)"
                        "define i32 @f(i1 %c) {"
                        "  %e = call i1 @llvm.expect.i1(i1 %c, i1 true)"
                        "  br i1 %e, label %a, label %b "
                        "a:"
                        "  ret i32 1 "
                        "b:"
                        "  ret i32 2 "
                        "}";

int main(int, char **arguments) {
  const char *name = "likely-branch-weight";
  cl::Option *old = cl::getRegisteredOptions().lookup(name);
  if (!old)
    report_fatal_error("LLVM has no such option");
  cl::opt<std::string> text("text", cl::init("a long text that does not fit into the object of the option"));
  if (arguments[2] == std::string("text")) {
    old->removeArgument();
    text.setArgStr(name);
  } else {
    const char *words[] = {"host", "-likely-branch-weight=7"};
    cl::ParseCommandLineOptions(2, words);
  }
  PassPlugin plugin = loadPlugin(arguments[1]);
  LLVMContext context;
  SMDiagnostic problem;
  std::unique_ptr<Module> module = parseIR(MemoryBufferRef(IR, "ir"), problem, context);
  Builder builder(context);
  plugin.registerPassBuilderCallbacks(builder);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  ModulePassManager passes;
  if (Error error = builder.parsePassPipeline(passes, "rust-lower-expect"))
    report_fatal_error(std::move(error));
  passes.run(*module, modules);
  module->print(outs(), nullptr);
}
