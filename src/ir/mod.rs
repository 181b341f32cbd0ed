//! Reads facts, names and conditions from live LLVM IR. Writes branch weights and counts.
//!
//! Outside this module, only `plugin/host/` and `plugin/guard.rs` call C++. A pass may access LLVM's values of a function only while the
//! pass runs on this function. This module therefore keeps no LLVM values after the pass ends.

/// Asserts the size and the field offsets of a struct that C++ also defines. In C++, `BPA_LAYOUT` (`layout.h`) asserts
/// that the C++ struct has the same size and the same offsets.
macro_rules! layout {
    ($row:ty, $size:literal: $($field:ident $offset:literal),+) => {
        #[cfg(target_pointer_width = "64")]
        const _: () = {
            assert!(std::mem::size_of::<$row>() == $size);
            $(assert!(std::mem::offset_of!($row, $field) == $offset);)+
        };
    };
}

mod cache;
mod call_graph;
mod compare;
mod entry_counts;
mod expect;
mod explained;
mod fold;
mod function;
mod handles;
mod host_profile;
mod ir_text;
mod live;
pub(crate) mod llvm;
mod metadata;
mod module;
mod names;
mod numbered;
mod numbering;
mod phi_index;
mod probes;
mod remarks;
mod source;
mod source_branches;
mod source_graph;
mod statistics;
mod string_comparisons;
mod tested;
mod unlikely_successors;
mod value;
mod walk;
mod walked;

pub(crate) use cache::{KeptProfile, NumberedProfile, ProfileCache, Results};
pub use explained::Explanations;
pub use function::{Analysis, Callee, Function};
pub(crate) use host_profile::HostProfile;
pub(crate) use live::LiveFunction;
pub(crate) use module::Definitions;
pub use module::Module;
pub(crate) use names::BlockNames;
pub use numbered::{CachedProfile, LiveControlFlow, LiveProfile, Numbered};
pub(crate) use numbering::Numbering;
pub(crate) use probes::{ProbeItem, ProbeKey};
pub(crate) use source_branches::{FrontEndProfile, Measured, OtherModule};
pub(crate) use statistics::FITS;
pub(crate) use value::FunctionRef;

/// LLVM's C API for Rust, in the version that matches the chosen Cargo feature.
#[cfg(own_host)]
pub use ::inkwell;
#[cfg(not(own_host))]
pub use llvm_plugin::inkwell;
