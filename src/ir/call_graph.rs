//! Reads the call graph of a live module into plain data.

use std::marker::PhantomData;
use std::rc::Rc;
use std::slice;

use cranelift_entity::EntityRef;

use super::live::LiveFunction;
use super::llvm::prelude::*;
use super::module::Module;
use super::value::{FunctionRef, Value};
use bpa_core::bfi::FrequenciesAndDepths;
use bpa_core::calls::{
    times_called_back, Basis, Body, CallNode, CallSite, FunctionAttributes, Linkable, Linkage, ModuleFacts,
    ModuleFunction, Signature, Symbol, Target,
};
use bpa_core::cfg::{Block, Graph};
use bpa_core::facts::{BlockFacts, BlockProperties, Terminator};
use bpa_core::profile::Profile;

/// The row that `call_graph.cpp` writes for a function.
#[repr(C)]
struct FunctionRow<'ir> {
    function: FunctionRef<'ir>,
    attributes: u32,
    kind: u32,
    parameters: u32,
    linkage: u32,
    alternatives: u32,
}

layout!(
    FunctionRow<'static>, 32: function 0, attributes 8, kind 12, parameters 16, linkage 20, alternatives 24
);

/// The row that `call_graph.cpp` writes for a call, or for a function that is passed as an argument.
#[repr(C)]
#[derive(Clone, Copy)]
struct CallRow {
    caller: u32,
    block: u32,
    kind: u32,
    target: u32,
    detail: u32,
    receiver: u32,
}

layout!(CallRow, 24: caller 0, block 4, kind 8, target 12, detail 16, receiver 20);

/// The row that `call_graph.cpp` writes for a symbol.
#[repr(C)]
struct SymbolRow<'ir> {
    symbol: Value<'ir>,
    linkage: u32,
    target: u32,
}

layout!(SymbolRow<'static>, 16: symbol 0, linkage 8, target 12);

/// The value of `CallRow::receiver`, `SymbolRow::linkage` or `SymbolRow::target` if there is no receiver, linkage or
/// target.
const NONE: u32 = u32::MAX;

/// The C++ object that holds the rows of a module.
#[repr(C)]
struct Reader {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    fn bpa_number_functions(module: LLVMModuleRef) -> *mut Reader;
    fn bpa_read_call_graph(reader: *mut Reader);
    fn bpa_called_functions(reader: *const Reader, count: *mut usize) -> *const FunctionRow<'static>;
    fn bpa_calls(reader: *const Reader, count: *mut usize) -> *const CallRow;
    fn bpa_block_sizes(reader: *const Reader, count: *mut usize) -> *const u32;
    fn bpa_read_symbols(reader: *mut Reader);
    fn bpa_symbols(reader: *const Reader, count: *mut usize) -> *const SymbolRow<'static>;
    fn bpa_type_count(reader: *const Reader) -> usize;
    fn bpa_type_name(reader: *const Reader, number: usize, length: *mut usize) -> *const u8;
    fn bpa_drop_call_graph(reader: *mut Reader);
}

/// Owns the C++ object that holds the rows of a module.
struct ReadModule<'ir>(*mut Reader, PhantomData<&'ir ()>);

impl Drop for ReadModule<'_> {
    fn drop(&mut self) {
        // SAFETY: C++ created the reader, and `drop` runs once.
        unsafe { bpa_drop_call_graph(self.0) }
    }
}

impl<'ir> ReadModule<'ir> {
    /// Numbers the functions. There are no rows for calls and blocks.
    fn numbered(module: &'ir Module) -> Self {
        // SAFETY: the module is valid, and nothing changes it while the C++ code runs.
        ReadModule(unsafe { bpa_number_functions(module.as_raw()) }, PhantomData)
    }

    /// Numbers the functions, and reads their uses, calls and blocks.
    fn new(module: &'ir Module) -> Self {
        let read = ReadModule::numbered(module);
        // SAFETY: the module is valid, and nothing changes it during the lifetime `'ir`.
        unsafe { bpa_read_call_graph(read.0) };
        read
    }

    fn functions(&self) -> &[FunctionRow<'ir>] {
        // SAFETY: `bpa_called_functions` returns the start of an array and writes the number of its rows to `count`.
        unsafe { rows(|count| bpa_called_functions(self.0, count)) }
    }

    fn calls(&self) -> &[CallRow] {
        // SAFETY: `bpa_calls` returns the start of an array and writes the number of its rows to `count`.
        unsafe { rows(|count| bpa_calls(self.0, count)) }
    }

    fn sizes(&self) -> &[u32] {
        // SAFETY: `bpa_block_sizes` returns the start of an array and writes the number of its elements to `count`.
        unsafe { rows(|count| bpa_block_sizes(self.0, count)) }
    }
}

/// # Safety
///
/// `start` must write a number to its argument, and return a pointer to an array of that many rows. If the
/// number is 0, the pointer can have any value.
unsafe fn rows<'a, T>(start: impl FnOnce(*mut usize) -> *const T) -> &'a [T] {
    let mut count = 0;
    let start = start(&mut count);
    match count {
        0 => &[],
        // SAFETY: the caller guarantees that `start` points to `count` rows.
        _ => unsafe { slice::from_raw_parts(start, count) },
    }
}

