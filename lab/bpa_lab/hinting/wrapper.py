"""Stands for the C and C++ compilers while a program is built, and keeps how each source file is compiled.

What it has to know is in the environment: BPA_BIN, the folder of clang; BPA_COMMANDS, a file to which it adds a line of
JSON for each source file, an entry of a compilation database; BPA_FLAGS, what is said to the compiler besides.
"""

import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Sequence

if __name__ == "__main__":  # it is run as a file: an interpreter a source file has to start fast
    sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "profiled"))
    from command_line import DROPPED, read  # type: ignore[import-not-found]
else:
    from ..profiled.command_line import DROPPED, read


def main(compiler: str, words: Sequence[str]) -> int:
    flags = os.environ["BPA_FLAGS"].split()
    call = read(words)
    lines = [
        json.dumps({"directory": os.getcwd(), "file": source, "arguments": ["cc", *call.options, source]})
        for source in call.sources
    ]
    with open(os.environ["BPA_COMMANDS"], "a") as commands:
        commands.write("".join(f"{line}\n" for line in lines))
    kept = [word for word in words if not word.startswith(DROPPED)]
    return subprocess.call([str(pathlib.Path(os.environ["BPA_BIN"], compiler)), *kept, *flags, "-w"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
