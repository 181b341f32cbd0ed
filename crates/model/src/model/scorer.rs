//! All trees asked at once, about up to 64 rows.
//!
//! A set of rows is a number with a bit a row. What splits ask is answered once, for all rows and all splits that ask the same.
//! Then all rows go down a tree together: of those that come to a split, those of which it holds go one way, the rest the
//! other.

use std::ops::Range;

use super::node::Node;
use super::FeatureMatrix;

/// So many rows are asked about at once.
const LANES: usize = 64;

/// So many leaves a tree may have.
pub(super) const MOST_LEAVES: usize = 16;

/// All trees, in another form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Scorer {
    columns: Vec<Column>,
    /// How many different comparisons splits make. They are numbered ascending by feature and bound.
    comparisons: usize,
    /// Each tree in preorder.
    trees: Vec<Vec<ScorerNode>>,
}

/// A feature that splits look at.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Column {
    feature: usize,
    /// The comparisons with it.
    comparisons: Range<usize>,
    /// The least bound that it is compared with.
    least: i32,
    /// Of a value, from that bound on, the first comparison that holds. The last entry, which stands for all values above, is
    /// one after the last comparison.
    first_held: Vec<u32>,
}

/// Whether a feature is at most this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Comparison {
    feature: u16,
    most: i16,
}

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScorerNode {
    /// The rows of which this comparison holds go to the next node, the others to that at this place in the tree.
    Split { comparison: u32, otherwise: u8 },
    /// What the tree adds.
    Leaf(i32),
}

impl Scorer {
    /// Of trees in preorder, which begin at `roots`. None has more than [`MOST_LEAVES`].
    pub fn new(roots: &[u32], nodes: &[Node]) -> Self {
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

    /// The sum of what all trees add, for each of `rows`.
    pub fn sums(&self, rows: &FeatureMatrix) -> Vec<i64> {
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
    /// Of comparisons with the same feature, of which the first has this number.
    fn new(start: usize, comparisons: &[Comparison]) -> Self {
        let bound = |comparison: &Comparison| i32::from(comparison.most);
        let least = comparisons.first().map_or(0, bound);
        let mut first_held = Vec::new();
        for (number, comparison) in (start..).zip(comparisons) {
            first_held.resize((bound(comparison) - least + 1) as usize, number as u32);
        }
        let end = start + comparisons.len();
        first_held.push(end as u32);
        Column { feature: comparisons[0].feature.into(), comparisons: start..end, least, first_held }
    }

    /// Fills in which rows each comparison holds of. `rows` are a batch, each `width` long, and in `held` there is nothing yet
    /// but in the place of the first comparison, which is left of the column before.
    fn compare(&self, rows: &[i32], width: usize, held: &mut [u64]) {
        held[self.comparisons.start] = 0;
        let last = self.first_held.len() - 1;
        let mut lane = 1;
        for row in rows.chunks_exact(width) {
            let above = row[self.feature].max(self.least).wrapping_sub(self.least) as u32;
            held[self.first_held[last.min(above as usize)] as usize] |= lane;
            lane <<= 1;
        }
        // Of what is at most a bound, all greater bounds hold too.
        let mut before = 0;
        for held in &mut held[self.comparisons.clone()] {
            before |= *held;
            *held = before;
        }
    }
}

/// Adds what a tree adds to each row of `all`. `held` are the rows of which each comparison holds, and `waiting` is memory for
/// those that go to a node further on.
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

/// The nodes from `root` to `end`.
fn steps(comparisons: &[Comparison], nodes: &[Node], root: u32, end: u32) -> Vec<ScorerNode> {
    let step = |node: &Node| match *node {
        Node::Leaf(amount) => ScorerNode::Leaf(amount),
        Node::Split { otherwise, .. } => {
            let asked = comparison(node).and_then(|asked| comparisons.binary_search(&asked).ok());
            let comparison = asked.expect("all comparisons are there") as u32;
            ScorerNode::Split { comparison, otherwise: (otherwise - root) as u8 }
        }
    };
    nodes[root as usize..end as usize].iter().map(step).collect()
}

/// What a node asks.
fn comparison(node: &Node) -> Option<Comparison> {
    match *node {
        Node::Leaf(_) => None,
        Node::Split { feature, most, .. } => Some(Comparison { feature, most }),
    }
}
