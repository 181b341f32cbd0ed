//! Finds profiled branches in the code of the edited program.
//!
//! If the edits do not change the control-flow graph of a function, each branch stays in its block. Otherwise a branch
//! is identified by its source position, its inlined calls, and the positions of its successors. Edits move the text
//! after them, so each original position is first converted to the position after the edits.

use std::collections::{BTreeMap, HashMap};

use super::edit::Edit;
use super::files::{FileId, Files};
use super::text::Text;
use crate::base::graph::successor_places;
use crate::edit::hints::branches::{without_number, MeasuredBranch};
use crate::edit::hints::cost::Cost;
use crate::study::place::as_far_in;
use bpa_schema::{Frame, Function, Position, Terminator, WHOLE};

/// A line and a column in a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourcePoint {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
}

impl SourcePoint {
    fn of(frame: &Frame, files: &mut Files) -> Self {
        SourcePoint { file: files.of_frame(frame), line: frame.line, column: frame.column }
    }
}

/// The position of a profiled branch in the unedited source.
#[derive(Clone, Debug)]
pub struct Location {
    /// The position of the branch, followed by the positions of the inlined calls. The list is empty without debug
    /// information.
    pub frames: Vec<SourcePoint>,
    /// The position of the beginning of each successor. `None` if the successor has no line.
    successors: Vec<Option<SourcePoint>>,
}

impl Location {
    pub fn of(branch: &MeasuredBranch, files: &mut Files) -> Self {
        let position = branch.position_with_hints.as_ref().or(branch.position.as_ref());
        let frames = position.into_iter().flat_map(Position::frames);
        let frames = frames.map(|frame| SourcePoint::of(frame, files)).collect();
        let successors = branch.successors.iter();
        let successors = successors
            .map(|successor| successor.first.as_ref().map(|first| SourcePoint::of(first, files)))
            .collect();
        Location { frames, successors }
    }
}

/// The texts of source files after the edits.
pub struct EditedFiles<'e> {
    files: &'e Files,
    edits: &'e [&'e Edit<'e>],
    texts: HashMap<FileId, Text>,
}

impl<'e> EditedFiles<'e> {
    pub fn new(files: &'e Files, edits: &'e [&'e Edit<'e>], texts: Vec<(FileId, Vec<u8>)>) -> Self {
        let texts = texts.into_iter().map(|(file, text)| (file, Text::new(text))).collect();
        EditedFiles { files, edits, texts }
    }

    /// Returns where `point` is in the edited file.
    pub fn moved(&self, point: SourcePoint) -> SourcePoint {
        self.moved_in_edited_file(point).unwrap_or(point)
    }

    fn moved_in_edited_file(&self, point: SourcePoint) -> Option<SourcePoint> {
        let edited = self.texts.get(&point.file)?;
        let offset = self.files.text(point.file).ok()?.offset(point.line, point.column)?;
        let changes = self.edits.iter().filter(|edit| edit.file == point.file).flat_map(|edit| &edit.changes);
        let (mut added, mut removed) = (0, 0);
        for change in changes.filter(|change| change.start <= offset) {
            added += change.text.len();
            removed += change.end.min(offset) - change.start;
        }
        let (line, column) = edited.line_and_column((offset + added).saturating_sub(removed));
        Some(SourcePoint { line: u32::try_from(line).ok()?, column: u32::try_from(column).ok()?, ..point })
    }

    /// The positions of the lines that `edit` changes, formatted as in compiler messages: `main.rs:7:`.
    pub fn lines(&self, edit: &'e Edit) -> impl Iterator<Item = String> + '_ {
        let name = self.files.path(edit.file).file_name().unwrap_or_default().to_string_lossy().into_owned();
        edit.changes.iter().filter_map(move |change| {
            let (line, column) = self.files.text(edit.file).ok()?.line_and_column(change.start);
            let point = SourcePoint { file: edit.file, line: line as u32, column: column as u32 };
            Some(format!("{name}:{}:", self.moved(point).line))
        })
    }
}

/// A branch of the edited code.
struct Candidate {
    number: usize,
    block: String,
    frames: Vec<SourcePoint>,
    successors: Vec<Successor>,
}

struct Successor {
    to: usize,
    begins: Option<SourcePoint>,
    predicted: f64,
}

/// The branches of a module of the edited program.
pub struct Candidates {
    /// The branches of each function, in the order of the blocks. The key is the symbol of the function.
    functions: HashMap<String, Vec<Candidate>>,
    /// The branches at each position. A branch is stored as the symbol of its function, and the index of the branch in
    /// the function's list.
    by_point: HashMap<SourcePoint, Vec<(String, usize)>>,
}

impl Candidates {
    pub fn of(functions: &[Function], files: &mut Files) -> Self {
        let mut candidates = Candidates { functions: HashMap::new(), by_point: HashMap::new() };
        for function in functions {
            let branches = branches_of(function, files);
            for (place, branch) in branches.iter().enumerate() {
                if let Some(&point) = branch.frames.first() {
                    let there = candidates.by_point.entry(point).or_default();
                    there.push((function.function.to_string(), place));
                }
            }
            candidates.functions.insert(function.function.to_string(), branches);
        }
        candidates
    }

