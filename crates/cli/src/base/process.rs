//! Starts programs, and kills them if `bpa` is interrupted.
//!
//! Each program is the leader of a process group, so killing the group also kills the children of the program. The
//! registry lists what `bpa` must clean up after an interrupt: process groups, temporary folders, and incomplete files.

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::{kill_process_group, Pid, Signal};

/// The exit status after an interrupt, by the convention of shells for SIGINT.
const INTERRUPTED_STATUS: i32 = 130;

/// The maximum number of attempts to remove a temporary folder. An attempt fails if a killed process still writes to
/// the folder.
const REMOVALS: usize = 20;

/// The processes and files that are removed if `bpa` is interrupted.
#[derive(Default)]
struct Registry {
    groups: BTreeSet<u32>,
    paths: BTreeSet<PathBuf>,
    /// The folder for temporary files of the started programs. Clang leaves files in this folder after a crash.
    programs_folder: Option<PathBuf>,
}

static REGISTRY: Mutex<Registry> =
    Mutex::new(Registry { groups: BTreeSet::new(), paths: BTreeSet::new(), programs_folder: None });
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Installs a handler for SIGINT, SIGTERM and SIGHUP that kills all programs, removes temporary files, and exits.
pub fn handle_signals() {
    // If no handler can be set, the default action of the signals ends bpa.
    let _ = ctrlc::set_handler(|| {
        IS_INTERRUPTED.store(true, Ordering::SeqCst);
        // Threads must lock the registry to start a program. The handler's thread keeps the lock until the process
        // exits, so the other threads can start no further programs.
        let mut registry = registry();
        end_groups(&registry.groups);
        remove_paths(&std::mem::take(&mut registry.paths));
        // `eprintln!` panics if standard error is closed. A panic would end this thread before the call of `exit`.
        let _ = writeln!(io::stderr(), "bpa: interrupted");
        std::process::exit(INTERRUPTED_STATUS);
    });
}

