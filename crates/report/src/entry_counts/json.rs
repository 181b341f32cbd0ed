//! Writes and reads the call graph of a module as JSON, and writes entry counts as JSON: one line for each function.

use bpa_profile::bfi::Scaled;
use bpa_profile::calls::{
    Body, CallNode, CallSite, Estimate, FunctionAttributes, Linkable, ModuleFacts, ModuleFunction, Signature,
    Symbol, Target,
};
use bpa_profile::cfg::{Block, Graph};
use bpa_schema::{
    CallSum, Digits, EntryCountsAnalysis, Format, GraphBlock, GraphBody, GraphFunction, GraphSymbol,
    GraphTarget, Recursion,
};
use cranelift_entity::{EntityRef, PrimaryMap};

use super::text::{percent, total_time};
use super::{CallCount, CallTable};
use crate::json::{bytes_unless_text, write_line};

/// Appends a line with the call graph of `module`. The frequencies are computed for LLVM version `llvm` with the rules
/// of `predictor`.
pub fn write_call_graph_json(
    module: &[u8],
    linkable: &Linkable,
    llvm: u32,
    predictor: &str,
    out: &mut Vec<u8>,
) {
    let row = bpa_schema::CallGraph {
        format: Format,
        analysis: EntryCountsAnalysis::EntryCounts,
        llvm,
        predictor: predictor.into(),
        module: String::from_utf8_lossy(module),
        types: linkable.types.iter().map(Into::into).collect(),
        symbols: linkable.symbols.iter().map(symbol_row).collect(),
        functions: linkable.facts.functions.values().map(function_row).collect(),
    };
    write_line(&row, out);
}

fn symbol_row(symbol: &Symbol) -> GraphSymbol<'_> {
    GraphSymbol {
        name: String::from_utf8_lossy(&symbol.name),
        linkage: symbol.linkage,
        alias: symbol.alias.map(CallNode::as_u32),
    }
}

fn function_row(function: &ModuleFunction) -> GraphFunction<'_> {
    GraphFunction {
        name: String::from_utf8_lossy(&function.name),
        linkage: function.linkage,
        attributes: function.attributes.bits(),
        signature: function.signature.number,
        parameters: function.signature.parameters,
        alternatives: function.alternatives,
        body: function.body.as_ref().map(body_row),
    }
}

fn body_row(body: &Body) -> GraphBody {
    let block = |block: Block| {
        let frequency = body.frequencies[block];
        let successors = body.graph.successors(block).iter().map(|block| block.index() as u32);
        GraphBlock(
            Digits(frequency.digits()),
            frequency.exponent(),
            body.depths[block],
            body.sizes[block],
            body.returns[block],
            successors.collect(),
        )
    };
    let call = |site: &CallSite| (site.block.index() as u32, target_row(site.target));
    GraphBody {
        basis: body.basis,
        blocks: body.graph.blocks().map(block).collect(),
        calls: body.calls.iter().map(call).collect(),
    }
}

fn target_row(target: Target) -> GraphTarget {
    match target {
        Target::Function(callee) => GraphTarget::Call(callee.as_u32()),
        Target::Invoked(callee) => GraphTarget::Invoke(callee.as_u32()),
        Target::Pointer(pointer) => GraphTarget::Pointer(pointer.number, pointer.parameters),
        Target::Callback { function, times, receiver } => {
            GraphTarget::Callback(function.as_u32(), times, receiver.map(CallNode::as_u32))
        }
    }
}

/// Reads the call graph of a module. The result is `None` if the row contains an invalid index.
pub fn read_call_graph(row: &bpa_schema::CallGraph) -> Option<Linkable> {
    let reader = Reader { functions: row.functions.len(), types: row.types.len() };
    let functions = row.functions.iter().map(|function| reader.function(function));
    Some(Linkable {
        facts: ModuleFacts { functions: functions.collect::<Option<_>>()? },
        types: row.types.iter().map(ToString::to_string).collect(),
        symbols: row.symbols.iter().map(|symbol| reader.symbol(symbol)).collect::<Option<_>>()?,
    })
}

/// The numbers of functions and types of the module.
struct Reader {
    functions: usize,
    types: usize,
}

impl Reader {
    fn symbol(&self, row: &GraphSymbol) -> Option<Symbol> {
        let alias = match row.alias {
            Some(function) => Some(self.node(function)?),
            None => None,
        };
        Some(Symbol { name: row.name.as_bytes().to_vec(), linkage: row.linkage, alias })
    }

