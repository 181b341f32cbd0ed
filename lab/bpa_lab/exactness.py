"""How far block frequencies are from those that solve the equations of flow, function by function.

The judge is a program of the core's own (`crates/core/examples/judge`): it solves the equations of each function in rational
arithmetic, from the probabilities alone. Where an LLVM says other probabilities than ours, its frequencies are judged
by its own.
"""

import dataclasses
import json
import pathlib
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, localcontext
from typing import Any

from bpa_dev.messages import Failure
from bpa_dev.paths import ROOT, TARGET
from bpa_dev.tools import Tools

#: Functions that are judged have so many blocks: those that rational arithmetic manages.
SIZES = range(5, 301)
FUNCTION = re.compile(r"^block-frequency-info: (.*)$")
FREQUENCY = re.compile(r"^ - .*: float = ([^,]+), int = \d+")
EDGES_OF = re.compile(r"^Printing analysis .* for function '(.*)':$")
EDGE = re.compile(r"^  edge .* probability is 0x([0-9a-f]+) / 0x80000000 = ")
#: The numerator of a probability of 1.
CERTAIN = 1 << 31
PRINT_FREQUENCIES = "function(print<block-freq>)"
PRINT_PROBABILITIES = "function(print<branch-prob>)"


@dataclasses.dataclass
class Judged:
    """The true frequencies of a function."""

    #: The binary logarithm of the worst relative error of any frequency in the JSON that was judged.
    log2_error: float
    exact: list[Decimal]

    def worst(self, printed: Sequence[Decimal]) -> Decimal:
        """The worst relative error of any printed frequency, of blocks that the entry reaches."""
        pairs = zip(printed, self.exact, strict=True)
        return max(abs(found - exact) / exact for found, exact in pairs if exact)


