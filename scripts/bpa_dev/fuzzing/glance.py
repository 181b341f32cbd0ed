"""One run of `opt` for everything: the module goes through its stages, both sides print after each, and annotations
follow the last. What the two sides print stands one behind the other in the output.
"""

import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..comparing import printers
from ..comparing.runs import Ending, run, shown
from ..tools import Tools
from .sources import Draw

#: Reports on functions, as they are printed.
Reports = list[bytes]

OUR_PRINTER = printers.COMPARISONS["bpi"][0]
BLOCK = b"\n - "  # in a report on frequencies


class Glance(NamedTuple):
    #: Whether all is as it should be.
    same: bool
    #: A function counts again when its frequencies have changed.
    functions: int
    blocks: int
    #: The command, or how it ended if not well.
    what: str


def look(draw: Draw, tools: Tools, timeout: float) -> Glance:
    """Looks at all there is to see in one run."""
    command = tools.opt_command(",".join(pipeline(draw)), *draw.flags, "-disable-output")
    done = run([*command, draw.path], timeout * (1 + len(draw.stages)))
    if done.ending is not Ending.FINE:
        return Glance(False, 0, 0, done.trouble or "")
    return read(done.stderr, 1 + len(draw.stages), shown([*command, draw.path]))


def pipeline(draw: Draw) -> Iterator[str]:
    """The passes. LLVM's answers are to come from the IR alone, not from analyses that its passes have kept."""
    for stage in [[], *draw.stages]:
        yield from [*stage, "invalidate<all>"]
        for analysis in printers.PRINTERS:
            yield from printers.COMPARISONS[analysis]
    # Weights that came in malformed may not be verified, or overwritten.
    for annotation in (
        ["rust-bpi<annotate>"] if draw.flags else ["rust-bpi<annotate>,verify", "rust-bpi<annotate;overwrite>,verify"]
    ):
        yield from [annotation, OUR_PRINTER, printers.LLVM_PRINTER]


def read(text: bytes, stages: int, what: str) -> Glance:
    """Compares what stands in the output: probabilities twice and frequencies twice, after each stage, and
    probabilities twice after each annotation. A stage may have removed all functions."""
    runs = list(runs_of_reports(text))
    printed, annotated = [halves(reports) for reports in runs[: 2 * stages]], runs[2 * stages :]
    same = len(printed) % 2 == 0 and all(ours == llvms for ours, llvms in printed)
    if same and len(printed) == 2 * stages:
        same = len(annotated) == 1 and annotations_same(annotated[0], printed[-2][1])
    functions, blocks = count(llvms for _, llvms in printed[1::2])
    return Glance(same, functions, blocks, what)


def annotations_same(reports: Reports, before: Reports) -> bool:
    """Whether the two sides tell the same after each annotation; and after the first one, which only adds weights,
    the same as before."""
    size = len(before)
    parts = [reports[start : start + size] for start in range(0, len(reports), size)]
    return parts[0] == before and all(ours == llvms for ours, llvms in itertools.zip_longest(parts[::2], parts[1::2]))


def runs_of_reports(text: bytes) -> Iterator[Reports]:
    """The reports on functions, as runs of those that tell the same kind of thing."""
    headers = list(printers.HEADER.finditer(text))
    ends = [*(header.start() for header in headers[1:]), len(text)]
    kinds = [header[0].partition(b" for function ")[0] for header in headers]
    for _, group in itertools.groupby(range(len(headers)), kinds.__getitem__):
        yield [text[headers[number].start() : ends[number]] for number in group]


def halves(reports: Reports) -> tuple[Reports, Reports]:
    middle = len(reports) // 2
    return reports[:middle], reports[middle:]


def count(stages: Iterable[Reports]) -> tuple[int, int]:
    """Functions and blocks in reports on frequencies, each that is not the same as another."""
    seen = set(itertools.chain.from_iterable(stages))
    return len(seen), sum(report.count(BLOCK) for report in seen)
