//! Computes the features of functions, from which a model estimates how often each function is called.
//!
//! Most features describe the call sites of a function, its position in the call graph, or its size. Features about
//! numbers of executions come from the solution of the [call equations](bpa_profile::calls).

use cranelift_entity::PrimaryMap;

use super::columns::{capped, collected, columns, FUNCTION_COUNT};
use super::MOST;
use bpa_profile::bfi::Scaled;
use bpa_profile::calls::{Body, CallNode, CallSite, Estimate, FunctionAttributes, ModuleFunction, Target};
use bpa_profile::cfg::table;
use bpa_profile::cfg::unstable::SccFinder;

/// The names of the features of a function, in order. docs/src/reference/features.md describes them.
pub const FUNCTION_NAMES: [&str; FUNCTION_COUNT] = FUNCTION_COLUMNS;

columns! {
    /// The features of a function. `from` describes its direct call sites.
    FUNCTION_COLUMNS: fn values(
        graph: &Graph<'_>, node: CallNode, body: &Body, own: &Own, from: &CallSites
    ) -> [i32; FUNCTION_COUNT];

    // The solution of the call equations.
    "calls" => own.calls,
    "calls_rank" => own.calls_rank,
    "time" => own.time,
    "time_rank" => own.time_rank,
    // The body of the function.
    "instructions" => own.instructions,
    "instructions_rank" => own.instructions_rank,
    "size" => own.size,
    "blocks" => capped(body.graph.block_count()),
    "depth" => body.depths.values().max().map_or(0, |&depth| capped(depth)),
    "greatest_frequency" => body.frequencies.values().max().map_or(NOTHING, |&frequency| log2(frequency)),
    "call_sites" => capped(body.calls.len()),
    "external_calls" => own.external_calls,
    "callee_instructions" => own.callee_instructions,
    "parameters" => capped(graph.function(node).signature.parameters),
    "is_visible" => graph.function(node).attributes.has(FunctionAttributes::VISIBLE).into(),
    // The call sites that call the function.
    "sites" => capped(from.sites),
    "sites_rank" => own.sites_rank,
    "loop_sites" => capped(from.in_loops),
    "greatest_site" => from.greatest.unwrap_or(NOTHING),
    "least_site" => from.least.unwrap_or(NOTHING),
    "pointer_sites" => capped(own.pointer_sites),
    // The direct callers of the function.
    "caller_instructions" => from.caller_instructions.unwrap_or(NOTHING),
    "caller_calls" => from.caller_calls.unwrap_or(NOTHING),
    "caller_sites" => from.caller_sites.unwrap_or(-1),
    "least_call_sites" => from.least_call_sites.unwrap_or(-1),
    // The position in the call graph.
    "distance" => capped(graph.distances[node]),
    "nesting" => capped(graph.chains[node].nesting),
    "chain" => graph.chains[node].greatest,
    "chain_rank" => own.chain_rank,
}

/// The value of a feature that is the logarithm of 0, or of a number that does not exist.
const NOTHING: i32 = -(MOST as i32);
/// Each call site adds at most this number of loops to the feature `nesting`.
const MOST_NESTED: u32 = 3;

/// Features that are computed before the row of a function.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Own {
    calls: i32,
    time: i32,
    instructions: i32,
    size: i32,
    external_calls: i32,
    callee_instructions: i32,
    pointer_sites: u32,
    calls_rank: i32,
    time_rank: i32,
    instructions_rank: i32,
    sites_rank: i32,
    chain_rank: i32,
}

/// The direct call sites that call one function, or the calls through pointers of one type.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CallSites {
    sites: u32,
    in_loops: u32,
    /// The logarithms of the greatest and of the least frequency of a call site.
    greatest: Option<i32>,
    least: Option<i32>,
    caller_instructions: Option<i32>,
    caller_calls: Option<i32>,
    /// The greatest number of direct call sites that call the same caller.
    caller_sites: Option<i32>,
    /// The least number of call sites in a caller.
    least_call_sites: Option<i32>,
}

