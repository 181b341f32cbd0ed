//! `bpa audit`: compiles a program with its profile, and prints which passes damage the profile.

mod reproduce;
mod text;

use std::process::ExitCode;

use bpa_schema::{ModuleAudit, Position, WorsenedBlock};

use crate::args;
use crate::base::error::{Error, Result};
use crate::base::input::{Input, Language};
use crate::base::messages;
use crate::base::output;
use crate::base::shares;
use crate::compile::{optimisation_level, rustc_flags};
use crate::program::focus::Nearness;
use crate::program::{measured, Prediction, Program, Unit};
use crate::study::source::Sources;
use crate::toolchain::opt::{read_lines, Stage};

/// The default number of printed blocks.
const MOST: usize = 10;

pub fn run(arguments: &args::Audit) -> Result<ExitCode> {
    if let Some(pass) = &arguments.reproduce {
        reproduce::run(&arguments.program, pass)?;
        return Ok(ExitCode::SUCCESS);
    }
    let flags = &arguments.program.flags;
    let program = Program::load_at(&arguments.program, Stage::Audit)?;
    let mut audits = program.each_unit("auditing", |unit| audit(&program, unit, flags))?;
    if audits.iter().all(|audit| audit.known_blocks == 0) {
        return Err(measured::no_data(&program));
    }
    note_unoptimised(&program, flags);
    select_lines(&program, &mut audits);
    let totals = text::Totals::of(&audits);
    let limit = arguments.limit.map(usize::from);
    if arguments.json {
        audits.iter_mut().for_each(|audit| audit.blocks.truncate(limit.unwrap_or(usize::MAX)));
        output::print_json_lines(&audits)?;
    } else {
        output::print(&(totals.to_string() + &text::worst_lines(&audits, limit.unwrap_or(MOST))))?;
    }
    program.finish()?;
    let is_above = |percent: f64| totals.wrong as f64 * 100.0 > totals.executions as f64 * percent;
    Ok(if arguments.fail_above.is_some_and(is_above) { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// The audit of a compilation unit. For C and C++, the compiler has written the audit instead of the module. For Rust
/// and IR, the passes run in `opt`.
fn audit(program: &Program, unit: &Unit, flags: &[String]) -> Result<ModuleAudit<'static>> {
    let text = if unit.input.language.takes_clang() {
        std::fs::read(&unit.bitcode.path).map_err(Error::read(&unit.bitcode.path))?
    } else {
        let passes = format!("{BEGIN},default<O{}>,{}", level(&unit.input, flags), end());
        let [text] = program.run_passes(unit, &passes, &Prediction::default(), [OUTPUT])?;
        text
    };
    let mut audit = only_line(&text)?;
    audit.module = unit.input.shown().into();
    let positions = audit.blocks.iter_mut().filter_map(|block| block.source.as_mut());
    positions.flat_map(Position::frames_mut).for_each(|frame| unit.input.name_file(&program.paths, frame));
    Ok(audit)
}

const BEGIN: &str = "rust-audit<begin>";

/// The file to which the pass [`end`] writes its report.
const OUTPUT: &str = "audit";

/// The pass that ends an audit and reports all blocks.
fn end() -> String {
    format!("rust-audit<json;limit={};output={OUTPUT}>", u32::MAX)
}

fn only_line(text: &[u8]) -> Result<ModuleAudit<'static>> {
    let line = read_lines(text)?.pop();
    line.ok_or_else(|| {
        Error::advice("the plugin prints no audit", "install the plugin and the command in the same version")
    })
}

/// The optimisation level, as in `-O2`. `flags` are the user's flags.
fn level<'a>(input: &'a Input, flags: &'a [String]) -> &'a str {
    let of_rustc =
        || rustc_flags::optimisation_level(flags).or(rustc_flags::optimisation_level(input.flags()));
    let level = match input.language {
        Language::Rust => of_rustc().unwrap_or("3"),
        _ => optimisation_level(input.flags().iter().chain(flags)).unwrap_or("2"),
    };
    match level {
        "" => "1",
        "fast" | "4" => "3",
        "g" => "1",
        level => level,
    }
}

fn note_unoptimised(program: &Program, flags: &[String]) {
    let files = match program.units.iter().filter(|unit| level(&unit.input, flags) == "0").count() {
        0 => return,
        1 => "1 file is".to_string(),
        count => format!("{} are", shares::plural(count, "file")),
    };
    messages::note(&format!("{files} compiled at level 0, which has almost no passes to audit"));
}

/// Keeps the blocks at the positions that the user selects.
fn select_lines(program: &Program, audits: &mut [ModuleAudit]) {
    let sources = Sources::default();
    for audit in audits {
        let blocks = std::mem::take(&mut audit.blocks);
        audit.blocks =
            program.focus.select(blocks, "block", &program.paths, |block: &WorsenedBlock, spot| {
                let Some(position) = &block.source else { return Nearness::Elsewhere };
                let own = program.nearness(&position.frame, true, spot, &sources);
                let calls = position.inlined_at.iter().map(|call| program.nearness_of_call(call, spot));
                calls.fold(own, Nearness::max)
            });
    }
}
