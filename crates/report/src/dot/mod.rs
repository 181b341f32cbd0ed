//! Writes the picture of option `dot`: a function's control-flow graph in Graphviz's language.
//! docs/src/reference/pictures.md explains the picture.
//!
//! | file | task |
//! | --- | --- |
//! | `heat` | maps frequencies to colours and widths |
//! | `hot_path` | finds the likeliest path through the function |
//! | `text` | formats labels |

mod heat;
mod hot_path;
mod text;

use bpa_profile::bfi::nest::NestedLoop;
use bpa_profile::bfi::Scaled;
use bpa_profile::cfg::{table, Block};
use bpa_profile::profile::Profile;
use bpa_profile::source::FunctionSource;
use cranelift_entity::{EntityRef, PrimaryMap};
use hot_path::HotPath;
use text::percent;

use super::names::{edge_positions, Names};
use super::WriteText;
use crate::successors::{Successor, Successors};
pub(super) use heat::Heat;
pub(super) use text::{brief, escaped, shortened};

/// The colour of the hot path. This blue is dark in grey print, and differs from all colours of the scale.
pub(super) const HOT_PATH: &str = "#0b4fa0";
/// The colour of blocks and arrows that are not on the hot path.
pub(super) const OFF_PATH: &str = "#6b6b6b";
/// The background colour of loops. This colour is transparent, so nested loops are darker.
const LOOP: &str = "#00306014";

/// Appends the picture of the function of `profile` to `out`. The argument `source` contains the source positions.
pub fn write_dot(names: &Names, source: &FunctionSource, profile: &Profile, out: &mut Vec<u8>) {
    let (graph, frequencies) = (profile.graph(), profile.block_frequencies());
    let arrows = collect_arrows(profile);
    let heat = Heat::new(graph.blocks().map(|block| frequencies.scaled(block)));
    let hot_path = HotPath::new(graph.block_count(), &arrows, profile.nest());
    let picture = Picture { names, source, profile, heat, hot_path };
    picture.write_title(out);
    picture.write_blocks(out);
    for (place, arrow) in arrows.iter().enumerate() {
        picture.write_arrow(arrow, picture.hot_path.has_arrow(place), out);
    }
    out.extend_from_slice(b"}\n");
}

/// Appends the first lines of a DOT graph to `out`. `name` is the name of the graph. The texts `tooltip` and `label`
/// must already be escaped. `ranksep` is the distance between ranks, in inches.
pub(super) fn write_head(name: &str, tooltip: &str, ranksep: f64, label: &str, out: &mut Vec<u8>) {
    writeln!(
        out,
        "digraph \"{}\" {{\n\
         graph [fontname=\"Helvetica,Arial,sans-serif\", fontsize=12, labelloc=t, nodesep=0.3, ranksep={ranksep}, \
         tooltip=\"{tooltip}\",\n\
         label=\"{label}\\n \"];\n\
         node [fontname=\"Helvetica,Arial,sans-serif\", fontsize=11, shape=box, style=\"filled,rounded\", \
         margin=\"0.12,0.05\", height=0.3];\n\
         edge [fontname=\"Helvetica,Arial,sans-serif\", fontsize=9, arrowsize=0.7];",
        escaped(name),
    );
}

struct Picture<'a> {
    names: &'a Names<'a>,
    source: &'a FunctionSource,
    profile: &'a Profile,
    heat: Heat,
    hot_path: HotPath,
}

