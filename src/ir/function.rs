//! A live function as other plugins see it.

use std::borrow::Cow;
use std::cell::OnceCell;

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

use super::inkwell::basic_block::BasicBlock;
use super::inkwell::values::{AsValueRef, FunctionValue, InstructionValue};
use super::llvm::core::*;
use super::llvm::prelude::*;
use super::{BlockNames, LiveFunction};
use crate::host_dialect;
use bpa_core::cfg::Block;
use bpa_core::dialect::BlockNameStyle;
use bpa_core::facts::FunctionFacts;
use bpa_core::profile::Profile;

/// A defined function in memory, and the numbers of its blocks: the entry is block 0, the others follow in layout order.
///
/// As everywhere in inkwell, the module must be alive as long as what belongs to it is used.
///
/// ```
/// use bpa::inkwell::context::Context;
/// use bpa::inkwell::memory_buffer::MemoryBuffer;
/// use bpa::{Function, Probability};
///
/// const IR: &str = "
///     declare void @complain() cold
///     define i32 @f(i32 %x) {
///     entry:
///       %bad = icmp ugt i32 %x, 100
///       br i1 %bad, label %rare, label %usual
///     rare:
///       call void @complain()
///       br label %usual
///     usual:
///       ret i32 %x
///     }\0";
/// let context = Context::create();
/// let buffer = MemoryBuffer::create_from_memory_range_copy(IR.as_bytes(), "f.ll");
/// let module = context.create_module_from_ir(buffer).unwrap();
///
/// let function = Function::new(module.get_function("f").unwrap()).unwrap();
/// let profile = function.profile();
/// let rare = function.value().get_last_basic_block().unwrap().get_previous_basic_block().unwrap();
/// let (entry, rare) = (profile.graph().entry(), function.block(rare).unwrap());
/// assert_eq!(function.block_name(rare), "%rare");
/// assert!(!profile.is_edge_above(entry, rare, Probability::ratio(6, 100)));
/// assert!(profile.frequency(rare) < profile.frequency(entry));
/// ```
pub struct Function<'ctx> {
    value: FunctionValue<'ctx>,
    live: LiveFunction,
    blocks: PrimaryMap<Block, BasicBlock<'ctx>>,
    /// Blocks that came later.
    added: FxHashMap<LLVMBasicBlockRef, Block>,
    names: OnceCell<PrimaryMap<Block, String>>,
}

impl<'ctx> Function<'ctx> {
    /// The blocks of `function`; nothing if it is only declared.
    pub fn new(function: FunctionValue<'ctx>) -> Option<Self> {
        // SAFETY: inkwell's values are valid.
        unsafe { Self::from_raw(function.as_value_ref()) }
    }

    /// The same by LLVM's own reference, for plugins that have no inkwell.
    ///
    /// # Safety
    ///
    /// `function` is a valid function, and stays so for `'ctx`.
    pub unsafe fn from_raw(function: LLVMValueRef) -> Option<Self> {
        Some(Self::of(LiveFunction::new(function)?))
    }

    pub(crate) fn of(live: LiveFunction) -> Self {
        // SAFETY: a live function is a valid function.
        let value = unsafe { FunctionValue::new(live.value()) }.expect("a function");
        let blocks = value.get_basic_block_iter().collect();
        Function { value, live, blocks, added: FxHashMap::default(), names: OnceCell::new() }
    }

    /// The function for inkwell.
    pub fn value(&self) -> FunctionValue<'ctx> {
        self.value
    }

    /// The function's name; what is not UTF-8 in it becomes U+FFFD.
    pub fn name(&self) -> Cow<'_, str> {
        self.live.display_name()
    }

    /// All blocks with their numbers.
    pub fn blocks(&self) -> impl Iterator<Item = (Block, BasicBlock<'ctx>)> + '_ {
        self.blocks.iter().map(|(block, &basic_block)| (block, basic_block))
    }

    /// The number of a block; nothing if it is not known to belong to the function.
    pub fn block(&self, basic_block: BasicBlock<'ctx>) -> Option<Block> {
        let address = basic_block.as_mut_ptr();
        self.live.find(address).or_else(|| self.added.get(&address).copied())
    }

    /// The block of a number.
    ///
    /// # Panics
    ///
    /// If there is no block of that number.
    pub fn basic_block(&self, block: Block) -> BasicBlock<'ctx> {
        self.blocks[block]
    }

    /// The name of a block as LLVM's assembly writes it: `%entry`, `%"a b"`, `%7` for a block without a name. Names are read
    /// when the first is asked for.
    ///
    /// # Panics
    ///
    /// If there was no block of that number at first.
    pub fn block_name(&self, block: Block) -> &str {
        let read = || {
            let names = BlockNames::new(&self.live, BlockNameStyle::Operand);
            self.live.layout().map(|block| names.operand(block)).collect()
        };
        &self.names.get_or_init(read)[block]
    }

    /// Gives a number to a block that a pass has made: the one after the last, as [`Profile::add_block`] does.
    pub fn add_block(&mut self, basic_block: BasicBlock<'ctx>) -> Block {
        let block = self.blocks.push(basic_block);
        self.added.insert(basic_block.as_mut_ptr(), block);
        block
    }

    /// The function as plain data, as it is now.
    pub fn facts(&self) -> FunctionFacts {
        self.live.facts(host_dialect())
    }

    /// Computes the function's profile, as it is now. Nothing of it is kept here.
    pub fn profile(&self) -> Profile {
        let dialect = host_dialect();
        Profile::with_conditions(self.facts(), &mut self.live.conditions(dialect), dialect)
    }
}

