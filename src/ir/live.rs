//! A live function, with its numbered blocks.

use std::borrow::Cow;

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use cranelift_entity::{EntityRef, PrimaryMap};

use super::numbering::{Numbering, SlotsForWalk};
use super::value::{BasicBlock, FunctionRef, TerminatorInstruction};
use bpa_core::cfg::Block;

unsafe extern "C" {
    safe fn bpa_count_blocks(function: FunctionRef) -> usize;
    fn bpa_list_blocks(function: FunctionRef, blocks: *mut LLVMBasicBlockRef, count: usize);
}

/// A defined function in the host's memory. The blocks of the function are numbered in layout order.
pub struct LiveFunction<'ir> {
    function: FunctionRef<'ir>,
    numbering: Numbering,
}

impl<'ir> LiveFunction<'ir> {
    /// Numbers the blocks of `function`. The result is `None` if the function is only declared. A block that is added
    /// later has no number: an edge to this block causes a panic.
    pub fn new(function: FunctionRef<'ir>) -> Option<Self> {
        let numbering = Numbering::listed(bpa_count_blocks(function), |blocks| {
            // SAFETY: C++ writes at most `blocks.len()` blocks.
            unsafe { bpa_list_blocks(function, blocks.as_mut_ptr(), blocks.len()) }
        });
        (!numbering.blocks().is_empty()).then_some(LiveFunction { function, numbering })
    }

    /// The blocks of `numbering` must be the blocks of `function` in layout order.
    pub(crate) fn numbered(function: FunctionRef<'ir>, numbering: Numbering) -> Self {
        LiveFunction { function, numbering }
    }

    pub(crate) fn into_numbering(self) -> Numbering {
        self.numbering
    }
}

impl LiveFunction<'_> {
    /// The function's name as bytes, because LLVM names need not be UTF-8.
    pub fn name(&self) -> &[u8] {
        self.value().name()
    }

    /// The name of the function's module, usually a file name.
    pub fn module_name(&self) -> &[u8] {
        let mut length = 0;
        // SAFETY: the module is valid. The module's name stays valid until the module is renamed, and no analysis
        // renames modules.
        unsafe {
            let start = LLVMGetModuleIdentifier(self.module(), &mut length);
            std::slice::from_raw_parts(start.cast(), length)
        }
    }

    /// Whether the name is local to the module. If the name is local, another module can have a different function with
    /// the same name.
    pub fn is_local(&self) -> bool {
        self.value().has_local_name()
    }

    /// The function's name for messages.
    pub fn display_name(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.name())
    }

    pub(super) fn value(&self) -> FunctionRef<'_> {
        self.function
    }

    /// LLVM's own reference to the function.
    pub(crate) fn as_raw(&self) -> LLVMValueRef {
        self.value().raw()
    }

    pub(super) fn module(&self) -> LLVMModuleRef {
        self.value().module()
    }

    pub(super) fn context(&self) -> LLVMContextRef {
        self.value().type_of().context()
    }

    /// Copies the block numbers.
    pub(super) fn numbering(&self) -> Numbering {
        Numbering::new(self.blocks().clone())
    }

    pub(crate) fn blocks(&self) -> &PrimaryMap<Block, LLVMBasicBlockRef> {
        self.numbering.blocks()
    }

    /// The addresses of the blocks, in the order of their numbers.
    pub(crate) fn addresses(&self) -> &[LLVMBasicBlockRef] {
        self.blocks().values().as_slice()
    }

    pub(super) fn block(&self, block: Block) -> BasicBlock<'_> {
        self.basic_block(self.blocks()[block])
    }

    pub(super) fn basic_blocks(&self) -> impl Iterator<Item = (Block, BasicBlock<'_>)> {
        self.blocks().iter().map(|(block, &basic_block)| (block, self.basic_block(basic_block)))
    }

    fn basic_block(&self, block: LLVMBasicBlockRef) -> BasicBlock<'_> {
        // SAFETY: `block` is one of the numbered blocks. The blocks of a valid function are valid.
        unsafe { BasicBlock::new(block) }.expect("LLVM's list of blocks has no null pointers")
    }

    pub(super) fn slots_for_walk(&self) -> SlotsForWalk {
        self.numbering.slots_for_walk()
    }

    pub(super) fn find(&self, block: BasicBlock) -> Option<Block> {
        self.numbering.find(block.raw())
    }

    /// The successor at index `place` of a terminator of this function.
    pub(super) fn successor(&self, terminator: TerminatorInstruction, place: usize) -> Block {
        self.numbering.of(terminator.successor(place).raw())
    }

    /// The number of blocks.
    pub fn block_count(&self) -> usize {
        self.blocks().len()
    }

    /// All blocks in layout order.
    pub fn layout(&self) -> impl Iterator<Item = Block> + use<> {
        (0..self.blocks().len()).map(Block::new)
    }
}
