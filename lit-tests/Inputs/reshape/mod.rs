//! A pass that changes functions in random steps, and compares the results of several profiles after every step.
//!
//! A step splits an edge, moves a block, or replaces a branch by a jump. After a branch is replaced by a jump, the step
//! deletes the blocks that have become unreachable, one by one. After each step, the pass checks three claims. While a
//! step deletes blocks, the pass also checks the first claim and the third claim. The claims are:
//!
//! - the updated profile and a new profile have equal edges, dominators, post-dominators and loops;
//! - after a step, an old profile still describes the function as it was before the step. The pass checks an old
//!   profile that computes its results before the step, and an old profile that computes its results after the step;
//! - a new profile and a new `ControlFlow` return equal results for all queries that depend only on the graph.
//!
//! A difference causes a panic. After this pass, the tests run `rust-bfi<check>`, which compares a new profile with
//! LLVM.

mod change;
mod results;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bpa::cfg::Block;
use bpa::plugin::{OptionError, Options, Preserved};
use bpa::{Function, LiveProfile, Module, Probability};

use change::Branch;
use results::Results;

// Counters for all functions: changes of each kind, comparisons, and compared results.
static SPLIT: AtomicU64 = AtomicU64::new(0);
static MOVED: AtomicU64 = AtomicU64::new(0);
static DELETED: AtomicU64 = AtomicU64::new(0);
static COMPARED: AtomicU64 = AtomicU64::new(0);
static RESULTS: AtomicU64 = AtomicU64::new(0);

/// Creates the pass. `steps` is the number of steps in each function. `seed` is the seed of the random numbers.
pub fn make(options: &Options) -> Result<impl Fn(&mut Function) -> Preserved + use<>, OptionError> {
    let steps = options.number("steps", 1..=1_000_000_u32)?.unwrap_or(10);
    let seed = options.number("seed", 1..=u32::MAX)?.unwrap_or(1);
    Ok(move |function: &mut Function| {
        // The pass manager's cached profile is valid until the first change.
        let kept = results::of_profile(&function.cached_profile());
        let mut reshaping = Reshaping::new(function, seed);
        assert_eq!(kept, reshaping.before.results, "the cached profile of {} is wrong", function.name());
        for _ in 0..steps {
            reshaping.step();
        }
        Preserved::Nothing
    })
}

/// Prints the numbers of changes, comparisons and results.
pub fn report(_: &mut Module) -> Preserved {
    let [split, moved, deleted] = [&SPLIT, &MOVED, &DELETED].map(|count| count.load(Relaxed));
    eprintln!("{split} edges split, {moved} blocks moved, {deleted} deleted");
    let [compared, results] = [&COMPARED, &RESULTS].map(|count| count.load(Relaxed));
    eprintln!("compared {compared} times, {results} results");
    Preserved::All
}

/// A function that is being changed.
struct Reshaping<'a, 'ctx> {
    function: &'a Function<'ctx>,
    chance: u32,
    /// The profile that is updated after every change.
    updated: LiveProfile<'ctx>,
    before: Before<'ctx>,
}

/// Two profiles of the function before the last step, and a hash of the results of the first profile.
struct Before<'ctx> {
    computed: LiveProfile<'ctx>,
    results: Results,
    /// A profile that is created before the step. The test reads the results of this profile only after the step.
    not_computed: LiveProfile<'ctx>,
}

impl<'ctx> Before<'ctx> {
    fn new(function: &Function<'ctx>) -> Self {
        let computed = function.profile();
        Before { results: results::of_profile(&computed), computed, not_computed: function.profile() }
    }
}

impl<'a, 'ctx> Reshaping<'a, 'ctx> {
    fn new(function: &'a Function<'ctx>, seed: u32) -> Self {
        // The FNV-1a hash of `seed` and the function's name gives each function different random numbers.
        let mix = |chance: u32, byte| (chance ^ u32::from(byte)).wrapping_mul(16_777_619);
        let chance = function.name().bytes().fold(seed, mix);
        Reshaping { function, chance, updated: function.profile(), before: Before::new(function) }
    }

    fn step(&mut self) {
        match self.random_below(3) {
            0 => self.split(),
            1 => self.move_block(),
            _ => self.delete(),
        }
        self.compare();
        let (before, name) = (&self.before, self.function.name());
        for (profile, which) in [(&before.computed, "computed"), (&before.not_computed, "not computed")] {
            assert_eq!(
                results::of_profile(profile),
                before.results,
                "after the step, results of the {which} profile from before the step, for {name}"
            );
            // Block names are read from the current IR. The name of a deleted block must not be read.
            profile.blocks().for_each(|block| drop(profile.block_name(block)));
        }
        self.before = Before::new(self.function);
    }

    /// A random number below `end`, from the linear congruential generator of Numerical Recipes.
    fn random_below(&mut self, end: usize) -> usize {
        self.chance = self.chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((u64::from(self.chance) * end as u64) >> 32) as usize
    }

