//! The results of the plugin for one module.

use std::collections::HashMap;

use crate::base::input::Input;
use crate::base::paths::Paths;
use crate::counts::{self, CountsByBlock};
use bpa_core::calls::{Body, CallNode, Estimate, Linkable, Linkage};
use bpa_schema::{Frame, Function, Position, Scaled, ScoredBranch};

/// The results of the plugin for one module.
pub struct Module {
    /// The index of the compilation unit from which the module was compiled.
    pub unit: usize,
    pub functions: Vec<Function<'static>>,
    /// The estimated calls of the functions, by symbol.
    pub calls: HashMap<String, CallEstimate>,
    /// The call graph, with the data that a linker needs.
    pub linkable: Linkable,
    /// The branches with a measured profile, by function and block.
    pub scored: HashMap<(String, usize), ScoredBranch<'static>>,
    /// The profiled counts of the branches in `scored`.
    pub counts: CountsByBlock,
}

impl Module {
    /// Replaces the file names of debug information by the paths to print.
    pub fn name_files(&mut self, paths: &Paths, input: &Input) {
        let rename = |frame: &mut Frame| input.name_file(paths, frame);
        for function in &mut self.functions {
            if let Some(source) = &mut function.source {
                source.file =
                    input.shown_file(paths, source.directory.take().as_deref(), &source.file).into();
            }
            let positions =
                function.blocks.iter_mut().flat_map(|block| block.source.iter_mut().chain(&mut block.first));
            positions.flat_map(Position::frames_mut).for_each(rename);
        }
        let positions = self.scored.values_mut().flat_map(|branch| &mut branch.source);
        positions.flat_map(Position::frames_mut).for_each(rename);
    }
}

/// The estimated calls of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CallEstimate {
    /// The number of calls in one run of the program.
    pub calls: f64,
    /// The number of instructions in one run of the program, without the instructions of callees.
    pub instructions: f64,
    /// The number of instructions in the profiled runs, without the instructions of callees. The result is `None` if
    /// there is no profile of the function, or if the profiled executions of a block are unknown.
    pub measured_instructions: Option<f64>,
    /// True if the function is local to its module.
    pub is_local: bool,
}

/// The estimated calls of one function.
pub fn calls_of(estimate: &Estimate, function: CallNode) -> CallEstimate {
    let value = |number: bpa_core::bfi::Scaled| Scaled::from(number).value;
    let facts = &estimate.module().functions[function];
    CallEstimate {
        calls: value(estimate.calls(function)),
        instructions: value(estimate.time(function)),
        measured_instructions: None,
        is_local: facts.linkage == Linkage::Local,
    }
}

/// The estimated calls of all defined functions, by symbol. `functions` are the functions of the same module.
pub fn by_symbol(estimate: &Estimate, functions: &[Function]) -> HashMap<String, CallEstimate> {
    let functions: HashMap<&str, &Function> =
        functions.iter().map(|function| (&*function.function, function)).collect();
    let of = |node: CallNode| {
        let facts = &estimate.module().functions[node];
        let name = String::from_utf8_lossy(&facts.name).into_owned();
        let measured = functions.get(&*name).zip(facts.body.as_ref());
        let measured_instructions =
            measured.and_then(|(function, body)| measured_instructions(function, body));
        (name, CallEstimate { measured_instructions, ..calls_of(estimate, node) })
    };
    estimate.defined().map(of).collect()
}

/// The number of instructions that `function` executed in the profiled runs, if it is known.
fn measured_instructions(function: &Function, body: &Body) -> Option<f64> {
    let entries = counts::entries(function)?;
    let instructions =
        |(block, &size): (&bpa_schema::Block, &u32)| Some(f64::from(size) * block.frequency.as_ref()?.value);
    let per_call = function.blocks.iter().zip(body.sizes.values()).map(instructions).sum::<Option<f64>>()?;
    Some(entries as f64 * per_call)
}
