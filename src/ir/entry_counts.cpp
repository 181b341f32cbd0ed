// Reads and writes entry counts and the summary of a profile.

#include "llvm-c/Types.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ProfileSummary.h"
#include "llvm/ProfileData/ProfileCommon.h"
#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>
#if BPA_LLVM_MAJOR >= 22
#include "llvm/IR/ProfDataUtils.h"
#endif

using namespace llvm;

// Whether the module has a profile. A module has a profile if it contains a profile summary or a function with an entry
// count. A count that LLVM's pass synthetic-counts-propagation has estimated is not a profile.
extern "C" bool bpa_has_profile(LLVMModuleRef module) {
  const Module &all = *unwrap(module);
  if (all.getModuleFlag("ProfileSummary") || all.getModuleFlag("CSProfileSummary"))
    return true;
  for (const Function &function : all)
    if (function.getEntryCount())
      return true;
  return false;
}

// Sets or removes the entry count of a function.
extern "C" void bpa_set_entry_count(LLVMValueRef value, bool is_there, uint64_t count) {
  Function &function = *unwrap<Function>(value);
  function.setMetadata(LLVMContext::MD_prof, nullptr);
  if (is_there)
    function.setEntryCount(count);
}

// Writes on a function that its entry count is unknown. LLVM's verifier accepts this metadata from version 22 on.
extern "C" void bpa_mark_unknown_entry_count([[maybe_unused]] LLVMValueRef value) {
#if BPA_LLVM_MAJOR >= 22
  setExplicitlyUnknownFunctionEntryCount(*unwrap<Function>(value), "bpa");
#endif
}

// Adds the attribute `cold` to functions. Many functions have equal attributes, and LLVM takes long to add an attribute
// to a list.
extern "C" void bpa_add_cold_attributes(const LLVMValueRef *functions, size_t count) {
  DenseMap<void *, AttributeList> cold;
  for (const LLVMValueRef value : ArrayRef<LLVMValueRef>(functions, count)) {
    Function &function = *unwrap<Function>(value);
    if (function.hasFnAttribute(Attribute::Hot))
      continue;
    const AttributeList old = function.getAttributes();
    auto [place, is_new] = cold.try_emplace(old.getRawPointer());
    if (is_new)
      place->second = old.addFnAttribute(function.getContext(), Attribute::Cold);
    function.setAttributes(place->second);
  }
}

// Sets the profile summary of the module. If the modules of a program have different profile summaries, the linker
// prints a warning and keeps one summary. LLVM itself writes the same measured summary into all modules, so the linker
// reports an error if LLVM's summaries differ.
static void write(Module &module, ProfileSummary &summary) {
  const StringRef name = "ProfileSummary";
  auto *metadata = summary.getMD(module.getContext());
  NamedMDNode *flags = module.getOrInsertModuleFlagsMetadata();
  std::vector<MDNode *> others;
  for (MDNode *flag : flags->operands()) {
    auto *key = flag->getNumOperands() > 1 ? dyn_cast_or_null<MDString>(flag->getOperand(1)) : nullptr;
    if (!key || (key->getString() != name && key->getString() != "CSProfileSummary"))
      others.push_back(flag);
  }
  flags->clearOperands();
  for (MDNode *flag : others)
    flags->addOperand(flag);
  module.addModuleFlag(Module::Warning, name, metadata);
}

// Summarizes block counts as LLVM summarizes measured counts. LLVM treats counts of at least `hot` as hot, and counts
// of at most `cold` as cold. `sizes` contains the number of counts of each function. The first count of a
// function is the entry count. If `writes` is true, sets the profile summary of the module.
//
// LLVM's builder keeps the counts in a tree, which takes several times as long as sorting them.
extern "C" void bpa_summarize(LLVMModuleRef module, bool writes, const uint64_t *counts, const size_t *sizes,
                              size_t functions, uint64_t *hot, uint64_t *cold) {
  uint64_t greatest_entry = 0, greatest_inner = 0;
  uint32_t defined = 0;
  std::vector<uint64_t> sorted;
  for (const size_t *size = sizes; size != sizes + functions; counts += *size++)
    if (*size) {
      defined++;
      greatest_entry = std::max(greatest_entry, counts[0]);
      for (size_t block = 1; block < *size; block++)
        greatest_inner = std::max(greatest_inner, counts[block]);
      sorted.insert(sorted.end(), counts, counts + *size);
    }
  llvm::sort(sorted, std::greater<uint64_t>());
  const uint64_t total = std::accumulate(sorted.begin(), sorted.end(), uint64_t(0));

  // For each cutoff in millionths: the least of the greatest counts that together have this part of all counts, and the
  // number of counts that are not below it.
  SummaryEntryVector entries;
  uint64_t sum = 0, count = 0;
  size_t seen = 0;
  for (const uint32_t cutoff : ProfileSummaryBuilder::DefaultCutoffs) {
    const APInt wide = APInt(128, total) * APInt(128, cutoff);
    const uint64_t part = wide.udiv(APInt(128, ProfileSummary::Scale)).getZExtValue();
    while (sum < part && seen < sorted.size()) {
      count = sorted[seen];
      for (; seen < sorted.size() && sorted[seen] == count; seen++)
        sum += count;
    }
    entries.push_back({cutoff, count, seen});
  }
  *hot = ProfileSummaryBuilder::getHotCountThreshold(entries);
  *cold = ProfileSummaryBuilder::getColdCountThreshold(entries);
  const uint64_t greatest = sorted.empty() ? 0 : sorted.front();
  ProfileSummary summary(ProfileSummary::PSK_Instr, entries, total, greatest, greatest_inner, greatest_entry,
                         sorted.size(), defined);
  if (writes)
    write(*unwrap(module), summary);
}
