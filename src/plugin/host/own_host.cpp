// The binding to LLVM's pass manager for versions that llvm-plugin does not support. This binding is written in C++
// because the pass manager has no C API.
//
// This file only wraps LLVM's classes. Rust implements the passes, and C++ runs the passes through the functions in
// `Callbacks`. When Rust calls a function of this file, all objects that Rust passes are alive.
//
// LLVM: `ModuleToFunctionPassAdaptor`.

#include "summary.h"

#include "llvm-c/Core.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#if BPA_LLVM_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

using namespace llvm;

// ---- functions that Rust implements, see own_host.rs ----------------------------------------------------------------

namespace {

// The set of analyses that a pass preserves.
enum class Preserved : int { All, ControlFlow, Nothing };

struct Callbacks {
  void (*registerPlugin)(PassBuilder *builder);
  // Parses a pipeline element. Returns a pass that the caller owns, or null. Each parser reports an error only once. In
  // a function pipeline, module passes are errors.
  void *(*parse)(const void *parser, const char *element, size_t length, bool hasParentheses, bool isModulePosition);
  void (*dropParser)(void *parser);
  void (*dropPass)(void *pass);
  // Whether the pass also runs on functions with `optnone`, and after the limit of `-opt-bisect-limit`.
  bool (*isRequired)(const void *pass);
  // Whether the pass works on modules instead of functions.
  bool (*isOnModule)(const void *pass);
  // Runs a pass on a function. `profile` is the cached profile of the function.
  Preserved (*run)(const void *pass, LLVMValueRef function, const void *profile);
  Preserved (*runOnModule)(const void *pass, LLVMModuleRef module, FunctionAnalysisManager *functions);
  void *(*newProfile)();
  void (*dropProfile)(void *profile);
};

// The Rust functions that the C++ code calls. The pointer is set when the host loads the library, before any other
// call.
const Callbacks *rust;

// A pass that Rust owns. All copies of a C++ pass share one Rust object. This object does not change.
using SharedPass = std::shared_ptr<void>;

SharedPass share(void *pass) { return SharedPass(pass, rust->dropPass); }

struct ProfileDropper {
  void operator()(void *profile) const { rust->dropProfile(profile); }
};
using ProfileBox = std::unique_ptr<void, ProfileDropper>;

// ---- the cached profile --------------------------------------------------------------------------------------------

// Stores a function's profile until the function changes.
struct ProfileAnalysis : AnalysisInfoMixin<ProfileAnalysis> {
  struct Result {
    ProfileBox profile;
  };
  static AnalysisKey Key;
  static StringRef name() { return "RustProfileAnalysis"; }
  Result run(Function &, FunctionAnalysisManager &) { return {ProfileBox(rust->newProfile())}; }
};
AnalysisKey ProfileAnalysis::Key;

// ---- passes --------------------------------------------------------------------------------------------------------

// Converts `preserved` to LLVM's type. LLVM itself would keep BranchProbabilityInfo and BlockFrequencyInfo if the
// control-flow graph is preserved. This function abandons both analyses because a pass may have changed branch weights.
PreservedAnalyses analyses(Preserved preserved) {
  if (preserved == Preserved::All)
    return PreservedAnalyses::all();
  PreservedAnalyses some = PreservedAnalyses::none();
  if (preserved == Preserved::ControlFlow) {
    some.preserveSet<CFGAnalyses>();
    some.abandon<BranchProbabilityAnalysis>();
    some.abandon<BlockFrequencyAnalysis>();
  }
  return some;
}

Preserved runOnFunction(const void *pass, Function &function, FunctionAnalysisManager &manager) {
  if (function.isDeclaration())
    return Preserved::All;
  const auto &cached = manager.getResult<ProfileAnalysis>(function);
  return rust->run(pass, wrap(&function), cached.profile.get());
}

// A pass that Rust implements.
template <typename Unit, typename Manager> struct RustPass {
  SharedPass pass;
  std::string text;

  bool isRequired() const { return rust->isRequired(pass.get()); }
  PreservedAnalyses run(Unit &unit, Manager &manager);
  void printPipeline(raw_ostream &out, function_ref<StringRef(StringRef)>) { out << text; }
};
using RustFunctionPass = RustPass<Function, FunctionAnalysisManager>;
using RustModulePass = RustPass<Module, ModuleAnalysisManager>;

template <> PreservedAnalyses RustFunctionPass::run(Function &function, FunctionAnalysisManager &manager) {
  return analyses(runOnFunction(pass.get(), function, manager));
}

// The preserved analyses of a module. Analyses of functions count as preserved, because the caller has already
// invalidated the analyses of changed functions.
PreservedAnalyses analysesBesidesFunctions(Preserved preserved) {
  PreservedAnalyses some = analyses(preserved);
  some.preserve<FunctionAnalysisManagerModuleProxy>();
  some.preserveSet<AllAnalysesOn<Function>>();
  return some;
}

// Runs a pass on every defined function in order. If a function changes, only analyses of this function are
// invalidated.
PreservedAnalyses runOnFunctions(const void *pass, Module &module, FunctionAnalysisManager &functions) {
  Preserved all = Preserved::All;
  for (Function &function : module) {
    Preserved preserved = runOnFunction(pass, function, functions);
    if (preserved != Preserved::All)
      functions.invalidate(function, analyses(preserved));
    all = std::max(all, preserved);
  }
  return analysesBesidesFunctions(all);
}

// Runs a pass on the whole module. If the pass preserves nothing, all analyses are dropped, because the pass may have
// deleted functions that have cached analyses.
PreservedAnalyses runOnModule(const void *pass, Module &module, FunctionAnalysisManager &functions) {
  Preserved preserved = rust->runOnModule(pass, wrap(&module), &functions);
  if (preserved != Preserved::ControlFlow)
    return analyses(preserved);
  for (Function &function : module)
    if (!function.isDeclaration())
      functions.invalidate(function, analyses(preserved));
  return analysesBesidesFunctions(preserved);
}

template <> PreservedAnalyses RustModulePass::run(Module &module, ModuleAnalysisManager &manager) {
  auto &functions = manager.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  auto run = rust->isOnModule(pass.get()) ? runOnModule : runOnFunctions;
  PreservedAnalyses preserved = run(pass.get(), module, functions);
  if (!preserved.areAllPreserved())
    refreshProfileSummary(module, manager);
  return preserved;
}

// For each pass, LLVM calls two static functions of the pass's C++ type: `name` and `isRequired`.
// Timings and logs should show the text of the pass, as the user typed it. Therefore each text is stored in a slot, and
// each slot has its own C++ type. A new text gets a new slot, which is never freed.
struct Slot {
  std::string text;
  bool isRequired;
};
constexpr size_t SlotCount = 64;
// If no slot is free, a pass uses one of the first two slots, and therefore has the name `rust-pass`.
constexpr size_t SharedSlots = 2;
Slot slots[SlotCount] = {{"rust-pass", false}, {"rust-pass", true}};

template <typename Unit, typename Manager, size_t Place> struct PassInSlot : RustPass<Unit, Manager> {
  static StringRef name() { return slots[Place].text; }
  static bool isRequired() { return slots[Place].isRequired; }
};

size_t slotOf(StringRef text, bool isRequired) {
  // A linker can add passes in several threads at the same time.
  static std::mutex mutex;
  static size_t taken = SharedSlots;
  std::lock_guard<std::mutex> lock(mutex);
  for (size_t place = SharedSlots; place < taken; ++place)
    if (slots[place].text == text && slots[place].isRequired == isRequired)
      return place;
  if (taken == SlotCount)
    return isRequired;
  slots[taken] = {text.str(), isRequired};
  return taken++;
}

template <typename Unit, typename Manager, size_t... Places>
void addToSlot(PassManager<Unit> &passes, RustPass<Unit, Manager> pass, std::index_sequence<Places...>) {
  size_t slot = slotOf(pass.text, pass.isRequired());
  ((Places == slot ? passes.addPass(PassInSlot<Unit, Manager, Places>{std::move(pass)}) : void()), ...);
}

void add(FunctionPassManager &passes, SharedPass pass, StringRef text) {
  addToSlot(passes, RustFunctionPass{std::move(pass), text.str()}, std::make_index_sequence<SlotCount>());
}

void add(ModulePassManager &passes, SharedPass pass, StringRef text) {
  addToSlot(passes, RustModulePass{std::move(pass), text.str()}, std::make_index_sequence<SlotCount>());
}

void add(CGSCCPassManager &passes, SharedPass pass, StringRef text) {
  FunctionPassManager inside;
  add(inside, std::move(pass), text);
  passes.addPass(createCGSCCToFunctionPassAdaptor(std::move(inside)));
}

// ---- extension points ----------------------------------------------------------------------------------------------

// Adds a pass to the pass manager that LLVM provides at an extension point.
struct Extension {
  SharedPass pass;
  std::string text;

