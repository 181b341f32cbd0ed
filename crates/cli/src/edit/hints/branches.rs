//! The executed branches of a program, with profiled counts and predictions. The predictions take hints in the source
//! into account.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::cost::Cost;
use crate::base::demangle;
use crate::base::error::Result;
use crate::base::graph::successor_places;
use crate::base::input::{Input, Language};
use crate::base::paths::Paths;
use crate::compile::Compiler;
use crate::counts::{is_measured, BranchCounts};
use crate::program::copies::Copies;
use crate::program::functions::{FunctionCounts, OwnFunctions};
use crate::program::{Prediction, Program, Unit};
use crate::study::merged::BranchIdentity;
use crate::study::place;
use crate::toolchain::opt::read_lines;
use crate::toolchain::opt::Stage;
use bpa_schema::{BranchKind, Frame, Function, Position, Rule, ScoredBranch, WHOLE};

/// An executed two-way branch or switch.
#[derive(Clone, Debug)]
pub struct MeasuredBranch {
    /// The index of the module in the program.
    pub module: usize,
    /// The name of the function in the IR.
    pub symbol: String,
    /// The name of the function in the source.
    pub function: String,
    /// True if the branch is in a system file. If the branch has no line, the file of its function is used.
    pub is_in_system: bool,
    /// True if the function is local to its module. Another module can have a different function with the same name.
    pub is_local: bool,
    /// True if an earlier module contains a [copy](Copies) of the function. Sums include only one of the copies.
    pub is_copy: bool,
    pub number: usize,
    pub block: String,
    pub position: Option<Position>,
    /// The position in the program that is compiled with the hints of the source. The other data come from the program
    /// without these hints. The two positions can differ: if the operand `b` of `a || b` has a hint, clang gives the
    /// branch on `b` the position of the whole condition. `None` if the branch is not found in the program with hints.
    pub position_with_hints: Option<Position>,
    pub is_switch: bool,
    /// The successor blocks. For a two-way branch, the first successor is the destination for a true condition. For a
    /// switch, the first successor is `default`.
    pub successors: Vec<BranchSuccessor>,
    /// The rule that predicts the branch.
    pub rule: Rule,
    /// True if `bpa hints` searches for an edit that adds a hint for the branch.
    pub is_chosen: bool,
}

/// A successor block of a branch.
#[derive(Clone, Debug)]
pub struct BranchSuccessor {
    pub to: usize,
    /// The source position of the block's beginning.
    pub first: Option<Frame>,
    /// The source position of the block's beginning. If no instruction of the block has a line, this is the position
    /// where the block's only successor begins.
    pub leads_to: Option<Frame>,
    /// True if the block has only one incoming edge, which is an edge of this branch.
    pub is_only_entry: bool,
    /// The predicted probability.
    pub predicted: f64,
    /// The profiled count of the edges to the block.
    pub taken: f64,
}

/// The profiled branches of a program.
pub struct Measurement {
    pub branches: Vec<MeasuredBranch>,
    /// The number of unexecuted branches in functions that have a profile. Branches in system headers are included only
    /// if the user selects them. A function that occurs in several modules counts once.
    pub never_ran: usize,
    pub functions: FunctionCounts,
}

impl MeasuredBranch {
    /// The innermost frame of the branch's position.
    pub fn frame(&self) -> Option<&Frame> {
        self.position.as_ref().map(|position| &position.frame)
    }

    pub fn identity(&self) -> BranchIdentity<'_> {
        BranchIdentity {
            module: self.module,
            symbol: &self.symbol,
            is_local: self.is_local,
            block: self.number,
            position: self.position.as_ref(),
            successors: self.successors.len(),
        }
    }

    pub fn executions(&self) -> f64 {
        self.successors.iter().map(|successor| successor.taken).sum()
    }

    /// Replaces each file name from the debug information by the path that bpa prints for this file.
    fn name_files(&mut self, paths: &Paths, input: &Input) {
        let positions = [&mut self.position, &mut self.position_with_hints];
        let position = positions.into_iter().flatten().flat_map(Position::frames_mut);
        let successors = self
            .successors
            .iter_mut()
            .flat_map(|successor| successor.first.iter_mut().chain(&mut successor.leads_to));
        for frame in position.chain(successors) {
            frame.file = input.shown_file(paths, frame.directory.take().as_deref(), &frame.file).into();
        }
    }

    /// See [`Cost::misses`].
    pub fn misses(&self) -> f64 {
        self.cost().misses
    }

    /// The cost of the prediction, according to the profile.
    pub fn cost(&self) -> Cost {
        let successors = self.successors.iter().map(|successor| (successor.predicted, successor.taken));
        Cost::of_branch(&successors.collect::<Vec<_>>())
    }

    /// The cost that the branch would have if a hint marked its most frequent successor as likely. If `is_right` is
    /// false, the hint marks the least frequent successor instead.
    pub fn cost_of_hint(&self, is_right: bool) -> Cost {
        Cost::of_hint(&self.successors.iter().map(|successor| successor.taken).collect::<Vec<_>>(), is_right)
    }

    /// The number of mispredictions that a prediction of the most frequent successor would avoid.
    pub fn avoidable_misses(&self) -> f64 {
        self.misses()
            - (self.executions()
                - self.successors.iter().map(|successor| successor.taken).fold(0.0, f64::max))
    }

    /// Returns true if a hint in the source predicts the branch.
    pub fn is_hinted(&self) -> bool {
        self.rule == Rule::Metadata
    }
}

