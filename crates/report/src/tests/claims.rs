//! Checks every statement of the explanations against the graph. The checks use only the graph, the printed text and the
//! JSON, and definitions of loops by reachability.

use std::collections::BTreeSet;

use bpa_schema::Function;
use proptest::collection::vec;
use proptest::option;

use super::*;
use bpa_profile::bfi::FrequencyMethod;
use bpa_profile::cfg::naive;

type Blocks = BTreeSet<usize>;

/// A graph, as lists of successors, and its loops. Block 0 is the entry.
struct Graph(Vec<Vec<usize>>, Vec<naive::NaturalLoop>);

impl Graph {
    fn of(profile: &Profile) -> Self {
        let successors = |block| profile.graph().successors(block).iter().map(|to| to.as_u32() as usize);
        let lists = profile.graph().blocks().map(|block| successors(block).collect()).collect();
        Graph(lists, naive::loops(profile.graph()))
    }

    fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.0.iter().enumerate().flat_map(|(from, targets)| targets.iter().map(move |&to| (from, to)))
    }

    /// The blocks that `from` reaches by a path within `within`. The path can be empty.
    fn reached(&self, from: usize, within: impl Fn(usize) -> bool) -> Blocks {
        let (mut found, mut frontier) = (Blocks::new(), vec![from]);
        while let Some(block) = frontier.pop() {
            if within(block) && found.insert(block) {
                frontier.extend(&self.0[block]);
            }
        }
        found
    }

    fn reachable(&self) -> Blocks {
        self.reached(0, |_| true)
    }

    /// The natural loop of `header`, or `None` if the block heads no natural loop.
    fn natural_loop(&self, header: usize) -> Option<Blocks> {
        let found = self.1.iter().find(|natural| natural.header.as_u32() as usize == header)?;
        Some(found.body.iter().map(|block| block.as_u32() as usize).collect())
    }

    /// The strongly connected component of `block` within `blocks`. The component of a block that is in no cycle is
    /// empty.
    fn component(&self, block: usize, blocks: &Blocks) -> Blocks {
        let reached = |from: usize| -> Blocks {
            self.0[from].iter().flat_map(|&next| self.reached(next, |on| blocks.contains(&on))).collect()
        };
        let forward = reached(block);
        forward.into_iter().filter(|&other| reached(other).contains(&block)).collect()
    }

    /// The blocks of `cycle` with an edge from a reachable block outside.
    fn entries(&self, cycle: &Blocks) -> Blocks {
        let alive = self.reachable();
        let enters = |&(from, to): &(usize, usize)| {
            alive.contains(&from) && !cycle.contains(&from) && cycle.contains(&to)
        };
        self.edges().filter(enters).map(|edge| edge.1).collect()
    }
}

/// The values of the placeholders `{}` of `pattern` in `line`.
fn scan<'a, const N: usize>(pattern: &str, line: &'a str) -> Option<[&'a str; N]> {
    let parts: Vec<&str> = pattern.split("{}").collect();
    let (first, last) = (parts.first()?, parts.last()?);
    let mut rest = line.strip_prefix(first)?;
    let mut values = Vec::new();
    for part in &parts[1..parts.len().max(2) - 1] {
        let (value, after) = rest.split_once(part)?;
        values.push(value);
        rest = after;
    }
    match parts.len() {
        1 => rest.is_empty().then_some(())?,
        _ => values.push(rest.strip_suffix(last)?),
    }
    values.try_into().ok()
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("'{text}' is not a number"))
}

fn block_of(name: &str) -> usize {
    name.strip_prefix("%b")
        .and_then(|digits| digits.parse().ok())
        .unwrap_or_else(|| panic!("no block: {name}"))
}

/// A function and its explanations.
struct Explained {
    printed: Printed,
    graph: Graph,
    frequencies: String,
    json: Function<'static>,
}

impl Explained {
    fn new(picture: &str, version: &str, method: FrequencyMethod, weights: &[Option<u64>]) -> Self {
        // The entry of a function in LLVM has no predecessors.
        let mut printed = Printed::new(&format!("entry -> 0; {picture}"));
        let mut facts = printed.parsed.function.clone();
        let header_weights =
            facts.graph().blocks().zip(weights).filter_map(|(block, weight)| Some((block, (*weight)?)));
        let header_weights = header_weights.collect();
        facts.set_profile(Some(EntryCount { count: 1_000, synthetic: false }), header_weights);
        let dialect = Dialect::named(version).expect("supported");
        let builder = Profile::builder(facts, dialect).method(method);
        printed.profile = builder.build_with(&mut printed.parsed.conditions.clone());
        let frequencies = printed.explained_frequencies();
        let reasons = Some(printed.reasons());
        let (names, source) = (printed.names(), &printed.source);
        let json =
            text(|out| write_json(&names, source, &printed.profile, Analysis::Frequencies, reasons, out));
        let json = serde_json::from_str::<Function>(Box::leak(json.into_boxed_str())).expect("well formed");
        Explained { graph: Graph::of(&printed.profile), printed, frequencies, json }
    }
}

