// What folding constants and judging prototypes need and LLVM's C API lacks.
//
// An instruction builder that folds constants with the data layout of a module: LLVM's C API has only the one that
// folds without. The C functions that build instructions take either, since what they call belongs to the common base.
//
// LLVM: `TargetFolder`.

#include "llvm-c/Types.h"
#include "llvm/Analysis/TargetFolder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {
using LayoutBuilder = IRBuilder<TargetFolder>;
} // namespace

extern "C" LLVMBuilderRef bpa_create_layout_builder(LLVMModuleRef module) {
  Module *inside = unwrap(module);
  IRBuilderBase *builder = new LayoutBuilder(inside->getContext(), TargetFolder(inside->getDataLayout()));
  return reinterpret_cast<LLVMBuilderRef>(builder);
}

// Whether a constant is a number so small that it has fewer digits than others of its type.
extern "C" bool bpa_is_denormal(LLVMValueRef constant) {
  auto *number = dyn_cast<ConstantFP>(unwrap(constant));
  return number && number->getValueAPF().isDenormal();
}

// How many bits a size in memory has.
//
// LLVM: `TargetLibraryInfoImpl::getSizeTSize`.
extern "C" uint32_t bpa_index_bits(LLVMModuleRef module) {
  return unwrap(module)->getDataLayout().getIndexSizeInBits(0);
}

extern "C" void bpa_dispose_layout_builder(LLVMBuilderRef builder) {
  delete static_cast<LayoutBuilder *>(reinterpret_cast<IRBuilderBase *>(builder));
}
