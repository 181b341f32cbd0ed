// Walks over a module and collects its call graph in plain arrays.

#include "layout.h"
#include "marker.h"

#include "llvm-c/Types.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/AbstractCallSite.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <string>
#include <vector>

using namespace llvm;

namespace {

constexpr uint32_t None = ~0u;

// This struct has the layout of `FunctionRow` in `call_graph.rs`.
struct FunctionRow {
  Function *function;
  // The bits of `FunctionAttributes` in the core crate.
  uint32_t attributes;
  // The number that identifies the function's type.
  uint32_t type;
  uint32_t parameters, linkage;
  // The number that `ModuleFunction::alternatives` describes.
  uint32_t alternatives;
};
BPA_LAYOUT(sizeof(FunctionRow) == 32);
BPA_LAYOUT(offsetof(FunctionRow, function) == 0);
BPA_LAYOUT(offsetof(FunctionRow, attributes) == 8);
BPA_LAYOUT(offsetof(FunctionRow, type) == 12);
BPA_LAYOUT(offsetof(FunctionRow, parameters) == 16);
BPA_LAYOUT(offsetof(FunctionRow, linkage) == 20);
BPA_LAYOUT(offsetof(FunctionRow, alternatives) == 24);

constexpr uint32_t Visible = 1, RunsOnce = 2, Cold = 4, Hot = 8, NeverReturns = 16;

// The linkages of functions and symbols.
enum Linkage : uint32_t { Local, Available, Weak, Strong };

// This struct has the layout of `CallRow` in `call_graph.rs`.
struct CallRow {
  uint32_t caller, block, kind;
  // The row number of the function that is called, or that is passed as an argument. For a call through a pointer, the
  // number that identifies the function type.
  uint32_t target;
  // For a call through a pointer, the number of arguments. If a function is passed as an argument, the index of this
  // argument.
  uint32_t detail;
  // If a function is passed as an argument to a function without a body: the row number of the function without a body.
  // Otherwise `None`.
  uint32_t receiver;
};
BPA_LAYOUT(sizeof(CallRow) == 24);
BPA_LAYOUT(offsetof(CallRow, caller) == 0);
BPA_LAYOUT(offsetof(CallRow, block) == 4);
BPA_LAYOUT(offsetof(CallRow, kind) == 8);
BPA_LAYOUT(offsetof(CallRow, target) == 12);
BPA_LAYOUT(offsetof(CallRow, detail) == 16);
BPA_LAYOUT(offsetof(CallRow, receiver) == 20);

enum Kind : uint32_t { Direct, Invoked, Pointer, HandedOver };

// This struct has the layout of `SymbolRow` in `call_graph.rs`.
struct SymbolRow {
  GlobalValue *symbol;
  // A value of `Linkage`, or `None` if the module uses the symbol and does not define it.
  uint32_t linkage;
  // The row number of the function to which an alias refers, otherwise `None`.
  uint32_t target;
};
BPA_LAYOUT(sizeof(SymbolRow) == 16);
BPA_LAYOUT(offsetof(SymbolRow, symbol) == 0);
BPA_LAYOUT(offsetof(SymbolRow, linkage) == 8);
BPA_LAYOUT(offsetof(SymbolRow, target) == 12);

class Reader {
public:
  // Numbers the functions, and reads the facts about a function that do not depend on its uses.
  explicit Reader(Module &module) : module(module) {
    for (Function &function : module)
      if (!function.isIntrinsic()) {
        numbers[&function] = functions.size();
        functions.push_back({&function, attributes(function), type_number(function.getFunctionType()),
                             uint32_t(function.arg_size()), linkage(function), 0});
      }
  }

