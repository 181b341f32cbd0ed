"""A wrapper of the C and C++ compilers that builds programs of the corpus.

For each source file, the wrapper stores the IR that clang writes, without the weights of branch hints. Then the wrapper
runs the passes before clang's `pipeline-early-simplification`, adds counters, and generates code. Later, truth.py runs
the same passes on the stored IR and annotates the IR with the profile. `build.py` writes two scripts that start the
wrapper. The wrapper reads these variables from the environment:

  BPA_BIN      the folder of clang and opt
  BPA_KEEP     the folder for IR; if it is not set, the wrapper only runs clang, for `configure`
  BPA_SOURCE   the source folder of the program
  BPA_EXCLUDE  patterns of files that do not belong to the corpus, separated by `:`
"""

import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import zlib
from collections.abc import Sequence

if __name__ == "__main__":  # A script starts faster than a module of a package.
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    from command_line import Call, read  # type: ignore[import-not-found]
else:
    from .command_line import Call, read

# EARLY contains the passes of LLVM 16's clang -O2 before `pipeline-early-simplification`. LOWERING contains the first
# passes of EARLY, which lower `__builtin_expect` to branch weights. The wrapper removes the weights of
# `__builtin_expect` because they do not belong to the profile.
LOWERING = "annotation2metadata,forceattrs,inferattrs,coro-early,function(lower-expect)"
EARLY = f"{LOWERING},function(simplifycfg,sroa<modify-cfg>,early-cse)"
#: These options disable value profiling of calls and sizes.
INSTRUMENT = ("-disable-vp", "-pgo-instr-memop=false")
# These passes run after the counters are added, and make the programs faster. All passes of -O1 would take most of the
# time of a build. C++ needs inlining.
FAST = {"clang": "", "clang++": ",cgscc(inline),function(sroa<modify-cfg>,early-cse,simplifycfg)"}

WEIGHTS = re.compile(rb", !prof !\d+")
SOURCE_NAME = re.compile(rb'(?m)^source_filename = ".*"$')


def without_weights(ir: bytes, name: str) -> bytes:
    """Removes branch weights from IR, and sets the name of the source. The name distinguishes local functions of
    different files."""
    quoted = name.encode().replace(b"\\", b"\\5C").replace(b'"', b"\\22")
    named = SOURCE_NAME.sub(lambda _: b'source_filename = "' + quoted + b'"', ir, count=1)
    return WEIGHTS.sub(b"", named)


class Wrapper:
    def __init__(self, compiler: str) -> None:
        self._bin = pathlib.Path(os.environ["BPA_BIN"])
        self._clang = str(self._bin / compiler)
        self._counters = f"-passes={EARLY},pgo-instr-gen,instrprof{FAST[compiler]}"
        self._opt = str(self._bin / "opt")
        self._keep = os.environ.get("BPA_KEEP")
        self._source = pathlib.Path(os.environ.get("BPA_SOURCE") or "/").resolve()
        self._exclude = [pattern for pattern in os.environ.get("BPA_EXCLUDE", "").split(":") if pattern]

    def run(self, words: Sequence[str]) -> int:
        call = read(words)
        if not self._keep:
            return subprocess.call([self._clang, *words])
        if call.is_other:
            return subprocess.call([self._clang, *words, *([] if call.is_compile else ["-fprofile-generate"])])
        try:
            if call.is_compile:
                for source in call.sources:
                    self._compile(call, source, call.object_of(source))
                return 0
            return self._compile_and_link(call)
        except subprocess.CalledProcessError as error:
            return error.returncode or 1

    def _compile_and_link(self, call: Call) -> int:
        import tempfile  # The import is slow, and few calls need the module.

        with tempfile.TemporaryDirectory() as folder:
            objects = [f"{folder}/{number}.o" for number in range(len(call.sources))]
            for source, target in zip(call.sources, objects, strict=True):
                self._compile(call, source, target)
            return subprocess.call([self._clang, *call.link_words(objects), "-fprofile-generate"])

    def _compile(self, call: Call, source: str, target: str) -> None:
        name = self._name(source)
        front = [self._clang, *call.front_end_options(source), "-O2", "-gline-tables-only", "-w"]
        if any(fnmatch.fnmatch(name, pattern) for pattern in self._exclude):
            check([*front, "-c", source, "-o", target])
            return
        unoptimised = ["-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm"]
        ir = output([*front, *unoptimised, source, "-o", "-"])
        if b"@llvm.expect." in ir:
            ir = output([self._opt, f"-passes={LOWERING}", "-S", "-o", "-", "-"], ir)
        ir = without_weights(ir, name)
        self._kept(call, source, name).write_bytes(ir)
        counted = [self._opt, self._counters, *INSTRUMENT, "-do-counter-promotion"]
        code = ["-O1", "-Xclang", "-disable-llvm-passes", "-w", "-x", "ir", "-c", "-", "-o", target]
        back = [self._clang, *call.back_end_options(), *code]
        output(back, output([*counted, "-o", "-", "-"], ir))

    def _name(self, source: str) -> str:
        """Returns the path of a file relative to the source folder of the program."""
        path = pathlib.Path(source).resolve()
        return str(path.relative_to(self._source) if path.is_relative_to(self._source) else path)

    def _kept(self, call: Call, source: str, name: str) -> pathlib.Path:
        """Returns the file for IR. The file name depends on the object file, because a build may compile a source file
        several times."""
        if call.is_compile:
            shown = self._name(call.object_of(source))
        else:
            shown = f"{name}.{zlib.crc32(' '.join(call.options).encode()):08x}"
        file = pathlib.Path(self._keep or "", f"{shown.lstrip('/')}.ll")
        file.parent.mkdir(parents=True, exist_ok=True)
        return file


def output(command: Sequence[str], given: bytes = b"") -> bytes:
    return subprocess.run(command, input=given, stdout=subprocess.PIPE, check=True).stdout


def check(command: Sequence[str]) -> None:
    subprocess.run(command, check=True)


if __name__ == "__main__":
    sys.exit(Wrapper(sys.argv[1]).run(sys.argv[2:]))
