//! The control-flow graphs of a module with clang's instrumentation, and of the same module without instrumentation.
//!
//! In the instrumented module, a call of `llvm.instrprof.increment` in a block names the counter of the block. For some
//! counters, clang generates additional blocks, for example for an operand of `&&`, or for a `case` whose body is
//! `break`. These blocks contain only counters and a jump. Without such blocks, both graphs have the same branches.
//!
//! The code before a `case`, or before the body of a `do` loop, can fall through into this block. The counter of the
//! block must not count these executions, so clang splits the block. The first part contains the counter. The second
//! part has the name `skipcount`, and contains the other instructions of the block.

use std::collections::HashMap;

use super::cleanups::{States, Use};
use super::flow::{Direction, Solver};
use super::transfer::Cursor;

/// The control-flow graph of a function.
#[derive(Debug, Default)]
pub struct Function<'a> {
    pub name: &'a str,
    /// The name of the function in the profile, and the hash of the function's control flow. `None` without
    /// instrumentation.
    pub counters: Option<(String, u64)>,
    /// True if the function is a coroutine. A coroutine leaves a block at each suspension, and no counter measures
    /// whether it continues there.
    pub is_coroutine: bool,
    /// The blocks in the order of the text. The first block is the entry.
    blocks: Vec<Block<'a>>,
}

#[derive(Debug, Default)]
struct Block<'a> {
    /// The name of the block without the digits at the end of the name. LLVM adds such digits if two blocks would
    /// otherwise have the same name.
    name: &'a str,
    successors: Vec<usize>,
    /// True if the last successor is executed only after an exception.
    has_unwind: bool,
    counter: Option<usize>,
    /// True if the block contains nothing but counters and a jump.
    is_jump: bool,
    /// The number that [`Cursor`] gives to the conditional branch or `switch` at the end of the block. The first number
    /// in a function is 1. The value is 0 if the block does not end with a branch of the source.
    branch: usize,
    cleanup: Use,
}

impl<'a> Function<'a> {
    /// The functions that `module` defines.
    pub fn all(module: &'a str) -> Vec<Self> {
        let names: HashMap<&str, &str> = module.lines().filter_map(profile_name).collect();
        let mut parser = Parser::default();
        for line in module.lines() {
            parser.read(line, &names);
        }
        parser.functions
    }

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
            self.blocks[counter].name.ends_with("rhscnt") && self.blocks[counter].successors == [to]
        };
        [(one, other), (other, one)]
            .into_iter()
            .find(|&(counter, to)| is_counter(counter, to))
            .map(|(_, to)| to)
    }

    /// The name of block `place`. The second part of a split block has the name of the first part.
    fn name_of(&self, place: usize) -> &str {
        match self.blocks[place].name {
            "skipcount" if place > 0 => self.blocks[place - 1].name,
            name => name,
        }
    }

    /// The counts of the edges, if the counters have the values `counters`.
    pub fn counts(&self, counters: &[u64]) -> Counts<'_> {
        let successors: Vec<&[usize]> = self.blocks.iter().map(|block| &*block.successors).collect();
        let uses: Vec<&Use> = self.blocks.iter().map(|block| &block.cleanup).collect();
        let states = States::new(&successors, &uses);
        let entries = counters.first().copied().unwrap_or(0);
        let mut solver = Solver::new(states.states.len(), states.ends.clone(), entries, Direction::Forward);
        let blocks = || states.states.iter().map(|&(block, _)| &self.blocks[block]).enumerate();
        // The counter of a block with several states is the sum of their counts. Cleanups contain no counters.
        let shared = states.shared();
        for (state, block) in blocks().filter(|(state, _)| !shared.contains(&states.states[*state].0)) {
            if let Some(&count) = block.counter.and_then(|counter| counters.get(counter)) {
                solver.set_block(state, count);
            }
        }
        solver.solve();
        // llvm-cov assumes this, too.
        solver
            .solve_without_exceptions(blocks().filter(|(_, block)| block.has_unwind).map(|(state, _)| state));
        solver.solve_with_unknowns();
        let mut edges: Vec<Vec<Option<u64>>> =
            successors.iter().map(|successors| vec![Some(0); successors.len()]).collect();
        for ((block, place), count) in states.edges.into_iter().zip(solver.flow().edges) {
            let sum = &mut edges[block][place];
            *sum = sum.zip(count).map(|(sum, count)| sum.saturating_add(count));
        }
        Counts { function: self, edges }
    }
}

/// The counts of the edges of an instrumented function.
pub struct Counts<'a> {
    function: &'a Function<'a>,
    /// The counts of each block's edges.
    edges: Vec<Vec<Option<u64>>>,
}

impl Counts<'_> {
    /// Returns the edge counts of the branches in `plain`, the same function without instrumentation. Each branch is
    /// identified by its number. Branches with an unknown count are absent. Returns `None` if the control-flow graphs
    /// differ.
    pub fn branches_of(&self, plain: &Function) -> Option<Vec<(usize, Vec<u64>)>> {
        if plain.blocks.is_empty() || self.function.blocks.is_empty() {
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
                None if self.function.name_of(other) == "return"
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
            if let (true, Some(counts)) = (block.branch > 0, counts.iter().copied().collect()) {
                branches.push((block.branch, counts));
            }
        }
        Some(branches)
    }

    /// The block with the terminator of block `place`. `successors` are the successors of the same block in `plain`.
    /// For an operand after a constant, as in `1 && x`, clang splits the block only if it adds counters.
    fn end_of(&self, mut place: usize, plain: &Function, successors: &[usize]) -> usize {
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

/// Builds [`Function`]s from the lines of a module.
#[derive(Default)]
struct Parser<'a> {
    functions: Vec<Function<'a>>,
    cursor: Cursor<'a>,
    /// The names of the blocks of the current function.
    names: HashMap<&'a str, usize>,
    /// The successors of the blocks of the current function, by name.
    successors: Vec<Vec<&'a str>>,
    is_cleanup: bool,
    is_inside: bool,
}

