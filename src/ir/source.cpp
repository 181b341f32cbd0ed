// Reads debug information that LLVM's C API does not provide.

#include "llvm-c/Types.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Metadata.h"

#include <cstddef>

using namespace llvm;

// The function that contains a scope, or null.
extern "C" LLVMMetadataRef bpa_subprogram_of_scope(LLVMMetadataRef scope) {
  auto *local = dyn_cast_or_null<DILocalScope>(unwrap(scope));
  return local ? wrap(local->getSubprogram()) : nullptr;
}

// The source name of a function, or an empty name. The name lives as long as the module.
extern "C" const char *bpa_subprogram_name(LLVMMetadataRef function, size_t *length) {
  auto *subprogram = dyn_cast_or_null<DISubprogram>(unwrap(function));
  StringRef name = subprogram ? subprogram->getName() : StringRef();
  *length = name.size();
  return name.data();
}
