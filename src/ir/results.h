// Reads the numbers in LLVM's own results.

#pragma once

#include "branches.h"

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"

// Whether a function has these numbers of edges and blocks, and each block has a terminator.
inline bool hasSizes(llvm::Function &function, size_t edges, size_t blocks) {
  size_t successors = 0;
  for (llvm::BasicBlock &block : function) {
    const llvm::Instruction *last = terminatorOf(block);
    if (!last)
      return false;
    successors += last->getNumSuccessors();
  }
  return successors == edges && function.size() == blocks;
}

// Writes the numerator of every edge's probability, in the order of blocks and their successors.
inline void writeProbabilities(const llvm::BranchProbabilityInfo &info, llvm::Function &function,
                               uint32_t *numerators) {
  for (llvm::BasicBlock &block : function)
    for (unsigned place = 0, end = llvm::succ_size(&block); place < end; ++place)
      *numerators++ = info.getEdgeProbability(&block, place).getNumerator();
}

// Writes the integer frequency of every block.
inline void writeFrequencies(const llvm::BlockFrequencyInfo &info, llvm::Function &function, uint64_t *frequencies) {
  for (llvm::BasicBlock &block : function)
    *frequencies++ = info.getBlockFreq(&block).getFrequency();
}
