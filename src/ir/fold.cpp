// Folds constants, classifies denormal numbers and returns the width of `size_t`. LLVM's C API has no functions for
// these tasks.
//
// An instruction builder without an insertion point creates no instructions in a function: it only folds constants.
// Some of these builders fold with the data layout of a module. The C API can only create builders that fold without a
// data layout.

#include "llvm-c/Core.h"
#include "llvm/Analysis/TargetFolder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {
using PlainBuilder = IRBuilder<>;
using LayoutBuilder = IRBuilder<TargetFolder>;

// From LLVM 24 on, a builder belongs to a module. Before LLVM 24, a builder belongs to a context.
#if BPA_LLVM_MAJOR >= 24
Module &home(Module &module) { return module; }
#else
LLVMContext &home(Module &module) { return module.getContext(); }
#endif

// Returns the folded constant. If LLVM did not fold the operation, deletes the new instruction and returns null.
LLVMValueRef folded(Value *result) {
  if (isa<Constant>(result))
    return wrap(result);
  if (auto *instruction = dyn_cast<Instruction>(result))
    instruction->deleteValue();
  return nullptr;
}
} // namespace

// LLVM: `ConstantFolder`, `TargetFolder`.
extern "C" IRBuilderBase *bpa_create_builder(LLVMModuleRef module, bool has_layout) {
  Module &inside = *unwrap(module);
  if (has_layout)
    return new LayoutBuilder(home(inside), TargetFolder(inside.getDataLayout()));
  return new PlainBuilder(home(inside));
}

extern "C" void bpa_dispose_builder(IRBuilderBase *builder, bool has_layout) {
  if (has_layout)
    delete static_cast<LayoutBuilder *>(builder);
  else
    delete static_cast<PlainBuilder *>(builder);
}

// Folds a binary operation, a conversion or a comparison, with the operands `left` and `right` instead of its operands.
// A conversion ignores `right`.
extern "C" LLVMValueRef bpa_fold(IRBuilderBase *builder, LLVMValueRef operation, LLVMValueRef left,
                                 LLVMValueRef right) {
  if (auto *binary = dyn_cast<BinaryOperator>(unwrap(operation)))
    return folded(builder->CreateBinOp(binary->getOpcode(), unwrap(left), unwrap(right)));
  if (auto *conversion = dyn_cast<CastInst>(unwrap(operation)))
    return folded(builder->CreateCast(conversion->getOpcode(), unwrap(left), conversion->getType()));
  return folded(builder->CreateCmp(unwrap<CmpInst>(operation)->getPredicate(), unwrap(left), unwrap(right)));
}

// Whether a constant is a denormal number.
extern "C" bool bpa_is_denormal(LLVMValueRef constant) {
  auto *number = dyn_cast<ConstantFP>(unwrap(constant));
  return number && number->getValueAPF().isDenormal();
}

// The number of bits of `size_t`.
//
// LLVM: `TargetLibraryInfoImpl::getSizeTSize`.
extern "C" uint32_t bpa_index_bits(LLVMModuleRef module) {
  return unwrap(module)->getDataLayout().getIndexSizeInBits(0);
}
