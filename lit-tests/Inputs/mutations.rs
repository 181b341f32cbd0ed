//! A plugin for fuzzing in `opt`. The plugin changes functions at random, and prints the current stage of the pipeline.
//!
//! ```sh
//! opt -load-pass-plugin=libbpa.so -load-pass-plugin=libmutations.so -disable-output my.bc \
//!     -passes='function(reg2mem),fuzz-mutate<seed=1;rewire>,rust-bfi<check>'
//! ```
//!
//! Without the option `malformed`, well-formed IR stays well-formed. Random numbers depend on the seed and the name of
//! the function. The changes of a function therefore do not depend on other functions in its module.

#![allow(unsafe_op_in_unsafe_fn, reason = "each line calls LLVM's C API on values of the mutated function")]

use std::hash::Hasher;
use std::ptr;

use bpa::inkwell::llvm_sys::core::*;
use bpa::inkwell::llvm_sys::prelude::*;
use bpa::inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, LLVMTypeKind};
use bpa::inkwell::values::AsValueRef;
use bpa::plugin::{OptionError, Options, Preserved, Registry};
use bpa::{Function, Module};

bpa::plugin!("mutations", register);

fn register(registry: &mut Registry) {
    registry.add_pass_with("fuzz-mutate", &["seed=N", "rewire", "expect", "malformed"], mutate);
    registry.add_module_pass_with("fuzz-stage", &["stage=N", "check"], report_stage);
}

/// Prints on stderr which part of the pipeline runs next: the passes of a stage, or, with the option `check`, the
/// comparison after these passes.
fn report_stage(options: &Options) -> Result<impl Fn(&mut Module) -> Preserved + use<>, OptionError> {
    let stage = options.number("stage", 0..=u32::MAX)?.unwrap_or(0);
    let what = if options.has("check") { "check" } else { "passes" };
    Ok(move |_: &mut Module| {
        eprintln!("fuzz-stage: stage {stage}, {what}");
        Preserved::All
    })
}

fn mutate(options: &Options) -> Result<impl Fn(&mut Function) -> Preserved + use<>, OptionError> {
    let seed = options.number("seed", 0..=u64::MAX)?.unwrap_or(0);
    let kinds = Kinds {
        rewire: options.has("rewire"),
        expect: options.has("expect"),
        malformed: options.has("malformed"),
    };
    Ok(move |function: &mut Function| {
        let value = function.value();
        let random = Random::new(seed, value.get_name().to_bytes());
        // SAFETY: the function is defined, and only this pass accesses it while the pass runs.
        let changed = unsafe { Mutation::new(value.as_value_ref(), kinds, random).run() };
        if changed {
            Preserved::Nothing
        } else {
            Preserved::All
        }
    })
}

/// The changes that the pass makes only if an option requests them. Without any option, the pass changes only
/// conditions, weights and cold calls.
#[derive(Clone, Copy)]
struct Kinds {
    /// Change successors. This change is possible only if every use of a value is in the block of the value, as
    /// `reg2mem` ensures.
    rewire: bool,
    /// Add calls of `llvm.expect` to conditions.
    expect: bool,
    /// Also write malformed weights.
    malformed: bool,
}

/// A stream of random numbers: SplitMix64, of Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014.
struct Random(u64);

