//! Estimates the calls of functions in whole executables.
//!
//! An executable consists of a module that defines `main`, and of all modules that define symbols that the executable
//! needs. bpa does not read the linker's command line. If it is uncertain which definition the linker takes, bpa leaves
//! out the symbol or estimates the modules alone.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;

use bpa_core::calls::{link, Estimate, Linkable, Linkage, Linked, ModuleFacts};
use bpa_core::model::estimate_calls;

use crate::base::error::Result;
use crate::base::messages;
use crate::base::shares;
use crate::program::{Prediction, Program};
use crate::study::module::Module;
use crate::study::module::{calls_of, CallEstimate};

/// A message names at most this many files.
const MOST_NAMED: usize = 3;

/// The executables of a program.
#[derive(Debug, Default)]
pub struct Executables {
    /// The files of the modules that define `main`.
    pub names: Vec<String>,
    /// The files of the modules that are in no executable.
    pub alone: Vec<String>,
    /// The number of modules.
    modules: usize,
    /// Reasons why modules or symbols are not linked.
    problems: Vec<String>,
}

/// Estimates the calls of functions in all executables that can be linked from `modules`. The number of calls of a
/// function becomes the sum over one run of each executable, and its time the sum over runs of [equal
/// time](equal_times). The numbers of modules in no executable do not change.
pub fn estimate_whole(
    program: &Program,
    prediction: &Prediction,
    modules: &mut [Module],
) -> Result<Executables> {
    let names: Vec<String> = modules.iter().map(|one| program.units[one.unit].input.shown()).collect();
    let sources: Vec<PathBuf> = modules.iter().map(|one| program.units[one.unit].input.absolute()).collect();
    let symbols = Symbols::new(modules.iter().map(|module| &module.linkable).collect(), &sources);
    let mut found = Executables { modules: modules.len(), ..Executables::default() };
    let mut linked = Vec::new();
    let mut known = HashSet::new();
    for root in symbols.roots() {
        let executable = symbols.executable(root);
        // A build can compile the sources of an executable a second time, for example for a library.
        if !known.insert((&sources[root], executable.members[1..].to_vec())) {
            continue;
        }
        found.problems.extend(executable.problem(&names));
        if executable.conflict.is_none() {
            found.names.push(names[root].clone());
            linked.push(executable.members);
        }
    }
    let model = prediction.model();
    let done = program.jobs.run(linked.len(), "linking", |place| {
        Ok(symbols.calls_in(&linked[place], |facts| estimate_calls(facts, model.as_deref())))
    });
    let executables = done.into_iter().flatten().collect::<Result<Vec<_>>>()?;
    let scales = equal_times(&executables);
    let mut sums: BTreeMap<Function, CallEstimate> = BTreeMap::new();
    for (calls, scale) in executables.into_iter().zip(scales) {
        for (function, one) in calls {
            let sum = sums.entry(function).or_default();
            sum.calls += one.calls;
            sum.instructions += one.instructions * scale;
        }
    }
    // If a build compiles a file twice, the page shows the functions of one module.
    let is_linked: HashSet<&PathBuf> = linked.iter().flatten().map(|&member| &sources[member]).collect();
    let alone = sources.iter().zip(names).filter(|(source, _)| !is_linked.contains(source));
    found.alone = alone.map(|(_, name)| name).collect::<BTreeSet<String>>().into_iter().collect();
    for (place, module) in modules.iter_mut().enumerate() {
        for function in module.linkable.facts.functions.values() {
            let sum = sums.get(&Function::new(place, &function.name, function.linkage));
            let known = module.calls.get_mut(&*String::from_utf8_lossy(&function.name));
            if let (Some(sum), Some(known)) = (sum, known) {
                (known.calls, known.instructions) = (sum.calls, sum.instructions);
            }
        }
    }
    Ok(found)
}

/// The factors that give all executables the same time, which is the mean of their times. The estimated times of two
/// executables are not comparable: they depend on inputs, and one wrong trip count would decide the order of all
/// functions.
fn equal_times(executables: &[BTreeMap<Function, CallEstimate>]) -> Vec<f64> {
    let times: Vec<f64> =
        executables.iter().map(|calls| calls.values().map(|one| one.instructions).sum()).collect();
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    times.iter().map(|&time| if time > 0.0 { mean / time } else { 1.0 }).collect()
}