impl CallSites {
    fn add(&mut self, body: &Body, site: &CallSite) {
        let frequency = log2(body.frequencies[site.block]);
        self.sites += 1;
        self.in_loops += u32::from(body.depths[site.block] > 0);
        self.greatest = self.greatest.max(Some(frequency));
        self.least = least(self.least, frequency);
    }

    /// Adds a caller. `sites` is the number of direct call sites that call this caller.
    fn add_caller(&mut self, body: &Body, caller: &Own, sites: u32) {
        self.caller_instructions = self.caller_instructions.max(Some(caller.instructions));
        self.caller_calls = self.caller_calls.max(Some(caller.calls));
        self.caller_sites = self.caller_sites.max(Some(capped(sites)));
        self.least_call_sites = least(self.least_call_sites, capped(body.calls.len()));
    }
}

fn least(known: Option<i32>, other: i32) -> Option<i32> {
    Some(known.map_or(other, |known| known.min(other)))
}

/// The chains of direct calls that lead to a function. Calls among functions that call each other are ignored.
#[derive(Clone, Copy, Debug)]
struct Chain {
    /// The greatest number of loops around the call sites of a chain.
    nesting: u32,
    /// An estimate of a chain's calls is the product of the square roots of the frequencies of its call sites. This
    /// number is the logarithm of the greatest estimate.
    greatest: i32,
}

impl Chain {
    fn or(self, other: Chain) -> Chain {
        Chain { nesting: self.nesting.max(other.nesting), greatest: self.greatest.max(other.greatest) }
    }

    /// The chain that continues at a call site.
    fn through(self, body: &Body, site: &CallSite) -> Chain {
        let is_repeated = matches!(site.target, Target::Callback { times: 2.., .. });
        let loops = body.depths[site.block] + u32::from(is_repeated);
        Chain {
            nesting: self.nesting + loops.min(MOST_NESTED),
            greatest: (self.greatest + log2(body.frequencies[site.block]) / 2).max(NOTHING),
        }
    }
}

/// The call graph, and the position of each function in the graph.
pub(super) struct Graph<'a> {
    estimate: &'a Estimate,
    /// The direct call sites of each function, and the call sites of each node that represents calls through pointers.
    from: PrimaryMap<CallNode, CallSites>,
    /// The number of edges on the shortest path in the call graph from a function that is called from outside the
    /// module. A call through a pointer has two edges.
    distances: PrimaryMap<CallNode, u32>,
    chains: PrimaryMap<CallNode, Chain>,
    /// The number of instructions that each call of a function executes, not counting instructions of its callees.
    instructions: PrimaryMap<CallNode, Scaled>,
}

/// Computes the features of each defined function of the module, in the order of [`Estimate::defined`]. The features do
/// not depend on [learned](Estimate::with_learned) numbers.
pub fn function_features(estimate: &Estimate) -> Vec<[i32; FUNCTION_COUNT]> {
    let mut graph = Graph::of(estimate);
    let mut own: PrimaryMap<CallNode, Own> = table(estimate.module().functions.len(), Own::default());
    for (node, body) in bodies(estimate) {
        own[node] = graph.own(node, body);
    }
    for (pointer, functions) in estimate.pointers() {
        functions.iter().for_each(|&function| own[function].pointer_sites += graph.from[pointer].sites);
    }
    for (caller, body) in bodies(estimate) {
        let sites = graph.from[caller].sites;
        for callee in body.calls.iter().filter_map(|site| direct(estimate, site)) {
            graph.from[callee].add_caller(body, &own[caller], sites);
        }
    }
    add_ranks(&graph, &mut own);
    let row = |(node, body)| collected(|put| values(&graph, node, body, &own[node], &graph.from[node], put));
    bodies(estimate).map(row).collect()
}

/// The defined functions with their bodies, in the order of the module.
fn bodies(estimate: &Estimate) -> impl Iterator<Item = (CallNode, &Body)> {
    estimate.module().functions.iter().filter_map(|(node, function)| Some((node, function.body.as_ref()?)))
}

