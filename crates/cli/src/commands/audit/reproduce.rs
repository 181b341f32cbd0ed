//! `bpa audit --reproduce`: an input and a command that repeat the damage of one pass.

use std::path::{Path, PathBuf};
use std::process::Command;

use bpa_schema::{AuditedPass, ModuleAudit};

use super::{end, level, only_line, BEGIN, OUTPUT};
use crate::args;
use crate::base::error::{Error, Result};
use crate::base::output;
use crate::base::process;
use crate::base::shares;
use crate::program::{measured, Program, Unit};

/// The names in pipelines of passes whose classes have other names.
const OTHER_NAMES: [(&str, &str); 10] = [
    ("CorrelatedValuePropagation", "correlated-propagation"),
    ("ControlHeightReduction", "chr"),
    ("IndVarSimplify", "indvars"),
    ("Inliner", "inline"),
    ("LoopFullUnroll", "loop-unroll-full"),
    ("LoopIdiomRecognize", "loop-idiom"),
    ("LowerExpectIntrinsic", "lower-expect"),
    ("MergedLoadStoreMotion", "mldst-motion"),
    ("PostOrderFunctionAttrs", "function-attrs"),
    ("Promote", "mem2reg"),
];

pub fn run(arguments: &args::Program, pass: &str) -> Result<()> {
    let program = Program::load(arguments)?;
    let [unit] = &program.units[..] else {
        let files = shares::plural(program.units.len(), "file");
        return Err(Error::advice(
            format!("--reproduce needs one file, and got {files}"),
            "give one source file",
        ));
    };
    let whole = format!("default<O{}>", level(&unit.input, &arguments.flags));
    let audit = audit_of(&program, unit, &unit.bitcode.path, &whole)?;
    if audit.known_blocks == 0 {
        return Err(measured::no_data(&program));
    }
    let is_bad = |one: &&AuditedPass| one.worse > 0;
    let bad: Vec<&str> = audit.passes.iter().filter(is_bad).map(|one| &*one.pass).collect();
    if !bad.iter().any(|class| is_pass(class, pass)) {
        return Err(Error::advice(
            format!("{pass} makes no execution of {} wrong", unit.input.shown()),
            match bad.is_empty() {
                true => "no pass does: choose another file".to_string(),
                false => format!("these passes do: {}", bad.join(", ")),
            },
        ));
    }
    let Some(worst) = worst_place(&program, unit, &whole, pass)? else {
        return Err(Error::advice(
            format!("{pass} alone repeats no damage at any of its places in {whole}"),
            format!("reduce the whole pipeline: -passes='{BEGIN},{whole},rust-audit<fail-above=N%>'"),
        ));
    };
    let file = PathBuf::from(format!("{pass}.ll"));
    output::write(&file, &worst.before)?;
    output::print(&format!(
        "{file} contains the IR before {pass} at place {} in {whole}. This command fails, because the pass makes more \
         than {percent}% of the executions wrong:\n\n\
         {} -load-pass-plugin={} -disable-output -passes='{BEGIN},{},rust-audit<fail-above={percent}%>' {file}\n",
        worst.number,
        program.opt.toolchain.opt.display(),
        program.opt.plugin.display(),
        worst.pipeline,
        file = file.display(),
        percent = worst.percent,
    ))?;
    program.finish()
}

/// The place of a pass in a pipeline at which the pass does most damage.
struct Worst {
    /// The number of the place, from 1.
    number: usize,
    /// The IR before the pass.
    before: Vec<u8>,
    /// The pass with its adaptors.
    pipeline: String,
    /// The executions that the pass makes wrong.
    wrong: u64,
    /// The [`bound`].
    percent: u128,
}

/// A pass can have other options at each of its places in the pipeline `whole`.
fn worst_place(program: &Program, unit: &Unit, whole: &str, pass: &str) -> Result<Option<Worst>> {
    const BEFORE: &str = "before.ll";
    let opt = &program.opt.toolchain.opt;
    let mut command = Command::new(opt);
    command.arg(format!("-passes={whole}")).args(["-print-pipeline-passes", "-disable-output", "/dev/null"]);
    let done = process::output(&mut command).map_err(|source| Error::Run { program: opt.clone(), source })?;
    let text = String::from_utf8_lossy(&done.stdout);
    let path = unit.folder.join(BEFORE);
    let mut worst: Option<Worst> = None;
    for (place, Place { before, pipeline }) in places_of(text.trim(), pass).into_iter().enumerate() {
        program.opt.run_with(&["-S", "-o", BEFORE], &before, &unit.bitcode.path, &unit.folder)?;
        let audit = audit_of(program, unit, &path, &pipeline)?;
        let wrong = audit.wrong.saturating_sub(audit.wrong_at_begin);
        if wrong > worst.as_ref().map_or(0, |worst| worst.wrong) {
            let before = std::fs::read(&path).map_err(Error::read(&path))?;
            let percent = bound(&audit);
            worst = Some(Worst { number: place + 1, before, pipeline, wrong, percent });
        }
    }
    Ok(worst)
}

