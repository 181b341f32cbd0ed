//! Source positions of instructions, from debug information.

use std::ptr;
use std::slice;
use std::sync::Arc;

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

use crate::ir::llvm::core::*;
use crate::ir::llvm::debuginfo::*;
use crate::ir::llvm::prelude::*;
use crate::ir::llvm::LLVMOpcode;

use super::live::LiveFunction;
use bpa_core::cfg::Block;
use bpa_core::source::{BlockSource, Definition, FunctionSource, SourceFile, SourceFrame, SourcePosition};

unsafe extern "C" {
    fn bpa_subprogram_of_scope(scope: LLVMMetadataRef) -> LLVMMetadataRef;
    fn bpa_subprogram_name(function: LLVMMetadataRef, length: *mut usize) -> *const std::ffi::c_char;
}

impl LiveFunction {
    /// Reads the source positions of the function and its blocks. Without debug information, all positions are missing.
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

    /// The LLVM locations of the function's blocks.
    pub(super) fn locations(&self) -> PrimaryMap<Block, Locations> {
        let mut reader = SourceReader::default();
        // SAFETY: blocks of a live function are valid.
        self.blocks().values().map(|&block| unsafe { reader.locations(block) }).collect()
    }

    /// The source position of the branch that ends `block`.
    pub fn branch_position(&self, block: Block) -> Option<SourcePosition> {
        // SAFETY: blocks of a live function are valid.
        unsafe {
            let mut reader = SourceReader::default();
            let location = reader.branch(self.blocks()[block]);
            reader.position(location)
        }
    }
}

/// LLVM's locations for a block. A location is null if it is unknown.
pub(super) struct Locations {
    /// The location of the branch that ends the block.
    pub branch: LLVMMetadataRef,
    /// The location where the block starts.
    pub first: LLVMMetadataRef,
}

/// The function and file of a scope.
#[derive(Clone)]
struct Scope {
    file: Option<SourceFile>,
    function: Option<Arc<str>>,
}

/// Reads source positions. Many positions share scopes and files, so each scope and file is read once.
#[derive(Default)]
pub(super) struct SourceReader {
    scopes: FxHashMap<LLVMMetadataRef, Scope>,
    /// For each inlined location, the location of the outermost call, which is in the function itself.
    outermost: FxHashMap<LLVMMetadataRef, LLVMMetadataRef>,
}

impl SourceReader {
    /// # Safety
    ///
    /// `block` is a valid block.
    unsafe fn block(&mut self, block: LLVMBasicBlockRef, own_file: Option<&SourceFile>) -> BlockSource {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let Locations { branch, first } = self.locations(block);
            let mut lines = Vec::new();
            if let Some(own_file) = own_file {
                for_each_location(block, |location| {
                    lines.extend(self.line_in(own_file, location));
                    true
                });
            }
            lines.sort_unstable();
            lines.dedup();
            BlockSource { branch: self.position(branch), first: self.position(first), lines }
        }
    }

    /// # Safety
    ///
    /// `block` is a valid block.
    unsafe fn locations(&mut self, block: LLVMBasicBlockRef) -> Locations {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let mut first = ptr::null_mut();
            for_each_location(block, |location| {
                if self.position(location).is_some() {
                    first = location;
                }
                first.is_null()
            });
            Locations { branch: self.branch(block), first }
        }
    }

    /// The location of the branch that ends `block`, or null. A terminator has the location of the whole statement or
    /// no location, so the result is usually the location of the condition. If the condition precedes the statement,
    /// the result is the terminator's location.
    ///
    /// # Safety
    ///
    /// `block` is a valid block.
    unsafe fn branch(&mut self, block: LLVMBasicBlockRef) -> LLVMMetadataRef {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let terminator = LLVMGetBasicBlockTerminator(block);
            if terminator.is_null() {
                return ptr::null_mut();
            }
            let at_terminator = LLVMInstructionGetDebugLoc(terminator);
            let at_test =
                tested(terminator).map_or(ptr::null_mut(), |tested| LLVMInstructionGetDebugLoc(tested));
            match (self.position(at_terminator), self.position(at_test)) {
                (Some(statement), Some(test)) if test.is_no_earlier_than(&statement) => at_test,
                (Some(_), _) => at_terminator,
                (None, Some(_)) => at_test,
                (None, None) => ptr::null_mut(),
            }
        }
    }

    /// The source position of an instruction.
    ///
    /// # Safety
    ///
    /// `instruction` is a valid instruction.
    pub unsafe fn instruction(&mut self, instruction: LLVMValueRef) -> Option<SourcePosition> {
        // SAFETY: the caller keeps this function's contract.
        unsafe { self.position(LLVMInstructionGetDebugLoc(instruction)) }
    }

    /// The position of `location`. The result is `None` if the location is null or has line 0, which marks
    /// compiler-generated code.
    unsafe fn position(&mut self, location: LLVMMetadataRef) -> Option<SourcePosition> {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            if location.is_null() {
                return None;
            }
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
    }

    unsafe fn frame(&mut self, location: LLVMMetadataRef) -> Option<SourceFrame> {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let Scope { file, function } = self.scope(LLVMDILocationGetScope(location));
            let is_inlined = !LLVMDILocationGetInlinedAt(location).is_null();
            Some(SourceFrame {
                file: file.clone()?,
                line: LLVMDILocationGetLine(location),
                column: LLVMDILocationGetColumn(location),
                function: function.clone().filter(|_| is_inlined),
            })
        }
    }

    /// The location of the call in the function itself through which `location` was inlined. Returns
    /// `location` if it was not inlined.
    unsafe fn outermost(&mut self, location: LLVMMetadataRef) -> LLVMMetadataRef {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
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
    }

    /// The line of `location` in the function itself, if that line is in `file`.
    unsafe fn line_in(&mut self, file: &SourceFile, location: LLVMMetadataRef) -> Option<u32> {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let own = self.outermost(location);
            let line = LLVMDILocationGetLine(own);
            let is_there = self.scope(LLVMDILocationGetScope(own)).file.as_ref() == Some(file);
            (line > 0 && is_there).then_some(line)
        }
    }

    unsafe fn scope(&mut self, scope: LLVMMetadataRef) -> &Scope {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            self.scopes.entry(scope).or_insert_with(|| Scope {
                file: file_of(scope),
                function: Some(function_name(bpa_subprogram_of_scope(scope))).filter(|name| !name.is_empty()),
            })
        }
    }

    /// The definition of the function `subprogram`, or `None` if `subprogram` is null.
    unsafe fn definition(&mut self, subprogram: LLVMMetadataRef) -> Option<Definition> {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            if subprogram.is_null() {
                return None;
            }
            // A function is also a scope, and the blocks of the function have its file.
            let file = self.scope(subprogram).file.clone()?;
            Some(Definition {
                name: function_name(subprogram),
                file,
                line: LLVMDISubprogramGetLine(subprogram),
            })
        }
    }
}

