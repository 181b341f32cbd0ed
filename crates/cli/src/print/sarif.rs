//! Prints SARIF 2.1.0 (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/>) for code-scanning services.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;

use serde_sarif::sarif::{
    ArtifactChange, ArtifactContent, ArtifactLocation, Fix, Location, Message, MultiformatMessageString,
    PhysicalLocation, PropertyBag, Region, Replacement, ReportingDescriptor, Result as SarifResult,
    ResultLevel, Run, Sarif, Tool, ToolComponent,
};

use bpa_schema::Frame;

use crate::base::error::Result;
use crate::base::{messages, output, shares};
use crate::print::diagnostic;
use crate::study::merged::SourceBranch;
use crate::study::source::{SourceCondition, Sources};

/// The name of the current directory in SARIF documents. Relative paths start at this directory.
const BASE: &str = "SRCROOT";

/// A kind of finding.
pub struct Rule {
    pub id: &'static str,
    /// A sentence about the findings of this rule.
    pub description: &'static str,
}

/// A finding at a position of the source.
#[derive(Clone, Debug, Default)]
pub struct Finding {
    /// The `id` of the [`Rule`].
    pub rule: &'static str,
    /// True for a warning, false for a note.
    pub is_warning: bool,
    pub message: String,
    pub span: Span,
    /// The replacements of one edit: each item is a part of the file and its new text. The edit must be safe to apply
    /// without a review.
    pub edits: Vec<(Span, String)>,
    /// Additional data about the finding, by name.
    pub properties: serde_json::Map<String, serde_json::Value>,
}

