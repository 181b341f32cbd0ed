// Lowers expectations, and computes the conditions that branches would have without expectations.
//
// `__builtin_expect` has the type `long`. Clang therefore converts the condition to an integer, and compares the result
// of the call with 0. The rules would predict this comparison, although the source does not contain it.

#include "branches.h"

#include "llvm-c/Core.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Scalar/LowerExpectIntrinsic.h"
#include <utility>
#include <vector>

using namespace llvm;

namespace {

using Builder = IRBuilder<ConstantFolder, IRBuilderCallbackInserter>;

// The branches of a function whose conditions tested expectations.
struct Ignored {
  // For each branch, a `freeze` instruction whose operand is the old condition.
  std::vector<std::pair<Branch *, FreezeInst *>> branches;
  // The instructions that compute the new conditions.
  std::vector<Instruction *> created;
};

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

// Whether the expectations, casts and negations of `value` form a cycle, which is possible only in unreachable code.
bool is_cyclic(Value *value) {
  SmallPtrSet<Value *, 8> seen;
  while (seen.insert(value).second) {
    auto *binary = dyn_cast<BinaryOperator>(value);
    bool is_passed = isa<ZExtInst>(value) || isa<SExtInst>(value) || (binary && binary->getOpcode() == Instruction::Xor);
    if (!is_passed && !expected_value(value))
      return false;
    value = cast<Instruction>(value)->getOperand(0);
  }
  return true;
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
Value *condition_of(Builder &builder, Value *bit, bool is_inverted) {
  Value *negation = nullptr;
  for (unsigned place = 0; place < EXPECTATIONS; ++place) {
    Value *inner = negated(bit);
    if (!inner)
      break;
    negation = bit;
    bit = inner;
    is_inverted = !is_inverted;
  }
  if (!is_inverted)
    return bit;
  if (auto *compare = dyn_cast<CmpInst>(bit))
    return builder.CreateCmp(compare->getInversePredicate(), compare->getOperand(0), compare->getOperand(1));
  return negation ? negation : builder.CreateNot(bit);
}

// Builds the comparison of `value` with `constant`. Extensions of `value` are skipped if the comparison of the narrow
// value has the same result.
Value *comparison(Builder &builder, CmpInst::Predicate predicate, Value *value, APInt constant) {
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
Value *without_expectation(Builder &builder, Value *condition) {
  if (Value *value = expected_value(condition))
    return condition_of(builder, value, false);
  auto *compare = dyn_cast<ICmpInst>(condition);
  auto *constant = compare ? dyn_cast<ConstantInt>(compare->getOperand(1)) : nullptr;
  Value *value = constant ? expected_value(compare->getOperand(0)) : nullptr;
  return value ? comparison(builder, compare->getPredicate(), value, constant->getValue()) : nullptr;
}

// Exchanges the condition of a branch with the operand of a `freeze` instruction. In the use lists of both values, the
// two users also exchange their places. If one call follows another with the same arguments, the branch has its old
// condition and its old place in the use list of this condition.
void exchange(Branch &branch, FreezeInst &freeze) { branch.getOperandUse(0).swap(freeze.getOperandUse(0)); }

} // namespace

// Runs LLVM's pass `lower-expect`. Returns whether the pass has changed the function. LLVM's pass does not terminate if
// an expectation depends on its own result, so such an expectation gets another argument first.
extern "C" bool bpa_lower_expect(LLVMValueRef value) {
  auto &function = *unwrap<Function>(value);
  for (BasicBlock &block : function)
    for (Instruction &instruction : block)
      if (Value *expected = expected_value(&instruction); expected && is_cyclic(expected))
        instruction.setOperand(0, PoisonValue::get(instruction.getType()));
  FunctionAnalysisManager none;
  return !LowerExpectIntrinsicPass().run(function, none).areAllPreserved();
}

// If the condition of a conditional branch in `function` tests the result of an expectation, replaces the condition by
// the condition without the expectation. The new instructions are in no block, so the contents of the blocks and the
// numbers of unnamed values do not change. Returns the data that `bpa_restore_conditions` needs.
extern "C" Ignored *bpa_ignore_expectations(LLVMValueRef function) {
  auto *ignored = new Ignored;
  auto record = [=](Instruction *created) { ignored->created.push_back(created); };
  Builder builder(unwrap(function)->getContext(), ConstantFolder(), IRBuilderCallbackInserter(record));
  for (BasicBlock &block : *unwrap<Function>(function)) {
    auto *branch = dyn_cast_or_null<Branch>(terminatorOf(block));
    if (!branch || branch->getNumSuccessors() != 2)
      continue;
    Value *old = branch->getCondition(), *condition = old;
    for (unsigned place = 0; place < EXPECTATIONS; ++place) {
      Value *next = without_expectation(builder, condition);
      if (!next)
        break;
      condition = next;
    }
    if (condition == old)
      continue;
    auto *freeze = new FreezeInst(condition);
    exchange(*branch, *freeze);
    ignored->branches.emplace_back(branch, freeze);
  }
  return ignored;
}

// Undoes `bpa_ignore_expectations`. Afterwards, the use lists have their old order.
extern "C" void bpa_restore_conditions(Ignored *ignored) {
  for (auto [branch, freeze] : ignored->branches) {
    exchange(*branch, *freeze);
    freeze->deleteValue();
  }
  for (Instruction *instruction : reverse(ignored->created))
    instruction->deleteValue();
  delete ignored;
}
