// What a pass builder can make of a pipeline element.

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Error.h"

using namespace llvm;

// Whether somebody answers to an element at module position, which is LLVM or whoever has registered with the builder so
// far. Passes for functions have that position too.
extern "C" bool bpa_knows(PassBuilder *builder, const char *element, size_t length) {
  ModulePassManager passes;
  Error error = builder->parsePassPipeline(passes, StringRef(element, length));
  bool known = !error;
  consumeError(std::move(error));
  return known;
}
