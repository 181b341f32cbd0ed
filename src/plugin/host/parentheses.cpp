// Records whether parentheses follow a pipeline element. llvm-plugin does not report this.

#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

static thread_local bool hasParentheses;

// Registers a parser that accepts no element. LLVM passes every element to this parser before it calls the parsers that
// are registered later.
extern "C" void bpa_watch_parentheses(PassBuilder *builder) {
  using Elements = ArrayRef<PassBuilder::PipelineElement>;
  auto record = [](Elements inside) {
    hasParentheses = !inside.empty();
    return false;
  };
  builder->registerPipelineParsingCallback(
      [record](StringRef, ModulePassManager &, Elements inside) { return record(inside); });
  builder->registerPipelineParsingCallback(
      [record](StringRef, FunctionPassManager &, Elements inside) { return record(inside); });
}

// Whether parentheses follow the last element that this thread has parsed.
extern "C" bool bpa_has_parentheses() { return hasParentheses; }
