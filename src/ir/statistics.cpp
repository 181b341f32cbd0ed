// Reads IR statistics of the blocks of a function, for predictors.

#include "branches.h"
#include "layout.h"
#include "marker.h"

#include "llvm-c/Types.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <utility>

using namespace llvm;

namespace {

// This enum has the values of `Returned` in the core crate.
enum Returned : uint8_t { DoesNot, Nothing, Zero, Negative, One, Other, Merged, Call, Parameter, Computed };

// This struct has the layout of `BlockRow` in `statistics.rs`, where the counts are an array.
struct BlockRow {
  uint32_t instructions, calls, indirect_calls, text_calls, loads, stores, phis, arithmetic;
  uint32_t returned;
};
BPA_LAYOUT(sizeof(BlockRow) == 36);
BPA_LAYOUT(offsetof(BlockRow, instructions) == 0);
BPA_LAYOUT(offsetof(BlockRow, returned) == 32);

// This struct has the layout of `EdgeRow` in `statistics.rs`.
struct EdgeRow {
  uint32_t constants, returned;
  // The constant of a case of a switch, if the constant fits in 64 bits.
  uint32_t is_case, is_wide;
  int64_t case_value;
};
BPA_LAYOUT(sizeof(EdgeRow) == 24);
BPA_LAYOUT(offsetof(EdgeRow, constants) == 0);
BPA_LAYOUT(offsetof(EdgeRow, returned) == 4);
BPA_LAYOUT(offsetof(EdgeRow, is_case) == 8);
BPA_LAYOUT(offsetof(EdgeRow, is_wide) == 12);
BPA_LAYOUT(offsetof(EdgeRow, case_value) == 16);

Returned returned(const Value *value) {
  if (auto *number = dyn_cast<ConstantInt>(value))
    return number->isZero() ? Zero : number->isOne() ? One : number->isNegative() ? Negative : Other;
  if (auto *number = dyn_cast<ConstantFP>(value))
    return number->isZero() ? Zero : number->isNegative() ? Negative : number->isExactlyValue(1.0) ? One : Other;
  if (isa<ConstantPointerNull>(value))
    return Zero;
  if (isa<UndefValue>(value))
    return Computed;
  return isa<Constant>(value)   ? Other
         : isa<PHINode>(value)  ? Merged
         : isa<CallBase>(value) ? Call
         : isa<Argument>(value) ? Parameter
                                : Computed;
}

// Whether a value is the address of a constant string.
bool is_text(const Value *value) {
  if (!value->getType()->isPointerTy())
    return false;
  auto *global = dyn_cast<GlobalVariable>(value->stripInBoundsConstantOffsets());
  if (!global || !global->isConstant() || !global->hasInitializer())
    return false;
  auto *text = dyn_cast<ConstantDataArray>(global->getInitializer());
  return text && text->isString();
}

void count_call(const CallBase &call, BlockRow &row) {
  if (isa<IntrinsicInst>(call))
    return;
  ++row.calls;
  row.indirect_calls += call.isIndirectCall();
  row.text_calls += any_of(call.args(), [](const Use &argument) { return is_text(argument.get()); });
}

void visit(const Instruction &instruction, BlockRow &row) {
  switch (instruction.getOpcode()) {
  case Instruction::Call:
  case Instruction::Invoke:
  case Instruction::CallBr:
    if (is_marker(instruction))
      return;
    count_call(cast<CallBase>(instruction), row);
    break;
  case Instruction::Ret:
    if (Value *value = cast<ReturnInst>(instruction).getReturnValue())
      row.returned = returned(value);
    else
      row.returned = Nothing;
    break;
  case Instruction::Load:
    ++row.loads;
    break;
  case Instruction::Store:
    ++row.stores;
    break;
  case Instruction::PHI:
    ++row.phis;
    break;
  case Instruction::Mul: case Instruction::UDiv: case Instruction::SDiv: case Instruction::URem: case Instruction::SRem:
  case Instruction::FAdd: case Instruction::FSub: case Instruction::FMul: case Instruction::FDiv:
    ++row.arithmetic;
    break;
  }
  ++row.instructions;
}

// For each edge: the incoming values of the phis in the target block. An edge is identified by its source block and its
// target block.
class Incoming {
public:
  explicit Incoming(Function &function) {
    for (BasicBlock &target : function)
      if (is_large(first_phi(target)))
        for (PHINode &phi : target.phis())
          for (unsigned place = 0; place < phi.getNumIncomingValues(); ++place)
            note_once(phi, place, large[{phi.getIncomingBlock(place), &target}]);
  }

