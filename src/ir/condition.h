// What a branch or a `select` tests, as plain data.

#pragma once

#include <cstdint>

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

ConditionRow read_condition(llvm::Value &condition);
