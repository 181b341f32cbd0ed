//! Gives the branches of clang's unoptimised output the form of the source, and the counts of a front-end profile.
//!
//! For `while (a && b)`, clang generates a branch on `a`, and a block that joins the two paths and branches on the
//! whole condition. This branch also runs if `a` is false. The first passes of LLVM remove the block, so LLVM predicts
//! a branch on `a` and a branch on `b`, and llvm-cov counts these two branches. [`LiveFunction::make_source_branches`]
//! removes the block, too.
//!
//! Clang also computes branch weights from a front-end profile, but these weights are not always counts. While clang
//! 14 to 22 generates code, a variable contains the count of the code that clang generates next. Clang computes branch
//! weights from this variable. After an operand with `&&`, `||` or `?:`, the variable still contains the count of one
//! part of the operand. Clang then computes wrong weights for later branches. Some weights are constants, and some
//! entry counts are 0. Therefore bpa computes the counts itself:
//!
//! 1. Clang compiles the source a second time, with instrumentation. A call of `llvm.instrprof.increment` in a block
//!    names the counter of the block.
//! 2. The counts of the other blocks and edges follow from the counters: see [`bpa_core::counts`].
//! 3. The counts replace the weights in the module without instrumentation.

use std::ffi::c_char;
use std::path::Path;
use std::ptr::NonNull;
use std::slice;

use super::live::LiveFunction;
use super::llvm::prelude::*;
use super::metadata::write_branch_weights;
use super::source::{locate_at_test, locate_last_operand};
use super::source_graph::{is_jump, Key};
use super::value::{BasicBlock, FunctionRef, Instruction, Opcode, TerminatorInstruction, Value};
use bpa_core::cfg::Block;

#[repr(C)]
struct RawModule(u8);

#[repr(C)]
struct RawProfile(u8);

unsafe extern "C" {
    fn bpa_read_module(
        path: *const c_char,
        length: usize,
        problem: *mut u8,
        capacity: usize,
        written: &mut usize,
    ) -> Option<NonNull<RawModule>>;
    fn bpa_drop_module(module: NonNull<RawModule>);
    fn bpa_function_of(module: NonNull<RawModule>, name: *const u8, length: usize) -> LLVMValueRef;
    fn bpa_open_profile(
        path: *const c_char,
        length: usize,
        problem: *mut u8,
        capacity: usize,
        written: &mut usize,
    ) -> Option<NonNull<RawProfile>>;
    fn bpa_close_profile(profile: NonNull<RawProfile>);
    fn bpa_counters(
        profile: NonNull<RawProfile>,
        name: *const u8,
        length: usize,
        hash: u64,
        count: &mut usize,
    ) -> *const u64;
    safe fn bpa_note_throws(function: FunctionRef);
    fn bpa_mark_nounwind(module: NonNull<RawModule>, others: bool) -> bool;
    safe fn bpa_set_entry_count(function: FunctionRef, is_there: bool, count: u64);
    fn bpa_set_successor(terminator: LLVMValueRef, place: u32, block: LLVMBasicBlockRef);
    fn bpa_branch_instead(
        jump: LLVMValueRef,
        branch: LLVMValueRef,
        condition: LLVMValueRef,
        taken: LLVMBasicBlockRef,
        other: LLVMBasicBlockRef,
    );
    fn bpa_delete_block(block: LLVMBasicBlockRef);
}

/// The maximum length of an error message of LLVM.
const LONGEST_PROBLEM: usize = 1000;

/// Opens the file `path` by a function of C++. Returns the message of LLVM if this fails.
fn open<T>(
    path: &Path,
    open: unsafe extern "C" fn(*const c_char, usize, *mut u8, usize, &mut usize) -> Option<NonNull<T>>,
) -> Result<NonNull<T>, String> {
    let name = path.as_os_str().as_encoded_bytes();
    let (mut problem, mut written) = ([0; LONGEST_PROBLEM], 0);
    // SAFETY: the function gets the start and length of the name, and the start and capacity of the buffer.
    let opened = unsafe {
        open(name.as_ptr().cast(), name.len(), problem.as_mut_ptr(), LONGEST_PROBLEM, &mut written)
    };
    opened.ok_or_else(|| String::from_utf8_lossy(&problem[..written]).into_owned())
}

