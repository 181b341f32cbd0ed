//! Prints a patch. The source files that a patch can change are all files inside the folder in which the user applies the patch.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use similar::TextDiff;

use crate::base::error::Error;
use crate::base::paths::without_dots;
use crate::study::source::SourceText;
use bpa_schema::{Frame, Position};

/// The reason why a file outside the current folder is not edited.
pub const OUTSIDE: &str = "the source file is not inside this folder";

/// The folder of system headers. System headers are editable only if the current folder is inside `/usr`.
const SYSTEM: &str = "/usr";

/// A file of [`Files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(usize);

/// The files that positions or syntax trees refer to.
pub struct Files {
    /// The folder in which the user applies the patch.
    root: PathBuf,
    files: Vec<SourceFile>,
    by_path: HashMap<PathBuf, FileId>,
    by_name: HashMap<PathBuf, FileId>,
}

pub struct SourceFile {
    path: PathBuf,
    /// All paths by which compilers refer to the file.
    names: Vec<PathBuf>,
    /// The text of the file, or the reason why the file cannot be changed.
    text: Result<SourceText, &'static str>,
}

impl Files {
    pub fn below(root: PathBuf) -> Self {
        Files { root, files: Vec::new(), by_path: HashMap::new(), by_name: HashMap::new() }
    }

    /// Creates the set of all files except system headers. If the current folder is in `/usr`, the set contains all
    /// files in the current folder instead. `here` is the current folder.
    pub fn readable(here: PathBuf) -> Self {
        Self::below(if here.starts_with(SYSTEM) { here } else { "/".into() })
    }

    /// The file with the path `name` in `directory`.
    pub fn id(&mut self, directory: &Path, name: &str) -> FileId {
        let named = directory.join(name);
        let named = without_dots(&std::path::absolute(&named).unwrap_or(named));
        if let Some(&id) = self.by_name.get(&named) {
            return id;
        }
        let path = directory.join(name).canonicalize().unwrap_or_else(|_| named.clone());
        let id = match self.by_path.get(&path) {
            Some(&id) => id,
            None => self.add(path),
        };
        self.files[id.0].names.push(named.clone());
        self.by_name.insert(named, id);
        id
    }

    pub fn of(&mut self, position: &Position) -> FileId {
        self.of_frame(&position.frame)
    }

    pub fn of_frame(&mut self, frame: &Frame) -> FileId {
        let Frame { directory, file, .. } = frame;
        self.id(Path::new(directory.as_deref().unwrap_or_default()), file)
    }

    fn add(&mut self, path: PathBuf) -> FileId {
        let text = match std::fs::read(&path) {
            _ if !path.starts_with(&self.root) => Err(OUTSIDE),
            _ if path.starts_with(SYSTEM) && !self.root.starts_with(SYSTEM) => {
                Err("the source file is a system header")
            }
            Err(_) => Err("the source file cannot be read"),
            Ok(bytes) => match SourceText::new(bytes, &path) {
                text if has_line_directive(&text.bytes) => Err("the source file has #line directives"),
                text => Ok(text),
            },
        };
        let id = FileId(self.files.len());
        self.files.push(SourceFile { path: path.clone(), names: vec![path.clone()], text });
        self.by_path.insert(path, id);
        id
    }

    /// The folder with the editable files.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The text of the file, or the reason why the file cannot be changed.
    pub fn text(&self, id: FileId) -> Result<&SourceText, &'static str> {
        self.files[id.0].text.as_ref().map_err(|reason| *reason)
    }

    /// The absolute path of the file, without symbolic links.
    pub fn path(&self, id: FileId) -> &Path {
        &self.files[id.0].path
    }

    /// The path by which a patch refers to the file.
    pub fn short_name(&self, id: FileId) -> &Path {
        let path = &self.files[id.0].path;
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// All paths by which compilers refer to the file.
    pub fn names(&self, id: FileId) -> &[PathBuf] {
        &self.files[id.0].names
    }
}

/// Returns true if a file contains `#line` directives, which change line numbers.
fn has_line_directive(bytes: &[u8]) -> bool {
    bytes.split(|&byte| byte == b'\n').any(|line| {
        let directive = line.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
        directive
            .is_some_and(|rest| rest.starts_with(b"line") || rest.first().is_some_and(u8::is_ascii_digit))
    })
}

/// Prints the changes of `files`.
pub fn print(files: &Files, edited: &[(FileId, Vec<u8>)]) -> crate::base::error::Result<()> {
    let mut text = Vec::new();
    for (file, new) in edited {
        if let Ok(old) = files.text(*file) {
            write(files.short_name(*file), &old.bytes, new, &mut text).map_err(Error::Output)?;
        }
    }
    io::stdout().write_all(&text).map_err(Error::Output)
}

fn write(name: &Path, old: &[u8], new: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
    // As in `patch`, only `\n` ends a line. A carriage return is a part of the line.
    let lines = |text| <[u8]>::split_inclusive(text, |&byte| byte == b'\n').collect::<Vec<_>>();
    let (old, new) = (lines(old), lines(new));
    let diff = TextDiff::configure().newline_terminated(true).diff_slices(&old, &new);
    let name = name.display().to_string();
    // If the file name contains blanks, a tab must follow the name.
    let end = if name.contains(char::is_whitespace) { "\t" } else { "" };
    writeln!(out, "--- a/{name}{end}\n+++ b/{name}{end}")?;
    // In version 3 of the crate `similar`, `UnifiedDiff::to_writer` replaces bytes that are not UTF-8. The method
    // `UnifiedDiffHunk::to_writer` writes these bytes unchanged.
    diff.unified_diff().iter_hunks().try_for_each(|hunk| hunk.to_writer(&mut *out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_id_for_all_paths() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("it is there");
        std::fs::create_dir(root.join("sub")).expect("a folder");
        std::fs::write(root.join("a.h"), "x").expect("a file");
        let mut files = Files::below(root.clone());
        let id = files.id(&root, "a.h");
        assert_eq!(files.id(&root.join("sub"), "../a.h"), id);
        assert_eq!(files.id(&root, "./sub/../a.h"), id);
        assert_eq!(files.short_name(id), Path::new("a.h"));
        assert!(files.text(id).is_ok());
        let outside = files.id(Path::new("/"), "dev/null");
        assert!(files.text(outside).is_err());
        let mut all = Files::below("/".into());
        let system = all.id(Path::new("/usr"), "include/stdio.h");
        assert_eq!(all.text(system).err(), Some("the source file is a system header"));
    }

    fn text(old: &str, new: &str) -> String {
        let mut out = Vec::new();
        write(Path::new("a b.c"), old.as_bytes(), new.as_bytes(), &mut out).expect("memory");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn bytes_are_kept() {
        let mut out = Vec::new();
        write(Path::new("a.c"), b"caf\xe9\nb\n", b"caf\xe9\nc\n", &mut out).expect("memory");
        assert_eq!(out, b"--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,2 @@\n caf\xe9\n-b\n+c\n");
    }

    #[test]
    fn line_ends_are_kept() {
        let wanted = "--- a/a b.c\t\n+++ b/a b.c\t\n@@ -1,3 +1,3 @@\n a\r\n-b\r\n+c\r\n d\re\n";
        assert_eq!(text("a\r\nb\r\nd\re\n", "a\r\nc\r\nd\re\n"), wanted);
        assert!(
            text("a", "b").ends_with("-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n")
        );
    }
}
