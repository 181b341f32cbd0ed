// Value handles. A handle becomes null when its value is deleted, so a new value at the same address is not mistaken
// for the deleted value.

#include "llvm-c/Types.h"
#include "llvm/IR/Value.h"
#include "llvm/IR/ValueHandle.h"
#include <vector>

using namespace llvm;

using Handles = std::vector<WeakVH>;

extern "C" Handles *bpa_new_handles(const LLVMValueRef *values, size_t count) {
  auto *handles = new Handles;
  handles->reserve(count);
  for (size_t place = 0; place < count; ++place)
    handles->emplace_back(unwrap(values[place]));
  return handles;
}

extern "C" void bpa_drop_handles(Handles *handles) { delete handles; }

extern "C" void bpa_add_handle(Handles *handles, LLVMValueRef value) { handles->emplace_back(unwrap(value)); }

// Returns the value, or null if it has been deleted.
extern "C" LLVMValueRef bpa_handle(const Handles *handles, size_t place) {
  return wrap(static_cast<Value *>((*handles)[place]));
}