/// The callee of a direct call or of a callback, if the callee is defined in the module.
fn direct(estimate: &Estimate, site: &CallSite) -> Option<CallNode> {
    // The nodes of functions come first, so a node that represents calls through pointers is not in the table.
    let callee = estimate.callee(site);
    let function = estimate.module().functions.get(callee)?;
    function.body.is_some().then_some(callee)
}

/// Computes the percentile of each function for five features.
fn add_ranks(graph: &Graph<'_>, own: &mut PrimaryMap<CallNode, Own>) {
    let nodes: Vec<CallNode> = graph.estimate.defined().collect();
    let rank = |value: &dyn Fn(CallNode) -> i32| ranks(nodes.iter().map(|&node| value(node)).collect());
    let of_calls = rank(&|node| own[node].calls);
    let of_time = rank(&|node| own[node].time);
    let of_instructions = rank(&|node| own[node].instructions);
    let of_sites = rank(&|node| capped(graph.from[node].sites));
    let of_chain = rank(&|node| graph.chains[node].greatest);
    for (place, &node) in nodes.iter().enumerate() {
        let own = &mut own[node];
        own.calls_rank = of_calls[place];
        own.time_rank = of_time[place];
        own.instructions_rank = of_instructions[place];
        own.sites_rank = of_sites[place];
        own.chain_rank = of_chain[place];
    }
}

/// For each value, the share of values that are less than this value, from 0 to 255. Equal values count half.
fn ranks(values: Vec<i32>) -> Vec<i32> {
    let mut sorted = values.clone();
    sorted.sort_unstable();
    let rank = |value: &i32| {
        let less = sorted.partition_point(|other| other < value);
        let at_most = sorted.partition_point(|other| other <= value);
        ((less + at_most) * 128 / sorted.len()).min(255) as i32
    };
    values.iter().map(rank).collect()
}

impl<'a> Graph<'a> {
    fn of(estimate: &'a Estimate) -> Self {
        let mut from = table(estimate.counts().node_count(), CallSites::default());
        for (_, body) in bodies(estimate) {
            body.calls.iter().for_each(|site| from[estimate.callee(site)].add(body, site));
        }
        Graph {
            estimate,
            from,
            distances: distances(estimate),
            chains: chains(estimate),
            instructions: estimate.module().functions.values().map(ModuleFunction::time).collect(),
        }
    }

    fn function(&self, node: CallNode) -> &ModuleFunction {
        &self.estimate.module().functions[node]
    }

    /// The features of a function that do not depend on the features of other functions.
    fn own(&self, node: CallNode, body: &Body) -> Own {
        let (instructions, calls) = (self.instructions[node], self.estimate.counts().of(node));
        let (mut external, mut below) = (Scaled::ZERO, Scaled::ONE);
        for site in &body.calls {
            let frequency = body.frequencies[site.block];
            match (site.target, direct(self.estimate, site)) {
                (Target::Pointer(_), _) => {}
                (_, None) => external = external + frequency,
                (_, Some(callee)) if callee == node => {}
                (_, Some(callee)) => below = below + self.instructions[callee] * frequency,
            }
        }
        Own {
            calls: log2(calls),
            time: log2(calls * instructions),
            instructions: log2(instructions),
            size: log2(Scaled::new(body.sizes.values().map(|&size| u64::from(size)).sum(), 0)),
            external_calls: log2(external),
            callee_instructions: log2(below),
            ..Own::default()
        }
    }
}

