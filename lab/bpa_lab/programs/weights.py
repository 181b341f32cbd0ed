"""What compilations leave behind: objects, and branch weights in the IR that the objects are made from."""

import concurrent.futures
import dataclasses
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence

from bpa_dev.messages import Failure

from .make import Compilation

DEFINITION = re.compile(r"^define ", re.MULTILINE)
#: A node of metadata that has weights, and an instruction that refers to a node.
NODE = re.compile(r"^!(\d+) = (?:distinct )?!\{!\"branch_weights\",", re.MULTILINE)
REFERENCE = re.compile(r", !prof !(\d+)")
#: They write files beside the object, or take one word more that names one.
DEPENDENCIES = {"-MD": 1, "-MMD": 1, "-MP": 1, "-MF": 2, "-MT": 2, "-MQ": 2}


@dataclasses.dataclass(frozen=True)
class Weights:
    """What is in the IR of all files of a program."""

    files: int
    functions: int
    #: Functions with weights on some instruction.
    with_weights: int
    #: Instructions with weights.
    instructions: int


def objects(folder: pathlib.Path) -> dict[str, str]:
    """A digest of every object file, by its name below the folder."""
    files = sorted(path for path in folder.rglob("*.o") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def weights(compilations: Sequence[Compilation], environment: Mapping[str, str]) -> Weights:
    """Compiles everything again by the same commands, but that they end in IR."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        texts = list(pool.map(lambda compilation: ir_of(compilation, environment), compilations))
    counts = [count for text in texts for count in counts_of(text)]
    return Weights(len(texts), len(counts), sum(count > 0 for count in counts), sum(counts))


def ir_of(compilation: Compilation, environment: Mapping[str, str]) -> str:
    command = [*without_outputs(shlex.split(compilation["command"])), "-S", "-emit-llvm", "-o", "-"]
    done = subprocess.run(
        command, cwd=compilation["directory"], env=environment, capture_output=True, text=True, errors="replace"
    )
    if done.returncode != 0:
        raise Failure(f"{shlex.join(command)} failed:\n{done.stderr}")
    return done.stdout


def without_outputs(words: Sequence[str]) -> list[str]:
    """The command without what it writes, and without `-c`."""
    kept: list[str] = []
    skipped = 0
    for word in words:
        skipped = skipped or {**DEPENDENCIES, "-c": 1, "-o": 2}.get(word, 0)
        if skipped:
            skipped -= 1
        else:
            kept.append(word)
    return kept


def counts_of(text: str) -> list[int]:
    """How many instructions have weights, function by function."""
    nodes = set(NODE.findall(text))
    bodies = DEFINITION.split(text)[1:]
    return [sum(node in nodes for node in REFERENCE.findall(body)) for body in bodies]
