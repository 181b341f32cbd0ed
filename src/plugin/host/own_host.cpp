// The seam to LLVM's pass manager where llvm-plugin ends, in C++ because the pass manager has no C API.
//
// Everything here is a thin wrapper: what passes do is decided in Rust, behind the functions declared below. Rust calls
// back only while the function that was handed out is alive.

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

#include <memory>
#include <new>
#include <string>
#include <utility>

using namespace llvm;

// ---- what Rust provides: see own_host.rs ---------------------------------------------------------------------------

extern "C" {
void bpa_register(PassBuilder *builder);

// Reads a pipeline element: a request that is owned by the caller, or null. Errors are reported once an `errors`.
void *bpa_parse(void *errors, const char *element, size_t length);
void *bpa_copy_request(const void *request);
void bpa_drop_request(void *request);
// Whether the request also covers functions that optimisations leave alone.
bool bpa_request_is_required(const void *request);
// Runs a request on a function with its profile; whether the function changed.
bool bpa_run(const void *request, LLVMValueRef function, const void *profile);

void *bpa_new_errors();
void bpa_drop_errors(void *errors);
void *bpa_new_profile();
void bpa_drop_profile(void *profile);
}

namespace {

// An object that Rust owns the inside of.
template <void (*Drop)(void *)> struct Dropper {
  void operator()(void *owned) const { Drop(owned); }
};
using RequestBox = std::unique_ptr<void, Dropper<bpa_drop_request>>;
using ProfileBox = std::unique_ptr<void, Dropper<bpa_drop_profile>>;

// ---- the cached profile --------------------------------------------------------------------------------------------

// Keeps a place for a function's profile, until the function changes.
struct ProfileAnalysis : AnalysisInfoMixin<ProfileAnalysis> {
  struct Result {
    ProfileBox profile;
  };
  static AnalysisKey Key;
  static StringRef name() { return "RustProfileAnalysis"; }
  Result run(Function &, FunctionAnalysisManager &) { return {ProfileBox(bpa_new_profile())}; }
};
AnalysisKey ProfileAnalysis::Key;

// ---- passes --------------------------------------------------------------------------------------------------------

// What holds for a function whose branch weights have changed: its graph is the same, and what LLVM derives from the
// weights is not, although LLVM keeps that for as long as the graph is.
PreservedAnalyses preservedAfterChange() {
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  preserved.abandon<BranchProbabilityAnalysis>();
  preserved.abandon<BlockFrequencyAnalysis>();
  return preserved;
}

bool runOnFunction(const void *request, Function &function, FunctionAnalysisManager &manager) {
  if (function.isDeclaration())
    return false;
  const auto &cached = manager.getResult<ProfileAnalysis>(function);
  return bpa_run(request, wrap(&function), cached.profile.get());
}

// A request as a pass. LLVM's own wrapper takes the name of a pass from its C++ type; here the name is what was typed,
// so that timings and logs tell our passes apart.
template <typename Unit, typename Manager> class NamedPass : public detail::PassConcept<Unit, Manager> {
public:
  NamedPass(RequestBox request, StringRef text) : request(std::move(request)), text(text.str()) {}

  StringRef name() const override { return text; }
  bool isRequired() const override { return bpa_request_is_required(request.get()); }
  void printPipeline(raw_ostream &out, function_ref<StringRef(StringRef)>) override { out << text; }
  PreservedAnalyses run(Unit &unit, Manager &manager) override;

private:
  RequestBox request;
  std::string text;
};
using FunctionRequest = NamedPass<Function, FunctionAnalysisManager>;
using ModuleRequest = NamedPass<Module, ModuleAnalysisManager>;

template <> PreservedAnalyses FunctionRequest::run(Function &function, FunctionAnalysisManager &manager) {
  return runOnFunction(request.get(), function, manager) ? preservedAfterChange() : PreservedAnalyses::all();
}

// Every defined function in turn. Analyses of changed functions are invalidated here, one function at a time, so that
// all others stay.
template <> PreservedAnalyses ModuleRequest::run(Module &module, ModuleAnalysisManager &manager) {
  auto &functions = manager.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  bool changed = false;
  for (Function &function : module) {
    if (!runOnFunction(request.get(), function, functions))
      continue;
    functions.invalidate(function, preservedAfterChange());
    changed = true;
  }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved = preservedAfterChange();
  preserved.preserve<FunctionAnalysisManagerModuleProxy>();
  preserved.preserveSet<AllAnalysesOn<Function>>();
  return preserved;
}

// Appends a pass under its own name: `addPass` would wrap it, and read the name off the wrapped type.
template <typename PassManager, typename Pass> void append(PassManager &passes, std::unique_ptr<Pass> pass) {
  struct Open : PassManager {
    static auto passes() { return &Open::Passes; }
  };
  (passes.*Open::passes()).push_back(std::move(pass));
}

void add(FunctionPassManager &passes, RequestBox request, StringRef text) {
  append(passes, std::make_unique<FunctionRequest>(std::move(request), text));
}

void add(ModulePassManager &passes, RequestBox request, StringRef text) {
  append(passes, std::make_unique<ModuleRequest>(std::move(request), text));
}

void add(CGSCCPassManager &passes, RequestBox request, StringRef text) {
  FunctionPassManager inside;
  add(inside, std::move(request), text);
  passes.addPass(createCGSCCToFunctionPassAdaptor(std::move(inside)));
}

// ---- extension points ----------------------------------------------------------------------------------------------

// Adds a request to whatever pass manager an extension point offers, each time it does.
class Extension {
public:
  Extension(RequestBox request, StringRef text) : request(std::move(request)), text(text.str()) {}

