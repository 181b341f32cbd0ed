// What a branch or a `select` tests, as plain data.

#pragma once

#include "layout.h"

namespace llvm {
class Function;
class Value;
} // namespace llvm

// The same as `ConditionRow` in `compare.rs`, where the numbers are explained.
struct ConditionRow {
  // Whose result is compared, if it is that of a direct call.
  llvm::Function *callee;
  uint8_t kind, predicate, operand, constant;
  // Whether an instruction's result is compared with a constant.
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
