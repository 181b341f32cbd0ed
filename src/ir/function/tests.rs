//! Tests of the profiles and block numbers that `Function` returns before and after a pass changes the function.

use super::super::inkwell::basic_block::BasicBlock;
use super::super::inkwell::builder::Builder;
use super::super::inkwell::context::Context;
use super::super::inkwell::memory_buffer::MemoryBuffer;
use super::super::inkwell::module::Module;
use super::super::llvm::core::*;
use super::*;
use std::borrow::Borrow;

use bpa_core::bpi::Probability;
use bpa_core::cfg::Block;
use bpa_core::profile::{BlockFrequency, Profile, UpdateError};

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
    define void @h() {
    only:
      ret void
    }
    !0 = !{!\"branch_weights\", i32 3, i32 5}\0";

fn module(context: &Context) -> Module<'_> {
    let text = MemoryBuffer::create_from_memory_range_copy(DIAMOND.as_bytes(), "diamond");
    context.create_module_from_ir(text).expect("well-formed IR")
}

fn function<'ctx>(module: &Module<'ctx>) -> Function<'ctx> {
    Function::new(module.get_function("f").unwrap()).unwrap()
}

/// In the block `source`, replaces the successor at index `place` with the block `target`.
fn lead(source: BasicBlock, place: u32, target: BasicBlock) {
    let terminator = source.get_terminator().unwrap().as_value_ref();
    // SAFETY: the terminator has a successor at index `place`, and both blocks belong to the same function.
    unsafe { LLVMSetSuccessor(terminator, place, target.as_mut_ptr()) };
}

/// Creates a block that follows `before` and jumps to `target`.
fn block_to<'ctx>(
    context: &'ctx Context,
    before: BasicBlock<'ctx>,
    target: BasicBlock<'ctx>,
) -> BasicBlock<'ctx> {
    let block = context.insert_basic_block_after(before, "middle");
    let builder: Builder<'ctx> = context.create_builder();
    builder.position_at_end(block);
    let _ = builder.build_unconditional_branch(target);
    block
}

fn names<T>(numbered: &Numbered<T>) -> Vec<String> {
    numbered.basic_blocks().map(|(block, _)| numbered.block_name(block)).collect()
}

#[test]
fn blocks_are_known_by_number_and_name() {
    let context = Context::create();
    let module = module(&context);
    let function = function(&module);
    let profile = function.profile();
    assert_eq!(names(&profile), ["%entry", "%\"then \\22a\"", "%0", "%end"]);
    for (block, basic_block) in profile.basic_blocks() {
        assert_eq!(profile.block(basic_block), Some(block));
        assert_eq!(profile.basic_block(block), basic_block);
    }
    assert_eq!(profile.basic_blocks().count(), 4);
    assert_eq!(function.name(), "f");
    assert!(Function::new(module.get_function("g").unwrap()).is_none());
    let other = Function::new(module.get_function("h").unwrap()).unwrap().value().get_last_basic_block();
    assert_eq!(profile.block(other.unwrap()), None);
}

/// A pass splits an edge and updates the profile. The updated profile equals a new profile, except for the numbers of
/// blocks. In the updated profile, the added block has the highest number. In the new profile, the blocks that follow
/// the added block in layout order have higher numbers.
#[test]
fn a_profile_with_a_split_edge_equals_a_new_profile() {
    let context = Context::create();
    let module = module(&context);
    let function = function(&module);
    let mut profile = function.profile();
    let [entry, then, end] = [0, 1, 3].map(Block::from_u32);

    let middle = block_to(&context, profile.basic_block(entry), profile.basic_block(end));
    lead(profile.basic_block(entry), 0, middle);
    assert_eq!(profile.block(middle), None);

    let number = profile.add_block(middle, profile.edge_frequency(entry, 0));
    assert_eq!((profile.block(middle), profile.basic_block(number)), (Some(number), middle));
    assert_eq!(profile.block_name(number), "%middle");
    let probabilities = profile.probabilities(entry).to_vec();
    let other = profile.successors(entry)[1];
    profile.set_successors(number, &[(end, Probability::ONE)]).unwrap();
    profile.set_successors(entry, &[(number, probabilities[0]), (other, probabilities[1])]).unwrap();
    // The block `then` is unreachable after the split.
    profile.set_frequency(then, BlockFrequency::NEVER).unwrap();
    assert_eq!(profile.frequency(number).to_string(), "0.375");

    let new = function.profile();
    assert_eq!(names(&new), ["%entry", "%middle", "%\"then \\22a\"", "%0", "%end"]);
    for (block, basic_block) in new.basic_blocks() {
        let updated = profile.block(basic_block).unwrap();
        let successors = |profile: &LiveProfile, block| -> Vec<String> {
            profile.successors(block).iter().map(|&to| profile.block_name(to)).collect()
        };
        assert_eq!(successors(&profile, updated), successors(&new, block));
        assert_eq!(profile.probabilities(updated), new.probabilities(block));
        assert_eq!(profile.frequency(updated).to_string(), new.frequency(block).to_string());
    }
    assert!(!profile.dominators().contains(then));
    assert!(function
        .control_flow()
        .dominators()
        .dominates(new.block(middle).unwrap(), new.block(middle).unwrap()));
}

