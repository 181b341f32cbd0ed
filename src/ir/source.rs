//! Source positions of instructions, from debug information.

use std::ffi::c_char;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::slice;
use std::sync::Arc;

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

use crate::ir::llvm::debuginfo::*;
use crate::ir::llvm::prelude::*;
use crate::ir::llvm::LLVMOpaqueMetadata;

use super::live::LiveFunction;
use super::value::{BasicBlock, Instruction, Opcode, TerminatorInstruction, Value};
use bpa_core::cfg::Block;
use bpa_core::source::{BlockSource, Definition, Frame, FunctionSource, Position};

unsafe extern "C" {
    safe fn bpa_subprogram_of_scope(scope: Metadata) -> Option<Metadata>;
    fn bpa_subprogram_name(function: LLVMMetadataRef, length: *mut usize) -> *const c_char;
}

/// A node of debug information in live IR. The node lives as long as its context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub(super) struct Metadata<'ir>(NonNull<LLVMOpaqueMetadata>, PhantomData<&'ir ()>);

impl<'ir> Metadata<'ir> {
    /// # Safety
    ///
    /// `raw` must be null or a node that is valid for `'ir`.
    unsafe fn new(raw: LLVMMetadataRef) -> Option<Self> {
        Some(Metadata(NonNull::new(raw)?, PhantomData))
    }

    pub fn raw(self) -> LLVMMetadataRef {
        self.0.as_ptr()
    }
}

/// The location of an instruction: a line and column in a scope and, if the scope was inlined, the location of the
/// call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub(super) struct Location<'ir>(Metadata<'ir>);

impl<'ir> Location<'ir> {
    fn of(instruction: Instruction<'ir>) -> Option<Self> {
        // SAFETY: the value is an instruction, and its location is valid.
        unsafe { Metadata::new(LLVMInstructionGetDebugLoc(instruction.raw())) }.map(Location)
    }

    fn give_to(self, instruction: Instruction<'ir>) {
        // SAFETY: the value is an instruction, and this node is a location in the same function.
        unsafe { LLVMInstructionSetDebugLoc(instruction.raw(), self.raw()) }
    }

    /// Whether two locations have the same position. Locations of LLVM 21 and later can also differ in numbers that
    /// group instructions.
    fn is_at(self, other: Self) -> bool {
        let position = |one: Self| (one.line(), one.column(), one.scope(), one.inlined_at());
        position(self) == position(other)
    }

    pub fn raw(self) -> LLVMMetadataRef {
        self.0.raw()
    }

    fn inlined_at(self) -> Option<Self> {
        // SAFETY: this node is a location.
        unsafe { Metadata::new(LLVMDILocationGetInlinedAt(self.raw())) }.map(Location)
    }

    fn scope(self) -> Metadata<'ir> {
        // SAFETY: this node is a location.
        unsafe { Metadata::new(LLVMDILocationGetScope(self.raw())) }.expect("a location has a scope")
    }

    fn line(self) -> u32 {
        // SAFETY: this node is a location.
        unsafe { LLVMDILocationGetLine(self.raw()) }
    }

    fn column(self) -> u32 {
        // SAFETY: this node is a location.
        unsafe { LLVMDILocationGetColumn(self.raw()) }
    }
}

impl LiveFunction<'_> {
    /// Reads the source positions of the function and its blocks. If the function has no debug information, all
    /// positions are missing.
    pub fn source(&self) -> FunctionSource {
        let mut reader = SourceReader::default();
        // SAFETY: the value is a function.
        let subprogram = unsafe { Metadata::new(LLVMGetSubprogram(self.value().raw())) };
        // A function is also a scope, so `scope` finds its file.
        let own = subprogram.and_then(|subprogram| reader.scope(subprogram).cloned());
        let blocks = self.basic_blocks().map(|(_, block)| reader.block(block, own.as_ref())).collect();
        let (Some(subprogram), Some(Frame { file, directory, .. })) = (subprogram, own) else {
            return FunctionSource { blocks, ..FunctionSource::default() };
        };
        // SAFETY: `subprogram` is the node of a function.
        let line = unsafe { LLVMDISubprogramGetLine(subprogram.raw()) };
        let definition = Definition { file, directory, line: Some(line).filter(|&line| line > 0) };
        let name = Some(function_name(subprogram)).filter(|name| !name.is_empty());
        FunctionSource { name, definition: Some(definition), blocks }
    }

    /// The LLVM locations of the function's blocks.
    pub(super) fn locations(&self) -> PrimaryMap<Block, Locations<'_>> {
        let mut reader = SourceReader::default();
        self.basic_blocks().map(|(_, block)| reader.locations(block)).collect()
    }

    /// The source position of the branch that ends `block`.
    pub fn branch_position(&self, block: Block) -> Option<Position> {
        let mut reader = SourceReader::default();
        let location = reader.branch(self.block(block));
        reader.position(location)
    }
}

