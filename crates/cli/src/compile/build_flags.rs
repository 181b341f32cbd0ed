//! Reads the command lines of a build: finds the compiler among launchers, and selects the flags for clang.

use std::path::{Path, PathBuf};

use crate::base::input::Language;

/// The names of compilers, without the prefix for a target, a version or `.exe`.
const COMPILERS: [&str; 19] = [
    "cc", "c++", "gcc", "g++", "clang", "clang++", "cpp", "icx", "icpx", "icc", "icpc", "emcc", "em++",
    "mpicc", "mpicxx", "mpic++", "hipcc", "clang-cl", "cl",
];

/// The architectures with which the prefix of a cross compiler can begin. Other prefixes, such as `ccache-`, name no
/// target.
const ARCHITECTURES: [&str; 25] = [
    "aarch64",
    "amdgcn",
    "arc",
    "arm",
    "avr",
    "bpf",
    "csky",
    "hexagon",
    "i386",
    "i486",
    "i586",
    "i686",
    "loongarch",
    "m68k",
    "mips",
    "msp430",
    "nvptx",
    "powerpc",
    "ppc",
    "riscv",
    "s390x",
    "sparc",
    "wasm",
    "x86_64",
    "xtensa",
];

/// Response files can name further response files, up to this depth.
const MOST_LEVELS: usize = 8;

/// The compiler of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler<'a> {
    /// The file name of the compiler.
    Known(&'a str),
    /// The file name of a program that can add flags when it runs the compiler.
    Wrapper(&'a str),
}

impl Compiler<'_> {
    /// The target in the name of the compiler, unless it is the target of this machine, or `arguments` select a target.
    /// For example, `aarch64-linux-gnu-gcc` has the target `aarch64-linux-gnu`.
    pub fn target(&self, arguments: &[String]) -> Option<String> {
        let Compiler::Known(name) = *self else { return None };
        let selects = |word: &String| word.starts_with("--target") || word == "-target";
        if arguments.iter().any(selects) {
            return None;
        }
        let (prefix, name) = split_name(name)?;
        match name {
            "emcc" | "em++" => return Some("wasm32-unknown-emscripten".into()),
            "cl" | "clang-cl" => return Some("x86_64-pc-windows-msvc".into()),
            _ => {}
        }
        let is_own = prefix.starts_with(std::env::consts::ARCH)
            && (prefix.ends_with("linux-gnu") || prefix.ends_with("-linux"));
        // GCC for RISC-V can have one name for both sizes of registers.
        if let Some(rest) = prefix.strip_prefix("riscv-") {
            let is_64 = arguments.iter().any(|word| word.starts_with("-march=rv64"));
            return Some(format!("riscv{}-{rest}", if is_64 { 64 } else { 32 }));
        }
        let is_target = ARCHITECTURES.iter().any(|architecture| prefix.starts_with(architecture));
        (is_target && !is_own).then(|| prefix.to_string())
    }

    /// Returns true if the compiler has the options of Microsoft's compiler.
    pub fn is_cl(&self) -> bool {
        matches!(self, Compiler::Known(name) if split_name(name).is_some_and(|(_, name)| name.ends_with("cl")))
    }

    /// The note about this compiler, if bpa compiles for its `target`, or cannot know its flags.
    pub fn remark(&self, target: Option<&str>) -> Option<String> {
        match self {
            Compiler::Known(name) if self.is_cl() => Some(format!(
                "bpa converts the flags D, U, I, FI, std and O of {name}, ignores its other flags, and compiles for {}",
                target.unwrap_or("the target in the command")
            )),
            Compiler::Known(name) => Some(format!(
                "bpa compiles for {}, the target of {name}; another target: -- --target=TRIPLE",
                target?
            )),
            Compiler::Wrapper(name) => Some(format!(
                "bpa does not run {name}: if {name} adds flags to the command, give them after two dashes"
            )),
        }
    }
}

/// The prefix and the name of a compiler: `arm-none-eabi` and `gcc` for `arm-none-eabi-gcc-12.exe`.
fn split_name(file_name: &str) -> Option<(&str, &str)> {
    let name = file_name.strip_suffix(".exe").unwrap_or(file_name);
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let name = name.strip_suffix('-').unwrap_or(name);
    let of_prefix = || name.rsplit_once('-');
    let (prefix, name) = if COMPILERS.contains(&name) { ("", name) } else { of_prefix()? };
    COMPILERS.contains(&name).then_some((prefix, name))
}

fn file_name(word: &str) -> &str {
    word.rsplit(['/', '\\']).next().unwrap_or(word)
}