  // The other arguments are ignored: the optimisation level and, from LLVM 20 on, the phase of link-time optimisation.
  template <typename PassManager, typename... Rest> void operator()(PassManager &passes, Rest...) const {
    add(passes, pass, text);
  }
};

struct ExtensionPoint {
  const char *name;
  // Whether LLVM runs passes on modules instead of functions at this point.
  bool isOnModules;
  void (*extend)(PassBuilder &, Extension);
};

// The two extension points for loop passes are missing because bpa's passes work on functions or modules.
const ExtensionPoint extensionPoints[] = {
    {"pipeline-start", true, [](PassBuilder &b, Extension e) { b.registerPipelineStartEPCallback(e); }},
    {"pipeline-early-simplification", true,
     [](PassBuilder &b, Extension e) { b.registerPipelineEarlySimplificationEPCallback(e); }},
    {"peephole", false, [](PassBuilder &b, Extension e) { b.registerPeepholeEPCallback(e); }},
    {"scalar-optimizer-late", false, [](PassBuilder &b, Extension e) { b.registerScalarOptimizerLateEPCallback(e); }},
    {"cgscc-optimizer-late", false, [](PassBuilder &b, Extension e) { b.registerCGSCCOptimizerLateEPCallback(e); }},
    {"vectorizer-start", false, [](PassBuilder &b, Extension e) { b.registerVectorizerStartEPCallback(e); }},
#if BPA_LLVM_MAJOR >= 21
    {"vectorizer-end", false, [](PassBuilder &b, Extension e) { b.registerVectorizerEndEPCallback(e); }},
#endif
    {"optimizer-early", true, [](PassBuilder &b, Extension e) { b.registerOptimizerEarlyEPCallback(e); }},
    {"optimizer-last", true, [](PassBuilder &b, Extension e) { b.registerOptimizerLastEPCallback(e); }},
    {"full-lto-early", true, [](PassBuilder &b, Extension e) { b.registerFullLinkTimeOptimizationEarlyEPCallback(e); }},
    {"full-lto-last", true, [](PassBuilder &b, Extension e) { b.registerFullLinkTimeOptimizationLastEPCallback(e); }},
};

} // namespace

