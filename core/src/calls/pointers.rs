//! Who may be meant by a call through a pointer.

use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;

use super::graph::Node;
use super::module::{ModuleFacts, Signature, Target};

/// The functions that calls of one type through pointers may mean, each alike.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    /// The node that stands for such a call.
    pub node: Node,
    pub functions: Vec<Node>,
}

/// The pools of all types that a module calls through pointers.
#[derive(Debug)]
pub(super) struct Pools {
    pub pools: Vec<Pool>,
    of_type: FxHashMap<u32, Node>,
}

impl Pools {
    /// Finds those of `module`, with nodes behind those of its functions.
    pub fn of(module: &ModuleFacts) -> Self {
        let mut exact: FxHashMap<u32, Vec<Node>> = FxHashMap::default();
        let mut similar: FxHashMap<u32, Vec<Node>> = FxHashMap::default();
        for (node, function) in module.functions.iter().filter(|(_, function)| function.body.is_some()) {
            if let Some(signature) = function.address_taken {
                exact.entry(signature.number).or_default().push(node);
                similar.entry(signature.parameters).or_default().push(node);
            }
        }
        let mut found = Pools { pools: Vec::new(), of_type: FxHashMap::default() };
        let bodies = module.functions.values().filter_map(|function| function.body.as_ref());
        for site in bodies.flat_map(|body| &body.calls) {
            let Target::Pointer(signature) = site.target else { continue };
            // Where nothing has the very type, the source casts: the number of parameters has to do.
            let fitting = || exact.get(&signature.number).or_else(|| similar.get(&signature.parameters));
            found.add(signature, module.functions.len(), fitting);
        }
        found
    }

    fn add<'a>(
        &mut self,
        signature: Signature,
        first: usize,
        fitting: impl FnOnce() -> Option<&'a Vec<Node>>,
    ) {
        let Pools { pools, of_type } = self;
        of_type.entry(signature.number).or_insert_with(|| {
            let node = Node::new(first + pools.len());
            pools.push(Pool { node, functions: fitting().cloned().unwrap_or_default() });
            node
        });
    }

    /// The node that stands for calls of that type.
    pub fn node(&self, signature: Signature) -> Node {
        self.of_type[&signature.number]
    }
}