/// The branches of all compilation units of `program`. The program is compiled with a profile. `flags` are the user's
/// flags.
pub fn read(program: &Program, flags: &[String]) -> Result<Measurement> {
    let mut measurement =
        Measurement { branches: Vec::new(), never_ran: 0, functions: FunctionCounts::default() };
    let mut functions = OwnFunctions::default();
    let mut copies = Copies::new(program);
    for mut unit in program.each_unit("measuring", |unit| read_unit(program, unit, flags))? {
        let copied = unit.copies(&mut copies);
        unit.branches.iter_mut().for_each(|branch| branch.is_copy = copied.contains(&branch.symbol));
        functions.extend(unit.functions);
        measurement.branches.extend(unit.branches);
        let is_first = |branch: &&ScoredBranch| !copied.contains(&*branch.place.function);
        measurement.never_ran += unit.never_ran.iter().filter(is_first).count();
    }
    measurement.functions = functions.counts();
    Ok(measurement)
}

/// The profiled branches of a compilation unit.
struct MeasuredUnit {
    module: usize,
    branches: Vec<MeasuredBranch>,
    /// The branches that never ran.
    never_ran: Vec<ScoredBranch<'static>>,
    functions: OwnFunctions,
}

impl MeasuredUnit {
    /// The symbols of the functions that are copies of functions in earlier modules.
    fn copies(&self, copies: &mut Copies) -> HashSet<String> {
        let counts = |branch: &MeasuredBranch| {
            branch.successors.iter().map(|successor| successor.taken as u64).collect::<Vec<_>>()
        };
        let counts: Vec<Vec<u64>> = self.branches.iter().map(counts).collect();
        let mut functions: BTreeMap<&str, Vec<(BranchIdentity, &[u64])>> = BTreeMap::new();
        for (branch, counts) in self.branches.iter().zip(&counts) {
            functions.entry(&branch.symbol).or_default().push((branch.identity(), counts));
        }
        for branch in &self.never_ran {
            let identity = BranchIdentity::of_scored(self.module, branch);
            functions.entry(identity.symbol).or_default().push((identity, &[]));
        }
        let copied = functions.into_iter().filter(|(_, branches)| copies.is_copy(branches));
        copied.map(|(symbol, _)| symbol.to_string()).collect()
    }
}

fn read_unit(program: &Program, unit: &Unit, flags: &[String]) -> Result<MeasuredUnit> {
    let passes = "rust-bpi<score;json;output=scored>,rust-bfi<json;output=measured>";
    let [scored, functions] =
        program.run_passes(unit, passes, &Prediction::default(), ["scored", "measured"])?;
    let functions: Vec<Function<'static>> = read_lines(&functions)?;
    let scored: Vec<ScoredBranch<'static>> = read_lines(&scored)?;
    let by_name: HashMap<&str, Edges> =
        functions.iter().map(|function| (&*function.function, Edges::of(function))).collect();
    let predictions = predictions(program, unit, flags)?;
    let weights = program.weights(unit);
    let mut measured = MeasuredUnit {
        module: unit.place,
        branches: Vec::new(),
        never_ran: Vec::new(),
        functions: OwnFunctions::of(program, &functions),
    };
    for branch in scored.into_iter().filter(can_have_a_hint) {
        let Some(edges) = by_name.get(&*branch.place.function) else { continue };
        // The source has no condition at a branch that searches the handler of an exception.
        if edges.function.blocks.get(branch.place.number).is_none_or(|block| block.searches_handler) {
            continue;
        }
        let prediction = predictions.get(&*branch.place.function);
        let is_in_system = is_in_system(program, unit, &branch, edges.function);
        let counts_if_unexecuted = is_measured(edges.function) && (program.show_system || !is_in_system);
        match BranchCounts::new(&branch, weights) {
            Some(counts) => {
                let mut branch = measured_branch(branch, &counts, unit.place, edges, prediction);
                branch.is_in_system = is_in_system;
                branch.name_files(&program.paths, &unit.input);
                measured.branches.push(branch);
            }
            None if counts_if_unexecuted => measured.never_ran.push(branch),
            None => {}
        }
    }
    Ok(measured)
}

