//! Tables of columns: what each integer of a row is called, and how it is had.

/// A table of columns: the list of their names, and a function that computes all of them, for which the compiler sees what
/// several of them look up.
macro_rules! columns {
    (
        $(#[$doc:meta])*
        $names:ident: fn $values:ident($($argument:ident: $kind:ty),+) -> [i32; $count:ident];
        $($name:literal => $value:expr,)+
    ) => {
        const $names: [&str; $count] = [$($name),+];

        $(#[$doc])*
        #[inline]
        pub(crate) fn $values($($argument: $kind),+) -> [i32; $count] {
            [$($value),+]
        }
    };
}

pub(super) use columns;

/// Whether columns have the names from `start` on, which stand in a file of their own for those who know nothing of columns.
pub(super) const fn are_called(columns: &[&str], names: &[&str], start: usize) -> bool {
    let mut place = 0;
    while place < columns.len() {
        let [one, other] = [columns[place].as_bytes(), names[start + place].as_bytes()];
        let mut at = 0;
        while at < one.len() && at < other.len() && one[at] == other[at] {
            at += 1;
        }
        if at < one.len() || at < other.len() {
            return false;
        }
        place += 1;
    }
    true
}
