//! The control-flow graphs of a module with clang's instrumentation, and of the same module without instrumentation.
//!
//! In the instrumented module, a call of `llvm.instrprof.increment` in a block names the counter of the block. For some
//! counters, clang generates additional blocks, for example for an operand of `&&`, or for a `case` whose body is
//! `break`. These blocks contain only counters and a jump. Without such blocks, both graphs have the same branches.
//!
//! The code before a `case`, or before the body of a `do` loop, can fall through into this block. The counter of the
//! block must not count these executions, so clang splits the block. The first part contains the counter. The second
//! part has the name `skipcount`, and contains the other instructions of the block.

use super::cleanups::{Cleanup, States};
use super::solver::{Direction, Solver};

/// A block of a function that clang has generated from the source.
#[derive(Clone, Debug, Default)]
pub struct SourceBlock<'a> {
    /// The name of the block.
    pub name: &'a [u8],
    /// The successors, in the order of the terminator.
    pub successors: Vec<usize>,
    /// Whether the last successor is executed only after an exception.
    pub has_unwind: bool,
    /// Whether a call before the end of the block may throw an exception, which leaves the function.
    pub may_leave: bool,
    /// Whether the call at the end of a block with `has_unwind` may throw an exception.
    pub may_unwind: bool,
    /// Whether the block ends because it throws an exception.
    pub throws: bool,
    /// Whether the block begins a handler of exceptions.
    pub catches: bool,
    /// The number of the first counter in the block.
    pub counter: Option<usize>,
    /// Whether the block contains nothing but counters and a branch.
    pub is_jump: bool,
    /// Whether the block ends with a conditional branch, or with a `switch`. A `switch` after a cleanup does not count,
    /// because it is not in the source.
    pub is_branch: bool,
    /// What the block does with the variable `cleanup.dest.slot`.
    pub cleanup: Cleanup,
}

/// The control-flow graph of a function that clang has generated from the source. Block 0 is the entry.
#[derive(Clone, Debug, Default)]
pub struct SourceFunction<'a> {
    /// The blocks, in layout order.
    pub blocks: Vec<SourceBlock<'a>>,
}

impl SourceBlock<'_> {
    /// The name without the digits at its end. LLVM adds such digits if two blocks would otherwise have the same name.
    fn base_name(&self) -> &[u8] {
        let digits = self.name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        &self.name[..self.name.len() - digits]
    }
}

