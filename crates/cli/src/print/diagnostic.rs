//! Prints branches in the form of compiler diagnostics: the source line with the condition underlined, and notes.

use std::borrow::Cow;
use std::io::Write;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::base::demangle;
use crate::base::error::{Error, Result};
use crate::base::messages;
use crate::base::shares;
use crate::study::branch::{Branch, Successor};
use crate::study::merged::SourceBranch;
use crate::study::place;
use crate::study::source::{self, SourceCondition, Sources};
use bpa_schema::{Frame, Position, Terminator, WHOLE};

/// The maximum number of listed destinations of a branch.
const MOST_SUCCESSORS: usize = 12;
/// The maximum number of listed inlined calls.
const MOST_CALLS: usize = 4;

/// The note about a branch for which [`is_merged`] returns true.
pub const MERGED: &str = "the compiler merged this condition with other tests of the same value";

/// The heading and the text of a note: `= heading: text`.
pub type Note = (Cow<'static, str>, String);

/// The texts that are printed about a branch.
pub struct Words {
    pub title: String,
    pub notes: Vec<Note>,
}

/// Prints `words` at the position of `branch`.
pub fn print(branch: &Branch, words: Words, sources: &Sources) -> Result<()> {
    let text = Renderer::styled().render(&[group(branch, words, sources)]);
    writeln!(anstream::stdout().lock(), "{text}\n").map_err(Error::Output)
}

fn group<'a>(branch: &Branch, words: Words, sources: &Sources) -> Group<'a> {
    let mut group = Group::with_title(Level::INFO.with_name("branch").primary_title(words.title));
    match branch.position() {
        Some(position) => group = at(group, branch, position, sources),
        None => {
            let place = match &branch.function.source {
                Some(source) => format!("{}, line unknown", source.file),
                None => format!("{} in {}", name(branch), demangle::name_of(branch.function)),
            };
            group = group.element(Origin::path(place));
        }
    }
    if is_merged(branch, sources) {
        group = group.element(Level::NOTE.message(MERGED));
    }
    for (name, note) in words.notes {
        group = group.element(Level::NOTE.with_name(name).message(note));
    }
    group
}

/// Returns true if `branch` is a `switch` of the IR, and its position in the source is a condition with two values.
pub fn is_merged(branch: &Branch, sources: &Sources) -> bool {
    let terminator = branch.function.blocks[branch.block].terminator;
    let has_two_values = |frame: &Frame| {
        condition_of(frame, false, sources).is_some_and(|condition| condition.found.has_two_values)
    };
    terminator == Some(Terminator::Switch)
        && branch.position().is_some_and(|position| has_two_values(&position.frame))
}

fn name<'a>(branch: &Branch<'a>) -> &'a str {
    &branch.function.blocks[branch.block].name
}

/// Adds the source line of `position`, and underlines the condition. If the source file is missing, adds the position
/// without a source line. Then also adds the source line of the innermost inlined call whose source file exists.
fn at<'a>(group: Group<'a>, branch: &Branch, position: &Position, sources: &Sources) -> Group<'a> {
    let frame = &position.frame;
    if let Some(condition) = condition_of(frame, branch.is_optimised(), sources) {
        return marked(group, frame, &condition, AnnotationKind::Primary, "");
    }
    let group = group.element(Origin::path(place::place(frame)));
    let mut calls = position.inlined_at.iter();
    match calls.find_map(|call| Some((call, condition_of(call, false, sources)?))) {
        Some((call, condition)) => marked(group, call, &condition, AnnotationKind::Context, "inlined here"),
        None => group,
    }
}

/// The condition at `frame`. The result is `None` if the source file is missing.
pub fn condition_of(frame: &Frame, is_optimised: bool, sources: &Sources) -> Option<SourceCondition> {
    let text = sources.text(frame.directory.as_deref(), &frame.file)?;
    text.condition(frame.line, frame.column, is_optimised)
}

/// The line in which the condition at `frame` begins. [`print`] prints the same line.
pub fn first_line(frame: &Frame, sources: &Sources) -> u32 {
    condition_of(frame, false, sources).map_or(frame.line, |condition| condition.first_line)
}

/// The offset of the character at `column` of `line` from the beginning of the condition at `frame`, in bytes. The
/// result is `None` if the character is outside of the condition. [`print`] underlines the same condition.
pub fn offset(frame: &Frame, is_optimised: bool, line: u32, column: u32, sources: &Sources) -> Option<usize> {
    let SourceCondition { first_line, text, span, .. } = condition_of(frame, is_optimised, sources)?;
    let before = line.checked_sub(first_line)? as usize;
    let start: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
    let (in_line, _) = text[start..].lines().next()?.char_indices().nth(column.checked_sub(1)? as usize)?;
    let offset = start + in_line;
    span.contains(&offset).then(|| offset - span.start)
}

/// The position of the condition at `frame`, as `file:line:column`. [`print`] prints the same position.
pub fn place_of_condition(frame: &Frame, sources: &Sources) -> String {
    let (line, column) = match condition_of(frame, false, sources) {
        Some(SourceCondition { first_line, text, span, .. }) => {
            (first_line, text[..span.start].chars().count() + 1)
        }
        None => (frame.line, frame.column as usize),
    };
    format!("{}:{line}:{column}", frame.file)
}

