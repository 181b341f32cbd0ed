// The condition of a branch or a `select` as plain data.

#pragma once

#include "layout.h"

namespace llvm {
class Function;
class Value;
} // namespace llvm

// This struct has the layout of `ConditionRow` in `compare.rs`, which documents the numbers.
struct ConditionRow {
  // The called function if the condition compares the result of a direct call, otherwise null.
  llvm::Function *callee;
  uint8_t kind, predicate, operand, constant;
  // Whether the condition compares the result of an instruction with a constant.
  bool compares_with_constant;
};
BPA_LAYOUT(sizeof(ConditionRow) == 16);
BPA_LAYOUT(offsetof(ConditionRow, callee) == 0);
BPA_LAYOUT(offsetof(ConditionRow, kind) == 8);
BPA_LAYOUT(offsetof(ConditionRow, predicate) == 9);
BPA_LAYOUT(offsetof(ConditionRow, operand) == 10);
BPA_LAYOUT(offsetof(ConditionRow, constant) == 11);
BPA_LAYOUT(offsetof(ConditionRow, compares_with_constant) == 12);

ConditionRow read_condition(llvm::Value &condition);