/// The compiler, and its arguments. The words before the compiler are launchers and their options.
pub fn split<'a>(words: &'a [String], is_file: impl Fn(&str) -> bool) -> (Compiler<'a>, &'a [String]) {
    let is_compiler = |word: &String| !word.contains('=') && split_name(file_name(word)).is_some();
    let file = words.iter().position(|word| is_file(word)).unwrap_or(words.len());
    let first =
        words.iter().position(|word| word.starts_with(['-', '@'])).map_or(file, |flag| flag.min(file));
    // Launchers such as `nice -n 5` and `libtool --mode=compile` have options.
    let behind_options = || {
        let is_value = |place: usize| VALUES.contains(&words[place - 1].as_str());
        (first.max(1)..file).find(|&place| is_compiler(&words[place]) && !is_value(place))
    };
    match words[..first].iter().rposition(is_compiler).or_else(behind_options) {
        Some(place) => (Compiler::Known(file_name(&words[place])), &words[place + 1..]),
        None => (
            Compiler::Wrapper(words[..first].last().map_or("the compiler", |word| file_name(word))),
            &words[first..],
        ),
    }
}

/// Converts the flags of `cl` and `clang-cl` that change the meaning of the source or the level of optimisation. The
/// others are left out.
pub fn from_cl(words: &[String]) -> Vec<String> {
    let mut words = words.iter();
    let mut converted = Vec::new();
    while let Some(word) = words.next() {
        let Some(flag) = word.strip_prefix(['/', '-']) else {
            converted.push(word.clone());
            continue;
        };
        let mut with_value = |flag: &str, value: &str| {
            let value =
                if value.is_empty() { words.next().cloned().unwrap_or_default() } else { value.into() };
            converted.extend([flag.to_string(), value]);
        };
        let names = [("external:I", "-isystem"), ("imsvc", "-isystem"), ("FI", "-include")];
        let names = names.into_iter().chain([("D", "-D"), ("U", "-U"), ("I", "-I")]);
        let mut found = names.filter_map(|(name, own)| Some((own, flag.strip_prefix(name)?)));
        match (found.next(), flag) {
            (Some((own, value)), _) => with_value(own, value),
            (None, "O1" | "Os") => converted.push("-Os".into()),
            (None, "O2" | "Ox" | "Ot") => converted.push("-O2".into()),
            (None, "Od") => converted.push("-O0".into()),
            _ => converted.extend(flag.strip_prefix("std:").map(|name| format!("-std={name}"))),
        }
    }
    converted
}

/// Replaces each argument `@FILE` by the arguments in FILE. A path is relative to `directory`.
pub fn with_response_files(words: Vec<String>, directory: &Path) -> Vec<String> {
    let mut words = words;
    for _ in 0..MOST_LEVELS {
        if !words.iter().any(|word| word.starts_with('@')) {
            break;
        }
        let read = |word: String| {
            let text =
                word.strip_prefix('@').and_then(|name| std::fs::read_to_string(directory.join(name)).ok());
            text.and_then(|text| shlex::split(&text)).unwrap_or_else(|| vec![word])
        };
        words = words.into_iter().flat_map(read).collect();
    }
    words
}

/// Flags whose value is the next argument, and can look like a compiler or a source file.
const VALUES: [&str; 13] = [
    "-I",
    "-L",
    "-D",
    "-U",
    "-F",
    "-B",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-imacros",
    "-x",
    "-isysroot",
];

/// Flags that are removed with the next argument: output files, and the folder that debug information names.
const REMOVED_WITH_VALUE: [&str; 22] = [
    "-o",
    "--output",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-aux-info",
    "-dumpdir",
    "-dumpbase",
    "-dumpbase-ext",
    "--serialize-diagnostics",
    "-serialize-diagnostics",
    "-serialize-diagnostic-file",
    "-diagnostic-log-file",
    "-header-include-file",
    "-dependency-file",
    "-dependency-dot",
    "-module-dependency-dir",
    "-opt-record-file",
    "-index-store-path",
    "-split-dwarf-output",
    "-fdebug-compilation-dir",
];

/// Flags that select the kind of output, or additional outputs.
const FORMS: [&str; 25] = [
    "-c",
    "-S",
    "-E",
    "-MD",
    "-MMD",
    "-MP",
    "-M",
    "-MM",
    "-MG",
    "--",
    "--compile",
    "--assemble",
    "--preprocess",
    "--dependencies",
    "--user-dependencies",
    "--write-dependencies",
    "--write-user-dependencies",
    "--analyze",
    "-extract-api",
    "-emit-ast",
    "-fsyntax-only",
    "--precompile",
    "-pipe",
    "--coverage",
    "-ftest-coverage",
];

