// Walks over a function's instructions and fills plain arrays.
//
// The LLVM objects of a large function do not fit into the CPU caches. The walk therefore reads each object only once.
// LLVM's headers define the functions that read an opcode and find the next instruction. A C++ compiler can inline
// these functions, so the walk is C++ code. Through the C API, the walk would need two calls for each instruction.

#include "branches.h"
#include "condition.h"

#include "llvm-c/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include <vector>

using namespace llvm;

namespace {

// The order must be equal to the order of `KINDS` in `walked.rs`.
enum Terminator : uint8_t {
  NONE, RETURN, JUMP, BRANCH, SWITCH, INDIRECT, INVOKE, CALL_BRANCH, UNREACHABLE, EXCEPTIONAL
};

// This struct has the layout of `BlockRow` in `walked.rs`.
struct BlockRow {
  // The last instruction of the block, or null.
  Instruction *last;
  // The condition, if the block ends in a conditional branch.
  ConditionRow condition;
  Terminator terminator;
  // `has_metadata` is true if the last instruction has metadata other than the debug location.
  bool has_metadata, calls_cold_function, handles_exceptions;
};
BPA_LAYOUT(sizeof(BlockRow) == 32);
BPA_LAYOUT(offsetof(BlockRow, last) == 0);
BPA_LAYOUT(offsetof(BlockRow, condition) == 8);
BPA_LAYOUT(offsetof(BlockRow, terminator) == 24);
BPA_LAYOUT(offsetof(BlockRow, has_metadata) == 25);
BPA_LAYOUT(offsetof(BlockRow, calls_cold_function) == 26);
BPA_LAYOUT(offsetof(BlockRow, handles_exceptions) == 27);

// This value is used instead of a block number if the block is not in the function, or was not there when the blocks were
// numbered.
constexpr uint32_t ELSEWHERE = ~0u;

// A hash table that maps the address of a block to the number of the block. This struct has the layout of
// `SlotsForWalk` in `numbering.rs`. The table is unused from LLVM 20 on.
struct Slots {
  const uint32_t *numbers;
  size_t count;
  uint64_t multiplier;
  uint32_t shift;
};
BPA_LAYOUT(sizeof(Slots) == 32);
BPA_LAYOUT(offsetof(Slots, numbers) == 0);
BPA_LAYOUT(offsetof(Slots, count) == 8);
BPA_LAYOUT(offsetof(Slots, multiplier) == 16);
BPA_LAYOUT(offsetof(Slots, shift) == 24);

#ifdef BPA_NUMBERED_BLOCKS
// Maps blocks to their numbers in layout order. The table is indexed by LLVM's own block numbers, which are not always
// in layout order.
class Numbers {
  std::vector<uint32_t> numbers;

public:
  void start(const Slots &, ArrayRef<BasicBlock *> blocks) {
    numbers.assign(blocks[0]->getParent()->getMaxBlockNumber(), ELSEWHERE);
    for (uint32_t number = 0; number < blocks.size(); ++number)
      numbers[blocks[number]->getNumber()] = number;
  }

  uint32_t of(BasicBlock *block, ArrayRef<BasicBlock *> blocks) const {
    return block->getParent() == blocks[0]->getParent() ? numbers[block->getNumber()] : ELSEWHERE;
  }
};
#else
// Maps the addresses of blocks to their numbers in layout order.
class Numbers {
  Slots slots;

public:
  void start(const Slots &of_blocks, ArrayRef<BasicBlock *>) { slots = of_blocks; }

  // This function uses the algorithm of `Slots::place` in `numbering.rs`.
  uint32_t of(BasicBlock *block, ArrayRef<BasicBlock *> blocks) const {
    size_t place = uint64_t(reinterpret_cast<uintptr_t>(block)) * slots.multiplier >> slots.shift;
    while (slots.numbers[place] != ELSEWHERE && blocks[slots.numbers[place]] != block)
      place = (place + 1) & (slots.count - 1);
    return slots.numbers[place];
  }
};
#endif

// The outgoing or the incoming edges of all blocks.
struct Rows {
  // For each block, the index of its first edge. The last element is the number of all edges.
  std::vector<uint32_t> starts;
  // For outgoing edges: the target of each edge. For incoming edges: the source of each edge.
  std::vector<uint32_t> blocks;
};

// The results of a walk. The next walk reuses the memory.
struct Walked {
  Numbers numbers;
  std::vector<BlockRow> rows;
  Rows successors, predecessors;
};

Terminator kind_of(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::Ret:
    return RETURN;
#ifdef BPA_TWO_KINDS_OF_BRANCH
  case Instruction::UncondBr:
    return JUMP;
  case Instruction::CondBr:
    return BRANCH;
#else
  case Instruction::Br:
    return cast<BranchInst>(instruction).isConditional() ? BRANCH : JUMP;
#endif
  case Instruction::Switch:
    return SWITCH;
  case Instruction::IndirectBr:
    return INDIRECT;
  case Instruction::Invoke:
    return INVOKE;
  case Instruction::CallBr:
    return CALL_BRANCH;
  case Instruction::Unreachable:
    return UNREACHABLE;
  case Instruction::Resume:
  case Instruction::CleanupRet:
  case Instruction::CatchRet:
  case Instruction::CatchSwitch:
    return EXCEPTIONAL;
  default:
    return NONE;
  }
}

