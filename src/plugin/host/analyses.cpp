// Replaces LLVM's analyses of branch probabilities, block frequencies and loops in an analysis manager. LLVM's passes
// then use the results that Rust computes.
//
// The results are objects of LLVM's own classes, in the state in which LLVM's own analyses leave them. Some parts of
// this state are private. A pointer to a private member is the argument of an explicit template instantiation, where C++
// does not check access. If an LLVM version names or types a member differently, this file does not compile.
//
// LLVM: `BranchProbabilityAnalysis`, `BlockFrequencyAnalysis`, `LoopAnalysis`.

#include "../../ir/layout.h"
#include "../../ir/results.h"

#include "llvm-c/Types.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BlockFrequencyInfoImpl.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#if BPA_LLVM_MAJOR >= 24
#include "llvm/Analysis/CycleAnalysis.h"
#endif

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

using namespace llvm;

namespace {

// ---- functions that Rust implements, see analyses.rs ----------------------------------------------------------------

struct Callbacks {
  // Computes the probabilities of a function and passes them to `bpa_set_probabilities`. If `keep` is true, Rust keeps
  // what it has read until `frequencies` or `forget` is called.
  void (*probabilities)(const void *source, LLVMValueRef function, BranchProbabilityInfo *result, bool keep);
  // Computes the frequencies of a function and passes them to `bpa_set_frequencies`. If nothing was kept, Rust reads
  // the current probabilities with `bpa_current_probabilities`.
  void (*frequencies)(const void *source, LLVMValueRef function, const BranchProbabilityInfo *probabilities,
                      BlockFrequencyInfo *result);
  // Finds the loops of a function and passes them to `bpa_set_loops`. Uses what was kept, and keeps it.
  void (*loops)(const void *source, LLVMValueRef function, LoopInfo *result);
  // Drops what was kept.
  void (*forget)(const void *source);
  // Ends the process with an error. The result of the analysis `name` differs from LLVM's result.
  void (*differ)(LLVMValueRef function, const char *difference, size_t length);
  void (*drop)(void *source);
};

// A closure.
struct WorkCallbacks {
  void (*run)(const void *work, FunctionAnalysisManager *manager);
  void (*drop)(void *work);
};

// A row for each block with probabilities. This struct has the layout of `EdgeRow` in `analyses.rs`.
struct EdgeRow {
  BasicBlock *block;
  // The index of the first edge of the block, and the number of its edges.
  uint32_t first, count;
};
BPA_LAYOUT(sizeof(EdgeRow) == 16);
BPA_LAYOUT(offsetof(EdgeRow, block) == 0);
BPA_LAYOUT(offsetof(EdgeRow, first) == 8);
BPA_LAYOUT(offsetof(EdgeRow, count) == 12);

// A row for each reachable block. This struct has the layout of `FrequencyRow` in `analyses.rs`.
struct FrequencyRow {
  BasicBlock *block;
  uint64_t digits, integer;
  int16_t exponent;
  bool is_irreducible_header;
};
BPA_LAYOUT(sizeof(FrequencyRow) == 32);
BPA_LAYOUT(offsetof(FrequencyRow, block) == 0);
BPA_LAYOUT(offsetof(FrequencyRow, digits) == 8);
BPA_LAYOUT(offsetof(FrequencyRow, integer) == 16);
BPA_LAYOUT(offsetof(FrequencyRow, exponent) == 24);
BPA_LAYOUT(offsetof(FrequencyRow, is_irreducible_header) == 26);

// A loop, or a reachable block with the index of its innermost loop. This struct has the layout of `LoopRow` in
// `analyses.rs`.
struct LoopRow {
  // The header of the loop, or the block.
  BasicBlock *block;
  // The index of the loop around this loop or block, or `NO_LOOP`.
  uint32_t around;
  // For a loop, the number of its blocks.
  uint32_t size;
};
BPA_LAYOUT(sizeof(LoopRow) == 16);
BPA_LAYOUT(offsetof(LoopRow, block) == 0);
BPA_LAYOUT(offsetof(LoopRow, around) == 8);
BPA_LAYOUT(offsetof(LoopRow, size) == 12);

constexpr uint32_t NO_LOOP = ~0u;

// ---- private members of LLVM's classes ------------------------------------------------------------------------------

template <typename Tag, auto Member> struct Expose {
  friend constexpr auto member(Tag) { return Member; }
};

// Defines `member(NAME())`, which returns a pointer to a private member.
#define BPA_EXPOSE(NAME, MEMBER)                                                                                       \
  struct NAME {                                                                                                        \
    friend constexpr auto member(NAME);                                                                                \
  };                                                                                                                   \
  template struct Expose<NAME, MEMBER>;

using Frequencies = BlockFrequencyInfoImpl<BasicBlock>;
BPA_EXPOSE(AnalysisTable, &FunctionAnalysisManager::AnalysisPasses)
BPA_EXPOSE(PrintedFunction, &BranchProbabilityInfo::LastF)
BPA_EXPOSE(Probabilities, &BranchProbabilityInfo::Probs)
#if BPA_LLVM_MAJOR >= 23
BPA_EXPOSE(ProbabilitiesEpoch, &BranchProbabilityInfo::BlockNumberEpoch)
BPA_EXPOSE(FrequenciesEpoch, &Frequencies::BlockNumberEpoch)
#else
BPA_EXPOSE(ProbabilityHandles, &BranchProbabilityInfo::Handles)
BPA_EXPOSE(Order, &Frequencies::RPOT)
#endif
BPA_EXPOSE(Implementation, &BlockFrequencyInfo::BFI)
BPA_EXPOSE(UsedProbabilities, &Frequencies::BPI)
BPA_EXPOSE(AnalysedFunction, &Frequencies::F)
BPA_EXPOSE(Nodes, &Frequencies::Nodes)

template <typename Object, typename Name> auto &part(Object &object, Name name) { return object.*member(name); }

// The base class is private. A C cast ignores this.
BlockFrequencyInfoImplBase &base(Frequencies &all) { return (BlockFrequencyInfoImplBase &)all; }

// Whether value handles survive when LLVM's analysis returns its result. They do from LLVM 18 on. Before, the move
// constructor drops the handles, so the cached result keeps the probabilities of deleted blocks.
template <typename Handle, typename = void> struct Survives : std::false_type {};
template <typename Handle>
struct Survives<Handle, std::void_t<decltype(std::declval<Handle &>().setBPI(nullptr))>> : std::true_type {};

// ---- the replaced analyses ------------------------------------------------------------------------------------------

// Computes results for one analysis manager. Both analyses share this object.
struct Source {
  const Callbacks *rust;
  std::unique_ptr<void, void (*)(void *)> object;
  bool isLikeLlvm, isChecked;
  // Whether the frequencies are computed immediately after the probabilities.
  bool keepsProfile = false;
};

// Writes a block as an operand, for example `%entry`.
std::string nameOf(const BasicBlock &block) {
  std::string name;
  raw_string_ostream out(name);
  block.printAsOperand(out, false);
  return out.str();
}

// Requests the analyses that LLVM's analyses request, because later passes may use them if they are cached. Only
// post-dominators are left out: their computation takes as long as the probabilities. The passes that read the tree
// request it themselves (ADCE, DSE, MemCpyOpt). The passes that only take a cached tree (IPSCCP, TailCallElim,
// JumpTableToSwitch) keep it up to date, but do not read it. JumpThreading uses no post-dominators in LLVM 14,
// 16, 19 and 22.
void requestStructures(Function &function, FunctionAnalysisManager &manager) {
  manager.getResult<DominatorTreeAnalysis>(function);
#if BPA_LLVM_MAJOR >= 24
  manager.getResult<CycleAnalysis>(function);
#else
  manager.getResult<LoopAnalysis>(function);
#endif
  manager.getResult<TargetLibraryAnalysis>(function);
}

// Up to LLVM 22, LLVM's search for loops takes as long as the probabilities, although Rust has found the same loops.
constexpr bool ReplacesLoops = BPA_LLVM_MAJOR < 23;

#if BPA_LLVM_MAJOR < 23
struct ByLoops {
  using Analysis = LoopAnalysis;
  static constexpr const char *Name = "LoopAnalysis";

