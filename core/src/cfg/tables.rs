//! Dense tables in the memory they have.

use cranelift_entity::{EntityRef, PrimaryMap};

/// A dense table with `value` for each of `count` keys.
pub fn table<K: EntityRef, V: Clone>(count: usize, value: V) -> PrimaryMap<K, V> {
    std::iter::repeat_n(value, count).collect()
}

/// Makes `entries` a table with `value` for each of `count` keys, in the memory it has.
pub fn refill<K: EntityRef, V: Clone>(entries: &mut PrimaryMap<K, V>, count: usize, value: V) {
    entries.clear();
    entries.reserve(count);
    for _ in 0..count {
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
