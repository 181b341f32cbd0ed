//! `bpa hints`: where a hint in the source would help, as `rust-bpi<hints>` prints it.

use std::io::{self, Write};

use crate::args;
use crate::compile::Stage;
use crate::error::{Error, Result};
use crate::patch;
use crate::program::Program;

pub fn run(arguments: &args::Hints) -> Result<()> {
    if arguments.patch {
        return patch::run(arguments);
    }
    // Optimised code has lost the hints of the source.
    let program = Program::load_at(&arguments.program, Stage::Source)?;
    let json = if arguments.json { ";json" } else { "" };
    let most = arguments.most.map(|most| format!(";most={most}")).unwrap_or_default();
    let passes = format!("rust-bpi<hints{json}{most}>");
    for text in program.each_unit("analysing", |unit| program.print_passes(unit, &passes))? {
        io::stdout().write_all(&text).map_err(Error::Output)?;
    }
    program.finish()
}