/// The groups of functions that call each other directly, callees first.
fn components(estimate: &Estimate) -> Vec<Vec<CallNode>> {
    let functions = &estimate.module().functions;
    let count = functions.len() as u32;
    // An extra node calls all functions, so one search finds all components.
    let successor = |node: u32, place: usize| match functions.get(CallNode::from_u32(node)) {
        None => (place < functions.len()).then_some(place as u32),
        Some(function) => {
            let site = function.body.as_ref()?.calls.get(place)?;
            // A call that is not direct counts as a call of the function itself. Such a call changes no component.
            Some(direct(estimate, site).map_or(node, |callee| callee.as_u32()))
        }
    };
    let mut components = Vec::new();
    SccFinder::default().run(functions.len() + 1, count, successor, |component| {
        if component != [count] {
            components.push(component.iter().map(|&node| CallNode::from_u32(node)).collect());
        }
    });
    components
}

/// The chains of direct calls to each function. A chain begins at a call from outside the module, or at a call through
/// a pointer.
fn chains(estimate: &Estimate) -> PrimaryMap<CallNode, Chain> {
    let functions = &estimate.module().functions;
    let start = |(node, function): (CallNode, &ModuleFunction)| {
        let is_behind_pointer = function.is_address_taken();
        let greatest = match (estimate.start(node), is_behind_pointer) {
            (Some(_), _) => 0,
            (None, true) => -UNIT,
            (None, false) => NOTHING,
        };
        Chain { nesting: is_behind_pointer.into(), greatest }
    };
    let mut chains: PrimaryMap<CallNode, Chain> = functions.iter().map(start).collect();
    let components = components(estimate);
    let mut component_of: PrimaryMap<CallNode, usize> = table(functions.len(), 0);
    for (number, component) in components.iter().enumerate() {
        component.iter().for_each(|&node| component_of[node] = number);
    }
    for (number, component) in components.iter().enumerate().rev() {
        let whole = component.iter().map(|&node| chains[node]).reduce(Chain::or);
        let whole = whole.expect("a component has a function");
        component.iter().for_each(|&node| chains[node] = whole);
        for body in component.iter().filter_map(|&node| functions[node].body.as_ref()) {
            for site in &body.calls {
                let callee = direct(estimate, site).filter(|&callee| component_of[callee] != number);
                if let Some(callee) = callee {
                    chains[callee] = chains[callee].or(whole.through(body, site));
                }
            }
        }
    }
    chains
}

/// The number of edges on the shortest path to each node.
fn distances(estimate: &Estimate) -> PrimaryMap<CallNode, u32> {
    let mut distances: PrimaryMap<CallNode, u32> = table(estimate.counts().node_count(), u32::MAX);
    let mut queue: Vec<CallNode> =
        estimate.defined().filter(|&node| estimate.start(node).is_some()).collect();
    queue.iter().for_each(|&node| distances[node] = 0);
    let mut next = 0;
    while let Some(&node) = queue.get(next) {
        next += 1;
        let mut visit = |callee: CallNode| {
            if distances[callee] == u32::MAX {
                distances[callee] = distances[node] + 1;
                queue.push(callee);
            }
        };
        match estimate.behind_pointer(node) {
            Some(functions) => functions.iter().for_each(|&function| visit(function)),
            None => {
                let body = estimate.module().functions[node].body.iter();
                body.flat_map(|body| &body.calls).for_each(|site| visit(estimate.callee(site)));
            }
        }
    }
    distances
}

/// Logarithms are in units of 1/8, so this number is the logarithm of 2.
const UNIT: i32 = 8;
/// 2^63 times the eighth roots of 2, to the powers 1 to 7, rounded down.
const ROOTS: [u64; 7] = [
    0x8B95C1E3EA8BD6E6,
    0x9837F0518DB8A96F,
    0xA5FED6A9B15138EA,
    0xB504F333F9DE6484,
    0xC5672A115506DADD,
    0xD744FCCAD69D6AF4,
    0xEAC0C6E7DD24392E,
];

/// The binary logarithm in units of 1/8, rounded down. The logarithm of 0 is [`NOTHING`].
pub(super) fn log2(number: Scaled) -> i32 {
    let Some(floor) = number.log2_floor() else { return NOTHING };
    let eighths = ROOTS.partition_point(|&root| root <= number.normalized()) as i32;
    (UNIT * floor + eighths).clamp(NOTHING, MOST as i32)
}
