//! The results of the plugin for one module.

use std::collections::HashMap;

use crate::base::input::Input;
use crate::base::paths::Paths;
use crate::counts::CountsByBlock;
use crate::study::estimate::CallEstimate;
use bpa_core::calls::Linkable;
use bpa_schema::{Frame, Function, Position, ScoredBranch};

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
        let rename = |frame: &mut Frame| {
            frame.file = input.shown_file(paths, frame.directory.take().as_deref(), &frame.file).into();
        };
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
