// Emits optimisation remarks, which clang prints at a source line or writes to a file. LLVM's C API has no functions
// for remarks. LLVM's OptimizationRemarkEmitter would compute the hotness with LLVM's analyses. The functions in this
// file have a parameter for the hotness, which bpa computes in Rust.

#include "layout.h"

#include "llvm-c/Types.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Remarks/RemarkStreamer.h"

using namespace llvm;

namespace {

struct Part {
  const char *key;
  size_t key_length;
  const char *text;
  size_t text_length;
  // The location of the remark, or null.
  LLVMMetadataRef location;
};
BPA_LAYOUT(sizeof(Part) == 40);
BPA_LAYOUT(offsetof(Part, key) == 0);
BPA_LAYOUT(offsetof(Part, key_length) == 8);
BPA_LAYOUT(offsetof(Part, text) == 16);
BPA_LAYOUT(offsetof(Part, text_length) == 24);
BPA_LAYOUT(offsetof(Part, location) == 32);

DiagnosticLocation place_of(LLVMMetadataRef location) {
  auto *place = dyn_cast_or_null<DILocation>(unwrap(location));
  return place ? DiagnosticLocation(DebugLoc(place)) : DiagnosticLocation();
}

} // namespace

// Returns 0 if analysis remarks of a pass are not requested, 1 if they are requested, and 2 if they are requested with
// hotness.
extern "C" int bpa_wants_remarks(LLVMValueRef function, const char *pass) {
  LLVMContext &context = unwrap<Function>(function)->getContext();
  remarks::RemarkStreamer *file = context.getMainRemarkStreamer();
  const DiagnosticHandler *handler = context.getDiagHandlerPtr();
  bool is_shown = handler && handler->isAnalysisRemarkEnabled(pass);
  if (!is_shown && !(file && file->matchesFilter(pass)))
    return 0;
  return context.getDiagnosticsHotnessRequested() ? 2 : 1;
}

// Emits a remark about a block. `location` and `hotness` can be null.
extern "C" void bpa_emit_remark(LLVMBasicBlockRef block, LLVMMetadataRef location, const char *pass,
                                const char *name, const Part *parts, size_t count, const uint64_t *hotness) {
  BasicBlock *region = unwrap(block);
  OptimizationRemarkAnalysis remark(pass, name, place_of(location), region);
  for (const Part *part = parts; part != parts + count; ++part) {
    DiagnosticInfoOptimizationBase::Argument argument(StringRef(part->key, part->key_length),
                                                      StringRef(part->text, part->text_length));
    argument.Loc = place_of(part->location);
    remark.insert(argument);
  }
  if (hotness)
    remark.setHotness(*hotness);
  LLVMContext &context = region->getContext();
  if ((hotness ? *hotness : 0) >= context.getDiagnosticsHotnessThreshold())
    context.diagnose(remark);
}

// The source location of a loop's start, which clang records in the metadata of a latch's terminator. If the metadata
// contains no location, returns null.
extern "C" LLVMMetadataRef bpa_loop_start(LLVMValueRef terminator) {
  MDNode *loop = unwrap<Instruction>(terminator)->getMetadata(LLVMContext::MD_loop);
  if (!loop)
    return nullptr;
  for (const MDOperand &operand : loop->operands())
    if (auto *start = dyn_cast_or_null<DILocation>(operand.get()))
      return wrap(start);
  return nullptr;
}