/// Identifies a function. Modules with copies of an inline function have the same function. All other functions belong
/// to one module.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Function {
    module: Option<usize>,
    name: Vec<u8>,
}

impl Function {
    fn new(module: usize, name: &[u8], linkage: Linkage) -> Self {
        let is_copy = matches!(linkage, Linkage::Weak | Linkage::Available);
        Function { module: (!is_copy).then_some(module), name: name.to_vec() }
    }
}

/// The symbols of all modules.
struct Symbols<'a> {
    modules: Vec<&'a Linkable>,
    /// The source file of each module.
    sources: &'a [PathBuf],
    /// The modules that define each symbol.
    definers: HashMap<&'a [u8], Vec<(usize, Linkage)>>,
}

/// The modules of an executable.
struct Executable<'a> {
    /// The modules. The first module defines `main`.
    members: Vec<usize>,
    /// The first symbol that two members define.
    conflict: Option<(&'a [u8], [usize; 2])>,
    /// The symbols that several modules define, and no member.
    ambiguous: Vec<(&'a [u8], Vec<usize>)>,
}

/// The definition of a symbol outside of an executable.
enum Definer {
    /// No module defines the symbol.
    Library,
    Module(usize),
    Several(Vec<usize>),
}

impl<'a> Symbols<'a> {
    fn new(modules: Vec<&'a Linkable>, sources: &'a [PathBuf]) -> Self {
        let mut definers: HashMap<_, Vec<_>> = HashMap::new();
        for (place, module) in modules.iter().enumerate() {
            for (name, linkage) in definitions(module) {
                definers.entry(name).or_default().push((place, linkage));
            }
        }
        Symbols { modules, sources, definers }
    }

    /// The modules that define `main`.
    fn roots(&self) -> Vec<usize> {
        self.definers.get(&b"main"[..]).into_iter().flatten().map(|&(place, _)| place).collect()
    }

    /// The estimated calls of all functions that an executable defines. The order is fixed, because the sum of
    /// floating-point numbers depends on their order.
    fn calls_in(
        &self,
        members: &[usize],
        estimate: impl Fn(ModuleFacts) -> Estimate,
    ) -> BTreeMap<Function, CallEstimate> {
        let graphs: Vec<&Linkable> = members.iter().map(|&member| self.modules[member]).collect();
        let Linked { facts, nodes } = link(&graphs);
        let estimate = estimate(facts);
        let mut calls = BTreeMap::new();
        for ((&member, graph), nodes) in members.iter().zip(&graphs).zip(&nodes) {
            for (own, function) in graph.facts.functions.iter().filter(|(_, one)| one.body.is_some()) {
                let key = Function::new(member, &function.name, function.linkage);
                calls.insert(key, calls_of(&estimate, nodes[own]));
            }
        }
        calls
    }

    /// The executable with the module `root`, which defines `main`.
    fn executable(&self, root: usize) -> Executable<'a> {
        let roots: HashSet<usize> = self.roots().into_iter().collect();
        let mut found = Executable { members: Vec::new(), conflict: None, ambiguous: Vec::new() };
        let mut defined: HashMap<&[u8], (usize, Linkage)> = HashMap::new();
        let add = |member: usize, found: &mut Executable<'a>, defined: &mut HashMap<&'a [u8], _>| {
            found.members.push(member);
            for (name, linkage) in definitions(self.modules[member]) {
                match defined.entry(name) {
                    Entry::Vacant(vacant) => drop(vacant.insert((member, linkage))),
                    Entry::Occupied(mut known) => match (known.get().1, linkage) {
                        (Linkage::Strong, Linkage::Strong) => {
                            let modules = [known.get().0, member];
                            found.conflict.get_or_insert((name, modules));
                        }
                        (_, Linkage::Strong) => drop(known.insert((member, linkage))),
                        _ => {}
                    },
                }
            }
        };
        add(root, &mut found, &mut defined);
        let mut next = 0;
        while let Some(&member) = found.members.get(next) {
            next += 1;
            for symbol in self.modules[member].symbols.iter().filter(|symbol| symbol.linkage.is_none()) {
                let name = symbol.name.as_slice();
                if defined.contains_key(name) {
                    continue;
                }
                match self.definer(name, &roots) {
                    Definer::Library => {}
                    Definer::Module(other) => add(other, &mut found, &mut defined),
                    Definer::Several(others) => found.ambiguous.push((name, others)),
                }
            }
        }
        // A later member can define the symbol. Several members can need a symbol.
        let mut seen = HashSet::new();
        found.ambiguous.retain(|(name, _)| !defined.contains_key(name) && seen.insert(*name));
        found
    }

    /// Finds the module that the linker adds for the symbol `name`. A module that defines `main` is never added. All
    /// weak definitions of a symbol are equal. If a build compiles a file several times, the first module is taken.
    fn definer(&self, name: &[u8], roots: &HashSet<usize>) -> Definer {
        let all = self.definers.get(name).map_or(&[][..], |all| all);
        let others = || all.iter().filter(|(place, _)| !roots.contains(place));
        let strong: Vec<usize> =
            others().filter(|(_, linkage)| *linkage == Linkage::Strong).map(|&(place, _)| place).collect();
        match (strong.as_slice(), others().next()) {
            ([], None) => Definer::Library,
            ([], Some(&(weak, _))) => Definer::Module(weak),
            ([first, rest @ ..], _) => {
                match rest.iter().all(|&other| self.sources[other] == self.sources[*first]) {
                    true => Definer::Module(*first),
                    false => Definer::Several(strong),
                }
            }
        }
    }
}

