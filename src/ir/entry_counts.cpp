// Reads and writes entry counts and the summary of a profile.

#include "llvm-c/Types.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ProfileSummary.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/ProfileData/ProfileCommon.h"
#include <memory>
#include <vector>

using namespace llvm;

// Whether the module has a profile. A module has a profile if it contains a profile summary or a function with an entry
// count.
extern "C" bool bpa_has_profile(LLVMModuleRef module) {
  const Module &all = *unwrap(module);
  if (all.getModuleFlag("ProfileSummary") || all.getModuleFlag("CSProfileSummary"))
    return true;
  for (const Function &function : all)
    if (function.getMetadata(LLVMContext::MD_prof))
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
extern "C" void bpa_summarize(LLVMModuleRef module, bool writes, const uint64_t *counts, const size_t *sizes,
                              size_t functions, uint64_t *hot, uint64_t *cold) {
  InstrProfSummaryBuilder builder(ProfileSummaryBuilder::DefaultCutoffs);
  InstrProfRecord record;
  for (const size_t *size = sizes; size != sizes + functions; counts += *size++)
    if (*size) {
      record.Counts.assign(counts, counts + *size);
      builder.addRecord(record);
    }
  std::unique_ptr<ProfileSummary> summary = builder.getSummary();
  *hot = ProfileSummaryBuilder::getHotCountThreshold(summary->getDetailedSummary());
  *cold = ProfileSummaryBuilder::getColdCountThreshold(summary->getDetailedSummary());
  if (writes)
    write(*unwrap(module), *summary);
}