impl Random {
    fn new(seed: u64, name: &[u8]) -> Self {
        let mut hasher = std::hash::DefaultHasher::new();
        hasher.write(name);
        Random(seed ^ hasher.finish())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Returns true with a probability of `percent` percent.
    fn hit(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }
}

/// For each kind of change, the percentage of possible places at which the pass makes the change.
struct Rates {
    target: u64,
    fork: u64,
    end: u64,
    weights: u64,
    no_weights: u64,
    cold: u64,
    condition: u64,
    expect: u64,
}

impl Rates {
    fn new(random: &mut Random, kinds: Kinds) -> Self {
        let mut rate = |wanted: bool| if wanted { random.pick(&[0, 4, 15, 40, 80]) } else { 0 };
        Rates {
            target: rate(kinds.rewire),
            fork: rate(kinds.rewire) / 3,
            end: rate(kinds.rewire) / 5,
            weights: rate(true),
            no_weights: rate(true),
            cold: rate(true) / 3,
            condition: rate(true),
            expect: rate(kinds.expect),
        }
    }
}

const WEIGHTS: [u32; 13] = [0, 1, 1, 2, 3, 12, 20, 64, 1000, 2000, 1_048_575, 1 << 31, u32::MAX];
const COLD: &str = "bpa.cold";
/// The maximum number of attempts to change a function. After the first successful attempt, the mutation is complete.
const TRIES: usize = 6;
/// The maximum number of values of a block that are candidates for a comparison.
const COMPARABLE: usize = 8;

/// A function and the state of its mutation.
struct Mutation {
    function: LLVMValueRef,
    module: LLVMModuleRef,
    context: LLVMContextRef,
    builder: LLVMBuilderRef,
    kinds: Kinds,
    random: Random,
    rates: Rates,
    /// Whether the function has changed.
    changed: bool,
    /// The blocks that are possible new successors of branches. If branches must not change, the list is empty.
    targets: Vec<LLVMBasicBlockRef>,
}

impl Drop for Mutation {
    fn drop(&mut self) {
        // SAFETY: the builder belongs to this value, and `drop` runs once.
        unsafe { LLVMDisposeBuilder(self.builder) };
    }
}

impl Mutation {
    unsafe fn new(function: LLVMValueRef, kinds: Kinds, mut random: Random) -> Self {
        let module = LLVMGetGlobalParent(function);
        let context = LLVMGetModuleContext(module);
        let rates = Rates::new(&mut random, kinds);
        let targets = if kinds.rewire && values_stay_in_blocks(function) {
            possible_targets(function)
        } else {
            Vec::new()
        };
        let builder = LLVMCreateBuilderInContext(context);
        Mutation { function, module, context, builder, kinds, random, rates, changed: false, targets }
    }

    /// Makes the changes. Returns whether the function has changed.
    unsafe fn run(mut self) -> bool {
        for _ in 0..TRIES {
            for block in blocks(self.function) {
                self.change_calls(block);
                self.change_condition(block);
                if !self.targets.is_empty() {
                    self.change_edges(block);
                }
                self.change_weights(LLVMGetBasicBlockTerminator(block));
            }
            if self.changed {
                break;
            }
            self.rates = Rates::new(&mut self.random, self.kinds);
        }
        self.changed
    }

    /// Returns true with a probability of `percent` percent, and records that the function changes.
    fn change(&mut self, percent: u64) -> bool {
        let change = self.random.hit(percent);
        self.changed |= change;
        change
    }

    /// Adds a call of a cold function at the end of the block, or removes this call.
    unsafe fn change_calls(&mut self, block: LLVMBasicBlockRef) {
        let terminator = LLVMGetBasicBlockTerminator(block);
        use LLVMOpcode::{LLVMIndirectBr, LLVMSwitch};
        let opcode = LLVMGetInstructionOpcode(terminator);
        if !is_branch(opcode) && !matches!(opcode, LLVMSwitch | LLVMIndirectBr)
            || !self.change(self.rates.cold)
        {
            return;
        }
        let kind = LLVMFunctionType(LLVMVoidTypeInContext(self.context), ptr::null_mut(), 0, 0);
        let cold = self.cold_function(kind);
        let earlier = LLVMGetPreviousInstruction(terminator);
        if !earlier.is_null() && !LLVMIsACallInst(earlier).is_null() && LLVMGetCalledValue(earlier) == cold {
            LLVMInstructionEraseFromParent(earlier);
            return;
        }
        LLVMPositionBuilderBefore(self.builder, terminator);
        LLVMBuildCall2(self.builder, kind, cold, ptr::null_mut(), 0, c"".as_ptr());
    }

