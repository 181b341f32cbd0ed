//! The data of the page, as lines of JSON. The page parses a line when it first needs the data in this line.
//!
//! The first line is the index, which contains the names of the functions. The next lines contain the functions in the
//! order of the index, one line per function. The last lines contain the source texts, one line per text.

use std::collections::hash_map::Entry as MapEntry;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::entry::{make_shares, Entry};
use super::function::FunctionRow;
use super::ranking::{Listed, Ranking, MOST_LISTED};
use super::texts::Paths;
use super::texts::Texts;
use crate::program::Program;
use crate::study::branch::Branch;
use crate::study::merged::{Order, MOST_CALLS, MOST_PER_CALL};
use crate::study::module::Module;
use bpa_schema::{Edge, Function};

/// The texts in the head of the page.
pub struct Names {
    pub title: String,
    /// The name of the prediction on the page.
    pub prediction: String,
    /// The name of the second prediction, if the page compares two predictions.
    pub against: Option<String>,
    /// What the estimates of calls and times cover.
    pub estimated: String,
    /// True if the estimates cover a whole executable.
    pub is_whole: bool,
}

/// All data of the page.
pub struct Report {
    entries: Vec<Entry>,
    functions: Vec<FunctionRow>,
    texts: Texts,
    paths: Vec<String>,
    /// The indices of the system files in `paths`. System files do not belong to the user's project.
    system: Vec<usize>,
    measured: bool,
    lists: Lists,
}

/// Lists of branches of the whole program.
#[derive(Serialize)]
struct Lists {
    /// The most frequent branches. If there is no profile, [`Order::Estimated`] ranks the branches.
    branches: Vec<Listed>,
    /// The branches with the most expensive mispredictions.
    costliest: Vec<Listed>,
    /// The branches for which the two predictions differ most. The differences are weighted by executions.
    differing: Vec<Listed>,
}

#[derive(Serialize)]
struct Index<'a> {
    title: &'a str,
    prediction: &'a str,
    against: Option<&'a str>,
    /// What the estimates of calls and times cover.
    estimated: &'a str,
    is_whole: bool,
    /// True if the profile covers at least one branch.
    measured: bool,
    /// See [`MOST_CALLS`].
    most_calls: f64,
    most_per_call: f64,
    /// See [`MOST_LISTED`].
    most_listed: usize,
    files: &'a [String],
    system: &'a [usize],
    functions: &'a [Entry],
    #[serde(flatten)]
    lists: &'a Lists,
}

impl Report {
    /// The report about `modules`. `others` has the same modules, with the predictions of another predictor.
    pub fn new(program: &Program, modules: &[Module], others: Option<&[Module]>) -> Self {
        let mut texts = Texts::default();
        let mut paths = Paths::default();
        let mut entries: Vec<Entry> = Vec::new();
        let mut functions = Vec::new();
        let mut seen = Seen::default();
        let mut branches = Vec::new();
        for (place, module) in modules.iter().enumerate() {
            let other = others.and_then(|others| others.get(place));
            let file = program.units[module.unit].input.absolute();
            for (number, function) in module.functions.iter().enumerate() {
                if let Some(copy) = seen.add(module, function, entries.len(), &file) {
                    if let Copy::OfAnotherFile(first) = copy {
                        entries[first].add(module, function);
                    }
                    continue;
                }
                let other = other.and_then(|other| other.functions.get(number));
                let other = other.filter(|other| is_same_graph(function, other));
                let (entry, row) = FunctionRow::new(module, function, other, &mut paths, &mut texts);
                entries.push(entry);
                functions.push(row);
                branches.extend(Branch::of(module, function));
            }
        }
        let paths = paths.into_list();
        let is_system = |path: &String| program.system.has(&program.paths.absolute(path));
        let system: Vec<usize> = (0..paths.len()).filter(|&file| is_system(&paths[file])).collect();
        let measured = functions.iter().any(FunctionRow::is_measured);
        make_shares(&mut entries, measured);
        let lists = Lists::new(
            Ranking { sources: texts.sources(), branches, functions: &functions },
            &system,
            measured,
        );
        Report { entries, functions, texts, paths, system, measured, lists }
    }