/// What an instruction calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Callee<'ctx> {
    /// A function by its name.
    Function(FunctionValue<'ctx>),
    /// Whatever is behind a pointer, or inline assembly.
    Value,
}

impl<'ctx> Callee<'ctx> {
    /// The callee of a `call`, `invoke` or `callbr`; nothing for other instructions. (inkwell's own way to ask differs
    /// between its versions, and panics at indirect calls in older ones.)
    pub fn of(instruction: InstructionValue<'ctx>) -> Option<Self> {
        use super::llvm::LLVMOpcode::*;
        let call = instruction.as_value_ref();
        // SAFETY: inkwell's instructions are valid; those with these opcodes have a callee.
        unsafe {
            if !matches!(LLVMGetInstructionOpcode(call), LLVMCall | LLVMInvoke | LLVMCallBr) {
                return None;
            }
            let callee = LLVMGetCalledValue(call);
            let named = !LLVMIsAFunction(callee).is_null();
            let function = named.then(|| FunctionValue::new(callee)).flatten();
            Some(function.map_or(Callee::Value, Callee::Function))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::inkwell::context::Context;
    use super::super::inkwell::memory_buffer::MemoryBuffer;
    use super::super::inkwell::module::Module;
    use super::*;
    use bpa_core::bpi::Probability;

    const DIAMOND: &str = "
        define void @f(i1 %c) {
        entry:
          br i1 %c, label %\"then \\22a\", label %0, !prof !0
        \"then \\22a\":
          br label %end
        0:
          br label %end
        end:
          ret void
        }
        declare void @g()
        !0 = !{!\"branch_weights\", i32 3, i32 5}\0";

    fn module(context: &Context) -> Module<'_> {
        let text = MemoryBuffer::create_from_memory_range_copy(DIAMOND.as_bytes(), "diamond");
        context.create_module_from_ir(text).expect("well-formed IR")
    }

    #[test]
    fn blocks_are_known_by_number_and_name() {
        let context = Context::create();
        let module = module(&context);
        let function = Function::new(module.get_function("f").unwrap()).unwrap();
        let names: Vec<&str> = function.blocks().map(|(block, _)| function.block_name(block)).collect();
        assert_eq!(names, ["%entry", "%\"then \\22a\"", "%0", "%end"]);
        for (block, basic_block) in function.blocks() {
            assert_eq!(function.block(basic_block), Some(block));
            assert_eq!(function.basic_block(block), basic_block);
        }
        assert_eq!(function.name(), "f");
        assert!(Function::new(module.get_function("g").unwrap()).is_none());
    }

    /// A pass that splits an edge and tells the profile: recomputed, the profile is that of the function as it has become.
    #[test]
    fn a_split_edge_told_is_a_split_edge_seen() {
        let context = Context::create();
        let module = module(&context);
        let value = module.get_function("f").unwrap();
        let mut function = Function::new(value).unwrap();
        let mut profile = function.profile();
        let [entry, then, end] = [0, 1, 3].map(Block::from_u32);

        let middle = context.append_basic_block(value, "middle");
        assert_eq!(function.block(middle), None);
        let builder = context.create_builder();
        builder.position_at_end(middle);
        builder.build_unconditional_branch(function.basic_block(end)).unwrap();
        let branch = function.basic_block(entry).get_terminator().unwrap().as_value_ref();
        // SAFETY: the terminator has two successors, and the block is one of its function.
        unsafe { LLVMSetSuccessor(branch, 0, middle.as_mut_ptr()) };

        let number = function.add_block(middle);
        assert_eq!(profile.add_block(profile.edge_frequency(entry, 0)), number);
        assert_eq!((function.block(middle), function.basic_block(number)), (Some(number), middle));
        let probabilities = profile.probabilities(entry).to_vec();
        let other = profile.successors(entry)[1];
        profile.set_successors(number, &[(end, Probability::ONE)]).unwrap();
        profile.set_successors(entry, &[(number, probabilities[0]), (other, probabilities[1])]).unwrap();
        assert_eq!(profile.frequency(number).to_string(), "0.375");

        profile.recompute();
        let seen = Function::new(value).unwrap().profile();
        for block in seen.blocks() {
            assert_eq!(profile.successors(block), seen.successors(block));
            assert_eq!(profile.probabilities(block), seen.probabilities(block));
            assert_eq!(profile.frequency(block), seen.frequency(block));
        }
        assert!(!profile.dominators().contains(then));
    }
}