/// A loop of the JSON.
struct NamedLoop {
    name: String,
    headers: Vec<usize>,
    blocks: Blocks,
    entries: f64,
    scale: f64,
}

impl NamedLoop {
    fn is_irreducible(&self) -> bool {
        self.headers.len() > 1
    }

    /// Whether no edge leaves the loop.
    fn is_closed(&self, graph: &Graph) -> bool {
        graph.edges().all(|(from, to)| !self.blocks.contains(&from) || self.blocks.contains(&to))
    }
}

/// Whether two printed numbers are equal, up to the rounding of the printed digits.
fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 2e-4 * one.abs().max(other.abs())
}

impl Explained {
    /// Resolves the loops of the JSON, and checks that each loop is what the JSON states.
    fn named_loops(&self) -> Vec<NamedLoop> {
        let Explained { json, graph, .. } = self;
        let is_inside = |place: usize, block: usize| {
            let mut around = json.blocks[block].innermost;
            while let Some(nested) = around.filter(|&nested| nested != place) {
                around = json.loops[nested].parent;
            }
            around.is_some()
        };
        let named = |(place, nested): (usize, &bpa_schema::Loop)| {
            let kind = if nested.irreducible { "irreducible loop" } else { "loop" };
            NamedLoop {
                name: format!("the {kind} of %b{}", nested.headers[0]),
                headers: nested.headers.clone(),
                blocks: (0..json.blocks.len()).filter(|&block| is_inside(place, block)).collect(),
                entries: nested.entries.expect("a loop has entries").value,
                scale: nested.scale.expect("a loop has iterations").value,
            }
        };
        let loops: Vec<NamedLoop> = json.loops.iter().enumerate().map(named).collect();
        for (nested, row) in loops.iter().zip(&json.loops) {
            let header = nested.headers[0];
            assert_eq!(loops.iter().filter(|other| other.name == nested.name).count(), 1, "{}", nested.name);
            if !row.irreducible {
                assert_eq!(graph.natural_loop(header).as_ref(), Some(&nested.blocks), "{}", nested.name);
                continue;
            }
            let mut around =
                row.parent.map_or_else(|| graph.reachable(), |parent| loops[parent].blocks.clone());
            if let Some([header]) = row.parent.map(|parent| &json.loops[parent].headers[..]) {
                around.remove(header);
            }
            assert_eq!(graph.component(header, &around), nested.blocks, "{}", nested.name);
            let entries = graph.entries(&nested.blocks);
            assert!(entries.len() > 1 && entries.iter().all(|entry| nested.headers.contains(entry)));
        }
        loops
    }

    fn check_frequencies(&self) {
        let loops = self.named_loops();
        let parts = self.frequencies.split("\n - ").skip(1);
        for (block, part) in parts.enumerate() {
            let lines: Vec<&str> = part.trim_end().lines().skip(1).map(str::trim_start).collect();
            self.check_block(block, &lines, &loops);
        }
    }

    fn runs(&self, block: usize) -> f64 {
        self.json.blocks[block].times_per_call()
    }

