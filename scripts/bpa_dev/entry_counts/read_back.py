"""What LLVM reads of the entry counts and the summary that `rust-entry-counts<annotate>` writes."""

import pathlib
import re
import subprocess

from ..messages import Failure
from ..tools import Tools
from . import synthetic

DEGREES = ("counts", "cold", "attributes")
FIELD = re.compile(r'^!\d+ = !\{!"(\w+)", i64 (\d+)\}', re.MULTILINE)
CUTOFF = re.compile(r"^!\d+ = !\{i32 (\d+), i64 (\d+), i(?:32|64) (\d+)\}", re.MULTILINE)
DEFINED = re.compile(r'^define [^@\n]*@("[^"]*"|[^(\s]+)\(.*?\)(?:.*?(#\d+))?', re.MULTILINE)
COLD_GROUP = re.compile(r"^attributes (#\d+) = \{[^}]*\bcold\b", re.MULTILINE)
VERDICT = re.compile(r"(:hot entry|:cold entry)")
#: Of all counts, in millionths: down to there LLVM takes what runs for hot, from there on for cold.
HOT, COLD = 990_000, 999_999


def passes(degree: str) -> str:
    return f"rust-entry-counts<annotate;overwrite;write={degree}>"


def check_summary(file: pathlib.Path, tools: Tools) -> int:
    """Holds what LLVM's print-profile-summary says of each function against what was written; how many have counts."""
    text = run([*tools.opt_command(passes("counts"), "-S", "-o", "-"), str(file)]).stdout
    counts = synthetic.entry_counts(text)
    fields = {name: int(number) for name, number in FIELD.findall(text)}
    if counts and fields.get("MaxFunctionCount") != max(counts.values()):
        raise Failure(f"{file.name}: the summary has another greatest count than functions have")
    if fields.get("NumFunctions", 0) != len(counts):
        raise Failure(f"{file.name}: the summary is of another number of functions")
    cutoffs = {int(cutoff): int(least) for cutoff, least, _ in CUTOFF.findall(text)}
    marked = set(COLD_GROUP.findall(text))
    cold_functions = {name for name, group in DEFINED.findall(text) if group in marked}
    said = verdicts(file, tools)
    for name, count in counts.items():
        hot = count >= cutoffs[HOT]
        # Where all counts are alike they are both, and LLVM says hot.
        expected = (hot, not hot and (count <= cutoffs[COLD] or name in cold_functions))
        if said.get(plain(name)) != expected:
            raise Failure(f"{file.name}: of {name}, called {count} times, print-profile-summary says otherwise")
    return len(counts)


def verdicts(file: pathlib.Path, tools: Tools) -> dict[str, tuple[bool, bool]]:
    """Whether LLVM takes the entry of each function for hot, and for cold."""
    command = tools.opt_command(f"{passes('counts')},print-profile-summary", "-disable-output")
    said = {}
    for line in run([*command, str(file)]).stderr.splitlines()[1:]:
        name, *verdict = VERDICT.split(line)
        said[name.rstrip()] = (":hot entry" in verdict, ":cold entry" in verdict)
    return said


def plain(name: str) -> str:
    """A name without the quotes and escapes that it has in IR."""
    return re.sub(r"\\([0-9A-F]{2})", lambda escape: chr(int(escape[1], 16)), name.strip('"'))


def optimise(file: pathlib.Path, degree: str, tools: Tools) -> bool:
    """Whether all of -O2 and the verifier go well behind what is written; no verdict on what fails without it, too."""
    command = tools.opt_command(f"{passes(degree)},default<O2>,verify", "-disable-output")
    if subprocess.run([*command, file], stderr=subprocess.DEVNULL).returncode == 0:
        return True
    alone = tools.opt_command("default<O2>,verify", "-disable-output")
    if subprocess.run([*alone, file], stderr=subprocess.DEVNULL).returncode == 0:
        raise Failure(f"{file.name}: -O2 fails behind {passes(degree)}")
    return False


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, capture_output=True, encoding="latin-1")
    if done.returncode:
        raise Failure(f"{' '.join(command)}: {done.stderr.strip()[-300:]}")
    return done