/// Prefixes of flags that are removed: instrumentation, because the analysed module must not contain counters;
/// additional outputs; and other paths in debug information, because bpa reads the source files.
const REMOVED: [&str; 27] = [
    "-fprofile",
    "-fcoverage-",
    "-fno-profile",
    "-fsave-optimization-record",
    "-foptimization-record",
    "-fopt-info",
    "-ftime-trace",
    "-fproc-stat-report",
    "-fstack-usage",
    "-fcallgraph-info",
    "-fdump-",
    "-fmodule-output",
    "-fmodules-cache-path",
    "-fthin-link-bitcode",
    "-fcrash-diagnostics-dir",
    "-gsplit-dwarf",
    "-save-stats",
    "--save-stats",
    "-save-temps",
    "--save-temps",
    "-stats-file",
    "--output=",
    "-Wp,-M",
    "-dumpdir=",
    "-fdebug-compilation-dir=",
    "-ffile-compilation-dir=",
    "-fdebug-prefix-map=",
];

/// The words without clang's flag for the folder of relative paths, and this folder. Of several flags, the last is used.
pub fn working_directory(words: &[String]) -> (Vec<String>, Option<PathBuf>) {
    let (mut others, mut folder) = (Vec::new(), None);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.strip_prefix("-working-directory") {
            Some("") => folder = words.next().map(PathBuf::from),
            Some(value) => folder = Some(value.strip_prefix('=').unwrap_or(value).into()),
            None => others.push(word.clone()),
        }
    }
    (others, folder)
}

/// The arguments of a compiler, without source files and without the flags for outputs. Only the compiler of the build
/// can read a precompiled header, so its source, which `header` returns, is included instead. Without a source, the
/// build also passes `-include`.
pub fn for_bitcode<'a>(
    words: &[String],
    is_file: impl Fn(&str) -> bool,
    header: impl Fn(&str) -> Option<&'a PathBuf>,
) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    let mut folders = vec![String::from(".")];
    let mut words = words.iter();
    while let Some(first) = words.next() {
        // `-Xclang` and the next word are one argument.
        let passes_on = ["-Xclang", "-Xpreprocessor", "-mllvm"].contains(&first.as_str());
        let internal = passes_on.then(|| words.next()).flatten();
        let mut value = || words.find(|word| *word != "-Xclang" && *word != "-Xpreprocessor");
        match internal.unwrap_or(first).as_str() {
            removed if REMOVED_WITH_VALUE.contains(&removed) => drop(value()),
            form if FORMS.contains(&form) => {}
            form if REMOVED.iter().any(|beginning| form.starts_with(beginning)) => {}
            "-pass-remarks-output" | "-info-output-file" => drop(value()),
            form if form.starts_with("-pass-remarks-output=") || form.starts_with("-info-output-file=") => {}
            "-include-pch" => {
                if let Some(source) = value().and_then(|path| header(path)) {
                    kept.extend(["-include".to_string(), source.display().to_string()]);
                }
            }
            // GCC finds `FOLDER/NAME.gch` for `-include NAME` if FOLDER is searched, also without a file `FOLDER/NAME`.
            "-include" if internal.is_none() => {
                let Some(name) = value() else { continue };
                let precompiled = |folder: &String| header(&format!("{folder}/{name}.gch"));
                let source = folders.iter().find_map(precompiled).map(|source| source.display().to_string());
                kept.extend(["-include".to_string(), source.unwrap_or_else(|| name.clone())]);
            }
            // `__FILE__` keeps the path that the build selects.
            map if map.starts_with("-ffile-prefix-map=") => {
                kept.push(map.replacen("-ffile-", "-fmacro-", 1));
            }
            flag if VALUES.contains(&flag) && internal.is_none() => {
                let Some(value) = value() else { continue };
                if flag == "-I" {
                    folders.push(value.clone());
                }
                kept.extend([first, value].map(String::clone));
            }
            other if is_file(other) => {}
            // A command can compile several files. The database has an entry for each.
            other if !other.starts_with('-') && is_source(other) => {}
            other if other.starts_with("-o") && !other.starts_with("-objc") => {}
            other => {
                folders.extend(other.strip_prefix("-I").map(String::from));
                kept.extend([first].into_iter().chain(internal).cloned());
            }
        }
    }
    kept
}

