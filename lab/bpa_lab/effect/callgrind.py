"""Counts the instructions of programs with valgrind. The counts do not depend on the machine."""

import dataclasses
import pathlib
from collections.abc import Iterable

# The caches that valgrind simulates, independent of the machine's caches.
CACHES = ("--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64")
# With --dump-instr=yes, valgrind counts jumps for each instruction instead of each line. --log-file removes valgrind's
# messages from the output of the programs.
VALGRIND = (
    *("valgrind", "--tool=callgrind", "-q", "--log-file=/dev/null"),
    *("--cache-sim=yes", *CACHES, "--collect-jumps=yes", "--dump-instr=yes"),
)
#: Programs in system folders, such as `sh`, are not counted.
SKIPPED = ("--trace-children=yes", "--trace-children-skip=/bin/*,/usr/*,/sbin/*")


@dataclasses.dataclass(frozen=True)
class Counts:
    instructions: int = 0
    #: The taken conditional and unconditional jumps, without calls and returns.
    taken: int = 0
    #: Misses of the first-level instruction cache.
    misses: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.instructions + other.instructions, self.taken + other.taken, self.misses + other.misses)


def read(lines: Iterable[str], programs: pathlib.Path) -> Counts:
    """Adds up the counts of the programs in the folder `programs`. `lines` is the output of callgrind."""
    names: dict[str, str] = {}
    events: list[str] = []
    total = {"Ir": 0, "I1mr": 0}
    taken = 0
    is_ours = is_call = False
    for line in lines:
        first = line[:1]
        if first.isdigit() or first in ("+", "-", "*"):
            # The first two words of a line are the address of the instruction and the source line. The line after
            # `calls=` has the counts of the callee, and is skipped because the lines of the callee contain the same
            # counts.
            if is_ours and not is_call:
                for event, number in zip(events, line.split()[2:], strict=False):
                    if event in total:
                        total[event] += int(number)
            is_call = False
        elif line.startswith("ob="):
            number, _, name = line[3:].rstrip("\n").partition(" ")
            is_ours = pathlib.Path(names.setdefault(number, name)).is_relative_to(programs)
        elif line.startswith("cob="):
            number, _, name = line[4:].rstrip("\n").partition(" ")
            names.setdefault(number, name)
        elif line.startswith("calls="):
            is_call = True
        elif line.startswith("events:"):
            events = line.split()[1:]
        elif is_ours and line.startswith("jump="):
            taken += int(line[5:].split()[0])
        elif is_ours and line.startswith("jcnd="):
            taken += int(line[5:].partition("/")[0])
    return Counts(total["Ir"], taken, total["I1mr"])


def read_all(folder: pathlib.Path, programs: pathlib.Path) -> Counts:
    """Adds up the counts of all processes."""
    total = Counts()
    for file in sorted(folder.iterdir()):
        with file.open(errors="replace") as lines:
            total += read(lines, programs)
    return total
