//! Keeps scratch memory, so that the analysis of the next function on the same thread can reuse the memory.
//!
//! Analyses process one function after another, and most functions are small. Without reuse, allocating the tables
//! would take as much time as filling them. Each thread can keep one table of each type, in a *slot*. While the table
//! is in use, the slot is empty.
//!
//! **Invariant.** A table from a slot contains data of an earlier function, so the table can be too large or too small.
//! The code that takes the table writes every element before the first read of this element. The tests of each table
//! type use the same table for several functions.

use std::cell::Cell;
use std::thread::LocalKey;

/// The type of a slot. Declare the slot as a static in `thread_local!`, so that each thread has its own slot.
pub type ScratchSlot<T> = Cell<Option<T>>;

/// Takes the value out of `slot`. If the slot is empty, returns a new value.
pub fn take<T: Default>(slot: &'static LocalKey<ScratchSlot<T>>) -> T {
    slot.try_with(Cell::take).ok().flatten().unwrap_or_default()
}

/// Puts `value` into `slot`, so that the analysis of the next function can reuse the memory of `value`. An earlier
/// value in the slot is dropped.
pub fn put_back<T>(slot: &'static LocalKey<ScratchSlot<T>>, value: T) {
    // While a thread ends, its slots can already be destroyed.
    let _ = slot.try_with(|slot| slot.set(Some(value)));
}
