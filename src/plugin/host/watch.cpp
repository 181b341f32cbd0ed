// Watches the passes of a pipeline. After each pass, the functions whose IR has changed are reported to Rust.
//
// LLVM calls back before and after each pass, and names the unit of IR on which the pass runs. The unit may be gone after
// the pass, so the functions are noted before. Whether a function has changed is found by a hash of everything that the
// analyses read, because not every pass reports its changes correctly.
//
// LLVM: `PassInstrumentationCallbacks`.

#include "../../ir/layout.h"
#include "../../ir/results.h"

#include "llvm-c/Types.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LazyCallGraph.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/Passes/PassBuilder.h"

#include <deque>
#include <memory>
#include <vector>

using namespace llvm;

#if BPA_LLVM_MAJOR < 22
// The identities of these types are variables in libLLVM. A second variable in this library would have another address.
extern template struct llvm::Any::TypeId<const Module *>;
extern template struct llvm::Any::TypeId<const Function *>;
extern template struct llvm::Any::TypeId<const Loop *>;
extern template struct llvm::Any::TypeId<const LazyCallGraph::SCC *>;
#endif

namespace {

// The units on which passes run. Pass managers, adaptors and similar passes are ignored, because other passes run in them.
// The adaptor of loop passes is an exception. The order of the units must be equal to the order in `watch.rs`.
enum class Unit : uint8_t { Ignored, Module, Calls, Function, Loop, LoopAdaptor };

// A function that a pass has changed. This struct has the layout of `Row` in `watch.rs`.
struct Row {
  // Null if the function was deleted.
  Function *function;
  // Functions keep their indices. A function with a new index is new.
  uint32_t index;
  // Whether the pass has declared that cached results of the two analyses of LLVM are preserved.
  uint8_t preservesProbabilities, preservesFrequencies;
  // The unit of the pass. After a loop pass, results stay cached until the adaptor of the loop passes declares what is
  // preserved. If the row describes this adaptor, the function has not changed since the last loop pass.
  Unit unit;
};
BPA_LAYOUT(sizeof(Row) == 16);
BPA_LAYOUT(offsetof(Row, function) == 0);
BPA_LAYOUT(offsetof(Row, index) == 8);
BPA_LAYOUT(offsetof(Row, preservesProbabilities) == 12);
BPA_LAYOUT(offsetof(Row, preservesFrequencies) == 13);
BPA_LAYOUT(offsetof(Row, unit) == 14);

struct Watch;

// The functions that Rust implements, in the order of `watch.rs`.
struct Callbacks {
  // The pass `name` has run. `rows` are the changed functions.
  void (*passed)(const void *work, Watch *watch, LLVMModuleRef module, const char *name, size_t length, const Row *rows,
                 size_t count);
  void (*drop)(void *work);
};

class Hash {
  uint64_t state = 0;

public:
  void add(uint64_t value) {
    state = (state ^ value) * 0x9E3779B97F4A7C15;
    state ^= state >> 29;
  }
  void add(const void *pointer) { add(uint64_t(reinterpret_cast<uintptr_t>(pointer))); }
  uint64_t get() const { return state; }
};

void addInstruction(const Instruction &instruction, Hash &hash) {
  hash.add(instruction.getOpcode());
  if (auto *comparison = dyn_cast<CmpInst>(&instruction))
    hash.add(uint64_t(comparison->getPredicate()));
  for (const Use &operand : instruction.operands())
    hash.add(operand.get());
  if (auto *call = dyn_cast<CallBase>(&instruction)) {
    hash.add(call->getAttributes().getRawPointer());
    if (const Function *callee = call->getCalledFunction())
      hash.add(callee->getAttributes().getRawPointer());
  } else if (auto *phi = dyn_cast<PHINode>(&instruction)) {
    for (const BasicBlock *block : phi->blocks())
      hash.add(block);
  } else if (auto *cases = dyn_cast<SwitchInst>(&instruction)) {
    // The values are not operands in all versions.
    for (const auto &one : cases->cases())
      hash.add(one.getCaseValue());
  }
  if (instruction.hasMetadataOtherThanDebugLoc()) {
    hash.add(instruction.getMetadata(LLVMContext::MD_prof));
    hash.add(instruction.getMetadata(LLVMContext::MD_irr_loop));
  }
}

// A hash of everything that bpa reads from a function.
uint64_t hashOf(const Function &function) {
  Hash hash;
  hash.add(function.getMetadata(LLVMContext::MD_prof));
  for (const BasicBlock &block : function) {
    hash.add(&block);
    for (const Instruction &instruction : block)
      addInstruction(instruction, hash);
  }
  return hash.get();
}

// A watched function.
struct Tracked final : CallbackVH {
  Watch *watch;
  uint32_t index;
  uint64_t hash = 0;
  const void *attributes = nullptr;

