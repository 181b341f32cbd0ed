//! Creates dense tables, and refills them without allocation.

use cranelift_entity::{EntityRef, PrimaryMap};

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
