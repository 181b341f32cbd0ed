"""We and LLVM on one module: printers, annotations, expectations.

A glance goes through nearly everything. Only where it shows something is each check run by itself, to tell what it is
and whose fault.
"""

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..comparing import printers, transforms
from ..comparing.runs import Ending, run
from ..comparing.verdict import Verdict
from . import glance
from .passes import Trouble
from .sources import Draw, Maker

OUR_EXPECT, LLVM_EXPECT = "rust-lower-expect", "lower-expect"
# In textual IR, and in the string table of bitcode.
EXPECTATION = b"llvm.expect"
# Checks in one process, for what shows only when one follows another.
IN_A_ROW = "bpi,bfi,annotated,overwritten"
# What only the glance has shown.
TOGETHER = "together"
CHECKS = [*printers.COMPARISONS, IN_A_ROW, "expect", TOGETHER]
KINDS = ["difference", "crash", "hang"]
PLACE = re.compile(r"^Printing analysis .* for function '(.*)':$|^function (.*)$")


class Module(NamedTuple):
    """A module on disk that may show a finding."""

    path: Path
    #: Passes that both sides run first.
    before: str | None = None
    #: For `opt`.
    flags: tuple[str, ...] = ()
    #: No function is marked `optnone`.
    plain: bool = True


class Finding(NamedTuple):
    #: One of CHECKS, and one of KINDS.
    check: str
    kind: str
    #: Where the difference is, if that is known.
    function: str | None
    text: str
    #: It shows it.
    module: Module


@dataclasses.dataclass
class Judgement:
    """What judging one draw came to."""

    functions: int = 0
    blocks: int = 0
    #: How LLVM ended where it got into trouble on its own.
    llvm_trouble: Ending | None = None
    finding: Finding | None = None


class Judge:
    """Compares us with LLVM on whatever is drawn."""

    def __init__(self, maker: Maker) -> None:
        self._maker = maker
        self._tools, self._timeout = maker.tools, maker.timeout

    def judge(self, draw: Draw) -> Judgement:
        """Compares everything there is to compare, up to the first finding."""
        judgement = Judgement()
        glanced = glance.look(draw, self._tools, self._timeout)
        if not glanced.same:
            draw, judgement.llvm_trouble = self._as_far_as_llvm_goes(draw)
            if judgement.llvm_trouble:
                glanced = glance.look(draw, self._tools, self._timeout)
        judgement.functions, judgement.blocks = glanced.functions, glanced.blocks
        if EXPECTATION in draw.path.read_bytes():
            self._check(Module(draw.path, flags=draw.flags), ["expect"], judgement)
        if not glanced.same and not judgement.finding:
            explained = self._look_closely(draw, judgement)
            # A busy machine may have been too slow the first time.
            if not explained and not glance.look(draw, self._tools, self._timeout).same:
                judgement.finding = Finding(TOGETHER, "difference", None, glanced.what, Module(draw.path))
        return judgement

    def _as_far_as_llvm_goes(self, draw: Draw) -> tuple[Draw, Ending | None]:
        """The draw without the stages from that on that brings LLVM down by itself, and how it ends there."""
        path = draw.path
        for number, stage in enumerate(draw.stages):
            try:
                path = self._maker.transform(path, stage, draw.path.with_name(f"stage-{number}.bc"))
            except Trouble as trouble:
                return draw._replace(stages=draw.stages[:number]), trouble.ending
        return draw, None

    def _look_closely(self, draw: Draw, judgement: Judgement) -> bool:
        """Stage by stage, and check by check. True if that shows what the matter is."""
        checks = ["bpi", "bfi", "annotated"]
        if not draw.flags:
            checks += ["annotate", "overwritten", IN_A_ROW]
        shown = self._check(Module(draw.path, flags=draw.flags), checks, judgement)
        for number in range(len(draw.stages)):
            shown = shown or self._check(Module(draw.path.with_name(f"stage-{number}.bc")), checks, judgement)
        # IR that never left memory keeps more of what passes have left behind.
        before = ",".join([*(text for stage in draw.stages for text in stage), "invalidate<all>"])
        return shown or self._check(Module(draw.path, before, draw.flags), [checks[-1]], judgement)

    def _check(self, module: Module, checks: Sequence[str], judgement: Judgement) -> bool:
        """Runs checks up to the first that shows something; true if one does."""
        for check in checks:
            verdict = self._verdict(check, module)
            if self._blame_llvm(check, verdict, module):
                judgement.llvm_trouble = verdict.troubled["LLVM's"].ending
                return True
            if verdict.troubled or verdict.differing:
                judgement.finding = finding_of(check, verdict, module)
                return True
        return False

    def shows(self, check: str, kind: str, module: Module) -> bool:
        """Whether the module has this finding: the same kind in the same check, whatever the function."""
        verdict = self._verdict(check, module)
        if self._blame_llvm(check, verdict, module) or not (verdict.troubled or verdict.differing):
            return False
        return finding_of(check, verdict, module).kind == kind

    def _verdict(self, check: str, module: Module) -> Verdict:
        """With the flags of the module; what is made for it stays beside it."""
        tools = self._tools.with_flags(*module.flags)
        if check == "expect":
            return transforms.compare(module.path, OUR_EXPECT, LLVM_EXPECT, tools, self._timeout, nothing=None)
        conditions = printers.Conditions(self._timeout, module.before, plain=module.plain, cache=module.path.parent)
        return printers.compare(module.path, check.split(","), tools, conditions)

    def _blame_llvm(self, check: str, verdict: Verdict, module: Module) -> bool:
        """Whether it is LLVM that got into trouble. Where both did, our side is to blame if nothing of LLVM's ran on
        it but the reader."""
        if "LLVM's" not in verdict.troubled:
            return False
        if "ours" not in verdict.troubled:
            # After annotating, LLVM's printer has to do as well as before.
            return check in ("bpi", "bfi", "annotate", "expect")
        passes = ",".join([*([module.before] if module.before else []), "no-op-module"])
        command = self._tools.opt_command(passes, *module.flags, "-disable-output")
        readable = run([*command, module.path], self._timeout).ending is Ending.FINE
        return not readable or check == "annotate"


def finding_of(check: str, verdict: Verdict, module: Module) -> Finding:
    if verdict.troubled:
        side, done = next(iter(verdict.troubled.items()))
        kind = "hang" if done.ending is Ending.HUNG else "crash"
        return Finding(check, kind, None, f"{side}: {done.trouble}", module)
    place = PLACE.match(verdict.first.place) if verdict.first else None
    function = place and (place[1] or place[2].strip('"'))
    return Finding(check, "difference", function, verdict.difference or "", module)