impl Picture<'_> {
    fn write_title(&self, out: &mut Vec<u8>) {
        let function = String::from_utf8_lossy(self.names.function);
        let graph = self.profile.graph();
        let (name, blocks) = (escaped(&shortened(&function)), graph.block_count());
        let hottest = graph
            .blocks()
            .max_by_key(|&block| (self.profile.block_frequencies().scaled(block), std::cmp::Reverse(block)));
        let hottest = hottest.unwrap_or(graph.entry());
        let (hot_name, runs) = (self.name(hottest), self.profile.block_frequencies().scaled(hottest));
        let noun = if blocks == 1 { "block" } else { "blocks" };
        let label = format!(
            "{name}: {blocks} {noun}, hottest {hot_name} with {} runs per call\\n\
             dark: runs often; thick: taken often; blue: the likeliest path",
            brief(runs),
        );
        write_head(&function, &name, 0.35, &label, out);
    }

    /// Writes all blocks. The blocks of a loop are inside the loop's cluster.
    fn write_blocks(&self, out: &mut Vec<u8>) {
        let nest = self.profile.nest();
        let mut own: PrimaryMap<NestedLoop, Vec<Block>> = table(nest.loops().len(), Vec::new());
        for block in self.profile.graph().blocks() {
            match nest.innermost(block) {
                Some(around) => own[around].push(block),
                None => self.write_block(block, out),
            }
        }
        let mut inner: PrimaryMap<NestedLoop, Vec<NestedLoop>> = table(nest.loops().len(), Vec::new());
        // A stack of loops. When a loop is at the top of the stack for the first time, the start of its cluster is
        // written. When the loop is at the top of the stack again, the end of its cluster is written.
        let mut pending: Vec<NestedLoop> = Vec::new();
        for nested in nest.loops().rev() {
            match nest.parent(nested) {
                Some(parent) => inner[parent].push(nested),
                None => pending.push(nested),
            }
        }
        let mut open: Vec<NestedLoop> = Vec::new();
        while let Some(&nested) = pending.last() {
            if open.last() == Some(&nested) {
                out.extend_from_slice(b"}\n");
                open.pop();
                pending.pop();
                continue;
            }
            self.write_cluster_head(nested, out);
            own[nested].iter().for_each(|&block| self.write_block(block, out));
            open.push(nested);
            pending.append(&mut inner[nested]);
        }
    }

    fn write_cluster_head(&self, nested: NestedLoop, out: &mut Vec<u8>) {
        let nest = self.profile.nest();
        let (iterations, entries) = (nest.scale(nested), nest.entries(nested));
        let kind = match nest.headers(nested).len() {
            1 => "loop".to_string(),
            headers => format!("irreducible loop of {headers} headers"),
        };
        let headers: Vec<String> =
            nest.headers(nested).iter().take(8).map(|&header| self.name(header)).collect();
        writeln!(
            out,
            "subgraph cluster_{} {{\ngraph [label=\"{kind}, {} iterations\", labeljust=l, fontsize=9, \
             style=\"filled,rounded\", color=\"#9aa5b1\", fillcolor=\"{LOOP}\", \
             tooltip=\"{kind} at {}\\nentered {entries:.5} times per call, {iterations:.5} iterations per entry\"];",
            nested.index(),
            brief(iterations),
            headers.join(", "),
        );
    }

    fn write_block(&self, block: Block, out: &mut Vec<u8>) {
        let (frequencies, biases) = (self.profile.block_frequencies(), self.profile.biases());
        let name = &self.names.blocks[block];
        let runs = frequencies.scaled(block);
        let (fill, ink) = self.heat.colours(runs);
        let (outline, width) = if self.hot_path.has_block(block) { (HOT_PATH, 2.5) } else { (OFF_PATH, 0.8) };
        let count = self.profile.count(block).map(|count| format!("\\ncount {count}")).unwrap_or_default();
        let place = self.source.first(block).map(|first| format!("\\nat {}", escaped(&first.to_string())));
        writeln!(
            out,
            "b{} [label=\"{}\\n{}{count}\", fillcolor=\"{fill}\", fontcolor=\"{ink}\", color=\"{outline}\", \
             penwidth={width}, tooltip=\"{}\\n{runs:.5} runs per call, integer {}{count}\\nbias {:.5}{}\"];",
            block.index(),
            escaped(&shortened(name)),
            brief(runs),
            escaped(name),
            frequencies.integer(block),
            biases.of(block).ratio(),
            place.unwrap_or_default(),
        );
    }

    fn write_arrow(&self, arrow: &Arrow, hot: bool, out: &mut Vec<u8>) {
        let &Arrow { source, successor: Successor { target, probability, .. }, .. } = arrow;
        let colour = if hot { HOT_PATH } else { OFF_PATH };
        let style = if probability.is_zero() { "dashed" } else { "solid" };
        let reason = self.reason(arrow);
        // A back edge is written from its target to its source, and `dir=back` reverses the arrow. Graphviz therefore
        // places the target of a back edge above its source, and the entry block at the top.
        let tree = self.profile.graph().tree();
        let goes_back = source != target && tree.reaches(source) && tree.is_ancestor(target, source);
        let (above, below, head) =
            if goes_back { (target, source, "back") } else { (source, target, "forward") };
        write!(
            out,
            "b{} -> b{} [dir={head}, penwidth={:.2}, color=\"{colour}\", style={style}, weight={}, \
                 tooltip=\"{reason}\", labeltooltip=\"{reason}\"",
            above.index(),
            below.index(),
            self.heat.width(arrow.flow),
            if hot { 8 } else { 1 },
        );
        if !arrow.is_alone {
            let percent = percent(probability);
            write!(out, ", label=\"  {percent}\", fontcolor=\"{colour}\"");
        }
        out.extend_from_slice(b"];\n");
    }

    /// The tooltip of an arrow.
    fn reason(&self, arrow: &Arrow) -> String {
        let &Arrow { source, successor: Successor { target, probability, edges, weight, .. }, .. } = arrow;
        let (from, to) = (self.name(source), self.name(target));
        let taken = format!("{from} -> {to}\\ntaken {:.5} times per call", arrow.flow);
        if arrow.is_alone {
            return taken;
        }
        let rule = self.profile.rule(source).unwrap_or_default();
        let edges = if edges > 1 { format!(", {edges} edges") } else { String::new() };
        let numerator = probability.numerator();
        let place = edge_positions(self.source.branch(source), self.source.first(target));
        let place = place.map(|words| format!("\\n{}", escaped(&words))).unwrap_or_default();
        format!("{taken}\\nrule: {rule}, weight {weight}, 0x{numerator:08x} / 0x80000000{edges}{place}")
    }

    fn name(&self, block: Block) -> String {
        escaped(&self.names.blocks[block])
    }
}

/// All edges from one block to another block. The picture shows these edges as one arrow.
pub(super) struct Arrow {
    pub source: Block,
    pub successor: Successor,
    /// Whether all edges of the source block lead to this successor.
    pub is_alone: bool,
    /// The mean number of executions of the edges per call of the function.
    pub flow: Scaled,
}

/// The arrows of a function, sorted by source block. The arrows of a block are in the order of the block's successors.
pub(super) fn collect_arrows(profile: &Profile) -> Vec<Arrow> {
    let mut successors = Successors::new(profile);
    let mut arrows: Vec<Arrow> = Vec::new();
    for source in profile.graph().blocks() {
        let successors = successors.of(source);
        let is_alone = successors.len() == 1;
        let frequency = profile.block_frequencies().scaled(source);
        arrows.extend(successors.into_iter().map(|successor| {
            let flow = frequency * Scaled::new(successor.probability.numerator().into(), -31);
            Arrow { source, successor, is_alone, flow }
        }));
    }
    arrows
}