  Tracked(Function &function, Watch *watch, uint32_t index) : CallbackVH(&function), watch(watch), index(index) {}
  Function *function() const { return cast_or_null<Function>(static_cast<Value *>(*this)); }
  // Reads the function again. Returns whether it has changed.
  bool refresh() {
    uint64_t now = hashOf(*function());
    return std::exchange(hash, now) != now;
  }
  void deleted() override;
};

// A pass that is running.
struct Frame {
  Unit unit = Unit::Ignored;
  SmallVector<Function *, 1> functions;
};

struct Watch {
  PassInstrumentationCallbacks *callbacks;
  bool isRegistered = false;
  const Callbacks *rust = nullptr;
  // The Rust closure, or null if nothing is watched.
  std::unique_ptr<void, void (*)(void *)> work{nullptr, [](void *) {}};
  Module *module = nullptr;
  FunctionAnalysisManager *manager = nullptr;
  std::deque<Tracked> functions;
  DenseMap<const Function *, uint32_t> indices;
  std::vector<uint32_t> gone;
  // The number of named values when the functions were listed. It shows whether functions were added.
  size_t names = 0;
  std::vector<Frame> frames;

  void start(Module &of, FunctionAnalysisManager &analyses);
  void stop();
  void after(StringRef pass, const PreservedAnalyses &preserved);
  void listFunctions(function_ref<void(Tracked &)> visit);
};

void Tracked::deleted() {
  watch->indices.erase(function());
  watch->gone.push_back(index);
  setValPtr(nullptr);
}

// LLVM: `isSpecialPass`.
bool isIgnored(StringRef pass) {
  StringRef name = pass.take_until([](char c) { return c == '<'; });
  for (StringRef end : {"PassManager", "PassAdaptor", "AnalysisManagerProxy", "DevirtSCCRepeatedPass",
                        "ModuleInlinerWrapperPass", "VerifierPass", "PrintModulePass", "RepeatedPass"})
    if (name.size() >= end.size() && name.take_back(end.size()) == end)
      return true;
  return false;
}

template <typename Wanted, typename IR> const Wanted *unitIn(const IR &ir) {
#if BPA_LLVM_MAJOR >= 24
  return dyn_cast<Wanted>(ir);
#elif BPA_LLVM_MAJOR >= 16
  auto *unit = any_cast<const Wanted *>(&ir);
  return unit ? *unit : nullptr;
#else
  return any_isa<const Wanted *>(ir) ? any_cast<const Wanted *>(ir) : nullptr;
#endif
}

template <typename IR> Frame frameOf(StringRef pass, const IR &ir) {
  bool isLoopAdaptor = pass == "FunctionToLoopPassAdaptor";
  if (isIgnored(pass) && !isLoopAdaptor)
    return {};
  if (unitIn<Module>(ir))
    return {Unit::Module, {}};
  if (auto *function = unitIn<Function>(ir))
    return {isLoopAdaptor ? Unit::LoopAdaptor : Unit::Function, {const_cast<Function *>(function)}};
  if (auto *loop = unitIn<Loop>(ir))
    return {Unit::Loop, {loop->getHeader()->getParent()}};
  Frame frame;
  if (auto *calls = unitIn<LazyCallGraph::SCC>(ir)) {
    frame.unit = Unit::Calls;
    for (LazyCallGraph::Node &node : const_cast<LazyCallGraph::SCC &>(*calls))
      frame.functions.push_back(&node.getFunction());
  }
  return frame;
}

// Starts to watch all functions that are not watched, and calls `visit` for each of them.
void Watch::listFunctions(function_ref<void(Tracked &)> visit) {
  names = module->getValueSymbolTable().size();
  for (Function &function : *module) {
    if (function.isDeclaration() || indices.count(&function))
      continue;
    uint32_t index = functions.size();
    functions.emplace_back(function, this, index);
    functions.back().attributes = function.getAttributes().getRawPointer();
    indices[&function] = index;
    visit(functions.back());
  }
}

void Watch::after(StringRef pass, const PreservedAnalyses &preserved) {
  // The watch began inside the passes whose start it has not seen.
  if (!work || frames.empty())
    return;
  Frame frame = std::move(frames.back());
  frames.pop_back();
  if (frame.unit == Unit::Ignored)
    return;
  std::vector<Row> rows;
  auto probabilities = preserved.getChecker<BranchProbabilityAnalysis>();
  auto frequencies = preserved.getChecker<BlockFrequencyAnalysis>();
  bool all = probabilities.template preservedSet<AllAnalysesOn<Function>>();
  uint8_t keepsProbabilities = all || probabilities.preserved();
  uint8_t keepsFrequencies = frequencies.template preservedSet<AllAnalysesOn<Function>>() || frequencies.preserved() ||
                             frequencies.template preservedSet<CFGAnalyses>();
  auto add = [&](Tracked &tracked) {
    rows.push_back({tracked.function(), tracked.index, keepsProbabilities, keepsFrequencies, frame.unit});
  };
  auto look = [&](Tracked &tracked) {
    Function *function = tracked.function();
    if (!function)
      return;
    if (tracked.refresh() || frame.unit == Unit::LoopAdaptor)
      add(tracked);
    const void *attributes = function->getAttributes().getRawPointer();
    if (std::exchange(tracked.attributes, attributes) == attributes || frame.unit != Unit::Calls)
      return;
    // Attributes of a function, for example `cold`, change predictions in its callers.
    for (User *user : function->users()) {
      auto *call = dyn_cast<CallBase>(user);
      auto caller = call ? indices.find(call->getFunction()) : indices.end();
      if (caller == indices.end())
        continue;
      Tracked &changed = functions[caller->second];
      if (changed.refresh())
        add(changed);
    }
  };
  bool hasNew = false;
  if (frame.unit == Unit::Module) {
    for (Tracked &tracked : functions)
      look(tracked);
    hasNew = true;
  } else {
    for (Function *function : frame.functions) {
      // A deleted function is not in `indices`.
      auto found = indices.find(function);
      if (found != indices.end())
        look(functions[found->second]);
      else
        hasNew = true;
    }
    hasNew |= !gone.empty() || names != module->getValueSymbolTable().size();
  }
  for (uint32_t index : gone)
    rows.push_back({nullptr, index, false, false, Unit::Function});
  gone.clear();
  if (hasNew)
    listFunctions([&](Tracked &tracked) {
      tracked.refresh();
      rows.push_back({tracked.function(), tracked.index, false, false, Unit::Function});
    });
  rust->passed(work.get(), this, wrap(module), pass.data(), pass.size(), rows.data(), rows.size());
}

void Watch::start(Module &of, FunctionAnalysisManager &analyses) {
  stop();
  module = &of;
  manager = &analyses;
}

void Watch::stop() {
  work.reset();
  frames.clear();
  functions.clear();
  indices.clear();
  gone.clear();
  module = nullptr;
}

using SharedWatch = std::shared_ptr<Watch>;

// The callbacks stay registered until the pipeline is destroyed, because LLVM cannot remove callbacks.
void registerCallbacks(const SharedWatch &watch) {
  if (std::exchange(watch->isRegistered, true))
    return;
  watch->callbacks->registerBeforeNonSkippedPassCallback([watch](StringRef pass, const auto &ir) {
    if (watch->work)
      watch->frames.push_back(frameOf(pass, ir));
  });
  watch->callbacks->registerAfterPassCallback(
      [watch](StringRef pass, const auto &, const PreservedAnalyses &preserved) { watch->after(pass, preserved); });
  watch->callbacks->registerAfterPassInvalidatedCallback(
      [watch](StringRef pass, const PreservedAnalyses &preserved) { watch->after(pass, preserved); });
}

} // namespace