  EdgeRow row(BasicBlock *source, BasicBlock *target) const {
    const PHINode *first = first_phi(*target);
    if (is_large(first))
      return large.lookup({source, target}).row;
    EdgeRow row = {};
    if (!first)
      return row;
    // The phis of a block usually list the incoming blocks in the same order.
    int place = first->getBasicBlockIndex(source);
    for (const PHINode &phi : target->phis()) {
      if (place < 0 || unsigned(place) >= phi.getNumIncomingValues() || phi.getIncomingBlock(place) != source)
        place = phi.getBasicBlockIndex(source);
      if (place >= 0)
        note(phi, place, row);
    }
    return row;
  }

private:
  struct Found {
    EdgeRow row = {};
    const PHINode *last = nullptr;
  };

  // A search in the incoming blocks is faster than a lookup in a hash table, except if there are many incoming blocks.
  static bool is_large(const PHINode *phi) { return phi && phi->getNumIncomingValues() > 32; }

  static const PHINode *first_phi(const BasicBlock &block) {
    return block.empty() ? nullptr : dyn_cast<PHINode>(&block.front());
  }

  // If edges are parallel, a phi has an incoming value for each edge, and all these values are equal. Only the first of
  // these values is recorded.
  static void note_once(const PHINode &phi, unsigned place, Found &found) {
    if (found.last == &phi)
      return;
    found.last = &phi;
    note(phi, place, found.row);
  }

  static void note(const PHINode &phi, unsigned place, EdgeRow &row) {
    const Value *incoming = phi.getIncomingValue(place);
    row.constants += isa<Constant>(incoming);
    auto *result = dyn_cast_or_null<ReturnInst>(terminatorOf(*phi.getParent()));
    if (result && result->getReturnValue() == &phi)
      row.returned = returned(incoming);
  }

  // The edges to blocks with large phis.
  DenseMap<std::pair<const BasicBlock *, const BasicBlock *>, Found> large;
};

// Records the constant that selects a successor of a switch. The first successor is the default.
void note_case(const SwitchInst &decision, unsigned place, EdgeRow &row) {
  const APInt &value = std::next(decision.case_begin(), place - 1)->getCaseValue()->getValue();
  row.is_case = true;
  row.is_wide = !value.isSignedIntN(64);
  row.case_value = row.is_wide ? 0 : value.getSExtValue();
}

} // namespace

// Fills one row for each block in layout order, and one row for each edge in the order of blocks and their successors.
// Returns false if the function does not have exactly these numbers of blocks and edges.
extern "C" bool bpa_read_statistics(LLVMValueRef function, BlockRow *blocks, size_t block_count, EdgeRow *edges,
                                    size_t edge_count) {
  const BlockRow *blocks_end = blocks + block_count;
  const EdgeRow *edges_end = edges + edge_count;
  const Incoming incoming(*unwrap<Function>(function));
  for (BasicBlock &block : *unwrap<Function>(function)) {
    // If a pass requests statistics while it changes the function, a block can be without a terminator.
    Instruction *last = terminatorOf(block);
    if (blocks == blocks_end || (last && last->getNumSuccessors() > edges_end - edges))
      return false;
    BlockRow row = {};
    for (Instruction &instruction : block)
      visit(instruction, row);
    *blocks++ = row;
    if (!last)
      continue;
    if (auto *branch = dyn_cast<Branch>(last)) {
      // The compiler can inline the access to the successors of a branch.
      for (unsigned place = 0; place < branch->getNumSuccessors(); ++place)
        *edges++ = incoming.row(&block, branch->getSuccessor(place));
      continue;
    }
    auto *decision = dyn_cast<SwitchInst>(last);
    for (unsigned place = 0; place < last->getNumSuccessors(); ++place, ++edges) {
      *edges = incoming.row(&block, last->getSuccessor(place));
      if (decision && place > 0)
        note_case(*decision, place, *edges);
    }
  }
  return blocks == blocks_end && edges == edges_end;
}

// If a value has more uses, `bpa_uses` searches the block instead of the uses.
constexpr unsigned MOST_LISTED_USES = 16;

// Whether `block` contains an instruction, other than a phi, that uses `value` as an operand.
extern "C" bool bpa_uses(LLVMBasicBlockRef block, LLVMValueRef value) {
  BasicBlock &searched = *unwrap(block);
  const Value *used = unwrap(value);
  // Most values have few uses, so the list of the uses is shorter than the list of the block's operands. Constants also
  // have uses in other functions, and some LLVM versions do not list the uses of constants.
  if (isa<Instruction, Argument>(used)) {
    unsigned count = 0;
    auto user = used->user_begin(), end = used->user_end();
    for (; user != end && count < MOST_LISTED_USES; ++user, ++count) {
      auto *instruction = dyn_cast<Instruction>(*user);
      if (instruction && instruction->getParent() == &searched && !isa<PHINode>(instruction))
        return true;
    }
    if (user == end)
      return false;
  }
  return any_of(searched, [used](Instruction &instruction) {
    return !isa<PHINode>(instruction) && is_contained(instruction.operand_values(), used);
  });
}
