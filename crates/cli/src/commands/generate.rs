//! Generates shell completions and manual pages from the options.

use std::io::{self, Write};

use clap::CommandFactory;

use crate::args::cargo;
use crate::args::{Arguments, Completions, Man};
use crate::base::error::{Error, Result};

pub fn completions(arguments: &Completions) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "bpa", &mut script);
    io::stdout().write_all(&script).map_err(Error::Output)
}

/// Prints one manual page with the command and all its subcommands.
pub fn man(arguments: &Man) -> Result<()> {
    let command = if arguments.of_cargo_bpa { cargo::command() } else { Arguments::command() };
    io::stdout().write_all(&man_page(command).map_err(Error::Output)?).map_err(Error::Output)
}

fn man_page(mut command: clap::Command) -> io::Result<Vec<u8>> {
    // Copies the global options to each subcommand.
    command.build();
    let program = command.get_bin_name().unwrap_or("bpa").to_string();
    let mut page = Vec::new();
    let man = clap_mangen::Man::new(command.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    // The section that clap_mangen generates refers to a separate page for each subcommand. The section below replaces
    // the generated section.
    writeln!(page, ".SH SUBCOMMANDS")?;
    for subcommand in command.get_subcommands() {
        let about = subcommand.get_about().map(ToString::to_string).unwrap_or_default();
        writeln!(page, ".TP\n\\fB{program} {}\\fR\n{about}", subcommand.get_name())?;
    }
    man.render_version_section(&mut page)?;
    for subcommand in command.get_subcommands().filter(|one| one.get_name() != "help") {
        let name = format!("{program} {}", subcommand.get_name()).to_uppercase();
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

    fn page_of(command: clap::Command) -> String {
        String::from_utf8(man_page(command).expect("writing to memory succeeds")).expect("the page is UTF-8")
    }

    #[test]
    fn the_manual_of_cargo_bpa_has_the_options_of_cargo() {
        let page = page_of(cargo::command());
        assert!(
            page.contains(".TH cargo-bpa 1"),
            "the title is the name by which `cargo help bpa` finds the page"
        );
        assert!(page.contains(".SH CARGO BPA EXPLAIN"), "{page}");
        assert!(page.contains("manifest\\-path"), "the options of cargo are printed");
    }

    #[test]
    fn the_manual_has_every_subcommand() {
        let page = page_of(Arguments::command());
        for name in ["EXPLAIN", "REPORT", "SCORE", "DIFF", "HINTS", "AUDIT", "DOCTOR"] {
            assert!(page.contains(&format!(".SH BPA {name}")), "{name}");
        }
        assert!(page.contains("against"), "the page has the options of subcommands");
        // A reference to another page looks like `bpa-explain(1)`.
        assert!(!page.contains("(1)"), "the page refers to a page that does not exist");
    }
}
