// Adds, reads and removes pseudo-probes. A pseudo-probe is a call of `llvm.pseudoprobe` that identifies a block. Passes
// copy, move and delete the probe together with the code of the block, and the code generator emits no code for it.

#include "branches.h"
#include "layout.h"

#include "llvm-c/Core.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

// The order must be equal to the order of `KINDS` in `probes.rs`.
enum Kind : uint32_t { PROBE, TERMINATOR, SELECT };

// A probe, or an instruction without branch weights. This struct has the layout of `Row` in `probes.rs`.
struct Row {
  // The number of the block in layout order.
  uint32_t block;
  Kind kind;
  // `function` and `index` identify a probe. For other instructions, `index` is 1 if the instruction states that its
  // profile is unknown, and 0 otherwise.
  uint64_t function, index;
};
BPA_LAYOUT(sizeof(Row) == 24);
BPA_LAYOUT(offsetof(Row, block) == 0);
BPA_LAYOUT(offsetof(Row, kind) == 4);
BPA_LAYOUT(offsetof(Row, function) == 8);
BPA_LAYOUT(offsetof(Row, index) == 16);

const char ProbeName[] = "llvm.pseudoprobe";

Function *intrinsic(Module &module) { return module.getFunction(ProbeName); }

// Whether the instruction should have branch weights.
bool isWeighted(const Instruction &instruction) {
  if (auto *select = dyn_cast<SelectInst>(&instruction))
    return !select->getCondition()->getType()->isVectorTy();
  return (isa<SwitchInst>(instruction) || isa<Branch>(instruction)) && instruction.getNumSuccessors() > 1;
}

bool isUnknown(const MDNode &profile) {
  auto *name = profile.getNumOperands() ? dyn_cast_or_null<MDString>(profile.getOperand(0)) : nullptr;
  return name && name->getString() == "unknown";
}

} // namespace

// Whether the module contains pseudo-probes.
extern "C" bool bpa_has_probes(LLVMModuleRef module) {
  Function *declaration = intrinsic(*unwrap(module));
  return declaration && !declaration->use_empty();
}

// Adds the probe `index` of the function number `function` to the start of a block. Returns false if the block has no
// place for a call.
//
// LLVM: `SampleProfileProber::instrumentOneFunc`.
extern "C" bool bpa_add_probe(LLVMBasicBlockRef raw, uint64_t function, uint64_t index) {
  BasicBlock &block = *unwrap(raw);
  auto place = block.getFirstInsertionPt();
  if (place == block.end())
    return false;
  Module &module = *block.getModule();
  Function *declaration = intrinsic(module);
  if (!declaration) {
    unsigned id = LLVMLookupIntrinsicID(ProbeName, sizeof(ProbeName) - 1);
    declaration = unwrap<Function>(LLVMGetIntrinsicDeclaration(wrap(&module), id, nullptr, 0));
  }
#if BPA_LLVM_MAJOR >= 24
  IRBuilder<> builder(place);
#else
  IRBuilder<> builder(&block, place);
#endif
  builder.SetCurrentDebugLocation(DebugLoc());
  uint64_t everything = ~uint64_t(0);
  builder.CreateCall(declaration->getFunctionType(), declaration,
                     {builder.getInt64(function), builder.getInt64(index), builder.getInt32(0),
                      builder.getInt64(everything)});
  return true;
}

// Removes all probes of a module.
extern "C" void bpa_remove_probes(LLVMModuleRef module) {
  Function *declaration = intrinsic(*unwrap(module));
  if (!declaration)
    return;
  for (User *user : make_early_inc_range(declaration->users()))
    if (auto *call = dyn_cast<CallInst>(user))
      call->eraseFromParent();
  if (declaration->use_empty())
    declaration->eraseFromParent();
}

// Lists the probes of a function, and its branches, switches and selects without weights, in the order of the
// instructions. Writes at most `capacity` rows, and returns the number of all rows.
extern "C" size_t bpa_read_probes(LLVMValueRef function, Row *rows, size_t capacity) {
  size_t count = 0;
  uint32_t number = 0;
  auto add = [&](Kind kind, uint64_t of, uint64_t index) {
    if (count < capacity)
      rows[count] = {number, kind, of, index};
    ++count;
  };
  for (const BasicBlock &block : *unwrap<Function>(function)) {
    for (const Instruction &instruction : block) {
      if (auto *probe = dyn_cast<PseudoProbeInst>(&instruction)) {
        add(PROBE, probe->getFuncGuid()->getZExtValue(), probe->getIndex()->getZExtValue());
      } else if (isWeighted(instruction)) {
        const MDNode *profile = instruction.getMetadata(LLVMContext::MD_prof);
        if (!profile || isUnknown(*profile))
          add(isa<SelectInst>(instruction) ? SELECT : TERMINATOR, 0, profile != nullptr);
      }
    }
    ++number;
  }
  return count;
}
