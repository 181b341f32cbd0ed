//! Values, blocks and types of live IR.
//!
//! Each type in this module contains a pointer from LLVM's C API. All `unsafe` constructors have the same contract: the
//! object is valid for the lifetime `'ir`, and the surrounding IR is well-formed. Therefore all objects that can be
//! reached from this object are also valid. If a method has more requirements (for example a certain kind of
//! instruction), the method checks them, or the type of the object guarantees them.
//!
//! A pass can leave blocks without a terminator, instructions without a block, and unreachable code. Even in such IR,
//! each value has a correct type and the right number of operands.

use std::iter::successors;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;
use std::slice;

use super::inkwell::{self, values::AsValueRef};
use super::llvm::core::*;
use super::llvm::prelude::*;
use super::llvm::{LLVMBasicBlock, LLVMIntPredicate, LLVMOpcode, LLVMType, LLVMTypeKind, LLVMValue};

unsafe extern "C" {
    safe fn bpa_opcode(value: Value) -> u32;
    safe fn bpa_predicate(value: Value) -> u32;
    safe fn bpa_type_kind(kind: Type) -> u32;
    safe fn bpa_has_local_name(function: FunctionRef) -> bool;
}

/// Implements `Deref` for types that contain a more general type. For example, a `Phi` dereferences to its
/// `Instruction`.
macro_rules! derefs {
    ($($name:ident.$field:tt -> $target:ident),+ $(,)?) => {
        $(impl<'ir> Deref for $name<'ir> {
            type Target = $target<'ir>;

            fn deref(&self) -> &$target<'ir> {
                &self.$field
            }
        })+
    };
}

derefs! {
    Instruction.0 -> Value,
    TerminatorInstruction.0 -> Instruction,
    Phi.0 -> Instruction,
    BinaryOperator.0 -> Instruction,
    Comparison.instruction -> Instruction,
    Integer.0 -> Value,
    FunctionRef.0 -> Value,
}

/// Methods for the operands of instructions with exactly two operands.
macro_rules! two_operands {
    ($($name:ident),+) => {
        $(impl<'ir> $name<'ir> {
            pub fn left(self) -> Value<'ir> {
                // SAFETY: the instruction has two operands.
                unsafe { self.operand_unchecked(0) }
            }

            pub fn right(self) -> Value<'ir> {
                // SAFETY: the instruction has two operands.
                unsafe { self.operand_unchecked(1) }
            }
        })+
    };
}

two_operands!(BinaryOperator, Comparison);

/// A value: an instruction, an argument, a constant, a function, or metadata as an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub(crate) struct Value<'ir>(NonNull<LLVMValue>, PhantomData<&'ir ()>);

/// Methods that check the kind of a value.
macro_rules! kinds {
    ($($name:ident $cast:ident),+) => {
        $(pub fn $name(self) -> bool {
            // SAFETY: the value is valid, and the cast accepts every value.
            unsafe { !$cast(self.raw()).is_null() }
        })+
    };
}

impl<'ir> Value<'ir> {
    /// Wraps LLVM's reference to a value. Returns `None` if the reference is null.
    ///
    /// # Safety
    ///
    /// The caller must fulfil the contract of the [module](self).
    pub unsafe fn new(raw: LLVMValueRef) -> Option<Self> {
        Some(Value(NonNull::new(raw)?, PhantomData))
    }

    pub fn raw(self) -> LLVMValueRef {
        self.0.as_ptr()
    }

    kinds! {
        is_binary_operator LLVMIsABinaryOperator,
        is_call LLVMIsACallInst,
        is_constant LLVMIsAConstant,
        is_constant_expression LLVMIsAConstantExpr,
        is_debug_information LLVMIsADbgInfoIntrinsic,
        is_float_constant LLVMIsAConstantFP,
        is_function LLVMIsAFunction,
        is_global LLVMIsAGlobalValue,
        is_inline_assembly LLVMIsAInlineAsm,
        is_instruction LLVMIsAInstruction,
        is_invoke LLVMIsAInvokeInst,
        is_load LLVMIsALoadInst,
        is_integer LLVMIsAConstantInt,
        is_null_pointer LLVMIsAConstantPointerNull,
        is_phi LLVMIsAPHINode,
        is_select LLVMIsASelectInst,
        is_store LLVMIsAStoreInst,
        is_switch LLVMIsASwitchInst,
        is_undef LLVMIsAUndefValue,
        is_user LLVMIsAUser
    }

