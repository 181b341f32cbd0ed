"""Runs of one command, whose end is as telling as what it prints."""

import collections
import enum
import shlex
import signal
import subprocess
import tempfile


class Ending(enum.Enum):
    FINE = "fine"
    #: Exit code 1: an error that was reported.
    REFUSED = "refused"
    CRASHED = "crashed"
    HUNG = "hung"


# `stdout` and `stderr` are bytes; `trouble` is one text, or None if all went well.
Run = collections.namedtuple("Run", "ending stdout stderr trouble")


def run(command, timeout):
    """Runs it for at most `timeout` seconds."""
    # LLVM's printers write a few bytes at a time, which through a pipe keeps two processes busy.
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
                                  timeout=timeout)
        except subprocess.TimeoutExpired:
            return Run(Ending.HUNG, b"", b"", f"no end after {timeout:g} s: {shown(command)}")
        return ended(command, done.returncode, contents(stdout), contents(stderr))


def contents(file):
    file.seek(0)
    return file.read()


def ended(command, code, stdout, stderr):
    if code == 0:
        return Run(Ending.FINE, stdout, stderr, None)
    how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    said = "".join(f"\n    {line.decode(errors='replace')}" for line in stderr.splitlines()[-4:])
    ending = Ending.REFUSED if code == 1 else Ending.CRASHED
    return Run(ending, stdout, stderr, f"{how}: {shown(command)}{said}")


def shown(command):
    return shlex.join(map(str, command))
