//! The output of printers: stderr, or the file of `output=FILE`.
//!
//! A file is opened and truncated when the pipeline is parsed, before any pass runs, like `>FILE` in a shell. Each file
//! is opened once per process. All passes and threads with the same output file append to this file, one function at a
//! time. With `append`, the file keeps its old content, as with `>>FILE` in a shell. Other processes can append to
//! the file at the same time. The output for a function is never interrupted by other output.

use std::collections::btree_map::{BTreeMap, Entry};
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::message::Failure;
use super::{files, message};

/// An output file, or a directory for pictures.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Output {
    name: Arc<str>,
    kind: OutputKind,
}

/// The kinds of outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OutputKind {
    /// A file that is truncated when it is opened.
    File,
    /// A file to which the plugin appends its output. Other processes can append to the file at the same time.
    Appended,
    /// A directory.
    Directory,
}

/// Open files.
static FILES: Mutex<BTreeMap<Output, File>> = Mutex::new(BTreeMap::new());

impl Output {
    /// The output of `output=name`. In the name, the process number replaces `%p`. As in LLVM's tools, the name `-`
    /// means stdout. The result is `None` if the name is empty, or if stdout is requested as a directory.
    pub fn new(name: &str, kind: OutputKind) -> Option<Self> {
        if name.is_empty() || (name == "-" && kind == OutputKind::Directory) {
            return None;
        }
        Some(Output { name: name.replace("%p", &std::process::id().to_string()).into(), kind })
    }

    /// The path of the file or directory.
    pub(super) fn path(&self) -> &Path {
        Path::new(&*self.name)
    }

    fn failed(&self, action: &str) -> impl FnOnce(io::Error) -> Failure {
        move |reason| Failure(format!("cannot {action} '{}': {reason}", self.path().display()))
    }

    /// Opens the file, or creates the directory.
    pub(super) fn prepare(&self) -> Result<(), Failure> {
        match self.kind {
            OutputKind::Directory => {
                fs::create_dir_all(self.path()).map_err(self.failed("create the directory"))
            }
            _ => self.with_file(|_| Ok(())).map_err(self.failed("open")),
        }
    }

    /// Locks the file against other threads, opens the file if necessary, and runs `work`. A regular file is truncated
    /// when it is opened. A pipe or terminal is not truncated.
    fn with_file(&self, work: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
        let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
        match files.entry(self.clone()) {
            Entry::Occupied(entry) => work(entry.into_mut()),
            Entry::Vacant(place) => work(place.insert(self.open()?)),
        }
    }

    fn open(&self) -> io::Result<File> {
        if &*self.name == "-" {
            files::stdout()
        } else {
            files::open(self.path(), self.kind == OutputKind::Appended)
        }
    }

    /// Writes the complete `text`. Output of other passes and processes cannot interrupt the text.
    fn add(&self, file: &mut File, text: &[u8]) -> io::Result<()> {
        if self.kind == OutputKind::Appended {
            files::with_lock(file, |file| message::write_all(file, text))
        } else {
            message::write_all(file, text)
        }
    }
}

/// Prints to `output`. If `output` is `None`, prints to stderr, like LLVM's printers.
pub(super) fn write(text: &[u8], output: Option<&Output>) -> Result<(), Failure> {
    match output {
        Some(output) => output.with_file(|file| output.add(file, text)).map_err(output.failed("write")),
        None => message::write(text),
    }
}