/// A module that was read from a file. The module has a context of its own.
pub(crate) struct OtherModule(NonNull<RawModule>);

impl OtherModule {
    /// Reads bitcode or text.
    pub fn read(path: &Path) -> Result<Self, String> {
        open(path, bpa_read_module).map(OtherModule)
    }

    /// Adds the attribute `nounwind` to the functions that throw no exception to their callers. Functions that throw an
    /// exception must be known ([`LiveFunction::exceptions`]). If `others` is true, functions of other modules throw
    /// exceptions, too. Returns whether calls can throw.
    pub fn mark_functions_that_do_not_throw(&self, others: bool) -> bool {
        // SAFETY: the module exists.
        unsafe { bpa_mark_nounwind(self.0, others) }
    }

    /// The function `name`, if the module defines it. While the function is in use, the module must exist.
    fn function(&self, name: &[u8]) -> Option<LiveFunction<'_>> {
        // SAFETY: the module exists. C++ returns null or a function of the module.
        unsafe {
            let function = bpa_function_of(self.0, name.as_ptr(), name.len());
            (!function.is_null()).then(|| LiveFunction::new(FunctionRef::new(function))).flatten()
        }
    }
}

impl Drop for OtherModule {
    fn drop(&mut self) {
        // SAFETY: the module exists, and is not used afterwards.
        unsafe { bpa_drop_module(self.0) }
    }
}

/// A front-end profile.
pub(crate) struct FrontEndProfile(NonNull<RawProfile>);

impl FrontEndProfile {
    /// Opens the output of `llvm-profdata merge`.
    pub fn open(path: &Path) -> Result<Self, String> {
        open(path, bpa_open_profile).map(FrontEndProfile)
    }

    /// The counters of the function with this name and this hash of its control flow. If a profile combines several
    /// programs, several functions have the name `main`.
    fn counters(&mut self, (name, hash): Key) -> Option<&[u64]> {
        let mut count = 0;
        // SAFETY: the profile exists. The counters that C++ returns are valid until the next call.
        unsafe {
            let start = bpa_counters(self.0, name.as_ptr(), name.len(), hash, &mut count);
            match count {
                _ if start.is_null() => None,
                0 => Some(&[]),
                count => Some(slice::from_raw_parts(start, count)),
            }
        }
    }
}

impl Drop for FrontEndProfile {
    fn drop(&mut self) {
        // SAFETY: the profile exists, and is not used afterwards.
        unsafe { bpa_close_profile(self.0) }
    }
}

/// The counts of the edges of each block's branch, by block. The counts of a block are `None` if they are unknown.
type BranchCounts = Vec<Option<Vec<u64>>>;

/// The counts of a function.
pub(crate) struct FunctionCounts {
    entries: u64,
    branches: BranchCounts,
}

/// The result of looking up a function in a profile.
pub(crate) enum Measured {
    /// The profile has no counters of the function.
    No,
    Counts(FunctionCounts),
    /// The function is a coroutine, or its branches do not match its counters.
    Unknown,
}

