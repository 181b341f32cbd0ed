"""Writes a module, and runs a command on this module in several parallel processes. All processes append JSON lines to
one file.

    side_by_side.py PROCESSES FOLDER COMMAND...

The script fails if a process fails, or if a line is incomplete or missing.
"""

import collections
import json
import pathlib
import subprocess
import sys

FUNCTIONS, BRANCHES = 50, 60


def module():
    """A module. The JSON line of each function is longer than the limit of an atomic write to a pipe."""
    for function in range(FUNCTIONS):
        yield f"define void @f{function}(i1 %c) {{"
        for branch in range(BRANCHES):
            yield f"b{branch}:\n  br i1 %c, label %b{branch + 1}, label %b{BRANCHES}"
        yield f"b{BRANCHES}:\n  ret void\n}}"


def main():
    processes, folder, command = int(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    (folder / "module.ll").write_text("\n".join(module()))
    running = [subprocess.Popen([*command, str(folder / "module.ll")]) for _ in range(processes)]
    assert all([process.wait() == 0 for process in running]), "a process failed"
    lines = [json.loads(line) for line in (folder / "lines.json").read_bytes().splitlines()]
    seen = collections.Counter(line["function"] for line in lines)
    wrong = f"not {processes} lines for each function: {seen}"
    assert len(seen) == FUNCTIONS and set(seen.values()) == {processes}, wrong
    print(f"{len(lines)} whole lines of {processes} processes")


main()
