//! Tests of the features of functions, on generated modules. The tests compute the features about chains of calls again
//! from their definitions.

use cranelift_entity::EntityRef;
use proptest::collection::vec;
use proptest::prelude::*;

use super::functions::log2;
use super::*;
use bpa_profile::bfi::Scaled;
use bpa_profile::calls::{
    Body, CallNode, CallSite, Estimate, FunctionAttributes, Linkage, ModuleFacts, ModuleFunction, Signature,
    Target,
};
use bpa_profile::cfg::{Block, Graph};

/// A call site: its target, its loop depth, and the logarithm of its frequency.
type Site = (usize, u32, i16);

/// A function with one block per call site.
#[derive(Clone, Debug)]
struct Spec {
    is_visible: bool,
    is_behind_pointer: bool,
    sites: Vec<Site>,
}

fn module(specs: &[Spec]) -> ModuleFacts {
    let function = |(number, spec): (usize, &Spec)| {
        let count = spec.sites.len() + 1;
        let next = (0..count).map(|block| (block + 1 < count).then(|| Block::new(block + 1)));
        let site = |(place, &(target, ..)): (usize, &Site)| CallSite {
            block: Block::new(place),
            target: match target {
                // The first number that is not a function is a pointer, and the next one is a callback of function 0.
                target if target == specs.len() => Target::Pointer(Signature::default()),
                target if target > specs.len() => {
                    Target::Callback { function: CallNode::new(0), times: 100, receiver: None }
                }
                target => Target::Function(CallNode::new(target)),
            },
        };
        ModuleFunction {
            name: format!("f{number}").into_bytes(),
            attributes: if spec.is_visible {
                FunctionAttributes::VISIBLE
            } else {
                FunctionAttributes::default()
            },
            // All functions have one type, so that one pointer can call them. The number of parameters is a feature.
            signature: Signature { number: 0, parameters: number as u32 },
            alternatives: spec.is_behind_pointer.into(),
            linkage: Linkage::default(),
            body: Some(Body {
                graph: Graph::from_successor_lists(next).expect("valid successors"),
                frequencies: spec
                    .sites
                    .iter()
                    .map(|site| Scaled::new(1, site.2))
                    .chain([Scaled::ONE])
                    .collect(),
                depths: spec.sites.iter().map(|site| site.1).chain([0]).collect(),
                sizes: vec![1; count].into_iter().collect(),
                returns: (0..count).map(|block| block + 1 == count).collect(),
                calls: spec.sites.iter().enumerate().map(site).collect(),
                ..Body::default()
            }),
        }
    };
    ModuleFacts { functions: specs.iter().enumerate().map(function).collect() }
}

fn specs() -> impl Strategy<Value = Vec<Spec>> {
    (1..12_usize).prop_flat_map(|count| {
        let site = (0..count + 2, 0..5_u32, -8..8_i16);
        let spec = (any::<bool>(), any::<bool>(), vec(site, 0..4))
            .prop_map(|(is_visible, is_behind_pointer, sites)| Spec { is_visible, is_behind_pointer, sites });
        vec(spec, count)
    })
}

fn column(rows: &[[i32; FUNCTION_COUNT]], name: &str) -> Vec<i32> {
    let place = FUNCTION_NAMES.iter().position(|known| *known == name).expect("a feature");
    rows.iter().map(|row| row[place]).collect()
}

/// The direct callee of a site, and whether the callee is called repeatedly.
fn direct(specs: &[Spec], target: usize) -> Option<(usize, u32)> {
    match target {
        target if target == specs.len() => None,
        target if target > specs.len() => Some((0, 1)),
        target => Some((target, 0)),
    }
}