impl LiveFunction<'_> {
    /// How many exceptions this function has caught and thrown. See [`SourceFunction::exceptions`].
    pub(crate) fn exceptions(
        &self,
        instrumented: &OtherModule,
        profile: &mut FrontEndProfile,
    ) -> (u64, Option<u64>) {
        let Some(pair) = instrumented.function(self.name()) else { return (0, Some(0)) };
        let (function, instrumentation) = pair.source_function();
        let counters = instrumentation.key.and_then(|key| profile.counters(key));
        let (caught, thrown) = counters.map_or((0, Some(0)), |counters| function.exceptions(counters));
        if thrown != Some(0) {
            bpa_note_throws(pair.value());
        }
        (caught, thrown)
    }

    /// The counts of this function in `profile`. `instrumented` is the same module with instrumentation. See
    /// [`SourceFunction::counts`] for `throws`.
    pub(crate) fn measured(
        &self,
        instrumented: &OtherModule,
        profile: &mut FrontEndProfile,
        throws: bool,
    ) -> Measured {
        let Some(pair) = instrumented.function(self.name()) else { return Measured::No };
        let (pair, instrumentation) = pair.source_function();
        let Some(counters) = instrumentation.key.and_then(|key| profile.counters(key)) else {
            return Measured::No;
        };
        if instrumentation.is_coroutine {
            return Measured::Unknown;
        }
        let (plain, _) = self.source_function();
        let Some(found) = pair.counts(counters, throws).branches_of(&plain) else { return Measured::Unknown };
        let mut branches = vec![None; self.block_count()];
        for (block, counts) in found {
            branches[block] = Some(counts);
        }
        Measured::Counts(FunctionCounts { entries: counters.first().copied().unwrap_or(0), branches })
    }

    /// Removes the blocks that join the operands of a condition. If `measured` is given, its counts replace the profile
    /// metadata of the function. Consumes the function, because the numbers of the blocks are no longer valid.
    pub(crate) fn make_source_branches(self, measured: Option<Measured>) {
        let is_measured = measured.is_some();
        let (entries, mut branches) = match measured {
            Some(Measured::Counts(counts)) => (Some(counts.entries), counts.branches),
            _ => (None, vec![None; self.block_count()]),
        };
        let mut is_deleted = vec![false; self.block_count()];
        // An operand can have a joining block, too. This block comes before the joining block of the whole condition.
        for place in self.layout().collect::<Vec<_>>().into_iter().rev() {
            let block = self.block(place);
            let changes = Join::read(block).and_then(|join| join.changes(&self, place, &branches));
            if let Some(changes) = changes {
                changes.apply(&mut branches);
                branches[place.as_u32() as usize] = None;
                is_deleted[place.as_u32() as usize] = true;
                // SAFETY: all edges into the block were changed, and only the block itself uses its values.
                unsafe { bpa_delete_block(block.raw()) };
            }
        }
        if is_measured {
            bpa_set_entry_count(self.value(), entries.is_some(), entries.unwrap_or(0));
        }
        for (place, counts) in self.layout().zip(branches) {
            if is_deleted[place.as_u32() as usize] {
                continue;
            }
            let Some(terminator) = self.block(place).terminator() else { continue };
            locate_at_test(terminator);
            if is_measured {
                let executed = counts.filter(|counts| counts.iter().any(|&count| count > 0));
                write_branch_weights(*terminator, executed.map(|counts| weights(&counts)).as_deref());
            }
        }
    }
}

/// The branch weights for `counts`. If a count does not fit into 32 bits, all counts are divided by the smallest
/// sufficient number, as in LLVM.
fn weights(counts: &[u64]) -> Vec<u32> {
    let largest = counts.iter().copied().max().unwrap_or(0);
    let scale = largest / u64::from(u32::MAX) + 1;
    counts.iter().map(|count| u32::try_from(count / scale).unwrap_or(u32::MAX)).collect()
}

/// A block that contains nothing but a phi, negations of its value, and a branch on the last of these values.
struct Join<'ir> {
    block: BasicBlock<'ir>,
    incoming: Vec<(BasicBlock<'ir>, Value<'ir>)>,
    branch: TerminatorInstruction<'ir>,
    /// The blocks to which the branch leads if the value of the phi is true, and if it is false.
    targets: [BasicBlock<'ir>; 2],
    is_negated: bool,
}

impl<'ir> Join<'ir> {
    fn read(block: BasicBlock<'ir>) -> Option<Self> {
        let mut instructions = block.instructions();
        let phi = instructions.next()?.phi()?;
        let has_one_use = |value: Value<'ir>| value.users().count() == 1;
        let (mut value, mut is_negated) = (**phi, false);
        for instruction in instructions {
            if !has_one_use(value) {
                return None;
            }
            if instruction.is_terminator() {
                break;
            }
            value = negation_of(instruction, value)?;
            is_negated = !is_negated;
        }
        let branch = block.terminator()?;
        if value.type_of().integer_bits() != Some(1) || branch.condition() != Some(value) {
            return None;
        }
        let mut targets = [branch.successor(0), branch.successor(1)];
        if is_negated {
            targets.reverse();
        }
        Some(Join { block, incoming: phi.incoming().collect(), branch, targets, is_negated })
    }