  static void compute(Source &source, Function &function, FunctionAnalysisManager &manager, LoopInfo &result) {
    manager.getResult<DominatorTreeAnalysis>(function);
    if (mayHaveLoops(function))
      source.rust->loops(source.object.get(), wrap(&function), &result);
  }

  // A cycle has an edge to a block with a number that is not higher.
  static bool mayHaveLoops(Function &function) {
#ifdef BPA_NUMBERED_BLOCKS
    auto mayClose = [](BasicBlock &block) {
      return any_of(successors(&block), [&](BasicBlock *next) { return next->getNumber() <= block.getNumber(); });
    };
    return any_of(function, mayClose);
#else
    return function.size() > 1;
#endif
  }

  static bool isReplaced(const Source &, const Function &) { return true; }

  static std::string difference(Function &function, LoopInfo &ours, LoopInfo &theirs) {
    for (BasicBlock &block : function) {
      Loop *loop = ours.getLoopFor(&block), *expected = theirs.getLoopFor(&block);
      if (!loop != !expected || (loop && loop->getHeader() != expected->getHeader()))
        return "the innermost loop around " + nameOf(block);
    }
    return isSame(ours.getTopLevelLoops(), theirs.getTopLevelLoops()) ? "" : "the order of the loops and their blocks";
  }

