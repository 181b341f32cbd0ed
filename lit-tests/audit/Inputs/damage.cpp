// Passes that damage a profile in a known way, and passes that are correct. `rust-audit` must charge each damaging pass
// with its damage, and the others with nothing.

#include "../../Inputs/pass_plugin.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace {

#if LLVM_VERSION_MAJOR >= 23
template <typename Pass> using PassInfo = OptionalPassInfoMixin<Pass>;
uint64_t entryCountOf(const Function &function) { return *function.getEntryCount(); }
#else
template <typename Pass> using PassInfo = PassInfoMixin<Pass>;
uint64_t entryCountOf(const Function &function) { return function.getEntryCount()->getCount(); }
#endif

BasicBlock *blockNamed(Function &function, StringRef name) {
  for (BasicBlock &block : function)
    if (block.getName() == name)
      return &block;
  return nullptr;
}

// Exchanges the two weights of the branch at the end of the entry.
void swapWeights(Function &function) {
  Instruction *branch = function.getEntryBlock().getTerminator();
  MDNode *node = branch->getMetadata(LLVMContext::MD_prof);
  Metadata *swapped[] = {node->getOperand(0), node->getOperand(2), node->getOperand(1)};
  branch->setMetadata(LLVMContext::MD_prof, MDNode::get(function.getContext(), swapped));
}

struct DropWeights : PassInfo<DropWeights> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    function.getEntryBlock().getTerminator()->setMetadata(LLVMContext::MD_prof, nullptr);
    return PreservedAnalyses::none();
  }
};

struct SwapWeights : PassInfo<SwapWeights> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    swapWeights(function);
    return PreservedAnalyses::none();
  }
};

struct HalveEntryCount : PassInfo<HalveEntryCount> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    function.setEntryCount(entryCountOf(function) / 2);
    return PreservedAnalyses::none();
  }
};

// Changes weights, and declares that nothing has changed.
struct KeepStale : PassInfo<KeepStale> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    swapWeights(function);
    return PreservedAnalyses::all();
  }
};

// Runs the block `a` twice in a row.
struct CopyWithoutScaling : PassInfo<CopyWithoutScaling> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    ValueToValueMapTy map;
    BasicBlock *block = blockNamed(function, "a");
    BasicBlock *copy = CloneBasicBlock(block, map, ".copy", &function);
    block->getTerminator()->setSuccessor(0, copy);
    return PreservedAnalyses::none();
  }
};

// Deletes the block `b`.
struct DeleteBlock : PassInfo<DeleteBlock> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    Instruction *branch = function.getEntryBlock().getTerminator();
    BasicBlock *kept = branch->getSuccessor(0), *deleted = branch->getSuccessor(1);
    IRBuilder<>(branch).CreateBr(kept);
    branch->eraseFromParent();
    DeleteDeadBlock(deleted);
    return PreservedAnalyses::none();
  }
};

// States that the profile of the branch is unknown.
struct MakeUnknown : PassInfo<MakeUnknown> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    LLVMContext &context = function.getContext();
    Metadata *words[] = {MDString::get(context, "unknown"), MDString::get(context, "damage")};
    function.getEntryBlock().getTerminator()->setMetadata(LLVMContext::MD_prof, MDNode::get(context, words));
    return PreservedAnalyses::none();
  }
};

// Swaps the weights of the entry, as a loop pass.
struct SwapInLoop : PassInfo<SwapInLoop> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &, LPMUpdater &) {
    swapWeights(*loop.getHeader()->getParent());
    return getLoopPassPreservedAnalyses();
  }
};

// Exchanges the successors of a branch together with its weights, splits the block `end`, and runs one half of the
// executions of the block `b` in a copy.
struct CorrectChange : PassInfo<CorrectChange> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    Instruction *branch = function.getEntryBlock().getTerminator();
    BasicBlock *first = branch->getSuccessor(0), *second = branch->getSuccessor(1);
    branch->setSuccessor(0, second);
    branch->setSuccessor(1, first);
    swapWeights(function);
    BasicBlock *end = blockNamed(function, "end"), *block = blockNamed(function, "b");
    SplitBlock(end, end->getTerminator());
    ValueToValueMapTy map;
    BasicBlock *copy = CloneBasicBlock(block, map, ".copy", &function);
    BasicBlock *choice = BasicBlock::Create(function.getContext(), "choice", &function, block);
    branch->setSuccessor(0, choice);
    MDNode *weights = MDBuilder(function.getContext()).createBranchWeights(1, 1);
    IRBuilder<>(choice).CreateCondBr(function.getArg(0), block, copy, weights);
    return PreservedAnalyses::none();
  }
};

// Moves the body of the function `f` to a new function with the same name.
struct ReplaceFunction : PassInfo<ReplaceFunction> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    Function *old = module.getFunction("f");
    ValueToValueMapTy map;
    Function *copy = CloneFunction(old, map);
    copy->takeName(old);
    old->replaceAllUsesWith(copy);
    old->eraseFromParent();
    return PreservedAnalyses::none();
  }
};

template <typename Pass> bool add(StringRef name, StringRef wanted, FunctionPassManager &passes) {
  if (name == wanted)
    passes.addPass(Pass());
  return name == wanted;
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  using Elements = ArrayRef<PassBuilder::PipelineElement>;
  auto start = [](PassBuilder &builder) {
    builder.registerPipelineParsingCallback([](StringRef name, FunctionPassManager &passes, Elements) {
      return add<DropWeights>(name, "drop-weights", passes) || add<SwapWeights>(name, "swap-weights", passes) ||
             add<HalveEntryCount>(name, "halve-entry-count", passes) || add<KeepStale>(name, "keep-stale", passes) ||
             add<CopyWithoutScaling>(name, "copy-without-scaling", passes) ||
             add<DeleteBlock>(name, "delete-block", passes) || add<MakeUnknown>(name, "make-unknown", passes) ||
             add<CorrectChange>(name, "correct-change", passes);
    });
    builder.registerPipelineParsingCallback([](StringRef name, LoopPassManager &passes, Elements) {
      if (name == "swap-in-loop")
        passes.addPass(SwapInLoop());
      return name == "swap-in-loop";
    });
    builder.registerPipelineParsingCallback([](StringRef name, ModulePassManager &passes, Elements) {
      if (name == "replace-function")
        passes.addPass(ReplaceFunction());
      return name == "replace-function";
    });
  };
  return {LLVM_PLUGIN_API_VERSION, "damage", "1", start};
}
