// Folds constants, classifies denormal numbers and returns the width of `size_t`. LLVM's C API has no functions for
// these tasks.
//
// An instruction builder without an insertion point creates no instructions in a function: it only folds constants.
// Some builders without an insertion point use the data layout of a module when they fold a constant. The C API can
// only create builders that fold constants without a data layout.

#include "llvm-c/Core.h"
#include "llvm/Analysis/TargetFolder.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {
// From LLVM 24 on, a builder belongs to a module. Before LLVM 24, a builder belongs to a context.
#if BPA_LLVM_MAJOR >= 24
Module &home(Module &module) { return module; }
#else
LLVMContext &home(Module &module) { return module.getContext(); }
#endif

// Builds a copy of `operation` with the operands `left` and `right`. `operation` is a binary operation, a conversion or
// a comparison. For a conversion, `right` is ignored.
Value *build(IRBuilderBase &builder, Value *operation, Value *left, Value *right) {
  if (auto *binary = dyn_cast<BinaryOperator>(operation))
    return builder.CreateBinOp(binary->getOpcode(), left, right);
  if (auto *conversion = dyn_cast<CastInst>(operation))
    return builder.CreateCast(conversion->getOpcode(), left, conversion->getType());
  return builder.CreateCmp(cast<CmpInst>(operation)->getPredicate(), left, right);
}

Value *build(Module &module, bool has_layout, Value *operation, Value *left, Value *right) {
  if (!has_layout) {
    IRBuilder<> builder(home(module));
    return build(builder, operation, left, right);
  }
  IRBuilder<TargetFolder> builder(home(module), TargetFolder(module.getDataLayout()));
  return build(builder, operation, left, right);
}
} // namespace

// Folds `operation` as if its operands were `left` and `right`. Returns the folded constant. If LLVM did not fold the
// operation, deletes the new instruction and returns null.
//
// LLVM: `ConstantFolder`, `TargetFolder`.
extern "C" LLVMValueRef bpa_fold(LLVMModuleRef module, bool has_layout, LLVMValueRef operation, LLVMValueRef left,
                                 LLVMValueRef right) {
#if BPA_LLVM_MAJOR < 19
  // LLVM creates no constant expression for a comparison, because it would remain in the use lists of globals.
  auto *comparison = dyn_cast<CmpInst>(unwrap(operation));
  if (comparison && !has_layout) {
    auto predicate = comparison->getPredicate();
    return wrap(ConstantExpr::getCompare(predicate, unwrap<Constant>(left), unwrap<Constant>(right), true));
  }
#endif
  Value *result = build(*unwrap(module), has_layout, unwrap(operation), unwrap(left), unwrap(right));
  if (isa<Constant>(result))
    return wrap(result);
  if (auto *instruction = dyn_cast<Instruction>(result))
    instruction->deleteValue();
  return nullptr;
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
