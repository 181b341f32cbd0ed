//! Where the frequency of a block comes from: its share of a turn of the loop around it, how often that loop turns, and
//! how often it is entered.

use cranelift_entity::PrimaryMap;

use super::evidence::Evidence;
use super::regions::Region;
use super::{FrequencyAnalysis, FrequencyInput, Mass, Scaled};
use crate::cfg::{table, Block};

/// What the frequencies of a function are made of.
#[derive(Clone, Debug, Default)]
pub struct FlowExplanation {
    regions: PrimaryMap<Region, RegionFlow>,
    blocks: PrimaryMap<Block, Option<BlockFlow>>,
}

/// How often a loop, natural or irreducible, runs.
#[derive(Clone, Debug)]
pub struct RegionFlow {
    /// Its headers: one of a natural loop, at least two of an irreducible region.
    pub headers: Vec<Block>,
    /// Whether weights of `irr_loop` metadata share the mass among the headers.
    pub weighted: bool,
    /// How often it is entered for each entry of the function.
    pub entries: Scaled,
    /// How often it turns for each time it is entered.
    pub scale: Scaled,
    /// How much of each turn comes back to the headers, up to 1.
    pub back: Scaled,
    /// Nothing leaves it, and the scale is one that LLVM has chosen for such loops.
    pub endless: bool,
    /// What one turn counts for: entries and scale together.
    pub factor: Scaled,
}

/// How often a block runs within the loop around it.
#[derive(Clone, Copy, Debug)]
pub struct BlockFlow {
    region: Option<Region>,
    /// Whether it is a header of that loop.
    pub is_header: bool,
    /// Its share of each turn of that loop, or of each entry of the function if there is none, up to 1.
    pub share: Scaled,
}

impl FlowExplanation {
    /// How often `block` runs within the loop around it; none if the entry does not reach it.
    pub fn block(&self, block: Block) -> Option<BlockFlow> {
        self.blocks[block]
    }

    /// The innermost loop around a block.
    pub fn around(&self, flow: BlockFlow) -> Option<&RegionFlow> {
        Some(&self.regions[flow.region?])
    }
}

impl FrequencyAnalysis {
    /// Says what the frequencies are made of that [`FrequencyAnalysis::compute`] computes from `input`.
    pub fn explain(&mut self, input: &FrequencyInput) -> FlowExplanation {
        let FrequencyInput { graph, probabilities, header_weights, .. } = *input;
        self.solve(input, Evidence::Given { probabilities, header_weights });
        let mut explanation = FlowExplanation {
            regions: self.flow.regions.scales().map(RegionFlow::turning).collect(),
            blocks: table(graph.block_count(), None),
        };
        for ((_, block), mass) in self.flow.ranking.iter().zip(self.flow.regions.block_masses()) {
            explanation.blocks[block] =
                Some(BlockFlow { region: None, is_header: false, share: mass.to_scaled() });
        }
        let regions: Vec<Region> = self.flow.regions.outermost_first().collect();
        for region in regions {
            self.explain_region(region, header_weights, &mut explanation);
        }
        explanation
    }

    /// Fills in what is known of `region` once its factor is that of the level around it.
    fn explain_region(
        &self,
        region: Region,
        header_weights: &[(Block, u64)],
        explanation: &mut FlowExplanation,
    ) {
        let (regions, ranking) = (&self.flow.regions, &self.flow.ranking);
        let around = explanation.regions[region].entries;
        let flow = &mut explanation.regions[region];
        flow.entries = around * regions.entering_mass(region).to_scaled();
        // The products are those of `frequencies::unpack`, in its order: they round.
        flow.factor = flow.factor * regions.entering_mass(region).to_scaled();
        flow.back = regions.total_back_mass(region).to_scaled();
        flow.endless = regions.total_back_mass(region) == Mass::FULL;
        let factor = flow.factor;
        for (place, (node, package)) in regions.contents(region).enumerate() {
            let block = ranking.block(node);
            let is_header = place < regions.header_count(region);
            if is_header {
                let flow = &mut explanation.regions[region];
                flow.headers.push(block);
                flow.weighted |= regions.header_count(region) > 1
                    && header_weights.binary_search_by_key(&block, |&(block, _)| block).is_ok();
            }
            match package {
                Some(inner) => {
                    let flow = &mut explanation.regions[inner];
                    flow.entries = factor;
                    flow.factor = factor * flow.factor;
                }
                None => {
                    let share = regions.block_mass(node).to_scaled();
                    explanation.blocks[block] = Some(BlockFlow { region: Some(region), is_header, share });
                }
            }
        }
    }
}

