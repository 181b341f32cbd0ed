//! Property tests: after each update, the structures of the graph match their definitions.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::{is_entry, pick, profile_of, shares, weights, MOST_WEIGHTS};
use crate::bfi::nest::LoopNest;
use crate::bfi::{FrequencyAnalysis, FrequencyInput};
use crate::bpi::test_support::{parse_function, pictures};
use crate::bpi::Probability;
use crate::cfg::test_support::config;
use crate::cfg::{naive, Adjacency, Block, ControlFlow, Graph};
use crate::profile::{BlockFrequency, Profile};

/// The successors of every block.
type SuccessorLists = Vec<Vec<Block>>;

/// A random update. When the update is applied to a function, the indices in `blocks` select blocks of the function.
#[derive(Clone, Debug)]
struct Change {
    kind: ChangeKind,
    blocks: [Index; 3],
    weights: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
enum ChangeKind {
    SetProbabilities,
    SetSuccessors,
    Swap,
    Copy,
    Split,
    Forget,
    SetFrequency,
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    use ChangeKind::*;
    let kind = proptest::sample::select(vec![
        SetProbabilities,
        SetSuccessors,
        Swap,
        Copy,
        Split,
        Forget,
        SetFrequency,
    ]);
    let change = (kind, any::<[Index; 3]>(), weights());
    vec(change.prop_map(|(kind, blocks, weights)| Change { kind, blocks, weights }), 1..6)
}

impl Change {
    /// Applies this change to the profile and to `edges`, if the change is possible.
    fn make(&self, profile: &mut Profile, edges: &mut SuccessorLists) {
        let [one, other, third] = self.blocks.map(|place| pick(profile, place, |_| true).expect("an entry"));
        let row = one.as_u32() as usize;
        let count = edges[row].len();
        match self.kind {
            ChangeKind::SetProbabilities if (1..=MOST_WEIGHTS).contains(&count) => {
                profile.set_probabilities(one, &shares(&self.weights[..count])).unwrap();
            }
            ChangeKind::SetSuccessors => {
                let targets = [other, third].into_iter().zip(shares(&self.weights[..2]));
                profile.set_successors(one, &targets.collect::<Vec<_>>()).unwrap();
                edges[row] = vec![other, third];
            }
            ChangeKind::Swap if count > 0 => {
                let places = [self.blocks[1].index(count), self.blocks[2].index(count)];
                profile.swap_successors(one, places[0], places[1]).unwrap();
                edges[row].swap(places[0], places[1]);
            }
            ChangeKind::Copy if edges[other.as_u32() as usize].len() == count => {
                profile.copy_probabilities(one, other).unwrap();
            }
            ChangeKind::Split if count > 0 => self.split(profile, edges, one),
            ChangeKind::Forget if !is_entry(one) => {
                profile.forget(one).unwrap();
                edges[row].clear();
            }
            ChangeKind::SetFrequency if !is_entry(one) => {
                profile.set_frequency(one, BlockFrequency::UNITY).unwrap()
            }
            _ => {}
        }
    }

    /// Splits an edge by calling three update methods of the profile. Checks the profile after the first call and after
    /// the second call.
    fn split(&self, profile: &mut Profile, edges: &mut SuccessorLists, source: Block) {
        let row = source.as_u32() as usize;
        let place = self.blocks[1].index(edges[row].len());
        let target = edges[row][place];
        let middle = profile.add_block(profile.edge_frequency(source, place));
        edges.push(Vec::new());
        check(profile, edges);
        profile.set_successors(middle, &[(target, Probability::ONE)]).unwrap();
        *edges.last_mut().expect("pushed") = vec![target];
        check(profile, edges);
        let mut split: Vec<_> =
            profile.successors(source).iter().copied().zip(profile.probabilities(source).to_vec()).collect();
        split[place].0 = middle;
        profile.set_successors(source, &split).unwrap();
        edges[row][place] = middle;
    }
}

/// Compares all structures with their definitions. Builds a new graph from `edges`, and checks that the new graph has
/// the same loop nest as `profile`.
fn check(profile: &Profile, edges: &SuccessorLists) {
    let mut rows = Adjacency::default();
    for row in edges {
        row.iter().for_each(|&target| rows.push(target));
        rows.end_row();
    }
    let mut graph = ControlFlow::new(Graph::from_successors(rows));
    graph.set_nesting(profile.dialect().nesting);
    assert_eq!(profile.blocks().len(), edges.len());
    for block in graph.blocks() {
        assert_eq!(profile.successors(block), graph.successors(block), "successors of {block}");
        assert_eq!(profile.graph().successors(block), graph.successors(block), "graph at {block}");
        assert_eq!(profile.graph().predecessors(block), graph.predecessors(block), "graph at {block}");
    }
    naive::check_all(profile.graph());
    naive::cycles::check_cycles(profile.graph());
    let probabilities: Vec<Probability> =
        graph.blocks().flat_map(|block| profile.probabilities(block)).copied().collect();
    let input = FrequencyInput::new(&graph, &probabilities, profile.dialect())
        .with_header_weights(profile.facts().header_weights());
    let nest = FrequencyAnalysis::default().compute_nest(&input);
    assert_same_nest(profile.nest(), &nest, &graph);
    let frequencies = FrequencyAnalysis::default().compute(&input);
    let found = profile.compute_frequencies_and_depths();
    for block in graph.blocks() {
        assert_eq!(found.frequencies[block], frequencies.scaled(block), "frequency of {block}");
        let depth = nest.innermost(block).map_or(0, |innermost| nest.depth(innermost));
        assert_eq!(found.depths[block], depth, "loop depth of {block}");
    }
}

fn assert_same_nest(one: &LoopNest, other: &LoopNest, graph: &Graph) {
    assert_eq!(one.loops().len(), other.loops().len());
    for nested in one.loops() {
        assert_eq!(one.headers(nested), other.headers(nested), "headers of {nested}");
        assert_eq!(one.parent(nested), other.parent(nested), "parent of {nested}");
        assert_eq!(one.entries(nested), other.entries(nested), "entries of {nested}");
        assert_eq!(one.scale(nested), other.scale(nested), "scale of {nested}");
    }
    for block in graph.blocks() {
        assert_eq!(one.innermost(block), other.innermost(block), "loop of {block}");
        let shares =
            [one, other].map(|nest| nest.share(block).map(|share| (share.is_header, share.per_iteration)));
        assert_eq!(shares[0], shares[1], "share of {block}");
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn structures_match_the_edges_after_each_update(picture in pictures(), changes in changes()) {
        let parsed = parse_function(&picture);
        let mut profile = profile_of(&parsed);
        let mut edges: SuccessorLists = profile.blocks().map(|block| profile.successors(block).to_vec()).collect();
        // The first call of `check` computes all results of the profile. If an update does not reset a result, the
        // next call of `check` finds the outdated result.
        check(&profile, &edges);
        for change in changes {
            change.make(&mut profile, &mut edges);
            check(&profile, &edges);
        }
    }
}
