"""Runs of one command, whose end is as telling as what it prints."""

import collections
import enum
import shlex
import signal
import subprocess


class Ending(enum.Enum):
    FINE = "fine"
    #: Exit code 1: an error that was reported.
    REFUSED = "refused"
    CRASHED = "crashed"
    HUNG = "hung"


# `stdout` and `stderr` are bytes; `trouble` is one text, or None if all went well.
Run = collections.namedtuple("Run", "ending stdout stderr trouble")


def run(command, timeout, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE):
    """Runs it for at most `timeout` seconds. What goes to a pipe is kept."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
                              timeout=timeout)
    except subprocess.TimeoutExpired:
        return Run(Ending.HUNG, b"", b"", f"no end after {timeout:g} s: {shown(command)}")
    if done.returncode == 0:
        return Run(Ending.FINE, done.stdout, done.stderr, None)
    if done.returncode < 0:
        how = f"killed by {signal.Signals(-done.returncode).name}"
    else:
        how = f"exit code {done.returncode}"
    said = "".join(f"\n    {line.decode(errors='replace')}"
                   for line in (done.stderr or b"").splitlines()[-4:])
    ending = Ending.REFUSED if done.returncode == 1 else Ending.CRASHED
    return Run(ending, done.stdout, done.stderr, f"{how}: {shown(command)}{said}")


def shown(command):
    return shlex.join(map(str, command))