impl RegionFlow {
    /// A loop that turns `scale` times, and of which nothing else is known yet.
    fn turning(scale: Scaled) -> Self {
        RegionFlow {
            headers: Vec::new(),
            weighted: false,
            entries: Scaled::ONE,
            scale,
            back: Scaled::ZERO,
            endless: false,
            factor: scale,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::drawing::Drawing;
    use super::*;
    use crate::cfg::parse_graph;
    use crate::cfg::test_support::{config, pictures};

    fn explain(drawing: &Drawing) -> FlowExplanation {
        FrequencyAnalysis::default().explain(&drawing.input())
    }

    fn text(number: Scaled) -> String {
        format!("{number:.5}")
    }

    /// The inner loop turns 4 times, the outer one twice; half of each outer turn enters the inner loop.
    #[test]
    fn a_block_runs_in_a_share_of_the_turns_of_its_loop() {
        let (drawing, block) = Drawing::new(
            "entry -> outer; outer -> inner latch : 1 1; inner -> body; body -> inner latch : 3 1; \
             latch -> outer end : 1 1; end",
        );
        let explanation = explain(&drawing);
        let of = |name: &str| {
            let flow = explanation.block(block(name)).expect("a reached block");
            let around = explanation.around(flow);
            let turns = around.map(|region| (text(region.entries), text(region.scale)));
            (text(flow.share), turns)
        };
        let turns = |entries: &str, scale: &str| Some((entries.to_string(), scale.to_string()));
        assert_eq!(of("entry"), ("1.0".to_string(), None));
        assert_eq!(of("outer"), ("1.0".to_string(), turns("1.0", "2.0")));
        assert_eq!(of("body"), ("1.0".to_string(), turns("1.0", "4.0")));
        assert_eq!(of("end"), ("1.0".to_string(), None));
    }

    /// Three quarters of what passes the header come back: 1 / (1 - 3/4) turns.
    #[test]
    fn what_comes_back_makes_the_turns() {
        let (drawing, block) = Drawing::new("entry -> l; l -> l end : 3 1; end");
        let explanation = explain(&drawing);
        let region = explanation.around(explanation.block(block("l")).unwrap()).unwrap();
        assert_eq!((text(region.back), text(region.scale)), ("0.75".into(), "4.0".into()));
        assert!(!region.endless);
    }

    #[test]
    fn a_loop_that_nothing_leaves_is_called_endless() {
        let (drawing, block) = Drawing::new("entry -> l; l -> l");
        let explanation = explain(&drawing);
        let region = explanation.around(explanation.block(block("l")).unwrap()).unwrap();
        assert!(region.endless);
        assert_eq!(text(region.scale), "4096.0");
    }

    /// Mass enters by both and comes back to both alike; weights of 3 and 1 share it by themselves.
    #[test]
    fn headers_of_an_irreducible_region_share_each_turn() {
        let (mut drawing, block) = Drawing::new("entry -> a b; a -> b end; b -> a end; end");
        let shares = |drawing: &Drawing| {
            let explanation = explain(drawing);
            let [a, b] = ["a", "b"].map(|name| explanation.block(block(name)).expect("a reached block"));
            assert!(a.is_header && b.is_header);
            let around = explanation.around(a).expect("a region");
            assert_eq!(around.headers, [block("a"), block("b")]);
            ([a, b].map(|header| text(header.share)), around.weighted)
        };
        assert_eq!(shares(&drawing), (["0.5", "0.5"].map(String::from), false));
        drawing.header_weights = vec![(block("a"), 3), (block("b"), 1)];
        assert_eq!(shares(&drawing), (["0.75", "0.25"].map(String::from), true));
    }

    proptest! {
        #![proptest_config(config())]

        /// Share and factor multiply to the very frequency that is printed, and blocks without one are those that
        /// nothing reaches.
        #[test]
        fn shares_and_factors_make_the_frequencies(picture in pictures(), seed in any::<u32>()) {
            let (graph, _) = parse_graph(&picture).unwrap();
            let mut weight = seed;
            let mut next = || {
                weight = weight.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                weight >> 20 | 1
            };
            let weights: Vec<u32> = (0..graph.edge_count()).map(|_| next()).collect();
            let drawing = Drawing::weighted(graph, &weights);
            let (explanation, frequencies) = (explain(&drawing), drawing.frequencies());
            for block in drawing.graph.blocks() {
                let told = explanation.block(block).map(|flow| {
                    let factor = explanation.around(flow).map_or(Scaled::ONE, |region| region.factor);
                    factor * flow.share
                });
                prop_assert_eq!(told.unwrap_or(Scaled::ZERO), frequencies.scaled(block), "{}", block);
            }
        }
    }
}
