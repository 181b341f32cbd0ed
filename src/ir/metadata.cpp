// Reads the profile metadata of a function without copying all its metadata, and returns the IDs of metadata kinds
// without a lookup by name.

#include "llvm-c/Types.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

extern "C" uint32_t bpa_kind_of_profiles() { return LLVMContext::MD_prof; }

extern "C" uint32_t bpa_kind_of_header_weights() { return LLVMContext::MD_irr_loop; }

// The profile metadata of a function, or null.
extern "C" LLVMMetadataRef bpa_function_profile(LLVMValueRef function) {
  return wrap(unwrap<Function>(function)->getMetadata(LLVMContext::MD_prof));
}
