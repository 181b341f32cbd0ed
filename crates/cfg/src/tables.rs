//! Dense tables in the memory they have.

use cranelift_entity::{EntityRef, PrimaryMap};

/// A dense table with `value` for each of `count` keys.
pub fn table<K: EntityRef, V: Clone>(count: usize, value: V) -> PrimaryMap<K, V> {
    std::iter::repeat_n(value, count).collect()
}

/// Makes `entries` a table with `value` for each of `count` keys, in the memory it has.
pub fn refill<K: EntityRef, V: Clone>(entries: &mut PrimaryMap<K, V>, count: usize, value: V) {
    if entries.len() > count {
        entries.clear();
    }
    refill_first(entries, count, value);
}

/// Gives `value` to the first `count` keys of `entries`, which has at least these then. What it had more stays: this is for
/// tables that are asked for single keys and never for all.
pub fn refill_first<K: EntityRef, V: Clone>(entries: &mut PrimaryMap<K, V>, count: usize, value: V) {
    let present = count.min(entries.len());
    entries.values_mut().into_slice()[..present].fill(value.clone());
    entries.reserve(count - present);
    for _ in present..count {
        entries.push(value.clone());
    }
}

/// Makes `entries` a table of `values`, in the memory it has.
pub fn refill_with<K: EntityRef, V>(entries: &mut PrimaryMap<K, V>, values: impl Iterator<Item = V>) {
    entries.clear();
    entries.reserve(values.size_hint().0);
    values.for_each(|value| {
        entries.push(value);
    });
}
