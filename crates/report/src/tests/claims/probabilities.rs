//! Checks the text of `rust-bpi<explain>` and the reasons of the JSON.

use bpa_schema::{Cause, ColdReason, Derivation, Edge, Estimate, Rarity, Reason, Via, WeightOwner};

use super::*;
use bpa_profile::dialect::Nesting;
use bpa_profile::facts::BlockProperties;

/// A loop or cycle that reasons name.
struct NamedCycle {
    owner: WeightOwner,
    blocks: Blocks,
}

impl Explained {
    /// Resolves the names of loops and cycles with the data of the JSON only, and checks that they are what they state.
    fn named_cycles(&self) -> Vec<NamedCycle> {
        let Explained { json, graph, .. } = self;
        let mut cycles: Vec<NamedCycle> = Vec::new();
        if json.cycles.is_empty() {
            // Without irreducible cycles, the loops of the JSON are the loops of the rules.
            for (place, nested) in json.loops.iter().enumerate() {
                let is_inside = |block: &usize| {
                    let start = json.blocks[*block].innermost;
                    std::iter::successors(start, |&inner| json.loops[inner].parent)
                        .any(|around| around == place)
                };
                let [header] = nested.headers[..] else { continue };
                let blocks = (0..json.blocks.len()).filter(is_inside).collect();
                cycles.push(NamedCycle { owner: WeightOwner::Loop(header), blocks });
            }
        }
        for (place, cycle) in json.cycles.iter().enumerate().rev() {
            let mut blocks: Blocks = cycle.blocks.iter().copied().collect();
            for (later, other) in json.cycles.iter().enumerate().skip(place + 1) {
                if other.parent == Some(place) {
                    blocks.extend(&cycles[json.cycles.len() - 1 - later].blocks);
                }
            }
            cycles.push(NamedCycle { owner: cycle.owner, blocks });
        }
        for cycle in &cycles {
            let name = format!("{:?}", cycle.owner);
            assert_eq!(cycles.iter().filter(|other| other.owner == cycle.owner).count(), 1, "{name}");
            let entries = graph.entries(&cycle.blocks);
            match cycle.owner {
                WeightOwner::Loop(header) => {
                    assert_eq!(graph.natural_loop(header).as_ref(), Some(&cycle.blocks), "{name}");
                }
                WeightOwner::Cycle(header) => {
                    assert!(entries.len() > 1 && cycle.blocks.contains(&header), "{name}");
                    assert!(graph.component(header, &cycle.blocks) == cycle.blocks, "{name}");
                }
                WeightOwner::Block(_) => panic!("{name}"),
            }
        }
        // Every block in a cycle is in a named cycle.
        for block in graph.reachable() {
            let is_in_cycle = !graph.component(block, &graph.reachable()).is_empty();
            assert_eq!(cycles.iter().any(|cycle| cycle.blocks.contains(&block)), is_in_cycle, "{block}");
        }
        cycles
    }

    pub(super) fn check_probabilities(&self) {
        let cycles = self.named_cycles();
        let mut text = self.probabilities.split("\n  edge ").skip(1);
        for edge in &self.json.edges {
            let lines: Vec<&str> =
                text.next().expect("an edge").lines().skip(1).map(str::trim_start).collect();
            let Some(reason) = edge.why.as_deref() else { continue };
            Claims { explained: self, cycles: &cycles, edge }.check(reason, &lines);
        }
    }
}

/// The statements about one edge.
struct Claims<'a> {
    explained: &'a Explained,
    cycles: &'a [NamedCycle],
    edge: &'a Edge<'a>,
}

