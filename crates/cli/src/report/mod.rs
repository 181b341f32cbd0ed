//! `bpa report`: one HTML file that needs nothing else.

mod branches;
mod data;
mod entry;
mod function;
mod numbers;
mod page;
mod ranking;
mod strings;
mod texts;

use std::path::{Path, PathBuf};

use crate::args;
use crate::error::{Error, Result};
use crate::output;
use crate::program::{Program, Whose};
use crate::{messages, shares};

pub fn run(arguments: &args::Report) -> Result<()> {
    if (arguments.open || arguments.json) && arguments.output == Path::new(output::STANDARD_OUTPUT) {
        return Err(Error::advice(
            "a page on the standard output goes neither with --open nor with --json",
            "leave them out, or name a file by -o",
        ));
    }
    let whose = Whose::asked_for(&arguments.answer)?;
    let other =
        arguments.against.map(|version| Whose::new(Some(version), arguments.answer.predictor.as_deref()));
    let other = other.transpose()?;
    let program = Program::load(&arguments.program)?;
    let (modules, others) = match &other {
        Some(other) => program.analyse_both(&whose, other, true).map(|(one, other)| (one, Some(other)))?,
        None => (program.analyse(&whose, true)?, None),
    };
    let host = program.opt.toolchain.version;
    let report = data::Report::new(&program, &modules, others.as_deref());
    let lines = report.lines(&data::Names {
        title: title(arguments),
        answer: whose.name(host),
        against: other.map(|other| other.name(host)),
    });
    let page = page::page(&title(arguments), &lines);
    output::write(&arguments.output, page.as_bytes())?;
    let count = report.function_count();
    let functions = if count == 1 { "function" } else { "functions" };
    let (count, kilobytes) = (shares::grouped(&count.to_string()), page.len().div_ceil(1000));
    let size = shares::grouped(&kilobytes.to_string());
    let next = if arguments.open { "" } else { "; open it in a browser" };
    messages::note(&format!("{}: {count} {functions}, {size} kB{next}", arguments.output.display()));
    if arguments.json {
        let row = serde_json::json!({"page": arguments.output, "functions": report.function_count(), "bytes": page.len()});
        output::print(&format!("{row}\n"))?;
    }
    if arguments.open {
        show(&arguments.output)?;
    }
    program.finish()
}

/// Opens the page in the browser of the desktop.
fn show(page: &Path) -> Result<()> {
    open::that_detached(page).map_err(|error| {
        Error::advice(
            format!("the page cannot be opened: {error}"),
            format!("open {} in a browser", page.display()),
        )
    })
}

/// The name of the current directory, which is mostly that of the project.
fn current_folder_name() -> String {
    let current = std::env::current_dir().unwrap_or_default();
    current.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// What the page is about: the first file, and how many more; without files, the project.
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