// ---- functions that Rust calls --------------------------------------------------------------------------------------

extern "C" SharedWatch *bpa_new_watch(PassBuilder *builder) {
  auto watch = std::make_shared<Watch>();
  watch->callbacks = builder->getPassInstrumentationCallbacks();
  return new SharedWatch(std::move(watch));
}

extern "C" void bpa_drop_watch(SharedWatch *watch) { delete watch; }

// Calls `work` after each pass from now on. C++ takes ownership of `work`. Returns false, and drops `work`, if the host
// does not report its passes.
extern "C" bool bpa_start_watch(SharedWatch *watch, LLVMModuleRef module, FunctionAnalysisManager *manager, void *work,
                                const Callbacks *rust) {
  std::unique_ptr<void, void (*)(void *)> owned(work, rust->drop);
  if (!(*watch)->callbacks)
    return false;
  (*watch)->start(*unwrap(module), *manager);
  (*watch)->rust = rust;
  (*watch)->work = std::move(owned);
  registerCallbacks(*watch);
  return true;
}

extern "C" void bpa_stop_watch(SharedWatch *watch) { (*watch)->stop(); }

extern "C" Watch *bpa_watched(SharedWatch *watch) { return watch->get(); }

// Lists the functions that the module defines, as they are now. `add` gets the index of each function.
extern "C" void bpa_list_watched(Watch *watch, void *context, void (*add)(void *context, LLVMValueRef, uint32_t)) {
  watch->listFunctions([](Tracked &) {});
  for (Tracked &tracked : watch->functions) {
    if (!tracked.function())
      continue;
    tracked.refresh();
    add(context, wrap(tracked.function()), tracked.index);
  }
}

