// Updates LLVM's cached profile summary.

#pragma once

#include "llvm/Analysis/ProfileSummaryInfo.h"
#include "llvm/IR/Module.h"
#include <new>

// If `analyses` caches the profile summary of `module`, reads the summary again. LLVM itself never drops the cached
// summary. In some LLVM versions, `ProfileSummaryInfo::refresh` cannot replace a summary. This function therefore
// creates the object again at the same address. The class has no constants, references or base classes, so C++ allows
// other analyses to use the new object through the address of the old object.
template <typename Analyses> void refreshProfileSummary(llvm::Module &module, const Analyses &analyses) {
  auto *cached = analyses.template getCachedResult<llvm::ProfileSummaryAnalysis>(module);
  if (!cached)
    return;
  cached->~ProfileSummaryInfo();
  new (cached) llvm::ProfileSummaryInfo(module);
}
