//! Dense tables, and scratch memory that the analysis of the next function on the same thread reuses.
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

use cranelift_entity::{EntityRef, PrimaryMap};

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

/// A dense table with `value` for each of `count` keys.
pub fn table<K: EntityRef, V: Clone>(count: usize, value: V) -> PrimaryMap<K, V> {
    std::iter::repeat_n(value, count).collect()
}

/// Reuses the memory of the table `entries`. Afterwards, the table has the keys from 0 to `count` - 1, each with the
/// value `value`.
pub fn refill<K: EntityRef, V: Clone>(entries: &mut PrimaryMap<K, V>, count: usize, value: V) {
    if entries.len() > count {
        entries.clear();
    }
    refill_first(entries, count, value);
}

/// In the table `entries`, sets the value of each key below `count` to `value`. If such a key is missing, adds the key.
///
/// Keys greater than or equal to `count` keep the values of an earlier function. Callers must therefore not iterate
/// over the table. If the analysed functions differ in size, `refill_first` is faster than [`refill`].
pub fn refill_first<K: EntityRef, V: Clone>(entries: &mut PrimaryMap<K, V>, count: usize, value: V) {
    let present = count.min(entries.len());
    entries.values_mut().into_slice()[..present].fill(value.clone());
    entries.reserve(count - present);
    for _ in present..count {
        entries.push(value.clone());
    }
}

/// Fills `entries` with `values`, and reuses the memory of the table.
pub fn refill_with<K: EntityRef, V>(entries: &mut PrimaryMap<K, V>, values: impl Iterator<Item = V>) {
    entries.clear();
    entries.reserve(values.size_hint().0);
    values.for_each(|value| {
        entries.push(value);
    });
}