    unsafe fn cold_function(&self, kind: LLVMTypeRef) -> LLVMValueRef {
        let name = c"bpa.cold";
        debug_assert_eq!(name.to_bytes(), COLD.as_bytes());
        let known = LLVMGetNamedFunction(self.module, name.as_ptr());
        if !known.is_null() {
            return known;
        }
        let cold = LLVMAddFunction(self.module, name.as_ptr(), kind);
        let number = LLVMGetEnumAttributeKindForName(c"cold".as_ptr(), 4);
        let attribute = LLVMCreateEnumAttribute(self.context, number, 0);
        LLVMAddAttributeAtIndex(cold, u32::MAX, attribute);
        cold
    }

    /// Replaces the condition of a branch, or adds an expectation to the condition.
    unsafe fn change_condition(&mut self, block: LLVMBasicBlockRef) {
        let terminator = LLVMGetBasicBlockTerminator(block);
        if is_conditional(terminator) && self.change(self.rates.condition) {
            let old = LLVMGetCondition(terminator);
            if let Some(new) = self.comparison(block) {
                LLVMSetCondition(terminator, new);
                erase_if_unused(old);
            }
        }
        let is_switch = LLVMGetInstructionOpcode(terminator) == LLVMOpcode::LLVMSwitch;
        if (is_switch || is_conditional(terminator)) && self.change(self.rates.expect) {
            let value = if is_switch { LLVMGetOperand(terminator, 0) } else { LLVMGetCondition(terminator) };
            let expected = self.expectation(value, terminator);
            if is_switch {
                LLVMSetOperand(terminator, 0, expected);
            } else {
                LLVMSetCondition(terminator, expected);
            }
        }
    }

    /// Adds a call of `llvm.expect` with the integer `value` as its argument.
    unsafe fn expectation(&mut self, value: LLVMValueRef, before: LLVMValueRef) -> LLVMValueRef {
        let mut kind = LLVMTypeOf(value);
        let number = LLVMLookupIntrinsicID(c"llvm.expect".as_ptr(), 11);
        let callee = LLVMGetIntrinsicDeclaration(self.module, number, &mut kind, 1);
        let callee_type = LLVMIntrinsicGetType(self.context, number, &mut kind, 1);
        let mut operands = [value, LLVMConstInt(kind, self.random.next() % 6, 0)];
        LLVMPositionBuilderBefore(self.builder, before);
        LLVMBuildCall2(self.builder, callee_type, callee, operands.as_mut_ptr(), 2, c"".as_ptr())
    }

    /// Adds a comparison at the end of a block. The left operand is a parameter or a value that the block computes.
    unsafe fn comparison(&mut self, block: LLVMBasicBlockRef) -> Option<LLVMValueRef> {
        let values = self.comparable(block);
        if values.is_empty() {
            return None;
        }
        let value = self.random.pick(&values);
        let kind = LLVMTypeOf(value);
        LLVMPositionBuilderBefore(self.builder, LLVMGetBasicBlockTerminator(block));
        Some(match LLVMGetTypeKind(kind) {
            LLVMTypeKind::LLVMIntegerTypeKind => self.integer_comparison(value, kind),
            LLVMTypeKind::LLVMPointerTypeKind => {
                let predicate = self.random.pick(&[LLVMIntPredicate::LLVMIntEQ, LLVMIntPredicate::LLVMIntNE]);
                LLVMBuildICmp(self.builder, predicate, value, LLVMConstNull(kind), c"".as_ptr())
            }
            _ => {
                use LLVMRealPredicate::*;
                let predicate = self.random.pick(&[
                    LLVMRealOEQ,
                    LLVMRealOGT,
                    LLVMRealOLE,
                    LLVMRealONE,
                    LLVMRealORD,
                    LLVMRealUNO,
                    LLVMRealUEQ,
                    LLVMRealULT,
                    LLVMRealUNE,
                ]);
                let constant = LLVMConstReal(kind, self.random.pick(&[0.0, 1.0, -2.5]));
                LLVMBuildFCmp(self.builder, predicate, value, constant, c"".as_ptr())
            }
        })
    }

