// Instructions that only say something of others.

#pragma once

#include "llvm/IR/Instruction.h"
#include "llvm/IR/IntrinsicInst.h"

// Whether no machine will ever see anything of an instruction: it tells debuggers, profilers or the compiler alone.
//
// LLVM: `Instruction::isDebugOrPseudoInst`, which is gone from 24 on.
inline bool is_marker(const llvm::Instruction &instruction) {
  return llvm::isa<llvm::DbgInfoIntrinsic, llvm::PseudoProbeInst>(instruction) || instruction.isLifetimeStartOrEnd();
}