  // Reads the uses and the bodies of the functions.
  void read() {
    for (FunctionRow &row : functions) {
      SmallPtrSet<const Value *, 8> seen;
      if (takes_address(*row.function, seen))
        row.alternatives = alternatives(*row.function);
    }
    set_runs_once(module.getGlobalVariable("llvm.global_ctors"));
    set_runs_once(module.getGlobalVariable("llvm.global_dtors"));
    for (GlobalAlias &alias : module.aliases())
      if (Function *function = called(&alias); function && !alias.hasLocalLinkage())
        functions[numbers.lookup(function)].attributes |= Visible;
    for (uint32_t caller = 0; caller < functions.size(); ++caller)
      read_calls(caller);
  }

  // Reads the symbols that `functions` does not describe. A linker also resolves these symbols.
  void read_symbols() {
    for (Function &function : module.functions())
      if (!function.isIntrinsic() && function.isDeclarationForLinker())
        add_symbol(function);
    for (GlobalVariable &variable : module.globals())
      add_symbol(variable);
    for (GlobalIFunc &function : module.ifuncs())
      add_symbol(function);
    for (GlobalAlias &alias : module.aliases())
      add_symbol(alias);
    for (const auto &[type, number] : types) {
      type_names.resize(std::max(type_names.size(), size_t(number) + 1));
      raw_string_ostream(type_names[number]) << *type;
    }
  }

  std::vector<FunctionRow> functions;
  std::vector<SymbolRow> symbols;
  // The text of each function type, by number. Equal types of two modules have equal texts.
  std::vector<std::string> type_names;
  std::vector<CallRow> calls;
  // The number of instructions of each block, in the order of functions and their blocks.
  std::vector<uint32_t> sizes;

private:
  static uint32_t attributes(const Function &function) {
    const StringRef section = function.getSection();
    const bool cold = function.hasFnAttribute(Attribute::Cold) || section_is(section, ".text.unlikely");
    const bool hot = function.hasFnAttribute(Attribute::Hot) || section_is(section, ".text.hot");
    // The linker drops a function with linkonce or available_externally linkage if another definition replaces the
    // function, or if the function is unused. The visibility of the function therefore does not show whether other
    // modules call the function.
    const bool visible = !function.hasLocalLinkage() && !function.hasLinkOnceLinkage() &&
                         !function.hasAvailableExternallyLinkage();
    return (visible ? Visible : 0) | (section_is(section, ".text.startup") ? RunsOnce : 0) | (cold ? Cold : 0) |
           (hot ? Hot : 0) | (function.hasFnAttribute(Attribute::NoReturn) ? NeverReturns : 0);
  }

  static uint32_t linkage(const GlobalValue &symbol) {
    if (symbol.hasLocalLinkage())
      return Local;
    if (symbol.hasAvailableExternallyLinkage())
      return Available;
    return symbol.isWeakForLinker() ? Weak : Strong;
  }

  void add_symbol(GlobalValue &symbol) {
    if (symbol.hasLocalLinkage() || symbol.getName().empty() || symbol.getName().substr(0, 5) == "llvm.")
      return;
    if (symbol.isDeclarationForLinker()) {
      // No library is linked only because of a weak reference.
      if (!symbol.use_empty() && !symbol.hasExternalWeakLinkage())
        symbols.push_back({&symbol, None, None});
      return;
    }
    Function *target = isa<GlobalAlias>(symbol) ? called(&symbol) : nullptr;
    symbols.push_back({&symbol, linkage(symbol), target && numbers.count(target) ? numbers.lookup(target) : None});
  }

  // Whether the section is `name`, or begins with `name` and a dot.
  static bool section_is(StringRef section, StringRef name) {
    return section == name || (section.size() > name.size() && section.substr(0, name.size()) == name &&
                               section[name.size()] == '.');
  }

