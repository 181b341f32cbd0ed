//! Where printers print: stderr, or the file that `output=FILE` names.
//!
//! A file is like the shell's `>FILE`: it is opened, and emptied, when the pipeline is read, before anything runs. It
//! is opened once a process; every pass and every thread that names it adds to it, one function at a time. With
//! `append` it is like `>>FILE`, and other processes may add to it meanwhile: what is written at a time stays together.

use std::collections::btree_map::{BTreeMap, Entry};
use std::fs::{self, File};
use std::io;
use std::sync::{Mutex, PoisonError};

use super::failure::Failure;
use super::files;
use super::request::{Form, Output, Request};
use super::stderr;

/// Why nothing can be printed to a file.
#[derive(Debug, thiserror::Error)]
#[error("cannot {deed} '{name}': {reason}")]
pub(super) struct OutputError {
    deed: &'static str,
    name: String,
    reason: io::Error,
}

/// Files that are open.
static FILES: Mutex<BTreeMap<Output, File>> = Mutex::new(BTreeMap::new());

impl Output {
    fn failed(&self, deed: &'static str) -> impl FnOnce(io::Error) -> OutputError + '_ {
        move |reason| OutputError { deed, name: self.path().display().to_string(), reason }
    }

    /// Does `work` with the file, while nobody else does; opens it first, unless it is open. A regular file is emptied
    /// then, a pipe or terminal taken as it is.
    fn with_file(&self, work: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
        let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
        match files.entry(self.clone()) {
            Entry::Occupied(entry) => work(entry.into_mut()),
            Entry::Vacant(place) => work(place.insert(self.open()?)),
        }
    }

    fn open(&self) -> io::Result<File> {
        if self.is_stdout() {
            files::stdout()
        } else {
            files::open(self.path(), self.keeps_content())
        }
    }

    /// Writes all of `text`, and nothing of anybody else's in between.
    fn add(&self, file: &mut File, text: &[u8]) -> io::Result<()> {
        if self.keeps_content() {
            files::with_lock(file, |file| stderr::write_all(file, text))
        } else {
            stderr::write_all(file, text)
        }
    }
}

/// Makes sure that `request` can print where it wants to.
pub(super) fn prepare(request: &Request) -> Result<(), OutputError> {
    match request.output() {
        Some((directory, Form::Dot)) => {
            fs::create_dir_all(directory.path()).map_err(directory.failed("make the directory"))
        }
        Some((file, _)) => prepare_file(Some(file)),
        None => Ok(()),
    }
}

/// Makes sure that something can be printed to `output`, if it is a file.
pub(super) fn prepare_file(output: Option<&Output>) -> Result<(), OutputError> {
    output.map_or(Ok(()), |file| file.with_file(|_| Ok(())).map_err(file.failed("open")))
}

/// Prints to `output`, or to stderr, where LLVM's printers print.
pub(super) fn write(text: &[u8], output: Option<&Output>) -> Result<(), Failure> {
    match output {
        Some(output) => {
            output.with_file(|file| output.add(file, text)).map_err(output.failed("write"))?;
            Ok(())
        }
        None => write_to_stderr(text),
    }
}

/// Prints on stderr. A text that cannot be written is an error, as no result is lost silently.
pub(super) fn write_to_stderr(text: &[u8]) -> Result<(), Failure> {
    stderr::write(text).map_err(Failure::Stderr)
}
