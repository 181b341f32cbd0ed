"""Looks for modules on which our numbers differ from LLVM's, or on which we crash or hang.

    scripts/dev fuzz --draws 1000 --seed 7

Draws come from the generator, from llvm-stress, and from SQLite and a C++ program. Each goes through random changes and
random passes of LLVM, and is compared after each. A finding becomes a lit test in the output folder, shrunk by
llvm-reduce. If LLVM crashes or hangs by itself, that is counted and is no finding. A seed draws the same modules again.

Exits with 0 only if something was compared and nothing was found.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import random
import shutil
import tempfile

from ..comparing.many import Progress
from ..fuzzing import SOURCES, Fuzzer, Judgement
from ..messages import say
from ..paths import TARGET
from ..tools import add_compare_options, find_tools


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_compare_options(parser)
    add = parser.add_argument
    add("--draws", type=int, default=200, metavar="K", help="how many modules (default: 200)")
    add("--seed", type=int, default=1, metavar="S", help="default: 1")
    add("--random", action="store_true", help="a random seed, which is printed")
    add("--only", type=int, metavar="K", help="only the K-th draw of the seed, as a finding names it")
    add("--source", action="append", choices=SOURCES, help="can be repeated (default: all)")
    add("--timeout", type=float, default=300, metavar="SECONDS", help="for each run of LLVM's tools (default: 300)")
    add("--out", type=pathlib.Path, metavar="DIR", help="for findings (default: target/fuzz/llvm-N)")


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin, arguments.opt_flag)
    seed = random.randrange(1 << 32) if arguments.random else arguments.seed
    say(f"fuzzing with seed {seed}")
    fuzzer = Fuzzer(tools, arguments.timeout)
    out = arguments.out or TARGET / "fuzz" / f"llvm-{tools.llvm.version}"
    sources = arguments.source or SOURCES
    progress = Progress(seconds_apart=30)

    def one(number: int) -> Judgement:
        rng = random.Random(f"{seed}-{number}")
        source = rng.choice(sources)
        with tempfile.TemporaryDirectory(prefix="bpa-fuzz-") as name:
            draw = fuzzer.draw(rng, source, pathlib.Path(name))
            judgement = fuzzer.judge(draw)
            if judgement.finding:
                out.mkdir(parents=True, exist_ok=True)
                recipe = f"scripts/dev fuzz --llvm {tools.llvm.version} --seed {seed} --only {number}"
                recipe += "".join(f" --source {source}" for source in arguments.source or ())
                test = out / f"{seed}-{number}.ll"
                print(f"finding ({recipe}): {judgement.finding}", flush=True)
                shutil.copy(draw.path, out / f"{seed}-{number}-drawn{draw.path.suffix}")
                print(f"{'shrunk' if fuzzer.keep(draw, judgement.finding, recipe, test) else 'kept'}: {test}")
        return judgement

    numbers = [arguments.only] if arguments.only is not None else range(arguments.draws)
    counts = Counts()
    with concurrent.futures.ThreadPoolExecutor(max(1, arguments.jobs)) as pool:
        for done in concurrent.futures.as_completed([pool.submit(one, number) for number in numbers]):
            counts.add(done.result())
            progress.show(counts.text)
    print(f"fuzz: {tools.llvm}, seed {seed}, {len(numbers)} draws: {counts.text()}")
    return 1 if counts.findings or not counts.compared else 0


class Counts:
    """What a campaign has come to."""

    def __init__(self) -> None:
        self.compared = self.findings = self._branching = self._blocks = 0
        #: Hashes of the edges and numbers of functions: the same again is no new form.
        self._forms: set[bytes] = set()
        self._llvms: collections.Counter[str] = collections.Counter()

    def add(self, judgement: Judgement) -> None:
        self.compared += len(judgement.compared)
        self.findings += judgement.finding is not None
        for blocks, branches, form in judgement.compared:
            if form not in self._forms:
                self._forms.add(form)
                self._branching += branches > 0
                self._blocks += blocks
        if judgement.llvms:
            self._llvms[judgement.llvms.value] += 1

    def text(self) -> str:
        llvms = ", ".join(f"{ending} {count}" for ending, count in sorted(self._llvms.items()))
        return (
            f"{self.compared:,} functions compared, {len(self._forms):,} different ({self._branching:,} with branches, "
            f"{self._blocks:,} blocks), {self.findings} findings; LLVM by itself: {llvms or 'no trouble'}"
        )
