// The terminators of blocks, and the classes of jumps and conditional branches.

#pragma once

#include "llvm/IR/Instructions.h"

#ifdef BPA_TWO_KINDS_OF_BRANCH
using Jump = llvm::UncondBrInst;
using Branch = llvm::CondBrInst;
#else
using Jump = llvm::BranchInst;
using Branch = llvm::BranchInst;
#endif

// The terminator of `block`, or null if a pass has left the block without one.
template <typename Block> auto *terminatorOf(Block &block) {
#if BPA_LLVM_MAJOR >= 23
  return block.getTerminatorOrNull();
#else
  return block.getTerminator();
#endif
}
