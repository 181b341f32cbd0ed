// For predictors, reads the conditions of branches and the values that these conditions compare. Through the C API,
// Rust would need several calls for each value.

#include "layout.h"

#include "llvm-c/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

// This enum has the values of `Source` in the core crate. Rust replaces `CallHere` and `CallElsewhere` by
// `LibraryCall`, and `Merged` by `Carried`.
enum Source : uint8_t {
  NoValue, Constant_, Address, Parameter, Stack, Global, Field, Element, Pointed, LibraryCall, CallHere, CallElsewhere,
  IndirectCall, Intrinsic_, Carried, Merged, Sum, Product, Bits, Shift, Offset, Selected, Compared, Part, Other_
};

// This enum has the values of `TestKind` in the core crate.
enum Kind : uint8_t { Unknown, Integers, Pointers, Floats, And, Or, Xor, Bit, Case };

enum ConstantClass : uint8_t { NoConstant, Number, Zero, Large, OtherConstant };

// Whether the row describes a whole condition, the last operand `b` of a conjunction `a && b`, or the negation of `b`.
enum Last : uint8_t { Whole, Same, Negated };

// These structs have the layouts of the structs with the same names in `tested.rs`.
struct SourceRow {
  // For a direct call of a function that is not an intrinsic, this is the function. For a phi, this is the phi.
  // Otherwise, this is null.
  Value *value;
  Source source;
};

struct ValueRow {
  SourceRow source, base;
  // The value of the constant, if `constant` is `Number`.
  int64_t number;
  ConstantClass constant;
  // The width of `number`.
  uint32_t width;
};
BPA_LAYOUT(sizeof(SourceRow) == 16);
BPA_LAYOUT(offsetof(SourceRow, source) == 8);
BPA_LAYOUT(sizeof(ValueRow) == 48);
BPA_LAYOUT(offsetof(ValueRow, base) == 16);
BPA_LAYOUT(offsetof(ValueRow, number) == 32);
BPA_LAYOUT(offsetof(ValueRow, constant) == 40);
BPA_LAYOUT(offsetof(ValueRow, width) == 44);

struct TestRow {
  Value *condition, *tested;
  ValueRow left, right;
  Kind kind;
  // For integers, this is LLVM's predicate. For floating point numbers, this is the corresponding integer predicate,
  // `FCMP_ORD`, `FCMP_UNO` or 0.
  uint8_t predicate;
  // Whether the condition is the negation of the test, or of the conjunction.
  bool inverted;
  Last last;
  uint32_t bits, mask_bits;
};
BPA_LAYOUT(sizeof(TestRow) == 128);
BPA_LAYOUT(offsetof(TestRow, tested) == 8);
BPA_LAYOUT(offsetof(TestRow, left) == 16);
BPA_LAYOUT(offsetof(TestRow, right) == 64);
BPA_LAYOUT(offsetof(TestRow, kind) == 112);
BPA_LAYOUT(offsetof(TestRow, predicate) == 113);
BPA_LAYOUT(offsetof(TestRow, inverted) == 114);
BPA_LAYOUT(offsetof(TestRow, last) == 115);
BPA_LAYOUT(offsetof(TestRow, bits) == 116);
BPA_LAYOUT(offsetof(TestRow, mask_bits) == 120);

// The maximum number of nested casts that are skipped.
constexpr unsigned CASTS = 8;

Value *uncast(Value *value) {
  for (unsigned place = 0; place < CASTS; ++place) {
    auto *instruction = dyn_cast<Instruction>(value);
    switch (instruction ? instruction->getOpcode() : 0) {
    case Instruction::ZExt: case Instruction::SExt: case Instruction::Trunc: case Instruction::BitCast:
    case Instruction::Freeze: case Instruction::PtrToInt: case Instruction::IntToPtr:
    case Instruction::AddrSpaceCast: case Instruction::FPExt: case Instruction::FPTrunc:
      value = instruction->getOperand(0);
      break;
    default:
      return value;
    }
  }
  return value;
}

SourceRow call_source(const CallBase &call) {
  // LLVM: `CallBase::getCalledFunction`.
  auto *callee = dyn_cast<Function>(call.getCalledOperand());
  if (!callee || callee->getValueType() != call.getFunctionType())
    return {nullptr, IndirectCall};
  if (callee->getIntrinsicID() != 0)
    return {nullptr, Intrinsic_};
  return {callee, callee->isDeclaration() ? CallElsewhere : CallHere};
}