// The size of a cache line.
constexpr size_t LINE = 64;

// Prefetches memory at an offset from an object. The address need not be valid.
void fetch(const void *object, uintptr_t offset = 0) {
  __builtin_prefetch(reinterpret_cast<const void *>(reinterpret_cast<uintptr_t>(object) + offset));
}

// Instructions are in memory roughly in the order of their creation, and each instruction stores the address of the
// next instruction. A simple loop over the instructions would wait for memory at each instruction. This
// function therefore prefetches memory that the walk will soon need.
void prefetch_after(const Instruction &instruction) {
  constexpr size_t AHEAD = 4096;
  fetch(&instruction, AHEAD);
  fetch(&instruction, AHEAD + LINE);
}

// Records the properties of the instructions of a block.
//
// LLVM: `BranchProbabilityInfo::getInitialEstimatedBlockWeight`, `BasicBlock::isEHPad`.
void visit_instructions(BasicBlock &block, BlockRow &row) {
  auto next = block.begin(), end = block.end();
  while (next != end && isa<PHINode>(*next)) {
    prefetch_after(*next);
    ++next;
  }
  row.handles_exceptions = next != end && next->isEHPad();
  for (; next != end; ++next) {
    prefetch_after(*next);
    if (auto *call = dyn_cast<CallInst>(&*next))
      row.calls_cold_function |= call->hasFnAttr(Attribute::Cold);
  }
}

// While a pass is building a function, a block can be without a terminator.
void visit_terminator(BasicBlock &block, BlockRow &row) {
  if (block.empty())
    return;
  row.last = &block.back();
  row.terminator = kind_of(*row.last);
}

template <typename Instruction>
void append_targets(const Instruction &terminator, uint32_t source, ArrayRef<BasicBlock *> blocks, Walked &walked) {
  for (unsigned place = 0; place < terminator.getNumSuccessors(); ++place) {
    BasicBlock *target = terminator.getSuccessor(place);
    // Many edges lead to the next block in layout order, and the number of this block needs no lookup.
    bool is_below = source + 1 < blocks.size() && blocks[source + 1] == target;
    walked.successors.blocks.push_back(is_below ? source + 1 : walked.numbers.of(target, blocks));
  }
}

void append_successors(const BlockRow &row, uint32_t source, ArrayRef<BasicBlock *> blocks, Walked &walked) {
  switch (row.terminator) {
  case NONE:
  case RETURN:
  case UNREACHABLE:
    break;
  // Most terminators are jumps or branches. With separate cases for jumps and branches, the compiler can inline the
  // access to their successors.
  case JUMP:
    append_targets(cast<Jump>(*row.last), source, blocks, walked);
    break;
  case BRANCH:
    append_targets(cast<Branch>(*row.last), source, blocks, walked);
    break;
  default:
    append_targets(*row.last, source, blocks, walked);
  }
  walked.successors.starts[source + 1] = walked.successors.blocks.size();
}

// Computes incoming edges from outgoing edges. Returns false if an edge leads to another function.
bool append_predecessors(const Rows &successors, Rows &predecessors) {
  std::vector<uint32_t> &starts = predecessors.starts;
  starts.assign(successors.starts.size(), 0);
  for (uint32_t target : successors.blocks) {
    if (target == ELSEWHERE)
      return false;
    ++starts[target];
  }
  uint32_t end = 0;
  for (uint32_t &start : starts)
    start = end += start;
  // Each element of `starts` is now the end of a row. The loop fills each row from its end to its start. To add a block
  // to the row of block `b`, the loop subtracts 1 from `starts[b]`, and writes the added block at this index. After the
  // loop, each element is the start of its row.
  predecessors.blocks.resize(successors.blocks.size());
  for (uint32_t source = successors.starts.size() - 1; source-- > 0;)
    for (uint32_t edge = successors.starts[source + 1]; edge-- > successors.starts[source];)
      predecessors.blocks[--starts[successors.blocks[edge]]] = source;
  return true;
}

// Sorts the predecessors of a block into the order of the block's use list. The block must have several predecessors.
// After some passes, the use list also contains users that are not terminators of the function's blocks. This function
// skips such users.
//
// LLVM: `PredIterator`.
void order_predecessors(BasicBlock &block, const Numbers &numbers, MutableArrayRef<uint32_t> predecessors,
                        ArrayRef<BasicBlock *> blocks) {
  size_t place = 0;
  for (User *user : block.users()) {
    auto *instruction = dyn_cast<Instruction>(user);
    BasicBlock *source = instruction ? instruction->getParent() : nullptr;
    if (!source || source->getParent() != block.getParent() || terminatorOf(*source) != instruction)
      continue;
    if (predecessors.size() == 2) {
      // If the block has two predecessors, the first terminator in the use list belongs to the first predecessor.
      if (blocks[predecessors[0]] != source)
        std::swap(predecessors[0], predecessors[1]);
      return;
    }
    if (place < predecessors.size())
      predecessors[place++] = numbers.of(source, blocks);
  }
}

} // namespace