class Judge:
    def __init__(self) -> None:
        build = ["cargo", "build", "--quiet", "--release", "--package", "bpa-core", "--example", "judge"]
        if subprocess.run(build, cwd=ROOT).returncode != 0:
            raise Failure("the judge does not build")
        self._program = TARGET / "release" / "examples" / "judge"

    def solve(self, rows: Iterable[str]) -> Iterator[Judged]:
        """Judges functions that are lines of JSON, in their order."""
        for words in self._run("solve", rows):
            yield Judged(float(words[1]), [Decimal(word) for word in words[2:]])

    def residuals(self, rows: Iterable[str]) -> Iterator["Residual"]:
        for name, blocks, log2, saturated in self._run("residual", rows):
            yield Residual(name, int(blocks), float(log2), int(saturated))

    def _run(self, mode: str, rows: Iterable[str]) -> Iterator[list[str]]:
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.writelines(row.rstrip("\n") + "\n" for row in rows)
            file.flush()
            done = subprocess.run([self._program, mode, file.name], stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise Failure("the judge cannot judge")
        yield from (line.split(" ") for line in done.stdout.splitlines())


@dataclasses.dataclass
class Residual:
    """By how much a function's frequencies miss their equations."""

    name: str
    blocks: int
    log2_worst: float
    saturated: int


@dataclasses.dataclass
class Function:
    """A function of a file, with the line of JSON that tells its edges and our exact frequencies."""

    row: str
    data: dict[str, Any]

    @property
    def name(self) -> str:
        return str(self.data["function"])

    @property
    def blocks(self) -> int:
        return len(self.data["blocks"])

    @property
    def is_irreducible(self) -> bool:
        return any(loop["irreducible"] for loop in self.data["loops"])

    @property
    def has_profile(self) -> bool:
        count = self.data["entry_count"]
        return count is not None and not count["synthetic"]

    def frequencies(self) -> list[Decimal]:
        """To all their digits."""
        scaled = [block["frequency"] for block in self.data["blocks"]]
        return [Decimal(number["digits"]) * Decimal(2) ** number["exponent"] for number in scaled]

    def integers(self) -> list[Decimal]:
        """Frequencies as integers, over that of the entry."""
        integers = [Decimal(block["integer"]) for block in self.data["blocks"]]
        return [integer / integers[0] for integer in integers]

    def numerators(self) -> dict[tuple[int, int], int]:
        """Of each pair of blocks the probability of going from one to the other, over 2^31, as LLVM adds it up: what
        rounding has made more than 1 is 1."""
        sums: dict[tuple[int, int], int] = {}
        for edge in self.data["edges"]:
            key = (edge["from"], edge["to"])
            sums[key] = min(sums.get(key, 0) + edge["numerator"], CERTAIN)
        return sums


def functions_of(path: pathlib.Path, tools: Tools, option: str = "exact") -> list[Function]:
    """The functions of a file with frequencies as the option has them, in their order."""
    with tempfile.TemporaryDirectory() as folder:
        printed = pathlib.Path(folder, "functions.json")
        command = tools.opt_command(f"rust-bfi<{option};json;output={printed}>", "-disable-output")
        if subprocess.run([*command, path], stderr=subprocess.DEVNULL).returncode != 0:
            raise Failure(f"opt fails on {path}")
        rows = printed.read_text().splitlines() if printed.exists() else []
    return [Function(row, json.loads(row)) for row in rows]


@dataclasses.dataclass(frozen=True)
class Answer:
    """Somebody whose frequencies are judged: an `opt` with its options."""

    title: str
    #: The title of its LLVM, whose probabilities it has.
    llvm: str
    opt: tuple[str, ...]
    #: Only functions with a profile count.
    profiled: bool = False
    #: On the files as `rust-bfi<annotate>` leaves them.
    annotated: bool = False

    def frequencies(self, path: pathlib.Path) -> dict[str, list[Decimal]]:
        """What is printed of each function, block by block."""
        found: dict[str, list[Decimal]] = {}
        own: list[Decimal] = []
        for line in self._printed(PRINT_FREQUENCIES, path):
            if function := FUNCTION.match(line):
                own = found[function[1]] = []
            elif frequency := FREQUENCY.match(line):
                own.append(Decimal(frequency[1]))
        return found

    def probabilities(self, path: pathlib.Path) -> dict[str, list[int]]:
        """The numerators that are printed of each function, in the order of the edges."""
        found: dict[str, list[int]] = {}
        own: list[int] = []
        for line in self._printed(PRINT_PROBABILITIES, path):
            if function := EDGES_OF.match(line):
                own = found[function[1]] = []
            elif edge := EDGE.match(line):
                own.append(int(edge[1], 16))
        return found

    def _printed(self, passes: str, path: pathlib.Path) -> list[str]:
        command = [*self.opt, f"-passes={passes}", "-disable-output", "-"]
        with path.open("rb") as file:
            done = subprocess.run(command, stdin=file, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if done.returncode != 0:
            raise Failure(f"{' '.join(command)} fails on {path}")
        return done.stderr.decode(errors="replace").splitlines()


def with_own_probabilities(function: Function, numerators: Sequence[int]) -> str | None:
    """The function as a line of JSON with other probabilities; none if they are those that it has."""
    edges = function.data["edges"]
    sums = function.numerators()
    keys = [(edge["from"], edge["to"]) for edge in edges]
    if len(keys) != len(numerators) or [sums[key] for key in keys] == list(numerators):
        return None
    other = {key: number for key, number in zip(keys, numerators, strict=True) if number != sums[key]}
    # Edges that are parallel are printed as one, though each counts by itself.
    kept = [edge for edge, key in zip(edges, keys, strict=True) if key not in other]
    merged = [{"from": source, "to": target, "numerator": number} for (source, target), number in other.items()]
    return json.dumps({**function.data, "edges": kept + merged})


def annotate(path: pathlib.Path, tools: Tools, out: pathlib.Path) -> None:
    """Writes the file as `rust-bfi<annotate>` leaves it."""
    command = tools.opt_command("rust-bfi<annotate>,verify", "-S", "-o", str(out))
    if subprocess.run([*command, path]).returncode != 0:
        raise Failure(f"annotating fails on {path}")


class Shares:
    """How many functions are how near, by their worst block."""

    LIMITS = (Decimal(2) ** -40, Decimal("0.001"), Decimal("0.01"), Decimal("0.1"))

    def __init__(self, errors: Sequence[Decimal]) -> None:
        self.errors = sorted(errors)

    def cells(self) -> list[str]:
        """The count, the share within each limit, the median and the worst."""
        errors = self.errors
        if not errors:
            return ["0"]
        within = [sum(error <= limit for error in errors) for limit in self.LIMITS]
        shares = [f"{100 * count / len(errors):.1f}%" for count in within]
        return [f"{len(errors):,}", *shares, shown(errors[len(errors) // 2]), shown(errors[-1])]


def shown(error: Decimal) -> str:
    """An error in percent, or as a power of two where that would be nothing."""
    if error < Decimal("0.00001"):
        with localcontext() as context:
            context.prec = 6
            return f"2^{float(error.ln() / Decimal(2).ln()):.1f}" if error else "0"
    return f"{100 * error:.3g}%"
