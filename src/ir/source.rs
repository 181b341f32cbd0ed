//! Where instructions stand in the source of the program, by their debug information.

use std::slice;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::ir::llvm::core::*;
use crate::ir::llvm::debuginfo::*;
use crate::ir::llvm::prelude::*;
use crate::ir::llvm::LLVMOpcode;

use super::live::LiveFunction;
use bpa_core::cfg::Block;
use bpa_core::source::{BlockSource, Definition, FunctionSource, SourceFile, SourceFrame, SourcePosition};

extern "C" {
    fn bpa_subprogram_of_scope(scope: LLVMMetadataRef) -> LLVMMetadataRef;
    fn bpa_subprogram_name(function: LLVMMetadataRef, length: *mut usize) -> *const std::ffi::c_char;
}

impl LiveFunction {
    /// Where the function and its blocks stand in the source. Without debug information nothing is known.
    pub fn source(&self) -> FunctionSource {
        let mut reader = SourceReader::default();
        // SAFETY: the function and its blocks are valid.
        unsafe {
            let definition = reader.definition(LLVMGetSubprogram(self.value()));
            let own_file = definition.as_ref().map(|definition| &definition.file);
            let blocks = self.blocks().values().map(|&block| reader.block(block, own_file)).collect();
            FunctionSource { definition, blocks }
        }
    }

    /// Where the branch that ends `block` stands.
    pub fn branch_position(&self, block: Block) -> Option<SourcePosition> {
        // SAFETY: blocks of a live function are valid.
        unsafe { SourceReader::default().branch(self.blocks()[block]) }
    }
}

/// Whose source a scope is.
#[derive(Clone)]
struct Scope {
    file: Option<SourceFile>,
    function: Option<Arc<str>>,
}

/// Reads places; what many of them share is read once.
#[derive(Default)]
pub(super) struct SourceReader {
    scopes: FxHashMap<LLVMMetadataRef, Scope>,
    /// For each place that was inlined, the call in the function itself.
    outermost: FxHashMap<LLVMMetadataRef, LLVMMetadataRef>,
}

impl SourceReader {
    /// # Safety
    ///
    /// `block` is a valid block.
    unsafe fn block(&mut self, block: LLVMBasicBlockRef, own_file: Option<&SourceFile>) -> BlockSource {
        let mut source = BlockSource { branch: self.branch(block), ..BlockSource::default() };
        let mut last = std::ptr::null_mut();
        let mut instruction = LLVMGetFirstInstruction(block);
        while !instruction.is_null() {
            let location = LLVMInstructionGetDebugLoc(instruction);
            if !location.is_null() && location != last && does_something(instruction) {
                last = location;
                if source.first.is_none() {
                    source.first = self.position(location);
                }
                source.lines.extend(own_file.and_then(|own_file| self.line_in(own_file, location)));
            }
            instruction = LLVMGetNextInstruction(instruction);
        }
        source.lines.sort_unstable();
        source.lines.dedup();
        source
    }

    /// The place of the branch that ends `block`: mostly that of what it tests, as the terminator has that of the whole
    /// statement, or none. Of a test above the statement, the program has kept the result.
    ///
    /// # Safety
    ///
    /// `block` is a valid block.
    unsafe fn branch(&mut self, block: LLVMBasicBlockRef) -> Option<SourcePosition> {
        let terminator = LLVMGetBasicBlockTerminator(block);
        if terminator.is_null() {
            return None;
        }
        let statement = self.instruction(terminator);
        let test = tested(terminator).and_then(|tested| self.instruction(tested));
        match (&statement, &test) {
            (Some(statement), Some(test)) if test.is_no_earlier_than(statement) => Some(test.clone()),
            _ => statement.or(test),
        }
    }

    /// The place of an instruction.
    ///
    /// # Safety
    ///
    /// `instruction` is a valid instruction.
    pub unsafe fn instruction(&mut self, instruction: LLVMValueRef) -> Option<SourcePosition> {
        let location = LLVMInstructionGetDebugLoc(instruction);
        (!location.is_null()).then(|| self.position(location)).flatten()
    }

    /// The place that `location` means; none where a compiler has made up the code, whose line is 0.
    unsafe fn position(&mut self, location: LLVMMetadataRef) -> Option<SourcePosition> {
        let innermost = self.frame(location).filter(|frame| frame.line > 0)?;
        let mut calls = Vec::new();
        let mut call = LLVMDILocationGetInlinedAt(location);
        while !call.is_null() {
            if calls.len() + 1 == SourcePosition::MOST_CALLS {
                call = self.outermost(call);
            }
            calls.push(self.frame(call)?);
            call = LLVMDILocationGetInlinedAt(call);
        }
        Some(SourcePosition::new(innermost, calls))
    }

