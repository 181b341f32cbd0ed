//! A function under analysis, with its numbered blocks.

use std::borrow::Cow;

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use cranelift_entity::{EntityRef, PrimaryMap};

use super::numbering::{Numbering, SlotsForWalk};
use bpa_core::cfg::Block;

unsafe extern "C" {
    fn bpa_count_blocks(function: LLVMValueRef) -> usize;
    fn bpa_list_blocks(function: LLVMValueRef, blocks: *mut LLVMBasicBlockRef);
}

/// A defined function in the host's memory. Its blocks are numbered in layout order.
pub struct LiveFunction {
    function: LLVMValueRef,
    numbering: Numbering,
}

impl LiveFunction {
    /// Numbers the blocks of `function`. The result is `None` if the function is only declared.
    ///
    /// # Safety
    ///
    /// `function` is a valid function. While the result is in use, the function and its blocks stay valid, and no block
    /// is added.
    pub unsafe fn new(function: LLVMValueRef) -> Option<Self> {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let count = bpa_count_blocks(function);
            let numbering = Numbering::listed(count, |blocks| bpa_list_blocks(function, blocks.as_mut_ptr()));
            (count > 0).then_some(LiveFunction { function, numbering })
        }
    }

    /// The function's name as bytes, because LLVM names need not be UTF-8.
    pub fn name(&self) -> &[u8] {
        super::identifier::value_name(self.function, self)
    }

    /// The name of the function's module, usually a file name.
    pub fn module_name(&self) -> &[u8] {
        let mut length = 0;
        // SAFETY: the module is valid. Its name stays valid until the module is renamed, and no analysis renames
        // modules.
        unsafe {
            let start = LLVMGetModuleIdentifier(self.module(), &mut length);
            std::slice::from_raw_parts(start.cast(), length)
        }
    }

    /// Whether the name is local to the module, so that another module may have another function with this name.
    pub fn is_local(&self) -> bool {
        use crate::ir::llvm::LLVMLinkage::*;
        // SAFETY: the function is valid.
        matches!(unsafe { LLVMGetLinkage(self.function) }, LLVMInternalLinkage | LLVMPrivateLinkage)
    }

    /// The function's name for messages.
    pub fn display_name(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.name())
    }

    pub(super) fn value(&self) -> LLVMValueRef {
        self.function
    }

    pub(super) fn module(&self) -> LLVMModuleRef {
        // SAFETY: the function is valid and belongs to a module.
        unsafe { LLVMGetGlobalParent(self.function) }
    }

    pub(super) fn context(&self) -> LLVMContextRef {
        // SAFETY: the module is valid.
        unsafe { LLVMGetModuleContext(self.module()) }
    }

    /// Copies the block numbers.
    pub(super) fn numbering(&self) -> Numbering {
        Numbering::new(self.blocks().clone())
    }

    pub(super) fn blocks(&self) -> &PrimaryMap<Block, LLVMBasicBlockRef> {
        self.numbering.blocks()
    }

    pub(super) fn slots_for_walk(&self) -> SlotsForWalk {
        self.numbering.slots_for_walk()
    }

    pub(super) fn number(&self, block: LLVMBasicBlockRef) -> Block {
        self.numbering.of(block)
    }

    pub(super) fn find(&self, block: LLVMBasicBlockRef) -> Option<Block> {
        self.numbering.find(block)
    }

    /// Successor number `place` of a terminator.
    pub(super) fn successor(&self, terminator: LLVMValueRef, place: usize) -> Block {
        // SAFETY: callers pass a terminator of this function and a place below its successor count.
        self.number(unsafe { LLVMGetSuccessor(terminator, place as u32) })
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