// The source of an instruction that is neither a call nor a phi. If the value is loaded, the address is ignored.
Source instruction_source(unsigned opcode) {
  switch (opcode) {
  case Instruction::Alloca: return Address;
  case Instruction::Load: return Pointed;
  case Instruction::Add: case Instruction::Sub:
  case Instruction::FAdd: case Instruction::FSub: case Instruction::FNeg: return Sum;
  case Instruction::Mul: case Instruction::UDiv: case Instruction::SDiv: case Instruction::URem: case Instruction::SRem:
  case Instruction::FMul: case Instruction::FDiv: case Instruction::FRem: return Product;
  case Instruction::And: case Instruction::Or: case Instruction::Xor: return Bits;
  case Instruction::Shl: case Instruction::LShr: case Instruction::AShr: return Shift;
  case Instruction::GetElementPtr: return Offset;
  case Instruction::Select: return Selected;
  case Instruction::ICmp: case Instruction::FCmp: return Compared;
  case Instruction::ExtractValue: case Instruction::ExtractElement: return Part;
  default: return Other_;
  }
}

// If `value` is the next value of a loop counter, returns the phi of the counter. Loop rotation replaces tests of the
// phi by tests of the next value.
PHINode *counter(const Instruction &value) {
  unsigned opcode = value.getOpcode();
  if (opcode != Instruction::Add && opcode != Instruction::GetElementPtr)
    return nullptr;
  auto *phi = dyn_cast<PHINode>(value.getOperand(0));
  return phi && is_contained(phi->incoming_values(), &value) ? phi : nullptr;
}

// Returns the kind of instruction or object from which a value comes. If the value is loaded, the address is ignored.
SourceRow unloaded_source(Value *value) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return {nullptr, isa<GlobalValue, ConstantExpr>(value) ? Address : isa<Constant>(value) ? Constant_ : Parameter};
  if (auto *call = dyn_cast<CallBase>(instruction))
    return call_source(*call);
  if (isa<PHINode>(instruction))
    return {value, Merged};
  if (auto *phi = counter(*instruction))
    return {phi, Merged};
  return {nullptr, instruction_source(instruction->getOpcode())};
}

// Sets `row.source`, the kind of instruction or object from which `value` comes. If `value` is the result of a load,
// also sets `row.base`, the source of the address.
void read_source(Value *value, ValueRow &row) {
  auto *load = dyn_cast<LoadInst>(value);
  if (!load) {
    row.source = unloaded_source(value);
    return;
  }
  Value *address = uncast(load->getPointerOperand());
  auto *offset = dyn_cast<GetElementPtrInst>(address);
  if (offset) {
    row.base = unloaded_source(uncast(offset->getPointerOperand()));
    bool is_field = all_of(offset->indices(), [](const Use &index) { return isa<Constant>(index.get()); });
    row.source = {nullptr, is_field ? Field : Element};
    return;
  }
  row.base = unloaded_source(address);
  row.source = {nullptr, isa<AllocaInst>(address) ? Stack : isa<Constant>(address) ? Global : Pointed};
}

void read_constant(const Value &value, ValueRow &row) {
  auto *constant = dyn_cast<Constant>(&value);
  if (!constant)
    return;
  auto *number = dyn_cast<ConstantInt>(constant);
  row.constant = constant->isNullValue() ? Zero : number ? Large : OtherConstant;
  if (number && number->getBitWidth() <= 64) {
    row.constant = Number;
    row.number = number->getSExtValue();
    row.width = number->getBitWidth();
  }
}

void read_one(Kind kind, Value *tested, TestRow &row) {
  Value *value = uncast(tested);
  row.kind = kind;
  row.tested = tested;
  if (auto *type = dyn_cast<IntegerType>(value->getType()))
    row.bits = type->getBitWidth();
  read_source(value, row.left);
}