  // The level, and from LLVM 20 on the phase of link-time optimisation, do not matter.
  template <typename PassManager, typename... Rest> void operator()(PassManager &passes, Rest...) const {
    add(passes, RequestBox(bpa_copy_request(request.get())), text);
  }

private:
  std::shared_ptr<void> request;
  std::string text;
};

struct ExtensionPoint {
  const char *name;
  void (*extend)(PassBuilder &, Extension);
};

// A pass of ours works on functions, so that the two extension points for loop passes are not here.
const ExtensionPoint extensionPoints[] = {
    {"pipeline-start", [](PassBuilder &b, Extension e) { b.registerPipelineStartEPCallback(e); }},
    {"pipeline-early-simplification",
     [](PassBuilder &b, Extension e) { b.registerPipelineEarlySimplificationEPCallback(e); }},
    {"peephole", [](PassBuilder &b, Extension e) { b.registerPeepholeEPCallback(e); }},
    {"scalar-optimizer-late", [](PassBuilder &b, Extension e) { b.registerScalarOptimizerLateEPCallback(e); }},
    {"cgscc-optimizer-late", [](PassBuilder &b, Extension e) { b.registerCGSCCOptimizerLateEPCallback(e); }},
    {"vectorizer-start", [](PassBuilder &b, Extension e) { b.registerVectorizerStartEPCallback(e); }},
#if BPA_LLVM_MAJOR >= 21
    {"vectorizer-end", [](PassBuilder &b, Extension e) { b.registerVectorizerEndEPCallback(e); }},
#endif
    {"optimizer-early", [](PassBuilder &b, Extension e) { b.registerOptimizerEarlyEPCallback(e); }},
    {"optimizer-last", [](PassBuilder &b, Extension e) { b.registerOptimizerLastEPCallback(e); }},
    {"full-lto-early", [](PassBuilder &b, Extension e) { b.registerFullLinkTimeOptimizationEarlyEPCallback(e); }},
    {"full-lto-last", [](PassBuilder &b, Extension e) { b.registerFullLinkTimeOptimizationLastEPCallback(e); }},
};

} // namespace

// ---- what Rust calls -----------------------------------------------------------------------------------------------

// The name of an extension point, or null beyond the last.
extern "C" const char *bpa_extension_point(size_t place) {
  return place < std::size(extensionPoints) ? extensionPoints[place].name : nullptr;
}

// Takes `request`.
extern "C" void bpa_extend(PassBuilder *builder, size_t place, void *request, const char *text, size_t length) {
  extensionPoints[place].extend(*builder, Extension(RequestBox(request), StringRef(text, length)));
}

extern "C" void bpa_cache_profiles(PassBuilder *builder) {
  builder->registerAnalysisRegistrationCallback(
      [](FunctionAnalysisManager &manager) { manager.registerPass([] { return ProfileAnalysis(); }); });
}

extern "C" void bpa_answer(PassBuilder *builder) {
  std::shared_ptr<void> errors(bpa_new_errors(), bpa_drop_errors);
  auto answer = [errors](StringRef element, auto &passes, ArrayRef<PassBuilder::PipelineElement>) {
    RequestBox request(bpa_parse(errors.get(), element.data(), element.size()));
    if (!request)
      return false;
    add(passes, std::move(request), element);
    return true;
  };
  using Elements = ArrayRef<PassBuilder::PipelineElement>;
  builder->registerPipelineParsingCallback([answer](StringRef element, ModulePassManager &passes, Elements inside) {
    return answer(element, passes, inside);
  });
  builder->registerPipelineParsingCallback([answer](StringRef element, FunctionPassManager &passes, Elements inside) {
    return answer(element, passes, inside);
  });
}

// Builds in `place` the value by which the host gets to know a plugin: what is in it depends on the version.
extern "C" void bpa_write_plugin_info(void *place, const char *version) {
  static_assert(sizeof(PassPluginLibraryInfo) == BPA_PLUGIN_INFO_WORDS * sizeof(void *), "own_host.rs reserves room");
  PassPluginLibraryInfo info = {};
  info.APIVersion = LLVM_PLUGIN_API_VERSION;
  info.PluginName = "bpa";
  info.PluginVersion = version;
  info.RegisterPassBuilderCallbacks = [](PassBuilder &builder) { bpa_register(&builder); };
  new (place) PassPluginLibraryInfo(info);
}
