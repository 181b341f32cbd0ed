// The results of LLVM's own analyses of a function, as numbers to compare ours with.
//
// The analyses are built as the pass manager builds them, but without one. So this is the same for all versions, and
// works where no pass manager is available. LLVM's options that print what these analyses compute (`-print-bpi`,
// `-print-bfi`) print here too.

#include "llvm-c/Types.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#if BPA_LLVM_MAJOR >= 24
#include "llvm/IR/CycleInfo.h"
#endif
#if BPA_LLVM_MAJOR >= 17
#include "llvm/TargetParser/Triple.h"
#else
#include "llvm/ADT/Triple.h"
#endif

using namespace llvm;

// Fills in the numerator of the probability of every edge, in the order of blocks and then of their successors, and the
// integer frequency of every block, unless `frequencies` is null. The function is not changed.
extern "C" void bpa_host_profile(LLVMValueRef value, uint32_t *probabilities, uint64_t *frequencies) {
  Function &function = *unwrap<Function>(value);
  TargetLibraryInfoImpl of_target(Triple(function.getParent()->getTargetTriple()));
  TargetLibraryInfo library(of_target, &function);
  DominatorTree dominators(function);
  PostDominatorTree post_dominators(function);
#if BPA_LLVM_MAJOR >= 24
  CycleInfo loops;
  loops.compute(function);
#else
  LoopInfo loops(dominators);
#endif
  BranchProbabilityInfo edges(function, loops, &library, &dominators, &post_dominators);
  for (BasicBlock &block : function)
    for (unsigned place = 0, end = block.getTerminator()->getNumSuccessors(); place < end; ++place)
      *probabilities++ = edges.getEdgeProbability(&block, place).getNumerator();
  if (!frequencies)
    return;
  BlockFrequencyInfo blocks(function, edges, loops);
  for (BasicBlock &block : function)
    *frequencies++ = blocks.getBlockFreq(&block).getFrequency();
}
