//! All trees asked at once.
//!
//! Nobody goes down the trees: feature by feature, the splits are found whose rarer way is taken, and each crosses out the
//! leaves behind its other way. Of what is left in a tree the first leaf is the one that going down leads to, if the leaves
//! behind a split's usual way come before those behind its rarer one (Claudio Lucchese and others,
//! "QuickScorer", SIGIR 2015, where the usual way is always the left one).

use super::node::Node;

/// So many rows are asked about at once: in each step all of them, by instructions for several numbers.
const LANES: usize = 8;

/// So many leaves a tree may have.
pub(super) const MOST_LEAVES: usize = 16;

/// Splits of all trees, by their features.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Scorer {
    features: Vec<Splits>,
    /// What the leaves add, tree after tree, those behind usual ways first.
    leaves: Vec<i32>,
    /// Where the leaves of each tree begin.
    starts: Vec<u32>,
}

/// The splits by one feature.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Splits {
    /// Those that are usually not above their bound, ascending by it.
    above: Vec<Crossing>,
    /// Those that usually are, descending.
    below: Vec<Crossing>,
}

/// What is crossed out if a split goes its rarer way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Crossing {
    most: i16,
    tree: u16,
    /// The leaves that are left.
    left: u16,
}

impl Scorer {
    /// Adds a tree, in preorder from place `root` of `nodes` to the end. It has at most [`MOST_LEAVES`].
    pub fn add(&mut self, nodes: &[Node], root: usize) {
        let tree = self.starts.len() as u16;
        let start = self.leaves.len();
        self.starts.push(start as u32);
        let counts = leaf_counts(nodes, root);
        self.leaves.resize(start + counts[0] as usize, 0);
        // The first leaf of each node.
        let mut firsts = vec![0; counts.len()];
        for place in root..nodes.len() {
            let first: u32 = firsts[place - root];
            match nodes[place] {
                Node::Leaf(amount) => self.leaves[start + first as usize] = amount,
                Node::Split { feature, most, otherwise, mean } => {
                    let (less, more) = (place + 1, otherwise as usize);
                    let is_usually_less = is_nearer(mean, nodes[less].mean(), nodes[more].mean());
                    let (usual, rare) = if is_usually_less { (less, more) } else { (more, less) };
                    let (usual, rare) = (usual - root, rare - root);
                    (firsts[usual], firsts[rare]) = (first, first + counts[usual]);
                    let behind = (((1_u32 << counts[usual]) - 1) << first) as u16;
                    let crossing = Crossing { most, tree, left: !behind };
                    let splits = self.splits(feature.into());
                    if is_usually_less { &mut splits.above } else { &mut splits.below }.push(crossing);
                }
            }
        }
    }

    fn splits(&mut self, feature: usize) -> &mut Splits {
        if self.features.len() <= feature {
            self.features.resize_with(feature + 1, Splits::default);
        }
        &mut self.features[feature]
    }

    /// When all trees are there.
    pub fn finish(&mut self) {
        for splits in &mut self.features {
            splits.above.sort_by_key(|crossing| crossing.most);
            splits.below.sort_by_key(|crossing| std::cmp::Reverse(crossing.most));
        }
    }

    /// The sum of what all trees add, for each row of features.
    pub fn sums(&self, rows: &[impl AsRef<[i32]>]) -> Vec<i64> {
        let (mut left, mut sums) = (Vec::new(), Vec::with_capacity(rows.len()));
        rows.chunks(LANES).for_each(|batch| self.batch(batch, &mut left, &mut sums));
        sums
    }

    /// Adds the sums of up to so many rows as there are lanes. `left` is memory for the leaves that are left.
    fn batch(&self, rows: &[impl AsRef<[i32]>], left: &mut Vec<[u16; LANES]>, sums: &mut Vec<i64>) {
        left.clear();
        left.resize(self.starts.len(), [u16::MAX; LANES]);
        for (feature, splits) in self.features.iter().enumerate() {
            // Lanes without a row are as the first.
            let value = |lane| rows.get(lane).unwrap_or(&rows[0]).as_ref()[feature];
            let values: [i16; LANES] = std::array::from_fn(|lane| narrow(value(lane)));
            let (least, greatest) =
                values.iter().fold((values[0], values[0]), |(least, greatest), &value| {
                    (least.min(value), greatest.max(value))
                });
            for crossing in splits.above.iter().take_while(|crossing| greatest > crossing.most) {
                crossing.cross_out(left, |most, lane| values[lane] > most);
            }
            for crossing in splits.below.iter().take_while(|crossing| least <= crossing.most) {
                crossing.cross_out(left, |most, lane| values[lane] <= most);
            }
        }
        let sum = |lane: usize| {
            let leaf = |(&start, left): (&u32, &[u16; LANES])| {
                self.leaves[(start + left[lane].trailing_zeros()) as usize]
            };
            self.starts.iter().zip(&*left).map(|tree| i64::from(leaf(tree))).sum::<i64>()
        };
        sums.extend((0..rows.len()).map(sum));
    }
}

impl Crossing {
    /// Crosses out in the lanes in which it `goes` the rarer way.
    #[inline(always)]
    fn cross_out(&self, left: &mut [[u16; LANES]], goes: impl Fn(i16, usize) -> bool) {
        let lanes = &mut left[usize::from(self.tree)];
        for (lane, left) in lanes.iter_mut().enumerate() {
            // No choice, so that all lanes are computed at once.
            *left &= self.left | u16::from(goes(self.most, lane)).wrapping_sub(1);
        }
    }
}

/// The nearest number that fits. It is above or below a bound as the number is: bounds are below the greatest that fits.
fn narrow(value: i32) -> i16 {
    value.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// How many leaves are behind each node of a tree.
fn leaf_counts(nodes: &[Node], root: usize) -> Vec<u32> {
    let mut counts = vec![1; nodes.len() - root];
    for place in (0..counts.len()).rev() {
        if let Node::Split { otherwise, .. } = nodes[root + place] {
            counts[place] = counts[place + 1] + counts[otherwise as usize - root];
        }
    }
    counts
}

/// Whether `mean` is nearer to `one` than to `other`. The mean of a split lies between those behind its two ways, nearer to that
/// of the way that more of what was learned from took. It is a matter of speed alone.
fn is_nearer(mean: i32, one: i32, other: i32) -> bool {
    mean.abs_diff(one) <= mean.abs_diff(other)
}
