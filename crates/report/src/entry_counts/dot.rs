//! Writes the picture of the hot part of a call graph in Graphviz's language: the functions that take the most time, and
//! their most frequent callers. docs/src/reference/pictures.md explains the picture.

use std::cmp::Reverse;

use bpa_profile::bfi::Scaled;
use bpa_profile::calls::{CallNode, Estimate};
use bpa_profile::cfg::table;
use cranelift_entity::{EntityRef, PrimaryMap};

use super::text::{percent, reasons, total_time};
use super::{CallCount, CallTable};
use crate::dot::{brief, escaped, shortened, write_head, Heat, HOT_PATH, OFF_PATH};
use crate::WriteText;

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

/// All calls from one hot function to one callee that is also hot.
pub(super) struct HotCall {
    pub caller: CallNode,
    pub callee: CallNode,
    pub times: Scaled,
    /// Whether the caller is the most frequent caller of the callee.
    pub is_first: bool,
}

/// The hot functions and calls of a call graph. `nodes` also contains nodes that represent calls through function
/// pointers.
pub(super) struct HotPart {
    pub nodes: Vec<CallNode>,
    pub calls: Vec<HotCall>,
}

impl HotPart {
    /// Selects the `limit` functions that take the most time according to `estimate`. For each of these functions, also
    /// selects the most frequent caller, the most frequent caller of this caller, and so on. The chain of callers ends
    /// at a function that is called from outside the module. The result includes the calls between selected functions.
    pub(crate) fn of(estimate: &Estimate, calls: &CallTable, limit: usize) -> Self {
        let mut is_part: PrimaryMap<CallNode, bool> = table(estimate.counts().node_count(), false);
        for function in hottest(estimate).take(limit) {
            let mut next = Some(function);
            while let Some(node) = next.filter(|&node| !std::mem::replace(&mut is_part[node], true)) {
                next = first_caller(estimate, calls, node).map(|calls| calls.other);
            }
        }
        add_pointers(estimate, calls, &mut is_part);
        let nodes: Vec<CallNode> = is_part.iter().filter(|&(_, &part)| part).map(|(node, _)| node).collect();
        let calls = nodes.iter().flat_map(|&callee| among(estimate, calls, &is_part, callee)).collect();
        HotPart { nodes, calls }
    }
}

/// The functions with a running time above 0, in descending order of running time.
fn hottest(estimate: &Estimate) -> impl Iterator<Item = CallNode> {
    let mut functions: Vec<(Scaled, CallNode)> = estimate
        .defined()
        .map(|node| (estimate.time(node), node))
        .filter(|(time, _)| !time.is_zero())
        .collect();
    functions.sort_by_key(|&(time, node)| (Reverse(time), node));
    functions.into_iter().map(|(_, node)| node)
}

/// The most frequent caller of `node`. The result is `None` if the function is called from outside the module.
fn first_caller<'a>(estimate: &Estimate, calls: &'a CallTable, node: CallNode) -> Option<&'a CallCount> {
    let is_start = estimate.behind_pointer(node).is_none() && estimate.start(node).is_some();
    calls.callers[node].first().filter(|caller| !is_start && !caller.times.is_zero())
}

/// Adds nodes that represent calls through pointers. A node is added if it has a hot caller and a hot callee.
fn add_pointers(estimate: &Estimate, calls: &CallTable, is_part: &mut PrimaryMap<CallNode, bool>) {
    let pointers: Vec<CallNode> =
        is_part.keys().filter(|&node| estimate.behind_pointer(node).is_some()).collect();
    for pointer in pointers {
        let any =
            |list: &[CallCount]| list.iter().any(|calls| is_part[calls.other] && !calls.times.is_zero());
        is_part[pointer] |= any(&calls.callers[pointer]) && any(&calls.callees[pointer]);
    }
}

/// The calls from hot functions to `callee`, in descending order of frequency. Callers that make less than 1% of the
/// callee's calls are omitted.
fn among<'a>(
    estimate: &'a Estimate,
    calls: &'a CallTable,
    is_part: &'a PrimaryMap<CallNode, bool>,
    callee: CallNode,
) -> impl Iterator<Item = HotCall> + 'a {
    let first = first_caller(estimate, calls, callee).map(|calls| calls.other);
    let least = estimate.calls(callee) * Scaled::new(100, 0).inverse();
    let callers =
        calls.callers[callee].iter().filter(move |calls| calls.times >= least && !calls.times.is_zero());
    callers.filter(|calls| is_part[calls.other]).map(move |calls| HotCall {
        caller: calls.other,
        callee,
        times: calls.times,
        is_first: first == Some(calls.other),
    })
}
