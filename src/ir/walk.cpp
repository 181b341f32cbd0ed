// The walk over a function's instructions, which hands over plain arrays.
//
// LLVM's objects are spread over more memory than the caches hold, so that each is looked at once; and an opcode and a link
// are read without a call into another library, of which the C API would take two for each instruction.

#include "llvm-c/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include <vector>

using namespace llvm;

namespace {

// The same as `BlockRow` in `walked.rs`.
struct BlockRow {
  // The block's last instruction, or null.
  Instruction *last;
  // How many edges leave the block, and how many come in.
  uint32_t successors, predecessors;
  bool calls_cold_function, handles_exceptions;
};

struct Walked {
  std::vector<BlockRow> rows;
  // Block after block.
  std::vector<BasicBlock *> successors, predecessors;
};

// Notes what the instructions of a block say of it.
//
// LLVM: `BranchProbabilityInfo::getInitialEstimatedBlockWeight`, `BasicBlock::isEHPad`.
void visit_instructions(BasicBlock &block, BlockRow &row) {
  bool among_phis = true;
  for (Instruction &instruction : block) {
    if (among_phis && !isa<PHINode>(instruction)) {
      among_phis = false;
      row.handles_exceptions = instruction.isEHPad();
    }
    if (auto *call = dyn_cast<CallInst>(&instruction))
      row.calls_cold_function |= call->hasFnAttr(Attribute::Cold);
  }
}

void append_successors(BlockRow &row, std::vector<BasicBlock *> &successors) {
  // A pass may ask before it has given a block its terminator: then nothing follows the block.
  if (!row.last || !row.last->isTerminator())
    return;
  row.successors = row.last->getNumSuccessors();
  for (unsigned place = 0; place < row.successors; ++place)
    successors.push_back(row.last->getSuccessor(place));
}

// In the order of the block's use list. Users that a pass has left over are no end of a block of the function.
//
// LLVM: `PredIterator`.
void append_predecessors(BasicBlock &block, BlockRow &row, std::vector<BasicBlock *> &predecessors) {
  for (User *user : block.users()) {
    auto *instruction = dyn_cast<Instruction>(user);
    BasicBlock *source = instruction ? instruction->getParent() : nullptr;
    if (source && source->getParent() == block.getParent() && source->getTerminator() == instruction) {
      predecessors.push_back(source);
      ++row.predecessors;
    }
  }
}

} // namespace

// The blocks of a function, which has that many of them, in layout order. Unless all instructions are asked for,
// terminators alone are looked at.
extern "C" Walked *bpa_walk(LLVMValueRef value, size_t blocks, bool all_instructions) {
  auto *walked = new Walked;
  walked->rows.reserve(blocks);
  walked->successors.reserve(2 * blocks);
  walked->predecessors.reserve(2 * blocks);
  for (BasicBlock &block : *unwrap<Function>(value)) {
    BlockRow row = {block.empty() ? nullptr : &block.back(), 0, 0, false, false};
    if (all_instructions)
      visit_instructions(block, row);
    append_successors(row, walked->successors);
    append_predecessors(block, row, walked->predecessors);
    walked->rows.push_back(row);
  }
  return walked;
}

extern "C" const BlockRow *bpa_walked_rows(const Walked *walked) { return walked->rows.data(); }

extern "C" BasicBlock *const *bpa_walked_successors(const Walked *walked, size_t *count) {
  *count = walked->successors.size();
  return walked->successors.data();
}

extern "C" BasicBlock *const *bpa_walked_predecessors(const Walked *walked, size_t *count) {
  *count = walked->predecessors.size();
  return walked->predecessors.data();
}

extern "C" void bpa_drop_walked(Walked *walked) { delete walked; }

// Whether some call in a block does not return.
//
// LLVM: `BranchProbabilityInfo::getInitialEstimatedBlockWeight`.
extern "C" bool bpa_has_noreturn_call(LLVMBasicBlockRef block) {
  return any_of(*unwrap(block), [](Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    return call && call->hasFnAttr(Attribute::NoReturn);
  });
}