    pub fn instruction(self) -> Option<Instruction<'ir>> {
        self.is_instruction().then_some(Instruction(self))
    }

    pub fn phi(self) -> Option<Phi<'ir>> {
        self.is_phi().then_some(Phi(Instruction(self)))
    }

    pub fn binary_operator(self) -> Option<BinaryOperator<'ir>> {
        self.is_binary_operator().then_some(BinaryOperator(Instruction(self)))
    }

    pub fn comparison(self) -> Option<Comparison<'ir>> {
        let predicate = bpa_predicate(self);
        (predicate <= LAST_PREDICATE).then_some(Comparison { instruction: Instruction(self), predicate })
    }

    pub fn integer(self) -> Option<Integer<'ir>> {
        self.is_integer().then_some(Integer(self))
    }

    pub fn function(self) -> Option<FunctionRef<'ir>> {
        self.is_function().then_some(FunctionRef(self))
    }

    /// The opcode of an instruction, or `None` for any other value.
    pub fn opcode(self) -> Option<Opcode> {
        let opcode = bpa_opcode(self);
        (opcode != 0).then_some(Opcode(opcode))
    }

    pub fn type_of(self) -> Type<'ir> {
        // SAFETY: every value has a type.
        unsafe { Type::new(LLVMTypeOf(self.raw())) }
    }

    /// The name of the value, or an empty name.
    pub fn name(self) -> &'ir [u8] {
        let mut length = 0;
        // SAFETY: LLVM returns the start and length of a name. The name is valid until the value is renamed, and this
        // crate renames no values.
        unsafe {
            let start = LLVMGetValueName2(self.raw(), &mut length);
            if start.is_null() || length == 0 {
                &[]
            } else {
                slice::from_raw_parts(start.cast(), length)
            }
        }
    }

    /// The number of operands, or 0 if values of this kind have no operands.
    pub fn operand_count(self) -> u32 {
        if !self.is_user() {
            return 0;
        }
        // SAFETY: the value is of a kind that has operands.
        unsafe { LLVMGetNumOperands(self.raw()) as u32 }
    }

    /// An operand.
    ///
    /// # Panics
    ///
    /// Panics if `place` is not less than the number of operands.
    pub fn operand(self, place: u32) -> Value<'ir> {
        assert!(place < self.operand_count(), "an operand of the value");
        // SAFETY: `place` is less than the number of operands.
        unsafe { self.operand_unchecked(place) }
    }

    pub fn operands(self) -> impl Iterator<Item = Value<'ir>> {
        // SAFETY: each `place` is less than the number of operands.
        (0..self.operand_count()).map(move |place| unsafe { self.operand_unchecked(place) })
    }

    /// # Safety
    ///
    /// `place` must be less than the number of operands.
    unsafe fn operand_unchecked(self, place: u32) -> Value<'ir> {
        // SAFETY: the caller guarantees that `place` is less than the number of operands.
        unsafe { Value::new(LLVMGetOperand(self.raw(), place)) }.expect("operands are set")
    }

    /// The users of a value that is not a constant. If several operands of a user are this value, the iterator yields
    /// the user several times.
    pub fn users(self) -> impl Iterator<Item = Value<'ir>> {
        // SAFETY: the uses and users of a valid value are valid.
        unsafe {
            let some = |one: LLVMUseRef| (!one.is_null()).then_some(one);
            let uses = successors(some(LLVMGetFirstUse(self.raw())), move |&one| some(LLVMGetNextUse(one)));
            uses.filter_map(|one| Value::new(LLVMGetUser(one)))
        }
    }

    /// The text of a metadata string that is used as an operand, or `None` for any other value.
    pub fn metadata_text(self) -> Option<&'ir [u8]> {
        let mut length = 0;
        // SAFETY: LLVM accepts every value, and returns null or the start and length of a text. The text lives as long
        // as the context.
        unsafe {
            let start = LLVMGetMDString(self.raw(), &mut length);
            (!start.is_null()).then(|| slice::from_raw_parts(start.cast(), length as usize))
        }
    }
}

