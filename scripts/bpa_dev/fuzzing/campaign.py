"""The run as a whole: modules made and judged by several workers, progress, and the counts at its end."""

import collections
import concurrent.futures
import itertools
import random
import shutil
import tempfile
import threading
import time
from pathlib import Path

from comparing.many import Progress
from comparing.runs import Ending

from . import judge, passes
from .shrink import Shrinker
from .sources import Maker, all_sources


class Counts:
    """What came of one source."""

    def __init__(self):
        self.draws = self.functions = self.blocks = 0
        #: Findings by kind, and the draws that LLVM alone got into trouble with, by how that ended.
        self.findings = collections.Counter()
        self.llvm = collections.Counter()


class Campaign:
    """Module after module, until time is up, there is enough, or too much was found."""

    def __init__(self, tools, arguments):
        self._tools = tools
        self._arguments = arguments
        maker = Maker(tools, arguments.timeout)
        self._weights = all_sources(maker)
        self._judge = judge.Judge(maker)
        self._shrinker = Shrinker(tools, arguments.timeout, 60 * arguments.shrink_minutes)
        self._counts = {source.name: Counts() for source in self._weights}
        self._numbers = itertools.count()
        self._found = 0
        self._lock = threading.Lock()
        self._progress = Progress(seconds_apart=30)
        self._start = time.monotonic()

    def run(self):
        """Runs it, and prints the counts; true if nothing was found."""
        if self._arguments.only is not None:
            self._draw(self._arguments.only)
        else:
            workers = max(1, self._arguments.jobs)
            with concurrent.futures.ThreadPoolExecutor(workers) as pool:
                for worker in [pool.submit(self._work) for _ in range(workers)]:
                    worker.result()
        self._progress.clear()
        self._report()
        return self._found == 0

    def _work(self):
        while not self._enough():
            self._draw(next(self._numbers))

    def _enough(self):
        arguments = self._arguments
        late = time.monotonic() - self._start > 60 * arguments.minutes
        goals = arguments.functions + arguments.blocks > 0
        reached = (
            goals and self._total("functions") >= arguments.functions and self._total("blocks") >= arguments.blocks
        )
        return late or reached or self._found >= arguments.findings

    def _total(self, what):
        return sum(getattr(counts, what) for counts in self._counts.values())

    def _draw(self, number):
        """Makes and judges one module, which depends on the seed and the number alone."""
        rng = random.Random(f"{self._arguments.seed}-{number}")
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
            if judgement.finding:
                self._keep(number, judgement.finding, folder)

    def _count(self, counts, judgement):
        with self._lock:
            counts.draws += 1
            counts.functions += judgement.functions
            counts.blocks += judgement.blocks
            if judgement.llvm_trouble:
                counts.llvm[judgement.llvm_trouble] += 1
            if judgement.finding:
                counts.findings[judgement.finding.kind] += 1
                self._found += 1
            self._progress.show(self._so_far)

    def _keep(self, number, finding, folder):
        """Tells of a finding, and leaves it in the output folder: as it is, and shrunk to a lit test."""
        out = self._arguments.out
        out.mkdir(parents=True, exist_ok=True)
        again = f"scripts/fuzz --llvm {self._tools.llvm} --seed {self._arguments.seed} --only {number}"
        stem = f"{self._arguments.seed}-{number}-{finding.check.replace(',', '+')}"
        with self._lock:
            self._progress.print(f"{finding.kind} in '{finding.check}' ({again}): {finding.text}")
        shutil.copy(finding.module.path, out / f"{stem}-found{finding.module.path.suffix}")
        if finding.check != judge.TOGETHER:
            reduced = self._shrinker.lit_test(finding, folder, out / f"{stem}.ll", again)
            with self._lock:
                self._progress.print(f"{'shrunk' if reduced else 'could not be shrunk'}: {out / stem}.ll")

    def _so_far(self):
        minutes = (time.monotonic() - self._start) / 60
        llvm = sum((counts.llvm for counts in self._counts.values()), collections.Counter())
        return (
            f"{minutes:.1f} min: {self._total('functions'):,} functions, {self._total('blocks'):,} blocks, "
            f"{self._found} findings; LLVM crashed {llvm[Ending.CRASHED]} times, hung {llvm[Ending.HUNG]}"
        )

    def _report(self):
        columns = ["draws", "functions", "blocks", "differences", "crashes", "hangs", "LLVM crashed", "hung", "refused"]
        rows = {
            name: [
                counts.draws,
                counts.functions,
                counts.blocks,
                *(counts.findings[kind] for kind in judge.KINDS),
                *(counts.llvm[ending] for ending in (Ending.CRASHED, Ending.HUNG, Ending.REFUSED)),
            ]
            for name, counts in self._counts.items()
        }
        rows["total"] = [sum(column) for column in zip(*rows.values())]
        print(" | ".join([f"{'source':11}", *columns]))
        for name, row in rows.items():
            print(" | ".join([f"{name:11}", *(f"{figure:>{len(column)},}" for column, figure in zip(columns, row))]))
        print(
            f"fuzz: LLVM {self._tools.llvm}, seed {self._arguments.seed}, "
            f"{(time.monotonic() - self._start) / 60:.1f} min: {self._found} findings"
        )
