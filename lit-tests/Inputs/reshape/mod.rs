//! Changes functions as passes do, and compares all results after every step.
//!
//! A step splits an edge, moves a block, or replaces a branch by a jump and deletes the blocks that become unreachable,
//! one by one. After each change, and between deletions, these must agree:
//!
//! - an updated profile and a new one: on edges, dominators, post-dominators and loops;
//! - profiles from before the change, with their results from before: one that had computed everything, and one that
//!   computes them only now;
//! - a new profile, and the new control flow alone.
//!
//! A difference is a panic. `rust-bfi<check>` after this pass compares a new profile with LLVM.

mod answers;
mod change;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bpa::cfg::Block;
use bpa::plugin::{OptionError, Options, Preserved};
use bpa::{Function, LiveProfile, Module, Probability};

use answers::Answers;
use change::Branch;

// The numbers of steps in all functions.
static SPLIT: AtomicU64 = AtomicU64::new(0);
static MOVED: AtomicU64 = AtomicU64::new(0);
static DELETED: AtomicU64 = AtomicU64::new(0);
static COMPARED: AtomicU64 = AtomicU64::new(0);
static ANSWERS: AtomicU64 = AtomicU64::new(0);

/// The pass: the number of steps in each function, and the seed.
pub fn make(options: &Options) -> Result<impl Fn(&mut Function) -> Preserved + use<>, OptionError> {
    let steps = options.number("steps", 1..=1_000_000_u32)?.unwrap_or(10);
    let seed = options.number("seed", 1..=u32::MAX)?.unwrap_or(1);
    Ok(move |function: &mut Function| {
        // The pass manager's cached profile is valid until the first change.
        let kept = answers::of_profile(&function.cached_profile());
        let mut reshaping = Reshaping::new(function, seed);
        assert_eq!(kept, reshaping.before.answers, "the profile that is kept of {}", function.name());
        for _ in 0..steps {
            reshaping.step();
        }
        Preserved::Nothing
    })
}

/// Prints the numbers of steps.
pub fn report(_: &mut Module) -> Preserved {
    let [split, moved, deleted] = [&SPLIT, &MOVED, &DELETED].map(|count| count.load(Relaxed));
    eprintln!("{split} edges split, {moved} blocks moved, {deleted} deleted");
    let [compared, answers] = [&COMPARED, &ANSWERS].map(|count| count.load(Relaxed));
    eprintln!("compared {compared} times, {answers} answers");
    Preserved::All
}

/// A function that is being changed.
struct Reshaping<'a, 'ctx> {
    function: &'a Function<'ctx>,
    chance: u32,
    /// The profile that is updated after every change.
    told: LiveProfile<'ctx>,
    before: Before<'ctx>,
}

/// The function before the last step.
struct Before<'ctx> {
    asked: LiveProfile<'ctx>,
    answers: Answers,
    /// A profile that has computed nothing yet.
    silent: LiveProfile<'ctx>,
}

impl<'ctx> Before<'ctx> {
    fn new(function: &Function<'ctx>) -> Self {
        let asked = function.profile();
        Before { answers: answers::of_profile(&asked), asked, silent: function.profile() }
    }
}

impl<'a, 'ctx> Reshaping<'a, 'ctx> {
    fn new(function: &'a Function<'ctx>, seed: u32) -> Self {
        // The seed depends on the function's name (mixed as in the hash FNV-1a).
        let mix = |chance: u32, byte| (chance ^ u32::from(byte)).wrapping_mul(16_777_619);
        let chance = function.name().bytes().fold(seed, mix);
        Reshaping { function, chance, told: function.profile(), before: Before::new(function) }
    }

    fn step(&mut self) {
        match self.draw(3) {
            0 => self.split(),
            1 => self.move_block(),
            _ => self.delete(),
        }
        self.compare();
        let (before, name) = (&self.before, self.function.name());
        for (profile, which) in [(&before.asked, "asked"), (&before.silent, "silent")] {
            assert_eq!(answers::of_profile(profile), before.answers, "the old profile of {name}, {which}");
            // Names are the current ones; the name of a deleted block must not be read.
            profile.blocks().for_each(|block| drop(profile.block_name(block)));
        }
        self.before = Before::new(self.function);
    }

    /// A number below `end`. (Numerical Recipes' linear congruential generator.)
    fn draw(&mut self, end: usize) -> usize {
        self.chance = self.chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((u64::from(self.chance) * end as u64) >> 32) as usize
    }

