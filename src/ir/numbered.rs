//! What is known of a live function, and the numbers that it knows the function's blocks by.

use std::cell::OnceCell;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

use super::inkwell::basic_block::BasicBlock;
use super::inkwell::values::{AsValueRef, FunctionValue};
use super::live::LiveFunction;
use super::llvm::prelude::*;
use super::names::BlockNames;
use super::numbering::Numbering;
use bpa_core::cfg::{table, Block, ControlFlow};
use bpa_core::dialect::BlockNameStyle;
use bpa_core::profile::{BlockFrequency, Profile, UpdateError};

/// A profile of a live function, to ask and to tell of changes.
pub type LiveProfile<'ctx> = Numbered<'ctx, Profile>;

/// A profile of a live function that is kept between passes, to ask.
pub type CachedProfile<'ctx> = Numbered<'ctx, Rc<Profile>>;

/// Dominators, loops and the like of a live function.
pub type LiveControlFlow<'ctx> = Numbered<'ctx, ControlFlow>;

/// What is known of a live function, with the numbers by which it knows the function's blocks: the entry is block 0,
/// the others follow in layout order.
///
/// It speaks of the function as it was when it was asked for, by the numbers of that time, whatever becomes of the
/// function later. Numbers of one are not those of another that was asked for after a change. Methods that are given a
/// block panic if there is none of that number; none of them looks at blocks that are no longer there.
pub struct Numbered<'ctx, T> {
    known: T,
    function: FunctionValue<'ctx>,
    /// By the addresses they had at first.
    numbering: Rc<Numbering>,
    /// Nothing for those that are gone.
    blocks: PrimaryMap<Block, Option<BasicBlock<'ctx>>>,
    /// Blocks that came later.
    added: FxHashMap<LLVMBasicBlockRef, Block>,
    names: OnceCell<PrimaryMap<Block, String>>,
}

/// What a block is called that is no longer there.
const DELETED: &str = "<deleted>";

impl<'ctx, T> Numbered<'ctx, T> {
    /// `known` of `function`, by the numbers that `numbering` has given to blocks.
    pub(super) fn new(known: T, function: FunctionValue<'ctx>, numbering: Rc<Numbering>) -> Self {
        let mut blocks = table(numbering.blocks().len(), None);
        for basic_block in function.get_basic_block_iter() {
            if let Some(block) = numbering.find(basic_block.as_mut_ptr()) {
                blocks[block] = Some(basic_block);
            }
        }
        Numbered { known, function, numbering, blocks, added: FxHashMap::default(), names: OnceCell::new() }
    }

    /// All blocks with their numbers, but those that are [forgotten](Numbered::forget).
    pub fn basic_blocks(&self) -> impl Iterator<Item = (Block, BasicBlock<'ctx>)> + '_ {
        self.blocks.iter().filter_map(|(block, basic_block)| Some((block, (*basic_block)?)))
    }

    /// The number of a block; nothing if it has none here, as blocks that came later.
    pub fn block(&self, basic_block: BasicBlock<'ctx>) -> Option<Block> {
        let address = basic_block.as_mut_ptr();
        let block = self.added.get(&address).copied().or_else(|| self.numbering.find(address))?;
        // Where a block was, there may be another one now.
        (self.blocks[block] == Some(basic_block)).then_some(block)
    }

    /// The block of a number. It is inkwell's: whoever has deleted it must not use it.
    ///
    /// # Panics
    ///
    /// If there is no block of that number, or it was [forgotten](Numbered::forget).
    pub fn basic_block(&self, block: Block) -> BasicBlock<'ctx> {
        let found = self.blocks.get(block).copied().flatten();
        found.unwrap_or_else(|| panic!("{block} is no block of this function"))
    }

    /// The name of a block as LLVM's assembly writes it: `%entry`, `%"a b"`, `%7` for a block without a name. All names
    /// are read when the first is asked for, and again after a block was added or forgotten here. A block that was
    /// deleted before is called `<deleted>`.
    ///
    /// # Panics
    ///
    /// If there is no block of that number.
    pub fn block_name(&self, block: Block) -> String {
        let name = self.names.get_or_init(|| self.read_names()).get(block);
        name.unwrap_or_else(|| panic!("{block} is no block of this function")).clone()
    }

    /// The names of the blocks that the function has now.
    fn read_names(&self) -> PrimaryMap<Block, String> {
        // SAFETY: inkwell's values are valid.
        let live = unsafe { LiveFunction::new(self.function.as_value_ref()) };
        let names = live.as_ref().map(|live| (live, BlockNames::new(live, BlockNameStyle::Operand)));
        let name = |basic_block: &BasicBlock| {
            let (live, names) = names.as_ref()?;
            Some(names.operand(live.find(basic_block.as_mut_ptr())?))
        };
        let name_or_not = |basic_block: &Option<_>| {
            basic_block.as_ref().and_then(name).unwrap_or_else(|| DELETED.to_string())
        };
        self.blocks.values().map(name_or_not).collect()
    }

    fn set(&mut self, block: Block, basic_block: Option<BasicBlock<'ctx>>) {
        while !self.blocks.is_valid(block) {
            self.blocks.push(None);
        }
        self.blocks[block] = basic_block;
        self.names.take();
    }
}

impl<'ctx> Numbered<'ctx, Profile> {
    /// Gives a number to a block that a pass has made, and [adds](Profile::add_block) it to the profile: it runs
    /// `frequency` often, and its successors are yet to be set. A block that has a number already gets another.
    pub fn add_block(&mut self, basic_block: BasicBlock<'ctx>, frequency: BlockFrequency) -> Block {
        if let Some(before) = self.block(basic_block) {
            self.set(before, None);
        }
        let block = self.known.add_block(frequency);
        self.set(block, Some(basic_block));
        self.added.insert(basic_block.as_mut_ptr(), block);
        block
    }

    /// Forgets a block that a pass deletes, as [`Profile::forget`] does. Its number stays, and is that of no block.
    ///
    /// # Errors
    ///
    /// If it is the entry, or there is no such block.
    pub fn forget(&mut self, block: Block) -> Result<(), UpdateError> {
        self.known.forget(block)?;
        self.set(block, None);
        Ok(())
    }
}

impl<T> Deref for Numbered<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.known
    }
}

impl DerefMut for Numbered<'_, Profile> {
    fn deref_mut(&mut self) -> &mut Profile {
        &mut self.known
    }
}
