"""The tables for training. Each line describes one branch in one run of a program: LLVM's prediction and the
profile.

The features of branches do not depend on the run, so they are in a separate table.
"""

import concurrent.futures
import csv
import dataclasses
import hashlib
import io
import json
import lzma
import pathlib
import subprocess
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any

from bpa_dev.messages import Failure, announce
from bpa_dev.tools import Tools

from .build import Files
from .manifest import Program
from .normal import Body
from .packed import BETWEEN, BETWEEN_SUCCESSORS, joined, pack
from .truth import BODIES

#: The upper bound for the executions of a branch. No processor is fast enough to exceed this bound in a few minutes.
MOST_EXECUTIONS = 10**13
#: The output of `score;json` and `features` for a module.
Lines = list[dict[str, Any]]


@dataclasses.dataclass(frozen=True)
class Branch:
    """A branch, and its counts in one run of a program. The fields about edges list the edges in the order of the
    terminator's successors."""

    program: str
    family: str
    #: The index of the run in the list of the program's runs.
    run: int
    #: The hash of the normalised body of the function.
    function: str
    #: The number of the branch's block.
    block: int
    #: The source position as FILE:LINE.
    place: str
    #: `two-way`, `switch` or `other`.
    kind: str
    #: The rule that predicts the branch, and the comparison in the condition of the branch.
    rule: str
    condition: str
    executions: int
    #: The block number of each edge's target, and the properties of each edge.
    targets: str
    facts: str
    #: The predicted probability of each edge in units of 2^-31, and the integer weight of each edge.
    answers: str
    weights: str
    #: The branch weights of the profile.
    truth: str


COLUMNS = tuple(field.name for field in dataclasses.fields(Branch))


@dataclasses.dataclass(frozen=True)
class Features:
    """The features of a branch and of each successor, for a predictor."""

    branch: tuple[int, ...]
    successors: tuple[tuple[int, ...], ...]


#: The program, the hash of the function's body, and the number of the block.
Key = tuple[str, str, int]


@dataclasses.dataclass
class FeatureTable:
    branch_names: tuple[str, ...] = ()
    successor_names: tuple[str, ...] = ()
    rows: dict[Key, Features] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Count:
    """The numbers of functions, branches and executions that the table contains for one program. `copies` is the number
    of functions that were skipped as copies."""

    functions: int = 0
    copies: int = 0
    branches: int = 0
    executions: int = 0


@dataclasses.dataclass
class Table:
    branches: list[Branch]
    counts: dict[str, Count]
    features: FeatureTable


def collect(tools: Tools, corpus: Sequence[tuple[Program, Files]], jobs: int) -> Table:
    """Collects the branches of all programs. If several programs contain the same function, the function's
    branches are collected only from the first of these programs."""
    table, owners = Table([], {}, FeatureTable()), dict[str, str]()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for program, files in corpus:
            announce(f"{program.name}: branches")
            count = table.counts[program.name] = Count()
            own, copied = set[str](), set[str]()
            for number, _ in enumerate(program.runs):
                for body, line in of_run(tools, files, number, pool):
                    branch = branch_of(program, number, body.own, line)
                    if owners.setdefault(body.early, program.name) == program.name:
                        own.add(branch.function)
                        table.branches.append(branch)
                        add_features(table.features, branch, line)
                        count.branches += 1
                        count.executions += branch.executions
                    else:
                        copied.add(branch.function)
            count.functions, count.copies = len(own), len(copied)
    return table


def of_run(
    tools: Tools, files: Files, number: int, pool: concurrent.futures.Executor
) -> Iterator[tuple[Body, dict[str, Any]]]:
    """Yields each branch that ran, with the hashes of the body of the function. If several modules contain
    the same non-local function, only the function in the first module is used."""
    bodies: dict[str, dict[str, list[str]]] = json.loads((files.truth(number) / BODIES).read_text())
    shared: dict[str, str] = {}
    for module, lines in scores(tools, files, number, pool).items():
        for line in lines:
            name = line["function"]
            if line["local"] or shared.setdefault(name, module) == module:
                check_count(module, line)
                yield Body(*bodies[module][name]), line


def check_count(module: str, line: dict[str, Any]) -> None:
    """Fails if the branch has an impossible number of executions. The counts of the function are then wrong."""
    if int(line["executions"]) > MOST_EXECUTIONS:
        raise Failure(f"{module}: {line['executions']} executions in block {line['number']} of {line['function']}")


def add_features(table: FeatureTable, branch: Branch, line: dict[str, Any]) -> None:
    """Adds the features of a branch if the table does not contain them yet. They do not depend on the run."""
    found = line["features"]
    if found is not None:
        table.branch_names, table.successor_names = tuple(found["branch_names"]), tuple(found["successor_names"])
        key = (branch.program, branch.function, branch.block)
        table.rows.setdefault(key, Features(tuple(found["branch"]), tuple(map(tuple, found["successors"]))))