    /// A random branch that is a `br` or `switch`.
    fn some_branch(&mut self) -> Option<Branch<'ctx>> {
        let branches: Vec<_> = self.told.basic_blocks().filter_map(|(_, block)| Branch::of(block)).collect();
        (!branches.is_empty()).then(|| branches[self.draw(branches.len())])
    }

    /// Splits a random edge.
    fn split(&mut self) {
        let Some(branch) = self.some_branch() else { return };
        let source = self.told.block(branch.block).expect("told of all blocks");
        let place = self.draw(self.told.successors(source).len());
        let target = self.told.successors(source)[place];
        let middle = change::split(branch, place, self.told.basic_block(target));

        let middle = self.told.add_block(middle, self.told.edge_frequency(source, place));
        self.told.set_successors(middle, &[(target, Probability::ONE)]).expect("blocks of the function");
        let mut edges = self.edges(source);
        edges[place].0 = middle;
        self.told.set_successors(source, &edges).expect("blocks of the function");
        SPLIT.fetch_add(1, Relaxed);
    }

    fn edges(&self, block: Block) -> Vec<(Block, Probability)> {
        let successors = self.told.successors(block).iter().copied();
        successors.zip(self.told.probabilities(block).iter().copied()).collect()
    }

    /// Moves a random block after another one. The entry stays first.
    fn move_block(&mut self) {
        let blocks: Vec<_> = self.function.value().get_basic_blocks();
        let (from, to) = (self.draw(blocks.len()), self.draw(blocks.len()));
        if from != 0 && from != to {
            blocks[from].move_after(blocks[to]).expect("blocks of one function");
            MOVED.fetch_add(1, Relaxed);
        }
    }

    /// Replaces a random branch by a jump to one of its targets, and deletes the blocks that become unreachable.
    fn delete(&mut self) {
        let Some(branch) = self.some_branch() else { return };
        let source = self.told.block(branch.block).expect("told of all blocks");
        let place = self.draw(self.told.successors(source).len());
        let target = self.told.successors(source)[place];
        let targets: Vec<_> =
            self.told.successors(source).iter().map(|&block| self.told.basic_block(block)).collect();
        change::make_jump(branch, &targets, self.told.basic_block(target));
        self.told.set_successors(source, &[(target, Probability::ONE)]).expect("blocks of the function");
        self.compare();

        let now = self.function.control_flow();
        let is_dead = |block: &Block| !now.dominators().contains(*block);
        let (dead, alive): (Vec<_>, Vec<_>) = now.blocks().partition(is_dead);
        let leads_there = |block: &Block| now.predecessors(*block).iter().any(is_dead);
        let in_memory = |block| now.basic_block(block);
        let targets: Vec<_> = alive.into_iter().filter(leads_there).map(in_memory).collect();
        let dead: Vec<_> = dead.into_iter().map(in_memory).collect();
        let numbers: Vec<_> =
            dead.iter().map(|&block| self.told.block(block).expect("told of all blocks")).collect();
        change::take_out(&dead, &targets);
        for &number in &numbers {
            self.told.set_successors(number, &[]).expect("a block of the function");
        }
        self.compare();
        for (count, (&block, &number)) in dead.iter().zip(&numbers).enumerate() {
            self.told.forget(number).expect("it is not the entry");
            // SAFETY: no reference to the block is left, and it is not used again.
            unsafe { block.delete() }.expect("it is in a function");
            DELETED.fetch_add(1, Relaxed);
            // After each deletion, if there are few.
            if count % (dead.len() / 4).max(1) == 0 {
                self.compare();
            }
        }
    }

    /// Compares the updated profile with the current function.
    fn compare(&self) {
        let (told, now, name) = (&self.told, &self.function.profile(), self.function.name());
        let new = answers::of_profile(now);
        assert_eq!(
            answers::of_graph(now.graph()),
            answers::of_graph(&self.function.control_flow()),
            "{name}"
        );
        let by_told = answers::of_profile(told);
        COMPARED.fetch_add(1, Relaxed);
        ANSWERS.fetch_add(new.count + by_told.count, Relaxed);

        let number = |block| told.block(now.basic_block(block)).expect("told of all blocks");
        let same = |told: Option<Block>, now: Option<Block>| told == now.map(number);
        let header = |profile: &LiveProfile, block| {
            profile.loops().innermost(block).map(|natural| profile.loops().header(natural))
        };
        // In an infinite loop, post-dominators depend on the order of blocks.
        let ends = now.post_dominators().roots().iter().all(|&root| now.successors(root).is_empty());
        assert_eq!(told.basic_blocks().count(), now.blocks().len(), "blocks of {name}");
        for block in now.blocks() {
            let old = number(block);
            // An unnamed block is named by its position, which moving blocks changes without an update of profiles.
            if !now.basic_block(block).get_name().is_empty() {
                assert_eq!(told.block_name(old), now.block_name(block), "a block of {name}");
            }
            let targets: Vec<_> = now.successors(block).iter().copied().map(number).collect();
            assert_eq!(told.successors(old), targets, "successors in {name}");
            assert!(same(told.dominators().idom(old), now.dominators().idom(block)), "dominators in {name}");
            let (ipdom, now_ipdom) = (told.post_dominators().ipdom(old), now.post_dominators().ipdom(block));
            assert!(!ends || same(ipdom, now_ipdom), "post-dominators in {name}");
            assert!(same(header(told, old), header(now, block)), "loops in {name}");
        }
    }
}
