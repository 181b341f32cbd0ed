// Computes the conditions that branches would have without expectations.
//
// `__builtin_expect` has the type `long`. Clang therefore converts the condition to an integer, and compares the result
// of the call with 0. The rules would predict this comparison, although the source does not contain it.

#include "llvm-c/Core.h"
#include "llvm/ADT/APInt.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace {

// The maximum number of nested expectations. In unreachable code, a call can be its own argument.
constexpr unsigned EXPECTATIONS = 16;

// If `value` is a call that states an expectation, returns the argument to which the expectation applies. Otherwise
// returns null.
Value *expected_value(Value *value) {
  auto *call = dyn_cast<CallInst>(value);
  auto *callee = call ? dyn_cast<Function>(call->getCalledOperand()) : nullptr;
  if (!callee)
    return nullptr;
  Intrinsic::ID id = callee->getIntrinsicID();
  return id == Intrinsic::expect || id == Intrinsic::expect_with_probability ? call->getArgOperand(0) : nullptr;
}

// If `value` is the negation of a bit, returns the bit. Otherwise returns null.
Value *negated(Value *value) {
  auto *binary = dyn_cast<BinaryOperator>(value);
  if (!binary || binary->getOpcode() != Instruction::Xor)
    return nullptr;
  auto *mask = dyn_cast<ConstantInt>(binary->getOperand(1));
  return mask && mask->getType()->isIntegerTy(1) && mask->isOne() ? binary->getOperand(0) : nullptr;
}

// Returns `bit`, or the negation of `bit` if `is_inverted` is set. The negation of a comparison is a comparison with
// the inverse predicate: for `if (!x)`, clang swaps the successors instead of negating the comparison.
Value *condition_of(IRBuilderBase &builder, Value *bit, bool is_inverted) {
  for (unsigned place = 0; place < EXPECTATIONS; ++place) {
    Value *inner = negated(bit);
    if (!inner)
      break;
    bit = inner;
    is_inverted = !is_inverted;
  }
  if (!is_inverted)
    return bit;
  if (auto *compare = dyn_cast<CmpInst>(bit))
    return builder.CreateCmp(compare->getInversePredicate(), compare->getOperand(0), compare->getOperand(1));
  return builder.CreateNot(bit);
}

// Builds the comparison of `value` with `constant`. Extensions of `value` are skipped if the comparison of the narrow
// value has the same result.
Value *comparison(IRBuilderBase &builder, CmpInst::Predicate predicate, Value *value, APInt constant) {
  bool is_equality = predicate == CmpInst::ICMP_EQ || predicate == CmpInst::ICMP_NE;
  while (isa<SExtInst>(value) || (is_equality && isa<ZExtInst>(value))) {
    Value *narrow = cast<CastInst>(value)->getOperand(0);
    APInt part = constant.trunc(narrow->getType()->getIntegerBitWidth());
    unsigned width = constant.getBitWidth();
    if ((isa<SExtInst>(value) ? part.sext(width) : part.zext(width)) != constant)
      break;
    value = narrow;
    constant = part;
  }
  if (is_equality && constant.getBitWidth() == 1)
    return condition_of(builder, value, (predicate == CmpInst::ICMP_EQ) == constant.isZero());
  return builder.CreateICmp(predicate, value, ConstantInt::get(value->getType(), constant));
}

// If `condition` tests the result of an expectation, returns the condition without the expectation. Otherwise returns
// null.
Value *without_expectation(IRBuilderBase &builder, Value *condition) {
  if (Value *value = expected_value(condition))
    return condition_of(builder, value, false);
  auto *compare = dyn_cast<ICmpInst>(condition);
  auto *constant = compare ? dyn_cast<ConstantInt>(compare->getOperand(1)) : nullptr;
  Value *value = constant ? expected_value(compare->getOperand(0)) : nullptr;
  return value ? comparison(builder, compare->getPredicate(), value, constant->getValue()) : nullptr;
}

} // namespace

// If the condition of a conditional branch tests the result of an expectation, replaces the condition by the condition
// without the expectation. Inserts the new instructions before the branch, sets `inserted` to their number, and returns
// the old condition. Otherwise returns null.
extern "C" LLVMValueRef bpa_ignore_expectation(LLVMValueRef branch, size_t *inserted) {
  auto *terminator = unwrap<Instruction>(branch);
  Value *old = terminator->getOperand(0), *condition = old;
  size_t before = terminator->getParent()->size();
  IRBuilder<> builder(terminator);
  for (unsigned place = 0; place < EXPECTATIONS; ++place) {
    Value *next = without_expectation(builder, condition);
    if (!next)
      break;
    condition = next;
  }
  if (condition == old)
    return nullptr;
  terminator->setOperand(0, condition);
  *inserted = terminator->getParent()->size() - before;
  return wrap(old);
}

// Undoes `bpa_ignore_expectation`.
extern "C" void bpa_restore_condition(LLVMValueRef branch, LLVMValueRef condition, size_t inserted) {
  auto *terminator = unwrap<Instruction>(branch);
  terminator->setOperand(0, unwrap(condition));
  for (; inserted > 0; --inserted)
    terminator->getPrevNode()->eraseFromParent();
}