    fn check_block(&self, block: usize, lines: &[&str], loops: &[NamedLoop]) {
        let graph = &self.graph;
        let named = |name: &str| {
            loops.iter().find(|nested| nested.name == name).unwrap_or_else(|| panic!("no loop: {name}"))
        };
        let alive = graph.reachable();
        let mut sum = if block == 0 { 1.0 } else { 0.0 };
        let (mut listed, mut is_sum_explained) = (0, false);
        // The number that the next product explains: the frequency of the block, then the entries of its loops.
        let mut next = self.runs(block);
        let mut header: Option<(&str, &NamedLoop)> = None;
        let (mut products, mut headed) = (0, 0);
        for line in lines {
            if *line == "not reached: no path from the entry leads here." {
                assert!(!alive.contains(&block));
            } else if *line == "entry: every call of the function starts here." {
                assert_eq!(block, 0);
            } else if let Some([total, why]) = scan("the edges add up to {}; {}.", line) {
                assert!(near(number(total), sum) && (sum - self.runs(block)).abs() > 1e-5 * sum, "{line}");
                self.check_difference(block, sum, why, loops);
                is_sum_explained = true;
            } else if let Some([rest, count, most]) =
                scan("{} from {} more predecessors; each contributes at most {}.", line)
            {
                let count: usize = count.parse().expect("a count");
                assert!(number(rest) <= number(most) * count as f64 * 1.001, "{line}");
                sum += number(rest);
                listed += count;
            } else if let Some([part, from, percent, of]) = scan("{} from {}: {}% of {}.", line) {
                let from = block_of(from);
                let edges = self.json.edges.iter().filter(|edge| (edge.from, edge.to) == (from, block));
                let weight: u32 = edges.map(|edge| edge.numerator.max(1)).sum();
                let share = f64::from(weight) / 2f64.powi(31);
                assert!(near(number(of), self.runs(from)), "{line}");
                assert!(near(number(part), share * self.runs(from)), "{line}");
                assert!((number(percent) / 100.0 - share).abs() <= 0.6e-4, "{line}");
                sum += number(part);
                listed += 1;
            } else if let Some([name, per_iteration, scale, entries]) =
                scan("in {}: {} runs per iteration, {} iterations per entry, {} entries.", line)
            {
                let nested = named(name);
                assert!(nested.blocks.contains(&block) && products == 0, "{line}");
                assert!(near(number(scale), nested.scale) && near(number(entries), nested.entries), "{line}");
                assert!(near(number(per_iteration) * nested.scale * nested.entries, next), "{line}");
                products += 1;
            } else if let Some([count, headers, _, part, of]) =
                scan("irreducible: {} headers ({}) {}: {} for {}.", line)
            {
                let names: Vec<&str> = headers.split(", ").filter(|&name| name != "...").collect();
                let nested = named(&format!("the irreducible loop of {}", names[0]));
                assert_eq!(nested.headers.len().to_string(), count, "{line}");
                let named_headers = names.iter().map(|name| block_of(name));
                assert!(named_headers.eq(nested.headers.iter().copied().take(6)), "{line}");
                match of.strip_prefix("%b") {
                    Some(own) => assert_eq!(own, block.to_string()),
                    None => assert_eq!(named(of).headers, [block]),
                }
                header = Some((part, nested));
            } else if let Some((kind, leaving, scale)) = iterations(line) {
                let (part, nested) = match kind {
                    "loop header" => ("1.0", named(&format!("the loop of %b{block}"))),
                    _ => header.take().expect("the share of the header comes first"),
                };
                assert!(nested.headers.contains(&block) && near(scale, nested.scale), "{line}");
                match leaving {
                    Some(leaving) => assert!(near(1.0 / leaving, scale), "{line}"),
                    None => assert!(nested.is_closed(graph), "{line}"),
                }
                assert!(
                    near(number(part) * scale * nested.entries, next),
                    "{line}: not {next} in\n{lines:#?}"
                );
                header = Some((part, nested));
                (products, headed) = (products + 1, headed + 1);
            } else if let Some([rest]) = scan("entered {}.", line) {
                let (_, nested) = header.take().expect("the line follows the iterations");
                let pattern = "{} times per call of the function, {} times per iteration of {}";
                let entries = match scan(pattern, rest) {
                    Some([entries, per_iteration, name]) => {
                        let around = named(name);
                        assert!(nested.blocks.is_subset(&around.blocks), "{line}");
                        assert!(
                            near(number(per_iteration) * around.scale * around.entries, nested.entries),
                            "{line}"
                        );
                        entries
                    }
                    None => {
                        let [entries] = scan("{} times per call of the function", rest).expect("a number");
                        assert!(
                            !loops.iter().any(|around| around.blocks.len() > nested.blocks.len()
                                && nested.blocks.is_subset(&around.blocks)),
                            "{line}"
                        );
                        entries
                    }
                };
                next = nested.entries;
                assert!(near(number(entries), next), "{line}");
            } else if let Some([count, entries, integer, of_entry, how]) =
                scan("count: {} = {} measured entries x {} / {}, {}.", line)
            {
                let [count, entries, integer, of_entry] =
                    [count, entries, integer, of_entry].map(|digits| digits.parse::<u128>().expect("digits"));
                let product = (entries * integer + of_entry / 2) / of_entry;
                assert_eq!(count, product.min(u64::MAX.into()), "{line}");
                assert_eq!(how, if count < u64::MAX.into() { "rounded" } else { "limited to 64 bits" });
                assert_eq!(self.json.blocks[block].count.map(|count| count.0.into()), Some(count));
                assert_eq!(
                    (entries, self.json.blocks[block].integer.map(|one| one.0.into())),
                    (1_000, Some(integer))
                );
            } else {
                panic!("an unknown statement: {line}");
            }
        }
        let sources = graph.edges().filter(|(from, to)| alive.contains(from) && *to == block);
        let sources: Blocks = sources.map(|edge| edge.0).filter(|_| alive.contains(&block)).collect();
        assert_eq!(listed, sources.len(), "the sources of {block}");
        assert!(
            is_sum_explained || near(sum, self.runs(block)),
            "{block}: {sum} is not {}",
            self.runs(block)
        );
        // Every loop around the block has a product, up to the first loop that the block does not head.
        assert_eq!(headed, loops.iter().filter(|nested| nested.headers.contains(&block)).count(), "{block}");
        let is_in_loop = self.json.blocks[block].innermost.is_some();
        assert!((products > 0) == is_in_loop, "block {block} has no product");
    }