impl Claims<'_> {
    fn blocks(&self, owner: WeightOwner) -> Blocks {
        match owner {
            WeightOwner::Block(block) => [block].into(),
            _ => match self.cycles.iter().find(|cycle| cycle.owner == owner) {
                Some(cycle) => cycle.blocks.clone(),
                None => panic!("{owner:?} cannot be resolved"),
            },
        }
    }

    fn has(&self, block: usize, property: BlockProperties) -> bool {
        self.explained.printed.profile.facts().blocks()[Block::from_u32(block as u32)]
            .properties
            .has(property)
    }

    fn check(&self, reason: &Reason, lines: &[&str]) {
        let Edge { from, to, numerator, .. } = *self.edge;
        let share = |weight: u32, total: u32| f64::from(weight) / f64::from(total) * 2f64.powi(31);
        let is_capped = matches!(reason.cause, Cause::Metadata { cap: Some(_), .. });
        if !is_capped {
            assert!((share(reason.weight, reason.total) - f64::from(numerator)).abs() <= 1.0, "{reason:?}");
        }
        let weights = format!("{}, {} of {}: ", reason.rule, reason.weight, reason.total);
        let is_named = lines[0].starts_with(&weights) || matches!(reason.cause, Cause::NotReached { .. });
        assert!(is_named, "{lines:?}");
        if let Some(undivided) = reason.undivided {
            assert_eq!((undivided / reason.divisor).max(reason.weight.min(1)), reason.weight, "{reason:?}");
            assert!(lines[1].ends_with(&format!(" bits: {undivided} / {}.", reason.divisor)), "{lines:?}");
            let is_metadata = matches!(reason.cause, Cause::Metadata { .. });
            assert!(
                !is_metadata || lines[0].ends_with(&format!(": its branch weight {undivided}.")),
                "{lines:?}"
            );
        }
        match &reason.cause {
            Cause::NotReached { .. } => assert!(!self.explained.graph.reachable().contains(&from)),
            Cause::Metadata { derivation, .. } | Cause::Even { derivation, .. } => {
                if let Some(derivation) = derivation {
                    let end = self.check_derivation(derivation);
                    assert!(self.blocks(end).contains(&to), "{derivation:?}");
                }
            }
            Cause::Estimate(estimate) => self.check_estimate(estimate, reason, lines[0]),
            _ => {}
        }
    }

    fn check_estimate(&self, estimate: &Estimate, reason: &Reason, line: &str) {
        let Edge { from, to, .. } = *self.edge;
        let mut around: Vec<&NamedCycle> =
            self.cycles.iter().filter(|cycle| cycle.blocks.contains(&from)).collect();
        // LLVM prefers natural loops to components.
        let has_components = self.explained.printed.profile.graph().nesting() == Nesting::LoopsAndComponents;
        let is_component =
            |cycle: &NamedCycle| has_components && matches!(cycle.owner, WeightOwner::Cycle(_));
        around.sort_by_key(|cycle| (is_component(cycle), cycle.blocks.len()));
        assert_eq!(estimate.around, around.first().map(|cycle| cycle.owner));
        let around = estimate.around.map(|owner| self.blocks(owner)).unwrap_or_default();
        let end = self.blocks(estimate.end);
        assert!(end.contains(&to));
        let leaves = estimate.around.is_some() && !around.contains(&to);
        assert_eq!(estimate.leaves_loop, leaves, "{line}");
        if estimate.treated_as_exit {
            assert!(around.contains(&to) && end.is_subset(&around) && !end.contains(&from) && end != around);
            let words =
                scan("{}: LLVM treats it as an exit of {}, because it enters {} inside the cycle{}.", line);
            let [_, cycle, inner, _] = words.unwrap_or_else(|| panic!("{line}"));
            assert_eq!((self.named(cycle), self.named(inner)), (around.clone(), end), "{line}");
        }
        if let Some([_, name]) = scan("{}: it leaves {}", line) {
            let name = name.split(" for %").next().expect("a name").split(" for the").next().expect("a name");
            assert!(leaves && self.named(name) == around, "{line}");
        }
        if let Some([_, name]) = scan("{}: it stays in {}", line) {
            assert!(!leaves && self.named(name) == around, "{line}");
        }
        if let Some([_, name]) = scan("{}: it starts the next iteration of {}", line) {
            let name = name.split([';', ':', '.']).next().expect("a name");
            assert!(around.contains(&from) && self.named(name) == around, "{line}");
            assert_eq!(name, format!("the loop of %b{to}"), "{line}");
        }
        // The weight follows from the base and the ratios.
        let exits = usize::from(estimate.leaves_loop || estimate.treated_as_exit);
        assert_eq!(estimate.ratios.len(), exits + usize::from(estimate.next_value.is_some()));
        let weight = estimate.ratios.iter().fold(estimate.base, |weight, [more, less]| match weight {
            0 => 0,
            _ => ((u64::from(weight) * u64::from(*less) / u64::from(*more)) as u32).max(1),
        });
        assert_eq!(reason.undivided.unwrap_or(reason.weight), weight, "{line}");
        assert_eq!(estimate.rarity.is_some(), estimate.derivation.is_some());
        if let Some(derivation) = &estimate.derivation {
            assert_eq!(self.check_derivation(derivation), estimate.end, "{line}");
            let raised = derivation.steps.iter().any(|step| step.raised);
            let rarity = match derivation.origin.reason {
                ColdReason::Unreachable if !raised => Rarity::NeverCompletes,
                ColdReason::Unreachable | ColdReason::Noreturn | ColdReason::Unwind => Rarity::HardlyEver,
                ColdReason::Cold => Rarity::Cold,
            };
            assert!(derivation.left_out > 0 || estimate.rarity == Some(rarity), "{line}");
        }
    }

    /// The blocks of the block, loop or cycle with the name `name`, which can be followed by more words.
    fn named(&self, name: &str) -> Blocks {
        let name = name.split([';', ':', '.']).next().expect("a name");
        if let Some([header]) = scan("the loop of {}", name) {
            return self.blocks(WeightOwner::Loop(block_of(header)));
        }
        let [header] = scan("the irreducible cycle of {}", name).unwrap_or_else(|| panic!("no name: {name}"));
        self.blocks(WeightOwner::Cycle(block_of(header)))
    }

    /// Checks each step of a derivation. Returns the block, loop or cycle that gets the weight.
    fn check_derivation(&self, derivation: &Derivation) -> WeightOwner {
        let graph = &self.explained.graph;
        let origin = derivation.origin.block;
        let property = match derivation.origin.reason {
            ColdReason::Unreachable => BlockProperties::NEVER_COMPLETES,
            ColdReason::Noreturn => BlockProperties::NORETURN_CALL,
            ColdReason::Unwind => BlockProperties::EXCEPTION_PATH,
            ColdReason::Cold => BlockProperties::COLD_CALL,
        };
        assert!(self.has(origin, property), "{derivation:?}");
        let mut before = WeightOwner::Block(origin);
        let mut is_known = derivation.left_out == 0;
        for step in &derivation.steps {
            if is_known {
                let (source, target) = (self.blocks(before), self.blocks(step.to));
                let leaving = |&(from, to): &(usize, usize)| match step.via {
                    Via::Exit => target.contains(&from) && !target.contains(&to),
                    _ => target.contains(&from),
                };
                let edges: Vec<(usize, usize)> = graph.edges().filter(leaving).collect();
                match (step.via, before, step.to) {
                    (Via::PostDominance, WeightOwner::Block(below), WeightOwner::Block(above)) => {
                        assert!(
                            graph.dominates(above, below) && graph.post_dominates(below, above),
                            "{step:?}"
                        );
                    }
                    (Via::Successor, _, WeightOwner::Block(_))
                    | (Via::Exit, _, WeightOwner::Loop(_) | WeightOwner::Cycle(_)) => {
                        assert!(edges.iter().any(|(_, to)| source.contains(to)), "{step:?}");
                        assert!(!step.only || edges.iter().all(|(_, to)| source.contains(to)), "{step:?}");
                    }
                    _ => panic!("{step:?}"),
                }
            }
            (before, is_known) = (step.to, true);
        }
        before
    }
}
