//! Evaluates all trees for up to 64 rows at once.
//!
//! A set of rows is an integer with one bit for each row. Each distinct comparison in the splits is evaluated once for
//! all rows. Each tree is then evaluated for all rows together. At each split, the rows are divided into two sets by
//! the result of the comparison, one set for each subtree.

use std::cell::RefCell;
use std::num::NonZeroU64;
use std::ops::Range;

use super::node::Node;
use super::FeatureMatrix;

/// The maximum number of rows in a batch. The rows of a batch are evaluated together.
const LANES: usize = 64;

/// The maximum number of leaves in a tree.
pub(super) const MOST_LEAVES: usize = 16;

/// The length of the array that holds the nodes of a tree: a power of two that is greater than the number of nodes of
/// any tree.
const MOST_NODES: usize = 2 * MOST_LEAVES;

/// The maximum number of distinct comparisons. The index of a comparison has 16 bits, and the last index is reserved
/// for values for which no comparison is true.
pub(super) const MOST_COMPARISONS: usize = u16::MAX as usize;

/// All trees of one part of the model, in the form that this module evaluates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Scorer {
    /// Comparisons are numbered in ascending order, first by feature and then by bound.
    columns: Vec<Column>,
    /// The score of a row of features if the row reaches the most frequent leaf of every tree.
    start: i64,
    /// The nodes of each tree in preorder, followed by unused nodes. In each tree, the amount of the most frequent leaf
    /// is subtracted from the amounts of all leaves. Rows that reach the most frequent leaf therefore need no addition.
    trees: Vec<[PackedNode; MOST_NODES]>,
}

/// A feature, and all comparisons with this feature in the nodes of the trees.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Column {
    feature: usize,
    /// The indices of the comparisons with this feature.
    comparisons: Range<usize>,
    /// The smallest bound in these comparisons.
    least: i32,
    /// Each element is for one value of the feature: the index of the first comparison that is true for this value. The
    /// first element is for the value `least`. If the feature is greater than all bounds, no comparison is true. For
    /// such features, the last element is used, which is `comparisons.end`.
    first_held: Vec<u16>,
}

/// The comparison of a feature with a bound: true if the feature is at most `most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Comparison {
    feature: u16,
    most: i16,
}

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
        let mut columns = Vec::<Column>::new();
        for same in comparisons.chunk_by(|one, other| one.feature == other.feature) {
            columns.push(Column::new(columns.last().map_or(0, |before| before.comparisons.end), same));
        }
        let ends = roots.iter().skip(1).copied().chain([nodes.len() as u32]);
        let mut start = 0;
        let tree = |(&root, end)| {
            let frequent = frequent_leaf(nodes, root);
            start += i64::from(frequent);
            steps(&comparisons, nodes, root..end, frequent)
        };
        let trees = roots.iter().zip(ends).map(tree).collect();
        Some(Scorer { start, trees, columns })
    }

    /// Returns the score of each row of `rows`. The score is the sum of the results of all trees.
    pub(crate) fn sums(&self, rows: &FeatureMatrix) -> Vec<i64> {
        let mut waiting = Waiting::default();
        let mut sums = Vec::with_capacity(rows.len());
        let (batches, width) = rows.batches(LANES);
        SCRATCH.with_borrow_mut(|scratch| {
            let Scratch { marks, held } = scratch;
            for batch in batches {
                let count = batch.len() / width;
                let all = u64::MAX >> (LANES - count);
                self.columns.iter().for_each(|column| column.compare(batch, width, all, marks, held));
                let mut lanes = [self.start; LANES];
                self.trees.iter().for_each(|tree| add_leaves(tree, held, all, &mut waiting, &mut lanes));
                sums.extend_from_slice(&lanes[..count]);
            }
        });
        sums
    }
}

/// A set of rows for each comparison. Because every index of 16 bits is valid, lookups need no check.
type RowSets = [u64; MOST_COMPARISONS + 1];