/// Adds the source lines of `condition`, and underlines the condition. `frame` is its position.
fn marked<'a>(
    group: Group<'a>,
    frame: &Frame,
    condition: &SourceCondition,
    kind: AnnotationKind,
    label: &'a str,
) -> Group<'a> {
    let (shown, span) = source::shown(&condition.text, condition.span.clone());
    let is_whole = shown == condition.text;
    let annotation = kind.span(span).label(label);
    let snippet = Snippet::source(shown).line_start(condition.first_line as usize).annotation(annotation);
    if is_whole {
        return group.element(snippet.path(frame.file.to_string()));
    }
    // If a source line is long, the snippet contains only a part of the line, and columns of the snippet count from the
    // start of this part. Therefore a separate line shows the position in the source file.
    let origin = Origin::path(frame.file.to_string()).line(frame.line as usize);
    group.element(origin.char_column(frame.column as usize)).element(snippet)
}

/// Returns one line and a list of notes with the probability of each destination. For more than two destinations, the
/// line contains only the likeliest destination, and each destination has a note.
pub fn shares_in_words(branch: &Branch) -> (String, Vec<Note>) {
    let target = |successor: &Successor| format!("to {}", place::target(branch, successor.to));
    let percent = |successor: &Successor| shares::percent(successor.numerator);
    let count = branch.successors().len();
    if count <= 2 {
        let words: Vec<String> = branch
            .successors()
            .iter()
            .map(|successor| format!("{} {}", percent(successor), target(successor)))
            .collect();
        return (words.join(", "), Vec::new());
    }
    let successors = likeliest_successors(branch);
    // Several destinations can be at one position.
    let mut places: Vec<(u32, usize, String)> = Vec::new();
    for successor in &successors {
        let text = target(successor);
        match places.iter_mut().find(|(_, _, other)| *other == text) {
            Some((sum, number, _)) => (*sum, *number) = (*sum + successor.numerator, *number + 1),
            None => places.push((successor.numerator, 1, text)),
        }
    }
    places.sort_by_key(|&(sum, ..)| std::cmp::Reverse(sum));
    let words = |(sum, number, text): &(u32, usize, String)| {
        let number = if *number > 1 { format!(" ({number} destinations)") } else { String::new() };
        (shares::percent(*sum).into(), text.clone() + &number)
    };
    let mut notes: Vec<Note> = places.iter().map(words).collect();
    let title = notes.first().map_or_else(String::new, |(share, place)| format!(", {share} {place}"));
    let shown: u32 = successors.iter().map(|successor| successor.numerator).sum();
    if count > successors.len() {
        let rest = shares::percent(WHOLE.saturating_sub(shown));
        notes.push((rest.into(), format!("to {} other destinations", count - successors.len())));
    }
    (format!("{count} destinations{title}"), notes)
}

/// A line with the probabilities of the likeliest destinations.
pub fn shares_in_line(branch: &Branch) -> String {
    let (title, notes) = shares_in_words(branch);
    let notes: String = notes.iter().map(|(share, place)| format!(", {share} {place}")).collect();
    title + &notes
}

/// The likeliest destinations of `branch` in descending order: with `-v` all of them, otherwise at most
/// [`MOST_SUCCESSORS`].
pub fn likeliest_successors<'a>(branch: &Branch<'a>) -> Vec<Successor<'a>> {
    let mut successors = branch.successors();
    successors.sort_by_key(|successor| std::cmp::Reverse(successor.numerator));
    if !messages::is_verbose() {
        successors.truncate(MOST_SUCCESSORS);
    }
    successors
}

/// The function, the chain of inlined calls and the frequency of `branch`.
pub fn whereabouts_and_frequency(branch: &Branch) -> String {
    format!("{}; runs {} per call", whereabouts(branch), shares::often(branch.frequency))
}

/// The function and the chain of inlined calls of `branch`.
pub fn whereabouts(branch: &Branch) -> String {
    let mut text = format!("in {}", demangle::short_name_of(branch.function));
    if let Some(position) = branch.position() {
        let calls: Vec<String> = position.inlined_at.iter().map(place::place).collect();
        match &calls[..] {
            [] => {}
            // If there are many inlined calls, only the innermost calls and the outermost call are listed.
            [inner @ .., outermost] if calls.len() > MOST_CALLS => {
                text += &format!(", inlined at {} ... at {outermost}", inner[..MOST_CALLS - 1].join(" at "));
            }
            all => text += &format!(", inlined at {}", all.join(" at ")),
        }
    }
    text
}

/// Notes about other branches at the position of a branch. The first note contains the number of the branch in its
/// expression. The second note describes the copies of the branch.
pub fn neighbours(merged: &SourceBranch, probability: impl Fn(&Branch) -> Option<f64>) -> Vec<Note> {
    let (number, count) = merged.number;
    let number = (count > 1).then(|| format!("branch {number} of {count} of this expression"));
    number.into_iter().chain(copies(merged, probability)).map(|text| ("note".into(), text)).collect()
}

/// Describes the copies of a branch: their number, and the lowest and highest probability of the first successor.
/// `probability` returns the probability of the first successor in the given copy of the branch.
fn copies(merged: &SourceBranch, probability: impl Fn(&Branch) -> Option<f64>) -> Option<String> {
    let others = match merged.copies.len() - 1 {
        0 => return None,
        1 => "1 other copy".to_string(),
        others => format!("{} other copies", shares::grouped(others)),
    };
    let text = format!("and {others} (inlined code, or other instances of the function)");
    let range = merged.range(probability).map(|(least, most)| [least, most].map(shares::share));
    let range = range.filter(|[least, most]| least != most);
    let range = range.map(|[least, most]| format!("; the first probability is {least} to {most}"));
    Some(text + &range.unwrap_or_default())
}
