//! Keeps scratch memory, so that the analysis of the next function on the same thread can reuse the memory.
//!
//! Analyses process one function after another, and most functions are small. Without reuse, allocating the tables
//! would take as much time as filling them. Each thread keeps unused tables of each type in a *slot*. If several
//! functions were analysed together, a slot has several tables.
//!
//! **Invariant.** A table from a slot contains data of an earlier function, so the table can be too large or too small.
//! The code that takes the table writes every element before the first read of this element. The tests of each table
//! type use the same table for several functions.

use std::cell::Cell;
use std::thread::LocalKey;

/// The maximum number of unused tables in a slot.
const MOST_UNUSED: usize = 64;

/// The type of a slot. Declare the slot as a static in `thread_local!`, so that each thread has its own slot.
pub type ScratchSlot<T> = Cell<Vec<T>>;

/// Takes a value out of `slot`. If the slot is empty, returns a new value.
pub fn take<T: Default>(slot: &'static LocalKey<ScratchSlot<T>>) -> T {
    change(slot, Vec::pop).flatten().unwrap_or_default()
}

/// Puts `value` into `slot`, so that the analysis of the next function can reuse the memory of `value`. If the slot is
/// full, drops `value`.
pub fn put_back<T>(slot: &'static LocalKey<ScratchSlot<T>>, value: T) {
    change(slot, |unused| {
        if unused.len() < MOST_UNUSED {
            unused.push(value);
        }
    });
}

/// Changes the values in `slot`. While a thread ends, its slots can already be destroyed. The result is then `None`.
fn change<T, R>(slot: &'static LocalKey<ScratchSlot<T>>, change: impl FnOnce(&mut Vec<T>) -> R) -> Option<R> {
    let change = |slot: &ScratchSlot<T>| {
        let mut unused = slot.take();
        let result = change(&mut unused);
        slot.set(unused);
        result
    };
    slot.try_with(change).ok()
}