/// A percentage that the wrong executions exceed after the pass, but not before it, if there is such a whole number. The
/// damage of the pass exceeds the bound by half, so that llvm-reduce can remove code that hardly matters.
fn bound(audit: &ModuleAudit) -> u128 {
    let [executions, before, after] =
        [audit.executions.max(1), audit.wrong_at_begin, audit.wrong].map(u128::from);
    let half = (before + after) * 50 / executions;
    let next = half + 1;
    let is_above_before = half * executions >= before * 100;
    if is_above_before || next * executions >= after * 100 {
        half
    } else {
        next
    }
}

fn audit_of(program: &Program, unit: &Unit, module: &Path, pipeline: &str) -> Result<ModuleAudit<'static>> {
    let passes = format!("{BEGIN},{pipeline},{}", end());
    let (_, [text]) = program.opt.write(&passes, module, &unit.folder, [OUTPUT])?;
    only_line(&text)
}

/// Returns true if `class` is the class of `pass`. `pass` is the name of a class, or a name in a pipeline.
fn is_pass(class: &str, pass: &str) -> bool {
    let plain = |name: &str| {
        let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        letters.to_lowercase().trim_end_matches("pass").to_string()
    };
    let other = OTHER_NAMES.iter().find(|(name, _)| plain(name) == plain(class)).map(|(_, other)| *other);
    plain(class) == plain(pass) || other.is_some_and(|other| plain(other) == plain(pass))
}

/// A place of a pass in a pipeline.
#[derive(Debug, PartialEq)]
struct Place {
    /// The pipeline before the pass.
    before: String,
    /// The pass with its adaptors, for example `cgscc(devirt<4>(function<eager-inv>(jump-threading)))`.
    pipeline: String,
}

/// The places of `pass` in the pipeline `text`.
fn places_of(text: &str, pass: &str) -> Vec<Place> {
    let (mut around, mut begin, mut places) = (Vec::new(), 0, Vec::new());
    for (place, letter) in text.char_indices().chain([(text.len(), ',')]) {
        if !['(', ')', ','].contains(&letter) {
            continue;
        }
        let element = &text[begin..place];
        if letter == '(' {
            around.push(element);
        } else if is_pass(pass, element.split('<').next().unwrap_or_default()) {
            let adaptors: String = around.iter().map(|adaptor| format!("{adaptor}(")).collect();
            let pipeline = adaptors + element + &")".repeat(around.len());
            places.push(Place { before: ended(&text[..begin], &around), pipeline });
        }
        if letter == ')' {
            around.pop();
        }
        begin = place + 1;
    }
    places
}

/// Closes the adaptors `around`, which are open at the end of the pipeline `text`. Removes empty adaptors.
fn ended(mut text: &str, around: &[&str]) -> String {
    let mut open = around.len();
    text = text.trim_end_matches(',');
    while let Some(rest) = text.strip_suffix('(') {
        open -= 1;
        text = rest.strip_suffix(around[open]).unwrap_or(rest).trim_end_matches(',');
    }
    match text {
        "" => "verify".into(),
        text => text.to_string() + &")".repeat(open),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_a_pass_keep_adaptors_and_options() {
        let text = "simplifycfg,cgscc(devirt<4>(inline,function<eager-inv>(simplifycfg<a;b>,loop-mssa(licm,\
                    loop-rotate),simplifycfg<c>))),sroa,function(simplifycfg<c>)";
        let places = |pass: &str| {
            let places = places_of(text, pass).into_iter();
            places.map(|place| [place.before, place.pipeline]).collect::<Vec<_>>()
        };
        let start = "simplifycfg,cgscc(devirt<4>(inline,function<eager-inv>(simplifycfg<a;b>,loop-mssa(licm";
        let in_function = |pass: &str| format!("cgscc(devirt<4>(function<eager-inv>({pass})))");
        assert_eq!(
            places("SimplifyCFGPass"),
            [
                ["verify".to_string(), "simplifycfg".into()],
                ["simplifycfg,cgscc(devirt<4>(inline))".into(), in_function("simplifycfg<a;b>")],
                [format!("{start},loop-rotate))))"), in_function("simplifycfg<c>")],
                [format!("{start},loop-rotate),simplifycfg<c>))),sroa"), "function(simplifycfg<c>)".into()],
            ]
        );
        let rotate = [[format!("{start}))))"), in_function("loop-mssa(loop-rotate)")]];
        assert_eq!(places("loop-rotate"), rotate);
        assert_eq!(places("LoopRotatePass"), rotate);
        assert_eq!(places("InlinerPass"), [["simplifycfg", "cgscc(devirt<4>(inline))"]]);
        assert!(is_pass("InlinerPass", "inline") && !is_pass("InlinerPass", "always-inline"));
    }
}
