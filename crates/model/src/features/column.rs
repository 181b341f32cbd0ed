//! Tables of feature columns. Each column has a name and an expression. For each row, the expression computes the
//! integer in this column.

/// Defines a table of columns. The result is a list of the columns' names, and one function that computes the values of
/// all columns. Because one function computes all values, the compiler can share lookups between the expressions. The
/// function calls `put` with the index and the value of each column.
macro_rules! columns {
    (
        $(#[$doc:meta])*
        $visibility:vis $names:ident: fn $values:ident($($argument:ident: $kind:ty),+) -> [i32; $count:ident];
        $($name:literal => $value:expr,)+
    ) => {
        $visibility const $names: [&str; $count] = [$($name),+];

        $(#[$doc])*
        #[inline]
        #[allow(clippy::too_many_arguments, reason = "several columns share the lookups in the arguments")]
        pub(super) fn $values($($argument: $kind,)+ mut put: impl FnMut(usize, i32)) {
            let mut column = 0;
            $(
                put(column, $value);
                column += 1;
            )+
            debug_assert_eq!(column, $count);
        }
    };
}

pub(super) use columns;

/// Collects the values of `N` columns. `compute` calls its argument with the index and the value of each column.
pub(crate) fn collected<const N: usize>(compute: impl FnOnce(&mut dyn FnMut(usize, i32))) -> [i32; N] {
    let mut values = [0; N];
    compute(&mut |column, value| values[column] = value);
    values
}

/// Joins lists of names.
pub(super) const fn joined<const N: usize>(lists: &[&[&'static str]]) -> [&'static str; N] {
    let mut names = [""; N];
    let (mut count, mut list) = (0, 0);
    while list < lists.len() {
        let mut place = 0;
        while place < lists[list].len() {
            names[count] = lists[list][place];
            (count, place) = (count + 1, place + 1);
        }
        list += 1;
    }
    assert!(count == N);
    names
}