  // Whether a function can be called through a pointer. `value` is the function, or a constant that contains the
  // function. Some uses do not count: direct calls, comparisons, and arguments of functions that are only declared.
  bool takes_address(const Value &value, SmallPtrSetImpl<const Value *> &seen) {
    if (!seen.insert(&value).second)
      return false;
    for (const Use &use : value.uses()) {
      const User *user = use.getUser();
      if (isa<BlockAddress>(user) || isa<CmpInst>(user))
        continue;
      if (auto *call = dyn_cast<CallBase>(user)) {
        if (call->isCallee(&use) || isa<IntrinsicInst>(call) || receiver(*call))
          continue;
        return true;
      }
      if (auto *global = dyn_cast<GlobalVariable>(user)) {
        if (is_list(*global))
          continue;
        return true;
      }
      if (isa<GlobalAlias>(user) || isa<ConstantExpr>(user) || is_part_of_list(*user)) {
        if (takes_address(*user, seen))
          return true;
        continue;
      }
      // Only the unwinder calls a personality function.
      if (auto *owner = dyn_cast<Function>(user); owner && owner->hasPersonalityFn() &&
                                                   owner->getPersonalityFn()->stripPointerCasts() == &value)
        continue;
      return true;
    }
    return false;
  }

  // The smallest number of functions of the type of `function` in a table that contains `function`, or 1 if code also
  // uses the address.
  uint32_t alternatives(const Function &function) {
    uint32_t least = None;
    SmallPtrSet<const Value *, 8> seen;
    SmallVector<const Value *, 8> work{&function};
    while (!work.empty())
      for (const Use &use : work.pop_back_val()->uses()) {
        const User *user = use.getUser();
        if (auto *call = dyn_cast<CallBase>(user); call && call->isCallee(&use))
          continue;
        if (isa<Instruction>(user))
          return 1;
        auto *global = dyn_cast<GlobalVariable>(user);
        if (global && !is_list(*global))
          least = std::min(least, functions_of_type(*global).lookup(function.getFunctionType()));
        else if (!global && !isa<Function>(user) && seen.insert(user).second)
          work.push_back(user);
      }
    return least == None ? 1 : least;
  }

  // For each type, the number of functions in the initial value of `table`.
  const DenseMap<const FunctionType *, uint32_t> &functions_of_type(const GlobalVariable &table) {
    auto [found, is_new] = tables.try_emplace(&table);
    if (!is_new || !table.hasInitializer())
      return found->second;
    SmallPtrSet<const Value *, 8> seen;
    SmallVector<const Constant *, 8> work{table.getInitializer()};
    while (!work.empty()) {
      const Constant *part = work.pop_back_val();
      if (!seen.insert(part).second)
        continue;
      if (auto *function = dyn_cast<Function>(part))
        ++found->second[function->getFunctionType()];
      else if (!isa<GlobalVariable>(part) && !isa<BlockAddress>(part))
        for (const Use &operand : part->operands())
          if (auto *inner = dyn_cast<Constant>(operand))
            work.push_back(inner);
    }
    return found->second;
  }

  // Whether `user` is a constant that is used only in `llvm.used` or in similar lists.
  static bool is_part_of_list(const User &user) {
    if (!isa<ConstantAggregate>(user) || user.use_empty())
      return false;
    for (const User *owner : user.users()) {
      auto *global = dyn_cast<GlobalVariable>(owner);
      if (!(global && is_list(*global)) && !(isa<Constant>(owner) && !global && is_part_of_list(*owner)))
        return false;
    }
    return true;
  }

  static bool is_list(const GlobalVariable &global) {
    return global.getName() == "llvm.used" || global.getName() == "llvm.compiler.used" ||
           global.getName() == "llvm.global_ctors" || global.getName() == "llvm.global_dtors";
  }

  // The function that `call` calls directly, if this module only declares the function. Otherwise null.
  static Function *receiver(const CallBase &call) {
    Function *callee = called(call.getCalledOperand());
    return callee && callee->isDeclaration() && !callee->isIntrinsic() ? callee : nullptr;
  }

  // The function to which `value` refers, directly or through casts and aliases, or null.
  static Function *called(const Value *value) {
    if (isa<Argument, LoadInst, AllocaInst, PHINode, GlobalVariable>(value))
      return nullptr;
    return dyn_cast<Function>(const_cast<Value *>(value->stripPointerCastsAndAliases()));
  }

  uint32_t type_number(const FunctionType *type) {
    return types.try_emplace(type, uint32_t(types.size())).first->second;
  }

