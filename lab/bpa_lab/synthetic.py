"""Compares the counts of LLVM's pass synthetic-counts-propagation with a profile.

LLVM 20 removed this pass, which estimates counts only from the call graph. The score is defined as in
`rust-entry-counts<score>`.
"""

import math
import pathlib
import re
import subprocess
from collections.abc import Mapping

from bpa_dev.messages import Failure
from bpa_dev.tools import Tools

COUNT = re.compile(r'^!(\d+) = !\{!"(?:synthetic_)?function_entry_count", i64 (\d+)', re.MULTILINE)
FUNCTION = re.compile(r'^define [^@\n]*@("[^"]*"|[^(\s]+)\(.*!prof !(\d+)', re.MULTILINE)
PROFILE = re.compile(r",? !prof !\d+")


def entry_counts(text: str) -> dict[str, int]:
    """Returns the entry counts of the functions that have an entry count."""
    counts = {node: int(count) for node, count in COUNT.findall(text)}
    return {name: counts[node] for name, node in FUNCTION.findall(text) if node in counts}


def without_profile(text: str) -> str:
    return PROFILE.sub("", text)


def found(guessed: Mapping[str, int], measured: Mapping[str, int], percent: int) -> float | None:
    """Chooses the `percent`% of the functions with the highest estimates. Returns the sum of the profiled counts of
    these functions, divided by the highest sum that equally many functions can have.

    If n functions have the lowest chosen estimate, and only k of them are needed, k / n of the sum of the profiled
    counts of all n functions is added.
    """
    most = math.ceil(len(measured) * percent / 100)
    best = sum(sorted(measured.values(), reverse=True)[:most])
    if not best:
        return None
    guesses = {name: guessed.get(name, 0) for name in measured}
    last = sorted(guesses.values(), reverse=True)[most - 1]
    surely = [measured[name] for name, guess in guesses.items() if guess > last]
    perhaps = [measured[name] for name, guess in guesses.items() if guess == last]
    return (sum(surely) + sum(perhaps) * (most - len(surely)) / len(perhaps)) / best


def score(module: pathlib.Path, tools: Tools, percents: tuple[int, ...]) -> list[float | None]:
    """Returns the score of LLVM's pass for each percentage."""
    opt = [*tools.opt, "-S", "-o", "-"]
    text = run([*opt, "-passes=no-op-module", str(module)])
    guessed = run([*opt, "-passes=synthetic-counts-propagation", "-"], without_profile(text))
    counts, measured = entry_counts(guessed), entry_counts(text)
    return [found(counts, measured, percent) for percent in percents]


def run(command: list[str], text: str | None = None) -> str:
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"{command[0]}: {done.stderr.strip().splitlines()[-1]}")
    return done.stdout
