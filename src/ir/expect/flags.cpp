// The weights that flags of the host give to what `llvm.expect` expects: `-likely-branch-weight` and its counterpart.

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include <cstdint>

using namespace llvm;

// The value of a flag of this name and type; where the host has none, `otherwise`.
static uint32_t valueOf(StringRef name, uint32_t otherwise) {
  auto &flags = cl::getRegisteredOptions();
  auto found = flags.find(name);
  return found == flags.end() ? otherwise : static_cast<cl::opt<uint32_t> *>(found->second)->getValue();
}

extern "C" void bpa_expected_weights(uint32_t *likely, uint32_t *unlikely) {
  *likely = valueOf("likely-branch-weight", *likely);
  *unlikely = valueOf("unlikely-branch-weight", *unlikely);
}