/// A range of text in a file. Lines and columns start at 1, and 0 means unknown. `end_column` is the column after the
/// last character.
#[derive(Clone, Debug, Default)]
pub struct Span {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl Span {
    /// The range of the condition at `frame`. If the source file is missing, the result is the position of `frame`.
    pub fn of(frame: &Frame, sources: &Sources) -> Self {
        let place =
            Span { file: frame.file.to_string(), line: frame.line, column: frame.column, ..Span::default() };
        let Some(condition) = diagnostic::condition_of(frame, false, sources) else { return place };
        let SourceCondition { first_line, text, span, .. } = condition;
        // Debug information counts columns in bytes. SARIF counts columns in characters.
        let column = |byte: usize| {
            let start = text[..byte].rfind('\n').map_or(0, |end| end + 1);
            u32::try_from(text[start..byte].chars().count() + 1).unwrap_or(0)
        };
        let [start, end] = [span.start, span.end].map(column);
        Span { line: first_line, column: start, end_line: frame.line, end_column: end, ..place }
    }
}

/// Code-scanning services accept a few thousand findings per run.
pub const MOST: usize = 1000;

/// Keeps at most `limit` of the `branches`, or at most [`MOST`] if there is no limit. Branches without a position are
/// removed first. Prints notes about removed branches.
pub fn limit(branches: &mut Vec<SourceBranch>, limit: Option<NonZeroUsize>) {
    let all = branches.len();
    branches.retain(|one| one.first().position().is_some());
    let without_line = all - branches.len();
    if without_line > 0 {
        messages::note(&format!("omitted {} without a source line", shares::plural(without_line, "branch")));
    }
    let (all, most) = (branches.len(), limit.map_or(MOST, NonZeroUsize::get));
    branches.truncate(most);
    if all > most {
        let all = shares::grouped(all);
        messages::note(&format!("the first {most} of {all} findings are printed; --limit prints more"));
    }
}

/// Prints a SARIF document with `findings`.
pub fn print(rules: &[Rule], findings: &[Finding]) -> Result<()> {
    let current = std::env::current_dir().unwrap_or_else(|_| "/".into());
    let text = serde_json::to_string_pretty(&document(rules, findings, &current))
        .expect("a document is serializable");
    output::print(&(text + "\n"))
}

fn document(rules: &[Rule], findings: &[Finding], current: &Path) -> Sarif {
    let rule = |rule: &Rule| {
        let text = MultiformatMessageString::builder().text(rule.description).build();
        ReportingDescriptor::builder().id(rule.id).short_description(text).build()
    };
    let driver = ToolComponent::builder()
        .name("bpa")
        .version(env!("CARGO_PKG_VERSION"))
        .rules(rules.iter().map(rule).collect::<Vec<_>>())
        .build();
    let base = format!("file://{}/", encoded(&current.display().to_string()));
    let base = ArtifactLocation::builder().uri(base).build();
    let run = Run::builder()
        .tool(Tool::builder().driver(driver).build())
        .original_uri_base_ids(BTreeMap::from([(BASE.to_string(), base)]))
        .column_kind(serde_json::json!("unicodeCodePoints"))
        .results(findings.iter().map(result).collect::<Vec<_>>())
        .build();
    Sarif::builder().version(serde_json::json!("2.1.0")).schema(SCHEMA).runs(vec![run]).build()
}

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

fn result(finding: &Finding) -> SarifResult {
    let place = PhysicalLocation::builder()
        .artifact_location(artifact(&finding.span.file))
        .region(region(&finding.span))
        .build();
    let mut result = SarifResult::builder()
        .rule_id(finding.rule)
        .message(Message::builder().text(finding.message.clone()).build())
        .level(if finding.is_warning { ResultLevel::Warning } else { ResultLevel::Note })
        .build();
    // A branch without debug information has no location.
    if !finding.span.file.is_empty() {
        result.locations = Some(vec![Location::builder().physical_location(place).build()]);
    }
    if !finding.edits.is_empty() {
        result.fixes = Some(vec![fix(&finding.edits)]);
    }
    if !finding.properties.is_empty() {
        let properties = finding.properties.clone().into_iter().collect::<BTreeMap<_, _>>();
        result.properties = Some(PropertyBag::builder().additional_properties(properties).build());
    }
    result
}

fn fix(edits: &[(Span, String)]) -> Fix {
    let replacement = |(span, text): &(Span, String)| {
        let content = ArtifactContent::builder().text(text.clone()).build();
        Replacement::builder().deleted_region(region(span)).inserted_content(content).build()
    };
    let file = edits.first().map_or("", |(span, _)| &span.file);
    let change = ArtifactChange::builder()
        .artifact_location(artifact(file))
        .replacements(edits.iter().map(replacement).collect::<Vec<_>>())
        .build();
    Fix::builder().artifact_changes(vec![change]).build()
}

/// The location of a file. The base folder of a relative path is the current directory.
fn artifact(file: &str) -> ArtifactLocation {
    match file.starts_with('/') {
        true => ArtifactLocation::builder().uri(format!("file://{}", encoded(file))).build(),
        false => ArtifactLocation::builder().uri(encoded(file)).uri_base_id(BASE).build(),
    }
}

fn region(span: &Span) -> Region {
    let known = |number: u32| (number > 0).then_some(i64::from(number));
    let mut region = Region::builder().build();
    // SARIF has no line 0. A finding without a line is reported at line 1.
    region.start_line = Some(i64::from(span.line.max(1)));
    region.start_column = known(span.column);
    region.end_line = known(span.end_line);
    region.end_column = known(span.end_column);
    region
}

fn encoded(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~+".contains(&byte);
    let encode =
        |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.bytes().map(encode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_contains_the_findings() {
        let rules = [Rule { id: "misprediction", description: "The prediction is wrong." }];
        let span = Span { file: "src/a b.c".into(), line: 7, column: 3, end_line: 7, end_column: 9 };
        let found = Finding {
            rule: "misprediction",
            is_warning: true,
            message: "62.5% predicted, 1% measured".into(),
            span: span.clone(),
            edits: vec![(span, "x".into())],
            properties: serde_json::Map::from_iter([("executions".to_string(), serde_json::json!(12))]),
        };
        let text = serde_json::to_string(&document(&rules, &[found, Finding::default()], Path::new("/p")))
            .expect("text");
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let run = &value["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "misprediction");
        assert_eq!(run["originalUriBaseIds"]["SRCROOT"]["uri"], "file:///p/");
        let location = &run["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(location["artifactLocation"]["uri"], "src/a%20b.c");
        assert_eq!(location["region"]["endColumn"], 9);
        assert_eq!(run["results"][0]["properties"]["executions"], 12);
        let change = &run["results"][0]["fixes"][0]["artifactChanges"][0];
        assert_eq!(change["replacements"][0]["insertedContent"]["text"], "x");
        assert!(run["results"][1].get("locations").is_none());
        let _: Sarif = serde_json::from_str(&text).expect("the document is valid SARIF");
    }
}