/// The names of the blocks with their frequencies.
fn frequencies<T: Borrow<Profile>>(numbered: &Numbered<T>) -> Vec<(String, String)> {
    let profile = numbered.as_ref();
    let of = |(block, _)| (numbered.block_name(block), profile.frequency(block).to_string());
    numbered.basic_blocks().map(of).collect()
}

/// A function that accepts live profiles also accepts cached profiles.
#[test]
fn live_and_cached_profiles_have_the_same_blocks_and_numbers() {
    let context = Context::create();
    let module = module(&context);
    let function = function(&module);
    assert_eq!(frequencies(&function.cached_profile()), frequencies(&function.profile()));
}

/// A pass splits an edge and merges the new block into its predecessor. The function then has its original blocks and
/// edges.
#[test]
fn a_merged_block_loses_its_number() {
    let context = Context::create();
    let module = module(&context);
    let function = function(&module);
    let mut profile = function.profile();
    let [then, other, end] = [1, 2, 3].map(Block::from_u32);

    let middle = block_to(&context, profile.basic_block(then), profile.basic_block(end));
    lead(profile.basic_block(then), 0, middle);
    let number = profile.split_edge(then, 0, middle).unwrap();
    assert_eq!((profile.block(middle), profile.successors(then)), (Some(number), &[number][..]));

    assert_eq!(profile.merge_successor(then), Ok(number));
    assert_eq!(profile.block(middle), None);
    lead(profile.basic_block(then), 0, profile.basic_block(end));
    // SAFETY: nothing uses the block or its inkwell values any more.
    unsafe { middle.delete() }.unwrap();
    assert_eq!(profile.successors(then), [end]);
    assert_eq!(frequencies(&profile), frequencies(&function.profile()));

    // The block `end` cannot be merged, because `end` has another predecessor. The profile does not change.
    let error = UpdateError::OtherPredecessor { block: end, other };
    assert_eq!(profile.merge_successor(then), Err(error));
    assert_eq!(frequencies(&profile), frequencies(&function.profile()));
}

/// A profile that was computed before a change describes the unchanged function, and does not read deleted blocks.
#[test]
fn a_deleted_block_has_no_number_in_new_profiles_and_is_not_read_by_old_ones() {
    let context = Context::create();
    let module = module(&context);
    let function = function(&module);
    let (before, mut updated) = (function.profile(), function.profile());
    let (named, control_flow) = (function.profile(), function.control_flow());
    assert_eq!(named.block_name(Block::from_u32(1)), "%\"then \\22a\"");
    let [entry, then, end] = [0, 1, 3].map(Block::from_u32);

    lead(updated.basic_block(entry), 0, updated.basic_block(end));
    let other = updated.successors(entry)[1];
    let probabilities = updated.probabilities(entry).to_vec();
    updated.set_successors(entry, &[(end, probabilities[0]), (other, probabilities[1])]).unwrap();
    let deleted = updated.basic_block(then);
    updated.forget(then).unwrap();
    // SAFETY: nothing uses the block or its inkwell values any more.
    unsafe { deleted.delete() }.unwrap();

    assert_eq!(names(&function.profile()), ["%entry", "%0", "%end"]);
    assert_eq!(names(&updated), ["%entry", "%0", "%end"]);
    assert_eq!(updated.block_name(then), "<deleted>");
    assert_eq!(updated.frequency(then), BlockFrequency::NEVER);
    for old in [&before, &named] {
        assert_eq!(old.successors(entry), [then, other]);
        assert_eq!(old.dominators().idom(end), Some(entry));
        assert_eq!(old.frequency(then).to_string(), "0.375");
    }
    let by_number = |old: &LiveProfile| [0, 1, 2, 3].map(|number| old.block_name(Block::from_u32(number)));
    assert_eq!(by_number(&before), ["%entry", "<deleted>", "%0", "%end"]);
    assert_eq!(by_number(&named), ["%entry", "%\"then \\22a\"", "%0", "%end"]);
    assert_eq!(names(&before), ["%entry", "%0", "%end"]);
    assert_eq!(control_flow.block_name(then), "<deleted>");
    assert_eq!(updated.forget(entry), Err(bpa_core::profile::UpdateError::Entry));
}

