//! Calls from outside the module.

use cranelift_entity::{EntityRef, PrimaryMap};

use super::graph::CallNode;
use super::module::{FunctionAttributes, ModuleFacts, ModuleFunction};
use super::pointers::Pools;
use crate::bfi::Scaled;
use crate::cfg::table;
use bpa_schema::Start;

/// The estimated number of calls of `function` from outside the module. `start` is the reason for these calls, or
/// `None` if there are no such calls.
pub(super) fn count(start: Option<Start>, function: &ModuleFunction) -> Scaled {
    match start {
        None => Scaled::ZERO,
        Some(Start::Main | Start::Once | Start::Visible) => Scaled::ONE,
        Some(Start::VisibleCold) => Scaled::new(1, -5),
        Some(Start::VisibleHot) => Scaled::new(1, 5),
        Some(Start::CalledBack) => Scaled::ONE / Scaled::new(function.alternatives.into(), 0),
    }
}

/// For each function of `module`: the reason why code outside the module calls this function. `None` if no code outside
/// the module calls the function.
///
/// If a module defines `main`, libraries outside the program can still call functions of the program through pointers.
/// Rust's library calls the `main` of the source code in this way. A function is called back if its address is taken,
/// and if neither a call of the program nor another such function reaches it.
pub(super) fn starts(module: &ModuleFacts, pools: &Pools) -> PrimaryMap<CallNode, Option<Start>> {
    let is_main = |function: &ModuleFunction| function.body.is_some() && function.name == b"main";
    let has_main = module.functions.values().any(is_main);
    let own = module.functions.values().map(|function| match function.attributes {
        _ if function.body.is_none() => None,
        _ if is_main(function) => Some(Start::Main),
        attributes if attributes.has(FunctionAttributes::RUNS_ONCE) => Some(Start::Once),
        attributes if has_main || !attributes.has(FunctionAttributes::VISIBLE) => None,
        attributes if attributes.has(FunctionAttributes::COLD) => Some(Start::VisibleCold),
        attributes if attributes.has(FunctionAttributes::HOT) => Some(Start::VisibleHot),
        _ => Some(Start::Visible),
    });
    let mut starts: PrimaryMap<CallNode, Option<Start>> = own.collect();
    if has_main {
        for node in called_back(module, pools, &starts) {
            starts[node] = Some(Start::CalledBack);
        }
    }
    starts
}

/// The functions that only libraries call: no call that begins at `starts` reaches them, and no call that begins at
/// another result reaches them.
fn called_back(
    module: &ModuleFacts,
    pools: &Pools,
    starts: &PrimaryMap<CallNode, Option<Start>>,
) -> Vec<CallNode> {
    let mut is_reached = table(module.functions.len() + pools.pools.len(), false);
    for (root, _) in starts.iter().filter(|(_, start)| start.is_some()) {
        reach(root, module, pools, &mut is_reached);
    }
    let is_taken = |function: &ModuleFunction| function.is_address_taken() && function.body.is_some();
    let taken = module.functions.iter().filter(|(_, function)| is_taken(function)).map(|(node, _)| node);
    let mut reached_now = is_reached.clone();
    let mut found: Vec<CallNode> =
        taken.filter(|&node| reach(node, module, pools, &mut reached_now)).collect();
    // An earlier item does not reach a later item. The opposite direction is tested with the reversed list.
    found.reverse();
    found.retain(|&node| reach(node, module, pools, &mut is_reached));
    found
}

/// Adds `from` and the functions that its calls reach to `is_reached`. Returns false if `from` was reached before.
fn reach(
    from: CallNode,
    module: &ModuleFacts,
    pools: &Pools,
    is_reached: &mut PrimaryMap<CallNode, bool>,
) -> bool {
    let is_new = !is_reached[from];
    let mut work = vec![from];
    while let Some(node) = work.pop() {
        if std::mem::replace(&mut is_reached[node], true) {
            continue;
        }
        match module.functions.get(node) {
            Some(function) => {
                let sites = function.body.iter().flat_map(|body| &body.calls);
                work.extend(sites.map(|site| pools.callee(site.target)));
            }
            None => work.extend(&pools.pools[node.index() - module.functions.len()].functions),
        }
    }
    is_new
}

#[cfg(test)]
mod tests {
    use super::super::module::{Body, CallSite, Target};
    use super::super::Estimate;
    use super::*;
    use crate::cfg::{Block, Graph};

    /// A function with one block that calls `callees`.
    fn function(name: &str, alternatives: u32, callees: &[usize]) -> ModuleFunction {
        let block = Block::new(0);
        let site = |&callee: &usize| CallSite { block, target: Target::Function(CallNode::new(callee)) };
        let body = Body {
            graph: Graph::from_successor_lists([None::<Block>]).expect("one block"),
            frequencies: table(1, Scaled::ONE),
            returns: table(1, true),
            calls: callees.iter().map(site).collect(),
            ..Body::default()
        };
        ModuleFunction { name: name.into(), alternatives, body: Some(body), ..Default::default() }
    }

    /// A closure has two entries in its virtual table. Each entry calls the function `body`, whose address is also
    /// taken.
    #[test]
    fn only_unreached_functions_are_called_back() {
        let estimate = |main: &str| {
            let functions = [
                function(main, 0, &[1]),
                function("reached", 1, &[]),
                function("call_once", 2, &[4]),
                function("call_mut", 2, &[4]),
                function("body", 1, &[]),
            ];
            Estimate::of(ModuleFacts { functions: functions.into_iter().collect() })
        };
        let calls = |estimate: &Estimate| -> Vec<String> {
            estimate.defined().map(|node| format!("{:.5}", estimate.calls(node))).collect()
        };
        let program = estimate("main");
        let starts: Vec<_> = program.defined().map(|node| program.start(node)).collect();
        let back = Some(Start::CalledBack);
        assert_eq!(starts, [Some(Start::Main), None, back, back, None]);
        assert_eq!(calls(&program), ["1.0", "1.0", "0.5", "0.5", "1.0"]);
        assert_eq!(calls(&estimate("other")), ["0.0"; 5]);
    }
}