/// The instruction that computes the condition of a terminator. The result is `None` if there is no condition or it is
/// not an instruction.
unsafe fn tested(terminator: LLVMValueRef) -> Option<LLVMValueRef> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let calls = [LLVMOpcode::LLVMInvoke, LLVMOpcode::LLVMCallBr, LLVMOpcode::LLVMCatchSwitch];
        if LLVMGetNumSuccessors(terminator) < 2 || calls.contains(&LLVMGetInstructionOpcode(terminator)) {
            return None;
        }
        let tested = LLVMGetOperand(terminator, 0);
        let computes = !LLVMIsAInstruction(tested).is_null() && LLVMIsAPHINode(tested).is_null();
        computes.then_some(tested)
    }
}

/// Calls `take` with each location in `block`, until `take` returns false. Consecutive equal locations are passed once.
unsafe fn for_each_location(block: LLVMBasicBlockRef, mut take: impl FnMut(LLVMMetadataRef) -> bool) {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let mut last = ptr::null_mut();
        let mut instruction = LLVMGetFirstInstruction(block);
        while !instruction.is_null() {
            let location = LLVMInstructionGetDebugLoc(instruction);
            if !location.is_null() && location != last && is_executed(instruction) {
                last = location;
                if !take(location) {
                    return;
                }
            }
            instruction = LLVMGetNextInstruction(instruction);
        }
    }
}

/// Whether `instruction` is executed at run time: phis and debug information are not.
unsafe fn is_executed(instruction: LLVMValueRef) -> bool {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        match LLVMGetInstructionOpcode(instruction) {
            LLVMOpcode::LLVMPHI => false,
            LLVMOpcode::LLVMCall => LLVMIsADbgInfoIntrinsic(instruction).is_null(),
            _ => true,
        }
    }
}

/// The source file of a scope.
unsafe fn file_of(scope: LLVMMetadataRef) -> Option<SourceFile> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let file = LLVMDIScopeGetFile(scope);
        if file.is_null() {
            return None;
        }
        let mut length = 0;
        let name = text(LLVMDIFileGetFilename(file, &mut length), length as usize);
        let directory = text(LLVMDIFileGetDirectory(file, &mut length), length as usize);
        (!name.is_empty()).then(|| SourceFile::new(name, directory))
    }
}

unsafe fn function_name(subprogram: LLVMMetadataRef) -> Arc<str> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let mut length = 0;
        let start = bpa_subprogram_name(subprogram, &mut length);
        text(start, length)
    }
}

/// Copies a text that LLVM owns. Bytes that are not UTF-8 become U+FFFD.
unsafe fn text(start: *const std::ffi::c_char, length: usize) -> Arc<str> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        if start.is_null() {
            return "".into();
        }
        String::from_utf8_lossy(slice::from_raw_parts(start.cast(), length)).into()
    }
}
