"""The run as a whole: modules made and judged by several workers, progress, and the counts at its end."""

import collections
import concurrent.futures
import dataclasses
import itertools
import random
import shutil
import signal
import tempfile
import threading
import time
from pathlib import Path

from ..comparing.many import Progress
from ..comparing.runs import Ending
from ..tools import Tools
from . import judge, passes
from .crashes import Crashes
from .shrink import Shrinker
from .sources import Maker, Source, make_sources


@dataclasses.dataclass(frozen=True)
class Limits:
    """What ends a campaign, and what each run in it may take."""

    seed: int
    #: No new module after that.
    minutes: float
    #: Enough when that many functions and that many blocks were compared; 0 and 0: go on.
    functions: int
    blocks: int
    #: Too many to go on.
    findings: int
    #: Only that draw of the seed.
    only: int | None
    jobs: int
    #: Seconds for each run of LLVM's tools.
    timeout: float
    #: For each finding.
    shrink_minutes: float
    #: The names of the sources to draw from.
    sources: tuple[str, ...]


@dataclasses.dataclass
class Counts:
    """What came of one source."""

    draws: int = 0
    #: Comparisons of a function in the process, how many of them in a form that was not there before in the run, and of
    #: these, how many have a block with several successors, and how many blocks.
    compared: int = 0
    forms: int = 0
    branching: int = 0
    blocks: int = 0
    #: Forms of functions that were compared by what is printed.
    printed: int = 0
    #: Findings by kind, and the draws that LLVM alone got into trouble with, by how that ended.
    findings: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    llvm: collections.Counter[Ending] = dataclasses.field(default_factory=collections.Counter)


