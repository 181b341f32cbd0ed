//! A function as JSON has it, and its equations.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use serde_json::Value;

/// A function, as far as the equations of flow speak of it.
pub struct Function {
    pub name: String,
    /// Edges of each block: target and weight, which is never 0.
    pub edges: Vec<Vec<(usize, u64)>>,
    /// What was printed for each block.
    pub printed: Vec<Printed>,
    /// The blocks that the entry reaches.
    pub reached: BTreeSet<usize>,
    /// For each edge of each block the weight of what goes along it, 4096 times as much as in `edges`, or 4095 times
    /// where a region that is never left is come back to.
    pub flow: Vec<Vec<(usize, u64)>>,
}

/// `digits` x 2^`exponent`.
#[derive(Clone, Copy)]
pub struct Printed {
    pub digits: u64,
    pub exponent: i64,
}

impl Printed {
    pub fn is_zero(self) -> bool {
        self.digits == 0
    }
}

impl Function {
    /// Reads a line of JSON.
    pub fn read(line: &str) -> Self {
        let value: Value = serde_json::from_str(line).expect("JSON");
        let blocks = value["blocks"].as_array().expect("blocks");
        let mut edges = vec![Vec::new(); blocks.len()];
        let place = |value: &Value| value.as_u64().expect("a place") as usize;
        for edge in value["edges"].as_array().expect("edges") {
            let weight = edge["numerator"].as_u64().expect("a numerator").max(1);
            edges[place(&edge["from"])].push((place(&edge["to"]), weight));
        }
        let name = value["function"].as_str().expect("a name");
        let reached = reached(&edges, 0, None);
        let flow = flow(&edges, &reached);
        Function {
            name: name
                .chars()
                .map(|c| {
                    if c.is_ascii_alphanumeric() || "._".contains(c) {
                        c.to_string()
                    } else {
                        format!("%{:x}", c as u32)
                    }
                })
                .collect(),
            edges,
            printed: blocks.iter().map(|block| printed(&block["frequency"])).collect(),
            reached,
            flow,
        }
    }

    /// The binary logarithm of how far the printed frequency of `block` is from the fraction, relative to that.
    pub fn log2_error(&self, block: usize, numerator: &BigInt, denominator: &BigInt) -> f64 {
        let Printed { digits, exponent } = self.printed[block];
        let (up, down) = (exponent.max(0) as u32, (-exponent).max(0) as u32);
        let (printed, exact) = ((BigInt::from(digits) * denominator) << up, numerator << down);
        log2(&(printed - &exact)) - log2(&exact)
    }
}

/// The binary logarithm of a number without its sign.
pub fn log2(number: &BigInt) -> f64 {
    let magnitude = number.magnitude();
    let down = magnitude.bits().saturating_sub(60);
    let leading: u64 = (magnitude >> down).try_into().expect("60 bits");
    (leading as f64).log2() + down as f64
}

fn printed(value: &Value) -> Printed {
    let digits = value["digits"].as_str().and_then(|digits| digits.parse().ok()).expect("digits");
    Printed { digits, exponent: value["exponent"].as_i64().expect("an exponent") }
}

/// What `start` reaches without passing `avoided`.
fn reached(edges: &[Vec<(usize, u64)>], start: usize, avoided: Option<usize>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut pending = vec![start];
    while let Some(block) = pending.pop() {
        if Some(block) != avoided && found.insert(block) {
            pending.extend(edges[block].iter().map(|edge| edge.0));
        }
    }
    found
}

/// The weights with what ends in regions that are never left.
///
/// Such a region is what a block reaches, if all of that reaches the block. One part in 4096 of what comes back to a
/// block that it is entered by ends there, but for what comes round a natural loop that is only part of the region.
fn flow(edges: &[Vec<(usize, u64)>], alive: &BTreeSet<usize>) -> Vec<Vec<(usize, u64)>> {
    let mut flow: Vec<Vec<(usize, u64)>> = edges.to_vec();
    flow.iter_mut().flatten().for_each(|edge| edge.1 *= 4096);
    for region in endless_regions(edges, alive) {
        let outside = |block: usize| !region.contains(&block);
        let enters = |target: usize| {
            let into = |&source: &usize| edges[source].iter().any(|edge| edge.0 == target);
            target == 0 || alive.iter().copied().filter(|&source| outside(source)).any(|source| into(&source))
        };
        for target in region.iter().copied().filter(|&target| enters(target)) {
            let around = natural_loop(edges, alive, target);
            let is_inside = around.len() < region.len();
            for &source in &region {
                if is_inside && around.contains(&source) {
                    continue;
                }
                flow[source]
                    .iter_mut()
                    .filter(|edge| edge.0 == target)
                    .for_each(|edge| edge.1 = edge.1 / 4096 * 4095);
            }
        }
    }
    flow
}

/// The natural loop of `header`: what leads to an edge back to it, from a block that it dominates, without passing it.
fn natural_loop(edges: &[Vec<(usize, u64)>], alive: &BTreeSet<usize>, header: usize) -> BTreeSet<usize> {
    let around = reached(edges, 0, Some(header));
    let latches: Vec<usize> = alive
        .iter()
        .copied()
        .filter(|block| !around.contains(block) && edges[*block].iter().any(|edge| edge.0 == header))
        .collect();
    if latches.is_empty() {
        return BTreeSet::new();
    }
    let mut sources: Vec<Vec<usize>> = vec![Vec::new(); edges.len()];
    for &block in alive {
        edges[block].iter().for_each(|edge| sources[edge.0].push(block));
    }
    let mut body = BTreeSet::from([header]);
    let mut pending = latches;
    while let Some(block) = pending.pop() {
        if body.insert(block) {
            pending.extend(&sources[block]);
        }
    }
    body
}

/// The sets of blocks that reach each other and nothing else, and are no ends.
fn endless_regions(edges: &[Vec<(usize, u64)>], alive: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
    // Whatever leads to an end is in none.
    let mut leaves: Vec<bool> = (0..edges.len()).map(|block| edges[block].is_empty()).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for &block in alive.iter().rev() {
            if !leaves[block] && edges[block].iter().any(|edge| leaves[edge.0]) {
                leaves[block] = true;
                changed = true;
            }
        }
    }
    let mut regions: Vec<BTreeSet<usize>> = Vec::new();
    let mut decided: BTreeSet<usize> = BTreeSet::new();
    for &block in alive.iter().filter(|&&block| !leaves[block]) {
        if decided.contains(&block) {
            continue;
        }
        let region = reached(edges, block, None);
        if region.iter().all(|&other| reached(edges, other, None).len() == region.len()) {
            decided.extend(&region);
            regions.push(region);
        } else {
            decided.insert(block);
        }
    }
    regions
}
