//! What the passes do with one function.

use std::io::Write;

use super::border::guard;
use super::profile::{Profile, ProfileCell};
use super::request::{Action, Analysis, Request};
use crate::dialect::Dialect;
use crate::ir::{BlockNames, LiveFunction};
use crate::report;

/// Whether a pass changed the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Changed {
    No,
}

/// Does what `request` asks for to `live`, whose profile is in `cell`.
pub(super) fn run(request: Request, live: &LiveFunction, cell: &ProfileCell) -> Changed {
    let subject = || format!("function '{}'", String::from_utf8_lossy(live.name()));
    guard(request.analysis.name(), subject, || {
        match request.action {
            Action::Print => print(request.analysis, live, &cell.require(live)),
            Action::Require => drop(cell.require(live)),
            Action::Invalidate => cell.invalidate(),
        }
        Changed::No
    })
}

/// Prints to stderr, where LLVM's printers print.
fn print(analysis: Analysis, live: &LiveFunction, profile: &Profile) {
    let dialect = Dialect::host();
    let names = BlockNames::new(live, dialect.block_names);
    let write_name = |block, page: &mut Vec<u8>| names.write(block, page);
    let graph = &profile.snapshot.graph;
    let mut page = Vec::new();
    match analysis {
        Analysis::Probabilities => {
            write_header(dialect.probability_header, live, &mut page);
            report::write_probabilities(graph, &profile.probabilities, write_name, &mut page);
        }
    }
    if let Err(error) = std::io::stderr().lock().write_all(&page) {
        log::debug!("cannot write to stderr: {error}");
    }
}

fn write_header(header: &str, live: &LiveFunction, page: &mut Vec<u8>) {
    for part in [header.as_bytes(), b" '", live.name(), b"':\n"] {
        page.extend_from_slice(part);
    }
}
