//! Tables of feature columns. A column has a name, and an expression that computes the integer of the column for a row.

/// Defines a table of columns as a list of names and one function that computes all values. Because one function
/// computes all values, the compiler can share lookups between the expressions.
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

/// Whether `columns` are the entries of `names` from index `start` on. The public names are in a separate file, and
/// assertions compare the public names with the names of the columns.
pub(super) const fn match_names(columns: &[&str], names: &[&str], start: usize) -> bool {
    let mut place = 0;
    while place < columns.len() {
        let [one, other] = [columns[place].as_bytes(), names[start + place].as_bytes()];
        let mut byte = 0;
        while byte < one.len() && byte < other.len() && one[byte] == other[byte] {
            byte += 1;
        }
        if byte < one.len() || byte < other.len() {
            return false;
        }
        place += 1;
    }
    true
}