  // Compares the loops, with the order of their blocks and inner loops.
  static bool isSame(const std::vector<Loop *> &ours, const std::vector<Loop *> &theirs) {
    return std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(), [](Loop *loop, Loop *expected) {
      return loop->getBlocks() == expected->getBlocks() && !loop->getParentLoop() == !expected->getParentLoop() &&
             loop->getBlocksSet().size() == expected->getBlocksSet().size() &&
             isSame(loop->getSubLoops(), expected->getSubLoops());
    });
  }
};
#endif

struct ByProbabilities {
  using Analysis = BranchProbabilityAnalysis;
  static constexpr const char *Name = "BranchProbabilityAnalysis (rust-analyses)";

  static void compute(Source &source, Function &function, FunctionAnalysisManager &manager,
                      BranchProbabilityInfo &result) {
    // The loops are filled from what the probabilities have read.
    bool needsLoops = ReplacesLoops && !manager.getCachedResult<LoopAnalysis>(function);
    bool keeps = source.keepsProfile || needsLoops;
    source.rust->probabilities(source.object.get(), wrap(&function), &result, keeps);
    requestStructures(function, manager);
    if (keeps && !source.keepsProfile)
      source.rust->forget(source.object.get());
  }

  static bool isReplaced(const Source &, const Function &) { return true; }

  // Describes the first difference between the two results, or returns an empty string.
  static std::string difference(Function &function, BranchProbabilityInfo &ours, BranchProbabilityInfo &theirs) {
    auto &all = part(ours, Probabilities()), &expected = part(theirs, Probabilities());
    for (BasicBlock &block : function)
      for (unsigned place = 0, end = succ_size(&block); place < end; ++place) {
        std::string edge = "edge " + std::to_string(place) + " of " + nameOf(block);
#if BPA_LLVM_MAJOR < 23
        bool isSet = all.count({&block, place}), shouldBe = expected.count({&block, place});
        if (isSet != shouldBe)
          return edge + (isSet ? ": only bpa sets a probability" : ": only LLVM sets a probability");
#endif
        uint32_t number = ours.getEdgeProbability(&block, place).getNumerator();
        uint32_t other = theirs.getEdgeProbability(&block, place).getNumerator();
        if (number != other)
          return "probability of " + edge + ": LLVM has " + std::to_string(other) + " / 2^31, we have " +
                 std::to_string(number);
      }
    bool isEqual = all.size() == expected.size() && part(ours, PrintedFunction()) == part(theirs, PrintedFunction());
#if BPA_LLVM_MAJOR < 23
    using Handle = std::remove_reference_t<decltype(part(ours, ProbabilityHandles()))>::value_type;
    isEqual &= !Survives<Handle>::value ||
               part(ours, ProbabilityHandles()).size() == part(theirs, ProbabilityHandles()).size();
#endif
    return isEqual ? "" : "the number of set probabilities";
  }
};

struct ByFrequencies {
  using Analysis = BlockFrequencyAnalysis;
  static constexpr const char *Name = "BlockFrequencyAnalysis (rust-analyses)";

