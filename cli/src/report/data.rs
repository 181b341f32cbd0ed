//! The data of the page: lines of JSON, each of which the page reads when it is first looked at.
//!
//! The first line is the index: names, and numbers of what follows. Then comes a line for each function, and one for each
//! text of the source that functions stand in.

use serde::Serialize;

use super::function::{Entry, FunctionRow, Paths, Strings};
use super::texts::Texts;
use crate::program::Module;
use bpa_schema::Function;

/// What the page says of itself.
pub struct Names {
    pub title: String,
    /// Whose answer it shows.
    pub answer: String,
    /// With whose that is compared.
    pub against: Option<String>,
}

/// So many branches are in a list of the costliest or the most different.
const MOST_LISTED: usize = 500;

/// All that the page shows.
pub struct Report {
    entries: Vec<Entry>,
    functions: Vec<FunctionRow>,
    texts: Texts,
    paths: Vec<String>,
}

#[derive(Serialize)]
struct Index<'a> {
    title: &'a str,
    answer: &'a str,
    against: Option<&'a str>,
    /// Whether there is a measured profile of some branch.
    measured: bool,
    files: &'a [String],
    functions: &'a [Entry],
    /// Function, branch, and what it costs to be wrong there.
    costliest: Vec<(usize, usize, f64)>,
    /// Function, branch, and how far apart the answers are, times how often it runs.
    differing: Vec<(usize, usize, f64)>,
}

impl Report {
    /// What is said of `modules`, and of the same modules by another answer.
    pub fn new(modules: &[Module], others: Option<&[Module]>) -> Self {
        let mut texts = Texts::default();
        let mut paths = Paths::default();
        let mut rows = Vec::new();
        for (place, module) in modules.iter().enumerate() {
            let other = others.and_then(|others| others.get(place));
            for (number, function) in module.functions.iter().enumerate() {
                let other = other.and_then(|other| other.functions.get(number));
                let other = other.filter(|other| is_same_graph(function, other));
                let strings = Strings::default();
                rows.push(FunctionRow::new(module, function, other, strings, &mut paths, &mut texts));
            }
        }
        let total: f64 = rows.iter().map(|(entry, _)| entry.time).sum();
        rows.iter_mut().for_each(|(entry, _)| entry.make_share(total));
        rows.sort_by(|(one, _), (other, _)| other.time.total_cmp(&one.time));
        let (entries, functions) = rows.into_iter().unzip();
        Report { entries, functions, texts, paths: paths.into_list() }
    }

    /// The lines of JSON. None has a `<`, so that no text can end the element of the page that they are in.
    pub fn lines(&self, names: &Names) -> String {
        let index = Index {
            title: &names.title,
            answer: &names.answer,
            against: names.against.as_deref(),
            measured: self.functions.iter().any(FunctionRow::is_measured),
            files: &self.paths,
            functions: &self.entries,
            costliest: self.listed(FunctionRow::costs),
            differing: self.listed(FunctionRow::differences),
        };
        let mut lines = json(&index);
        for line in self.functions.iter().map(json).chain(self.texts.all().iter().map(json)) {
            lines.push('\n');
            lines.push_str(&line);
        }
        lines
    }

    /// The branches for which `measure` has the highest numbers.
    fn listed(&self, measure: impl Fn(&FunctionRow) -> Vec<(usize, f64)>) -> Vec<(usize, usize, f64)> {
        let functions = self.functions.iter().enumerate();
        let mut listed: Vec<_> = functions
            .flat_map(|(place, function)| {
                measure(function).into_iter().map(move |(branch, number)| (place, branch, number))
            })
            .filter(|&(_, _, number)| number > 0.0)
            .collect();
        listed.sort_by(|one, other| other.2.total_cmp(&one.2));
        listed.truncate(MOST_LISTED);
        listed
    }
}

/// Two answers about one function have the same blocks and edges.
fn is_same_graph(one: &Function, other: &Function) -> bool {
    one.function == other.function
        && one.blocks.len() == other.blocks.len()
        && one.edges.len() == other.edges.len()
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("all of it can be written").replace('<', "\\u003c")
}
