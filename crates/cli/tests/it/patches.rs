//! Tests `bpa hints --patch` on a small program with all forms of conditions. The patch must apply, and the patched
//! program must print the same text as the original program. For the patched program, `--patch` must print an
//! empty patch.

use std::path::Path;
use std::process::Command;

use crate::support::profile::{newest_version, tool};
use crate::support::{texts, Project};

const WALK: &str = include_str!("patched/walk.c");
const MAIN: &str = include_str!("patched/main.cpp");

const WRITTEN: &[&str] = &[
    "+  if (__builtin_expect(n < 4000, 1)) /* mostly */\r\n",
    "+  if (__builtin_expect(m == 3, 0)) sum--;\n",
    "+  if (text == NONE || /* never */ __builtin_expect(n != 4096, 1)) sum++;\n",
    "else if (__builtin_expect(m == n, 1)) sum += 2; else sum--;\n",
    "__builtin_expect_with_probability(*text++ == 'x', 0, 0.75) ? 3 : weight(n); n--; }\n",
    "+  for (int i = 0; (__builtin_expect(i > m, 0)); i++) sum ^= i;\n",
    "+  if (__builtin_expect(!!(n = sum & 0), 0)) sum += n; else if (__builtin_expect(!!(IS_SMALL(m)), 1)) sum += 3;\n",
    "+  if (__builtin_expect(m\n       // in several (lines\n",
    "+      < 950, 1)) sum ^= 1;\n",
    "if (__builtin_expect(static_cast<bool>(x < 950), 1)) return weight(x)",
    "+    if (__builtin_expect(static_cast<bool>(flag), 1)) sum++;\n",
    "__builtin_expect(i > 50, 1) && i != 500",
    "{ if (__builtin_expect(!is_small(i), 0)) return i; return 0; }\n",
];
/// Conditions that must not be edited: a hint could change their meaning, or they differ between template instances.
const NOT_EDITED: &[&str] = &["other(T x)", "RETURN_IF", "if (int rest", "if constexpr", "EITHER(text"];
const LEFT_OUT: &[&str] = &[
    "the existing hint is not __builtin_expect(..., 0 or 1)",
    "walk.c:24:7: a preprocessor directive is inside or beside the condition",
];

struct Program {
    project: Project,
    version: String,
}

impl Program {
    /// Writes the program.
    fn new() -> Self {
        // The lines of the header end in `\r\n`.
        let header = include_str!("patched/shared.h").replace('\n', "\r\n");
        let files = [("shared.h", header.as_str()), ("walk.c", WALK), ("main.cpp", MAIN)];
        let project = Project::new(&files);
        let version = newest_version(&project);
        let entry = |compiler: &str, file: &str| {
            format!(
                r#"{{"directory": {:?}, "file": "{file}", "arguments": ["{compiler}", "-c", "{file}"]}}"#,
                project.path()
            )
        };
        let database = format!("[{}, {}]", entry("cc", "walk.c"), entry("c++", "main.cpp"));
        project.write("compile_commands.json", &database);
        Program { project, version }
    }

    fn run(&self, program: impl AsRef<Path>, words: &[&str]) -> String {
        let program = program.as_ref();
        let mut command = Command::new(program);
        command.args(words).current_dir(self.project.path()).env("LLVM_PROFILE_FILE", "my.profraw");
        let (status, out, err) = texts(command.output().expect("the program starts"));
        assert_eq!(status, Some(0), "{program:?} {words:?}\n{out}{err}");
        out
    }

    /// Builds the program, profiles a run, and returns the output of the run.
    fn measure(&self) -> String {
        let clang = tool(&self.version, "clang");
        let measured = ["-O2", "-fprofile-instr-generate"];
        self.run(&clang, &[&measured[..], &["-c", "walk.c"]].concat());
        self.run(&clang, &[&measured[..], &["--driver-mode=g++", "-std=c++17", "-c", "main.cpp"]].concat());
        self.run(
            &clang,
            &[&measured[..], &["--driver-mode=g++", "walk.o", "main.o", "-o", "program"]].concat(),
        );
        let printed = self.run("./program", &[]);
        self.run(tool(&self.version, "llvm-profdata"), &["merge", "my.profraw", "-o", "my.profdata"]);
        printed
    }

    /// The patch for both files, and the messages on standard error.
    fn patch(&self) -> (String, String) {
        let options = [
            "hints",
            "--llvm",
            &self.version,
            "--patch",
            "--profile",
            "my.profdata",
            "compile_commands.json",
        ];
        let (status, patch, messages) = self.project.run(&options);
        assert_eq!(status, Some(0), "{messages}");
        (patch, messages)
    }
}

#[test]
fn a_patched_program_prints_the_same_and_needs_no_second_patch() {
    let program = Program::new();
    let before = program.measure();
    let (patch, messages) = program.patch();
    for line in WRITTEN {
        assert!(patch.contains(line), "no {line:?} in\n{patch}");
    }
    for line in LEFT_OUT {
        assert!(messages.contains(line), "no {line:?} in\n{messages}");
    }
    for word in NOT_EDITED {
        let edited = patch.lines().any(|line| line.starts_with('+') && line.contains(word));
        assert!(!edited, "{word} was edited:\n{patch}");
    }
    program.project.write("hints.patch", &patch);
    program.run("patch", &["-p1", "--fuzz=0", "--binary", "-i", "hints.patch"]);
    assert_eq!(program.measure(), before);
    let (again, messages) = program.patch();
    assert!(again.is_empty() && messages.contains("0 hints written"), "{messages}{again}");
}
