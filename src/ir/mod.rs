//! Live LLVM IR: read into facts, with names and conditions; branch weights and counts written; expectations lowered.
//!
//! Only this module and `plugin/host/` have `unsafe`. Values come from LLVM, and live as long as the pass that has the
//! function runs. Nothing here outlives it.

/// The layout of a struct that C++ has too: its size, and the offsets of its fields. C++ has the same numbers
/// (`layout.h`).
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
mod calls;
mod chosen;
mod compare;
mod contents;
mod counter;
mod entry_counts;
mod expect;
mod explained;
mod fold;
mod function;
mod handles;
mod host_profile;
mod identifier;
mod ir_text;
mod library;
mod live;
pub(crate) mod llvm;
mod metadata;
mod module;
mod names;
mod numbered;
mod numbering;
mod phi_index;
mod remarks;
mod selects;
mod source;
mod string_comparisons;
mod tested;
mod unlikely_successors;
mod uses;
mod walk;
mod walked;

pub(crate) use cache::{KeptProfile, NumberedProfile, ProfileCache};
pub(crate) use entry_counts::CountSummary;
pub use explained::Explanations;
pub use function::{Callee, Function};
pub(crate) use handles::Handles;
pub(crate) use host_profile::HostProfile;
pub(crate) use identifier::display_name;
pub(crate) use live::LiveFunction;
pub(crate) use module::module_display_name;
pub use module::Module;
pub(crate) use names::BlockNames;
pub use numbered::{CachedProfile, LiveControlFlow, LiveProfile, Numbered};
pub(crate) use selects::SelectInstructions;

/// LLVM's C API for Rust, in the version that the chosen feature asks for.
#[cfg(own_host)]
pub use ::inkwell;
#[cfg(not(own_host))]
pub use llvm_plugin::inkwell;
