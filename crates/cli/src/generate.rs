//! What clap makes of the options: completions for shells, and the manual page.

use std::io::{self, Write};

use clap::CommandFactory;

use crate::args::{Arguments, Completions};
use crate::error::{Error, Result};

pub fn completions(arguments: &Completions) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "bpa", &mut script);
    io::stdout().write_all(&script).map_err(Error::Output)
}

/// One page: the command, and each subcommand after it.
pub fn man() -> Result<()> {
    io::stdout().write_all(&man_page().map_err(Error::Output)?).map_err(Error::Output)
}

fn man_page() -> io::Result<Vec<u8>> {
    let mut command = Arguments::command();
    // So that options which all subcommands have are with each.
    command.build();
    let mut page = Vec::new();
    let man = clap_mangen::Man::new(command.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    // Not by the library, which would name a page for each.
    writeln!(page, ".SH SUBCOMMANDS")?;
    for subcommand in command.get_subcommands() {
        let about = subcommand.get_about().map(ToString::to_string).unwrap_or_default();
        writeln!(page, ".TP\n\\fBbpa {}\\fR\n{about}", subcommand.get_name())?;
    }
    man.render_version_section(&mut page)?;
    for subcommand in command.get_subcommands().filter(|one| one.get_name() != "help") {
        let name = format!("bpa {}", subcommand.get_name()).to_uppercase();
        writeln!(page, ".SH {name}")?;
        let man = clap_mangen::Man::new(subcommand.clone().disable_help_flag(true));
        man.render_synopsis_section(&mut page)?;
        man.render_description_section(&mut page)?;
        man.render_options_section(&mut page)?;
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_has_every_subcommand() {
        let page = String::from_utf8(man_page().expect("memory takes it")).expect("text");
        for name in ["EXPLAIN", "REPORT", "SCORE", "DIFF", "HINTS", "DOCTOR"] {
            assert!(page.contains(&format!(".SH BPA {name}")), "{name}");
        }
        assert!(page.contains("against"), "options of subcommands are told");
        // Other pages, as in `bpa-explain(1)`.
        assert!(!page.contains("(1)"), "a page is named that does not exist");
    }
}