    /// The changes that remove the block. `None` if the block has another form than the joining block of a condition.
    fn changes(self, live: &LiveFunction, place: Block, branches: &BranchCounts) -> Option<Changes<'ir>> {
        let has_phi = |block: BasicBlock| block.instructions().next().is_some_and(|first| first.is_phi());
        if self.targets.iter().any(|&target| target == self.block || has_phi(target)) {
            return None;
        }
        let mut counts = branches[place.as_u32() as usize].clone();
        if self.is_negated {
            counts.iter_mut().for_each(|counts| counts.reverse());
        }
        let (mut edges, mut operand, mut has_jump) = (Vec::new(), None, false);
        for &(from, value) in &self.incoming {
            let terminator = from.terminator()?;
            let target = match value.integer().map(|value| value.unsigned()) {
                Some(0) => 1,
                Some(_) => 0,
                None if operand.is_some() => return None,
                None => {
                    operand = Some((from, value, terminator));
                    continue;
                }
            };
            if edges.iter().any(|edge: &Edge| edge.from == terminator) {
                return None;
            }
            // The number of executions of a jump is unknown.
            has_jump |= is_jump(**terminator);
            if !is_jump(**terminator) && terminator.condition().is_none() {
                return None;
            }
            let edge =
                (0..terminator.successor_count()).find(|&edge| terminator.successor(edge) == self.block)?;
            let of_from = branches[live.find(from)?.as_u32() as usize].as_ref();
            counts = counts.zip(of_from).map(|(mut all, of_edge)| {
                all[target] = all[target].saturating_sub(of_edge[edge]);
                all
            });
            edges.push(Edge { from: terminator, place: edge, to: self.targets[target] });
        }
        // Without an operand, all values are constants.
        let operand = match operand {
            None => None,
            Some((from, value, jump)) => {
                if has_jump
                    || edges.iter().any(|edge| edge.from == jump)
                    || !is_jump(**jump)
                    || jump.successor(0) != self.block
                {
                    return None;
                }
                Some(Operand { place: live.find(from)?, value, jump, counts })
            }
        };
        Some(Changes { edges, operand, branch: self.branch, targets: self.targets })
    }
}

/// If `instruction` is the negation of `value`, returns its result.
fn negation_of<'ir>(instruction: Instruction<'ir>, value: Value<'ir>) -> Option<Value<'ir>> {
    let is_negation = instruction.opcode() == Opcode::XOR
        && instruction.operand(0) == value
        && instruction.operand(1).integer().is_some_and(|one| one.unsigned() == 1);
    is_negation.then_some(*instruction)
}

/// An edge that gets a new destination.
struct Edge<'ir> {
    from: TerminatorInstruction<'ir>,
    place: usize,
    to: BasicBlock<'ir>,
}

/// The operand that a new branch tests instead of the removed branch. The new branch replaces `jump`.
struct Operand<'ir> {
    place: Block,
    value: Value<'ir>,
    jump: TerminatorInstruction<'ir>,
    counts: Option<Vec<u64>>,
}

/// The changes that remove a joining block.
struct Changes<'ir> {
    edges: Vec<Edge<'ir>>,
    operand: Option<Operand<'ir>>,
    branch: TerminatorInstruction<'ir>,
    targets: [BasicBlock<'ir>; 2],
}

impl Changes<'_> {
    fn apply(self, branches: &mut BranchCounts) {
        if let Some(Operand { value, .. }) = &self.operand {
            locate_last_operand(*value, self.edges.iter().map(|edge| edge.from));
        }
        for Edge { from, place, to } in self.edges {
            // SAFETY: the terminator has this successor, and the block belongs to the same function. The new
            // destination has no phi.
            unsafe { bpa_set_successor(from.raw(), place as u32, to.raw()) };
        }
        let Some(Operand { place, value, jump, counts }) = self.operand else { return };
        let [taken, other] = self.targets.map(BasicBlock::raw);
        // SAFETY: `jump` is an unconditional branch, `branch` is a conditional branch, and `value` is a truth value that
        // is available in the block of `jump`.
        unsafe { bpa_branch_instead(jump.raw(), self.branch.raw(), value.raw(), taken, other) };
        branches[place.as_u32() as usize] = counts;
    }
}