    unsafe fn integer_comparison(&mut self, mut value: LLVMValueRef, kind: LLVMTypeRef) -> LLVMValueRef {
        use LLVMIntPredicate::*;
        if self.random.hit(15) {
            let bit = self.random.below(LLVMGetIntTypeWidth(kind).min(64) as usize);
            value = LLVMBuildAnd(self.builder, value, LLVMConstInt(kind, 1 << bit, 0), c"".as_ptr());
        }
        let predicate = self.random.pick(&[
            LLVMIntEQ, LLVMIntEQ, LLVMIntNE, LLVMIntNE, LLVMIntSLT, LLVMIntSGT, LLVMIntSLE, LLVMIntULT,
        ]);
        let constant = match self.random.below(5) {
            0 | 1 => LLVMConstNull(kind),
            2 => LLVMConstInt(kind, 1, 0),
            3 => LLVMConstAllOnes(kind),
            _ => LLVMConstInt(kind, self.random.next() % 100, 0),
        };
        LLVMBuildICmp(self.builder, predicate, value, constant, c"".as_ptr())
    }

    /// Returns at most [`COMPARABLE`] values that a comparison at the end of `block` can use: integers, pointers and
    /// floating-point numbers.
    unsafe fn comparable(&self, block: LLVMBasicBlockRef) -> Vec<LLVMValueRef> {
        let parameters = (0..LLVMCountParams(self.function)).map(|place| LLVMGetParam(self.function, place));
        let computed = backwards(LLVMGetBasicBlockTerminator(block));
        computed.chain(parameters).filter(|&value| is_comparable(value)).take(COMPARABLE).collect()
    }

    /// Changes the successors of a branch or switch, or replaces the terminator. The new terminator is a conditional
    /// branch, an unconditional branch, or `unreachable`.
    unsafe fn change_edges(&mut self, block: LLVMBasicBlockRef) {
        use LLVMOpcode::{LLVMSwitch, LLVMUnreachable};
        let terminator = LLVMGetBasicBlockTerminator(block);
        let opcode = LLVMGetInstructionOpcode(terminator);
        let may_change = is_branch(opcode) || matches!(opcode, LLVMSwitch | LLVMUnreachable);
        if !may_change || leads_to_phis(terminator) {
            return;
        }
        let is_fork = is_conditional(terminator);
        if opcode == LLVMUnreachable || (is_branch(opcode) && !is_fork) {
            let rate = self.rates.fork.max(if opcode == LLVMUnreachable { self.rates.end } else { 0 });
            if self.change(rate) {
                self.fork(block);
                return;
            }
        } else if is_fork && self.change(self.rates.fork / 2) {
            LLVMInstructionEraseFromParent(terminator);
            LLVMPositionBuilderAtEnd(self.builder, block);
            LLVMBuildBr(self.builder, self.random.pick(&self.targets));
            return;
        }
        if is_branch(opcode) && self.change(self.rates.end) {
            LLVMInstructionEraseFromParent(terminator);
            LLVMPositionBuilderAtEnd(self.builder, block);
            LLVMBuildUnreachable(self.builder);
            return;
        }
        for place in 0..LLVMGetNumSuccessors(terminator) {
            if self.change(self.rates.target) {
                LLVMSetSuccessor(terminator, place, self.random.pick(&self.targets));
            }
        }
    }