    /// A random `br` or `switch` with several successors.
    fn some_branch(&mut self) -> Option<Branch<'ctx>> {
        let branches: Vec<_> =
            self.updated.basic_blocks().filter_map(|(_, block)| Branch::of(block)).collect();
        (!branches.is_empty()).then(|| branches[self.random_below(branches.len())])
    }

    /// Splits a random edge.
    fn split(&mut self) {
        let Some(branch) = self.some_branch() else { return };
        let source = self.updated.block(branch.block).expect("the profile has the block");
        let place = self.random_below(self.updated.successors(source).len());
        let target = self.updated.successors(source)[place];
        let middle = change::split(branch, place, self.updated.basic_block(target));

        let middle = self.updated.add_block(middle, self.updated.edge_frequency(source, place));
        self.updated.set_successors(middle, &[(target, Probability::ONE)]).expect("blocks of the function");
        let mut edges = self.edges(source);
        edges[place].0 = middle;
        self.updated.set_successors(source, &edges).expect("blocks of the function");
        SPLIT.fetch_add(1, Relaxed);
    }

    fn edges(&self, block: Block) -> Vec<(Block, Probability)> {
        let successors = self.updated.successors(block).iter().copied();
        successors.zip(self.updated.probabilities(block).iter().copied()).collect()
    }

    /// Moves a random block, except the entry, after another random block.
    fn move_block(&mut self) {
        let blocks: Vec<_> = self.function.value().get_basic_blocks();
        let (from, to) = (self.random_below(blocks.len()), self.random_below(blocks.len()));
        if from != 0 && from != to {
            blocks[from].move_after(blocks[to]).expect("blocks of one function");
            MOVED.fetch_add(1, Relaxed);
        }
    }

    /// Replaces a random branch by a jump to one of its targets, and deletes the blocks that become unreachable.
    fn delete(&mut self) {
        let Some(branch) = self.some_branch() else { return };
        let source = self.updated.block(branch.block).expect("the profile has the block");
        let place = self.random_below(self.updated.successors(source).len());
        let target = self.updated.successors(source)[place];
        let targets: Vec<_> =
            self.updated.successors(source).iter().map(|&block| self.updated.basic_block(block)).collect();
        change::make_jump(branch, &targets, self.updated.basic_block(target));
        self.updated.set_successors(source, &[(target, Probability::ONE)]).expect("blocks of the function");
        self.compare();

        let now = self.function.control_flow();
        let is_dead = |block: &Block| !now.dominators().contains(*block);
        let (dead, alive): (Vec<_>, Vec<_>) = now.blocks().partition(is_dead);
        let leads_there = |block: &Block| now.predecessors(*block).iter().any(is_dead);
        let in_memory = |block| now.basic_block(block);
        let targets: Vec<_> = alive.into_iter().filter(leads_there).map(in_memory).collect();
        let dead: Vec<_> = dead.into_iter().map(in_memory).collect();
        let numbers: Vec<_> =
            dead.iter().map(|&block| self.updated.block(block).expect("the profile has the block")).collect();
        change::take_out(&dead, &targets);
        for &number in &numbers {
            self.updated.set_successors(number, &[]).expect("a block of the function");
        }
        self.compare();
        for (count, (&block, &number)) in dead.iter().zip(&numbers).enumerate() {
            self.updated.forget(number).expect("the block is not the entry");
            // SAFETY: there are no references to the block, and it is not used again.
            unsafe { block.delete() }.expect("the block is in a function");
            DELETED.fetch_add(1, Relaxed);
            // After every deletion, the profiles are compared. If a step deletes 8 or more blocks, the profiles are
            // compared about four times in this step.
            if count % (dead.len() / 4).max(1) == 0 {
                self.compare();
            }
        }
    }

    /// Compares the updated profile with a new profile of the current function.
    fn compare(&self) {
        let (updated, now, name) = (&self.updated, &self.function.profile(), self.function.name());
        let new = results::of_profile(now);
        assert_eq!(
            results::of_graph(now.graph()),
            results::of_graph(&self.function.control_flow()),
            "results of the graph analyses of {name}"
        );
        let from_updated = results::of_profile(updated);
        COMPARED.fetch_add(1, Relaxed);
        RESULTS.fetch_add(new.count + from_updated.count, Relaxed);

        let number = |block| updated.block(now.basic_block(block)).expect("the profile has the block");
        let same = |updated: Option<Block>, now: Option<Block>| updated == now.map(number);
        let header = |profile: &LiveProfile, block| {
            profile.loops().innermost(block).map(|natural| profile.loops().header(natural))
        };
        // In an infinite loop, post-dominators depend on the order of blocks.
        let ends = now.post_dominators().roots().iter().all(|&root| now.successors(root).is_empty());
        assert_eq!(updated.basic_blocks().count(), now.blocks().len(), "blocks of {name}");
        for block in now.blocks() {
            let old = number(block);
            // The name of an unnamed block is its position in the function. If a block moves, this name changes, but
            // profiles keep the old name.
            if !now.basic_block(block).get_name().is_empty() {
                assert_eq!(updated.block_name(old), now.block_name(block), "block name in {name}");
            }
            let targets: Vec<_> = now.successors(block).iter().copied().map(number).collect();
            assert_eq!(updated.successors(old), targets, "successors in {name}");
            assert!(
                same(updated.dominators().idom(old), now.dominators().idom(block)),
                "dominators in {name}"
            );
            let (ipdom, now_ipdom) =
                (updated.post_dominators().ipdom(old), now.post_dominators().ipdom(block));
            assert!(!ends || same(ipdom, now_ipdom), "post-dominators in {name}");
            assert!(same(header(updated, old), header(now, block)), "loops in {name}");
        }
    }
}
