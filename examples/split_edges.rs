//! Splits edges, and asks for the profile while it does.
//!
//! ```sh
//! cargo build --release --examples
//! opt -load-pass-plugin=target/release/examples/libsplit_edges.so -passes=split-edges my.bc -o split.bc
//! ```
//!
//! First every critical edge gets a block, as passes need it that want to put code on edges; then the least likely
//! edge of each branch, where code could be put that need not be fast. Only edges of `br` and `switch` are split: not
//! those to where exceptions are handled, which want more than a block.
//!
//! The pass tells a profile what it does, and every few blocks holds what that says against a new profile of the
//! function as it is then. A difference is a panic, which ends the process. `split-edges-printing` also prints the
//! probabilities and frequencies of what has become, as LLVM prints them; they are those of
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

/// Splits the edges of a function. What has become is reported in the end.
fn split(function: &mut Function, report: impl Fn(&Function, &LiveProfile)) -> Preserved {
    let mut splitting = Splitting::new(function);
    for (source, place) in critical_edges(&splitting.profile) {
        splitting.split(source, place);
    }
    // Of the function as it is now; the numbers are other ones.
    let profile = function.profile();
    for (source, place) in unlikely_edges(&profile) {
        let source = splitting.profile.block(profile.basic_block(source)).expect("told of all blocks");
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

/// An edge: the number of a block, and which of its successors.
type Edge = (Block, usize);

/// The edges from blocks with several ways on to blocks with several ways there. Splitting one leaves the others
/// critical.
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

/// The least likely edge of each block with several.
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

/// A function whose edges are being split.
struct Splitting<'a, 'ctx> {
    function: &'a Function<'ctx>,
    /// Told of everything.
    profile: LiveProfile<'ctx>,
    /// How many blocks there are more than at first.
    blocks: usize,
}

impl<'a, 'ctx> Splitting<'a, 'ctx> {
    fn new(function: &'a Function<'ctx>) -> Self {
        Splitting { function, profile: function.profile(), blocks: 0 }
    }

    /// Puts a block on an edge.
    fn split(&mut self, source: Block, place: usize) {
        let target = self.profile.successors(source)[place];
        let [source_block, target_block] = [source, target].map(|block| self.profile.basic_block(block));
        let context = self.function.value().get_type().get_context();
        let middle = context.insert_basic_block_after(source_block, "split");
        let builder = context.create_builder();
        builder.position_at_end(middle);
        builder.build_unconditional_branch(target_block).expect("the builder stands at a block");
        let terminator = source_block.get_terminator().expect("a block with successors");
        // SAFETY: the terminator has a successor of this number, and the block is one of its function.
        unsafe { LLVMSetSuccessor(terminator.as_value_ref(), place as u32, middle.as_mut_ptr()) };
        redirect_phis(target_block, source_block, middle);

        self.profile.split_edge(source, place, middle).expect("the edge is there");
        self.blocks += 1;
        // Each time in small functions; large ones are asked some twenty times.
        if self.blocks % (self.profile.blocks().len() / 20).max(1) == 0 {
            self.check();
        }
    }

    /// Holds what was told against the function as it is now.
    fn check(&self) {
        let (told, now) = (&self.profile, &self.function.profile());
        let name = self.function.name();
        let same = |told_block: Option<Block>, block: Option<Block>| {
            told_block == block.map(|block| told.block(now.basic_block(block)).expect("told of all blocks"))
        };
        // Where a function cannot end, post-dominators depend on the order of its blocks.
        let ends = now.post_dominators().roots().iter().all(|&root| now.successors(root).is_empty());
        assert_eq!(told.blocks().len(), now.blocks().len(), "blocks of {name}");
        for block in now.blocks() {
            let old = told.block(now.basic_block(block)).expect("told of all blocks");
            let mut edges = told.successors(old).iter().zip(now.successors(block));
            assert!(edges.all(|(&old, &new)| same(Some(old), Some(new))), "successors in {name}");
            assert!(same(told.dominators().idom(old), now.dominators().idom(block)), "dominators in {name}");
            let ipdoms = (told.post_dominators().ipdom(old), now.post_dominators().ipdom(block));
            assert!(!ends || same(ipdoms.0, ipdoms.1), "post-dominators in {name}");
            let header = |profile: &LiveProfile, block| {
                profile.loops().innermost(block).map(|natural| profile.loops().header(natural))
            };
            assert!(same(header(told, old), header(now, block)), "loops in {name}");
        }
    }
}

/// Has the phis of `target` take from `middle` what they took from `source` by one edge.
fn redirect_phis(target: BasicBlock, source: BasicBlock, middle: BasicBlock) {
    let builder = target.get_context().create_builder();
    let phis: Vec<_> = target.get_instructions().map_while(|first| PhiValue::try_from(first).ok()).collect();
    for phi in phis {
        builder.position_before(&phi.as_instruction());
        let new =
            builder.build_phi(phi.as_basic_value().get_type(), "").expect("the builder stands in a block");
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

/// Prints probabilities and frequencies as LLVM's printers do.
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