    unsafe fn frame(&mut self, location: LLVMMetadataRef) -> Option<SourceFrame> {
        let Scope { file, function } = self.scope(LLVMDILocationGetScope(location));
        let is_inlined = !LLVMDILocationGetInlinedAt(location).is_null();
        Some(SourceFrame {
            file: file.clone()?,
            line: LLVMDILocationGetLine(location),
            column: LLVMDILocationGetColumn(location),
            function: function.clone().filter(|_| is_inlined),
        })
    }

    /// The call in the function itself that brought `location` there; of what was not inlined, `location`.
    unsafe fn outermost(&mut self, location: LLVMMetadataRef) -> LLVMMetadataRef {
        let mut passed = Vec::new();
        let mut call = location;
        loop {
            if let Some(&known) = self.outermost.get(&call) {
                call = known;
                break;
            }
            let next = LLVMDILocationGetInlinedAt(call);
            if next.is_null() {
                break;
            }
            passed.push(call);
            call = next;
        }
        self.outermost.extend(passed.into_iter().map(|inlined| (inlined, call)));
        call
    }

    /// The line of `location` in the function itself, if that is in `file`.
    unsafe fn line_in(&mut self, file: &SourceFile, location: LLVMMetadataRef) -> Option<u32> {
        let own = self.outermost(location);
        let line = LLVMDILocationGetLine(own);
        let is_there = self.scope(LLVMDILocationGetScope(own)).file.as_ref() == Some(file);
        (line > 0 && is_there).then_some(line)
    }

    unsafe fn scope(&mut self, scope: LLVMMetadataRef) -> &Scope {
        self.scopes.entry(scope).or_insert_with(|| Scope {
            file: file_of(scope),
            function: Some(function_name(bpa_subprogram_of_scope(scope))).filter(|name| !name.is_empty()),
        })
    }

    /// Where a function is defined, of whose source `subprogram` tells; null tells nothing.
    unsafe fn definition(&mut self, subprogram: LLVMMetadataRef) -> Option<Definition> {
        if subprogram.is_null() {
            return None;
        }
        // A function is a scope, too, and its blocks have its file.
        let file = self.scope(subprogram).file.clone()?;
        Some(Definition { name: function_name(subprogram), file, line: LLVMDISubprogramGetLine(subprogram) })
    }
}

/// The instruction that computes what a terminator goes by; none if it goes by nothing, or by what is no instruction.
unsafe fn tested(terminator: LLVMValueRef) -> Option<LLVMValueRef> {
    let calls = [LLVMOpcode::LLVMInvoke, LLVMOpcode::LLVMCallBr, LLVMOpcode::LLVMCatchSwitch];
    if LLVMGetNumSuccessors(terminator) < 2 || calls.contains(&LLVMGetInstructionOpcode(terminator)) {
        return None;
    }
    let tested = LLVMGetOperand(terminator, 0);
    let computes = !LLVMIsAInstruction(tested).is_null() && LLVMIsAPHINode(tested).is_null();
    computes.then_some(tested)
}

/// Whether `instruction` is one that a program can be seen to execute.
unsafe fn does_something(instruction: LLVMValueRef) -> bool {
    match LLVMGetInstructionOpcode(instruction) {
        LLVMOpcode::LLVMPHI => false,
        LLVMOpcode::LLVMCall => LLVMIsADbgInfoIntrinsic(instruction).is_null(),
        _ => true,
    }
}

/// The file that a scope is in.
unsafe fn file_of(scope: LLVMMetadataRef) -> Option<SourceFile> {
    let file = LLVMDIScopeGetFile(scope);
    if file.is_null() {
        return None;
    }
    let mut length = 0;
    let name = text(LLVMDIFileGetFilename(file, &mut length), length as usize);
    let directory = text(LLVMDIFileGetDirectory(file, &mut length), length as usize);
    (!name.is_empty()).then(|| SourceFile::new(name, directory))
}

unsafe fn function_name(subprogram: LLVMMetadataRef) -> Arc<str> {
    let mut length = 0;
    let start = bpa_subprogram_name(subprogram, &mut length);
    text(start, length)
}

/// A copy of what LLVM keeps; what is not UTF-8 becomes U+FFFD.
unsafe fn text(start: *const std::ffi::c_char, length: usize) -> Arc<str> {
    if start.is_null() {
        return "".into();
    }
    String::from_utf8_lossy(slice::from_raw_parts(start.cast(), length)).into()
}
