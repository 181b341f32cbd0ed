"""A wrapper of the C and C++ compilers that records the build of a program.

The wrapper stores the unoptimised IR of each source file, and compiles the IR with -O2.
"""

import pathlib
import sys

if __name__ == "__main__":  # A script starts faster than a module of a package.
    # The import path begins with this folder, which has a different command_line.py.
    sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "profiled"))
    import recorder  # type: ignore[import-not-found]
    from command_line import Call  # type: ignore[import-not-found]
    from inputs_of_links import digest  # type: ignore[import-not-found]
else:
    from ..profiled import recorder
    from ..profiled.command_line import Call
    from ..profiled.inputs_of_links import digest

LEVEL = "-O2"
OPTIMISED = (LEVEL, "-w")
UNOPTIMISED = (*OPTIMISED, "-Xclang", "-disable-llvm-passes", "-emit-llvm")


class Recorder(recorder.Recorder):  # type: ignore[misc]
    def compile(self, call: Call, source: str, target: str) -> None:
        # A build can compile a source file several times with different options.
        kept = self.module(f"{self.name(source)}.{digest(' '.join([*call.words, source]).encode())[:8]}.bc")
        front = [self.clang, *call.front_end_options(source), *UNOPTIMISED]
        recorder.check([*front, "-c", source, "-o", str(kept)])
        self.generate(call, kept, LEVEL, target)


if __name__ == "__main__":
    sys.exit(Recorder(sys.argv[1]).run(sys.argv[2:]))
