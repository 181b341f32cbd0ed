//! Writes the report of an audit: which passes damage the profile.

use std::sync::Arc;

use bpa_profile::audit::{Audit, Charges, Worsening};
use bpa_profile::source::Position;
use bpa_schema::{AuditAnalysis, AuditedPass, Format, ModuleAudit, WorsenedBlock};
use cranelift_entity::EntityRef;

use crate::json::write_line;
use crate::WriteText;

/// A block at the beginning of an audit.
#[derive(Clone, Debug)]
pub struct AuditedBlock {
    /// The name of the function that contained the block.
    pub function: Arc<str>,
    /// The name of the block as an operand.
    pub name: String,
    /// The position of the beginning of the block.
    pub position: Option<Position>,
}

/// The audit of a module.
pub struct AuditReport<'a> {
    /// The name of the module.
    pub module: &'a str,
    /// The LLVM version.
    pub llvm: u32,
    /// The result.
    pub audit: &'a Audit,
    /// The blocks of the probes.
    pub blocks: &'a [AuditedBlock],
    /// The greatest number of blocks to list.
    pub limit: usize,
}

impl AuditReport<'_> {
    fn worsenings(&self) -> impl Iterator<Item = (Worsening, &AuditedBlock, &str)> {
        let names: Vec<&str> = self.audit.passes().map(|(name, _)| name).collect();
        let worsenings = self.audit.worsenings().into_iter().take(self.limit);
        worsenings.map(move |one| (one, &self.blocks[one.probe.index()], names[one.pass]))
    }
}

/// Limits a count to 64 bits.
fn fit(count: u128) -> u64 {
    count.try_into().unwrap_or(u64::MAX)
}

fn fit_signed(count: i128) -> i64 {
    count.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

/// Appends a line of JSON.
pub fn write_audit_json(report: &AuditReport, out: &mut Vec<u8>) {
    let (totals, begin) = (report.audit.totals(), report.audit.totals_at_begin());
    let pass = |(name, charges): (&str, &Charges)| AuditedPass {
        pass: name.to_string().into(),
        wrong: fit_signed(charges.wrong()),
        worse: fit(charges.worse),
        better: fit(charges.better),
        wrong_exact: fit_signed(charges.wrong_exact),
        lost: fit_signed(charges.lost),
        weights: charges.weights,
        unknown: charges.unknown,
        stale: charges.stale,
    };
    let block = |(one, block, pass): (Worsening, &AuditedBlock, &str)| WorsenedBlock {
        function: block.function.to_string().into(),
        block: block.name.clone().into(),
        source: block.position.clone(),
        executions: one.executions,
        pass: pass.to_string().into(),
        before: fit(one.before),
        after: fit(one.after),
        end: fit(one.now),
    };
    let row = ModuleAudit {
        format: Format,
        analysis: AuditAnalysis::Audit,
        llvm: report.llvm,
        module: report.module.into(),
        known_blocks: report.audit.known_count() as u64,
        unknown_blocks: report.audit.unknown_count() as u64,
        executions: fit(totals.executions),
        wrong: fit(totals.wrong),
        wrong_exact: fit(totals.wrong_exact),
        lost: fit(totals.lost),
        wrong_at_begin: fit(begin.wrong),
        passes: report.audit.passes().map(pass).collect(),
        blocks: report.worsenings().map(block).collect(),
    };
    write_line(&row, out);
}

/// Appends the report as text.
pub fn write_audit(report: &AuditReport, out: &mut Vec<u8>) {
    let (totals, begin) = (report.audit.totals(), report.audit.totals_at_begin());
    writeln!(out, "Audit of module '{}':", report.module);
    let (known, unknown) = (report.audit.known_count(), report.audit.unknown_count());
    if known == 0 {
        writeln!(out, "  no function has a profile\n");
        return;
    }
    let share = |count: u128| format!("{count} ({:.2}%)", percent(count, totals.executions));
    writeln!(out, "  executions: {} of {known} blocks; {unknown} blocks are unknown", totals.executions);
    writeln!(
        out,
        "  wrong at the end: {}; with exact frequencies: {}",
        share(totals.wrong),
        share(totals.wrong_exact)
    );
    writeln!(out, "  wrong at the beginning: {}", share(begin.wrong));
    writeln!(out, "  lost: {}", share(totals.lost));
    let rows: Vec<_> = report.audit.passes().filter(|(_, charges)| **charges != Charges::default()).collect();
    if rows.is_empty() {
        writeln!(out, "  no pass changed the executions, the weights or stale results\n");
        return;
    }
    let titles = ["wrong", "%", "worse", "better", "exact", "lost", "weights", "unknown", "stale", "pass"];
    let mut table: Vec<[String; 10]> = vec![titles.map(String::from)];
    for (name, charges) in rows {
        let share = percent(charges.wrong().unsigned_abs(), totals.executions);
        let sign = if charges.wrong() < 0 { "-" } else { "" };
        table.push([
            format!("{:+}", charges.wrong()),
            format!("{sign}{share:.2}"),
            charges.worse.to_string(),
            charges.better.to_string(),
            format!("{:+}", charges.wrong_exact),
            format!("{:+}", charges.lost),
            charges.weights.to_string(),
            charges.unknown.to_string(),
            charges.stale.to_string(),
            name.to_string(),
        ]);
    }
    let width = |column: usize| table.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..9).map(width).collect();
    for row in &table {
        for (cell, width) in row.iter().zip(&widths) {
            write!(out, "  {cell:>width$}");
        }
        writeln!(out, "  {}", row[9]);
    }
    for (one, block, pass) in report.worsenings() {
        match &block.position {
            Some(position) => write!(out, "  {position}: "),
            None => write!(out, "  "),
        }
        let AuditedBlock { function, name, .. } = block;
        writeln!(
            out,
            "block {name} of '{function}' ran {} times; after {pass} LLVM assumes {}, before {}, at the end {}",
            one.executions, one.after, one.before, one.now
        );
    }
    out.push(b'\n');
}

/// The percentage. If nothing was executed, the result is 0.
fn percent(part: u128, whole: u128) -> f64 {
    if whole == 0 {
        0.0
    } else {
        100.0 * part as f64 / whole as f64
    }
}