  static void compute(Source &source, Function &function, FunctionAnalysisManager &manager,
                      BlockFrequencyInfo &result) {
    // LLVM computes frequencies from the cached probabilities, which passes may have updated. They are those of the
    // current IR only if they are computed now.
    source.keepsProfile = !manager.getCachedResult<BranchProbabilityAnalysis>(function);
    const auto &probabilities = manager.getResult<BranchProbabilityAnalysis>(function);
    source.keepsProfile = false;
    requestStructures(function, manager);
    auto &implementation = part(result, Implementation());
    implementation.reset(new Frequencies);
    part(*implementation, UsedProbabilities()) = &probabilities;
    part(*implementation, AnalysedFunction()) = &function;
    source.rust->frequencies(source.object.get(), wrap(&function), &probabilities, &result);
  }

  // Two hidden options of LLVM change its algorithm.
  static bool isReplaced(const Source &source, const Function &function) {
    bool isInferred = UseIterativeBFIInference && function.hasProfileData();
    return !source.isLikeLlvm || !(isInferred || CheckBFIUnknownBlockQueries);
  }

  static std::string difference(Function &function, BlockFrequencyInfo &ours, BlockFrequencyInfo &theirs) {
    Frequencies &all = *part(ours, Implementation()), &expected = *part(theirs, Implementation());
    for (BasicBlock &block : function) {
      uint64_t number = all.getBlockFreq(&block).getFrequency(), other = expected.getBlockFreq(&block).getFrequency();
      if (number != other)
        return "frequency of " + nameOf(block) + ": LLVM has " + std::to_string(other) + ", we have " +
               std::to_string(number);
      if (all.getFloatingBlockFreq(&block) != expected.getFloatingBlockFreq(&block))
        return "relative frequency of " + nameOf(block);
      if (all.isIrrLoopHeader(&block) != expected.isIrrLoopHeader(&block))
        return nameOf(block) + " is the header of an irreducible loop for only one of bpa and LLVM";
    }
    bool isEqual = base(all).Freqs.size() == base(expected).Freqs.size() && all.getFunction() == expected.getFunction() &&
                   &all.getBPI() == &expected.getBPI() && ours.getEntryFreq() == theirs.getEntryFreq();
    return isEqual ? "" : "the number of frequencies";
  }
};

// Computes a result in the place of LLVM's analysis. With `check`, LLVM's analysis runs as well.
template <typename By>
void compute(Source &source, Function &function, FunctionAnalysisManager &manager,
             typename By::Analysis::Result &result) {
  By::compute(source, function, manager, result);
  if (!source.isChecked)
    return;
  auto expected = typename By::Analysis().run(function, manager);
  std::string difference = By::difference(function, result, expected);
  if (!difference.empty())
    source.rust->differ(wrap(&function), difference.data(), difference.size());
}

// The name of the analysis in the logs of the pass manager.
template <typename By> StringRef nameIn(bool isLikeLlvm) { return isLikeLlvm ? By::Analysis::name() : By::Name; }

#if BPA_LLVM_MAJOR >= 24
// LLVM's model of a result runs the analysis itself. The model of this class has the same members as the model of LLVM's
// analysis.
template <typename By, bool IsLikeLlvm> struct Substitute {
  using Analysis = typename By::Analysis;
  using Result = typename Analysis::Result;
  std::shared_ptr<Source> source;

  static AnalysisKey *ID() { return Analysis::ID(); }
  static StringRef name() { return nameIn<By>(IsLikeLlvm); }

  Result run(Function &function, FunctionAnalysisManager &manager) {
    if (!By::isReplaced(*source, function))
      return Analysis().run(function, manager);
    Result result;
    compute<By>(*source, function, manager, result);
    return result;
  }
};

template <typename By, bool IsLikeLlvm> auto substitute(const std::shared_ptr<Source> &source) {
  using Invalidator = FunctionAnalysisManager::Invalidator;
  using Ours = Substitute<By, IsLikeLlvm>;
  using Theirs = typename By::Analysis;
  static_assert(sizeof(detail::AnalysisResultModel<Function, Ours, typename Ours::Result, Invalidator>) ==
                    sizeof(detail::AnalysisResultModel<Function, Theirs, typename Theirs::Result, Invalidator>),
                "the two models have the same members");
  return detail::AnalysisPassModel<Function, Ours, Invalidator>::create(Ours{source});
}

template <typename By> auto substitute(const std::shared_ptr<Source> &source) {
  return source->isLikeLlvm ? substitute<By, true>(source) : substitute<By, false>(source);
}
#else
using AnalysisPasses = std::remove_reference_t<decltype(part(std::declval<FunctionAnalysisManager &>(), AnalysisTable()))>;
using Concept = AnalysisPasses::mapped_type::element_type;

