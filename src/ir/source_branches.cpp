// Reads a second module and a front-end profile, and changes branches.

#include "branches.h"
#include "llvm-c/Types.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/ProfileData/InstrProfReader.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace llvm;

namespace {

// A module in a context of its own.
struct OtherModule {
  LLVMContext context;
  std::unique_ptr<Module> module;
};

// A front-end profile. The pointer to the counters of a function is valid until the next lookup.
struct FrontEndProfile {
  std::unique_ptr<IndexedInstrProfReader> reader;
  std::vector<uint64_t> counters;
};

// Copies as much of `text` as fits into `out`, and returns the number of copied bytes.
size_t copy(StringRef text, char *out, size_t capacity) {
  const size_t length = std::min(text.size(), capacity);
  std::copy_n(text.begin(), length, out);
  return length;
}

// The attribute of functions that have executed a `throw`.
constexpr StringLiteral THROWS = "bpa-throws";

// The functions of a module whose exceptions reach their callers.
struct Throwing {
  SmallPtrSet<const Function *, 32> functions;
  // Whether functions of other modules throw exceptions.
  bool others;

  bool mayThrow(const CallBase &call) const {
    const Function *callee = call.getCalledFunction();
    if (call.doesNotThrow())
      return false;
    if (!callee)
      return others || !functions.empty();
    if (!callee->isDeclaration())
      return functions.count(callee);
    if (isThrow(*callee))
      return call.getFunction()->hasFnAttribute(THROWS);
    return others;
  }

  bool mayThrow(const Function &function) const {
    bool resumes = false, unwinds = false;
    for (const BasicBlock &block : function)
      for (const Instruction &instruction : block) {
        if (const auto *invoke = dyn_cast<InvokeInst>(&instruction))
          unwinds |= mayThrow(*invoke);
        else if (const auto *call = dyn_cast<CallBase>(&instruction)) {
          if (mayThrow(*call))
            return true;
        } else
          resumes |= instruction.mayThrow();
      }
    return resumes && unwinds;
  }

  static bool isThrow(const Function &function) {
    return function.getName() == "__cxa_throw" || function.getName() == "__cxa_rethrow";
  }
};

} // namespace

// Reads a module. If the file cannot be read, writes the reason to `problem` and returns null.
extern "C" OtherModule *bpa_read_module(const char *path, size_t length, char *problem, size_t capacity,
                                        size_t *written) {
  auto other = std::make_unique<OtherModule>();
  SMDiagnostic error;
  other->module = parseIRFile(StringRef(path, length), error, other->context);
  if (!other->module) {
    *written = copy(error.getMessage(), problem, capacity);
    return nullptr;
  }
  return other.release();
}

extern "C" void bpa_drop_module(OtherModule *other) { delete other; }

// The function of this name, or null if the module does not define it.
extern "C" LLVMValueRef bpa_function_of(const OtherModule *other, const char *name, size_t length) {
  Function *function = other->module->getFunction(StringRef(name, length));
  return function && !function->isDeclaration() ? wrap(function) : nullptr;
}

// Notes that the function has executed a `throw`.
extern "C" void bpa_note_throws(LLVMValueRef function) { unwrap<Function>(function)->addFnAttr(THROWS); }

// Adds the attribute `nounwind` to the functions that throw no exception to their callers. If `others` is true,
// functions of other modules throw exceptions. Returns whether calls can throw.
extern "C" bool bpa_mark_nounwind(OtherModule *other, bool others) {
  Throwing throwing{{}, others};
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    // No function calls `main`.
    for (const Function &function : *other->module)
      if (!function.isDeclaration() && !function.doesNotThrow() && function.getName() != "main" &&
          throwing.mayThrow(function))
        isChanged |= throwing.functions.insert(&function).second;
  }
  for (Function &function : *other->module)
    if (function.isDeclaration() ? !others && !Throwing::isThrow(function) : !throwing.functions.count(&function))
      function.setDoesNotThrow();
  return others || !throwing.functions.empty();
}

// Opens a profile. If the file cannot be read, writes the reason to `problem` and returns null.
extern "C" FrontEndProfile *bpa_open_profile(const char *path, size_t length, char *problem, size_t capacity,
                                             size_t *written) {
  auto buffer = MemoryBuffer::getFile(StringRef(path, length));
  if (!buffer) {
    *written = copy(buffer.getError().message(), problem, capacity);
    return nullptr;
  }
  auto reader = IndexedInstrProfReader::create(std::move(*buffer));
  if (!reader) {
    *written = copy(toString(reader.takeError()), problem, capacity);
    return nullptr;
  }
  return new FrontEndProfile{std::move(*reader), {}};
}

extern "C" void bpa_close_profile(FrontEndProfile *profile) { delete profile; }

// The counters of a function, or null if the profile has no function with this name and hash.
extern "C" const uint64_t *bpa_counters(FrontEndProfile *profile, const char *name, size_t length, uint64_t hash,
                                        size_t *count) {
  profile->counters.clear();
  if (Error error = profile->reader->getFunctionCounts(StringRef(name, length), hash, profile->counters)) {
    consumeError(std::move(error));
    return nullptr;
  }
  *count = profile->counters.size();
  return profile->counters.data();
}

// If `value` points to a global variable that contains a text, returns the text, otherwise null.
extern "C" const char *bpa_text_of_global(LLVMValueRef value, size_t *length) {
  const auto *global = dyn_cast<GlobalVariable>(unwrap(value)->stripPointerCasts());
  if (!global || !global->hasInitializer())
    return nullptr;
  const auto *data = dyn_cast<ConstantDataSequential>(global->getInitializer());
  if (!data || !data->isString())
    return nullptr;
  const StringRef text = data->getAsString();
  *length = text.size();
  return text.data();
}

// Whether `value` is an unconditional branch.
extern "C" bool bpa_is_jump(LLVMValueRef value) {
  const auto *jump = dyn_cast<Jump>(unwrap(value));
  return jump && jump->getNumSuccessors() == 1;
}

// Whether `value` is a call that may throw an exception.
extern "C" bool bpa_may_throw(LLVMValueRef value) {
  const auto *call = dyn_cast<CallBase>(unwrap(value));
  return call && !call->doesNotThrow();
}

extern "C" void bpa_set_successor(LLVMValueRef terminator, unsigned place, LLVMBasicBlockRef block) {
  unwrap<Instruction>(terminator)->setSuccessor(place, unwrap(block));
}

// Replaces the unconditional branch `jump` by a copy of the conditional branch `branch` that tests `condition`. The
// copy leads to `taken` if `condition` is true, and otherwise to `other`.
extern "C" void bpa_branch_instead(LLVMValueRef jump, LLVMValueRef branch, LLVMValueRef condition,
                                   LLVMBasicBlockRef taken, LLVMBasicBlockRef other) {
  auto *old = unwrap<Instruction>(jump);
  auto *copy = unwrap<Instruction>(branch)->clone();
  cast<Branch>(copy)->setCondition(unwrap(condition));
  copy->setSuccessor(0, unwrap(taken));
  copy->setSuccessor(1, unwrap(other));
#if BPA_LLVM_MAJOR >= 19
  copy->insertBefore(old->getIterator());
#else
  copy->insertBefore(old);
#endif
  old->eraseFromParent();
}

// Deletes a block that no other block uses.
extern "C" void bpa_delete_block(LLVMBasicBlockRef block) { unwrap(block)->eraseFromParent(); }
