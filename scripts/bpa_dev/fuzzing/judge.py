"""We and LLVM on one module: printers, annotations, expectations.

One run of `opt` goes through nearly everything. Only where it shows something is each check run by itself, to tell what
it is and whose fault.
"""

import contextlib
import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..comparing import printers, transforms
from ..comparing.differences import Difference
from ..comparing.runs import Ending, Run, Word, run
from ..comparing.verdict import Verdict
from . import checked, glance
from .passes import Trouble
from .sources import Draw, Maker

OUR_EXPECT, LLVM_EXPECT = "rust-lower-expect", "lower-expect"
# In textual IR, and in the string table of bitcode.
EXPECTATION = b"llvm.expect"
# Checks in one process, for what shows only when one follows another.
IN_A_ROW = "bpi,bfi,annotated,overwritten"
# What only the run of everything has shown.
TOGETHER = "together"
# In the process, and after weights were written.
IN_PROCESS = {
    "check": [checked.PROBABILITIES, checked.BOTH],
    "check-annotated": checked.ANNOTATED,
    "check-overwritten": checked.OVERWRITTEN,
}
CHECKS = [*IN_PROCESS, *printers.COMPARISONS, IN_A_ROW, "expect", TOGETHER]
# What the analyses that it is compared with say, and what we say.
LLVM_PRINTERS = "function(print<branch-prob>),function(print<block-freq>)"
OUR_PRINTERS = "print<rust-bpi>,print<rust-bfi>"
# LLVM is asked as often before it is taken at its word: some of its answers come once in twenty times.
ASKED = 150
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


class Crash(NamedTuple):
    """A module that LLVM's own passes crash on, or that it has no steady answer for."""

    module: Path
    #: It ends in the module.
    command: list[Word]
    stderr: bytes


@dataclasses.dataclass
class Judgement:
    """What judging one draw came to."""

    #: Compared by what is printed.
    functions: int = 0
    blocks: int = 0
    #: Compared in the process.
    compared: list[checked.Compared] = dataclasses.field(default_factory=list)
    #: How LLVM ended where it got into trouble on its own.
    llvm_trouble: Ending | None = None
    #: The module that shows it, if that could be had.
    crash: Crash | None = None
    finding: Finding | None = None