// Returns the function with this index if it has changed since it was reported last, otherwise null.
extern "C" LLVMValueRef bpa_if_changed(Watch *watch, uint32_t index) {
  if (index >= watch->functions.size())
    return nullptr;
  Tracked &tracked = watch->functions[index];
  return tracked.function() && tracked.refresh() ? wrap(tracked.function()) : nullptr;
}

// Reads the cached results of LLVM's analyses. Bit 0 of the result: the probabilities of all edges are written. Bit 1: the
// frequencies of all blocks are written. If the function does not have these numbers of edges and blocks, the result is 0.
extern "C" uint8_t bpa_cached_results(Watch *watch, LLVMValueRef value, uint32_t *probabilities, size_t edge_count,
                                      uint64_t *frequencies, size_t block_count) {
  Function &function = *unwrap<Function>(value);
  if (!hasSizes(function, edge_count, block_count))
    return 0;
  uint8_t found = 0;
  if (auto *cached = watch->manager->getCachedResult<BranchProbabilityAnalysis>(function)) {
    found |= 1;
    writeProbabilities(*cached, function, probabilities);
  }
  if (auto *cached = watch->manager->getCachedResult<BlockFrequencyAnalysis>(function)) {
    found |= 2;
    writeFrequencies(*cached, function, frequencies);
  }
  return found;
}