    fn function(&self, row: &GraphFunction) -> Option<ModuleFunction> {
        Some(ModuleFunction {
            name: row.name.as_bytes().to_vec(),
            attributes: FunctionAttributes::from_bits(row.attributes),
            linkage: row.linkage,
            signature: self.signature(row.signature, row.parameters)?,
            alternatives: row.alternatives,
            body: match &row.body {
                Some(body) => Some(self.body(body)?),
                None => None,
            },
        })
    }

    fn body(&self, row: &GraphBody) -> Option<Body> {
        let blocks = || row.blocks.iter();
        let successors =
            |block: &GraphBlock| block.5.iter().map(|&block| Block::new(block as usize)).collect();
        let successors: Vec<Vec<Block>> = blocks().map(successors).collect();
        let call = |&(block, target): &(u32, GraphTarget)| {
            let block = Some(block as usize).filter(|&block| block < row.blocks.len())?;
            Some(CallSite { block: Block::new(block), target: self.target(target)? })
        };
        let exponents = Scaled::MIN_EXPONENT..=Scaled::MAX_EXPONENT;
        let frequency =
            |block: &GraphBlock| exponents.contains(&block.1).then(|| Scaled::new(block.0 .0, block.1));
        Some(Body {
            graph: Graph::from_successor_lists(successors).ok()?,
            frequencies: blocks().map(frequency).collect::<Option<PrimaryMap<_, _>>>()?,
            depths: blocks().map(|block| block.2).collect(),
            sizes: blocks().map(|block| block.3).collect(),
            returns: blocks().map(|block| block.4).collect(),
            basis: row.basis,
            calls: row.calls.iter().map(call).collect::<Option<_>>()?,
        })
    }

    fn target(&self, row: GraphTarget) -> Option<Target> {
        Some(match row {
            GraphTarget::Call(callee) => Target::Function(self.node(callee)?),
            GraphTarget::Invoke(callee) => Target::Invoked(self.node(callee)?),
            GraphTarget::Pointer(number, parameters) => Target::Pointer(self.signature(number, parameters)?),
            GraphTarget::Callback(function, times, receiver) => Target::Callback {
                function: self.node(function)?,
                times,
                receiver: match receiver {
                    Some(receiver) => Some(self.node(receiver)?),
                    None => None,
                },
            },
        })
    }

    fn node(&self, number: u32) -> Option<CallNode> {
        ((number as usize) < self.functions).then(|| CallNode::from_u32(number))
    }

    fn signature(&self, number: u32, parameters: u32) -> Option<Signature> {
        ((number as usize) < self.types).then_some(Signature { number, parameters })
    }
}

/// Appends a line for each defined function of `module`, in the order of the module. The counts are computed for LLVM
/// version `llvm` with the rules of `predictor`.
pub fn write_entry_counts_json(
    module: &[u8],
    estimate: &Estimate,
    llvm: u32,
    predictor: &str,
    out: &mut Vec<u8>,
) {
    let calls = CallTable::of(estimate);
    let total = total_time(estimate);
    for node in estimate.defined() {
        let function = &estimate.module().functions[node];
        let row = bpa_schema::Calls {
            format: Format,
            analysis: EntryCountsAnalysis::EntryCounts,
            llvm,
            predictor: predictor.into(),
            module: String::from_utf8_lossy(module),
            function: String::from_utf8_lossy(&function.name),
            function_bytes: bytes_unless_text(&function.name).map(Into::into),
            calls: estimate.calls(node).into(),
            instructions: estimate.time(node).into(),
            instructions_per_call: function.time().into(),
            percent: percent(estimate.time(node), total),
            start: estimate.start(node),
            never_returns: estimate.never_returns(node),
            recursion: recursion(estimate, node),
            callers: others(estimate, &calls.callers[node]),
            callees: others(estimate, &calls.callees[node]),
        };
        write_line(&row, out);
    }
}

fn recursion(estimate: &Estimate, node: CallNode) -> Option<Recursion> {
    let (facts, functions) = estimate.recursion(node)?;
    Some(Recursion { functions, factor: facts.factor.map(Into::into) })
}

fn others<'a>(estimate: &'a Estimate, list: &[CallCount]) -> Vec<CallSum<'a>> {
    let row = |calls: &CallCount| {
        let functions = estimate.behind_pointer(calls.other);
        let name = || String::from_utf8_lossy(&estimate.module().functions[calls.other].name);
        CallSum {
            function: functions.is_none().then(name),
            behind_pointer: functions.map(<[CallNode]>::len),
            calls: calls.times.into(),
        }
    };
    list.iter().map(row).collect()
}