/// In the output of clang before any pass: gives a branch the location of the instruction that computes its condition.
///
/// The branch on `a` in `a && b` has the location of the operator, and so has every branch of an operand `c ? d : e`,
/// except the branch on `d`.
pub(super) fn locate_at_test(branch: TerminatorInstruction<'_>) {
    let location = tested(branch).and_then(Location::of).filter(|location| location.line() > 0);
    if let Some(location) = location.filter(|_| branch.condition().is_some()) {
        location.give_to(*branch);
    }
}

/// In the output of clang before any pass: gives the value of the last operand of `a && b` a location inside the operand.
/// `of_operator` are branches with the location of the operator.
///
/// If the operand is not a `bool`, clang compares it with 0, and this comparison has the location of the operator.
pub(super) fn locate_last_operand<'ir>(
    value: Value<'ir>,
    mut of_operator: impl Iterator<Item = TerminatorInstruction<'ir>>,
) {
    let (Some(comparison), Some(test)) = (value.comparison(), value.instruction()) else { return };
    let operand = comparison.left().instruction().filter(|operand| !operand.is_phi());
    let (Some(here), Some(there)) = (Location::of(test), operand.and_then(Location::of)) else { return };
    if of_operator.any(|branch| Location::of(*branch).is_some_and(|location| location.is_at(here))) {
        there.give_to(test);
    }
}

/// LLVM's locations for a block. A location is `None` if it is unknown.
pub(super) struct Locations<'ir> {
    /// The location of the branch that ends the block.
    pub branch: Option<Location<'ir>>,
    /// The location where the block starts.
    pub first: Option<Location<'ir>>,
}

/// The maximum number of inlined calls that a source position can contain. This maximum keeps
/// source positions small. If there are more inlined calls, the position contains only the 62 innermost calls and the
/// outermost call.
const MOST_CALLS: usize = 63;

/// Reads source positions. Many positions share scopes and files, so each scope and file is read once.
#[derive(Default)]
pub(super) struct SourceReader<'ir> {
    /// For each scope, a frame with a file and a function, but without a line number. `None` if the file is unknown.
    scopes: FxHashMap<Metadata<'ir>, Option<Frame>>,
    /// For each location in inlined code, the location of the call in the source of the function itself.
    outermost: FxHashMap<Location<'ir>, Location<'ir>>,
}

impl<'ir> SourceReader<'ir> {
    fn block(&mut self, block: BasicBlock<'ir>, own: Option<&Frame>) -> BlockSource {
        let Locations { branch, first } = self.locations(block);
        let mut lines = Vec::new();
        if let Some(own) = own {
            lines.extend(locations(block).filter_map(|location| self.line_in(own, location)));
        }
        lines.sort_unstable();
        lines.dedup();
        let searches_handler = block.terminator().is_some_and(searches_handler);
        BlockSource { branch: self.position(branch), first: self.position(first), lines, searches_handler }
    }

