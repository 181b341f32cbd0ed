//! Splits edges, and updates a profile after each split.
//!
//! ```sh
//! cargo build --release --examples
//! opt -load-pass-plugin=target/release/examples/libsplit_edges.so -passes=split-edges my.bc -o split.bc
//! ```
//!
//! First, the pass inserts a block on every critical edge. Passes that insert code on edges need these blocks. Then the
//! pass inserts a block on the least likely edge of each branch. Only edges of `br` and `switch` are split, because
//! one new block is not enough to split an edge to an exception handler.
//!
//! The pass updates a profile after each split. After every few splits, the pass compares the updated profile with a
//! new profile of the function. If the profiles differ, the pass panics, which ends the process. `split-edges-printing`
//! also prints the probabilities and frequencies of the resulting function, like
//! `-passes='function(split-edges,print<branch-prob>,print<block-freq>)'`.

use bpa::cfg::Block;
use bpa::dialect::BlockNameStyle;
use bpa::inkwell::basic_block::BasicBlock;
use bpa::inkwell::llvm_sys::core::LLVMSetSuccessor;
use bpa::inkwell::values::{AsValueRef, InstructionOpcode, InstructionValue, PhiValue};
use bpa::plugin::{Preserved, Registry};
use bpa::{report, Function, LiveProfile};

bpa::plugin!("split-edges", register);

fn register(registry: &mut Registry) {
    registry.add_pass("split-edges", |function| split(function, |_, _| ()));
    registry.add_pass("split-edges-printing", |function| split(function, print));
}

/// Splits the edges of a function and calls `report` with the result.
fn split(function: &mut Function, report: impl Fn(&Function, &LiveProfile)) -> Preserved {
    let mut splitting = Splitting::new(function);
    for (source, place) in critical_edges(&splitting.profile) {
        splitting.split(source, place);
    }
    // A block can have different numbers in the new profile and in the updated profile.
    let profile = function.profile();
    for (source, place) in unlikely_edges(&profile) {
        let source =
            splitting.profile.block(profile.basic_block(source)).expect("the profile contains every block");
        splitting.split(source, place);
    }
    splitting.check();
    report(function, &function.profile());
    if splitting.blocks == 0 {
        Preserved::All
    } else {
        Preserved::Nothing
    }
}

/// An edge: the number of a block and the index of the successor.
type Edge = (Block, usize);

/// The edges from blocks with several successors to blocks with several predecessors. After one of these edges is
/// split, the other edges are still critical.
fn critical_edges(profile: &LiveProfile) -> Vec<Edge> {
    let has_several_predecessors = |&block: &Block| profile.graph().predecessors(block).len() > 1;
    let mut edges = Vec::new();
    for source in branches(profile) {
        let successors = profile.successors(source).iter().enumerate();
        edges.extend(
            successors.filter(|edge| has_several_predecessors(edge.1)).map(|(place, _)| (source, place)),
        );
    }
    edges
}

/// The least likely edge of each block with several successors.
fn unlikely_edges(profile: &LiveProfile) -> Vec<Edge> {
    let least =
        |source| (0..profile.successors(source).len()).min_by_key(|&i| profile.edge_probability(source, i));
    branches(profile).filter_map(|source| Some((source, least(source)?))).collect()
}

/// The blocks with several successors whose edges can be split.
fn branches<'a>(profile: &'a LiveProfile) -> impl Iterator<Item = Block> + 'a {
    let can_be_split = |terminator: InstructionValue| {
        use InstructionOpcode::{CallBr, CatchSwitch, IndirectBr, Invoke};
        !matches!(terminator.get_opcode(), CallBr | CatchSwitch | IndirectBr | Invoke)
    };
    let blocks =
        profile.basic_blocks().filter(move |(_, block)| block.get_terminator().is_some_and(can_be_split));
    blocks.map(|(block, _)| block).filter(|&block| profile.successors(block).len() > 1)
}

/// A function with edges that are being split.
struct Splitting<'a, 'ctx> {
    function: &'a Function<'ctx>,
    /// The profile, which is updated after every split.
    profile: LiveProfile<'ctx>,
    /// The number of added blocks.
    blocks: usize,
}

impl<'a, 'ctx> Splitting<'a, 'ctx> {
    fn new(function: &'a Function<'ctx>) -> Self {
        Splitting { function, profile: function.profile(), blocks: 0 }
    }

