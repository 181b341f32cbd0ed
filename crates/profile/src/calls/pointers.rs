//! The possible callees of calls through pointers, and C library functions with a callback as an argument.

use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;

use super::graph::CallNode;
use super::module::{ModuleFacts, Target};

/// The possible callees of calls through pointers of one type. All callees have the same weight.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    /// The node that represents a call through a pointer of this type.
    pub node: CallNode,
    pub functions: Vec<CallNode>,
}

/// The possible callees of all calls through pointers in a module, in one pool per function type.
#[derive(Debug, Default)]
pub(super) struct Pools {
    pub pools: Vec<Pool>,
    of_type: FxHashMap<u32, CallNode>,
    /// Maps a number of parameters to the node of a pool. This map is used for calls whose type differs from the types
    /// of all functions whose address is taken.
    of_similar: FxHashMap<u32, CallNode>,
}

impl Pools {
    /// Finds the functions of `module` whose address is taken, and puts all such functions of one type into one pool.
    /// Each pool is a node of the call graph, after the nodes of the functions.
    pub(crate) fn of(module: &ModuleFacts) -> Self {
        let mut exact: FxHashMap<u32, Vec<CallNode>> = FxHashMap::default();
        let mut similar: FxHashMap<u32, Vec<CallNode>> = FxHashMap::default();
        for (node, function) in module.functions.iter().filter(|(_, function)| function.body.is_some()) {
            if function.is_address_taken() {
                exact.entry(function.signature.number).or_default().push(node);
                similar.entry(function.signature.parameters).or_default().push(node);
            }
        }
        let mut found = Pools::default();
        let bodies = module.functions.values().filter_map(|function| function.body.as_ref());
        for site in bodies.flat_map(|body| &body.calls) {
            let Target::Pointer(signature) = site.target else { continue };
            let Pools { pools, of_type, of_similar } = &mut found;
            // If no function has the exact type, the source code probably casts function pointers. In this case, all
            // functions with the same number of parameters are possible callees.
            let (known, number, functions) = match exact.get(&signature.number) {
                Some(functions) => (of_type, signature.number, Some(functions)),
                None => (of_similar, signature.parameters, similar.get(&signature.parameters)),
            };
            known.entry(number).or_insert_with(|| {
                let node = CallNode::new(module.functions.len() + pools.len());
                pools.push(Pool { node, functions: functions.cloned().unwrap_or_default() });
                node
            });
        }
        found
    }

    /// The node that a call site with this target calls: a function, or a node that represents calls through pointers.
    pub(crate) fn callee(&self, target: Target) -> CallNode {
        match target {
            Target::Function(callee) | Target::Invoked(callee) => callee,
            Target::Callback { function, .. } => function,
            Target::Pointer(signature) => {
                let own = self.of_type.get(&signature.number);
                *own.unwrap_or_else(|| &self.of_similar[&signature.parameters])
            }
        }
    }
}

/// How often one call of the function `name` calls its callback. The callback is the argument with index
/// `argument`. For unknown functions, the number is 1.
///
/// For functions such as `qsort`, the number is a guess, because the number of elements is unknown. The guess assumes
/// that the array has few elements.
pub fn times_called_back(name: &[u8], argument: u32) -> u32 {
    let known = |&&(known, of, _): &&(&str, u32, u32)| known.as_bytes() == name && of == argument;
    CALLBACKS.iter().find(known).map_or(1, |&(.., times)| times)
}

/// Each row has a function name, an argument index, and a number of calls. Functions that call the callback once
/// (`pthread_create`, `atexit`, `signal`) are not in the table.
const CALLBACKS: [(&str, u32, u32); 10] = [
    ("qsort", 3, 100),
    ("qsort_r", 3, 100),
    ("bsearch", 4, 6),
    ("lfind", 4, 10),
    ("lsearch", 4, 10),
    ("tsearch", 2, 6),
    ("tfind", 2, 6),
    ("twalk", 1, 30),
    ("ftw", 1, 30),
    ("nftw", 1, 30),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_callback_argument_is_called_many_times() {
        assert_eq!(times_called_back(b"qsort", 3), 100);
        assert_eq!(times_called_back(b"qsort", 0), 1);
        assert_eq!(times_called_back(b"signal", 1), 1);
    }
}