    fn locations(&mut self, block: BasicBlock<'ir>) -> Locations<'ir> {
        let first = locations(block).find(|&location| self.position(Some(location)).is_some());
        Locations { branch: self.branch(block), first }
    }

    /// The location of the branch that ends `block`. The result is usually the location of the condition, because the
    /// terminator itself has the location of the whole statement, or no location. If the condition is located before
    /// the statement, the result is the terminator's location. The same holds if the condition is on the same line in
    /// another block: in `if (p && q) ...; if (p || q) ...`, both branches on `p` have the condition of the first.
    fn branch(&mut self, block: BasicBlock<'ir>) -> Option<Location<'ir>> {
        let terminator = block.terminator()?;
        let at_terminator = Location::of(*terminator);
        let test = tested(terminator);
        let at_test = test.and_then(Location::of);
        let is_in_block = test.is_some_and(|test| test.parent() == Some(block));
        match (self.position(at_terminator), self.position(at_test)) {
            (Some(statement), Some(test))
                if is_no_earlier(&test, &statement)
                    && (is_in_block || test.frame.line > statement.frame.line) =>
            {
                at_test
            }
            (Some(_), _) => at_terminator,
            (None, Some(_)) => at_test,
            (None, None) => None,
        }
    }

    /// Converts `location` to a position. The result is `None` if the location is missing or its line is 0. Line 0
    /// marks compiler-generated code.
    fn position(&mut self, location: Option<Location<'ir>>) -> Option<Position> {
        let location = location?;
        let frame = self.frame(location).filter(|frame| frame.line > 0)?;
        let mut inlined_at = Vec::new();
        let mut next = location.inlined_at();
        while let Some(mut call) = next {
            if inlined_at.len() + 1 == MOST_CALLS {
                call = self.outermost(call);
            }
            inlined_at.push(self.frame(call)?);
            next = call.inlined_at();
        }
        Some(Position { frame, inlined_at })
    }

    fn frame(&mut self, location: Location<'ir>) -> Option<Frame> {
        let Frame { file, directory, function, .. } = self.scope(location.scope())?.clone();
        let function = function.filter(|_| location.inlined_at().is_some());
        Some(Frame { file, directory, line: location.line(), column: location.column(), function })
    }

    /// If `location` was inlined, returns the location of the outermost inlined call. This call is in the source of the
    /// function itself, not in inlined code. Otherwise returns `location`.
    fn outermost(&mut self, location: Location<'ir>) -> Location<'ir> {
        let mut passed = Vec::new();
        let mut call = location;
        loop {
            if let Some(&known) = self.outermost.get(&call) {
                call = known;
                break;
            }
            let Some(next) = call.inlined_at() else { break };
            passed.push(call);
            call = next;
        }
        self.outermost.extend(passed.into_iter().map(|inlined| (inlined, call)));
        call
    }

    /// The line of `location`, or of the outermost inlined call that contains `location`. Returns `None` if the line is
    /// 0, or if the line is not in the file of `own`.
    fn line_in(&mut self, own: &Frame, location: Location<'ir>) -> Option<u32> {
        let call = self.outermost(location);
        let line = call.line();
        let is_there = self.scope(call.scope())?.is_in_file_of(own);
        (line > 0 && is_there).then_some(line)
    }

    fn scope(&mut self, scope: Metadata<'ir>) -> Option<&Frame> {
        let frame = self.scopes.entry(scope).or_insert_with(|| {
            let (file, directory) = file_of(scope)?;
            let function = bpa_subprogram_of_scope(scope).map(function_name);
            let function = function.filter(|name| !name.is_empty());
            Some(Frame { file, directory, line: 0, column: 0, function })
        });
        frame.as_ref()
    }
}

/// Whether the first position is on the line of the second position or on a later line. The result is false if the
/// files or the inlined calls of the positions differ.
fn is_no_earlier(here: &Position, there: &Position) -> bool {
    let (test, statement) = (&here.frame, &there.frame);
    test.is_in_file_of(statement) && test.line >= statement.line && here.inlined_at == there.inlined_at
}

/// The instruction that computes the condition of a terminator. The result is `None` if the terminator has no
/// condition, or if the condition is not an instruction.
fn tested(terminator: TerminatorInstruction<'_>) -> Option<Instruction<'_>> {
    let calls = [Opcode::INVOKE, Opcode::CALL_BRANCH, Opcode::CATCH_SWITCH];
    if terminator.successor_count() < 2 || calls.contains(&terminator.opcode()) {
        return None;
    }
    terminator.operand(0).instruction().filter(|tested| !tested.is_phi())
}

/// Whether a terminator compares the selector of a landing pad, which is the type of an exception, with the type of a
/// `catch` clause or with an exception specification. The source has no condition at such a branch.
fn searches_handler(terminator: TerminatorInstruction<'_>) -> bool {
    let comparison = terminator.condition().and_then(Value::comparison);
    comparison.is_some_and(|comparison| {
        [comparison.left(), comparison.right()].into_iter().filter_map(Value::instruction).any(|operand| {
            let function = operand.called_function().map(|function| function.name());
            function.is_some_and(|name| name.starts_with(b"llvm.eh.typeid.for")) || is_selector(operand)
        })
    })
}

/// Whether an instruction extracts a part of the result of a landing pad.
fn is_selector(instruction: Instruction<'_>) -> bool {
    instruction.opcode() == Opcode::EXTRACT_VALUE
        && instruction.operand(0).opcode() == Some(Opcode::LANDING_PAD)
}

/// The locations in `block`. Consecutive equal locations are returned only once.
fn locations(block: BasicBlock<'_>) -> impl Iterator<Item = Location<'_>> {
    let mut last = None;
    block.instructions().filter_map(move |instruction| {
        let location = Location::of(instruction)?;
        if last == Some(location) || !is_executed(instruction) {
            return None;
        }
        last = Some(location);
        last
    })
}

/// Whether `instruction` is executed at run time. Phis and debug information are not executed.
fn is_executed(instruction: Instruction) -> bool {
    match instruction.opcode() {
        Opcode::PHI => false,
        Opcode::CALL => !instruction.is_debug_information(),
        _ => true,
    }
}

/// The path of a scope's source file, and the directory to which this path is relative.
fn file_of(scope: Metadata) -> Option<(Arc<str>, Option<Arc<str>>)> {
    // SAFETY: the node is a scope, and LLVM returns the start and length of each text of its file.
    unsafe {
        let file = LLVMDIScopeGetFile(scope.raw());
        if file.is_null() {
            return None;
        }
        let mut length = 0;
        let name = text(LLVMDIFileGetFilename(file, &mut length), length as usize);
        let directory = text(LLVMDIFileGetDirectory(file, &mut length), length as usize);
        let directory = Some(directory).filter(|directory| is_relative(&name) && !directory.is_empty());
        (!name.is_empty()).then_some((name, directory))
    }
}

fn is_relative(path: &str) -> bool {
    let has_drive = path.get(1..2) == Some(":");
    !has_drive && !path.starts_with(['/', '\\'])
}

fn function_name(subprogram: Metadata) -> Arc<str> {
    let mut length = 0;
    // SAFETY: the node is valid, and the C++ function returns the start and length of a text.
    unsafe {
        let start = bpa_subprogram_name(subprogram.raw(), &mut length);
        text(start, length)
    }
}

/// Copies a text that LLVM owns. Bytes that are not UTF-8 become U+FFFD.
///
/// # Safety
///
/// `start` must be null or point to `length` bytes.
unsafe fn text(start: *const c_char, length: usize) -> Arc<str> {
    if start.is_null() {
        return "".into();
    }
    // SAFETY: the caller guarantees that `start` points to `length` bytes.
    String::from_utf8_lossy(unsafe { slice::from_raw_parts(start.cast(), length) }).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_paths_are_absolute_on_other_systems() {
        for relative in ["a.c", "../a.c", "", "\u{e9}:"] {
            assert!(is_relative(relative), "{relative}");
        }
        for absolute in ["/a.c", "C:\\a.c", "\\\\host\\a.c"] {
            assert!(!is_relative(absolute), "{absolute}");
        }
    }

    #[test]
    fn only_positions_in_the_same_file_and_call_are_ordered() {
        let frame = |file: &str, line| Frame {
            file: file.into(),
            directory: Some("/src".into()),
            line,
            column: 1,
            function: None,
        };
        let at =
            |file, line, call| Position { frame: frame(file, line), inlined_at: vec![frame("m.c", call)] };
        let test = at("a.c", 5, 1);
        assert!(is_no_earlier(&test, &at("a.c", 5, 1)) && is_no_earlier(&test, &at("a.c", 4, 1)));
        for other in [at("a.c", 6, 1), at("b.c", 5, 1), at("a.c", 5, 2)] {
            assert!(!is_no_earlier(&test, &other), "{other}");
        }
    }
}