    /// Ends a block with a branch to two random blocks.
    unsafe fn fork(&mut self, block: LLVMBasicBlockRef) {
        let terminator = LLVMGetBasicBlockTerminator(block);
        let Some(condition) = self.comparison(block) else { return };
        LLVMInstructionEraseFromParent(terminator);
        LLVMPositionBuilderAtEnd(self.builder, block);
        let [then, other] = [(); 2].map(|()| self.random.pick(&self.targets));
        LLVMBuildCondBr(self.builder, condition, then, other);
    }

    /// Replaces or removes the weights of a branch.
    unsafe fn change_weights(&mut self, terminator: LLVMValueRef) {
        use LLVMOpcode::{LLVMIndirectBr, LLVMInvoke, LLVMSwitch};
        let count = LLVMGetNumSuccessors(terminator) as usize;
        let opcode = LLVMGetInstructionOpcode(terminator);
        if count < 2 || !is_branch(opcode) && !matches!(opcode, LLVMSwitch | LLVMIndirectBr | LLVMInvoke) {
            return;
        }
        let kind = LLVMGetMDKindIDInContext(self.context, c"prof".as_ptr(), 4);
        if self.change(self.rates.weights) {
            let weights = self.weights(count);
            LLVMSetMetadata(terminator, kind, weights);
        } else if !LLVMGetMetadata(terminator, kind).is_null() && self.change(self.rates.no_weights) {
            LLVMSetMetadata(terminator, kind, ptr::null_mut());
        }
    }

