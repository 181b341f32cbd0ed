//! Writes the JSON of option `json`: one line for each function. docs/src/reference/json.md describes the fields, and
//! docs/src/reference/schemas/bpa.schema.json defines the format.

use bpa_schema::{Analysis, Block as BlockRow, Digits, Edge, EntryCount, Format, Loop, Method};
use cranelift_entity::EntityRef;

use super::explain::EdgeReasons;
use super::names::Names;
use bpa_profile::bfi::nest::NestedLoop;
use bpa_profile::bfi::FrequencyMethod;
use bpa_profile::cfg::Block;
use bpa_profile::facts::Terminator;
use bpa_profile::profile::Profile;
use bpa_profile::rules::RuleSet;
use bpa_profile::source::FunctionSource;

/// Appends a JSON line to `out`. The line describes the function that `profile` belongs to. `source` contains the
/// source positions. If reasons are printed, `reasons` contains them.
pub fn write_json(
    names: &Names,
    source: &FunctionSource,
    profile: &Profile,
    analysis: Analysis,
    reasons: Option<EdgeReasons>,
    out: &mut Vec<u8>,
) {
    let has_frequencies = analysis == Analysis::Frequencies;
    let function = Function { names, source, profile, has_frequencies };
    let mut row = function.row();
    if let Some(EdgeReasons { reasons, cycles }) = reasons {
        // There is one reason for each edge, in the order of `row.edges`.
        for (edge, reason) in row.edges.iter_mut().zip(reasons) {
            edge.why = (edge.rule != bpa_schema::Rule::Single).then(|| Box::new(reason));
        }
        row.cycles = cycles;
    }
    write_line(&row, out);
}

/// Appends `row` as a line of JSON.
pub(super) fn write_line(row: &impl serde::Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(&mut *out, row).expect("writing to memory does not fail");
    out.push(b'\n');
}

/// The data from which a line of JSON is built.
struct Function<'a> {
    names: &'a Names<'a>,
    source: &'a FunctionSource,
    profile: &'a Profile,
    has_frequencies: bool,
}

impl<'a> Function<'a> {
    fn row(&self) -> bpa_schema::Function<'a> {
        let profile = self.profile;
        let facts = profile.facts();
        let graph = profile.graph();
        let is_exact = self.has_frequencies && profile.method() == FrequencyMethod::Exact;
        let entry_count = |entries: bpa_profile::facts::EntryCount| EntryCount {
            count: Digits(entries.count),
            synthetic: entries.synthetic,
        };
        bpa_schema::Function {
            format: Format,
            analysis: if self.has_frequencies { Analysis::Frequencies } else { Analysis::Probabilities },
            method: is_exact.then_some(Method::Exact),
            llvm: profile.dialect().version,
            predictor: Some(profile.rules().name())
                .filter(|&name| name != RuleSet::llvm().name())
                .map(Into::into),
            module: String::from_utf8_lossy(self.names.module),
            function: String::from_utf8_lossy(self.names.function),
            function_bytes: bytes_unless_text(self.names.function).map(Into::into),
            display_name: self.display_name().map(Into::into),
            source: self.source.definition.clone(),
            entry_count: facts.entry_count().map(entry_count),
            blocks: graph.blocks().map(|block| self.block_row(block)).collect(),
            edges: graph.blocks().flat_map(|block| self.edge_rows(block)).collect(),
            loops: profile.nest().loops().map(|nested| self.loop_row(nested)).collect(),
            cycles: Vec::new(),
        }
    }

    /// The function's name in the source, if it differs from the name in the IR.
    fn display_name(&self) -> Option<&'a str> {
        self.source.name.as_deref().filter(|name| name.as_bytes() != self.names.function)
    }

    fn block_row(&self, block: Block) -> BlockRow<'a> {
        let profile = self.profile;
        let bias = self.has_frequencies.then(|| profile.biases().of(block));
        BlockRow {
            name: (&*self.names.blocks[block]).into(),
            innermost: profile.nest().innermost(block).map(EntityRef::index),
            terminator: self.terminator(block),
            header_weight: profile.facts().header_weight(block).map(Digits),
            source: self.source.branch(block).cloned(),
            first: self.source.first(block).cloned(),
            searches_handler: self.source.searches_handler(block),
            lines: self.source.blocks.get(block).map_or(&[][..], |source| &source.lines).into(),
            frequency: self.has_frequencies.then(|| profile.block_frequencies().scaled(block).into()),
            integer: self.has_frequencies.then(|| Digits(profile.integer_frequency(block))),
            count: profile.count(block).filter(|_| self.has_frequencies).map(Digits),
            bias: bias.map(|bias| bias.ratio().into()),
            reference: bias.map(|bias| bias.reference.into()),
        }
    }

    /// The terminator of `block`, if it has several successors.
    fn terminator(&self, block: Block) -> Option<bpa_schema::Terminator> {
        use bpa_schema::Terminator as Name;

        let has_choice = self.profile.graph().successors(block).len() > 1;
        match self.profile.facts().blocks()[block].terminator {
            _ if !has_choice => None,
            Terminator::Branch => Some(Name::Br),
            Terminator::Switch => Some(Name::Switch),
            Terminator::IndirectBranch => Some(Name::IndirectBr),
            Terminator::Invoke => Some(Name::Invoke),
            Terminator::CallBranch => Some(Name::CallBr),
            Terminator::Exceptional => Some(Name::CatchSwitch),
            _ => None,
        }
    }

    fn edge_rows(&self, block: Block) -> impl Iterator<Item = Edge<'a>> {
        let (graph, result) = (self.profile.graph(), self.profile.branch_probabilities());
        let targets = graph.successors(block);
        let rule = if targets.len() > 1 { result.rule(block) } else { bpa_schema::Rule::Single };
        targets.iter().zip(graph.edges(block)).enumerate().map(move |(successor, (&target, edge))| {
            let probability = result.probabilities()[edge];
            Edge {
                from: block.index(),
                successor,
                to: target.index(),
                numerator: probability.numerator(),
                percent: probability.percentage(),
                weight: result.weights()[edge],
                rule,
                why: None,
            }
        })
    }

    fn loop_row(&self, nested: NestedLoop) -> Loop {
        let nest = self.profile.nest();
        Loop {
            headers: nest.headers(nested).iter().map(|header| header.index()).collect(),
            irreducible: nest.is_irreducible(nested),
            parent: nest.parent(nested).map(EntityRef::index),
            depth: nest.depth(nested),
            entries: self.has_frequencies.then(|| nest.entries(nested).into()),
            scale: self.has_frequencies.then(|| nest.scale(nested).into()),
        }
    }
}

/// The bytes of `name` in hexadecimal digits, or `None` if `name` is UTF-8.
pub(super) fn bytes_unless_text(name: &[u8]) -> Option<String> {
    match std::str::from_utf8(name) {
        Ok(_) => None,
        Err(_) => Some(name.iter().map(|byte| format!("{byte:02x}")).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_are_not_utf8_have_bytes() {
        assert_eq!(bytes_unless_text("\u{e9}\n".as_bytes()), None);
        assert_eq!(bytes_unless_text(b"\x0a\xc3"), Some("0ac3".to_string()));
    }
}
