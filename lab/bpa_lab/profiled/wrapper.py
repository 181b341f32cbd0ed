"""A wrapper of the C and C++ compilers, and of rustc's linker, that builds programs of the corpus.

For each source file, the wrapper stores clang's IR without the weights of branch hints, and generates code without
optimisation. With the option `-C linker-plugin-lto`, rustc gives IR to the linker, and the wrapper stores this IR.
Later, places.py runs the pass pipeline on the stored IR up to each place, and stores the resulting IR. places.py also
links the program again, with counters. `build.py` writes two scripts that start the wrapper. The variable BPA_EXCLUDE
contains patterns of files that do not belong to the corpus, separated by `:`. recorder.py describes the other
variables.
"""

import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Sequence

if __name__ == "__main__":  # A script starts faster than a module of a package.
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    from command_line import Call, read  # type: ignore[import-not-found]
    from inputs_of_links import objects_of  # type: ignore[import-not-found]
    from recorder import Recorder, check  # type: ignore[import-not-found]
else:
    from .command_line import Call, read
    from .inputs_of_links import objects_of
    from .recorder import Recorder, check

# EARLY contains the passes that clang 16 runs at -O2 before the extension point `pipeline-early-simplification`. EARLY
# begins with the passes of LOWERING. The last pass of LOWERING lowers `__builtin_expect` to branch weights. The wrapper
# removes these weights because they do not belong to the profile.
LOWERING = "annotation2metadata,forceattrs,inferattrs,coro-early,function(lower-expect)"
EARLY = f"{LOWERING},function(simplifycfg,sroa<modify-cfg>,early-cse)"
#: These options disable value profiling of calls and sizes.
INSTRUMENT = ("-disable-vp", "-pgo-instr-memop=false")

WEIGHTS = re.compile(rb", !prof !\d+")
#: The first bytes of a bitcode file.
BITCODE = b"BC\xc0\xde"
SOURCE_NAME = re.compile(rb'(?m)^source_filename = ".*"$')


def without_weights(ir: bytes, name: str) -> bytes:
    """Removes branch weights from IR, and sets the name of the source. The name distinguishes local functions of
    different files."""
    quoted = name.encode().replace(b"\\", b"\\5C").replace(b'"', b"\\22")
    named = SOURCE_NAME.sub(lambda _: b'source_filename = "' + quoted + b'"', ir, count=1)
    return WEIGHTS.sub(b"", named)


class Wrapper(Recorder):  # type: ignore[misc]
    def compile(self, call: Call, source: str, target: str) -> None:
        name = self.name(source)
        front = [self.clang, *call.front_end_options(source), "-O2", "-gline-tables-only", "-w"]
        patterns = os.environ.get("BPA_EXCLUDE", "").split(":")
        if any(fnmatch.fnmatch(name, pattern) for pattern in patterns):
            check([*front, "-c", source, "-o", target])
            return
        unoptimised = ["-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm"]
        ir = output([*front, *unoptimised, source, "-o", "-"])
        kept = self.module(f"{self._shown(call, source, name)}.ll")
        kept.write_bytes(self._without_hints(ir, name))
        self.generate(call, kept, "-O0", target)

    def link(self, words: list[str]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            super().link([self._compiled(word, f"{folder}/{number}") for number, word in enumerate(words)])

    def _compiled(self, word: str, target: str) -> str:
        """Compiles the bitcode in an object file or archive that rustc gives to the linker. Returns the argument of the
        linker that replaces `word`."""
        if not word.endswith((".o", ".rlib")):
            return word
        contents = objects_of(pathlib.Path(word))
        if not any(data.startswith(BITCODE) for data in contents):
            return word
        objects = [f"{target}.{number}.o" for number in range(len(contents))]
        for data, file in zip(contents, objects, strict=True):
            if not data.startswith(BITCODE):
                pathlib.Path(file).write_bytes(data)
                continue
            ir = output([self._tool("llvm-dis"), "-o", "-", "-"], data)
            name = SOURCE_NAME.search(ir)[0].split(b'"')[1].decode()  # type: ignore[index]
            kept = self.module(f"{name}.ll")
            kept.write_bytes(self._without_hints(ir, name))
            self.generate(read([]), kept, "-O0", file)
        if word.endswith(".o"):
            return objects[0]
        check([self._tool("llvm-ar"), "qc", f"{target}.a", *objects])
        return f"{target}.a"

    def _without_hints(self, ir: bytes, name: str) -> bytes:
        """Removes branch hints and weights from IR, and sets the name of the source."""
        if b"@llvm.expect." in ir:
            ir = output([self._tool("opt"), f"-passes={LOWERING}", "-S", "-o", "-", "-"], ir)
        return without_weights(ir, name)

    def _tool(self, name: str) -> str:
        return str(pathlib.Path(self.clang).with_name(name))

    def _shown(self, call: Call, source: str, name: str) -> str:
        """Returns the name of a module. The name depends on the object file, because a build can compile a source file
        several times."""
        if call.is_compile:
            return str(self.name(call.object_of(source)))
        return f"{name}.{zlib.crc32(' '.join(call.options).encode()):08x}"


def output(command: Sequence[str], given: bytes = b"") -> bytes:
    return subprocess.run(command, input=given, stdout=subprocess.PIPE, check=True).stdout


if __name__ == "__main__":
    sys.exit(Wrapper(sys.argv[1]).run(sys.argv[2:]))
