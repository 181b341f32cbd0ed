//! Lines of the source that instructions come from.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;

use super::live::LiveFunction;
use bpa_core::cfg::Block;
use bpa_core::report::SourceLine;

impl LiveFunction {
    /// The line that the terminator of `block` comes from, or what it tests if that alone has one; none without debug
    /// information.
    pub fn source_line(&self, block: Block) -> Option<SourceLine> {
        // SAFETY: blocks of a live function are valid, and so are operands of their terminators.
        unsafe {
            let terminator = LLVMGetBasicBlockTerminator(self.blocks()[block]);
            if terminator.is_null() {
                return None;
            }
            line_of(terminator).or_else(|| {
                let tested = (LLVMGetNumOperands(terminator) > 0).then(|| LLVMGetOperand(terminator, 0))?;
                (!LLVMIsAInstruction(tested).is_null()).then(|| line_of(tested)).flatten()
            })
        }
    }
}

/// # Safety
///
/// `instruction` is a valid instruction.
pub(super) unsafe fn line_of(instruction: LLVMValueRef) -> Option<SourceLine> {
    let line = LLVMGetDebugLocLine(instruction);
    let mut length = 0;
    let start = LLVMGetDebugLocFilename(instruction, &mut length);
    if line == 0 || start.is_null() {
        return None;
    }
    let file = std::slice::from_raw_parts(start.cast(), length as usize);
    Some(SourceLine { file: String::from_utf8_lossy(file).into_owned(), line })
}
