// Instructions that only annotate others.

#pragma once

#include "llvm/IR/Instruction.h"
#include "llvm/IR/IntrinsicInst.h"

// Whether an instruction only informs debuggers, profilers or the compiler, and generates no code.
//
// LLVM: `Instruction::isDebugOrPseudoInst`, which is gone from 24 on.
inline bool is_marker(const llvm::Instruction &instruction) {
  return llvm::isa<llvm::DbgInfoIntrinsic, llvm::PseudoProbeInst>(instruction) || instruction.isLifetimeStartOrEnd();
}
