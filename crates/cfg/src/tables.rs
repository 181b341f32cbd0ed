//! Dense tables, refilled without allocating.

use cranelift_entity::{EntityRef, PrimaryMap};

/// A dense table with `value` for each of `count` keys.
pub fn table<K: EntityRef, V: Clone>(count: usize, value: V) -> PrimaryMap<K, V> {
    std::iter::repeat_n(value, count).collect()
}

/// Makes `entries` a table with `value` for each of `count` keys. Reuses its memory.
pub fn refill<K: EntityRef, V: Clone>(entries: &mut PrimaryMap<K, V>, count: usize, value: V) {
    if entries.len() > count {
        entries.clear();
    }
    refill_first(entries, count, value);
}

/// Sets the first `count` keys of `entries` to `value`, and adds keys that are missing.
///
/// Keys from `count` on keep the values of an earlier function, so callers must not iterate over the table. This is
/// cheaper than [`refill`] if functions differ in size.
pub fn refill_first<K: EntityRef, V: Clone>(entries: &mut PrimaryMap<K, V>, count: usize, value: V) {
    let present = count.min(entries.len());
    entries.values_mut().into_slice()[..present].fill(value.clone());
    entries.reserve(count - present);
    for _ in present..count {
        entries.push(value.clone());
    }
}

/// Makes `entries` a table of `values`. Reuses its memory.
pub fn refill_with<K: EntityRef, V>(entries: &mut PrimaryMap<K, V>, values: impl Iterator<Item = V>) {
    entries.clear();
    entries.reserve(values.size_hint().0);
    values.for_each(|value| {
        entries.push(value);
    });
}
