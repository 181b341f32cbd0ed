//! Evaluates all trees for up to 128 rows at once.
//!
//! A set of rows is an integer with one bit for each row. Each distinct comparison in the splits is evaluated once for
//! all rows. Each tree is then evaluated for all rows together. At each split, the rows are divided into two sets by
//! the result of the comparison, one set for each subtree.

use std::cell::RefCell;
use std::num::NonZeroU64;
use std::ops::Range;

use super::matrix::{Column, FeatureMatrix, HalfColumn, GROUP, HALF, LANES};
use super::trees::Node;

/// The maximum number of leaves in a tree.
pub(super) const MOST_LEAVES: usize = 16;

/// The length of the array that holds the nodes of a tree: a power of two that is greater than the number of nodes of
/// any tree.
const MOST_NODES: usize = 2 * MOST_LEAVES;

/// The maximum number of distinct comparisons. The index of a comparison has 16 bits.
pub(super) const MOST_COMPARISONS: usize = u16::MAX as usize;

/// All trees of one part of the model, in the form that this module evaluates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Scorer {
    /// All comparisons of features with bounds in the nodes of the trees, in ascending order.
    comparisons: Vec<Comparison>,
    /// The score of a row of features if the row reaches the most frequent leaf of every tree.
    start: i64,
    /// The nodes of each tree in preorder, followed by unused nodes. In each tree, the amount of the most frequent leaf
    /// is subtracted from the amounts of all leaves. Rows that reach the most frequent leaf therefore need no addition.
    trees: Vec<[PackedNode; MOST_NODES]>,
}

/// The comparison of a feature with a bound: true if the feature is at most the bound. The high 16 bits are the index
/// of the feature, and the low 16 bits are the bound plus 2^15. One integer is sorted faster than a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Comparison(u32);

/// A node of a tree in one integer. Such a node takes fewer instructions than an enum.
///
/// If the number is negative, the node is a leaf, and the low 32 bits are the amount that the tree adds to the score of
/// each row that reaches the leaf. Otherwise, the node is a split: the low 16 bits are the index of a comparison. Rows
/// for which the comparison is true continue at the next node. The other rows continue at the node whose index in the
/// tree is in the high 32 bits.
type PackedNode = i64;

fn packed_leaf(amount: i32) -> PackedNode {
    1 << 63 | i64::from(amount as u32)
}

fn packed_split(comparison: u16, otherwise: u32) -> PackedNode {
    i64::from(otherwise) << 32 | i64::from(comparison)
}

impl Scorer {
    /// Converts trees. `nodes` has the nodes of all trees, tree by tree in preorder, and `roots` has the index of each
    /// root. A tree must not have more than [`MOST_LEAVES`] leaves. The result is `None` if the trees have more than
    /// [`MOST_COMPARISONS`] distinct comparisons.
    pub(crate) fn new(roots: &[u32], nodes: &[Node]) -> Option<Self> {
        let mut comparisons: Vec<Comparison> = nodes.iter().filter_map(comparison).collect();
        comparisons.sort_unstable();
        comparisons.dedup();
        if comparisons.len() > MOST_COMPARISONS {
            return None;
        }
        let ends = roots.iter().skip(1).copied().chain([nodes.len() as u32]);
        let mut start = 0;
        let tree = |(&root, end)| {
            let frequent = frequent_leaf(nodes, root);
            start += i64::from(frequent);
            steps(&comparisons, nodes, root..end, frequent)
        };
        let trees = roots.iter().zip(ends).map(tree).collect();
        Some(Scorer { comparisons, start, trees })
    }

    /// Returns the score of each row of `rows`. The score is the sum of the results of all trees.
    pub(crate) fn sums(&self, rows: &FeatureMatrix) -> Vec<i64> {
        let mut waiting = Waiting::default();
        let mut sums = Vec::with_capacity(rows.len());
        HELD.with_borrow_mut(|held| {
            for (columns, count) in rows.blocks() {
                for (held, comparison) in held.iter_mut().zip(&self.comparisons) {
                    *held = comparison.rows(&columns[comparison.feature()], count);
                }
                let all = (0..count).fold(0, |all, row| all | 1 << bit(row));
                let mut lanes = [self.start; LANES];
                self.trees.iter().for_each(|tree| add_leaves(tree, held, all, &mut waiting, &mut lanes));
                sums.extend((0..count).map(|row| lanes[bit(row)]));
            }
        });
        sums
    }
}

/// A set of rows for each comparison. Because every index of 16 bits is valid, lookups need no check.
type RowSets = [RowSet; MOST_COMPARISONS + 1];

/// A set of the rows of a block. The set contains row r if the integer has the bit `bit(r)`.
type RowSet = u128;

thread_local! {
    /// For each comparison, the set of rows for which the comparison is true. Each thread reuses this memory for every
    /// block of rows. The system provides the memory of an element at its first use.
    static HELD: RefCell<Box<RowSets>> = RefCell::new(
        vec![0; MOST_COMPARISONS + 1].try_into().expect("the vector has the length of the array")
    );
}

/// The bit for a row of a block in a set of rows. The order of the bits makes [`Comparison::rows`] fast.
fn bit(row: usize) -> usize {
    row % GROUP * (LANES / GROUP) + row / GROUP
}

