"""Changes of textual IR that no pass would make: branches go elsewhere, blocks end or become cold, weights and
expectations appear.

The IR has to come out of `reg2mem`: without phis, and with no value used outside its block, any jump may go to any
block.
"""

import itertools
import random
import re
from collections.abc import Iterator, Sequence

from ..comparing.transforms import NAME

LABEL = re.compile(rf"^{NAME}:")
TARGET = re.compile(rf"label %{NAME}")
CONDITION = re.compile(r"^  br (i1) ([^,]+), label")
SWITCH = re.compile(r"^  switch (i\d+) ([^,]+), label")
NORMAL = re.compile(rf"\bto label %{NAME}")
PADS = ("landingpad", "catchpad", "cleanuppad", "catchswitch")
WEIGHTS = (0, 1, 1, 2, 3, 12, 20, 64, 1000, 2000, 1048575, -(2**31), -1)
COLD = "bpa.cold"


def rewire(text: str, rng: random.Random) -> str:
    """The text with some of its functions changed."""
    return Rewiring(text, rng).text()


class Rewiring:
    """One module's rewiring."""

    def __init__(self, text: str, rng: random.Random) -> None:
        self._rng = rng
        self._module = text
        self._lines = text.split("\n")
        self._nodes: list[str] = []  # metadata to define
        self._expected: set[str] = set()  # types that are expected somewhere
        self._node_base = 1 + max((int(n) for n in re.findall(r"^!(\d+) = ", text, re.MULTILINE)), default=-1)
        self._made = 0

    def text(self) -> str:
        result: list[str] = []
        body: list[str] | None = None
        for line in self._lines:
            if line.startswith("define "):
                body = []
            if body is None:
                result.append(line)
                continue
            body.append(line)
            if line == "}":
                result += self._function(body) if self._rng.random() < 0.8 else body
                body = None
        return "\n".join([*result, *self._additions(), ""])

    def _additions(self) -> Iterator[str]:
        """Declarations and metadata that the changes need."""
        for bits in sorted(self._expected):
            if f"@llvm.expect.{bits}(" not in self._module:
                yield f"declare {bits} @llvm.expect.{bits}({bits}, {bits})"
        yield f"declare void @{COLD}() cold"
        for number, operands in enumerate(self._nodes, self._node_base):
            yield f"!{number} = !{{{operands}}}"

    def _function(self, lines: Sequence[str]) -> list[str]:
        """The changed lines of one function."""
        targets = possible_targets(lines)
        rates = {what: self._rng.choice((0, 0.05, 0.2, 0.5)) for what in ("target", "weights", "expect", "end", "cold")}
        changed: list[str] = []
        successors = 0  # of the switch whose cases are being read
        for line in lines:
            if line.startswith(("  br ", "  switch ")):
                changed += self._before_terminator(line, rates)
                line = changed.pop()
            if targets and (successors or line.startswith(("  br ", "  switch "))):
                line = self._elsewhere(line, targets, rates["target"])
            if line.startswith("  br i1 "):
                line = self._weighed(line, 2, rates["weights"])
            if line.startswith("  switch "):
                successors = 1
            elif successors and line.startswith("  ]"):
                line = self._weighed(line, successors, rates["weights"])
                successors = 0
            elif successors:
                successors += 1
            changed.append(line)
        return changed

    def _before_terminator(self, line: str, rates: dict[str, float]) -> Iterator[str]:
        """New instructions, and the terminator that follows them."""
        if self._hit(rates["cold"]):
            yield f"  call void @{COLD}()"
        if self._hit(rates["end"] / 4) and line.startswith("  br "):
            yield "  unreachable"
            return
        branch = CONDITION.match(line)
        tested = branch or SWITCH.match(line)
        if tested and self._hit(rates["expect"]):
            bits, value = tested.groups()
            self._made += 1
            self._expected.add(bits)
            name = f"%bpa.{self._made}"
            constant = self._rng.choice(("true", "false")) if branch else self._rng.randint(0, 5)
            yield f"  {name} = call {bits} @llvm.expect.{bits}({bits} {value}, {bits} {constant})"
            line = line.replace(f"{bits} {value},", f"{bits} {name},", 1)
        yield line

    def _elsewhere(self, line: str, targets: Sequence[str], rate: float) -> str:
        """The line with some of its targets replaced."""

        def target(match: re.Match[str]) -> str:
            return f"label %{self._rng.choice(targets)}" if self._hit(rate) else match[0]

        return TARGET.sub(target, line)

    def _weighed(self, line: str, count: int, rate: float) -> str:
        """The end of a terminator with random weights, in place of those it has."""
        if not self._hit(rate):
            return line
        weights = ", ".join(f"i32 {self._rng.choice(WEIGHTS)}" for _ in range(count))
        number = self._node_base + len(self._nodes)
        self._nodes.append(f'!"branch_weights", {weights}')
        return re.sub(r", !prof !\d+", "", line) + f", !prof !{number}"

    def _hit(self, rate: float) -> bool:
        return self._rng.random() < rate


def possible_targets(lines: Sequence[str]) -> list[str]:
    """The labels that a jump may go to: not the first block, no pads, and not where an `invoke` goes on to, which
    may use its result."""
    found = []
    forbidden = {match[1] for line in lines if " unwind label " in line and (match := NORMAL.search(line))}
    for line, following in itertools.pairwise(lines[2:]):
        label = LABEL.match(line)
        if label and label[1] not in forbidden and not any(pad in following for pad in PADS):
            found.append(label[1])
    return found
