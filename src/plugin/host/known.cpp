// Checks which pipeline elements a pass builder accepts.

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Error.h"

using namespace llvm;

// Whether LLVM or a registered parser accepts an element of a module pipeline. An element of a module pipeline can
// also name a pass on functions.
extern "C" bool bpa_accepts(PassBuilder *builder, const char *element, size_t length) {
  ModulePassManager passes;
  Error error = builder->parsePassPipeline(passes, StringRef(element, length));
  bool known = !error;
  consumeError(std::move(error));
  return known;
}
