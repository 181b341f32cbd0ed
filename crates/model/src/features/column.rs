//! Tables of feature columns. Each column has a name and an expression. For each row, the expression computes the
//! integer in this column.

/// Defines a table of columns. The result is a list of the columns' names, and one function that computes the values of
/// all columns. Because one function computes all values, the compiler can share lookups between the expressions.
macro_rules! columns {
    (
        $(#[$doc:meta])*
        $visibility:vis $names:ident: fn $values:ident($($argument:ident: $kind:ty),+) -> [i32; $count:ident];
        $($name:literal => $value:expr,)+
    ) => {
        $visibility const $names: [&str; $count] = [$($name),+];

        $(#[$doc])*
        #[inline]
        pub(super) fn $values($($argument: $kind),+) -> [i32; $count] {
            [$($value),+]
        }
    };
}

pub(super) use columns;

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