// ---- functions that Rust calls --------------------------------------------------------------------------------------

// The name of the extension point at index `place`, or null if `place` is too large. If LLVM runs module passes at this
// point, sets `takesModulePasses` to true, otherwise to false.
extern "C" const char *bpa_extension_point(size_t place, bool *takesModulePasses) {
  if (place >= std::size(extensionPoints))
    return nullptr;
  *takesModulePasses = extensionPoints[place].isOnModules;
  return extensionPoints[place].name;
}

// Adds a pass at an extension point. The extension point must accept this kind of pass. C++ takes ownership of `pass`.
extern "C" void bpa_extend(PassBuilder *builder, size_t place, void *pass, const char *text, size_t length) {
  extensionPoints[place].extend(*builder, Extension{share(pass), std::string(text, length)});
}

extern "C" void bpa_cache_profiles(PassBuilder *builder) {
  builder->registerAnalysisRegistrationCallback(
      [](FunctionAnalysisManager &manager) { manager.registerPass([] { return ProfileAnalysis(); }); });
}

// Adds a parser for module pipelines and function pipelines. C++ takes ownership of `parser`.
extern "C" void bpa_add_parser(PassBuilder *builder, void *parser) {
  std::shared_ptr<void> shared(parser, rust->dropParser);
  using Elements = ArrayRef<PassBuilder::PipelineElement>;
  auto parse = [shared](StringRef element, auto &passes, Elements inside) {
    constexpr bool isModulePosition = std::is_same_v<std::decay_t<decltype(passes)>, ModulePassManager>;
    void *pass = rust->parse(shared.get(), element.data(), element.size(), !inside.empty(), isModulePosition);
    if (pass)
      add(passes, share(pass), element);
    return pass != nullptr;
  };
  builder->registerPipelineParsingCallback([parse](StringRef element, ModulePassManager &passes, Elements inside) {
    return parse(element, passes, inside);
  });
  builder->registerPipelineParsingCallback([parse](StringRef element, FunctionPassManager &passes, Elements inside) {
    return parse(element, passes, inside);
  });
}

// Writes the description of a plugin to `place`. The layout depends on the LLVM version.
extern "C" void bpa_write_plugin_info(void *place, const char *name, const char *version, const void *callbacks) {
  static_assert(sizeof(PassPluginLibraryInfo) == BPA_PLUGIN_INFO_WORDS * sizeof(void *), "own_host.rs reserves space");
  rust = static_cast<const Callbacks *>(callbacks);
  PassPluginLibraryInfo info = {};
  info.APIVersion = LLVM_PLUGIN_API_VERSION;
  info.PluginName = name;
  info.PluginVersion = version;
  info.RegisterPassBuilderCallbacks = [](PassBuilder &builder) { rust->registerPlugin(&builder); };
  new (place) PassPluginLibraryInfo(info);
}