impl Comparison {
    fn new(feature: u16, most: i16) -> Self {
        Comparison(u32::from(feature) << 16 | u32::from(most as u16 ^ 1 << 15))
    }

    fn feature(self) -> usize {
        (self.0 >> 16) as usize
    }

    fn most(self) -> i16 {
        (self.0 as u16 ^ 1 << 15) as i16
    }

    /// The set of rows for which the comparison is true, among the first `count` rows of a block. The set can contain
    /// later rows. `column` has the values of the feature.
    fn rows(self, column: &Column, count: usize) -> RowSet {
        let most = self.most();
        let flags = match count {
            0..=GROUP => column[0][0].map(|value| u16::from(value <= most)),
            _ => flags(&column[..count.div_ceil(HALF)], most),
        };
        let [a, b, c, d, e, f, g, h] = flags.map(u64::from);
        let low = a | b << 16 | c << 32 | d << 48;
        let high = e | f << 16 | g << 32 | h << 48;
        RowSet::from(high) << u64::BITS | RowSet::from(low)
    }
}

/// For each place in a group, collects one bit from each group: 1 if the value at this place is at most `most`. The
/// lowest bit is from the first group. If this function were inlined, the compiler would use more instructions.
#[inline(never)]
fn flags(halves: &[HalfColumn], most: i16) -> [u16; GROUP] {
    let mut flags = [0; GROUP];
    for groups in halves.iter().rev() {
        for place in 0..GROUP {
            let flag = |group: usize| u16::from(groups[group][place] <= most) << group;
            let four = |first: usize| flag(first) | flag(first + 1) | flag(first + 2) | flag(first + 3);
            flags[place] = flags[place] << 8 | four(0) | four(4);
        }
    }
    flags
}

/// The nodes of a tree at which rows continue later: the index of each node, and the set of rows.
type Waiting = [(usize, RowSet); MOST_LEAVES];

/// For each row in `all`, finds the leaf that the row reaches in `tree`, and adds the leaf's number to the row's sum.
/// `held[n]` is a bit set: the rows for which comparison n is true. `waiting` is scratch memory for rows that continue
/// at a later node.
fn add_leaves(
    tree: &[PackedNode; MOST_NODES],
    held: &RowSets,
    all: RowSet,
    waiting: &mut Waiting,
    sums: &mut [i64; LANES],
) {
    let mut count = 0;
    let (mut place, mut here) = (0, all);
    loop {
        place %= MOST_NODES;
        let node = tree[place];
        if node >= 0 {
            let less = here & held[usize::from(node as u16)];
            let more = here ^ less;
            place += 1;
            if less == 0 {
                place = (node >> 32) as usize;
            } else if more != 0 {
                waiting[count % MOST_LEAVES] = ((node >> 32) as usize, more);
                count += 1;
                here = less;
            }
            continue;
        }
        let amount = i64::from(node as i32);
        if amount != 0 {
            let (low, high) = sums.split_at_mut(HALF);
            add_to_rows(here as u64, amount, low);
            add_to_rows((here >> u64::BITS) as u64, amount, high);
        }
        if count == 0 {
            break;
        }
        count -= 1;
        (place, here) = waiting[count % MOST_LEAVES];
    }
}

/// Adds `amount` to the sums of the rows whose bits are in `rows`.
fn add_to_rows(mut rows: u64, amount: i64, sums: &mut [i64]) {
    while let Some(some) = NonZeroU64::new(rows) {
        sums[some.trailing_zeros() as usize] += amount;
        rows &= rows - 1;
    }
}

/// Finds a leaf that many rows reach, and returns the value of the leaf. At each split, the search continues in the
/// subtree that had more weight in training. Of the two subtrees of a split, the subtree with more weight has the mean
/// that is closer to the mean of the split.
fn frequent_leaf(nodes: &[Node], root: u32) -> i32 {
    let mut place = root;
    while let Node::Split { otherwise, mean, .. } = nodes[place as usize] {
        let distance = |place: u32| nodes[place as usize].mean().abs_diff(mean);
        place = if distance(place + 1) <= distance(otherwise) { place + 1 } else { otherwise };
    }
    nodes[place as usize].mean()
}

/// Converts the nodes of one tree to nodes of the scorer. `tree` is the range of the tree's nodes in `nodes`. The
/// function subtracts `frequent` from the value of each leaf.
fn steps(
    comparisons: &[Comparison],
    nodes: &[Node],
    tree: Range<u32>,
    frequent: i32,
) -> [PackedNode; MOST_NODES] {
    let mut steps = [packed_leaf(0); MOST_NODES];
    for (step, node) in steps.iter_mut().zip(&nodes[tree.start as usize..tree.end as usize]) {
        *step = match *node {
            Node::Leaf(amount) => packed_leaf(amount - frequent),
            Node::Split { otherwise, .. } => {
                let found = comparison(node).and_then(|found| comparisons.binary_search(&found).ok());
                let comparison = found.expect("the list has the comparisons of all nodes") as u16;
                packed_split(comparison, otherwise - tree.start)
            }
        };
    }
    steps
}

/// The comparison that the node `node` makes. `None` if the node is a leaf.
fn comparison(node: &Node) -> Option<Comparison> {
    match *node {
        Node::Leaf(_) => None,
        Node::Split { feature, most, .. } => Some(Comparison::new(feature, most)),
    }
}
