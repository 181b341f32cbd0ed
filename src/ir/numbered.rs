//! Analysis results for a live function, and the block numbers that these results use.

use std::borrow::Borrow;
use std::cell::OnceCell;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashMap;

use super::handles::Handles;
use super::inkwell::basic_block::BasicBlock;
use super::inkwell::values::FunctionValue;
use super::live::LiveFunction;
use super::llvm::prelude::LLVMBasicBlockRef;
use super::names::BlockNames;
use super::numbering::Numbering;
use super::value;
use bpa_core::cfg::{table, Block, ControlFlow};
use bpa_core::dialect::BlockNameStyle;
use bpa_core::profile::{BlockFrequency, Profile, UpdateError};

/// A profile of a live function, with methods to update it.
pub type LiveProfile<'ctx> = Numbered<'ctx, Profile>;

/// A cached profile of a live function. The cache keeps the profile between passes.
pub type CachedProfile<'ctx> = Numbered<'ctx, Rc<Profile>>;

/// Dominators, loops and similar structures of a live function.
pub type LiveControlFlow<'ctx> = Numbered<'ctx, ControlFlow>;

/// The blocks of a function with their numbers and value handles.
pub(crate) struct WatchedBlocks {
    /// Maps the addresses of the blocks to their numbers.
    numbering: Numbering,
    /// The handle of the function, then the handles of the blocks.
    handles: Handles,
}

impl WatchedBlocks {
    /// Numbers the blocks of the live function, and creates handles for the function and its blocks.
    pub fn new(live: &LiveFunction) -> Self {
        let numbering = live.numbering();
        let blocks = live.basic_blocks().map(|(_, block)| block.value());
        let handles = Handles::new(&[*live.value()].into_iter().chain(blocks).collect::<Vec<_>>());
        WatchedBlocks { numbering, handles }
    }

    /// The number of the block at this address, if the numbered block still exists.
    fn find(&self, address: LLVMBasicBlockRef) -> Option<Block> {
        self.numbering.find(address).filter(|&block| self.is_alive(block))
    }

    fn is_alive(&self, block: Block) -> bool {
        self.handles.is_alive(1 + block.index())
    }

    fn has_function(&self) -> bool {
        self.handles.is_alive(0)
    }

    fn count(&self) -> usize {
        self.numbering.blocks().len()
    }
}

/// Results about a live function, with numbers for its blocks. The entry is block 0, and the other blocks follow in
/// layout order.
///
/// The results and block numbers describe the function at the time of the computation, even if the function changes
/// later. Results that are computed after a change can number the blocks differently. A deleted block no longer has a
/// number. A new block does not get the number of a deleted block, even if the addresses of the two blocks are equal.
/// Methods with a block number as argument panic if no block has this number.
pub struct Numbered<'ctx, T> {
    known: T,
    function: FunctionValue<'ctx>,
    watched: Rc<WatchedBlocks>,
    /// `None` for a block that was [forgotten](Numbered::forget). This map can still contain a deleted block.
    blocks: PrimaryMap<Block, Option<BasicBlock<'ctx>>>,
    /// Maps each added basic block to its number.
    added: FxHashMap<LLVMBasicBlockRef, Block>,
    /// The handles of the added blocks, in the order of their numbers.
    added_handles: Handles,
    names: OnceCell<PrimaryMap<Block, String>>,
}

/// The name of a deleted block.
const DELETED: &str = "<deleted>";

impl<'ctx, T> Numbered<'ctx, T> {
    /// Wraps the results `known`, which describe `function`. The table `watched` contains the numbers of the blocks in
    /// `known`.
    pub(super) fn new(known: T, function: FunctionValue<'ctx>, watched: Rc<WatchedBlocks>) -> Self {
        let mut blocks = table(watched.count(), None);
        for basic_block in function.get_basic_block_iter() {
            if let Some(block) = watched.find(basic_block.as_mut_ptr()) {
                blocks[block] = Some(basic_block);
            }
        }
        let (added, added_handles, names) = (FxHashMap::default(), Handles::new(&[]), OnceCell::new());
        Numbered { known, function, watched, blocks, added, added_handles, names }
    }

    /// All blocks with their numbers. Deleted blocks, and blocks for which [`forget`](Numbered::forget) was called, are
    /// omitted.
    pub fn basic_blocks(&self) -> impl Iterator<Item = (Block, BasicBlock<'ctx>)> + '_ {
        self.blocks.keys().filter_map(|block| Some((block, self.alive(block)?)))
    }

    /// The number of a block. The result is `None` if the block has no number in these results, for example because the
    /// block was added later.
    pub fn block(&self, basic_block: BasicBlock<'ctx>) -> Option<Block> {
        let address = basic_block.as_mut_ptr();
        let added = self.added.get(&address).copied().filter(|&block| self.alive(block).is_some());
        let block = added.or_else(|| self.watched.find(address))?;
        (self.alive(block) == Some(basic_block)).then_some(block)
    }

    /// The block with a given number.
    ///
    /// # Panics
    ///
    /// Panics if no block has this number, or if the block was [forgotten](Numbered::forget) or deleted.
    pub fn basic_block(&self, block: Block) -> BasicBlock<'ctx> {
        self.alive(block).unwrap_or_else(|| panic!("{block} is not a block of this function"))
    }

