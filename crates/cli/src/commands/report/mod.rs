//! `bpa report`: writes one self-contained HTML file.

mod branches;
mod data;
mod entry;
mod function;
mod page;
mod ranking;
mod texts;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use bpa_schema::FORMAT;

use crate::args;
use crate::base::error::{Error, Result};
use crate::base::messages;
use crate::base::output;
use crate::base::shares;
use crate::program::executables;
use crate::program::functions::{FunctionCounts, OwnFunctions};
use crate::program::{Prediction, Program};

pub fn run(arguments: &args::Report) -> Result<()> {
    if (arguments.open || arguments.json) && arguments.output == Path::new(output::STANDARD_OUTPUT) {
        return Err(Error::advice(
            "a page on the standard output cannot be combined with --open or --json",
            "omit these options, or name a file with -o",
        ));
    }
    if is_other_file(&arguments.output) {
        return Err(Error::advice(
            format!("{} exists and is not an HTML page", arguments.output.display()),
            "name another file with -o",
        ));
    }
    output::require_writable(&arguments.output)?;
    let prediction = Prediction::from_arguments(&arguments.prediction)?;
    let other = arguments
        .against
        .map(|version| Prediction::new(Some(version), arguments.prediction.predictor.as_deref()))
        .transpose()?;
    let program = Program::load(&arguments.program)?;
    let (mut modules, others) = match &other {
        Some(other) => {
            program.analyse_both(&prediction, other, true).map(|(one, other)| (one, Some(other)))?
        }
        None => (program.analyse(&prediction, true)?, None),
    };
    if program.profile.is_some() {
        program.require_data(&modules)?;
        let functions = modules.iter().flat_map(|module| &module.functions);
        let FunctionCounts { all, profiled } = OwnFunctions::of(&program, functions).counts();
        let (profiled, all) = (shares::grouped(profiled), shares::plural(all, "own function"));
        messages::note(&format!("the profile has data about {profiled} of {all}"));
    }
    let executables = executables::estimate_whole(&program, &prediction, &mut modules)?;
    if program.profile.is_none() {
        executables.note();
    }
    let host = program.opt.toolchain.version;
    let report = data::Report::new(&program, &modules, others.as_deref());
    let lines = report.lines(&data::Names {
        title: title(arguments),
        prediction: prediction.name(host),
        against: other.map(|other| other.name(host)),
        estimated: executables.in_words(),
        is_whole: !executables.names.is_empty(),
    });
    let page = page::page(&title(arguments), &lines);
    output::write(&arguments.output, page.as_bytes())?;
    let count = report.function_count();
    let functions = if count == 1 { "function" } else { "functions" };
    let (count, kilobytes) = (shares::grouped(count), page.len().div_ceil(1000));
    let size = shares::grouped(kilobytes);
    let next = if arguments.open { "" } else { "; open it in a browser" };
    messages::note(&format!("{}: {count} {functions}, {size} kB{next}", arguments.output.display()));
    if arguments.json {
        let (functions, bytes) = (report.function_count(), page.len());
        let (whole, alone) = (&executables.names, &executables.alone);
        let row = serde_json::json!({
            "format": FORMAT,
            "page": arguments.output, "functions": functions, "bytes": bytes, "executables": whole, "alone": alone,
        });
        output::print(&format!("{row}\n"))?;
    }
    if arguments.open {
        show(&arguments.output)?;
    }
    program.finish()
}

/// Returns true if `path` is a file with other contents than a page, for example a source file or a profile.
fn is_other_file(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = |file: File| file.take(64).read_to_end(&mut start);
    if !path.is_file() || File::open(path).and_then(read).is_err() {
        return false;
    }
    let text = start.trim_ascii().to_ascii_lowercase();
    !text.is_empty() && !text.starts_with(b"<!doctype html") && !text.starts_with(b"<html")
}

/// Opens the page in the default browser.
fn show(page: &Path) -> Result<()> {
    open::that_detached(page).map_err(|error| {
        Error::advice(
            format!("cannot open the page: {error}"),
            format!("open {} in a browser", page.display()),
        )
    })
}

/// The name of the current directory, which usually is the name of the project.
fn current_folder_name() -> String {
    let current = std::env::current_dir().unwrap_or_default();
    current.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The title of the page: the first file and the number of other files. If no file is given, the title is the name of
/// the current directory.
fn title(arguments: &args::Report) -> String {
    let files: &[PathBuf] = &arguments.program.files;
    let name = || match files {
        [] => current_folder_name(),
        [first, others @ ..] => {
            let name = first.file_name().unwrap_or_default().to_string_lossy();
            if others.is_empty() {
                name.into_owned()
            } else {
                format!("{name} and {} more", others.len())
            }
        }
    };
    arguments.title.clone().unwrap_or_else(name)
}