impl<'a> Parser<'a> {
    fn read(&mut self, line: &'a str, profile_names: &HashMap<&str, &str>) {
        let branch = self.cursor.next(line);
        if let Some((name, 0)) = branch {
            self.functions.push(Function { name, ..Function::default() });
            self.is_inside = true;
            return;
        }
        let Some(function) = self.functions.last_mut().filter(|_| self.is_inside) else { return };
        if line.starts_with('}') {
            let places =
                |names: &Vec<&str>| names.iter().filter_map(|name| self.names.get(name).copied()).collect();
            for (block, names) in function.blocks.iter_mut().zip(&self.successors) {
                block.successors = places(names);
            }
            self.names.clear();
            self.successors.clear();
            self.is_inside = false;
            return;
        }
        if let Some(name) = label(line) {
            self.names.insert(name, function.blocks.len());
            self.successors.push(Vec::new());
            let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
            function.blocks.push(Block { name, is_jump: true, ..Block::default() });
            return;
        }
        let (Some(block), Some(successors)) = (function.blocks.last_mut(), self.successors.last_mut()) else {
            return;
        };
        let code = line.trim_start();
        function.is_coroutine |= code.contains("@llvm.coro.id(");
        if let Some((variable, hash, counter)) = increment(code) {
            if let Some(name) = profile_names.get(variable) {
                function.counters.get_or_insert((unescaped(name), hash));
            }
            block.counter.get_or_insert(counter);
            return;
        }
        block.is_jump &= code.is_empty() || code.starts_with("br ") || code.starts_with("#dbg_");
        if code.starts_with("switch ") {
            self.is_cleanup = code.contains("%cleanup.dest");
            block.cleanup.cases = self.is_cleanup.then(Vec::new);
        }
        if let (Some(cases), Some((case, _))) = (&mut block.cleanup.cases, code.split_once(", label ")) {
            cases.extend(case.strip_prefix("i32 ").and_then(|case| case.parse::<i64>().ok()));
        }
        if code.contains("%cleanup.dest.slot,") {
            match code.strip_prefix("store i32 ") {
                Some(stored) => {
                    block.cleanup.stored = Some(stored.split(',').next().and_then(|one| one.parse().ok()))
                }
                None => block.cleanup.is_read |= block.cleanup.stored.is_none(),
            }
        }
        let is_terminator =
            ["br ", "switch ", "indirectbr ", "i", "to label "].iter().any(|start| code.starts_with(start));
        if is_terminator {
            successors.extend(targets(code));
        }
        block.has_unwind |= code.starts_with("to label ") && code.contains(" unwind label %");
        if let Some((_, number)) = branch.filter(|_| !code.starts_with("to label ")) {
            block.branch = if code.starts_with(']') && self.is_cleanup { 0 } else { number };
        }
    }
}

/// The name of the block that begins at `line`.
pub(super) fn label(line: &str) -> Option<&str> {
    if line.starts_with([' ', ';', '}']) {
        return None;
    }
    match line.strip_prefix('"') {
        Some(quoted) => quoted.split_once("\":").map(|(name, _)| name),
        None => line.split_once(':').map(|(name, _)| name),
    }
}

/// The names of the blocks to which a terminator leads.
fn targets(code: &str) -> impl Iterator<Item = &str> {
    code.split("label %").skip(1).filter_map(|rest| match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split([',', ' ', ']']).next(),
    })
}

/// Parses a global variable that contains the name of a function in the profile: `@__profn_f = private constant [1 x
/// i8] c"f"`. Returns the name of the variable and the name of the function.
fn profile_name(line: &str) -> Option<(&str, &str)> {
    let (variable, value) = line.split_once(" = ")?;
    let (_, content) = value.split_once(" c\"")?;
    Some((profile_variable(variable)?, content.split('"').next()?))
}

/// The name of the variable `@__profn_...` in `code`.
fn profile_variable(code: &str) -> Option<&str> {
    let (_, rest) = code.split_once('@')?;
    let name = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?,
        None => rest.split([',', ' ', ')']).next()?,
    };
    name.starts_with("__profn_").then_some(name)
}

/// Parses `call void @llvm.instrprof.increment(ptr @__profn_f, i64 24, i32 2, i32 1)`. Returns the variable with the
/// name of the function, the hash of the function's control flow, and the number of the counter.
fn increment(code: &str) -> Option<(&str, u64, usize)> {
    let (_, arguments) = code.split_once("@llvm.instrprof.increment(")?;
    let variable = profile_variable(arguments)?;
    let (_, numbers) = arguments.split_once(", i64 ")?;
    let mut numbers = numbers.split([',', ')']).map(|number| number.trim().trim_start_matches("i32 "));
    let hash = numbers.next()?.parse::<i64>().ok()? as u64;
    Some((variable, hash, numbers.nth(1)?.parse().ok()?))
}

/// Decodes the escape sequences in a name of LLVM's textual IR. For example, replaces `\22` by `"`.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        match after.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(b'\\');
                rest = after.strip_prefix('\\').unwrap_or(after);
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}
