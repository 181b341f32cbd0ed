//! Tests that the pages about the command list its options and all predictors.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use bpa_schema::PREDICTORS;

/// Finds all long options (for example `--limit`) in a text.
fn options(text: &str) -> BTreeSet<&str> {
    let ends = |letter: char| !letter.is_ascii_lowercase() && letter != '-';
    text.match_indices("--")
        .filter(|&(start, _)| start == 0 || text[..start].ends_with(['`', ' ']))
        .map(|(start, _)| text[start..].split(ends).next().unwrap_or_default())
        .filter(|option| option.len() > 3 && !option[2..].starts_with('-'))
        .collect()
}

#[test]
fn the_page_has_the_options_of_each_subcommand() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/reference/command.md");
    let page = std::fs::read_to_string(page).expect("the page exists");
    let (_, after) = page.split_once("## Options\n").expect("the page has a list of options");
    let (listed, _) = after.split_once("\n## ").expect("another section follows");
    let mut printed = String::new();
    for subcommand in ["explain", "report", "score", "diff", "hints", "doctor", "cache"] {
        let help = Command::new(env!("CARGO_BIN_EXE_bpa"))
            .args([subcommand, "--help"])
            .output()
            .expect("the command starts");
        assert!(help.status.success(), "{subcommand} --help");
        // Only lines that begin with an option are used, because help texts mention other options.
        let help = String::from_utf8(help.stdout).expect("the help is UTF-8");
        printed.extend(
            help.lines().filter(|line| line.trim_start().starts_with('-')).map(|line| format!("{line}\n")),
        );
    }
    assert_eq!(options(listed), options(&printed), "left: the page, right: --help");
}

#[test]
fn the_guide_lists_every_predictor() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/guide/predictors.md");
    let page = std::fs::read_to_string(page).expect("the page exists");
    let names = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    assert_eq!(names.map(|(name, _)| name).collect::<Vec<_>>(), PREDICTORS);
}
