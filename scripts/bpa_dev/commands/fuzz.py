"""Searches for modules on which the numbers of bpa and LLVM differ, or on which passes of bpa crash or hang.

    scripts/dev fuzz --modules 1000 --seed 7

The modules come from the generator, from llvm-stress, from SQLite and from a C++ program. Random mutations and random
LLVM passes change each module. The numbers are compared after each mutation and after each pass. For each finding,
llvm-reduce reduces the module, and the command writes a lit test to the output folder. If LLVM also crashes or hangs
without the passes of bpa, the command counts the failure, but does not report a finding. Equal seeds give equal
modules.

With --pipelines, each module goes through a random pipeline of twenty LLVM passes: without `rust-analyses`, with
`rust-analyses` and with `rust-analyses<check>`. The three outputs must be equal, byte for byte.

The exit status is 0 only if at least one function was compared and there is no finding.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import random
import shutil
import tempfile

from ..comparing.many import Progress
from ..fuzzing import SOURCES, Fuzzer, Outcome
from ..messages import announce
from ..paths import TARGET
from ..tools import add_compare_options, find_tools


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_compare_options(parser)
    add = parser.add_argument
    add("--modules", type=int, default=200, metavar="K", help="number of modules (default: 200)")
    add("--seed", type=int, default=1, metavar="S", help="random seed (default: 1)")
    add("--random", action="store_true", help="use and print a random seed")
    add("--only", type=int, metavar="K", help="test only module K of the seed; each finding prints K")
    add(
        "--pipelines",
        action="store_true",
        help="compare the outputs of random pipelines with and without rust-analyses",
    )
    add("--source", action="append", choices=SOURCES, help="source of modules; may be repeated (default: all)")
    add(
        "--timeout", type=float, default=300, metavar="SECONDS", help="time limit for each run of a tool (default: 300)"
    )
    add("--out", type=pathlib.Path, metavar="DIR", help="folder for findings (default: target/fuzz/llvm-N)")


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin, arguments.opt_flag)
    seed = random.randrange(1 << 32) if arguments.random else arguments.seed
    announce(f"fuzzing with seed {seed}")
    fuzzer = Fuzzer(tools, arguments.timeout)
    out = arguments.out or TARGET / "fuzz" / f"llvm-{tools.llvm.version}"
    sources = arguments.source or SOURCES
    progress = Progress(seconds_apart=30)

    def one(number: int) -> Outcome:
        rng = random.Random(f"{seed}-{number}")
        source = rng.choice(sources)
        with tempfile.TemporaryDirectory(prefix="bpa-fuzz-") as name:
            make, compare = fuzzer.make, fuzzer.compare
            if arguments.pipelines:
                make, compare = fuzzer.make_pipeline, fuzzer.compare_pipeline
            case = make(rng, source, pathlib.Path(name))
            outcome = compare(case)
            if outcome.finding:
                out.mkdir(parents=True, exist_ok=True)
                recipe = f"scripts/dev fuzz --llvm {tools.llvm.version} --seed {seed} --only {number}"
                recipe += " --pipelines" * arguments.pipelines
                recipe += "".join(f" --source {source}" for source in arguments.source or ())
                test = out / f"{seed}-{number}.ll"
                print(f"finding ({recipe}): {outcome.finding}", flush=True)
                shutil.copy(case.path, out / f"{seed}-{number}-original{case.path.suffix}")
                if arguments.pipelines:
                    print(f"pipeline: {','.join(case.stages)}", flush=True)
                    return outcome
                print(f"{'reduced' if fuzzer.keep(case, outcome.finding, recipe, test) else 'kept'}: {test}")
        return outcome

    numbers = [arguments.only] if arguments.only is not None else range(arguments.modules)
    counts = Counts("modules" if arguments.pipelines else "functions")
    with concurrent.futures.ThreadPoolExecutor(max(1, arguments.jobs)) as pool:
        for done in concurrent.futures.as_completed([pool.submit(one, number) for number in numbers]):
            counts.add(done.result())
            progress.show(counts.text)
    print(f"fuzz: {tools.llvm}, seed {seed}, {len(numbers)} modules: {counts.text()}")
    return 1 if counts.findings or not counts.compared else 0


class Counts:
    def __init__(self, units: str) -> None:
        self._units = units
        self.compared = self.findings = self._branching = self._blocks = 0
        #: A hash for each distinct function. The hash covers the edges, probabilities and frequencies.
        self._forms: set[bytes] = set()
        self._llvms: collections.Counter[str] = collections.Counter()

    def add(self, outcome: Outcome) -> None:
        self.compared += len(outcome.compared)
        self.findings += outcome.finding is not None
        for blocks, branches, form in outcome.compared:
            if form not in self._forms:
                self._forms.add(form)
                self._branching += branches > 0
                self._blocks += blocks
        if outcome.llvms:
            self._llvms[outcome.llvms.value] += 1

    def text(self) -> str:
        llvms = ", ".join(f"{ending} {count}" for ending, count in sorted(self._llvms.items()))
        return (
            f"{self.compared:,} {self._units} compared, {len(self._forms):,} different "
            f"({self._branching:,} with branches, {self._blocks:,} blocks), "
            f"{self.findings} findings; failures of LLVM itself: {llvms or 'none'}"
        )
