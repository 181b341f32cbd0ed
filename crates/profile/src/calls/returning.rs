//! Finds functions that never return and that have no attribute `noreturn`, for example wrappers around `exit`.

use cranelift_entity::{EntityRef, PrimaryMap};

use super::graph::{CallNode, Rows};
use super::module::{Body, FunctionAttributes, ModuleFacts, Target};
use crate::cfg::unstable::refill_first;
use crate::cfg::Block;

/// For each function, whether it never returns. A function never returns if it has the attribute `noreturn`, or if no
/// path returns. A path that does not return ends in a call to a function that never returns, in `unreachable`, or in
/// an infinite loop.
pub(super) fn never_return(module: &ModuleFacts) -> PrimaryMap<CallNode, bool> {
    let functions = &module.functions;
    let has_attribute =
        |function: &super::ModuleFunction| function.attributes.has(FunctionAttributes::NEVER_RETURNS);
    let mut never: PrimaryMap<CallNode, bool> = functions.values().map(has_attribute).collect();
    // Most modules have no function that only the search finds. The callers are then not needed.
    let mut callers = None;
    let mut search = Search::default();
    let mut work: Vec<CallNode> = functions.keys().rev().collect();
    while let Some(node) = work.pop() {
        let Some(body) = functions[node].body.as_ref().filter(|_| !never[node]) else { continue };
        if !search.returns(body, &never) {
            never[node] = true;
            work.extend(callers.get_or_insert_with(|| callers_of_all(module)).row(node));
        }
    }
    never
}

/// The callers of each function, by direct calls except invokes.
fn callers_of_all(module: &ModuleFacts) -> Rows<CallNode> {
    let nodes = (0..).map(CallNode::from_u32);
    let calls = nodes.zip(module.functions.values()).flat_map(|(caller, function)| {
        let sites = function.body.iter().flat_map(|body| &body.calls);
        sites.filter_map(move |site| match site.target {
            Target::Function(callee) => Some((callee, caller)),
            _ => None,
        })
    });
    Rows::new(module.functions.len(), calls)
}

/// The memory for the search for a return. The next function reuses the memory.
#[derive(Default)]
struct Search {
    seen: PrimaryMap<Block, bool>,
    work: Vec<Block>,
}

impl Search {
    /// Whether there is a path from the entry to a return.
    fn returns(&mut self, body: &Body, never: &PrimaryMap<CallNode, bool>) -> bool {
        let Search { seen, work } = self;
        refill_first(seen, body.graph.block_count(), false);
        for site in &body.calls {
            // The code after a call to a function that never returns is unreachable.
            seen[site.block] |= matches!(site.target, Target::Function(callee) if never[callee]);
        }
        work.clear();
        work.push(Block::new(0));
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
}
