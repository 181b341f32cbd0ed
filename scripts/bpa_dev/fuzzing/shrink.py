"""Makes a finding small, and a lit test of it."""

import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path

from ..comparing.runs import Word
from ..paths import SCRIPTS
from ..tools import Tools
from . import judge
from .judge import Finding, Module
from .sources import Maker, defined_functions

HANGS = 15  # seconds


class Shrinker:
    """Shrinks findings by judging what llvm-reduce proposes."""

    def __init__(self, tools: Tools, timeout: float, limit: float) -> None:
        self._tools = tools
        #: Seconds for each run of `opt`, and for llvm-reduce altogether. What hangs is run often.
        self._timeout = min(timeout, HANGS)
        self._limit = limit
        self._judge = judge.Judge(Maker(tools, self._timeout))

    def lit_test(self, finding: Finding, folder: Path, path: Path, recipe: str) -> bool:
        """Writes the test to `path`, working in `folder`; true if it could be made smaller."""
        module = self._without_passes(finding, finding.module, folder)
        module = self._alone(finding, module, folder)
        reduced = self._reduced(finding, module, folder)
        text = self._as_text(reduced or module.path, module, folder)
        path.write_text(header(finding, module, recipe) + text)
        return reduced is not None

    def _shows(self, finding: Finding, module: Module) -> bool:
        return self._judge.shows(finding.check, finding.kind, module)

    def _without_passes(self, finding: Finding, module: Module, folder: Path) -> Module:
        """The module as bitcode, after the passes that come first, if that is enough to see it."""
        after = module._replace(path=folder / "after-passes.bc", before=None)
        done = self._quietly(
            [
                *self._tools.opt,
                *module.flags,
                f"-passes={module.before or 'no-op-module'}",
                module.path,
                "-o",
                after.path,
            ]
        )
        return after if done and self._shows(finding, after) else module

    def _alone(self, finding: Finding, module: Module, folder: Path) -> Module:
        """The function that shows it, without the others; by halves, where it is not known."""
        names = [finding.function] if finding.function else defined_functions(module.path, self._tools)
        halves = [names] if finding.function else [names[: len(names) // 2], names[len(names) // 2 :]]
        for some in halves:
            extracted = module._replace(path=folder / f"alone-{len(some)}.bc")
            extract = [f"--func={name}" for name in some]
            done = some != [] and self._quietly(
                [self._tools.llvm.bin / "llvm-extract", *extract, module.path, "-o", extracted.path]
            )
            if done and self._shows(finding, extracted):
                return extracted if len(some) == 1 else self._alone(finding, extracted, folder)
        return module

    def _reduced(self, finding: Finding, module: Module, folder: Path) -> Path | None:
        """What llvm-reduce makes of it, or None; it saves what it has after each of its passes."""
        reduced = folder / "reduced.ll"
        test = folder / "interesting"
        test.write_text(f"#!/bin/sh\n{self._question(finding, module)}\n")
        test.chmod(0o755)
        # Cut short, llvm-reduce leaves files behind.
        self._quietly(
            [
                "env",
                f"TMPDIR={folder}",
                self._tools.llvm.bin / "llvm-reduce",
                f"--test={test}",
                module.path,
                "-o",
                reduced,
            ]
        )
        usable = reduced.exists() and self._shows(finding, module._replace(path=reduced))
        return reduced if usable else None

    def _question(self, finding: Finding, module: Module) -> str:
        """A line of shell that succeeds if the file `$1` shows the finding."""
        if finding.check in judge.IN_PROCESS and finding.kind == "difference" and not module.before:
            # It says so itself, and much faster.
            passes = ",".join(judge.passes_of(finding.check, module))
            command = self._tools.opt_command(passes, *module.flags, "-disable-output")
            return f"{shlex.join(command)} \"$1\" 2>&1 | grep -q '^bpa: rust-b[pf]i<check>: function'"
        command = [str(SCRIPTS / "dev"), "fuzz", "--shows", f"{finding.check}:{finding.kind}"]
        command += ["--llvm", str(self._tools.llvm.version), "--plugin", str(self._tools.plugin)]
        command += ["--timeout", str(self._timeout)]
        command += [f"--opt-flag={flag}" for flag in module.flags]
        command += ["--before", module.before] if module.before else []
        return f'exec {shlex.join(command)} "$1"'

    def _as_text(self, path: Path, module: Module, folder: Path) -> str:
        text = folder / "text.ll"
        if self._quietly([*self._tools.opt, *module.flags, "-S", "-passes=no-op-module", path, "-o", text]):
            path = text
        lines = path.read_text(errors="backslashreplace").splitlines(keepends=True)
        return "".join(line for line in lines if not line.startswith(("; ModuleID", "source_filename")))

    def _quietly(self, command: Sequence[Word]) -> bool:
        """Runs it with what it says thrown away; true if all went well."""
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=self._limit,
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def header(finding: Finding, module: Module, recipe: str) -> str:
    """The comment and RUN line at the top of a test."""
    options = ["--disable-verify"] * bool(module.flags)
    if module.before:
        options += ["--before", shlex.quote(module.before)]
    if finding.check in judge.IN_PROCESS:
        passes = ",".join(judge.passes_of(finding.check, module))
        run = f"%bpa -passes={shlex.quote(passes)} {' '.join([*module.flags, '-disable-output'])} %s"
    elif finding.check == "expect":
        run = f"%transform-parity {judge.OUR_EXPECT} {judge.LLVM_EXPECT} %s"
    else:
        run = " ".join(["%parity", "--analysis", finding.check, *options, "%s"])
    return (
        f"; FIXME: say in a sentence what this shows. Found by fuzzing as a {finding.kind} of '{finding.check}':\n"
        f"; {recipe}\n; RUN: {run}\n\n"
    )