/// The opcode of an instruction, in the numbering of LLVM's C API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Opcode(u32);

macro_rules! opcodes {
    ($($name:ident $opcode:ident),+) => {
        impl Opcode {
            $(pub const $name: Self = Opcode(LLVMOpcode::$opcode as u32);)+
        }
    };
}

opcodes! {
    ADD LLVMAdd, CALL LLVMCall, CALL_BRANCH LLVMCallBr, CATCH_PAD LLVMCatchPad, CATCH_SWITCH LLVMCatchSwitch,
    CLEANUP_PAD LLVMCleanupPad, EXTRACT_VALUE LLVMExtractValue, INVOKE LLVMInvoke, LANDING_PAD LLVMLandingPad,
    PHI LLVMPHI, SUB LLVMSub, XOR LLVMXor
}

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub(crate) struct Instruction<'ir>(Value<'ir>);

impl<'ir> Instruction<'ir> {
    /// Converts inkwell's `InstructionValue`.
    pub fn of(instruction: inkwell::values::InstructionValue<'ir>) -> Self {
        // SAFETY: an `InstructionValue` of inkwell always refers to a valid instruction, and is never null.
        unsafe { Instruction::new(instruction.as_value_ref()) }.expect("an instruction")
    }

    /// Wraps LLVM's reference to an instruction. Returns `None` if the reference is null.
    ///
    /// # Safety
    ///
    /// The caller must fulfil the contract of the [module](self), and the value must be an instruction.
    unsafe fn new(raw: LLVMValueRef) -> Option<Self> {
        // SAFETY: the caller guarantees the contract.
        unsafe { Some(Instruction(Value::new(raw)?)) }
    }

    pub fn opcode(self) -> Opcode {
        Opcode(bpa_opcode(*self))
    }

    /// The block of the instruction, or `None` if a pass has removed the instruction from its block.
    pub fn parent(self) -> Option<BasicBlock<'ir>> {
        // SAFETY: `self` is an instruction, and its block is valid.
        unsafe { BasicBlock::new(LLVMGetInstructionParent(self.raw())) }
    }

    /// Whether this instruction is the terminator of its block.
    pub fn is_terminator(self) -> bool {
        self.parent().and_then(BasicBlock::terminator).is_some_and(|terminator| *terminator == self)
    }

    /// The previous instruction of the same block.
    pub fn previous(self) -> Option<Instruction<'ir>> {
        self.parent()?;
        // SAFETY: `self` is an instruction in a block.
        unsafe { Instruction::new(LLVMGetPreviousInstruction(self.raw())) }
    }

    /// The next instruction of the same block.
    fn next(self) -> Option<Instruction<'ir>> {
        self.parent()?;
        // SAFETY: `self` is an instruction in a block.
        unsafe { Instruction::new(LLVMGetNextInstruction(self.raw())) }
    }

    /// Whether this instruction is a `call`, `invoke` or `callbr`.
    pub fn calls(self) -> bool {
        matches!(self.opcode(), Opcode::CALL | Opcode::INVOKE | Opcode::CALL_BRANCH)
    }

    /// The callee of a `call`, `invoke` or `callbr`. The result is `None` for other instructions.
    pub fn callee(self) -> Option<Value<'ir>> {
        // SAFETY: these three kinds of instructions have a callee.
        self.calls().then(|| unsafe { Value::new(LLVMGetCalledValue(self.raw())) }).flatten()
    }

    /// The callee of a direct call. Returns `None` for an indirect call. Also returns `None` if the
    /// function type of the call differs from the type of the function.
    ///
    /// LLVM: `CallBase::getCalledFunction`.
    pub fn called_function(self) -> Option<FunctionRef<'ir>> {
        let function = self.callee()?.function()?;
        // SAFETY: the instruction has a callee, so LLVM returns the type of the called function.
        let called = unsafe { Type::new(LLVMGetCalledFunctionType(self.raw())) };
        (function.signature() == called).then_some(function)
    }

    /// The instruction's metadata node of a given kind.
    pub fn metadata(self, kind: u32) -> Option<Value<'ir>> {
        // SAFETY: `self` is an instruction, and LLVM accepts every metadata kind ID.
        unsafe { Value::new(LLVMGetMetadata(self.raw(), kind)) }
    }

    /// Removes the instruction's metadata node of a given kind.
    pub fn remove_metadata(self, kind: u32) {
        // SAFETY: `self` is an instruction, and LLVM accepts a null node.
        unsafe { LLVMSetMetadata(self.raw(), kind, std::ptr::null_mut()) }
    }
}