    /// Inserts a new block on an edge.
    fn split(&mut self, source: Block, place: usize) {
        let target = self.profile.successors(source)[place];
        let [source_block, target_block] = [source, target].map(|block| self.profile.basic_block(block));
        let context = self.function.value().get_type().get_context();
        let middle = context.insert_basic_block_after(source_block, "split");
        let builder = context.create_builder();
        builder.position_at_end(middle);
        builder.build_unconditional_branch(target_block).expect("the builder has a block");
        let terminator = source_block.get_terminator().expect("a block with successors");
        // SAFETY: the terminator has a successor at index `place`, and `middle` belongs to the same function.
        unsafe { LLVMSetSuccessor(terminator.as_value_ref(), place as u32, middle.as_mut_ptr()) };
        redirect_phis(target_block, source_block, middle);

        self.profile.split_edge(source, place, middle).expect("the profile has the edge");
        self.blocks += 1;
        // In small functions, the updated profile is compared with a new profile after each split. In large functions,
        // the updated profile is compared with a new profile about twenty times.
        if self.blocks % (self.profile.blocks().len() / 20).max(1) == 0 {
            self.check();
        }
    }

    /// Compares the updated profile with a new profile.
    fn check(&self) {
        let (updated, now) = (&self.profile, &self.function.profile());
        let name = self.function.name();
        let same = |updated_block: Option<Block>, block: Option<Block>| {
            updated_block
                == block.map(|block| {
                    updated.block(now.basic_block(block)).expect("the profile contains every block")
                })
        };
        // If an infinite loop has no path to an exit, post-dominators depend on the order of blocks and are not
        // compared.
        let ends = now.post_dominators().roots().iter().all(|&root| now.successors(root).is_empty());
        assert_eq!(updated.blocks().len(), now.blocks().len(), "blocks of {name}");
        for block in now.blocks() {
            let old = updated.block(now.basic_block(block)).expect("the profile contains every block");
            let mut edges = updated.successors(old).iter().zip(now.successors(block));
            assert!(edges.all(|(&old, &new)| same(Some(old), Some(new))), "successors in {name}");
            assert!(
                same(updated.dominators().idom(old), now.dominators().idom(block)),
                "dominators in {name}"
            );
            let ipdoms = (updated.post_dominators().ipdom(old), now.post_dominators().ipdom(block));
            assert!(!ends || same(ipdoms.0, ipdoms.1), "post-dominators in {name}");
            let header = |profile: &LiveProfile, block| {
                profile.loops().innermost(block).map(|natural| profile.loops().header(natural))
            };
            assert!(same(header(updated, old), header(now, block)), "loops in {name}");
        }
    }
}

/// In each phi of `target`, replaces one incoming block `source` by `middle`.
fn redirect_phis(target: BasicBlock, source: BasicBlock, middle: BasicBlock) {
    let builder = target.get_context().create_builder();
    let phis: Vec<_> = target.get_instructions().map_while(|first| PhiValue::try_from(first).ok()).collect();
    for phi in phis {
        builder.position_before(&phi.as_instruction());
        let new = builder.build_phi(phi.as_basic_value().get_type(), "").expect("the builder has a block");
        let mut from_source = true;
        for (value, mut block) in (0..phi.count_incoming()).filter_map(|place| phi.get_incoming(place)) {
            if block == source && std::mem::take(&mut from_source) {
                block = middle;
            }
            new.add_incoming(&[(&value, block)]);
        }
        phi.replace_all_uses_with(&new);
        phi.as_instruction().erase_from_basic_block();
    }
}

/// Prints probabilities and frequencies in the format of LLVM's printers.
fn print(function: &Function, profile: &LiveProfile) {
    let dialect = profile.dialect();
    let value = function.value();
    let name = value.get_name().to_bytes();
    let write_name = |style| {
        move |block, out: &mut Vec<u8>| match style {
            BlockNameStyle::Bare => out.extend_from_slice(profile.basic_block(block).get_name().to_bytes()),
            BlockNameStyle::Operand => out.extend_from_slice(profile.block_name(block).as_bytes()),
        }
    };
    let mut out = Vec::new();
    report::write_header(dialect.probability_header, name, &mut out);
    report::write_probabilities(profile, write_name(dialect.probability_block_names), &mut out);
    report::write_header(dialect.frequency_header, name, &mut out);
    report::write_frequencies(name, profile, write_name(dialect.frequency_block_names), &mut out);
    eprint!("{}", String::from_utf8_lossy(&out));
}
