//! Links modules: joins their call graphs as a linker joins the modules.

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

use super::graph::CallNode;
use super::module::{Body, CallSite, FunctionAttributes, ModuleFacts, ModuleFunction, Signature, Target};
use crate::cfg::table;
use bpa_schema::Linkage;

/// A module with the data that a linker needs.
#[derive(Clone, Debug, Default)]
pub struct Linkable {
    /// The functions of the module.
    pub facts: ModuleFacts,
    /// The text of each function type. The index is [`Signature::number`]. Equal types of different modules have equal
    /// texts.
    pub types: Vec<String>,
    /// The variables and aliases that other modules can use, and the symbols that the module needs.
    pub symbols: Vec<Symbol>,
}

/// A symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name of the symbol.
    pub name: Vec<u8>,
    /// The linkage, or `None` if the module uses the symbol and does not define it.
    pub linkage: Option<Linkage>,
    /// The function to which an alias refers.
    pub alias: Option<CallNode>,
}

/// Several modules as one module.
#[derive(Debug)]
pub struct Linked {
    /// The functions of all modules.
    pub facts: ModuleFacts,
    /// For each function of each module, the number of the function in `facts`.
    pub nodes: Vec<PrimaryMap<CallNode, CallNode>>,
}

/// Joins `modules`. If several modules define a symbol, the definition with the greatest [`Linkage`] replaces the other
/// definitions. Among equal linkages, the first definition is kept. Local functions stay separate.
pub fn link(modules: &[&Linkable]) -> Linked {
    let mut linker = Linker::default();
    modules.iter().for_each(|module| linker.add(module));
    linker.resolve_aliases(modules);
    Linked { facts: linker.facts(modules), nodes: linker.nodes }
}

#[derive(Default)]
struct Linker<'a> {
    named: FxHashMap<&'a [u8], CallNode>,
    /// For each function of the program, the module and the function that define it.
    chosen: PrimaryMap<CallNode, (usize, CallNode)>,
    /// The rank of the chosen definition. `None` for a declaration.
    ranks: PrimaryMap<CallNode, Option<Linkage>>,
    nodes: Vec<PrimaryMap<CallNode, CallNode>>,
}

impl<'a> Linker<'a> {
    fn add(&mut self, module: &'a Linkable) {
        let place = self.nodes.len();
        let mut nodes = PrimaryMap::new();
        for (own, function) in module.facts.functions.iter() {
            let rank = function.body.as_ref().map(|_| function.linkage);
            let is_local = rank == Some(Linkage::Local);
            let known = if is_local { None } else { self.named.get(&*function.name).copied() };
            let node = known.unwrap_or_else(|| {
                self.ranks.push(rank);
                self.chosen.push((place, own))
            });
            if !is_local {
                self.named.insert(&function.name, node);
            }
            if rank > self.ranks[node] {
                self.ranks[node] = rank;
                self.chosen[node] = (place, own);
            }
            nodes.push(node);
        }
        self.nodes.push(nodes);
    }

