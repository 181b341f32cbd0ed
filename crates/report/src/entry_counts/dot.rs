//! Writes the picture of the hot part of a call graph in Graphviz's language. docs/src/reference/pictures.md explains
//! the picture.

use cranelift_entity::EntityRef;

use super::hot_part::{HotCall, HotPart};
use super::text::{percent, reasons, total_time};
use super::CallTable;
use crate::dot::{brief, escaped, shortened, write_head, Heat, HOT_PATH, OFF_PATH};
use crate::WriteText;
use bpa_profile::bfi::Scaled;
use bpa_profile::calls::{CallNode, Estimate};

/// Appends the picture of the hot part of the call graph to `out`. The hot part contains the functions that take the
/// most time, and the most frequent callers of these functions. `most` limits the number of functions that are selected
/// by time.
pub fn write_call_graph_dot(module: &[u8], estimate: &Estimate, most: usize, out: &mut Vec<u8>) {
    let part = HotPart::of(estimate, &CallTable::of(estimate), most);
    let picture = Picture {
        estimate,
        total: total_time(estimate),
        time: Heat::below(part.nodes.iter().map(|&node| time(estimate, node))),
        calls: Heat::below(part.calls.iter().map(|call| call.times)),
    };
    picture.write_title(module, &part, out);
    part.nodes.iter().for_each(|&node| picture.write_node(node, out));
    part.calls.iter().for_each(|call| picture.write_call(call, out));
    out.extend_from_slice(b"}\n");
}

/// The number of instructions that a function executes, without the instructions of its callees. For a node that
/// represents a pointer, the number is 0.
fn time(estimate: &Estimate, node: CallNode) -> Scaled {
    match estimate.behind_pointer(node) {
        Some(_) => Scaled::ZERO,
        None => estimate.time(node),
    }
}

struct Picture<'a> {
    estimate: &'a Estimate,
    /// The number of instructions that all functions of the module execute.
    total: Scaled,
    time: Heat,
    calls: Heat,
}

impl Picture<'_> {
    fn write_title(&self, module: &[u8], part: &HotPart, out: &mut Vec<u8>) {
        let module = String::from_utf8_lossy(module);
        let is_function = |node: &&CallNode| self.estimate.behind_pointer(**node).is_none();
        let shown = part.nodes.iter().filter(is_function).count();
        let time = part.nodes.iter().fold(Scaled::ZERO, |sum, &node| sum + time(self.estimate, node));
        let label = format!(
            "{}: {shown} of {} functions, {:.1}% of the time\\n\
             dark: much time; thick: called often; blue: the most frequent caller",
            escaped(&shortened(&module)),
            self.estimate.defined().count(),
            percent(time, self.total),
        );
        write_head(&module, &escaped(&module), 0.4, &label, out);
    }

    fn write_node(&self, node: CallNode, out: &mut Vec<u8>) {
        let calls = self.estimate.calls(node);
        if let Some(functions) = self.estimate.behind_pointer(node) {
            let text = format!("a pointer to one of {} functions", functions.len());
            let node = node.index();
            writeln!(
                out,
                "f{node} [label=\"{text}\", shape=ellipse, style=dashed, color=\"{OFF_PATH}\", \
                     tooltip=\"{text}\\n{calls:.5} calls\"];"
            );
            return;
        }
        let function = &self.estimate.module().functions[node];
        let name = String::from_utf8_lossy(&function.name);
        let (time, (fill, ink)) = (self.estimate.time(node), self.time.colours(self.estimate.time(node)));
        let reasons: String =
            reasons(self.estimate, node).iter().map(|reason| format!("\\n{}", escaped(reason))).collect();
        writeln!(
            out,
            "f{} [label=\"{}\\n{:.1}% of time, {} calls\", fillcolor=\"{fill}\", fontcolor=\"{ink}\", \
                 color=\"{OFF_PATH}\", tooltip=\"{}\\n{calls:.5} calls, {time:.5} instructions{reasons}\"];",
            node.index(),
            escaped(&shortened(&name)),
            percent(time, self.total),
            brief(calls),
            escaped(&name),
        );
    }

    fn write_call(&self, call: &HotCall, out: &mut Vec<u8>) {
        let &HotCall { caller, callee, times, is_first } = call;
        let colour = if is_first { HOT_PATH } else { OFF_PATH };
        let all = self.estimate.calls(callee).max(times);
        writeln!(
            out,
            "f{} -> f{} [penwidth={:.2}, color=\"{colour}\", fontcolor=\"{colour}\", weight={}, \
                 label=\"  {:.0}%\", tooltip=\"{times:.5} calls\", labeltooltip=\"{times:.5} calls\"];",
            caller.index(),
            callee.index(),
            self.calls.width(times),
            if is_first { 8 } else { 1 },
            percent(times, all),
        );
    }
}