CmpInst::Predicate predicate_of_floats(CmpInst::Predicate predicate) {
  switch (predicate) {
  case CmpInst::FCMP_OEQ: case CmpInst::FCMP_UEQ: return CmpInst::ICMP_EQ;
  case CmpInst::FCMP_ONE: case CmpInst::FCMP_UNE: return CmpInst::ICMP_NE;
  case CmpInst::FCMP_OGT: case CmpInst::FCMP_UGT: return CmpInst::ICMP_SGT;
  case CmpInst::FCMP_OGE: case CmpInst::FCMP_UGE: return CmpInst::ICMP_SGE;
  case CmpInst::FCMP_OLT: case CmpInst::FCMP_ULT: return CmpInst::ICMP_SLT;
  case CmpInst::FCMP_OLE: case CmpInst::FCMP_ULE: return CmpInst::ICMP_SLE;
  case CmpInst::FCMP_ORD: case CmpInst::FCMP_UNO: return predicate;
  default: return CmpInst::FCMP_FALSE;
  }
}

void read_comparison(const CmpInst &compare, TestRow &row) {
  Value *left = compare.getOperand(0), *right = compare.getOperand(1);
  bool is_integer = isa<ICmpInst>(compare);
  read_one(!is_integer ? Floats : left->getType()->isPointerTy() ? Pointers : Integers, left, row);
  row.predicate = is_integer ? compare.getPredicate() : predicate_of_floats(compare.getPredicate());
  read_source(uncast(right), row.right);
  read_constant(*right, row.right);
  auto *masked = dyn_cast<Instruction>(left);
  if (!masked || masked->getOpcode() != Instruction::And)
    return;
  auto *mask = dyn_cast<ConstantInt>(masked->getOperand(1));
  if (mask && mask->getBitWidth() <= 64)
    row.mask_bits = __builtin_popcountll(mask->getZExtValue());
}

// A condition without its negations and `freeze` instructions.
struct Plain {
  Value *value;
  bool negated;
};

Plain plain(Value *value) {
  bool negated = false;
  for (unsigned place = 0; place < CASTS; ++place) {
    auto *instruction = dyn_cast<Instruction>(value);
    unsigned opcode = instruction ? instruction->getOpcode() : 0;
    auto *mask = opcode == Instruction::Xor ? dyn_cast<Constant>(instruction->getOperand(1)) : nullptr;
    if (opcode != Instruction::Freeze && !(mask && mask->isAllOnesValue()))
      break;
    negated ^= mask != nullptr;
    value = instruction->getOperand(0);
  }
  return {value, negated};
}

// The kind of a condition that is not a comparison. `last` is the last operand of `a && b`, `a || b`, and forms with a
// negated `a`.
struct Joined {
  Kind kind;
  Value *last;
};

Joined joined(const Value &condition) {
  auto *instruction = dyn_cast<Instruction>(&condition);
  switch (instruction ? instruction->getOpcode() : 0) {
  case Instruction::And: return {And, instruction->getOperand(1)};
  case Instruction::Or: return {Or, instruction->getOperand(1)};
  case Instruction::Xor: return {Xor, nullptr};
  // A `select` with a constant value is `a && b` or `a || b` with short-circuit evaluation.
  case Instruction::Select:
    for (unsigned constant : {2, 1})
      if (auto *value = dyn_cast<Constant>(instruction->getOperand(constant)))
        return {value->isNullValue() ? And : Or, instruction->getOperand(3 - constant)};
  }
  return {Bit, nullptr};
}

} // namespace

// Describes `condition` in `row`. The canonical form of `a || b` is the negation of a conjunction. The caller has set
// the row to 0.
extern "C" void bpa_read_test(LLVMValueRef condition, TestRow *row) {
  if (auto *compare = dyn_cast<CmpInst>(unwrap(condition))) {
    row->condition = compare;
    return read_comparison(*compare, *row);
  }
  Plain own = plain(unwrap(condition));
  row->inverted = own.negated;
  Joined parts = joined(*own.value);
  if (parts.last) {
    bool is_or = parts.kind == Or;
    row->inverted ^= is_or;
    bool negated = is_or;
    for (unsigned place = 0; place < CASTS && parts.last; ++place) {
      own = plain(parts.last);
      negated ^= own.negated;
      parts = joined(*own.value);
    }
    row->last = negated ? Negated : Same;
  }
  row->condition = own.value;
  if (auto *compare = dyn_cast<CmpInst>(own.value))
    read_comparison(*compare, *row);
  else
    read_one(parts.kind, own.value, *row);
}

// Describes the operand `value` of a switch in `row`. The caller has set the row to 0.
extern "C" void bpa_read_switched(LLVMValueRef value, TestRow *row) { read_one(Case, unwrap(value), *row); }