    /// Replaces each declared function that another module defines as an alias.
    fn resolve_aliases(&mut self, modules: &[&'a Linkable]) {
        let mut replaced: FxHashMap<CallNode, CallNode> = FxHashMap::default();
        for (module, nodes) in modules.iter().zip(&self.nodes) {
            for symbol in &module.symbols {
                let Some(target) = symbol.alias else { continue };
                let Some(&node) = self.named.get(&*symbol.name) else { continue };
                if self.ranks[node] <= Some(Linkage::Available) {
                    replaced.entry(node).or_insert(nodes[target]);
                }
            }
        }
        for node in self.nodes.iter_mut().flat_map(|nodes| nodes.values_mut()) {
            *node = replaced.get(node).copied().unwrap_or(*node);
        }
        replaced.into_keys().for_each(|node| self.ranks[node] = None);
    }

    fn facts(&self, modules: &[&'a Linkable]) -> ModuleFacts {
        let mut types = FxHashMap::default();
        let mut runs_once: PrimaryMap<CallNode, bool> = table(self.chosen.len(), false);
        let mut alternatives: PrimaryMap<CallNode, u32> = table(self.chosen.len(), 0);
        for (module, nodes) in modules.iter().zip(&self.nodes) {
            for (own, function) in module.facts.functions.iter() {
                let least = &mut alternatives[nodes[own]];
                *least = match *least {
                    0 => function.alternatives,
                    least if function.alternatives == 0 => least,
                    least => least.min(function.alternatives),
                };
                runs_once[nodes[own]] |= function.attributes.has(FunctionAttributes::RUNS_ONCE);
            }
        }
        let mut facts = ModuleFacts::default();
        for (node, &(place, own)) in self.chosen.iter() {
            let (module, nodes) = (modules[place], &self.nodes[place]);
            let mut signature = |signature: Signature| {
                let text = module.types[signature.number as usize].as_str();
                let next = types.len() as u32;
                Signature { number: *types.entry(text).or_insert(next), ..signature }
            };
            let function = &module.facts.functions[own];
            let body = function.body.as_ref().filter(|_| self.ranks[node].is_some()).map(|body| {
                let mut target = |target| match target {
                    Target::Function(callee) => Some(Target::Function(nodes[callee])),
                    Target::Invoked(callee) => Some(Target::Invoked(nodes[callee])),
                    Target::Pointer(pointer) => Some(Target::Pointer(signature(pointer))),
                    Target::Callback { function, receiver: Some(receiver), .. }
                        if self.ranks[nodes[receiver]].is_some() =>
                    {
                        // The program contains the receiver, which calls the function through a pointer.
                        alternatives[nodes[function]] = 1;
                        None
                    }
                    Target::Callback { function, times, receiver } => Some(Target::Callback {
                        function: nodes[function],
                        times,
                        receiver: receiver.map(|receiver| nodes[receiver]),
                    }),
                };
                let calls = body
                    .calls
                    .iter()
                    .filter_map(|site| Some(CallSite { block: site.block, target: target(site.target)? }));
                Body { calls: calls.collect(), ..body.clone() }
            });
            let attributes = match runs_once[node] {
                true => function.attributes.with(FunctionAttributes::RUNS_ONCE),
                false => function.attributes,
            };
            facts.functions.push(ModuleFunction {
                name: function.name.clone(),
                attributes,
                linkage: function.linkage,
                signature: signature(function.signature),
                alternatives: 0,
                body,
            });
        }
        facts.functions.iter_mut().for_each(|(node, function)| function.alternatives = alternatives[node]);
        facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::{Block, Graph};
    use cranelift_entity::EntityRef;

    /// A function with one block that calls `callees`.
    fn defined(name: &str, linkage: Linkage, callees: &[usize]) -> ModuleFunction {
        let site = |&callee: &usize| CallSite {
            block: Block::new(0),
            target: Target::Function(CallNode::new(callee)),
        };
        let graph = Graph::from_successor_lists([None::<Block>]).expect("one block");
        let body = Body { graph, calls: callees.iter().map(site).collect(), ..Body::default() };
        ModuleFunction { linkage, body: Some(body), ..declared(name) }
    }

    fn declared(name: &str) -> ModuleFunction {
        ModuleFunction { name: name.into(), ..ModuleFunction::default() }
    }

    fn module(functions: Vec<ModuleFunction>) -> Linkable {
        let facts = ModuleFacts { functions: functions.into_iter().collect() };
        Linkable { facts, types: vec!["void ()".to_string()], symbols: Vec::new() }
    }

    /// The names of the functions that the function `name` calls.
    fn callees(linked: &Linked, name: &str) -> Vec<(u32, String)> {
        let functions = &linked.facts.functions;
        let of_name =
            |function: &&ModuleFunction| function.name == name.as_bytes() && function.body.is_some();
        let found: Vec<&ModuleFunction> = functions.values().filter(of_name).collect();
        assert_eq!(found.len(), 1, "{name}");
        let callee = |site: &CallSite| match site.target {
            Target::Function(callee) => {
                (callee.as_u32(), String::from_utf8_lossy(&functions[callee].name).into_owned())
            }
            _ => unreachable!("all calls are direct"),
        };
        found[0].body.iter().flat_map(|body| &body.calls).map(callee).collect()
    }

    #[test]
    fn definitions_replace_declarations_and_weak_definitions() {
        let user = module(vec![
            defined("user", Linkage::Strong, &[1, 2]),
            defined("f", Linkage::Weak, &[2]),
            declared("g"),
        ]);
        let other = module(vec![defined("g", Linkage::Strong, &[]), defined("f", Linkage::Strong, &[0, 0])]);
        let linked = link(&[&user, &other]);
        assert_eq!(linked.facts.functions.len(), 3);
        assert_eq!(callees(&linked, "user"), [(1, "f".to_string()), (2, "g".to_string())]);
        assert_eq!(callees(&linked, "f").len(), 2);
        assert_eq!(linked.nodes[0][CallNode::new(2)], linked.nodes[1][CallNode::new(0)]);
    }

    #[test]
    fn local_functions_stay_separate_and_aliases_are_resolved() {
        let one = module(vec![
            defined("one", Linkage::Strong, &[1, 2]),
            defined("f", Linkage::Local, &[]),
            declared("alias"),
        ]);
        let mut two = module(vec![defined("two", Linkage::Strong, &[1]), defined("f", Linkage::Local, &[])]);
        let (name, alias) = (b"alias".to_vec(), Some(CallNode::new(1)));
        two.symbols.push(Symbol { name, linkage: Some(Linkage::Strong), alias });
        let linked = link(&[&one, &two]);
        let [of_one, of_two] = [0, 1].map(|module| linked.nodes[module][CallNode::new(1)].as_u32());
        assert_ne!(of_one, of_two);
        let names = [of_one, of_two].map(|number| (number, "f".to_string()));
        assert_eq!(callees(&linked, "one"), names);
        assert_eq!(callees(&linked, "two"), names[1..]);
    }
}
