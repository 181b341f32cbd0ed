// Numbers of LLVM's enums. Rust must not receive these enums from the C API: a value that llvm-sys does not know would be
// undefined behaviour in Rust, and a new LLVM version can have such values.

#include "llvm-c/Core.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

// The opcode in the numbering of the C API, or 0 for a value that is not an instruction.
extern "C" uint32_t bpa_opcode(LLVMValueRef value) {
  return isa<Instruction>(unwrap(value)) ? LLVMGetInstructionOpcode(value) : 0;
}

// The predicate of a comparison, or the greatest number for any other value.
extern "C" uint32_t bpa_predicate(LLVMValueRef value) {
  auto *comparison = dyn_cast<CmpInst>(unwrap(value));
  return comparison ? comparison->getPredicate() : ~0u;
}

// The kind of a type in the numbering of the C API.
extern "C" uint32_t bpa_type_kind(LLVMTypeRef type) { return LLVMGetTypeKind(type); }

// Whether the name of a function is local to its module.
extern "C" bool bpa_has_local_name(LLVMValueRef function) { return unwrap<Function>(function)->hasLocalLinkage(); }