#[test]
fn moved_blocks_are_numbered_in_the_new_layout_order() {
    let context = Context::create();
    let module = module(&context);
    let function = function(&module);
    let before = function.profile();
    let [then, end] = [1, 3].map(|number| before.basic_block(Block::from_u32(number)));
    then.move_after(end).unwrap();
    let after = function.profile();
    assert_eq!(names(&after), ["%entry", "%0", "%end", "%\"then \\22a\""]);
    assert_eq!((before.block(then), after.block(then)), (Some(Block::from_u32(1)), Some(Block::from_u32(3))));
    assert_eq!(after.frequency(Block::from_u32(3)), before.frequency(Block::from_u32(1)));
}

/// A pass can request a profile while it changes a function. At this time, a block can lack a terminator, have
/// two terminators, or belong to no function.
#[test]
fn unfinished_blocks_can_be_read() {
    let context = Context::create();
    let module = module(&context);
    let function = function(&module);
    let value = function.value();
    let [entry, then, end] = [0, 1, 3].map(|number| function.profile().basic_block(Block::from_u32(number)));

    context.append_basic_block(value, "empty");
    let open = context.append_basic_block(value, "open");
    let builder: Builder = context.create_builder();
    builder.position_at_end(open);
    let _ = builder.build_alloca(context.i8_type(), "x");
    let profile = function.profile();
    assert_eq!(names(&profile)[4..], ["%empty", "%open"]);
    assert_eq!(profile.successors(profile.block(open).unwrap()), []);

    // If a block has two terminators, bpa uses the last terminator.
    builder.position_at_end(then);
    let _ = builder.build_unconditional_branch(open);
    let profile = function.profile();
    let [then_number, open_number, end_number] = [then, open, end].map(|block| profile.block(block).unwrap());
    assert_eq!(profile.successors(then_number), [open_number]);
    assert_eq!(profile.graph().predecessors(end_number), [Block::from_u32(2)]);
    lead(entry, 0, end);
    let profile = function.profile();
    assert_eq!(profile.graph().predecessors(end_number).len(), 2);
    assert!(!profile.graph().predecessors(end_number).contains(&then_number));
    assert_eq!(function.control_flow().predecessors(end_number), profile.graph().predecessors(end_number));

    // A block that was removed from its function keeps its successors.
    then.remove_from_function().unwrap();
    let profile = function.profile();
    assert_eq!(names(&profile), ["%entry", "%0", "%end", "%empty", "%open"]);
    assert_eq!(profile.graph().predecessors(profile.block(end).unwrap()).len(), 2);
    // SAFETY: the block belongs to no function, and no terminator has it as a successor.
    unsafe {
        LLVMAppendExistingBasicBlock(value.as_value_ref(), then.as_mut_ptr());
        then.delete().unwrap();
    }
}

#[test]
#[should_panic(expected = "an edge leads to a block without a number")]
fn an_edge_to_another_function_is_an_error() {
    let context = Context::create();
    let module = module(&context);
    let function = function(&module);
    let other = module.get_function("h").unwrap().get_first_basic_block().unwrap();
    lead(function.value().get_first_basic_block().unwrap(), 0, other);
    function.profile();
}

#[test]
#[should_panic(expected = "an edge leads to a block without a number")]
fn an_edge_to_a_new_block_is_an_error() {
    let context = Context::create();
    let module = module(&context);
    let function = function(&module);
    let live = function.live();
    let entry = function.value().get_first_basic_block().unwrap();
    lead(entry, 0, block_to(&context, entry, function.value().get_last_basic_block().unwrap()));
    live.graph();
}

#[test]
#[should_panic(expected = "the facts describe the current IR")]
fn statistics_of_another_function_are_an_error() {
    let context = Context::create();
    let module = module(&context);
    let other = Function::new(module.get_function("h").unwrap()).unwrap();
    function(&module).live().statistics(&other.facts());
}