/// The terminator of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub(crate) struct TerminatorInstruction<'ir>(Instruction<'ir>);

impl<'ir> TerminatorInstruction<'ir> {
    pub fn successor_count(self) -> usize {
        // SAFETY: `self` is a terminator.
        unsafe { LLVMGetNumSuccessors(self.raw()) as usize }
    }

    /// A successor.
    ///
    /// # Panics
    ///
    /// Panics if there is no successor with index `place`.
    pub fn successor(self, place: usize) -> BasicBlock<'ir> {
        assert!(place < self.successor_count(), "a successor of the block");
        // SAFETY: the index `place` is less than the number of successors.
        unsafe { BasicBlock::new(LLVMGetSuccessor(self.raw(), place as u32)) }.expect("successors are set")
    }

    /// The condition of a conditional branch. The result is `None` for other terminators.
    pub fn condition(self) -> Option<Value<'ir>> {
        // SAFETY: a conditional branch has a condition.
        is_conditional_branch(*self.0).then(|| unsafe { Value::new(LLVMGetCondition(self.raw())) }).flatten()
    }
}

#[cfg(two_kinds_of_branch)]
fn is_conditional_branch(value: Value) -> bool {
    // SAFETY: the cast accepts every value.
    unsafe { !LLVMIsACondBrInst(value.raw()).is_null() }
}

#[cfg(not(two_kinds_of_branch))]
fn is_conditional_branch(value: Value) -> bool {
    // SAFETY: the cast accepts every value, and `LLVMIsConditional` accepts every branch.
    unsafe { !LLVMIsABranchInst(value.raw()).is_null() && LLVMIsConditional(value.raw()) != 0 }
}

/// A phi.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub(crate) struct Phi<'ir>(Instruction<'ir>);

impl<'ir> Phi<'ir> {
    pub fn incoming_count(self) -> usize {
        // SAFETY: `self` is a phi.
        unsafe { LLVMCountIncoming(self.raw()) as usize }
    }

    /// The incoming values with their blocks.
    pub fn incoming(self) -> impl Iterator<Item = (BasicBlock<'ir>, Value<'ir>)> {
        (0..self.incoming_count() as u32).filter_map(move |place| {
            // SAFETY: `self` is a phi, and the index `place` is less than the number of incoming values.
            unsafe {
                let block = BasicBlock::new(LLVMGetIncomingBlock(self.raw(), place))?;
                Some((block, Value::new(LLVMGetIncomingValue(self.raw(), place))?))
            }
        })
    }
}

/// An operation with two operands. The operands and the result have the same type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BinaryOperator<'ir>(Instruction<'ir>);

/// A comparison of two operands of the same type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparison<'ir> {
    instruction: Instruction<'ir>,
    /// The predicate, in LLVM's numbering. Floating-point predicates come before integer predicates.
    predicate: u32,
}