/// Scratch memory. Each thread reuses its scratch memory for every function. The system provides the memory of an
/// element at its first use.
struct Scratch {
    /// All elements are 0, except while a column is computed.
    marks: Box<RowSets>,
    /// The set of rows for which the comparison is true.
    held: Box<RowSets>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch { marks: empty_sets(), held: empty_sets() });
}

fn empty_sets() -> Box<RowSets> {
    vec![0; MOST_COMPARISONS + 1].try_into().expect("the vector has the length of the array")
}

impl Column {
    /// Creates the column of one feature from all comparisons that test this feature. `start` is the index of the first
    /// comparison.
    fn new(start: usize, comparisons: &[Comparison]) -> Self {
        let bound = |comparison: &Comparison| i32::from(comparison.most);
        let least = comparisons.first().map_or(0, bound);
        let mut first_held = Vec::new();
        for (index, comparison) in (start..).zip(comparisons) {
            first_held.resize((bound(comparison) - least + 1) as usize, index as u16);
        }
        let end = start + comparisons.len();
        first_held.push(end as u16);
        Column { feature: comparisons[0].feature.into(), comparisons: start..end, least, first_held }
    }

    /// For each comparison, computes the set of rows for which the comparison is true. `rows` is a batch of rows of
    /// length `width`. `all` is a bit set with one bit for each row of the batch, and every bit is set.
    fn compare(&self, rows: &[i32], width: usize, all: u64, marks: &mut RowSets, held: &mut RowSets) {
        let Some(last) = self.first_held.len().checked_sub(1) else { return };
        // The rows whose value is not above the smallest bound. For these rows, all comparisons are true.
        let (mut low, mut lane, mut index) = (all, 1, self.feature);
        while let Some(&value) = rows.get(index) {
            index += width;
            if value > self.least {
                let place = last.min(value.wrapping_sub(self.least) as u32 as usize);
                marks[usize::from(self.first_held[place])] |= lane;
                low ^= lane;
            }
            lane <<= 1;
        }
        // If a comparison is true for a row, the later comparisons of this column are also true, because their bounds
        // are greater.
        for (mark, held) in
            marks[self.comparisons.clone()].iter_mut().zip(&mut held[self.comparisons.clone()])
        {
            low |= std::mem::take(mark);
            *held = low;
        }
        marks[self.comparisons.end] = 0;
    }
}

/// The sets of rows that continue at later nodes of a tree, and the indices of these nodes.
#[derive(Default)]
struct Waiting {
    places: [usize; MOST_LEAVES],
    rows: [u64; MOST_LEAVES],
}

/// For each row in `all`, finds the leaf that the row reaches in `tree`, and adds the leaf's number to the row's sum.
/// `held[n]` is a bit set: the rows for which comparison n is true. `waiting` is scratch memory for rows that continue
/// at a later node.
fn add_leaves(
    tree: &[PackedNode; MOST_NODES],
    held: &RowSets,
    all: u64,
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
            if less == here {
                place += 1;
            } else if less == 0 {
                place = (node >> 32) as usize;
            } else {
                waiting.places[count % MOST_LEAVES] = (node >> 32) as usize;
                waiting.rows[count % MOST_LEAVES] = here ^ less;
                count += 1;
                here = less;
                place += 1;
            }
            continue;
        }
        let amount = i64::from(node as i32);
        let mut rest = if amount == 0 { 0 } else { here };
        while let Some(rows) = NonZeroU64::new(rest) {
            sums[rows.trailing_zeros() as usize] += amount;
            rest &= rest - 1;
        }
        if count == 0 {
            break;
        }
        count -= 1;
        (place, here) = (waiting.places[count % MOST_LEAVES], waiting.rows[count % MOST_LEAVES]);
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
        Node::Split { feature, most, .. } => Some(Comparison { feature, most }),
    }
}