impl SourceFunction<'_> {
    /// Starts at `place`, and skips each block that contains only counters and a jump. Returns the first other block.
    /// If these blocks form an infinite loop, returns one of them.
    fn without_jumps(&self, mut place: usize) -> usize {
        for _ in 0..self.blocks.len() {
            place = match (self.blocks[place].is_jump, &self.blocks[place].successors[..]) {
                (true, &[to]) => to,
                (true, _) => match self.after_operand_counter(place) {
                    Some(to) => to,
                    None => break,
                },
                _ => break,
            };
        }
        place
    }

    /// If both edges of block `place` lead to the same block, one of them through a block with the counter of an
    /// operand, returns this block.
    fn after_operand_counter(&self, place: usize) -> Option<usize> {
        let &[one, other] = &self.blocks[place].successors[..] else { return None };
        let is_counter = |counter: usize, to: usize| {
            self.blocks[counter].base_name().ends_with(b"rhscnt") && self.blocks[counter].successors == [to]
        };
        [(one, other), (other, one)]
            .into_iter()
            .find(|&(counter, to)| is_counter(counter, to))
            .map(|(_, to)| to)
    }

    /// The name of block `place`. The second part of a split block has the name of the first part.
    fn name_of(&self, place: usize) -> &[u8] {
        match self.blocks[place].base_name() {
            b"skipcount" if place > 0 => self.blocks[place - 1].base_name(),
            name => name,
        }
    }

    /// How many exceptions the handlers of the function have caught, and how many exceptions the function has thrown. The
    /// second number is `None` if it does not follow from the counters.
    pub fn exceptions(&self, counters: &[u64]) -> (u64, Option<u64>) {
        let handlers = (0..self.blocks.len()).filter(|&place| self.blocks[place].catches);
        let caught = handlers.map(|place| self.first_count(place, counters)).sum();
        if !self.blocks.iter().any(|block| block.throws) {
            return (caught, Some(0));
        }
        let (states, solver) = self.solved(counters, false);
        let counts = states.states.iter().zip(solver.flow().blocks);
        let thrown =
            counts.filter(|((block, _), _)| self.blocks[*block].throws).map(|(_, count)| count).sum();
        (caught, thrown)
    }

    /// The value of the first counter in block `place`, or in the blocks to which the block leads without an exception.
    fn first_count(&self, mut place: usize, counters: &[u64]) -> u64 {
        for _ in 0..self.blocks.len() {
            let block = &self.blocks[place];
            if let Some(count) = block.counter.and_then(|counter| counters.get(counter)) {
                return *count;
            }
            let Some(&next) = block.successors.first() else { break };
            place = next;
        }
        0
    }

    /// The counts of the edges, if the counters have the values `counters`. Counter 0 is the number of calls. No counter
    /// measures how often an exception leaves the function. If `throws` is true, a count is unknown if it depends on
    /// this number. Otherwise the number is 0.
    pub fn counts(&self, counters: &[u64], throws: bool) -> EdgeCounts<'_> {
        let (states, mut solver) = self.solved(counters, throws);
        // Afterwards, handlers of exceptions are executed more often than the edges into them.
        let contradict = solver.contradicts();
        let blocks = states.states.iter().map(|&(block, _)| &self.blocks[block]).enumerate();
        let never_throws = |block: &SourceBlock| block.has_unwind && !(throws && block.may_unwind);
        let never_throw = blocks.filter(|(_, block)| never_throws(block)).map(|(state, _)| state);
        // llvm-cov assumes this, too.
        solver.solve_without_exceptions(never_throw);
        solver.solve_with_unknowns();
        let successors = self.blocks.iter().map(|block| block.successors.len());
        let mut edges: Vec<Vec<Option<u64>>> = successors.map(|count| vec![Some(0); count]).collect();
        for ((block, place), count) in states.edges.into_iter().zip(solver.flow().edges) {
            let sum = &mut edges[block][place];
            *sum = sum.zip(count).map(|(sum, count)| sum.saturating_add(count));
        }
        EdgeCounts { function: self, edges, contradict }
    }

    /// The counts that follow from the counters alone. See [`SourceFunction::counts`] for `throws`.
    fn solved(&self, counters: &[u64], throws: bool) -> (States, Solver) {
        let successors: Vec<&[usize]> = self.blocks.iter().map(|block| &*block.successors).collect();
        let uses: Vec<&Cleanup> = self.blocks.iter().map(|block| &block.cleanup).collect();
        let states = States::new(&successors, &uses);
        let entries = counters.first().copied().unwrap_or(0);
        let blocks = || states.states.iter().map(|&(block, _)| &self.blocks[block]).enumerate();
        // Edges to a block outside of the function.
        let outside = states.states.len();
        let leaves =
            blocks().filter(|(_, block)| throws && block.may_leave).map(|(state, _)| [state, outside]);
        let ends = states.ends.iter().copied().chain(leaves).collect();
        let mut solver = Solver::new(outside + 1, ends, entries, Direction::Forward);
        // The counter of a block with several states is the sum of their counts. Cleanups contain no counters.
        let shared = states.shared();
        for (state, block) in blocks().filter(|(state, _)| !shared.contains(&states.states[*state].0)) {
            if let Some(&count) = block.counter.and_then(|counter| counters.get(counter)) {
                solver.set_block(state, count);
            }
        }
        solver.solve();
        (states, solver)
    }
}

/// The counts of the edges of an instrumented function.
#[derive(Debug)]
pub struct EdgeCounts<'a> {
    function: &'a SourceFunction<'a>,
    /// The counts of each block's edges.
    edges: Vec<Vec<Option<u64>>>,
    /// Whether the counters contradict each other.
    contradict: bool,
}

