//! Functions that use inkwell and LLVM's C API to change LLVM IR.

use std::collections::HashSet;

use bpa::inkwell::basic_block::BasicBlock;
use bpa::inkwell::llvm_sys::core::*;
use bpa::inkwell::values::{AsValueRef, InstructionOpcode, InstructionValue, PhiValue};

/// A block that ends in a `br` or `switch` with several successors.
#[derive(Clone, Copy)]
pub struct Branch<'ctx> {
    pub block: BasicBlock<'ctx>,
    terminator: InstructionValue<'ctx>,
}

impl<'ctx> Branch<'ctx> {
    pub fn of(block: BasicBlock<'ctx>) -> Option<Self> {
        use InstructionOpcode::{CallBr, CatchSwitch, IndirectBr, Invoke};
        let terminator = block.get_terminator()?;
        let can_be_changed = !matches!(terminator.get_opcode(), CallBr | CatchSwitch | IndirectBr | Invoke);
        // SAFETY: the instruction is a terminator.
        let count = unsafe { LLVMGetNumSuccessors(terminator.as_value_ref()) };
        (can_be_changed && count > 1).then_some(Branch { block, terminator })
    }
}

/// Splits the edge to `target`, the successor with index `place`.
pub fn split<'ctx>(branch: Branch<'ctx>, place: usize, target: BasicBlock<'ctx>) -> BasicBlock<'ctx> {
    let context = target.get_context();
    let middle = context.insert_basic_block_after(branch.block, "split");
    let builder = context.create_builder();
    builder.position_at_end(middle);
    builder.build_unconditional_branch(target).expect("the builder is at the end of a block");
    // SAFETY: the terminator has a successor with this index, and the block is in the same function.
    unsafe { LLVMSetSuccessor(branch.terminator.as_value_ref(), place as u32, middle.as_mut_ptr()) };
    let mut is_first = true;
    change_phis(target, |block| {
        // Only the first of several parallel edges is split.
        let is_moved = block == branch.block && std::mem::take(&mut is_first);
        Some(if is_moved { middle } else { block })
    });
    middle
}

/// Replaces `branch` by a jump to `kept`. `targets` are the successors of `branch`.
pub fn make_jump(branch: Branch, targets: &[BasicBlock], kept: BasicBlock) {
    let builder = kept.get_context().create_builder();
    builder.position_before(&branch.terminator);
    builder.build_unconditional_branch(kept).expect("the builder has an insertion point");
    branch.terminator.erase_from_basic_block();
    let mut seen = Vec::new();
    for &target in targets {
        if !seen.contains(&target) {
            seen.push(target);
            // One edge to `kept` remains, so each phi of `kept` keeps one incoming value from the branch's block.
            let mut is_left = target == kept;
            change_phis(target, |block| {
                (block != branch.block || std::mem::take(&mut is_left)).then_some(block)
            });
        }
    }
}

/// Removes the terminators of the unreachable blocks `dead`, and all uses of values that these blocks define. `targets`
/// are the reachable successors of these blocks.
pub fn take_out(dead: &[BasicBlock], targets: &[BasicBlock]) {
    let is_dead: HashSet<_> = dead.iter().copied().collect();
    for &target in targets {
        change_phis(target, |block| (!is_dead.contains(&block)).then_some(block));
    }
    for instruction in dead.iter().flat_map(|block| block.get_instructions()) {
        let value = instruction.as_value_ref();
        // SAFETY: a value is replaced by a value of the same type.
        unsafe {
            if !LLVMGetFirstUse(value).is_null() {
                LLVMReplaceAllUsesWith(value, LLVMGetUndef(LLVMTypeOf(value)));
            }
        }
    }
    // Now only terminators refer to the dead blocks.
    dead.iter().filter_map(|block| block.get_terminator()).for_each(|terminator| {
        terminator.erase_from_basic_block();
    });
}

/// Replaces each incoming block b of the phis of `block` by `from(b)`. If `from(b)` is `None`, removes b and its value.
/// LLVM's C API can only add incoming values, so each phi is replaced by a new phi.
fn change_phis<'ctx>(
    block: BasicBlock<'ctx>,
    mut from: impl FnMut(BasicBlock<'ctx>) -> Option<BasicBlock<'ctx>>,
) {
    let builder = block.get_context().create_builder();
    let phis: Vec<_> = block.get_instructions().map_while(|first| PhiValue::try_from(first).ok()).collect();
    let Some(&first) = phis.first() else { return };
    // All phis of a block have equal sets of incoming blocks.
    let incoming = |phi: PhiValue<'ctx>| (0..phi.count_incoming()).filter_map(move |i| phi.get_incoming(i));
    let blocks: Vec<_> = incoming(first).map(|(_, block)| (block, from(block))).collect();
    for phi in phis {
        builder.position_before(&phi.as_instruction());
        let new = builder
            .build_phi(phi.as_basic_value().get_type(), "")
            .expect("the builder has an insertion point");
        let mut known = blocks.clone();
        for (value, block) in incoming(phi) {
            // Two phis of a block can list the incoming blocks in different orders.
            let place = known.iter().position(|&(old, _)| old == block).expect("the block is a predecessor");
            if let (_, Some(now)) = known.remove(place) {
                new.add_incoming(&[(&value, now)]);
            }
        }
        phi.replace_all_uses_with(&new);
        phi.as_instruction().erase_from_basic_block();
    }
}
