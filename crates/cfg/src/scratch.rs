//! Scratch memory that one function leaves to the next function on the same thread.
//!
//! Analyses run function after function, and most functions are small: without reuse, allocating tables would cost as
//! much as filling them. Each kind of table has one slot a thread. A slot is empty, or holds one value.
//!
//! **Invariant.** A value from a slot holds data of an earlier function, of any size. Whoever takes it overwrites every
//! element before reading it. `compute` methods do so, and the tests of each type run one function after another in the
//! same memory.

use std::cell::Cell;
use std::thread::LocalKey;

/// A slot, for `thread_local!`.
pub type ScratchSlot<T> = Cell<Option<T>>;

/// Takes the value out of `slot`; a new value if the slot is empty.
pub fn take<T: Default>(slot: &'static LocalKey<ScratchSlot<T>>) -> T {
    take_or(slot, T::default)
}

/// Takes the value out of `slot`; if the slot is empty, the value of `new`.
pub(crate) fn take_or<T>(slot: &'static LocalKey<ScratchSlot<T>>, new: impl FnOnce() -> T) -> T {
    slot.try_with(Cell::take).ok().flatten().unwrap_or_else(new)
}

/// Puts `value` into `slot`, for the next function. A value in the slot is dropped.
pub fn put_back<T>(slot: &'static LocalKey<ScratchSlot<T>>, value: T) {
    // The slots of a thread that ends may be gone already.
    let _ = slot.try_with(|slot| slot.set(Some(value)));
}
