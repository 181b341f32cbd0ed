// Reads the host's flags for the weights of `llvm.expect`: `-likely-branch-weight` and `-unlikely-branch-weight`.

#include "llvm-c/Types.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/LLVMContext.h"
#include <cstdint>

#if BPA_LLVM_MAJOR >= 24
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/LibraryOptionsContext.h"
#else
#include "llvm/Support/CommandLine.h"
#endif

using namespace llvm;

#if BPA_LLVM_MAJOR >= 24
// Returns the value of the flag `name` in a context. If the flag is not set, returns the default value `otherwise`. The
// flags are variables in LLVM's library of passes, and no other library can access them. This function therefore parses
// the arguments. If a flag occurs several times, the last occurrence counts. The value follows `=` or is the next
// argument.
static uint32_t valueOf(const LLVMContext &context, StringRef name, uint32_t otherwise) {
  ArrayRef<const char *> words = context.getLibraryOptions().args();
  for (size_t place = 0; place < words.size(); ++place) {
    StringRef word = words[place];
    if (!word.consume_front("-"))
      continue;
    word.consume_front("-");
    if (!word.consume_front(name))
      continue;
    if (word.empty() && place + 1 < words.size())
      word = words[++place];
    else if (!word.consume_front("="))
      continue;
    // The host has already parsed the number by the same rules, and ends the process if a number is invalid.
    word.getAsInteger(0, otherwise);
  }
  return otherwise;
}
#else
// The table of virtual functions of `cl::opt<uint32_t>`, which LLVM instantiates and exports. The first two words are not
// functions.
extern "C" __attribute__((weak)) const void *const numberTable[] __asm__("_ZTVN4llvm2cl3optIjLb0ENS0_6parserIjEEEE");

// Whether a flag is a `cl::opt<uint32_t>`. LLVM has no run-time type information, but an object with virtual functions
// begins with the address of its table.
static bool isNumber(const cl::Option &flag) {
  return numberTable && *reinterpret_cast<const void *const *>(&flag) == numberTable + 2;
}

// Returns the value of the flag `name`. If the host has no such flag, or if its type is not `uint32_t`, returns the
// default value `otherwise`. All contexts share the flags.
static uint32_t valueOf(const LLVMContext &, StringRef name, uint32_t otherwise) {
  auto &flags = cl::getRegisteredOptions();
  auto found = flags.find(name);
  bool isKnown = found != flags.end() && isNumber(*found->second);
  return isKnown ? static_cast<cl::opt<uint32_t> *>(found->second)->getValue() : otherwise;
}
#endif

extern "C" void bpa_expected_weights(LLVMContextRef context, uint32_t *likely, uint32_t *unlikely) {
  *likely = valueOf(*unwrap(context), "likely-branch-weight", *likely);
  *unlikely = valueOf(*unwrap(context), "unlikely-branch-weight", *unlikely);
}
