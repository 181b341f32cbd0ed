//! Evaluates all trees for up to 64 rows at once.
//!
//! A set of rows is an integer with one bit for each row. Each distinct comparison in the splits is evaluated once for
//! all rows. Each tree is then evaluated for all rows together. At each split, the rows are divided into two sets by
//! the result of the comparison, one set for each subtree.

use std::ops::Range;

use super::node::Node;
use super::FeatureMatrix;

/// The number of rows that are evaluated at once.
const LANES: usize = 64;

/// The maximum number of leaves in a tree.
pub(super) const MOST_LEAVES: usize = 16;

/// All trees of one part of the model, in the form that this module evaluates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Scorer {
    columns: Vec<Column>,
    /// The number of distinct comparisons in all splits. The index of a comparison is its position in ascending order
    /// of feature and bound.
    comparisons: usize,
    /// The nodes of each tree in preorder.
    trees: Vec<Vec<ScorerNode>>,
}

/// A feature, and all comparisons with this feature in the nodes of the trees.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Column {
    feature: usize,
    /// The indices of the comparisons with this feature.
    comparisons: Range<usize>,
    /// The smallest bound in these comparisons.
    least: i32,
    /// The index of the first comparison that is true, for each value of the feature from `least` on. The last element
    /// is the end of `comparisons`: for greater values of the feature, no comparison is true.
    first_held: Vec<u32>,
}

/// The comparison of a feature with a bound: true if the feature is at most `most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Comparison {
    feature: u16,
    most: i16,
}

/// A node of a tree, in the form that this module evaluates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScorerNode {
    /// Rows for which the comparison is true continue at the next node. The other rows continue at the node with index
    /// `otherwise` in the tree.
    Split { comparison: u32, otherwise: u8 },
    /// The tree adds this number to the score of each row that reaches the leaf.
    Leaf(i32),
}

impl Scorer {
    /// Converts trees. `nodes` has the nodes of all trees, tree by tree in preorder, and `roots` has the index of each
    /// root. A tree must not have more than [`MOST_LEAVES`] leaves.
    pub(crate) fn new(roots: &[u32], nodes: &[Node]) -> Self {
        let mut comparisons: Vec<Comparison> = nodes.iter().filter_map(comparison).collect();
        comparisons.sort_unstable();
        comparisons.dedup();
        let mut columns = Vec::<Column>::new();
        for same in comparisons.chunk_by(|one, other| one.feature == other.feature) {
            columns.push(Column::new(columns.last().map_or(0, |before| before.comparisons.end), same));
        }
        let ends = roots.iter().skip(1).copied().chain([nodes.len() as u32]);
        let trees = roots.iter().zip(ends).map(|(&root, end)| steps(&comparisons, nodes, root, end));
        Scorer { trees: trees.collect(), columns, comparisons: comparisons.len() }
    }

    /// For each row of `rows`, the sum of all trees.
    pub(crate) fn sums(&self, rows: &FeatureMatrix) -> Vec<i64> {
        let mut held = Vec::new();
        let mut waiting = [(0, 0); MOST_LEAVES];
        let mut sums = Vec::with_capacity(rows.len());
        let (batches, width) = rows.batches(LANES);
        for batch in batches {
            held.clear();
            held.resize(self.comparisons + 1, 0);
            self.columns.iter().for_each(|column| column.compare(batch, width, &mut held));
            let count = batch.len() / width;
            let all = u64::MAX >> (LANES - count);
            let mut lanes = [0; LANES];
            self.trees.iter().for_each(|tree| add_leaves(tree, &held, all, &mut waiting, &mut lanes));
            sums.extend_from_slice(&lanes[..count]);
        }
        sums
    }
}

impl Column {
    /// Creates the column of one feature from all comparisons that test this feature. `start` is the index of the first
    /// comparison.
    fn new(start: usize, comparisons: &[Comparison]) -> Self {
        let bound = |comparison: &Comparison| i32::from(comparison.most);
        let least = comparisons.first().map_or(0, bound);
        let mut first_held = Vec::new();
        for (index, comparison) in (start..).zip(comparisons) {
            first_held.resize((bound(comparison) - least + 1) as usize, index as u32);
        }
        let end = start + comparisons.len();
        first_held.push(end as u32);
        Column { feature: comparisons[0].feature.into(), comparisons: start..end, least, first_held }
    }

    /// Computes the set of rows for which each comparison is true. `rows` is a batch of rows of length `width`. `held`
    /// has one entry for each comparison. The caller must set all entries of this column to 0, except the first entry.
    /// The call for the previous column may have changed the first entry, so this function sets the first entry to 0.
    fn compare(&self, rows: &[i32], width: usize, held: &mut [u64]) {
        held[self.comparisons.start] = 0;
        let last = self.first_held.len() - 1;
        let mut lane = 1;
        for row in rows.chunks_exact(width) {
            let above = row[self.feature].max(self.least).wrapping_sub(self.least) as u32;
            held[self.first_held[last.min(above as usize)] as usize] |= lane;
            lane <<= 1;
        }
        // If a comparison is true for a row, the later comparisons of this column are also true, because their bounds
        // are greater.
        let mut before = 0;
        for held in &mut held[self.comparisons.clone()] {
            before |= *held;
            *held = before;
        }
    }
}

/// For each row in `all`, adds the value of the selected leaf of a tree to `sums`. For each comparison, `held` has the
/// set of rows for which the comparison is true. `waiting` is scratch memory for rows that continue at a later node.
fn add_leaves(
    tree: &[ScorerNode],
    held: &[u64],
    all: u64,
    waiting: &mut [(u8, u64); MOST_LEAVES],
    sums: &mut [i64; LANES],
) {
    let mut count = 0;
    let (mut place, mut here) = (0, all);
    loop {
        match tree[usize::from(place)] {
            ScorerNode::Split { comparison, otherwise } => {
                let less = here & held[comparison as usize];
                let more = here ^ less;
                if less == 0 {
                    place = otherwise;
                    continue;
                }
                place += 1;
                if more != 0 {
                    waiting[count % MOST_LEAVES] = (otherwise, more);
                    count += 1;
                    here = less;
                }
            }
            ScorerNode::Leaf(amount) => {
                while here != 0 {
                    sums[here.trailing_zeros() as usize % LANES] += i64::from(amount);
                    here &= here - 1;
                }
                if count == 0 {
                    break;
                }
                count -= 1;
                (place, here) = waiting[count % MOST_LEAVES];
            }
        }
    }
}

/// Converts the nodes of a tree, which have the indices `root..end`.
fn steps(comparisons: &[Comparison], nodes: &[Node], root: u32, end: u32) -> Vec<ScorerNode> {
    let step = |node: &Node| match *node {
        Node::Leaf(amount) => ScorerNode::Leaf(amount),
        Node::Split { otherwise, .. } => {
            let found = comparison(node).and_then(|found| comparisons.binary_search(&found).ok());
            let comparison = found.expect("the list has the comparisons of all nodes") as u32;
            ScorerNode::Split { comparison, otherwise: (otherwise - root) as u8 }
        }
    };
    nodes[root as usize..end as usize].iter().map(step).collect()
}

/// The comparison of a split, or `None` for a leaf.
fn comparison(node: &Node) -> Option<Comparison> {
    match *node {
        Node::Leaf(_) => None,
        Node::Split { feature, most, .. } => Some(Comparison { feature, most }),
    }
}