impl Module<'_> {
    /// All functions except intrinsics, in the order of their numbers in [`Module::call_facts`].
    pub(super) fn called_functions(&self) -> Vec<FunctionRef<'_>> {
        ReadModule::numbered(self).functions().iter().map(|row| row.function).collect()
    }

    /// The call graph. The frequencies follow from the branch probabilities in the profile that `profile_of` returns
    /// for each defined function.
    pub(crate) fn call_facts(&self, mut profile_of: impl FnMut(&LiveFunction) -> Rc<Profile>) -> ModuleFacts {
        ReadModule::new(self).facts(&mut profile_of)
    }

    /// The call graph as in [`Module::call_facts`], with the data that a linker needs.
    pub(crate) fn linkable(&self, mut profile_of: impl FnMut(&LiveFunction) -> Rc<Profile>) -> Linkable {
        let read = ReadModule::new(self);
        // SAFETY: the reader and its module are valid.
        unsafe { bpa_read_symbols(read.0) };
        Linkable {
            facts: read.facts(&mut profile_of),
            types: read.types(),
            symbols: read.symbols().iter().map(symbol).collect(),
        }
    }
}

impl ReadModule<'_> {
    fn facts(&self, profile_of: &mut dyn FnMut(&LiveFunction) -> Rc<Profile>) -> ModuleFacts {
        let (mut calls, mut sizes) = (self.calls(), self.sizes());
        let mut facts = ModuleFacts::default();
        for (number, row) in (0..).zip(self.functions()) {
            let own = calls.partition_point(|call| call.caller <= number);
            let (own, others) = calls.split_at(own);
            calls = others;
            let body = LiveFunction::new(row.function).map(|live| {
                let profile = profile_of(&live);
                let (of_blocks, others) = sizes.split_at(profile.graph().block_count());
                sizes = others;
                let targets = own.iter().map(|call| (call.block, self.target(call)));
                body(profile, of_blocks, targets)
            });
            facts.functions.push(function(row, body));
        }
        facts
    }

    /// The symbols, after a call of `bpa_read_symbols`.
    fn symbols(&self) -> &[SymbolRow<'_>] {
        // SAFETY: `bpa_symbols` returns the start of an array and writes the number of its rows to `count`.
        unsafe { rows(|count| bpa_symbols(self.0, count)) }
    }

    /// The texts of the function types, after a call of `bpa_read_symbols`.
    fn types(&self) -> Vec<String> {
        // SAFETY: the reader is valid.
        let count = unsafe { bpa_type_count(self.0) };
        let name = |number| {
            // SAFETY: `number` is less than the number of types. `bpa_type_name` returns the start of an array and
            // writes the number of its bytes to `length`.
            let text = unsafe { rows(|length| bpa_type_name(self.0, number, length)) };
            String::from_utf8_lossy(text).into_owned()
        };
        (0..count).map(name).collect()
    }

    fn target(&self, call: &CallRow) -> Target {
        let function = CallNode::from_u32(call.target);
        match call.kind {
            0 => Target::Function(function),
            1 => Target::Invoked(function),
            2 => Target::Pointer(Signature { number: call.target, parameters: call.detail }),
            _ => Target::Callback {
                function,
                times: self.times(call),
                receiver: (call.receiver != NONE).then(|| CallNode::from_u32(call.receiver)),
            },
        }
    }

    /// The number of calls of a callback in one execution of the function that receives the callback.
    fn times(&self, call: &CallRow) -> u32 {
        let Some(receiver) = self.functions().get(call.receiver as usize) else { return 1 };
        times_called_back(receiver.function.name(), call.detail)
    }
}

fn function(row: &FunctionRow, body: Option<Body>) -> ModuleFunction {
    let signature = Signature { number: row.kind, parameters: row.parameters };
    ModuleFunction {
        name: row.function.name().to_vec(),
        attributes: FunctionAttributes::from_bits(row.attributes),
        linkage: linkage(row.linkage),
        signature,
        alternatives: row.alternatives,
        body,
    }
}

fn symbol(row: &SymbolRow) -> Symbol {
    Symbol {
        name: row.symbol.name().to_vec(),
        linkage: (row.linkage != NONE).then(|| linkage(row.linkage)),
        alias: (row.target != NONE).then(|| CallNode::from_u32(row.target)),
    }
}

fn linkage(number: u32) -> Linkage {
    match number {
        0 => Linkage::Local,
        1 => Linkage::Available,
        2 => Linkage::Weak,
        _ => Linkage::Strong,
    }
}

fn body(profile: Rc<Profile>, sizes: &[u32], calls: impl Iterator<Item = (u32, Target)>) -> Body {
    let graph = profile.graph();
    let returns = |(block, facts): (Block, &BlockFacts)| match facts.terminator {
        Terminator::Return => !facts.properties.has(BlockProperties::NEVER_COMPLETES),
        Terminator::Exceptional => graph.successors(block).is_empty(),
        _ => false,
    };
    let FrequenciesAndDepths { frequencies, depths } = profile.compute_frequencies_and_depths();
    Body {
        frequencies,
        depths,
        sizes: sizes.iter().copied().collect(),
        returns: profile.facts().blocks().iter().map(returns).collect(),
        basis: match profile.facts().measured_entries() {
            Some(_) => Basis::Measured,
            None if profile.predictions().is_some() => Basis::Model,
            None => Basis::Rules,
        },
        calls: calls.map(|(block, target)| CallSite { block: Block::new(block as usize), target }).collect(),
        graph: Rc::try_unwrap(profile)
            .map_or_else(|shared| Graph::clone(shared.graph()), Profile::into_graph),
    }
}