fn can_have_a_hint(branch: &ScoredBranch) -> bool {
    matches!(branch.place.kind, BranchKind::TwoWay | BranchKind::Switch)
}

/// See [`MeasuredBranch::is_in_system`].
fn is_in_system(program: &Program, unit: &Unit, branch: &ScoredBranch, function: &Function) -> bool {
    let of_branch = branch.source.as_ref().map(|source| (&source.frame.directory, &source.frame.file));
    let of_function = || function.source.as_ref().map(|source| (&source.directory, &source.file));
    of_branch.or_else(of_function).is_some_and(|(directory, file)| {
        let file = unit.input.shown_file(&program.paths, directory.as_deref(), file);
        program.system.has(&program.paths.absolute(&file))
    })
}

/// The functions of a compilation unit by name. The predictions use the hints of the source, but not the profile. The
/// map is empty for IR inputs, because the pass `rust-bpi<score>` predicts their branches.
fn predictions(
    program: &Program,
    unit: &Unit,
    flags: &[String],
) -> Result<HashMap<String, Function<'static>>> {
    let by_name = |functions: Vec<Function<'static>>| {
        functions.into_iter().map(|function| (function.function.to_string(), function)).collect()
    };
    if unit.input.language == Language::Rust {
        let folder = unit.folder.join("before-profile");
        let profile = program.profile.as_ref();
        let compiler = Compiler { profile, ..program.compiler(flags, Stage::BeforeProfile) };
        let bitcode = compiler.compile(&unit.input, &folder)?;
        let unit = Unit { place: unit.place, input: unit.input.clone(), bitcode, folder };
        return functions(program, &unit).map(by_name);
    }
    if !unit.input.language.takes_clang() {
        return Ok(HashMap::new());
    }
    let folder = unit.folder.join("without-profile");
    let bitcode = program.compiler(flags, Stage::Source).compile(&unit.input, &folder)?;
    lowered(program, &Unit { place: unit.place, input: unit.input.clone(), bitcode, folder }).map(by_name)
}

/// The functions of a compilation unit with their predictions. The hints of the source must already be lowered to
/// branch weights.
pub fn functions(program: &Program, unit: &Unit) -> Result<Vec<Function<'static>>> {
    let [functions] =
        program.run_passes(unit, "rust-bfi<json;output=functions>", &Prediction::default(), ["functions"])?;
    read_lines(&functions)
}

/// The functions of a module with their predictions. The module must not have a profile. Before the prediction, LLVM
/// lowers the hints of the source to branch weights.
pub fn lowered(program: &Program, unit: &Unit) -> Result<Vec<Function<'static>>> {
    // `lower-expect` converts hints to branch weights. The rules need values instead of stack slots: `sroa` and
    // `early-cse` replace the stack slots. `preserve-cfg` keeps every edge.
    let sroa = if program.opt.toolchain.version >= 16 { "sroa<preserve-cfg>" } else { "sroa" };
    let passes = format!("function(lower-expect,{sroa},early-cse),rust-bfi<json;output=functions>");
    let [functions] = program.run_passes(unit, &passes, &Prediction::default(), ["functions"])?;
    read_lines(&functions)
}