def scores(tools: Tools, files: Files, number: int, pool: concurrent.futures.Executor) -> dict[str, Lines]:
    """Returns the branches of each module. If the IR and the plugin are unchanged, reads this data from the
    cache."""
    truth, kept = files.truth(number), files.folder / f"scores-{number}.json"
    stamp = files.stamp(f"truth-{number}").read_bytes()
    wanted = hashlib.sha256(stamp + tools.plugin.read_bytes()).hexdigest()
    if kept.exists():
        found: dict[str, Any] = json.loads(kept.read_text())
        if found["of"] == wanted:
            return dict(found["modules"])
    modules = list(json.loads((truth / BODIES).read_text()))
    lines = dict(zip(modules, pool.map(lambda name: scored(tools, truth / name), modules), strict=True))
    kept.write_text(json.dumps({"of": wanted, "modules": lines}))
    return lines


def scored(tools: Tools, module: pathlib.Path) -> Lines:
    passes = "rust-bpi<score;json;output=->,rust-bpi<features;output=->"
    command = [*tools.opt_command(passes), "-disable-output", str(module)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"{module}: {done.stderr.strip()[:300]}")
    lines: Lines = [json.loads(line) for line in done.stdout.splitlines()]
    features = {(line["function"], line["number"]): line for line in lines if "successors" in line}
    ran = [line for line in lines if "edges" in line and line["executions"] != "0"]
    return [
        {**line, "features": values_of(features.get((line["function"], line["number"])))}
        for line in ran
        if all("true_weight" in edge for edge in line["edges"])
    ]


def values_of(line: dict[str, Any] | None) -> dict[str, Any] | None:
    """Splits features into names and values. A branch with only one distinct successor has no features."""
    if line is None:
        return None
    successors = [successor["features"] for successor in line["successors"]]
    names = {"branch_names": list(line["features"]), "successor_names": list(successors[0])}
    values = [list(successor.values()) for successor in successors]
    return {**names, "branch": list(line["features"].values()), "successors": values}


def position(line: dict[str, Any]) -> str:
    return f"{line['file']}:{line['line']}" if "file" in line else ""


def branch_of(program: Program, run: int, function: str, line: dict[str, Any]) -> Branch:
    edges = line["edges"]
    where = (program.name, program.family, run, function, line["number"], position(line))
    rule = (line["kind"], line["rule"], line.get("condition", ""), int(line["executions"]))
    targets, *numbers = (joined(edge[name] for edge in edges) for name in ("to", "numerator", "weight", "true_weight"))
    return Branch(*where, *rule, targets, joined(map(facts, edges)), *numbers)


def facts(edge: dict[str, Any]) -> str:
    """Formats the facts that the rules use about an edge."""
    words = [edge["reason"]] if "reason" in edge else []
    words += ["leaves-cycle"] if edge.get("leaves_cycle") else []
    words += ["unlikely"] if edge.get("unlikely") else []
    return "+".join(words)


def by_target(branch: Branch, values: str) -> list[int]:
    """Returns the values of distinct successors. Adds the values of parallel edges."""
    targets = branch.targets.split(BETWEEN)
    sums = dict.fromkeys(targets, 0)
    for target, value in zip(targets, values.split(BETWEEN), strict=True):
        sums[target] += int(value)
    return list(sums.values())


def write(branches: Iterable[Branch], file: pathlib.Path) -> None:
    """Writes `branches` to `file`. Equal branches always produce the same bytes."""
    text = io.StringIO()
    writer = csv.writer(text, "excel-tab", lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(dataclasses.astuple(branch) for branch in branches)
    pack(text.getvalue(), file)


def write_features(table: FeatureTable, programs: Container[str], file: pathlib.Path) -> None:
    """Writes the features of these programs."""

    lines = [("program", "function", "block", joined(table.branch_names), joined(table.successor_names))]
    for (program, function, block), found in table.rows.items():
        if program in programs:
            successors = BETWEEN_SUCCESSORS.join(map(joined, found.successors))
            lines.append((program, function, str(block), joined(found.branch), successors))
    pack("".join("\t".join(line) + "\n" for line in lines), file)


def read_features(file: pathlib.Path) -> FeatureTable:
    with lzma.open(file, "rt", encoding="utf-8") as stream:
        *_, branch_names, successor_names = next(stream).rstrip("\n").split("\t")
        table = FeatureTable(tuple(branch_names.split(BETWEEN)), tuple(successor_names.split(BETWEEN)))
        for line in stream:
            program, function, block, branch, successors = line.rstrip("\n").split("\t")
            parts = successors.split(BETWEEN_SUCCESSORS)
            values = tuple(tuple(map(int, part.split(BETWEEN))) for part in parts)
            table.rows[program, function, int(block)] = Features(tuple(map(int, branch.split(BETWEEN))), values)
    return table


def read(file: pathlib.Path) -> list[Branch]:
    with lzma.open(file, "rt", encoding="utf-8", newline="") as stream:
        reader = csv.reader(stream, "excel-tab")
        if tuple(next(reader, ())) != COLUMNS:
            raise Failure(f"{file} does not have the columns {', '.join(COLUMNS)}")
        return [of_words(words) for words in reader]


def of_words(words: Sequence[str]) -> Branch:
    values = dict(zip(COLUMNS, words, strict=True))
    numbers = {name: int(values.pop(name)) for name in ("run", "block", "executions")}
    return Branch(**values, **numbers)  # type: ignore[arg-type]