/// The symbols that other modules can use, with their linkage.
fn definitions(module: &Linkable) -> impl Iterator<Item = (&[u8], Linkage)> {
    let functions = module.facts.functions.values().filter(|function| function.body.is_some());
    let functions = functions.map(|function| (function.name.as_slice(), function.linkage));
    let symbols = module.symbols.iter().filter_map(|symbol| Some((symbol.name.as_slice(), symbol.linkage?)));
    functions.chain(symbols).filter(|(_, linkage)| *linkage >= Linkage::Weak)
}

impl Executable<'_> {
    /// Describes why the executable, or a symbol of the executable, is not linked.
    fn problem(&self, names: &[String]) -> Option<String> {
        let main = &names[self.members[0]];
        let symbol = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
        if let Some((name, [one, other])) = self.conflict {
            return Some(format!(
                "the executable of {main} is not linked, because {} and {} define {}",
                names[one],
                names[other],
                symbol(name)
            ));
        }
        let (name, modules) = self.ambiguous.first()?;
        let modules = list(modules.iter().map(|&place| &names[place]));
        let others = match self.ambiguous.len() {
            1 => String::new(),
            count => format!(" (and {})", shares::plural(count - 1, "other symbol")),
        };
        Some(format!(
            "the executable of {main} is linked without {}{others}, which {modules} define",
            symbol(name)
        ))
    }
}

impl Executables {
    /// Prints what the estimates cover. For a single module, nothing is printed.
    pub fn note(&self) {
        if self.modules < 2 {
            return;
        }
        for problem in self.problems.iter().take(MOST_NAMED) {
            messages::note(problem);
        }
        let problems = self.problems.len().saturating_sub(MOST_NAMED);
        if problems > 0 {
            messages::note(&format!("{problems} other executables have such symbols"));
        }
        messages::note(&self.in_words());
    }

    /// Describes what the estimates cover.
    pub fn in_words(&self) -> String {
        let whole = match self.names.as_slice() {
            [] => return "no executable is linked, so each module is estimated alone".to_string(),
            [name] => format!("calls and times are estimated for the executable of {name}"),
            names => format!(
                "calls are sums over one run of each of {} executables ({}), and all executables have equal times",
                names.len(),
                list(names.iter())
            ),
        };
        match self.alone.len() {
            0 => whole,
            1 => format!("{whole}; 1 module in no executable is estimated alone ({})", self.alone[0]),
            count => {
                let files = list(self.alone.iter());
                format!("{whole}; {count} modules in no executable are estimated alone ({files})")
            }
        }
    }
}

/// The first items of a list, and the number of other items.
fn list<'a>(items: impl ExactSizeIterator<Item = &'a String>) -> String {
    let others = items.len().saturating_sub(MOST_NAMED);
    let first: Vec<&str> = items.take(MOST_NAMED).map(String::as_str).collect();
    match others {
        0 => first.join(", "),
        _ => format!("{} and {others} more", first.join(", ")),
    }
}
