//! `bpa hints --patch`: a diff that writes hints into the source, where it is certain what to write.
//!
//! > branches that ran -> conditions of clang's syntax tree -> edits -> tried by compiling -> a diff

mod check;
mod choose;
mod condition;
mod diff;
mod edit;
mod files;
mod finder;
mod measured;
mod reader;
mod text;
mod tree;

use std::collections::BTreeSet;
use std::io::BufReader;
use std::num::NonZeroUsize;
use std::process::Stdio;

use crate::args;
use crate::compile::{Compiler, Stage};
use crate::error::{Error, Result};
use crate::input::Input;
use crate::process::Running;
use crate::program::Program;
use crate::progress::progress;
use crate::{inputs, place};
use bpa_schema::Position;
use condition::Conditions;
use edit::Reason;
use files::Files;
use measured::{Hint, Measured};

/// Without another limit, hints that cost less than this share of what all cost are not worth a line of the source.
const LEAST_SHARE_OF_COST: f64 = 0.001;

/// Prints the diff; tells on standard error what is left out.
pub fn run(arguments: &args::Hints) -> Result<()> {
    let flags = &arguments.program.flags;
    let program = Program::load_at(&arguments.program, Stage::Source)?;
    let inputs = program.units.iter().map(|unit| &unit.input);
    if let Some(input) = inputs.clone().find(|input| !input.language.takes_clang()) {
        return Err(Error::advice(
            format!("no patch can be made of {}", input.path.display()),
            "--patch takes C, C++ and compile_commands.json",
        ));
    }
    let (mut branches, mut others) = measured::read(&program)?;
    choose(&mut branches, &mut others, arguments.most.map(NonZeroUsize::get));
    let mut files = Files::below(current_folder()?);
    let conditions = read_conditions(&program, flags, &branches, &mut files)?;
    let (mut edits, mut left_out) = choose::edits(&branches, &conditions, &mut files);
    left_out.extend(check::check(&program, flags, &files, &mut edits)?);
    diff::print(&files, &check::edited(&files, &edits))?;
    let mut told = left_out_lines(&left_out, &others);
    told.push(format!("{} hints written, {} left out", edits.len(), told.len()));
    told.iter().for_each(|line| anstream::eprintln!("{line}"));
    program.finish()
}

fn current_folder() -> Result<std::path::PathBuf> {
    let here = std::path::Path::new(".");
    here.canonicalize().map_err(Error::read(here))
}

/// Marks the costliest hints, each of which one line says.
fn choose(branches: &mut [Measured], others: &mut [Hint], most: Option<usize>) {
    let of_branches = branches.iter_mut().filter_map(|branch| branch.hint.as_mut());
    let mut hints: Vec<&mut Hint> = of_branches.chain(others).collect();
    hints.sort_by(|one, other| other.cost.total_cmp(&one.cost));
    let least = match most {
        Some(_) => 0.0,
        None => hints.iter().map(|hint| hint.cost).sum::<f64>() * LEAST_SHARE_OF_COST,
    };
    let worth_it = hints.into_iter().filter(|hint| hint.cost >= least);
    worth_it.take(most.unwrap_or(usize::MAX)).for_each(|hint| hint.is_chosen = true);
}

impl Measured {
    fn is_chosen(&self) -> bool {
        self.hint.as_ref().is_some_and(|hint| hint.is_chosen)
    }
}

/// The conditions that the modules have for whose branches there are hints.
fn read_conditions(
    program: &Program,
    flags: &[String],
    branches: &[Measured],
    files: &mut Files,
) -> Result<Conditions> {
    let compiler = program.compiler(flags, Stage::Source);
    let mut conditions = Conditions::default();
    let modules: BTreeSet<usize> =
        branches.iter().filter(|branch| branch.is_chosen()).map(|branch| branch.module).collect();
    let progress = progress(modules.len(), "reading");
    for module in modules {
        read_tree(&compiler, &program.units[module].input, files, &mut conditions)?;
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(conditions)
}

fn read_tree(
    compiler: &Compiler,
    input: &Input,
    files: &mut Files,
    conditions: &mut Conditions,
) -> Result<()> {
    let mut command = compiler.syntax_tree(input)?;
    let program = std::path::PathBuf::from(command.get_program());
    let directory = inputs::directory(input)?;
    // That it can be compiled is known.
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child =
        Running::start(&mut command).map_err(|source| Error::Run { program: program.clone(), source })?;
    let output = BufReader::with_capacity(1 << 16, child.take_stdout().expect("it is piped"));
    let read = with_deep_stack(|| reader::read(output, &directory, files, conditions));
    // If all was not read, it has been told so by now, and ends.
    let _ = child.wait();
    read.map_err(|source| Error::Data { program: program.display().to_string(), source })
}

/// A syntax tree is nested data, and reading it recurses. Of the stack only what is used takes memory.
const STACK: usize = 1 << 28;

/// Runs `work` where data may be nested some hundred thousand levels deep.
fn with_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        worker.expect("there is a thread").join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// What is said of hints that are left out: a place and why, each once.
fn left_out_lines(branches: &[(&Measured, Reason)], others: &[Hint]) -> Vec<String> {
    let line = |position: Option<&Position>, reason: &str| {
        let place = position.map_or("a branch".to_string(), |position| place::place(&position.frame));
        format!("left out: {place}: {reason}")
    };
    let of_branches = branches.iter().map(|(branch, reason)| line(branch.position.as_ref(), reason));
    let chosen = others.iter().filter(|hint| hint.is_chosen);
    let of_others =
        chosen.map(|hint| line(hint.source.as_ref(), "it is a switch, of which no condition tells"));
    let lines: BTreeSet<String> = of_branches.chain(of_others).collect();
    lines.into_iter().collect()
}