    /// The operands of `!prof` metadata for `count` edges.
    unsafe fn weights(&mut self, mut count: usize) -> LLVMValueRef {
        let mut width = 32;
        if self.kinds.malformed && self.random.hit(30) {
            count = self.random.below(count + 3);
            width = self.random.pick(&[8, 32, 64, 128]);
        }
        let kind = LLVMIntTypeInContext(self.context, width);
        let name = LLVMMDStringInContext2(self.context, c"branch_weights".as_ptr(), 14);
        let mut operands = vec![name];
        let any = self.random.hit(30);
        for _ in 0..count {
            let weight = if any { self.random.next() as u32 } else { self.random.pick(&WEIGHTS) };
            operands.push(LLVMValueAsMetadata(LLVMConstInt(kind, weight.into(), 0)));
        }
        let node = LLVMMDNodeInContext2(self.context, operands.as_mut_ptr(), operands.len());
        LLVMMetadataAsValue(self.context, node)
    }
}

unsafe fn blocks(function: LLVMValueRef) -> impl Iterator<Item = LLVMBasicBlockRef> {
    let first = Some(LLVMGetFirstBasicBlock(function)).filter(|block| !block.is_null());
    std::iter::successors(first, |&block| Some(LLVMGetNextBasicBlock(block)).filter(|next| !next.is_null()))
}

unsafe fn instructions(block: LLVMBasicBlockRef) -> impl Iterator<Item = LLVMValueRef> {
    let first = Some(LLVMGetFirstInstruction(block)).filter(|first| !first.is_null());
    std::iter::successors(first, |&one| Some(LLVMGetNextInstruction(one)).filter(|next| !next.is_null()))
}

/// The instructions of a block before `instruction`, from the last to the first.
unsafe fn backwards(instruction: LLVMValueRef) -> impl Iterator<Item = LLVMValueRef> {
    let earlier = |one| Some(LLVMGetPreviousInstruction(one)).filter(|earlier| !earlier.is_null());
    std::iter::successors(earlier(instruction), move |&one| earlier(one))
}

/// Whether the opcode is a conditional or unconditional branch. From LLVM 23 on, conditional and unconditional branches
/// have different opcodes.
fn is_branch(opcode: LLVMOpcode) -> bool {
    #[cfg(not(two_kinds_of_branch))]
    return opcode == LLVMOpcode::LLVMBr;
    #[cfg(two_kinds_of_branch)]
    return matches!(opcode, LLVMOpcode::LLVMUncondBr | LLVMOpcode::LLVMCondBr);
}

unsafe fn is_conditional(terminator: LLVMValueRef) -> bool {
    is_branch(LLVMGetInstructionOpcode(terminator)) && LLVMGetNumSuccessors(terminator) == 2
}

unsafe fn is_comparable(value: LLVMValueRef) -> bool {
    use LLVMTypeKind::*;
    matches!(
        LLVMGetTypeKind(LLVMTypeOf(value)),
        LLVMIntegerTypeKind | LLVMPointerTypeKind | LLVMFloatTypeKind | LLVMDoubleTypeKind
    )
}

/// Erases a replaced comparison if it has no other use.
unsafe fn erase_if_unused(value: LLVMValueRef) {
    let is_comparison = !LLVMIsAICmpInst(value).is_null() || !LLVMIsAFCmpInst(value).is_null();
    if is_comparison && LLVMGetFirstUse(value).is_null() {
        LLVMInstructionEraseFromParent(value);
    }
}

unsafe fn begins_with_phi(block: LLVMBasicBlockRef) -> bool {
    !LLVMIsAPHINode(LLVMGetFirstInstruction(block)).is_null()
}

/// Whether a successor of the terminator has phis. A change of the terminator would have to update these phis.
unsafe fn leads_to_phis(terminator: LLVMValueRef) -> bool {
    (0..LLVMGetNumSuccessors(terminator)).any(|place| begins_with_phi(LLVMGetSuccessor(terminator, place)))
}

/// Whether every value is used only in its own block. There are two exceptions: an `alloca` of the entry can be used
/// anywhere, and the result of an `invoke` or `callbr` can be used in the first successor.
unsafe fn values_stay_in_blocks(function: LLVMValueRef) -> bool {
    let entry = LLVMGetEntryBasicBlock(function);
    blocks(function).all(|block| {
        instructions(block).all(|value| {
            let home = match LLVMGetInstructionOpcode(value) {
                LLVMOpcode::LLVMAlloca if block == entry => return true,
                LLVMOpcode::LLVMInvoke | LLVMOpcode::LLVMCallBr => LLVMGetSuccessor(value, 0),
                _ => block,
            };
            // A phi counts as a use in another block, because it uses the value at the end of the incoming block.
            uses(value).all(|user| LLVMGetInstructionParent(user) == home && LLVMIsAPHINode(user).is_null())
        })
    })
}

/// The instructions that use `value`.
unsafe fn uses(value: LLVMValueRef) -> impl Iterator<Item = LLVMValueRef> {
    let first = Some(LLVMGetFirstUse(value)).filter(|first| !first.is_null());
    std::iter::successors(first, |&one| Some(LLVMGetNextUse(one)).filter(|next| !next.is_null()))
        .map(|one| LLVMGetUser(one))
}

/// The blocks that can become the target of a jump. The entry, exception-handling pads and blocks with phis are
/// excluded. A successor that can use the result of an `invoke` or `callbr` is also excluded.
unsafe fn possible_targets(function: LLVMValueRef) -> Vec<LLVMBasicBlockRef> {
    use LLVMOpcode::*;
    let mut taken = Vec::new();
    for block in blocks(function) {
        let terminator = LLVMGetBasicBlockTerminator(block);
        match LLVMGetInstructionOpcode(terminator) {
            LLVMInvoke => taken.push(LLVMGetSuccessor(terminator, 0)),
            LLVMCallBr => {
                taken.extend((0..LLVMGetNumSuccessors(terminator)).map(|i| LLVMGetSuccessor(terminator, i)))
            }
            _ => {}
        }
    }
    taken.sort_unstable();
    let is_pad = |block| {
        matches!(
            LLVMGetInstructionOpcode(LLVMGetFirstInstruction(block)),
            LLVMLandingPad | LLVMCatchPad | LLVMCleanupPad | LLVMCatchSwitch
        )
    };
    let rest = blocks(function).skip(1);
    rest.filter(|&block| !begins_with_phi(block) && !is_pad(block) && taken.binary_search(&block).is_err())
        .collect()
}