    /// Checks the reason why the frequencies of the edges do not add up to the frequency of the block.
    fn check_difference(&self, block: usize, sum: f64, why: &str, loops: &[NamedLoop]) {
        let is_infinite =
            |nested: &NamedLoop| nested.is_closed(&self.graph) || near(nested.scale, 1.0 / LEAVING_INFINITE);
        let infinite = || loops.iter().any(|nested| nested.headers.contains(&block) && is_infinite(nested));
        if let Some([name]) = scan("LLVM approximates the flow in {}", why) {
            let nested = loops.iter().find(|nested| nested.name == name).expect("the loop exists");
            let leads_here = nested.blocks.iter().any(|&source| self.graph.0[source].contains(&block));
            assert!(
                nested.is_irreducible() && (nested.blocks.contains(&block) || leads_here),
                "{block}: {why}"
            );
        } else if why == "the difference is a rounding error" {
            let most = (0..self.graph.0.len()).map(|block| self.runs(block)).fold(0.0, f64::max);
            assert!((sum - self.runs(block)).abs() < most * 1e-7, "{block}: {sum}: {why}");
        } else {
            let lost = "1/4096 of the flow that returns to the infinite loop is lost";
            let assumed = "LLVM replaces the sum by its assumption about infinite loops";
            let expected = match self.printed.profile.method() {
                FrequencyMethod::Exact => lost,
                FrequencyMethod::Llvm => assumed,
            };
            assert!(why == expected && infinite(), "{block}: {why}");
        }
    }
}

/// The inverse of the number of iterations that LLVM assumes if the probability of leaving a loop rounds to 0.
const LEAVING_INFINITE: f64 = 1.0 / 4096.0;

/// The kind of loop, the probability of leaving unless the loop is infinite, and the number of iterations.
fn iterations(line: &str) -> Option<(&str, Option<f64>, f64)> {
    let [kind, rest] = scan("{}: {} iterations per entry.", line)?;
    let rest = rest.strip_prefix("each run of a block or inner loop is an iteration; ").unwrap_or(rest);
    if let Some([leaving, scale]) = scan("probability {} of leaving the loop, which makes {}", rest) {
        return Some((kind, Some(number(leaving)), number(scale)));
    }
    if let Some([scale]) = scan("LLVM rounds the probability of leaving the loop to 0; LLVM assumes {}", rest)
    {
        return Some((kind, Some(LEAVING_INFINITE), number(scale)));
    }
    let scale = scan("no edge leaves the loop; LLVM assumes {}", rest).or_else(|| {
        scan("no edge leaves the loop; 1/4096 of the returning flow is lost, which makes {}", rest)
    });
    let [scale] = scale?;
    Some((kind, None, number(scale)))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn explanations_state_facts(
        picture in pictures(),
        exact in proptest::bool::weighted(0.2),
        weights in vec(option::weighted(0.1, 0..100u64), 17),
    ) {
        let method = if exact { FrequencyMethod::Exact } else { FrequencyMethod::Llvm };
        for version in ["16", "22", "24"] {
            let explained = Explained::new(&picture, version, method, &weights);
            explained.check_frequencies();
        }
    }
}