    /// The cost of each branch in `branches` after the edits. All `branches` are in function `symbol`. The cost is
    /// `None` if the branch is not found in the edited program.
    pub fn costs(
        &self,
        symbol: &str,
        branches: &[(&MeasuredBranch, &Location)],
        edited: &EditedFiles,
    ) -> Vec<Option<Cost>> {
        let own = self.functions.get(symbol).map_or(&[][..], Vec::as_slice);
        if let Some(costs) = costs_in_same_shape(own, branches, edited) {
            return costs.into_iter().map(Some).collect();
        }
        let moved: Vec<Location> = branches.iter().map(|(_, location)| moved(location, edited)).collect();
        let mut groups: BTreeMap<&[SourcePoint], Vec<usize>> = BTreeMap::new();
        for (place, location) in moved.iter().enumerate() {
            groups.entry(&location.frames).or_default().push(place);
        }
        let mut costs = vec![None; branches.len()];
        for (frames, members) in groups {
            let Some(&point) = frames.first() else { continue };
            let same: Vec<&Candidate> = own.iter().filter(|one| one.frames == frames).collect();
            // In the edited program, the branch can be in another function, or in another chain of inlined calls.
            let here = own.iter().filter(|one| one.frames.first() == Some(&point));
            let elsewhere = self.by_point.get(&point).into_iter().flatten();
            let elsewhere = elsewhere.map(|(symbol, place)| &self.functions[symbol][*place]);
            let groups = [same.clone(), here.collect(), elsewhere.collect()];
            for (rank, &member) in members.iter().enumerate() {
                let of = |one: &&Candidate| cost_at(branches[member].0, &moved[member], one);
                // If a position has the same number of branches before and after the edits, these branches correspond
                // in order.
                let only = same.get(rank).filter(|_| same.len() == members.len()).and_then(of);
                // If several copies of the branch are found, the cost is the highest cost of these copies.
                let worst = || groups.iter().find_map(|all| all.iter().filter_map(of).reduce(Cost::max));
                costs[member] = only.or_else(worst);
            }
        }
        costs
    }
}

fn moved(location: &Location, edited: &EditedFiles) -> Location {
    Location {
        frames: location.frames.iter().map(|&point| edited.moved(point)).collect(),
        successors: location.successors.iter().map(|point| point.map(|point| edited.moved(point))).collect(),
    }
}

/// The costs of `branches`. The result is `None` if the edits have changed the block, the set of successors or the
/// line of a branch. `own` contains the branches of the edited function.
fn costs_in_same_shape(
    own: &[Candidate],
    branches: &[(&MeasuredBranch, &Location)],
    edited: &EditedFiles,
) -> Option<Vec<Cost>> {
    let cost = |&(branch, location): &(&MeasuredBranch, &Location)| {
        let place = own.binary_search_by_key(&branch.number, |one| one.number).ok()?;
        let candidate = &own[place];
        let line = |frames: &[SourcePoint]| frames.first().map(|point| (point.file, point.line));
        let here: Vec<SourcePoint> =
            location.frames.iter().take(1).map(|&point| edited.moved(point)).collect();
        let is_same = candidate.successors.len() == branch.successors.len()
            && without_number(&candidate.block) == without_number(&branch.block)
            && line(&here) == line(&candidate.frames);
        // The order of the successors can differ: clang generates a branch on `x` for `!x`, and a branch on `!x` for a
        // hint with `!x`.
        let pairs = branch.successors.iter().map(|successor| {
            let same = candidate.successors.iter().find(|one| one.to == successor.to)?;
            Some((same.predicted, successor.taken))
        });
        let pairs: Vec<(f64, f64)> = pairs.collect::<Option<_>>()?;
        is_same.then(|| Cost::of_branch(&pairs))
    };
    branches.iter().map(cost).collect()
}

/// Computes the cost from the predicted probabilities of `candidate` and the profiled counts of `branch`. The result is
/// `None` if the successors of the two branches cannot be matched.
fn cost_at(branch: &MeasuredBranch, location: &Location, candidate: &Candidate) -> Option<Cost> {
    let successors = &candidate.successors;
    if successors.len() != branch.successors.len() {
        return None;
    }
    let mut order: Vec<Option<usize>> = vec![None; successors.len()];
    for (place, begins) in location.successors.iter().enumerate() {
        let Some(begins) = begins else { continue };
        let mut same =
            (0..successors.len()).filter(|&other| successors[other].begins.as_ref() == Some(begins));
        let is_only = location.successors.iter().filter(|other| other.as_ref() == Some(begins)).count() == 1;
        order[place] = same.next().filter(|_| same.next().is_none() && is_only);
    }
    // If each of the two branches has only one unmatched successor, these two successors match. If the unmatched
    // successors have the same probabilities before and after the edits, the edits have not changed the prediction.
    let mut unknown: Vec<usize> = (0..order.len()).filter(|&place| order[place].is_none()).collect();
    let mut unused: Vec<usize> = (0..order.len()).filter(|place| !order.contains(&Some(*place))).collect();
    let before = |place: usize| branch.successors[place].predicted;
    let after = |other: usize| successors[other].predicted;
    unknown.sort_by(|&one, &other| before(one).total_cmp(&before(other)));
    unused.sort_by(|&one, &other| after(one).total_cmp(&after(other)));
    let is_unchanged = unknown.iter().zip(&unused).all(|(&place, &other)| before(place) == after(other));
    if unknown.len() > 1 && !is_unchanged {
        return None;
    }
    unknown.into_iter().zip(unused).for_each(|(place, other)| order[place] = Some(other));
    let predicted = order.iter().map(|other| successors[other.expect("all are known")].predicted);
    let taken = branch.successors.iter().map(|successor| successor.taken);
    Some(Cost::of_branch(&predicted.zip(taken).collect::<Vec<_>>()))
}

/// The two-way branches and switches of `function`.
fn branches_of(function: &Function, files: &mut Files) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for edges in function.edges.chunk_by(|one, other| one.from == other.from) {
        let block = &function.blocks[edges[0].from];
        if !matches!(block.terminator, Some(Terminator::Br | Terminator::Switch)) {
            continue;
        }
        let here = block.source.as_ref();
        let mut successors: Vec<Successor> = Vec::new();
        for (edge, place) in edges.iter().zip(successor_places(edges.iter().map(|edge| edge.to))) {
            let predicted = f64::from(edge.numerator) / f64::from(WHOLE);
            match successors.get_mut(place) {
                Some(one) => one.predicted += predicted,
                None => {
                    let first = function.blocks[edge.to].first.as_ref();
                    let begins = first.map(|first| SourcePoint::of(as_far_in(first, here), files));
                    successors.push(Successor { to: edge.to, begins, predicted });
                }
            }
        }
        let frames = here.into_iter().flat_map(Position::frames);
        let frames = frames.map(|frame| SourcePoint::of(frame, files)).collect();
        candidates.push(Candidate {
            number: edges[0].from,
            block: block.name.to_string(),
            frames,
            successors,
        });
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::hints::branches::branch;

    /// A bounds check and the panic of this check have the position of the index expression.
    #[test]
    fn successors_at_one_position_are_matched_if_the_prediction_has_not_changed() {
        let mut files = Files::below("/p".into());
        let point = SourcePoint { file: files.id(std::path::Path::new("/p"), "a.rs"), line: 1, column: 7 };
        let location = Location { frames: vec![point], successors: vec![Some(point); 2] };
        let check = branch(1, [(0.999, 90.0), (0.001, 10.0)]);
        let cost = |predicted: [f64; 2]| {
            let successor = |to: usize| Successor { to, begins: Some(point), predicted: predicted[to] };
            let successors = vec![successor(0), successor(1)];
            cost_at(
                &check,
                &location,
                &Candidate { number: 1, block: "bb1".into(), frames: vec![point], successors },
            )
        };
        assert_eq!(cost([0.999, 0.001]), Some(check.cost()));
        // The edited branch can be inverted.
        assert_eq!(cost([0.001, 0.999]), Some(check.cost()));
        assert_eq!(cost([0.9, 0.1]), None);
    }
}
