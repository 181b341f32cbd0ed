//! Finds functions that never return and that have no attribute `noreturn`, for example wrappers around `exit`.

use cranelift_entity::{EntityRef, PrimaryMap};

use super::graph::CallNode;
use super::module::{Body, FunctionAttributes, ModuleFacts, Target};
use crate::cfg::{table, Block};

/// For each function, whether it never returns. A function never returns if it has the attribute `noreturn`, or if no
/// path returns. A path that does not return ends in a call to a function that never returns, in `unreachable`, or in
/// an infinite loop.
pub(super) fn never_return(module: &ModuleFacts) -> PrimaryMap<CallNode, bool> {
    let functions = &module.functions;
    let has_attribute =
        |function: &super::ModuleFunction| function.attributes.has(FunctionAttributes::NEVER_RETURNS);
    let mut never: PrimaryMap<CallNode, bool> = functions.values().map(has_attribute).collect();
    let callers = callers(module);
    let mut work: Vec<CallNode> = functions.keys().rev().collect();
    while let Some(node) = work.pop() {
        let Some(body) = functions[node].body.as_ref().filter(|_| !never[node]) else { continue };
        if !returns(body, &never) {
            never[node] = true;
            work.extend(&callers[node]);
        }
    }
    never
}

/// The direct callers of each function.
fn callers(module: &ModuleFacts) -> PrimaryMap<CallNode, Vec<CallNode>> {
    let mut callers: PrimaryMap<CallNode, Vec<CallNode>> = table(module.functions.len(), Vec::new());
    for (node, function) in module.functions.iter() {
        for site in function.body.iter().flat_map(|body| &body.calls) {
            if let Target::Function(callee) = site.target {
                callers[callee].push(node);
            }
        }
    }
    callers
}

/// Whether there is a path from the entry to a return.
fn returns(body: &Body, never: &PrimaryMap<CallNode, bool>) -> bool {
    let count = body.graph.block_count();
    let mut seen: PrimaryMap<Block, bool> = table(count, false);
    for site in &body.calls {
        // The code after a call to a function that never returns is unreachable.
        seen[site.block] |= matches!(site.target, Target::Function(callee) if never[callee]);
    }
    let mut work = vec![Block::new(0)];
    while let Some(block) = work.pop() {
        if std::mem::replace(&mut seen[block], true) {
            continue;
        }
        if body.returns[block] {
            return true;
        }
        work.extend(body.graph.successors(block));
    }
    false
}
