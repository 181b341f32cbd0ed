// Runs LLVM's own analyses on a function and returns their results as numbers. bpa compares these numbers with its own
// results.
//
// The code creates the analyses without a pass manager, and is therefore almost the same for all LLVM versions. LLVM's
// options that print the results of these analyses (`-print-bpi`, `-print-bfi`) also apply to this code.

#include "results.h"

#include "llvm-c/Types.h"
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

// Writes the numerator of every edge's probability, in the order of blocks and their successors. If `frequencies` is
// not null, also writes the integer frequency of every block. The function does not change.
//
// Writes nothing and returns false if the function does not have these numbers of edges and blocks, or if a block has no
// terminator: LLVM's analyses would dereference a null pointer.
extern "C" bool bpa_host_profile(LLVMValueRef value, uint32_t *probabilities, size_t edge_count, uint64_t *frequencies,
                                 size_t block_count) {
  Function &function = *unwrap<Function>(value);
  if (!hasSizes(function, edge_count, block_count))
    return false;
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
  writeProbabilities(edges, function, probabilities);
  if (!frequencies)
    return true;
  BlockFrequencyInfo blocks(function, edges, loops);
  writeFrequencies(blocks, function, frequencies);
  return true;
}
