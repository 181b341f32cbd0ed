// The classes of jumps and conditional branches.

#pragma once

#include "llvm/IR/Instructions.h"

#ifdef BPA_TWO_KINDS_OF_BRANCH
using Jump = llvm::UncondBrInst;
using Branch = llvm::CondBrInst;
#else
using Jump = llvm::BranchInst;
using Branch = llvm::BranchInst;
#endif