    /// The basic block with the number `block`. The result is `None` if the basic block was deleted, or if
    /// [`forget`](Numbered::forget) was called for it.
    fn alive(&self, block: Block) -> Option<BasicBlock<'ctx>> {
        let basic_block = self.blocks.get(block).copied().flatten()?;
        let is_alive = match block.index().checked_sub(self.watched.count()) {
            None => self.watched.is_alive(block),
            Some(place) => self.added_handles.is_alive(place),
        };
        is_alive.then_some(basic_block)
    }

    /// The name of a block, as LLVM's assembly writes it: `%entry`, `%"a b"`, or `%7` for a block without a name. The
    /// first call reads all names. After a call of [`add_block`](Numbered::add_block) or [`forget`](Numbered::forget),
    /// the next call of this method reads the names again. The name of a deleted block is `<deleted>`.
    ///
    /// # Panics
    ///
    /// Panics if no block has this number.
    pub fn block_name(&self, block: Block) -> String {
        let name = self.names.get_or_init(|| self.read_names()).get(block);
        name.unwrap_or_else(|| panic!("{block} is not a block of this function")).clone()
    }

    /// The current names of the function's blocks.
    fn read_names(&self) -> PrimaryMap<Block, String> {
        let function = self.watched.has_function().then(|| value::FunctionRef::of(self.function));
        let live = function.and_then(LiveFunction::new);
        let names = live.as_ref().map(|live| (live, BlockNames::new(live, BlockNameStyle::Operand)));
        let name = |basic_block: &BasicBlock| {
            let (live, names) = names.as_ref()?;
            Some(names.operand(live.find(value::BasicBlock::of(basic_block))?))
        };
        let name_or_not = |block| {
            let name = self.alive(block).as_ref().and_then(name);
            name.unwrap_or_else(|| DELETED.to_string())
        };
        self.blocks.keys().map(name_or_not).collect()
    }

    fn forget_block(&mut self, block: Block) {
        self.blocks[block] = None;
        self.names.take();
    }
}

impl<'ctx> Numbered<'ctx, Profile> {
    /// Gives a number to a block that a pass has created, and [adds](Profile::add_block) the block to the profile with
    /// the given frequency. The caller must then set the successors of the block. If the block already has a number,
    /// the block gets a new number.
    ///
    /// # Panics
    ///
    /// Panics if the block belongs to another function.
    pub fn add_block(&mut self, basic_block: BasicBlock<'ctx>, frequency: BlockFrequency) -> Block {
        self.check_owner(basic_block);
        if let Some(before) = self.block(basic_block) {
            self.forget_block(before);
        }
        let block = self.known.add_block(frequency);
        self.number(block, basic_block);
        block
    }

    /// Panics if the block belongs to another function.
    fn check_owner(&self, basic_block: BasicBlock<'ctx>) {
        let owner = basic_block.get_parent();
        assert_eq!(owner, Some(self.function), "the block does not belong to this function");
    }

    /// Assigns the number `block` to `basic_block`. The profile has already created this number.
    fn number(&mut self, block: Block, basic_block: BasicBlock<'ctx>) {
        // Callers can add blocks to the profile without adding basic blocks to the function.
        while self.blocks.next_key() < block {
            self.blocks.push(None);
            self.added_handles.push(None);
        }
        self.blocks.push(Some(basic_block));
        self.added_handles.push(Some(value::BasicBlock::of(&basic_block).value()));
        self.added.insert(basic_block.as_mut_ptr(), block);
        self.names.take();
    }

    /// Gives a number to a block that a pass has inserted on an edge, and [updates](Profile::split_edge) the profile.
    /// The edge leads from `source` to its successor at index `place`.
    ///
    /// # Errors
    ///
    /// Returns an error if `source` has no successor at index `place`.
    ///
    /// # Panics
    ///
    /// Panics if the block belongs to another function.
    pub fn split_edge(
        &mut self,
        source: Block,
        place: usize,
        basic_block: BasicBlock<'ctx>,
    ) -> Result<Block, UpdateError> {
        self.check_owner(basic_block);
        let before = self.block(basic_block);
        let block = self.known.split_edge(source, place)?;
        if let Some(before) = before {
            self.forget_block(before);
        }
        self.number(block, basic_block);
        Ok(block)
    }

    /// Merges the only successor of `block` into `block`, as [`Profile::merge_successor`] does. The pass must then
    /// delete the successor. The successor's number is not used again.
    ///
    /// # Errors
    ///
    /// Returns an error if `block` does not have exactly one successor, or if this successor has other predecessors or
    /// is the entry.
    pub fn merge_successor(&mut self, block: Block) -> Result<Block, UpdateError> {
        let merged = self.known.merge_successor(block)?;
        self.forget_block(merged);
        Ok(merged)
    }

    /// Forgets a block that a pass deletes, as [`Profile::forget`] does. The number of the block is not used again.
    ///
    /// # Errors
    ///
    /// Returns an error if the block is the entry or does not exist.
    pub fn forget(&mut self, block: Block) -> Result<(), UpdateError> {
        self.known.forget(block)?;
        self.forget_block(block);
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

/// With this trait, a function can accept live and cached profiles: `fn hottest<T: Borrow<Profile>>(numbered:
/// &Numbered<T>)`.
impl<T: Borrow<Profile>> AsRef<Profile> for Numbered<'_, T> {
    fn as_ref(&self) -> &Profile {
        self.known.borrow()
    }
}