impl EdgeCounts<'_> {
    /// Returns the edge counts of the branches in `plain`, the same function without instrumentation. Each branch is
    /// identified by its block. Branches with an unknown count are absent. Returns `None` if the control-flow graphs
    /// differ, or if the counters contradict each other: threads that increment a counter without atomic instructions
    /// lose executions.
    pub fn branches_of(&self, plain: &SourceFunction) -> Option<Vec<(usize, Vec<u64>)>> {
        if self.contradict || plain.blocks.is_empty() || self.function.blocks.is_empty() {
            return None;
        }
        let mut pairs: Vec<Option<usize>> = vec![None; plain.blocks.len()];
        let mut pending = vec![(0, 0)];
        let mut branches = Vec::new();
        while let Some((place, other)) = pending.pop() {
            let [place, other] = [plain.without_jumps(place), self.function.without_jumps(other)];
            match pairs[place].replace(other) {
                Some(known) if known == other => continue,
                None if plain.name_of(place) == self.function.name_of(other) => {}
                // If the block before the return block is empty, clang merges the two blocks, and keeps the name of the
                // first. A counter in the first block prevents this.
                None if self.function.name_of(other) == b"return"
                    && plain.blocks[place].successors.is_empty() => {}
                _ => return None,
            }
            let block = &plain.blocks[place];
            let end = self.end_of(other, plain, &block.successors);
            let mut others: Vec<usize> = self.function.blocks[end].successors.clone();
            if block.successors.len() == 1 {
                // If the edges of the instrumented branch differ only in counters, they all lead to one block.
                others.dedup_by_key(|to| self.function.without_jumps(*to));
            }
            if block.successors.len() != others.len() {
                return None;
            }
            pending.extend(block.successors.iter().copied().zip(others));
            let counts = &self.edges[end];
            if let (true, Some(counts)) = (block.is_branch, counts.iter().copied().collect()) {
                branches.push((place, counts));
            }
        }
        Some(branches)
    }

    /// The block with the terminator of block `place`. `successors` are the successors of the same block in `plain`.
    /// For an operand after a constant, as in `1 && x`, clang splits the block only if it adds counters.
    fn end_of(&self, mut place: usize, plain: &SourceFunction, successors: &[usize]) -> usize {
        let of_plain = match successors {
            &[to] => Some(plain.name_of(plain.without_jumps(to))),
            _ => None,
        };
        while let Some(join) = self.function.after_operand_counter(place) {
            if of_plain == Some(self.function.name_of(self.function.without_jumps(join))) {
                break;
            }
            place = join;
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block. If the name contains `rhscnt`, the block contains nothing but its counter.
    fn block<'a>(name: &'a str, counter: Option<usize>, successors: &[usize]) -> SourceBlock<'a> {
        SourceBlock {
            name: name.as_bytes(),
            successors: successors.to_vec(),
            counter,
            is_jump: name.contains("rhscnt"),
            is_branch: successors.len() == 2,
            ..SourceBlock::default()
        }
    }

    fn function<'a>(blocks: &[SourceBlock<'a>]) -> SourceFunction<'a> {
        SourceFunction { blocks: blocks.to_vec() }
    }

    /// `if (a) g();`, where clang adds a block with a counter before `g();`.
    fn instrumented() -> [SourceBlock<'static>; 4] {
        [
            block("entry", Some(0), &[1, 3]),
            block("lop.rhscnt", Some(1), &[2]),
            block("if.then7", None, &[3]),
            block("if.end", None, &[]),
        ]
    }

    /// The same function without instrumentation.
    fn plain() -> SourceFunction<'static> {
        function(&[block("entry", None, &[1, 2]), block("if.then", None, &[2]), block("if.end4", None, &[])])
    }

    #[test]
    fn blocks_with_only_a_counter_are_skipped() {
        let instrumented = function(&instrumented());
        let counts = instrumented.counts(&[34, 7], false).branches_of(&plain());
        assert_eq!(counts, Some(vec![(0, vec![7, 27])]));
    }

    #[test]
    fn contradicting_counters_have_no_counts() {
        assert_eq!(function(&instrumented()).counts(&[7, 34], false).branches_of(&plain()), None);
    }

    #[test]
    fn executed_handlers_do_not_contradict_the_other_counters() {
        let call = SourceBlock { has_unwind: true, ..block("entry", Some(0), &[1, 2]) };
        let plain = function(&[
            SourceBlock { counter: None, ..call.clone() },
            block("invoke.cont", None, &[]),
            block("lpad", None, &[3]),
            block("catch", None, &[]),
        ]);
        let instrumented = function(&[
            call,
            block("invoke.cont", None, &[]),
            block("lpad", None, &[3]),
            block("catch", Some(1), &[]),
        ]);
        assert!(instrumented.counts(&[9, 4], false).branches_of(&plain).is_some());
    }

    #[test]
    fn different_graphs_have_no_counts() {
        let [entry, counter, then, end] = instrumented();
        let exchanged = SourceBlock { successors: vec![3, 1], ..entry.clone() };
        let plain = function(&[
            block("entry", None, &[1, 2]),
            block("if.then", None, &[2]),
            block("if.end", None, &[]),
        ]);
        let other = function(&[exchanged, counter.clone(), then.clone(), end.clone()]);
        assert_eq!(other.counts(&[34, 7], false).branches_of(&plain), None);
        let longer = function(&[entry, counter, then, SourceBlock { successors: vec![0], ..end }]);
        assert_eq!(longer.counts(&[34, 7], false).branches_of(&plain), None);
        assert_eq!(SourceFunction::default().counts(&[], false).branches_of(&plain), None);
    }

    /// For `1 && x`, clang adds a branch only for the counter of `x`: both edges lead to block 2.
    #[test]
    fn a_branch_that_exists_only_for_a_counter_is_no_branch() {
        let plain = function(&[block("entry", None, &[1]), block("land.end", None, &[])]);
        let instrumented = function(&[
            block("entry", Some(0), &[1, 2]),
            block("land.rhscnt", Some(1), &[2]),
            block("land.end", None, &[]),
        ]);
        assert_eq!(instrumented.counts(&[9, 4], false).branches_of(&plain), Some(Vec::new()));
    }

    /// The code before a `case` falls through into the second part of the split block.
    #[test]
    fn the_second_part_of_a_split_block_has_the_name_of_the_first() {
        let plain = function(&[
            block("entry", None, &[1, 2]),
            block("sw.bb", None, &[2]),
            block("sw.bb1", None, &[]),
        ]);
        let counter = SourceBlock { is_jump: true, ..block("sw.bb1", Some(2), &[3]) };
        let instrumented = function(&[
            block("entry", Some(0), &[1, 2]),
            block("sw.bb", Some(1), &[3]),
            counter,
            block("skipcount", None, &[]),
        ]);
        assert_eq!(instrumented.counts(&[9, 4, 5], false).branches_of(&plain), Some(vec![(0, vec![4, 5])]));
    }

    #[test]
    fn branches_without_a_counter_are_absent() {
        let blocks = [block("entry", Some(0), &[1, 2]), block("a", None, &[2]), block("b", None, &[])];
        let function = function(&blocks);
        assert_eq!(function.counts(&[9], false).branches_of(&function), Some(Vec::new()));
    }

    /// Block 0 calls a function that may throw, and branches to blocks 1 and 2. Only block 1 has a counter. Block 3
    /// handles the exceptions of a call in block 2.
    fn throwing() -> SourceFunction<'static> {
        let second = SourceBlock { has_unwind: true, may_unwind: true, ..block("next", None, &[4, 3]) };
        function(&[
            SourceBlock { may_leave: true, ..block("entry", Some(0), &[1, 2]) },
            block("then", Some(1), &[]),
            SourceBlock { is_branch: false, ..second },
            SourceBlock { catches: true, ..block("catch", Some(2), &[]) },
            block("end", None, &[]),
        ])
    }

    #[test]
    fn counts_that_depend_on_exceptions_are_unknown_if_exceptions_are_thrown() {
        let mut function = throwing();
        assert_eq!(function.exceptions(&[9, 4, 3]), (3, Some(0)));
        function.blocks[1].throws = true;
        assert_eq!(function.exceptions(&[9, 4, 3]), (3, Some(4)));
        let branches = |throws| function.counts(&[9, 4, 1], throws).branches_of(&function);
        assert_eq!((branches(false), branches(true)), (Some(vec![(0, vec![4, 5])]), Some(Vec::new())));
        // A call that cannot throw leads to the branch as often as its block runs.
        let mut never = throwing();
        never.blocks[0].may_leave = false;
        assert_eq!(never.counts(&[9, 4, 1], true).branches_of(&never), branches(false));
    }
}
