//! Prints hints as text: totals, and each hint in the form of a compiler diagnostic.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};

use super::data;
use super::finding;
use super::ranking::{Counts, Ranking};
use crate::base::shares;
use crate::study::source::{self, SourceText};
use bpa_schema::{HintFix, HintPlace, HintReplacement, SourceHint};

/// The text that `bpa hints` prints: totals and hints.
pub fn list(ranking: &Ranking, findings: &[SourceHint]) -> String {
    let mut text = totals(ranking, findings) + "\n";
    for finding in findings {
        text += &format!("\n{}\n", Renderer::styled().render(&groups(finding)));
    }
    text
}

/// The summary lines. They contain three totals: all misses, avoidable misses, and misses that `findings` avoid.
fn totals(ranking: &Ranking, findings: &[SourceHint]) -> String {
    let measured = &ranking.measured;
    let avoided = shares::grouped(data::avoided(findings).0);
    let [misses, executions, avoidable] =
        [measured.misses, measured.executions, measured.avoidable_misses].map(count);
    let more = ranking.hints.len() - findings.len();
    let more = if more > 0 {
        format!("; {}", shares::plural(more, "more place")) + " with --limit"
    } else {
        String::new()
    };
    format!(
        "{misses} of {executions} branch executions do not go to the successor that the compiler predicts; \
         {avoidable} of them are avoidable.\n\
         Hints at {} avoid {avoided} of these {avoidable}{more}.\n\
         (Avoidable mispredictions would not occur with the best fixed prediction of each branch.)",
        shares::plural(findings.len(), "place"),
    )
}

fn count(number: f64) -> String {
    shares::grouped(finding::whole(number).0)
}

/// The notes for standard error: the number of omitted hints, and the number of unprofiled functions. `without_edit`
/// contains the omitted hints that have no edit. Hints with an edit come first in the list.
pub fn summary(ranking: &Ranking, without_edit: &[SourceHint], counts: Counts) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = |text: String| lines.push(text);
    if !without_edit.is_empty() {
        let places = shares::plural(without_edit.len(), "place");
        let avoided = shares::grouped(data::avoided(without_edit).0);
        line(format!(
            "left out: {places} without an edit, {avoided} avoidable misses (--json prints the reasons)"
        ));
    }
    if ranking.system.places > 0 {
        let (places, avoided) =
            (shares::plural(ranking.system.places, "place"), count(ranking.system.avoided));
        line(format!(
            "left out: {places} in system headers, {avoided} avoidable misses (--system shows these places)"
        ));
    }
    if ranking.inexpressible.places > 0 {
        let places = shares::plural(ranking.inexpressible.places, "place");
        let avoided = count(ranking.inexpressible.avoided);
        line(format!(
            "left out: {places} with {avoided} avoidable misses (the language has no hint for these places)"
        ));
    }
    let unprofiled = counts.functions.all - counts.functions.profiled;
    if unprofiled > 0 {
        let [unprofiled, all] = [unprofiled, counts.functions.all].map(shares::grouped);
        let branches = shares::plural(counts.never_ran_branches, "branch");
        line(format!(
            "without a profile: {unprofiled} of {all} functions; {branches} of the other functions never ran"
        ));
    }
    lines
}

fn groups(finding: &SourceHint) -> Vec<Group<'static>> {
    let [avoided, executions] =
        [finding.avoided_misses, finding.executions].map(|count| shares::grouped(count.0));
    let title = format!("avoids {avoided} misses in {executions} executions");
    let mut group = Group::with_title(Level::INFO.with_name("hint").primary_title(title));
    group = match &finding.place {
        Some(location) => at(group, location, finding),
        None => group.element(Level::NOTE.message(finding.message.clone())),
    };
    let instances = match finding.instances {
        1 => String::new(),
        count => format!(", {count} instances or copies"),
    };
    group = group.element(Level::NOTE.message(format!("in {}{instances}", finding.function)));
    match &finding.fix {
        Some(fix) => vec![group, suggestion(fix, finding)],
        None => vec![group.element(Level::HELP.message(finding.advice.clone()))],
    }
}

/// Adds the source line, and underlines the condition. If the file cannot be read, adds only the position.
fn at(group: Group<'static>, location: &HintPlace, finding: &SourceHint) -> Group<'static> {
    let text = std::fs::read(&location.file).ok().map(|bytes| SourceText::new(bytes, location.file.as_ref()));
    let lines = text.as_ref().and_then(|text| Some((text, text.line(location.line)?)));
    let origin = || {
        let origin = Origin::path(location.file.clone()).line(location.line as usize);
        if location.column > 0 {
            origin.char_column(location.column as usize)
        } else {
            origin
        }
    };
    let Some((text, line)) = lines else {
        return group.element(origin()).element(Level::NOTE.message(finding.message.clone()));
    };
    let offset = |column: u32| (column.saturating_sub(1) as usize).min(line.len());
    let known = location.end_line.zip(location.end_column).map(|(end_line, end_column)| {
        let end = if end_line == location.line { offset(end_column) } else { line.len() };
        offset(location.column).min(end)..end
    });
    let is_text = |span: &Range<usize>| line.get(span.clone()).is_some();
    let known = known.filter(is_text);
    let (first_line, line, span) = match known {
        Some(span) => (location.line, line.to_string(), span),
        None => match text.condition(location.line, location.column, false) {
            Some(condition) => (condition.first_line, condition.text, condition.span),
            None => (location.line, line.to_string(), 0..0),
        },
    };
    let (shown, span) = source::shown(&line, span);
    let is_whole = shown == line;
    let annotation = AnnotationKind::Primary.span(span).label(finding.message.clone());
    let snippet = Snippet::source(shown).line_start(first_line as usize).annotation(annotation);
    match is_whole {
        true => group.element(snippet.path(location.file.clone())),
        // The snippet begins in the middle of a long source line, and its first column is column 1 of the snippet.
        // Therefore a separate line shows the position in the source file.
        false => group.element(origin()).element(snippet),
    }
}

fn suggestion(fix: &HintFix, finding: &SourceHint) -> Group<'static> {
    let lines: Vec<&str> = fix.before.split_inclusive('\n').collect();
    let offset = |line: u32, column: u32| {
        let start: usize = lines.iter().take((line - fix.first_line) as usize).map(|line| line.len()).sum();
        start + column.saturating_sub(1) as usize
    };
    let patch = |one: &HintReplacement| {
        Patch::new(offset(one.line, one.column)..offset(one.end_line, one.end_column), one.text.clone())
    };
    let snippet = Snippet::source(fix.before.clone())
        .line_start(fix.first_line as usize)
        .patches(fix.replacements.iter().map(patch));
    Group::with_title(Level::HELP.secondary_title(finding.advice.clone())).element(snippet)
}