const EQUAL: u32 = LLVMIntPredicate::LLVMIntEQ as u32;
const LAST_PREDICATE: u32 = LLVMIntPredicate::LLVMIntSLE as u32;

impl Comparison<'_> {
    /// Whether the operands are integers or pointers, not floating-point numbers.
    pub fn is_of_integers(self) -> bool {
        self.predicate >= EQUAL
    }
}

/// A constant integer. For each value of an integer type, LLVM creates only one constant. Two constant integers
/// of the same type are therefore compared by address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Integer<'ir>(Value<'ir>);

impl Integer<'_> {
    /// The width in bits.
    pub fn bits(self) -> u32 {
        self.type_of().integer_bits().unwrap_or(0)
    }

    /// The value as an unsigned number. If the value has more than 64 bits, the result is the low 64 bits.
    pub fn unsigned(self) -> u64 {
        // SAFETY: `self` is a constant integer.
        unsafe { LLVMConstIntGetZExtValue(self.raw()) }
    }
}

/// A function, defined or only declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct FunctionRef<'ir>(Value<'ir>);

impl<'ir> FunctionRef<'ir> {
    /// Converts inkwell's `FunctionValue`.
    pub fn of(function: inkwell::values::FunctionValue<'ir>) -> Self {
        // SAFETY: a `FunctionValue` of inkwell always refers to a valid function.
        unsafe { FunctionRef::new(function.as_value_ref()) }
    }

    /// Wraps LLVM's reference to a function.
    ///
    /// # Safety
    ///
    /// The caller must fulfil the contract of the [module](self), and the value must be a function.
    pub unsafe fn new(raw: LLVMValueRef) -> Self {
        // SAFETY: the caller guarantees the contract.
        FunctionRef(unsafe { Value::new(raw) }.expect("a function"))
    }

    /// The function's name for messages.
    pub fn display_name(self) -> String {
        String::from_utf8_lossy(self.name()).into_owned()
    }

    /// The type of the function, not of a pointer to the function.
    pub fn signature(self) -> Type<'ir> {
        // SAFETY: `self` is a function.
        unsafe { Type::new(LLVMGlobalGetValueType(self.raw())) }
    }

    pub fn has_local_name(self) -> bool {
        bpa_has_local_name(self)
    }

    pub fn is_declaration(self) -> bool {
        // SAFETY: `self` is a function.
        unsafe { LLVMIsDeclaration(self.raw()) != 0 }
    }

    pub fn arguments(self) -> impl Iterator<Item = Value<'ir>> {
        // SAFETY: `self` is a function, and `argument` is one of its arguments.
        unsafe {
            successors(Value::new(LLVMGetFirstParam(self.raw())), |argument| {
                Value::new(LLVMGetNextParam(argument.raw()))
            })
        }
    }

    pub fn argument_count(self) -> u32 {
        // SAFETY: `self` is a function.
        unsafe { LLVMCountParams(self.raw()) }
    }

    /// The module of the function, or null if the function does not belong to a module.
    pub fn module(self) -> LLVMModuleRef {
        // SAFETY: `self` is a function.
        unsafe { LLVMGetGlobalParent(self.raw()) }
    }
}

/// A basic block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub(crate) struct BasicBlock<'ir>(NonNull<LLVMBasicBlock>, PhantomData<&'ir ()>);

impl<'ir> BasicBlock<'ir> {
    /// Converts inkwell's `BasicBlock`.
    pub fn of(block: &inkwell::basic_block::BasicBlock<'ir>) -> Self {
        // SAFETY: a `BasicBlock` of inkwell always refers to a valid block, and is never null.
        unsafe { BasicBlock::new(block.as_mut_ptr()) }.expect("a block")
    }

    /// Wraps LLVM's reference to a block. Returns `None` if the reference is null.
    ///
    /// # Safety
    ///
    /// The caller must fulfil the contract of the [module](self).
    pub unsafe fn new(raw: LLVMBasicBlockRef) -> Option<Self> {
        Some(BasicBlock(NonNull::new(raw)?, PhantomData))
    }

