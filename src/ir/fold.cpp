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

// From LLVM 24 on, a builder belongs to a module. In earlier versions, a builder belongs to a context.
#if BPA_LLVM_MAJOR >= 24
Module &home(Module &module) { return module; }
#else
LLVMContext &home(Module &module) { return module.getContext(); }
#endif

Instruction::BinaryOps binaryOpcode(LLVMOpcode opcode) {
  switch (opcode) {
#define HANDLE_BINARY_INST(number, name, kind)                                                                         \
  case LLVM##name:                                                                                                     \
    return Instruction::name;
#include "llvm/IR/Instruction.def"
  default:
    llvm_unreachable("not the opcode of a binary operation");
  }
}

Instruction::CastOps castOpcode(LLVMOpcode opcode) {
  switch (opcode) {
#define HANDLE_CAST_INST(number, name, kind)                                                                           \
  case LLVM##name:                                                                                                     \
    return Instruction::name;
#include "llvm/IR/Instruction.def"
  default:
    llvm_unreachable("not the opcode of a conversion");
  }
}

// Returns the folded constant. If LLVM did not fold the operation, deletes the new instruction and returns null.
LLVMValueRef folded(Value *result) {
  if (isa<Constant>(result))
    return wrap(result);
  if (auto *instruction = dyn_cast<Instruction>(result))
    instruction->deleteValue();
  return nullptr;
}
} // namespace

// LLVM: `ConstantFolder`.
extern "C" IRBuilderBase *bpa_create_plain_builder(LLVMModuleRef module) {
  return new PlainBuilder(home(*unwrap(module)));
}

extern "C" void bpa_dispose_plain_builder(IRBuilderBase *builder) { delete static_cast<PlainBuilder *>(builder); }

// LLVM: `TargetFolder`.
extern "C" IRBuilderBase *bpa_create_layout_builder(LLVMModuleRef module) {
  Module &inside = *unwrap(module);
  return new LayoutBuilder(home(inside), TargetFolder(inside.getDataLayout()));
}

extern "C" void bpa_dispose_layout_builder(IRBuilderBase *builder) { delete static_cast<LayoutBuilder *>(builder); }

extern "C" LLVMValueRef bpa_fold_binary(IRBuilderBase *builder, LLVMOpcode opcode, LLVMValueRef left,
                                        LLVMValueRef right) {
  return folded(builder->CreateBinOp(binaryOpcode(opcode), unwrap(left), unwrap(right)));
}

extern "C" LLVMValueRef bpa_fold_cast(IRBuilderBase *builder, LLVMOpcode opcode, LLVMValueRef value,
                                      LLVMTypeRef target) {
  return folded(builder->CreateCast(castOpcode(opcode), unwrap(value), unwrap(target)));
}

extern "C" LLVMValueRef bpa_fold_integer_comparison(IRBuilderBase *builder, LLVMIntPredicate predicate,
                                                    LLVMValueRef left, LLVMValueRef right) {
  return folded(builder->CreateICmp(static_cast<CmpInst::Predicate>(predicate), unwrap(left), unwrap(right)));
}

extern "C" LLVMValueRef bpa_fold_float_comparison(IRBuilderBase *builder, LLVMRealPredicate predicate,
                                                  LLVMValueRef left, LLVMValueRef right) {
  return folded(builder->CreateFCmp(static_cast<CmpInst::Predicate>(predicate), unwrap(left), unwrap(right)));
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