    pub fn function_count(&self) -> usize {
        self.functions.len()
    }

    /// The lines of JSON. The text contains no `<`, so the text cannot close the HTML element that contains the lines.
    pub fn lines(&self, names: &Names) -> String {
        let index = Index {
            title: &names.title,
            prediction: &names.prediction,
            against: names.against.as_deref(),
            estimated: &names.estimated,
            is_whole: names.is_whole,
            measured: self.measured,
            most_calls: MOST_CALLS,
            most_per_call: MOST_PER_CALL,
            most_listed: MOST_LISTED,
            files: &self.paths,
            system: &self.system,
            functions: &self.entries,
            lists: &self.lists,
        };
        let mut lines = json(&index);
        for line in self.functions.iter().map(json).chain(self.texts.all().iter().map(json)) {
            lines.push('\n');
            lines.push_str(&line);
        }
        lines
    }
}

impl Lists {
    fn new(ranking: Ranking, system: &[usize], measured: bool) -> Self {
        let is_system = |file: usize| system.binary_search(&file).is_ok();
        let order = if measured { Order::Measured } else { Order::Estimated };
        Lists {
            branches: ranking.listed(is_system, |branch, _| order.weight(branch)),
            costliest: ranking.listed(is_system, |_, row| row.cost.unwrap_or(0.0)),
            differing: ranking.listed(is_system, |_, row| row.difference),
        }
    }
}

/// The functions that are already in the report. Several modules can contain copies of one function, such as an
/// instance of a template. A linker keeps only one copy, and a profile has one count for all copies.
///
/// Each function has the number of its first copy, and the source files of the modules with a copy.
#[derive(Default)]
struct Seen<'a>(HashMap<(&'a str, &'a str, u32), (usize, HashSet<PathBuf>)>);

/// A function of which the report already contains a copy.
enum Copy {
    /// The linker keeps only the first copy, or the build compiles the same file twice.
    OfKnown,
    /// The local function of a header, in the module of another source file. The number is the first copy's number.
    OfAnotherFile(usize),
}

impl<'a> Seen<'a> {
    /// Adds the function `number` of the report. The result is `None` if the report contains no copy of the function.
    /// If the module has a profile, a function that is local to its module is not a copy of a function in another
    /// module, because the copies have separate counts. `file` is the source file of the module.
    fn add(&mut self, module: &Module, function: &'a Function, number: usize, file: &Path) -> Option<Copy> {
        let source = function.source.as_ref()?;
        let key = (&*function.function, &*source.file, source.line?);
        let (first, files) = match self.0.entry(key) {
            MapEntry::Vacant(vacant) => {
                vacant.insert((number, HashSet::from([file.to_path_buf()])));
                return None;
            }
            MapEntry::Occupied(known) => known.into_mut(),
        };
        let scored = |edge: &Edge| module.scored.get(&(function.function.to_string(), edge.from));
        if function.edges.iter().find_map(scored).is_some_and(|branch| branch.place.local) {
            return None;
        }
        let is_local = module.calls.get(&*function.function).is_some_and(|estimate| estimate.is_local);
        match is_local && files.insert(file.to_path_buf()) {
            true => Some(Copy::OfAnotherFile(*first)),
            false => Some(Copy::OfKnown),
        }
    }
}

/// Returns true if the two predictions of a function have the same number of blocks and the same number of edges.
fn is_same_graph(one: &Function, other: &Function) -> bool {
    one.function == other.function
        && one.blocks.len() == other.blocks.len()
        && one.edges.len() == other.edges.len()
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("the data can be serialized").replace('<', "\\u003c")
}