#[test]
fn numbers_without_a_block_are_errors() {
    let context = Context::create();
    let module = module(&context);
    let profile = function(&module).profile();
    let unknown = Block::from_u32(4);
    for ask in [
        (|profile, block| drop(profile.block_name(block))) as fn(&LiveProfile, Block),
        |profile, block| drop(profile.basic_block(block).get_name().to_owned()),
        |profile, block| drop(profile.frequency(block).to_string()),
    ] {
        let asked = std::panic::AssertUnwindSafe(|| ask(&profile, unknown));
        assert!(std::panic::catch_unwind(asked).is_err());
    }
}

/// If there is no pass manager, profiles are not cached.
#[test]
fn a_function_without_a_pass_manager_caches_no_profile() {
    let context = Context::create();
    let module = module(&context);
    let function = function(&module);
    let before = function.cached_profile();
    let end = before.basic_block(Block::from_u32(3));
    lead(before.basic_block(Block::from_u32(0)), 0, end);
    assert_eq!(before.successors(Block::from_u32(0)), [1, 2].map(Block::from_u32));
    assert_eq!(function.cached_profile().successors(Block::from_u32(0)), [3, 2].map(Block::from_u32));
}

#[test]
fn explanations_are_data_and_text() {
    use bpa_core::bpi::{Explanation, Rule};

    let context = Context::create();
    let module = module(&context);
    let explained = function(&module).explanations();
    let entry = explained.profile().graph().entry();
    let Explanation::Decided(decision) = explained.of(entry) else { panic!("nothing was decided") };
    assert_eq!((decision.decisive().rule, &decision.decisive().weights[..]), (Rule::Metadata, &[3, 5][..]));
    assert_eq!(explained.of(Block::from_u32(3)), &Explanation::SingleSuccessor);
    assert_eq!((explained.derivation(entry, 0), explained.derivation(entry, 2)), (None, None));
    assert!(explained.probabilities_text().contains("metadata, 3 of 8: its branch weight."));
    assert!(explained.frequencies_text().contains("0.375 from %entry: 37.50% of 1.0."));
}

/// LLVM's allocator reuses the memory of a deleted block.
#[test]
fn a_block_at_the_address_of_a_deleted_one_has_no_number() {
    let context = Context::create();
    let module = module(&context);
    let function = function(&module);
    let append = |name| context.append_basic_block(function.value(), name);
    let dead = append("dead");
    let builder = context.create_builder();
    builder.position_at_end(dead);
    builder.build_unreachable().expect("the block has no terminator");
    let (mut profile, old) = (function.profile(), Block::from_u32(4));
    let address = dead.as_mut_ptr();
    assert_eq!((profile.block(dead), profile.block_name(old).as_str()), (Some(old), "%dead"));
    // SAFETY: nothing uses the block.
    unsafe { dead.delete() }.expect("the block belongs to a function");
    let at_address = |name| (0..1000).map(|_| append(name)).find(|block| block.as_mut_ptr() == address);
    let fresh = at_address("fresh").expect("the allocator reuses the memory of the deleted block");
    assert_eq!(profile.block(fresh), None);
    assert!(profile.basic_blocks().all(|(block, _)| block != old));

    let added = profile.add_block(fresh, BlockFrequency::NEVER);
    assert_eq!((profile.block(fresh), profile.block_name(added).as_str()), (Some(added), "%fresh"));
    assert_eq!(profile.block_name(old), "<deleted>");
    // SAFETY: nothing uses the block.
    unsafe { fresh.delete() }.expect("the block belongs to a function");
    let again = at_address("again").expect("the allocator reuses the memory of the deleted block");
    assert_eq!(profile.block(again), None);
}

#[test]
fn a_profile_outlives_its_function() {
    let context = Context::create();
    let module = module(&context);
    let function = function(&module);
    let profile = function.profile();
    // SAFETY: nothing uses the function.
    unsafe { function.value().delete() };
    assert_eq!(profile.block_name(Block::from_u32(0)), "<deleted>");
    assert_eq!(profile.basic_blocks().count(), 0);
    assert_eq!(profile.successors(Block::from_u32(0)), [1, 2].map(Block::from_u32));
}

#[test]
#[should_panic(expected = "does not belong to this function")]
fn a_block_of_another_function_cannot_be_added() {
    let context = Context::create();
    let module = module(&context);
    let other = module.add_function("other", context.void_type().fn_type(&[], false), None);
    let block = context.append_basic_block(other, "entry");
    function(&module).profile().add_block(block, BlockFrequency::NEVER);
}