// LLVM's model of the result of an analysis. The other template arguments depend on the LLVM version.
template <typename Analysis, typename Concept> struct ModelOf;
template <typename Analysis, typename... Rest> struct ModelOf<Analysis, detail::AnalysisPassConcept<Function, Rest...>> {
  using Type = detail::AnalysisResultModel<Function, Analysis, typename Analysis::Result, Rest...>;
};

template <typename By> struct Substitute : Concept {
  using Analysis = typename By::Analysis;
  using Model = typename ModelOf<Analysis, Concept>::Type;
  // A pointer to the base class of `Model`.
  using Pointer = decltype(std::declval<Concept &>().run(std::declval<Function &>(),
                                                         std::declval<FunctionAnalysisManager &>()));
  std::shared_ptr<Source> source;

  explicit Substitute(std::shared_ptr<Source> source) : source(std::move(source)) {}

  Pointer run(Function &function, FunctionAnalysisManager &manager) override {
    if (!By::isReplaced(*source, function))
      return std::make_unique<Model>(Analysis().run(function, manager));
    auto model = std::make_unique<Model>(typename Analysis::Result());
    compute<By>(*source, function, manager, model->Result);
    return model;
  }

  StringRef name() const override { return nameIn<By>(source->isLikeLlvm); }
};

template <typename By> auto substitute(const std::shared_ptr<Source> &source) {
  return std::make_unique<Substitute<By>>(source);
}
#endif

// Replaces one entry. Returns whether the results of the old and of the new entry can differ.
template <typename By> bool replace(FunctionAnalysisManager &manager, const std::shared_ptr<Source> &source) {
  auto &entry = part(manager, AnalysisTable())[By::Analysis::ID()];
  bool differs = !source->isLikeLlvm || (entry && entry->name() != By::Analysis::name());
  entry = substitute<By>(source);
  return differs;
}

} // namespace

// ---- functions that Rust calls --------------------------------------------------------------------------------------

// Replaces the analyses in `manager`. C++ takes ownership of `object`, which belongs to this manager alone. If the
// new analyses compute other numbers, drops the cached results of `module`, which may be null.
extern "C" void bpa_replace_analyses(FunctionAnalysisManager *manager, LLVMModuleRef module, void *object,
                                     const Callbacks *rust, bool isLikeLlvm, bool isChecked) {
  auto source = std::make_shared<Source>(Source{rust, {object, rust->drop}, isLikeLlvm, isChecked});
  bool differs = replace<ByProbabilities>(*manager, source);
  differs |= replace<ByFrequencies>(*manager, source);
#if BPA_LLVM_MAJOR < 23
  replace<ByLoops>(*manager, source);
#endif
  if (!differs || !module)
    return;
  PreservedAnalyses others = PreservedAnalyses::all();
  others.abandon<BranchProbabilityAnalysis>();
  others.abandon<BlockFrequencyAnalysis>();
  for (Function &function : *unwrap(module))
    if (!function.isDeclaration())
      manager->invalidate(function, others);
}

// Sets the probabilities of the edges in `rows`. LLVM leaves the other blocks without probabilities.
//
// LLVM: `BranchProbabilityInfo::setEdgeProbability`.
extern "C" void bpa_set_probabilities(BranchProbabilityInfo *info, LLVMValueRef function, const EdgeRow *rows,
                                      size_t count, const uint32_t *numerators, size_t edges) {
  part(*info, PrintedFunction()) = unwrap<Function>(function);
  auto &all = part(*info, Probabilities());
#if BPA_LLVM_MAJOR >= 23
  part(*info, ProbabilitiesEpoch()) = unwrap<Function>(function)->getBlockNumberEpoch();
  all.reserve(edges);
  SmallVector<BranchProbability> probabilities;
  for (const EdgeRow &row : ArrayRef<EdgeRow>(rows, count)) {
    probabilities.clear();
    for (uint32_t place = 0; place < row.count; ++place)
      probabilities.push_back(BranchProbability::getRaw(numerators[row.first + place]));
    info->setEdgeProbability(row.block, probabilities);
  }
#else
  using Handle = std::remove_reference_t<decltype(part(*info, ProbabilityHandles()))>::value_type;
  all.reserve(edges);
  if constexpr (Survives<Handle>::value)
    part(*info, ProbabilityHandles()).reserve(count);
  for (const EdgeRow &row : ArrayRef<EdgeRow>(rows, count)) {
    if constexpr (Survives<Handle>::value)
      part(*info, ProbabilityHandles()).insert(Handle(row.block, info));
    for (uint32_t place = 0; place < row.count; ++place)
      all.try_emplace({row.block, place}, BranchProbability::getRaw(numerators[row.first + place]));
  }
#endif
}