  void set_runs_once(const GlobalVariable *list) {
    auto *entries = list && list->hasInitializer() ? dyn_cast<ConstantArray>(list->getInitializer()) : nullptr;
    if (!entries)
      return;
    for (const Value *entry : entries->operand_values())
      if (auto *fields = dyn_cast<ConstantStruct>(entry); fields && fields->getNumOperands() > 1)
        if (Function *function = called(fields->getOperand(1)); function && numbers.count(function))
          functions[numbers.lookup(function)].attributes |= RunsOnce;
  }

  void read_calls(uint32_t caller) {
    uint32_t block = 0;
    for (BasicBlock &body : *functions[caller].function) {
      uint32_t size = 0;
      for (Instruction &instruction : body) {
        auto *call = dyn_cast<CallBase>(&instruction);
        if (call && is_marker(instruction))
          continue;
        ++size;
        if (call && !isa<IntrinsicInst>(call) && !call->isInlineAsm())
          read_call(*call, caller, block);
      }
      sizes.push_back(size);
      ++block;
    }
  }

  void read_call(CallBase &call, uint32_t caller, uint32_t block) {
    if (Function *callee = called(call.getCalledOperand())) {
      if (callee->isIntrinsic())
        return;
      const uint32_t kind = isa<InvokeInst>(call) ? Invoked : Direct;
      calls.push_back({caller, block, kind, numbers.lookup(callee), 0, None});
    } else {
      const uint32_t type = type_number(call.getFunctionType());
      calls.push_back({caller, block, Pointer, type, uint32_t(call.arg_size()), None});
    }
    read_arguments(call, caller, block);
  }

  // Records the functions that a call passes as arguments. An argument is recorded if the callee has no body in this
  // module, or if metadata states that the callee calls the argument.
  void read_arguments(CallBase &call, uint32_t caller, uint32_t block) {
    Function *to = receiver(call);
    for (Use &argument : call.args()) {
      Function *handed = argument->getType()->isPointerTy() ? called(argument.get()) : nullptr;
      if (!handed || handed->isIntrinsic())
        continue;
      const AbstractCallSite site(&argument);
      if (!to && !(site && site.isCallbackCall()))
        continue;
      const uint32_t number = to ? numbers.lookup(to) : None;
      calls.push_back({caller, block, HandedOver, numbers.lookup(handed), call.getArgOperandNo(&argument), number});
    }
  }

  Module &module;
  DenseMap<const Function *, uint32_t> numbers;
  DenseMap<const FunctionType *, uint32_t> types;
  // The results of `functions_of_type`.
  DenseMap<const GlobalVariable *, DenseMap<const FunctionType *, uint32_t>> tables;
};

} // namespace

extern "C" Reader *bpa_number_functions(LLVMModuleRef module) { return new Reader(*unwrap(module)); }

extern "C" void bpa_read_call_graph(Reader *reader) { reader->read(); }

extern "C" const FunctionRow *bpa_called_functions(const Reader *reader, size_t *count) {
  *count = reader->functions.size();
  return reader->functions.data();
}

extern "C" const CallRow *bpa_calls(const Reader *reader, size_t *count) {
  *count = reader->calls.size();
  return reader->calls.data();
}

extern "C" const uint32_t *bpa_block_sizes(const Reader *reader, size_t *count) {
  *count = reader->sizes.size();
  return reader->sizes.data();
}

extern "C" void bpa_read_symbols(Reader *reader) { reader->read_symbols(); }

extern "C" const SymbolRow *bpa_symbols(const Reader *reader, size_t *count) {
  *count = reader->symbols.size();
  return reader->symbols.data();
}

extern "C" size_t bpa_type_count(const Reader *reader) { return reader->type_names.size(); }

extern "C" const char *bpa_type_name(const Reader *reader, size_t number, size_t *length) {
  *length = reader->type_names[number].size();
  return reader->type_names[number].data();
}

extern "C" void bpa_drop_call_graph(Reader *reader) { delete reader; }
