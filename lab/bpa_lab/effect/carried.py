"""Carries predictions from the early IR to the late IR.

LLVM's pass `debugify` gives each instruction of the unoptimised IR its own line number. The passes keep the line
numbers, and do not optimise differently because of them. A branch of the late IR gets the prediction of the branch
of the early IR that has the same line. The lines of the next blocks show which successor is which.
"""

import dataclasses
import re
from collections.abc import Iterator

#: The number of branches and jumps between a branch and the blocks whose lines tell its successors apart.
DEPTH = 3
LOCATION = re.compile(r"^(!\d+) = (?:distinct )?!DILocation\(line: (\d+),", re.M)
WEIGHTS = re.compile(r'^(!\d+) = !\{!"branch_weights", i32 (\d+), i32 (\d+)\}$', re.M)
LABEL = re.compile(r'^("[^"]*"|[-\w$.]+):')
TARGET = re.compile(r'label %("[^"]*"|[-\w$.]+)')
DEBUG, PROFILE = re.compile(r"!dbg (!\d+)"), re.compile(r"!prof (!\d+)")


@dataclasses.dataclass
class Block:
    targets: list[str] = dataclasses.field(default_factory=list)
    #: The line numbers of the instructions.
    lines: set[str] = dataclasses.field(default_factory=set)
    #: The position and the text of the conditional branch.
    position: int = -1
    branch: str = ""
    line: str = ""


@dataclasses.dataclass(frozen=True)
class Prediction:
    weights: tuple[str, str]
    #: The lines behind each successor.
    behind: tuple[set[str], set[str]]


def functions(text: list[str], locations: dict[str, str]) -> Iterator[dict[str, Block]]:
    """Yields the blocks of each function, by their labels. `locations` maps metadata to line numbers."""
    blocks: dict[str, Block] = {}
    block = Block()
    for position, line in enumerate(text):
        if line.startswith("define "):
            block = Block()
            blocks = {"": block}
        elif line.startswith("}"):
            yield blocks
        elif label := LABEL.match(line):
            block = blocks[label[1]] = Block()
        elif line.startswith("  "):
            where = DEBUG.search(line)
            number = locations.get(where[1], "") if where else ""
            block.lines.add(number)
            block.targets += TARGET.findall(line)
            if line.startswith("  br i1 "):
                block.position, block.branch, block.line = position, line, number


def behind(blocks: dict[str, Block], start: Block) -> tuple[set[str], set[str]]:
    """Returns the lines that follow one successor of the branch `start`, but not the other one."""
    reached = []
    for target in start.targets[:2]:
        found, edge = {target}, {target}
        for _ in range(DEPTH):
            edge = {next_one for name in edge for next_one in blocks[name].targets} - found
            edge = {name for name in edge if blocks[name] is not start}
            found |= edge
        reached.append(set().union(*(blocks[name].lines for name in found if blocks[name] is not start)))
    first, second = reached
    return first - second, second - first


def predictions(early: str) -> dict[str, Prediction]:
    """Maps the line of each conditional branch of the early IR to its weights."""
    weights = {name: (first, second) for name, first, second in WEIGHTS.findall(early)}
    found = {}
    for blocks in functions(early.splitlines(), dict(LOCATION.findall(early))):
        for block in blocks.values():
            profile = PROFILE.search(block.branch)
            if profile and profile[1] in weights:
                found[block.line] = Prediction(weights[profile[1]], behind(blocks, block))
    return found


def carry(early: str, late: str) -> str:
    """Writes the weights of the conditional branches of `early` on the conditional branches of `late`."""
    known, text = predictions(early), late.splitlines()
    for blocks in functions(text, dict(LOCATION.findall(late))):
        for block in blocks.values():
            prediction = known.get(block.line)
            if prediction is None or not block.branch or PROFILE.search(block.branch):
                continue
            first, second = behind(blocks, block)
            same = len(first & prediction.behind[0]) + len(second & prediction.behind[1])
            other = len(first & prediction.behind[1]) + len(second & prediction.behind[0])
            if same == other:
                continue
            one, two = prediction.weights if same > other else reversed(prediction.weights)
            text[block.position] += f', !prof !{{!"branch_weights", i32 {one}, i32 {two}}}'
    return "\n".join(text) + "\n"