// Writes the current probabilities of all edges of a function.
extern "C" void bpa_current_probabilities(const BranchProbabilityInfo *info, LLVMValueRef function,
                                          uint32_t *numerators) {
  writeProbabilities(*info, *unwrap<Function>(function), numerators);
}

// Sets the frequencies of the blocks in `rows`. The first row is the entry.
//
// LLVM: `BlockFrequencyInfoImpl::setBlockFreq`.
extern "C" void bpa_set_frequencies(BlockFrequencyInfo *info, const FrequencyRow *rows, size_t count) {
  Frequencies &all = *part(*info, Implementation());
  auto &nodes = part(all, Nodes());
#if BPA_LLVM_MAJOR >= 23
  const Function &function = *all.getFunction();
  part(all, FrequenciesEpoch()) = function.getBlockNumberEpoch();
  nodes.resize(function.getMaxBlockNumber());
#else
  nodes.reserve(count);
  auto &order = part(all, Order());
  order.reserve(count);
#endif
  auto &numbers = base(all).Freqs;
  numbers.reserve(count);
  for (const FrequencyRow &row : ArrayRef<FrequencyRow>(rows, count)) {
    uint32_t index = numbers.size();
    numbers.push_back({BlockFrequencyInfoImplBase::Scaled64(row.digits, row.exponent), row.integer});
    if (row.is_irreducible_header)
      base(all).IsIrrLoopHeader.set(index);
#if BPA_LLVM_MAJOR >= 23
    nodes[row.block->getNumber()] = BlockFrequencyInfoImplBase::BlockNode(index);
#else
    order.push_back(row.block);
    nodes.try_emplace(row.block, std::piecewise_construct, std::forward_as_tuple(index),
                      std::forward_as_tuple(row.block, &all));
#endif
  }
}

// Sets the loops of a function. An inner loop follows the loop around it. `blocks` has the blocks in loops, in reverse
// postorder.
//
// LLVM: `LoopInfoBase::analyze`.
#if BPA_LLVM_MAJOR < 23
extern "C" void bpa_set_loops(LoopInfo *info, const LoopRow *rows, size_t count, const LoopRow *blocks,
                              size_t block_count) {
  SmallVector<Loop *> loops(count), outermost;
  for (size_t place = count; place-- > 0;) {
    loops[place] = info->AllocateLoop(rows[place].block);
    loops[place]->reserveBlocks(rows[place].size);
  }
  for (size_t place = 0; place < count; ++place)
    if (rows[place].around != NO_LOOP)
      loops[place]->setParentLoop(loops[rows[place].around]);
  for (const LoopRow &row : ArrayRef<LoopRow>(blocks, block_count)) {
    Loop *loop = loops[row.around];
    info->changeLoopFor(row.block, loop);
    if (loop->getHeader() == row.block) {
      // A new loop contains its header.
      Loop *around = loop->getParentLoop();
      around ? around->getSubLoopsVector().push_back(loop) : outermost.push_back(loop);
      loop = around;
    }
    for (; loop; loop = loop->getParentLoop())
      loop->addBlockEntry(row.block);
  }
  // Only the outermost loops are in postorder.
  for (Loop *loop : reverse(outermost))
    info->addTopLevelLoop(loop);
}
#else
extern "C" void bpa_set_loops(LoopInfo *, const LoopRow *, size_t, const LoopRow *, size_t) {}
#endif

// Runs `work` each time the host registers analyses with an analysis manager. C++ takes ownership of `work`.
extern "C" void bpa_when_analyses_register(PassBuilder *builder, void *work, const WorkCallbacks *rust) {
  std::shared_ptr<void> shared(work, rust->drop);
  builder->registerAnalysisRegistrationCallback(
      [shared, rust](FunctionAnalysisManager &manager) { rust->run(shared.get(), &manager); });
}