class Campaign:
    """Module after module, until time is up, there is enough, or too much was found."""

    def __init__(self, tools: Tools, limits: Limits, out: Path) -> None:
        """Leaves what it finds in the folder `out`."""
        self._tools = tools
        self._limits = limits
        self._out = out
        maker = Maker(tools, limits.timeout)
        self._weights: dict[Source, int] = make_sources(maker, limits.sources)
        self._judge = judge.Judge(maker)
        self._shrinker = Shrinker(tools, limits.timeout, 60 * limits.shrink_minutes)
        self._counts = {source.name: Counts() for source in self._weights}
        self._numbers = itertools.count()
        self._found = 0
        self._stopped = False
        #: Hashes of all forms that were compared in the process.
        self._forms: set[int] = set()
        self._crashes = Crashes(out / "llvm-crashes")
        self._lock = threading.Lock()
        self._progress = Progress(seconds_apart=30)
        self._start = time.monotonic()

    def run(self) -> bool:
        """Runs it, and prints the counts; true if nothing was found."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        if self._limits.only is not None:
            self._draw(self._limits.only)
        else:
            workers = max(1, self._limits.jobs)
            with concurrent.futures.ThreadPoolExecutor(workers) as pool:
                for worker in [pool.submit(self._work) for _ in range(workers)]:
                    worker.result()
        self._progress.clear()
        self._report()
        return self._found == 0

    def _stop(self, *_: object) -> None:
        """Ends the campaign after the draws that are under way, and has its counts printed."""
        self._stopped = True

    def _work(self) -> None:
        while not self._enough():
            self._draw(next(self._numbers))

    def _enough(self) -> bool:
        limits = self._limits
        late = time.monotonic() - self._start > 60 * limits.minutes
        goals = limits.functions + limits.blocks > 0
        functions, blocks = self._totals()
        reached = goals and functions >= limits.functions and blocks >= limits.blocks
        return self._stopped or late or reached or self._found >= limits.findings

    def _totals(self) -> tuple[int, int]:
        """Forms with branches, and blocks."""
        counts = self._counts.values()
        return sum(c.branching for c in counts), sum(c.blocks for c in counts)

    def _draw(self, number: int) -> None:
        """Makes and judges one module, which depends on the seed and the number alone."""
        rng = random.Random(f"{self._limits.seed}-{number}")
        (source,) = rng.choices(list(self._weights), list(self._weights.values()))
        counts = self._counts[source.name]
        with tempfile.TemporaryDirectory(prefix="bpa-fuzz-") as name:
            folder = Path(name)
            try:
                judgement = self._judge.judge(source.draw(rng, folder))
            except passes.Trouble as trouble:
                with self._lock:
                    counts.llvm[trouble.ending] += 1
                return
            self._count(counts, judgement)
            if judgement.crash:
                with self._lock:
                    self._crashes.keep(judgement.crash, f"{self._limits.seed}-{number}")
            if judgement.finding:
                self._keep(number, judgement.finding, folder)

    def _count(self, counts: Counts, judgement: judge.Judgement) -> None:
        with self._lock:
            counts.draws += 1
            counts.printed += judgement.functions
            counts.compared += len(judgement.compared)
            for compared in judgement.compared:
                if compared.form not in self._forms:
                    self._forms.add(compared.form)
                    counts.forms += 1
                    counts.branching += compared.branches > 0
                    counts.blocks += compared.blocks
            if judgement.llvm_trouble:
                counts.llvm[judgement.llvm_trouble] += 1
            if judgement.finding:
                counts.findings[judgement.finding.kind] += 1
                self._found += 1
            self._progress.show(self._so_far)

    def _keep(self, number: int, finding: judge.Finding, folder: Path) -> None:
        """Tells of a finding, and leaves it in the output folder: as it is, and shrunk to a lit test."""
        out = self._out
        out.mkdir(parents=True, exist_ok=True)
        again = f"scripts/dev fuzz --llvm {self._tools.llvm.version} --seed {self._limits.seed} --only {number}"
        stem = f"{self._limits.seed}-{number}-{finding.check.replace(',', '+')}"
        with self._lock:
            self._progress.print(f"{finding.kind} in '{finding.check}' ({again}): {finding.text}")
        shutil.copy(finding.module.path, out / f"{stem}-found{finding.module.path.suffix}")
        if finding.check != judge.TOGETHER:
            reduced = self._shrinker.lit_test(finding, folder, out / f"{stem}.ll", again)
            with self._lock:
                self._progress.print(f"{'shrunk' if reduced else 'could not be shrunk'}: {out / stem}.ll")

    def _so_far(self) -> str:
        minutes = (time.monotonic() - self._start) / 60
        llvm = sum((counts.llvm for counts in self._counts.values()), collections.Counter[Ending]())
        functions, blocks = self._totals()
        compared = sum(counts.compared for counts in self._counts.values())
        return (
            f"{minutes:.1f} min: {compared:,} compared, {functions:,} forms with branches "
            f"({functions / minutes / 60:,.0f} a second), "
            f"{blocks:,} blocks, "
            f"{self._found} findings; LLVM crashed {llvm[Ending.CRASHED]} times, hung {llvm[Ending.HUNG]}, "
            f"was unsteady {llvm[Ending.UNSTEADY]}"
        )

    def _report(self) -> None:
        columns = ["draws", "compared", "forms", "branching", "blocks", "printed", "differences", "crashes", "hangs"]
        columns += ["LLVM crashed", "hung", "refused", "unsteady"]
        rows = {
            name: [
                counts.draws,
                counts.compared,
                counts.forms,
                counts.branching,
                counts.blocks,
                counts.printed,
                *(counts.findings[kind] for kind in judge.KINDS),
                *(counts.llvm[ending] for ending in (Ending.CRASHED, Ending.HUNG, Ending.REFUSED, Ending.UNSTEADY)),
            ]
            for name, counts in self._counts.items()
        }
        rows["total"] = [sum(column) for column in zip(*rows.values(), strict=True)]
        print(" | ".join([f"{'source':11}", *(f"{column:>12}" for column in columns)]))
        for name, row in rows.items():
            cells = (f"{figure:>{max(12, len(column))},}" for column, figure in zip(columns, row, strict=True))
            print(" | ".join([f"{name:11}", *cells]))
        minutes = (time.monotonic() - self._start) / 60
        compared = sum(counts.compared for counts in self._counts.values())
        print(
            f"fuzz: {self._tools.llvm}, seed {self._limits.seed}, {minutes:.1f} min, "
            f"{compared / minutes / 60:,.0f} functions a second: {self._found} findings"
        )
