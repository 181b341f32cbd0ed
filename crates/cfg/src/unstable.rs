//! Helpers that the crates of this workspace share. The interface of these helpers is not stable: any release can
//! change the interface.
//!
//! The helpers are public because analyses in several crates use these helpers to reuse memory.

pub use crate::scc::SccFinder;
pub use crate::scratch::{put_back, take, ScratchSlot};
pub use crate::tables::{refill, refill_first, refill_with};
