//! Helpers that the crates of this workspace share. Their interface is not stable: any release may change it.
//!
//! They are public because several crates need them: analyses reuse the memory of the previous function.

pub use crate::scc::SccFinder;
pub use crate::scratch::{put_back, take, ScratchSlot};
pub use crate::tables::{refill, refill_first, refill_with};
