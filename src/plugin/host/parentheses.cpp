// What llvm-plugin keeps to itself of the elements of a pipeline.

#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

static thread_local bool hasParentheses;

// Looks at every element before the parsers that are registered later, and takes none.
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

// Of the element that was looked at last on this thread.
extern "C" bool bpa_has_parentheses() { return hasParentheses; }