/// Converts a `ScoredBranch` with its profiled counts.
fn measured_branch(
    scored: ScoredBranch<'static>,
    counts: &BranchCounts,
    module: usize,
    edges: &Edges,
    prediction: Option<&Function>,
) -> MeasuredBranch {
    let counts: Vec<f64> = counts.edges().iter().map(|&count| count as f64).collect();
    let prediction = prediction.and_then(|prediction| predicted(prediction, &scored));
    let rule = prediction.as_ref().map_or(scored.rule, |prediction| prediction.rule);
    let function = edges.function;
    let in_frame = |there: &Position| place::as_far_in(there, scored.source.as_ref()).clone();
    let mut successors: Vec<BranchSuccessor> = Vec::new();
    let places = successor_places(scored.edges.iter().map(|edge| edge.to));
    for (number, ((edge, taken), place)) in scored.edges.iter().zip(counts).zip(places).enumerate() {
        let numerator =
            prediction.as_ref().map_or(edge.numerator, |prediction| prediction.numerators[number]);
        let predicted = f64::from(numerator) / f64::from(WHOLE);
        match successors.get_mut(place) {
            Some(successor) => {
                (successor.predicted, successor.taken) =
                    (successor.predicted + predicted, successor.taken + taken)
            }
            None => successors.push(BranchSuccessor {
                to: edge.to,
                first: function.blocks.get(edge.to).and_then(|block| block.first.as_ref()).map(in_frame),
                leads_to: place::first_position(function, edge.to).map(in_frame),
                is_only_entry: edges.entries.get(edge.to) == Some(&1),
                predicted,
                taken,
            }),
        }
    }
    MeasuredBranch {
        module,
        function: demangle::short_name_of(function),
        symbol: scored.place.function.into_owned(),
        is_in_system: false,
        is_local: scored.place.local,
        is_copy: false,
        number: scored.place.number,
        block: scored.place.block.into_owned(),
        position: scored.source,
        position_with_hints: prediction.and_then(|prediction| prediction.position),
        is_switch: scored.place.kind == BranchKind::Switch,
        successors,
        rule,
        is_chosen: false,
    }
}

/// A function, and the number of incoming edges of each block.
struct Edges<'a> {
    function: &'a Function<'static>,
    entries: Vec<usize>,
}

impl<'a> Edges<'a> {
    fn of(function: &'a Function<'static>) -> Self {
        let mut entries = vec![0; function.blocks.len()];
        for edge in &function.edges {
            if let Some(count) = entries.get_mut(edge.to) {
                *count += 1;
            }
        }
        Edges { function, entries }
    }
}

/// The prediction of a branch in the program with the hints of the source.
struct PredictionWithHints {
    position: Option<Position>,
    /// The predicted probability of each edge, as a multiple of 2^-31.
    numerators: Vec<u32>,
    /// The rule that predicts the branch.
    rule: Rule,
}

/// The prediction of `branch` in `function`, or `None` if the function does not have the branch.
fn predicted(function: &Function, branch: &ScoredBranch) -> Option<PredictionWithHints> {
    let block = function.blocks.get(branch.place.number)?;
    let mut numerators = Vec::new();
    let mut rule = None;
    // Edges are sorted by their source blocks.
    let first = function.edges.partition_point(|edge| edge.from < branch.place.number);
    for edge in function.edges[first..].iter().take_while(|edge| edge.from == branch.place.number) {
        numerators.push(edge.numerator);
        rule = rule.or(Some(edge.rule));
    }
    let is_same = without_number(&block.name) == without_number(&branch.place.block)
        && numerators.len() == branch.edges.len();
    let prediction = PredictionWithHints { position: block.source.clone(), numerators, rule: rule? };
    is_same.then_some(prediction)
}

/// A block name without the number at its end. LLVM adds this number if another value in the function has the same
/// name.
pub fn without_number(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
pub fn branch(line: u32, successors: [(f64, f64); 2]) -> MeasuredBranch {
    let position = serde_json::from_value(serde_json::json!({"file": "/p/a.c", "line": line, "column": 7}));
    let successor = |to: usize| BranchSuccessor {
        to,
        first: None,
        leads_to: None,
        is_only_entry: true,
        predicted: successors[to].0,
        taken: successors[to].1,
    };
    MeasuredBranch {
        module: 0,
        symbol: "f".into(),
        function: "f".into(),
        is_in_system: false,
        is_local: false,
        is_copy: false,
        number: line as usize,
        block: "%entry".into(),
        position: position.expect("a position"),
        position_with_hints: None,
        is_switch: false,
        successors: vec![successor(0), successor(1)],
        rule: Rule::Pointer,
        is_chosen: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misses_of_the_best_fixed_prediction_are_not_avoidable() {
        let wrong = branch(1, [(0.9, 10.0), (0.1, 90.0)]);
        assert_eq!((wrong.executions(), wrong.misses(), wrong.avoidable_misses()), (100.0, 90.0, 80.0));
        let even = branch(1, [(0.5, 10.0), (0.5, 90.0)]);
        assert_eq!((even.misses(), even.avoidable_misses()), (50.0, 40.0));
        let right = branch(1, [(0.4, 10.0), (0.6, 90.0)]);
        assert_eq!((right.misses(), right.avoidable_misses()), (10.0, 0.0));
    }
}
