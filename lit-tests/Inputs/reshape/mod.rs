//! Changes functions as passes do, and asks everything at every step.
//!
//! A step splits an edge, moves a block, or makes a branch a jump and deletes what nothing leads to any more, block by
//! block. After each, and while blocks are half gone, these have to agree:
//!
//! - a profile that is told of every change, and a new one: on edges, dominators, post-dominators and loops;
//! - profiles of before the change, with what they said then: one that was asked everything then, and one that is
//!   asked for the first time now;
//! - a new profile, and the new control flow alone.
//!
//! What differs is a panic. That the numbers of a new profile are LLVM's is for `rust-bfi<check>` behind this pass.

mod answers;
mod change;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bpa::cfg::Block;
use bpa::plugin::{OptionError, Options, Preserved};
use bpa::{Function, LiveProfile, Module, Probability};

use answers::Answers;
use change::Branch;

// What has been done to all functions.
static SPLIT: AtomicU64 = AtomicU64::new(0);
static MOVED: AtomicU64 = AtomicU64::new(0);
static DELETED: AtomicU64 = AtomicU64::new(0);
static COMPARED: AtomicU64 = AtomicU64::new(0);
static ANSWERS: AtomicU64 = AtomicU64::new(0);

/// The pass: how many steps in each function, and where chance starts.
pub fn make(options: &Options) -> Result<impl Fn(&mut Function) -> Preserved, OptionError> {
    let steps = options.number("steps", 1..=1_000_000_u32)?.unwrap_or(10);
    let seed = options.number("seed", 1..=u32::MAX)?.unwrap_or(1);
    Ok(move |function: &mut Function| {
        // What the pass manager keeps is good until the first change.
        let kept = answers::of_profile(&function.cached_profile());
        let mut reshaping = Reshaping::new(function, seed);
        assert_eq!(kept, reshaping.before.answers, "the profile that is kept of {}", function.name());
        for _ in 0..steps {
            reshaping.step();
        }
        Preserved::Nothing
    })
}

/// Tells what has been done so far.
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
    /// Told of everything.
    told: LiveProfile<'ctx>,
    before: Before<'ctx>,
}

/// The function before the last step.
struct Before<'ctx> {
    asked: LiveProfile<'ctx>,
    answers: Answers,
    /// It has not been asked anything.
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
        // No two functions go through the same steps (mixed as in the hash FNV-1a).
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
            // Names are of the function as it is now; none must be read from a block that is gone.
            profile.blocks().for_each(|block| drop(profile.block_name(block)));
        }
        self.before = Before::new(self.function);
    }

    /// A number below `end`. (Numerical Recipes' linear congruential generator.)
    fn draw(&mut self, end: usize) -> usize {
        self.chance = self.chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((u64::from(self.chance) * end as u64) >> 32) as usize
    }

    /// Some branch by `br` or `switch`.
    fn some_branch(&mut self) -> Option<Branch<'ctx>> {
        let branches: Vec<_> = self.told.basic_blocks().filter_map(|(_, block)| Branch::of(block)).collect();
        (!branches.is_empty()).then(|| branches[self.draw(branches.len())])
    }

    /// Puts a block on some edge.
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

    /// Moves some block behind another one. The entry stays where it is.
    fn move_block(&mut self) {
        let blocks: Vec<_> = self.function.value().get_basic_blocks();
        let (from, to) = (self.draw(blocks.len()), self.draw(blocks.len()));
        if from != 0 && from != to {
            blocks[from].move_after(blocks[to]).expect("blocks of one function");
            MOVED.fetch_add(1, Relaxed);
        }
    }

    /// Makes some branch a jump to one of its targets, and deletes what nothing leads to any more.
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
            // SAFETY: nothing refers to it any more, and nobody uses it again.
            unsafe { block.delete() }.expect("it is in a function");
            DELETED.fetch_add(1, Relaxed);
            // Each time where they are few.
            if count % (dead.len() / 4).max(1) == 0 {
                self.compare();
            }
        }
    }

    /// Holds what was told against the function as it is now.
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
        // Where a function cannot end, post-dominators depend on the order of its blocks.
        let ends = now.post_dominators().roots().iter().all(|&root| now.successors(root).is_empty());
        assert_eq!(told.basic_blocks().count(), now.blocks().len(), "blocks of {name}");
        for block in now.blocks() {
            let old = number(block);
            // Where a block has no name, it is called by its place, which moving blocks changes unseen by profiles.
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
