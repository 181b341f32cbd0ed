//! The output of printers: stderr, or the file of `output=FILE`.
//!
//! A file is opened and truncated when the pipeline is parsed, before any pass runs, like `>FILE` in a shell. Each file
//! is opened once per process. All passes and threads with the same output file append to this file, one function at a
//! time. With `append`, the file is not truncated, like `>>FILE` in a shell. Other processes may append to the file at
//! the same time. The output for a function is never interrupted by other output.

use std::collections::btree_map::{BTreeMap, Entry};
use std::fs::{self, File};
use std::io;
use std::sync::{Mutex, PoisonError};

use super::failure::Failure;
use super::files;
use super::request::{Form, Output, Request};
use super::stderr;

/// An error of an output file.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} '{name}': {reason}")]
pub(super) struct OutputError {
    action: &'static str,
    name: String,
    reason: io::Error,
}

/// Open files.
static FILES: Mutex<BTreeMap<Output, File>> = Mutex::new(BTreeMap::new());

impl Output {
    fn failed(&self, action: &'static str) -> impl FnOnce(io::Error) -> OutputError + '_ {
        move |reason| OutputError { action, name: self.path().display().to_string(), reason }
    }

    /// Locks the file for other threads, opens the file if necessary, and runs `work`. A regular file is truncated when
    /// it is opened. A pipe or terminal is not truncated.
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

    /// Writes all of `text`. Output of other passes and processes cannot interrupt the text.
    fn add(&self, file: &mut File, text: &[u8]) -> io::Result<()> {
        if self.keeps_content() {
            files::with_lock(file, |file| stderr::write_all(file, text))
        } else {
            stderr::write_all(file, text)
        }
    }
}

/// Checks that `request` can print to its output, and opens the file or creates the directory.
pub(super) fn prepare(request: &Request) -> Result<(), OutputError> {
    match request.output() {
        Some((directory, Form::Dot)) => {
            fs::create_dir_all(directory.path()).map_err(directory.failed("create the directory"))
        }
        Some((file, _)) => prepare_file(Some(file)),
        None => Ok(()),
    }
}

/// If `output` is a file, checks that it can be written.
pub(super) fn prepare_file(output: Option<&Output>) -> Result<(), OutputError> {
    output.map_or(Ok(()), |file| file.with_file(|_| Ok(())).map_err(file.failed("open")))
}

/// Prints to `output`. If `output` is `None`, prints to stderr, like LLVM's printers.
pub(super) fn write(text: &[u8], output: Option<&Output>) -> Result<(), Failure> {
    match output {
        Some(output) => {
            output.with_file(|file| output.add(file, text)).map_err(output.failed("write"))?;
            Ok(())
        }
        None => write_to_stderr(text),
    }
}

/// Prints on stderr. A failed write is an error, because no result may be lost silently.
pub(super) fn write_to_stderr(text: &[u8]) -> Result<(), Failure> {
    stderr::write(text).map_err(Failure::Stderr)
}
