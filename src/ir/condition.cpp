// Reads the condition of a branch or a `select`. Rust calls this code once per condition. Through the C API, Rust would
// need a call for each operand.

#include "condition.h"

#include "llvm-c/Types.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

enum Kind : uint8_t { OPAQUE, POINTER, INTEGER, FLOATING_POINT };
enum Operand : uint8_t { PLAIN, SINGLE_BIT, RESULT_OF_CALL };
enum Number : uint8_t { ZERO, ONE, MINUS_ONE, OTHER };

// Returns `value`, or the operand of `value` if `value` is a bitcast instruction. If the result would not be an integer
// constant, returns null.
//
// LLVM: `BranchProbabilityInfo::calcZeroHeuristics`.
ConstantInt *integer_constant(Value *value) {
  if (auto *cast = dyn_cast<BitCastInst>(value))
    value = cast->getOperand(0);
  return dyn_cast<ConstantInt>(value);
}

Number classify(const ConstantInt &constant) {
  return constant.isZero() ? ZERO : constant.isOne() ? ONE : constant.isMinusOne() ? MINUS_ONE : OTHER;
}

// LLVM: `BranchProbabilityInfo::calcZeroHeuristics`.
void read_operand(Value *left, ConditionRow &row) {
  auto *instruction = dyn_cast<Instruction>(left);
  if (!instruction)
    return;
  if (instruction->getOpcode() == Instruction::And) {
    ConstantInt *mask = integer_constant(instruction->getOperand(1));
    // LLVM: `APInt::isPowerOf2`.
    if (mask && mask->getValue().isPowerOf2())
      row.operand = SINGLE_BIT;
  } else if (auto *call = dyn_cast<CallInst>(instruction)) {
    // LLVM: `CallBase::getCalledFunction`.
    auto *callee = dyn_cast<Function>(call->getCalledOperand());
    if (callee && callee->getValueType() == call->getFunctionType()) {
      row.operand = RESULT_OF_CALL;
      row.callee = callee;
    }
  }
}

// LLVM: `BranchProbabilityInfo::calcPointerHeuristics`, `BranchProbabilityInfo::calcZeroHeuristics`.
void read_integers(const CmpInst &compare, ConditionRow &row) {
  Value *left = compare.getOperand(0);
  if (left->getType()->isPointerTy()) {
    row.kind = POINTER;
  } else if (ConstantInt *constant = integer_constant(compare.getOperand(1))) {
    row.kind = INTEGER;
    row.constant = classify(*constant);
    read_operand(left, row);
  }
}

} // namespace

ConditionRow read_condition(Value &condition) {
  ConditionRow row = {nullptr, OPAQUE, 0, PLAIN, ZERO, false};
  auto *compare = dyn_cast<CmpInst>(&condition);
  if (!compare)
    return row;
  row.predicate = compare->getPredicate();
  // LLVM: `computeUnlikelySuccessors`.
  row.compares_with_constant = isa<Instruction>(compare->getOperand(0)) && isa<Constant>(compare->getOperand(1));
  if (isa<FCmpInst>(compare))
    row.kind = FLOATING_POINT;
  else
    read_integers(*compare, row);
  return row;
}

// The name of a comparison's predicate, which LLVM stores as a string literal.
extern "C" const char *bpa_predicate_name(LLVMValueRef comparison) {
  return CmpInst::getPredicateName(unwrap<CmpInst>(comparison)->getPredicate()).data();
}
