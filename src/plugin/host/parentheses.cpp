// Whether parentheses follow a pipeline element, which llvm-plugin does not pass on.

#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

static thread_local bool hasParentheses;

// Sees every element before the parsers that are registered later, and accepts none.
extern "C" void bpa_watch_parentheses(PassBuilder *builder) {
  using Elements = ArrayRef<PassBuilder::PipelineElement>;
  auto look = [](Elements inside) {
    hasParentheses = !inside.empty();
    return false;
  };
  builder->registerPipelineParsingCallback(
      [look](StringRef, ModulePassManager &, Elements inside) { return look(inside); });
  builder->registerPipelineParsingCallback(
      [look](StringRef, FunctionPassManager &, Elements inside) { return look(inside); });
}

// For the last element on this thread.
extern "C" bool bpa_has_parentheses() { return hasParentheses; }