fn end_groups(groups: &BTreeSet<u32>) {
    let pids = groups.iter().filter_map(|&group| Pid::from_raw(i32::try_from(group).ok()?));
    for pid in pids {
        // `kill_process_group` fails if all processes of the group have ended.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

fn remove_paths(paths: &BTreeSet<PathBuf>) {
    for path in paths {
        for _ in 0..REMOVALS {
            let is_gone = match path.is_dir() {
                true => std::fs::remove_dir_all(path).is_ok(),
                false => std::fs::remove_file(path).is_ok(),
            };
            if is_gone || !path.exists() {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Blocks the calling thread if `bpa` was interrupted. The outputs of the killed programs must not be used.
fn park_if_interrupted() {
    while IS_INTERRUPTED.load(Ordering::SeqCst) {
        std::thread::park();
    }
}

/// A running program, which is killed if this value is dropped.
pub struct Running {
    child: Child,
}

impl Running {
    /// Starts `command` in its own process group, without standard input.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        use std::os::unix::process::CommandExt;

        let mut registry = registry();
        if IS_INTERRUPTED.load(Ordering::SeqCst) {
            drop(registry);
            park_if_interrupted();
            return Err(io::ErrorKind::Interrupted.into());
        }
        if let Some(folder) = &registry.programs_folder {
            command.env("TMPDIR", folder);
        }
        let child = command.stdin(Stdio::null()).process_group(0).spawn()?;
        registry.groups.insert(child.id());
        Ok(Running { child })
    }

    /// The pipe of the standard output. The result is `None` if there is no pipe, or if an earlier call has already
    /// returned the pipe.
    pub fn take_stdout(&mut self) -> Option<std::process::ChildStdout> {
        self.child.stdout.take()
    }

    /// Waits until the program ends.
    pub fn wait(mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait();
        park_if_interrupted();
        status
    }

    fn wait_with_output(mut self) -> io::Result<Output> {
        let (stdout, stderr) = (self.child.stdout.take(), self.child.stderr.take());
        // Standard output and standard error are read in parallel, because a full pipe would block the program.
        let (stdout, stderr) = std::thread::scope(|scope| {
            let errors = scope.spawn(|| read_all(stderr));
            let output = read_all(stdout);
            (output, errors.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        let status = self.child.wait();
        park_if_interrupted();
        Ok(Output { status: status?, stdout: stdout?, stderr: stderr? })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let group = self.child.id();
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            end_groups(&BTreeSet::from([group]));
            let _ = self.child.wait();
        }
        registry().groups.remove(&group);
    }
}

fn read_all(pipe: Option<impl io::Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        pipe.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Runs `command` until it ends, and returns its output.
pub fn output(command: &mut Command) -> io::Result<Output> {
    Running::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()))?.wait_with_output()
}

/// The path of a temporary file or folder. If an interrupt occurs before this value is dropped, the file or folder is
/// removed.
pub struct Registered(PathBuf);

impl Registered {
    /// Calls `make`, which creates a file or folder, and registers the path. The registry is locked until the path is
    /// registered, so an interrupt cannot leave an unregistered file behind.
    pub fn make<T>(
        make: impl FnOnce() -> io::Result<T>,
        path: impl FnOnce(&T) -> &Path,
    ) -> io::Result<(T, Self)> {
        let mut registry = registry();
        let made = make()?;
        let path = path(&made).to_path_buf();
        registry.paths.insert(path.clone());
        Ok((made, Registered(path)))
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        registry().paths.remove(&self.0);
    }
}

/// A temporary folder, removed on drop and on an interrupt.
pub struct TemporaryFolder {
    folder: tempfile::TempDir,
    _registered: Registered,
}

impl TemporaryFolder {
    pub fn new() -> io::Result<Self> {
        let make = || tempfile::Builder::new().prefix("bpa-").tempdir();
        let (folder, registered) = Registered::make(make, tempfile::TempDir::path)?;
        Ok(TemporaryFolder { folder, _registered: registered })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Programs that start after this call use this folder for temporary files.
    pub fn use_for_programs(&self) {
        registry().programs_folder = Some(self.path().into());
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        registry().programs_folder.take_if(|folder| folder == self.folder.path());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_outputs_of_a_program_are_read() {
        let script = "i=0; while [ $i -lt 20000 ]; do echo out; echo err >&2; i=$((i+1)); done; exit 3";
        let output = output(Command::new("sh").args(["-c", script])).expect("sh runs");
        assert_eq!((output.stdout.len(), output.stderr.len()), (80_000, 80_000));
        assert_eq!(output.status.code(), Some(3));
        assert!(registry().groups.is_empty() || !registry().groups.contains(&0));
    }

    #[test]
    fn dropping_a_program_kills_its_children() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 60 & echo $!; wait"]).stdout(Stdio::piped());
        let mut running = Running::start(&mut command).expect("sh runs");
        let mut line = String::new();
        let mut output = io::BufReader::new(running.take_stdout().expect("it is piped"));
        io::BufRead::read_line(&mut output, &mut line).expect("the number of a process");
        drop(running);
        let process = PathBuf::from(format!("/proc/{}", line.trim()));
        let is_running = || {
            let status = std::fs::read_to_string(process.join("stat")).unwrap_or_default();
            process.exists() && !status.contains(") Z ")
        };
        let ended = (0..200).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            !is_running()
        });
        assert!(ended, "the child process of the shell still runs");
    }

    #[test]
    fn files_of_programs_are_removed_with_the_folder() {
        let folder = TemporaryFolder::new().expect("a folder");
        folder.use_for_programs();
        let script = "echo x >\"$TMPDIR/symbolizer-1\"; echo \"$TMPDIR\"";
        let printed = output(Command::new("sh").args(["-c", script])).expect("sh runs").stdout;
        let path = PathBuf::from(String::from_utf8(printed).expect("a path").trim());
        assert!(path == folder.path() && path.join("symbolizer-1").exists());
        drop(folder);
        assert!(!path.exists() && registry().programs_folder.is_none());
    }

    #[test]
    fn no_file_is_created_while_an_interrupt_is_handled() {
        let is_made = AtomicBool::new(false);
        std::thread::scope(|scope| {
            // The signal handler locks the registry, too.
            let registry = registry();
            scope.spawn(|| {
                let make = || {
                    is_made.store(true, Ordering::SeqCst);
                    tempfile::NamedTempFile::new()
                };
                Registered::make(make, |file| file.path())
            });
            std::thread::sleep(Duration::from_millis(50));
            assert!(!is_made.load(Ordering::SeqCst));
            drop(registry);
        });
        assert!(is_made.load(Ordering::SeqCst));
    }

    #[test]
    fn a_temporary_folder_is_registered_until_it_is_dropped() {
        let folder = TemporaryFolder::new().expect("a folder");
        let path = folder.path().to_path_buf();
        assert!(registry().paths.contains(&path));
        drop(folder);
        assert!(!path.exists() && !registry().paths.contains(&path));
    }
}
