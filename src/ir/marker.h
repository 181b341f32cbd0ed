// Instructions that only give information and generate no code.

#pragma once

#include "llvm/IR/Instruction.h"
#include "llvm/IR/IntrinsicInst.h"

// Whether an instruction only informs debuggers, profilers or the compiler, and generates no code.
//
// LLVM: `Instruction::isDebugOrPseudoInst`, which LLVM 24 removed.
inline bool is_marker(const llvm::Instruction &instruction) {
  return llvm::isa<llvm::DbgInfoIntrinsic, llvm::PseudoProbeInst>(instruction) || instruction.isLifetimeStartOrEnd();
}