fn is_source(word: &str) -> bool {
    let path = Path::new(word);
    Language::of(path).is_some_and(Language::takes_clang) && !crate::base::input::is_header(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        shlex::split(text).expect("words")
    }

    /// The compiler of `command`, and its flags for clang.
    fn flags(command: &str) -> (String, Vec<String>) {
        let words = words(command);
        let is_file = |word: &str| word == "a.c";
        let (compiler, arguments) = split(&words, is_file);
        let arguments = if compiler.is_cl() { from_cl(arguments) } else { arguments.to_vec() };
        (format!("{compiler:?}"), for_bitcode(&arguments, is_file, |_| None))
    }

    #[test]
    fn launchers_may_have_options() {
        for launcher in [
            "",
            "nice -n 5",
            "libtool --tag=CC --mode=compile",
            "cmake -E env CC=/usr/bin/clang",
            "cmake -E __run_co_compile --tidy=\"clang-tidy;-p\" --source=a.c --",
            "env A=1 ccache",
        ] {
            let (compiler, flags) = flags(&format!("{launcher} /usr/bin/gcc-12 -O3 -DX -c a.c -o a.o"));
            assert_eq!((compiler.as_str(), flags), ("Known(\"gcc-12\")", words("-O3 -DX")), "{launcher}");
        }
        assert_eq!(flags("/opt/build-it -DX -c a.c"), ("Wrapper(\"build-it\")".into(), words("-DX")));
        // The value of an option is no compiler.
        assert_eq!(flags("build-it -I /usr/lib/gcc -c a.c").0, "Wrapper(\"build-it\")");
    }

    #[test]
    fn the_name_of_a_cross_compiler_has_the_target() {
        let target = |name| Compiler::Known(name).target(&[]);
        for (name, triple) in [
            ("aarch64-linux-android21-clang", "aarch64-linux-android21"),
            ("x86_64-w64-mingw32-g++", "x86_64-w64-mingw32"),
            ("arm-none-eabi-gcc-12.2.1", "arm-none-eabi"),
            ("avr-g++.exe", "avr"),
            ("emcc", "wasm32-unknown-emscripten"),
        ] {
            assert_eq!(target(name).as_deref(), Some(triple), "{name}");
        }
        let own = format!("{}-linux-gnu-gcc-12", std::env::consts::ARCH);
        for name in ["gcc", "clang++-19", "afl-gcc", "colour-c++", own.as_str()] {
            assert_eq!(target(name), None, "{name}");
        }
        assert_eq!(Compiler::Known("arm-none-eabi-gcc").target(&words("--target=thumbv7m-none-eabi")), None);
        let of_risc_v = |flags| Compiler::Known("riscv-none-elf-gcc").target(&words(flags));
        assert_eq!(of_risc_v("-march=rv64gc").as_deref(), Some("riscv64-none-elf"));
        assert_eq!(of_risc_v("-march=rv32imac").as_deref(), Some("riscv32-none-elf"));
    }

    #[test]
    fn flags_that_write_files_are_removed() {
        let command = "cc -DX --output=b.o -MF d -MJ j -fmodule-output=m.pcm -save-stats=obj -gsplit-dwarf \
                       -ftime-trace=t -fproc-stat-report=p -Wp,-MMD,d --serialize-diagnostics s -aux-info x \
                       -Xclang -dependency-dot -Xclang dot -mllvm -pass-remarks-output=r -fmodules-cache-path=c \
                       -mllvm -unroll-count=2 --write-dependencies -fthin-link-bitcode=t -c a.c -o a.o -O1";
        assert_eq!(flags(command).1, words("-DX -mllvm -unroll-count=2 -O1"));
    }

    #[test]
    fn debug_information_has_the_paths_of_the_sources() {
        let command =
            "cc -ffile-compilation-dir=. -fdebug-compilation-dir=/x -Xclang -fdebug-compilation-dir \
                       -Xclang . -fdebug-prefix-map=/a=/b -ffile-prefix-map=/a=/b -c a.c";
        assert_eq!(flags(command).1, words("-fmacro-prefix-map=/a=/b"));
    }

    #[test]
    fn other_source_files_of_a_command_are_removed() {
        assert_eq!(flags("cc -o prog -include x.c a.c b.cc lib.a -DX").1, words("-include x.c lib.a -DX"));
    }

    #[test]
    fn flags_of_cl_are_converted() {
        let (compiler, flags) =
            flags("clang-cl /nologo /DX=1 /I inc /FIpre.h /std:c++17 /O2 /EHsc /c a.c -DY");
        assert_eq!(compiler, "Known(\"clang-cl\")");
        assert_eq!(flags, words("-D X=1 -I inc -include pre.h -std=c++17 -O2 -D Y"));
    }

    #[test]
    fn response_files_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("flags"), "-DX=\"a b\"\n@more\n").expect("a file");
        std::fs::write(folder.path().join("more"), "-O3 @missing").expect("a file");
        let read = with_response_files(words("cc @flags -c a.c"), folder.path());
        assert_eq!(read, ["cc", "-DX=a b", "-O3", "@missing", "-c", "a.c"]);
    }
}