    pub fn raw(self) -> LLVMBasicBlockRef {
        self.0.as_ptr()
    }

    /// Converts the block to a [`Value`]. In LLVM, the successors of a terminator are operands of the terminator.
    pub fn value(self) -> Value<'ir> {
        // SAFETY: a block is a value.
        unsafe { Value::new(LLVMBasicBlockAsValue(self.raw())) }.expect("a block is a value")
    }

    /// The terminator, or `None` if a pass has not added it yet.
    pub fn terminator(self) -> Option<TerminatorInstruction<'ir>> {
        // SAFETY: the block is valid.
        unsafe { Instruction::new(LLVMGetBasicBlockTerminator(self.raw())).map(TerminatorInstruction) }
    }

    /// The instructions of the block, in order. The caller may delete the instruction that the iterator returned
    /// last, but no other instruction.
    pub fn instructions(self) -> impl Iterator<Item = Instruction<'ir>> {
        // SAFETY: the block is valid.
        let first = unsafe { Instruction::new(LLVMGetFirstInstruction(self.raw())) };
        successors(first, |instruction| instruction.next())
    }

    /// The instructions of the block, in reverse order. The caller may delete the instruction that the iterator
    /// returned last, but no other instruction.
    pub fn instructions_from_last(self) -> impl Iterator<Item = Instruction<'ir>> {
        // SAFETY: the block is valid.
        let last = unsafe { Instruction::new(LLVMGetLastInstruction(self.raw())) };
        successors(last, |instruction| instruction.previous())
    }
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Type<'ir>(NonNull<LLVMType>, PhantomData<&'ir ()>);

impl<'ir> Type<'ir> {
    /// # Safety
    ///
    /// The type must be valid, and not null. Types live as long as their context.
    unsafe fn new(raw: LLVMTypeRef) -> Self {
        Type(NonNull::new(raw).expect("a type"), PhantomData)
    }

    pub fn raw(self) -> LLVMTypeRef {
        self.0.as_ptr()
    }

    fn is(self, kind: LLVMTypeKind) -> bool {
        bpa_type_kind(self) == kind as u32
    }

    pub fn is_void(self) -> bool {
        self.is(LLVMTypeKind::LLVMVoidTypeKind)
    }

    pub fn is_pointer(self) -> bool {
        self.is(LLVMTypeKind::LLVMPointerTypeKind)
    }

    pub fn is_function(self) -> bool {
        self.is(LLVMTypeKind::LLVMFunctionTypeKind)
    }

    /// The width of an integer type. The result is `None` for other types.
    pub fn integer_bits(self) -> Option<u32> {
        // SAFETY: `self` is an integer type.
        self.is(LLVMTypeKind::LLVMIntegerTypeKind).then(|| unsafe { LLVMGetIntTypeWidth(self.raw()) })
    }

    /// The result type of a function type. The result is `None` for other types.
    pub fn result(self) -> Option<Type<'ir>> {
        // SAFETY: `self` is the type of a function.
        self.is_function().then(|| unsafe { Type::new(LLVMGetReturnType(self.raw())) })
    }

    /// The types of the parameters. The result is `None` for a variadic function type, and for a type that is not a
    /// function type.
    pub fn parameters(self) -> Option<Vec<Type<'ir>>> {
        // SAFETY: `self` is the type of a function, and the vector has one element for each parameter.
        unsafe {
            if !self.is_function() || LLVMIsFunctionVarArg(self.raw()) != 0 {
                return None;
            }
            let mut parameters = vec![std::ptr::null_mut(); LLVMCountParamTypes(self.raw()) as usize];
            LLVMGetParamTypes(self.raw(), parameters.as_mut_ptr());
            Some(parameters.into_iter().map(|parameter| Type::new(parameter)).collect())
        }
    }

    /// The context.
    pub fn context(self) -> LLVMContextRef {
        // SAFETY: every type has a context.
        unsafe { LLVMGetTypeContext(self.raw()) }
    }
}
