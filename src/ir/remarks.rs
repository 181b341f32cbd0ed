//! Optimisation remarks about a live function.

use std::ffi::{c_char, c_int, CStr};
use std::ptr;

use cranelift_entity::PrimaryMap;

use crate::ir::llvm::prelude::*;

use super::live::LiveFunction;
use super::source::{Location, Locations};
use super::value::Instruction;
use bpa_core::cfg::Block;
use bpa_core::report::{Remark, RemarkPlace};

/// A part of a remark, in the layout that C++ reads.
#[repr(C)]
struct Part {
    key: *const c_char,
    key_length: usize,
    text: *const c_char,
    text_length: usize,
    location: LLVMMetadataRef,
}

layout!(Part, 40: key 0, key_length 8, text 16, text_length 24, location 32);

unsafe extern "C" {
    fn bpa_wants_remarks(function: LLVMValueRef, pass: *const c_char) -> c_int;
    fn bpa_emit_remark(
        block: LLVMBasicBlockRef,
        location: LLVMMetadataRef,
        pass: *const c_char,
        name: *const c_char,
        parts: *const Part,
        count: usize,
        hotness: *const u64,
    );
    safe fn bpa_loop_start(terminator: Instruction) -> LLVMMetadataRef;
}

/// Emits the remarks of a pass about a function.
pub(crate) struct RemarkEmitter<'a> {
    live: &'a LiveFunction<'a>,
    pass: &'static CStr,
    locations: PrimaryMap<Block, Locations<'a>>,
    wants_hotness: bool,
}

impl LiveFunction<'_> {
    /// Creates an emitter for remarks of `pass`. The result is `None` if the user has not requested these remarks.
    pub(crate) fn remark_emitter(&self, pass: &'static CStr) -> Option<RemarkEmitter<'_>> {
        // SAFETY: the function is valid, and the name ends with NUL.
        let requested = unsafe { bpa_wants_remarks(self.value().raw(), pass.as_ptr()) };
        (requested > 0).then(|| RemarkEmitter {
            live: self,
            pass,
            locations: self.locations(),
            wants_hotness: requested > 1,
        })
    }
}

impl RemarkEmitter<'_> {
    /// Whether the user has requested that remarks contain execution counts (`hotness`).
    pub fn wants_hotness(&self) -> bool {
        self.wants_hotness
    }

    /// Emits `remark`. `hotness` is the execution count of the code, if it is known.
    pub fn emit(&self, remark: &Remark, name: &CStr, hotness: Option<u64>) {
        let part = |part: &bpa_core::report::RemarkPart| {
            let key = part.key.unwrap_or("String");
            Part {
                key: key.as_ptr().cast(),
                key_length: key.len(),
                text: part.text.as_ptr().cast(),
                text_length: part.text.len(),
                location: raw(part.begins.and_then(|block| self.locations[block].first)),
            }
        };
        let parts: Vec<Part> = remark.parts.iter().map(part).collect();
        let block = self.live.block(remark.about.block()).raw();
        let hotness = hotness.as_ref().map_or(ptr::null(), ptr::from_ref);
        let location = self.location(&remark.about);
        let (pass, name) = (self.pass.as_ptr(), name.as_ptr());
        // SAFETY: the block and the locations are valid, the names end with NUL, and all texts outlive this call.
        unsafe {
            bpa_emit_remark(block, location, pass, name, parts.as_ptr(), parts.len(), hotness);
        }
    }

    /// The location of a remark. If the start of a loop is unknown, a remark about the loop gets the location of the
    /// loop's header.
    fn location(&self, about: &RemarkPlace) -> LLVMMetadataRef {
        match about {
            RemarkPlace::Branch(block) => raw(self.locations[*block].branch),
            RemarkPlace::Loop { header, latches } => {
                let terminators = latches.iter().filter_map(|&latch| self.live.block(latch).terminator());
                let mut starts = terminators.map(|terminator| bpa_loop_start(*terminator));
                starts.find(|start| !start.is_null()).unwrap_or(raw(self.locations[*header].first))
            }
        }
    }
}

/// The location as a pointer for C++, or null.
fn raw(location: Option<Location>) -> LLVMMetadataRef {
    location.map_or(ptr::null_mut(), Location::raw)
}