class Judge:
    """Compares us with LLVM on whatever is drawn."""

    def __init__(self, maker: Maker) -> None:
        self._maker = maker
        self._tools, self._timeout = maker.tools, maker.timeout

    def judge(self, draw: Draw) -> Judgement:
        """Compares everything there is to compare, up to the first finding."""
        return self._judge_printed(draw) if draw.printed else self._judge_checked(draw)

    def _judge_checked(self, draw: Draw) -> Judgement:
        """In the process. What was compared before LLVM got into trouble was compared."""
        seen = checked.check(draw, self._maker)
        judgement = Judgement(compared=seen.compared)
        if seen.done.ending is Ending.FINE:
            return judgement
        if not checked.complaint(seen.done) and not self._in_ours(draw, seen):
            judgement.llvm_trouble = seen.done.ending
            if seen.stage and seen.stage <= len(draw.stages) and seen.done.ending is Ending.CRASHED:
                judgement.crash = self._crash(draw, seen.stage)
            return judgement
        explained = False
        if after := self._after(draw, seen.stage):
            checks = [*IN_PROCESS, "bpi", "bfi", "annotated", *([] if after.flags else ["overwritten", IN_A_ROW])]
            explained = self._check(after, checks, judgement)
            # Read from a file, the same blocks stand elsewhere in memory.
            if not explained and checked.differing(seen.done) is not None:
                explained = self._blame_unsteadiness(after, judgement)
        # A busy machine may have been too slow the first time.
        if not explained and checked.check(draw, self._maker).done.ending is not Ending.FINE:
            # The command has all passes in it.
            how = (seen.done.trouble or "").partition(":")[0]
            text = f"{checked.complaint(seen.done)} {how}, in stage {seen.stage}{', comparing' * seen.in_check}"
            judgement.finding = Finding(TOGETHER, "difference", None, text, Module(draw.path, flags=draw.flags))
        return judgement

    def _after(self, draw: Draw, stage: int | None) -> Module | None:
        """The module as it is after a stage, which passes of LLVM's may have broken."""
        after = draw.path.with_name("after-stages.bc")
        for flags in (draw.flags, ("-disable-verify",)):
            with contextlib.suppress(Trouble):
                self._maker.transform(draw.path, checked.stages_alone(draw.stages[:stage]), after, *flags)
                return Module(after, flags=flags)
        return None

    def _in_ours(self, draw: Draw, seen: checked.Checked) -> bool:
        """Whether passes of ours ran in the end, or may have done harm before."""
        if seen.stage is None:
            return False
        annotating = seen.stage > len(draw.stages)
        if seen.done.ending is Ending.HUNG and not seen.in_check:
            return annotating
        passes = checked.stages_alone(draw.stages[: seen.stage])
        # Passes of LLVM's leave broken modules at times, and what its own analyses get into trouble with.
        if seen.in_check:
            passes.append(LLVM_PRINTERS)
        elif annotating and not draw.flags:
            passes.append("verify")
        command = self._maker.command(passes, *draw.flags, "-disable-output")
        return run([*command, draw.path], self._timeout).ending is Ending.FINE

    def _crash(self, draw: Draw, stage: int) -> Crash | None:
        """The module as it was before the stage, if passes of LLVM's alone crash on it."""
        before = draw.path.with_name("before-crash.bc")
        try:
            self._maker.transform(draw.path, checked.stages_alone(draw.stages[: stage - 1]), before, *draw.flags)
        except Trouble:
            return None
        passes = [element for element in draw.stages[stage - 1] if not element.startswith("fuzz-")]
        command: list[Word] = [*self._maker.command(passes, "-disable-output"), before]
        done = run(command, self._timeout)
        return Crash(before, command, done.stderr) if done.ending is Ending.CRASHED else None

    def _judge_printed(self, draw: Draw) -> Judgement:
        """By what both sides print."""
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
            of_analyses = check != "expect" and not module.before
            if verdict.differing and of_analyses and self._blame_unsteadiness(module, judgement):
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
        if check in IN_PROCESS:
            return self._verdict_in_process(check, module)
        if check == "expect":
            return transforms.compare(module.path, OUR_EXPECT, LLVM_EXPECT, tools, self._timeout, nothing=None)
        conditions = printers.Conditions(self._timeout, module.before, plain=module.plain, cache=module.path.parent)
        return printers.compare(module.path, check.split(","), tools, conditions)

    def _verdict_in_process(self, check: str, module: Module) -> Verdict:
        """LLVM's side is run only if ours does not end well."""
        verdict = Verdict(module.path)
        done = self._run_passes(passes_of(check, module), module)
        if function := checked.differing(done):
            verdict.differing = 1
            verdict.first = Difference(f"function {function}", 0, checked.complaint(done).encode(), None)
        else:
            verdict.note("ours", done)
            if verdict.troubled:
                before = [module.before] if module.before else []
                verdict.note("LLVM's", self._run_passes([*before, LLVM_PRINTERS], module))
        return verdict

    def _blame_unsteadiness(self, module: Module, judgement: Judgement) -> bool:
        """Whether a difference comes from an answer of LLVM's that is now this and then that; takes note of it."""
        if not self._is_unsteady(module):
            return False
        judgement.llvm_trouble = Ending.UNSTEADY
        judgement.crash = Crash(module.path, self._llvm_command(module), b"")
        return True

    def _is_unsteady(self, module: Module) -> bool:
        """Whether LLVM says of the same module now one thing and then another, and at times what we say: in cycles with
        several entries, its weights depend on where blocks stand in memory."""
        ours = printers.sections(self._run_passes([OUR_PRINTERS], module).stderr)
        missing, texts = dict(ours), set()
        for _ in range(ASKED):
            said = run(self._llvm_command(module), self._timeout).stderr
            texts.add(said)
            llvms = printers.sections(said)
            missing = {place: lines for place, lines in missing.items() if llvms.get(place) != lines}
            if not missing and len(texts) > 1:
                return True
        return False

    def _llvm_command(self, module: Module) -> list[Word]:
        return [*self._maker.command([LLVM_PRINTERS], *module.flags, "-disable-output"), module.path]

    def _run_passes(self, passes: Sequence[str], module: Module) -> Run:
        command = self._maker.command(passes, *module.flags, "-disable-output")
        return run([*command, module.path], self._timeout)

    def _blame_llvm(self, check: str, verdict: Verdict, module: Module) -> bool:
        """Whether it is LLVM that got into trouble. Where both did, our side is to blame if nothing of LLVM's ran on
        it but the reader."""
        if "LLVM's" not in verdict.troubled:
            return False
        if check in IN_PROCESS:
            return True
        if "ours" not in verdict.troubled:
            # After annotating, LLVM's printer has to do as well as before.
            return check in ("bpi", "bfi", "annotate", "expect")
        passes = ",".join([*([module.before] if module.before else []), "no-op-module"])
        command = self._tools.opt_command(passes, *module.flags, "-disable-output")
        readable = run([*command, module.path], self._timeout).ending is Ending.FINE
        return not readable or check == "annotate"


def passes_of(check: str, module: Module) -> list[str]:
    """The passes of a check in the process."""
    before = [module.before] if module.before else []
    # What is malformed may not be verified.
    return before + [element for element in IN_PROCESS[check] if element != "verify" or not module.flags]


def finding_of(check: str, verdict: Verdict, module: Module) -> Finding:
    if verdict.troubled:
        side, done = next(iter(verdict.troubled.items()))
        kind = "hang" if done.ending is Ending.HUNG else "crash"
        return Finding(check, kind, None, f"{side}: {done.trouble}", module)
    place = PLACE.match(verdict.first.place) if verdict.first else None
    function = place and (place[1] or place[2].strip('"'))
    return Finding(check, "difference", function, verdict.difference or "", module)
