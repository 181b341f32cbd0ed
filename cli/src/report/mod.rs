//! `bpa report`: one HTML file that needs nothing else.

mod data;
mod function;
mod numbers;
mod page;
mod texts;

use std::path::PathBuf;

use crate::args;
use crate::error::{Error, Result};
use crate::output;
use crate::program::{Module, Program, Whose};
use crate::{messages, shares};

pub fn run(arguments: &args::Report) -> Result<()> {
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
    let report = data::Report::new(&modules, others.as_deref());
    let lines = report.lines(&data::Names {
        title: title(arguments),
        answer: whose.name(host),
        against: other.map(|other| other.name(host)),
    });
    let page = page::page(&title(arguments), &lines);
    output::write(&arguments.output, page.as_bytes())?;
    if arguments.open {
        open::that_detached(&arguments.output)
            .map_err(|source| Error::Run { program: "a browser".into(), source })?;
    }
    let count = modules.iter().map(|Module { functions, .. }| functions.len()).sum::<usize>();
    let functions = if count == 1 { "function" } else { "functions" };
    let (count, kilobytes) = (shares::grouped(&count.to_string()), page.len().div_ceil(1000));
    let size = shares::grouped(&kilobytes.to_string());
    messages::note(&format!(
        "{}: {count} {functions}, {size} kB; open it in a browser",
        arguments.output.display()
    ));
    program.finish()
}

/// What the page is about: the first file, and how many more.
fn title(arguments: &args::Report) -> String {
    let files: &[PathBuf] = &arguments.program.files;
    let name = || match files {
        [] => String::new(),
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