extern "C" Walked *bpa_new_walked() { return new Walked; }

extern "C" void bpa_drop_walked(Walked *walked) { delete walked; }

extern "C" size_t bpa_count_blocks(LLVMValueRef function) {
  size_t count = 0;
  for (BasicBlock &block : *unwrap<Function>(function)) {
    // The next block in layout order is usually also the next block in memory.
    fetch(&block, 1024);
    // The block itself contains the addresses of its first and last instruction. The block has already been prefetched,
    // so reading these addresses does not wait for memory.
    if (!block.empty()) {
      fetch(&block.back());
      fetch(&block.front());
    }
    ++count;
  }
  return count;
}

// Writes the first `count` blocks of a function in layout order.
extern "C" void bpa_list_blocks(LLVMValueRef function, BasicBlock **blocks, size_t count) {
  auto next = unwrap<Function>(function)->begin();
  for (size_t number = 0; number < count; ++number)
    blocks[number] = &*next++;
}

// What a walk reads. The order must be equal to the order of `Reads` in `walked.rs`.
enum class Reads : uint8_t {
  INSTRUCTIONS,
  // Only terminators.
  EDGES,
  // Only terminators, and the order of predecessors is arbitrary.
  UNORDERED_EDGES
};

// Walks over all blocks of a function. Returns false if an edge leads to a block outside the function, because a control-flow graph cannot
// contain this edge.
extern "C" bool bpa_walk(Walked *walked, BasicBlock *const *first, size_t count, const Slots *slots,
                         Reads reads) {
  ArrayRef<BasicBlock *> blocks(first, count);
  Rows &successors = walked->successors, &predecessors = walked->predecessors;
  walked->numbers.start(*slots, blocks);
  walked->rows.assign(count, BlockRow());
  successors.starts.resize(count + 1);
  successors.starts[0] = 0;
  successors.blocks.clear();
  for (uint32_t number = 0; number < count; ++number) {
    BlockRow &row = walked->rows[number];
    visit_terminator(*blocks[number], row);
    if (reads != Reads::UNORDERED_EDGES && row.last)
      row.has_metadata = row.last->hasMetadataOtherThanDebugLoc();
    if (reads == Reads::INSTRUCTIONS) {
      visit_instructions(*blocks[number], row);
      if (row.terminator == BRANCH)
        row.condition = read_condition(*cast<Branch>(row.last)->getCondition());
    }
    append_successors(row, number, blocks, *walked);
  }
  if (!append_predecessors(successors, predecessors))
    return false;
  if (reads == Reads::UNORDERED_EDGES)
    return true;
  for (uint32_t number = 0; number < count; ++number) {
    uint32_t start = predecessors.starts[number], end = predecessors.starts[number + 1];
    if (end - start > 1)
      order_predecessors(*blocks[number], walked->numbers, {&predecessors.blocks[start], end - start}, blocks);
  }
  return true;
}

// These functions return the results of the last walk. `bpa_walked_rows` returns a row for each block.
// `bpa_walked_edges` returns the successors or the predecessors of all blocks. For each block, `starts` contains the
// index of the first successor or predecessor.
extern "C" const BlockRow *bpa_walked_rows(const Walked *walked) { return walked->rows.data(); }

extern "C" const uint32_t *bpa_walked_edges(const Walked *walked, bool incoming, const uint32_t **starts,
                                            size_t *count) {
  const Rows &rows = incoming ? walked->predecessors : walked->successors;
  *starts = rows.starts.data();
  *count = rows.blocks.size();
  return rows.blocks.data();
}

// Whether a block returns after a call of `llvm.experimental.deoptimize`.
//
// LLVM: `BasicBlock::getTerminatingDeoptimizeCall`.
extern "C" bool bpa_deoptimizes(LLVMBasicBlockRef block) { return unwrap(block)->getTerminatingDeoptimizeCall(); }

// Whether a call has the attribute `noreturn` or `cold`. If `is_at_call_site` is false, an attribute of the callee
// also counts.
//
// LLVM: `CallBase::hasFnAttr`.
extern "C" bool bpa_has_attribute(LLVMValueRef value, bool is_noreturn, bool is_at_call_site) {
  auto &call = *unwrap<CallBase>(value);
  Attribute::AttrKind attribute = is_noreturn ? Attribute::NoReturn : Attribute::Cold;
  return is_at_call_site ? call.getAttributes().hasFnAttr(attribute) : call.hasFnAttr(attribute);
}

// Whether a block has a call that does not return.
//
// LLVM: `BranchProbabilityInfo::getInitialEstimatedBlockWeight`.
extern "C" bool bpa_has_noreturn_call(LLVMBasicBlockRef block) {
  return any_of(*unwrap(block), [](Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    return call && call->hasFnAttr(Attribute::NoReturn);
  });
}