/// Checks the features about paths and chains. Definitions: a function can reach another function if direct calls lead
/// to it. Two functions that can reach each other have the same chains. A chain adds call sites until no site adds
/// more.
fn check(specs: &[Spec]) {
    let rows = function_features(&Estimate::of(module(specs)));
    let count = specs.len();
    let mut reaches = vec![vec![false; count]; count];
    for (caller, spec) in specs.iter().enumerate() {
        reaches[caller][caller] = true;
        spec.sites
            .iter()
            .filter_map(|site| direct(specs, site.0))
            .for_each(|(to, _)| reaches[caller][to] = true);
    }
    for middle in 0..count {
        for from in 0..count {
            for to in 0..count {
                reaches[from][to] |= reaches[from][middle] && reaches[middle][to];
            }
        }
    }
    let mut nesting: Vec<i32> = specs.iter().map(|spec| spec.is_behind_pointer.into()).collect();
    let start = |spec: &Spec| match (spec.is_visible, spec.is_behind_pointer) {
        (true, _) => 0,
        (false, true) => -8,
        (false, false) => -1023,
    };
    let mut chain: Vec<i32> = specs.iter().map(start).collect();
    let mut distance: Vec<i32> =
        specs.iter().map(|spec| if spec.is_visible { 0 } else { MOST as i32 }).collect();
    for _ in 0..=2 * count {
        for (caller, spec) in specs.iter().enumerate() {
            for &(target, depth, frequency) in &spec.sites {
                let pointers = specs.iter().enumerate().filter(|(_, spec)| spec.is_behind_pointer);
                let Some((callee, more)) = direct(specs, target) else {
                    for (callee, _) in pointers {
                        distance[callee] = distance[callee].min(distance[caller] + 2);
                    }
                    continue;
                };
                distance[callee] = distance[callee].min(distance[caller] + 1);
                if !reaches[callee][caller] {
                    nesting[callee] = nesting[callee].max(nesting[caller] + (depth + more).min(3) as i32);
                    chain[callee] = chain[callee].max((chain[caller] + i32::from(frequency) * 4).max(-1023));
                }
            }
            for other in 0..count {
                if reaches[caller][other] && reaches[other][caller] {
                    nesting[other] = nesting[other].max(nesting[caller]);
                    chain[other] = chain[other].max(chain[caller]);
                }
            }
        }
    }
    assert_eq!(column(&rows, "distance"), distance);
    assert_eq!(column(&rows, "nesting"), nesting);
    assert_eq!(column(&rows, "chain"), chain);
    let sites = |callee: usize| -> Vec<&Site> {
        let all = specs.iter().flat_map(|spec| &spec.sites);
        all.filter(|site| direct(specs, site.0).is_some_and(|(to, _)| to == callee)).collect()
    };
    let of_sites = |value: &dyn Fn(&[&Site]) -> i32| -> Vec<i32> {
        (0..count).map(|callee| value(&sites(callee))).collect()
    };
    assert_eq!(column(&rows, "sites"), of_sites(&|sites| sites.len() as i32));
    assert_eq!(
        column(&rows, "loop_sites"),
        of_sites(&|sites| sites.iter().filter(|site| site.1 > 0).count() as i32)
    );
    let greatest = |sites: &[&Site]| sites.iter().map(|site| 8 * i32::from(site.2)).max().unwrap_or(-1023);
    assert_eq!(column(&rows, "greatest_site"), of_sites(&greatest));
    let values = column(&rows, "sites");
    let rank = |value: &i32| {
        let less = values.iter().filter(|other| *other < value).count();
        let equal = values.iter().filter(|other| *other == value).count();
        ((2 * less + equal) * 128 / count).min(255) as i32
    };
    assert_eq!(column(&rows, "sites_rank"), values.iter().map(rank).collect::<Vec<i32>>());
    assert_eq!(column(&rows, "parameters"), (0..count as i32).collect::<Vec<i32>>());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 2 } else { 2_000 }, ..ProptestConfig::default() })]

    #[test]
    fn features_have_their_definition(specs in specs()) {
        check(&specs);
    }

    #[test]
    #[allow(clippy::disallowed_types, reason = "the logarithm is defined in floating point")]
    fn logarithms_are_rounded_down(digits in 1..u64::MAX, exponent in -100..60_i16) {
        let exact = 8.0 * ((digits as f64).log2() + f64::from(exponent));
        let found = f64::from(log2(Scaled::new(digits, exponent)));
        prop_assert!(found <= exact + 1e-9 && exact - 1.0 - 1e-9 < found, "{found} and {exact}");
    }
}

/// The stack depth must not depend on the length of call chains, and the time must be linear.
#[test]
fn long_chains_of_calls_do_not_overflow_the_stack() {
    let count = if cfg!(miri) { 50 } else { 100_000 };
    let next = |number: usize, last: usize| Spec {
        is_visible: number == 0,
        is_behind_pointer: false,
        sites: vec![(if number + 1 < count { number + 1 } else { last }, 1, 1)],
    };
    let chain: Vec<Spec> = (0..count).map(|number| next(number, count - 1)).collect();
    let rows = function_features(&Estimate::of(module(&chain)));
    assert_eq!(column(&rows, "nesting")[10..12], [10, 11]);
    assert_eq!(column(&rows, "distance")[count - 1], (count - 1).min(1023) as i32);
    let ring: Vec<Spec> = (0..count).map(|number| next(number, 0)).collect();
    let rows = function_features(&Estimate::of(module(&ring)));
    assert_eq!(column(&rows, "nesting"), vec![0; count]);
}
