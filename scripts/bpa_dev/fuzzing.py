"""Differential fuzzing of the plugin against LLVM, with one run of `opt` for each module.

Each module is generated, comes from `llvm-stress`, or comes from a program. Random stages change the module. A stage is
an LLVM pass, or a mutation of lit-tests/Inputs/mutations.rs. The mutations make changes that no LLVM pass makes. After
each stage, `rust-bfi<check>` compares the numbers of bpa with the numbers of LLVM. After the last stage, the plugin
writes branch weights and compares again.
"""

import functools
import hashlib
import os
import random
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from .comparing import optnone
from .comparing.runs import Ending, Run, Word, run
from .corpus import Corpus
from .irgen.module import PROFILES, write_modules
from .messages import Failure
from .tools import Tools

CHECK = "rust-bpi<check>,rust-bfi<check>"
ANNOTATED = ["rust-bpi<annotate>,verify", "rust-bpi<annotate;overwrite>,verify"]
#: A pipeline with only LLVM's analyses. A run of this pipeline shows whether LLVM also fails without the plugin.
LLVMS = "function(print<branch-prob>),function(print<block-freq>)"
#: With this setting, the plugin logs each comparison that finds no difference.
LOG = {"RUST_LOG": "bpa::plugin::check=debug"}
AGREED = re.compile(rb"LLVM agrees on '.*': (\d+) blocks, (\d+) branches, form ([0-9a-f]{16})$", re.MULTILINE)
OURS = re.compile(rb"^bpa: .*$", re.MULTILINE)
STAGE = re.compile(rb"^fuzz-stage: stage (\d+), passes$", re.MULTILINE)
OPTNONE = re.compile(rb"^(define .*) optnone", re.MULTILINE)
#: For some functions, LLVM's results vary between runs. Therefore a failed run is repeated. A difference is a finding
#: only if this many repetitions stop at it, and none gets further.
REPEATS = 20
#: After this many repetitions, LLVM's results are known to vary: most runs stop before the last difference.
MOST_REPEATS = 10 * REPEATS

SOURCES = ("generated", "stress", "programs")
PROGRAMS = ("sqlite-O0", "sqlite-O2", "cxx-O0", "cxx-O2")
#: LLVM passes that change the control-flow graph. A pass that the LLVM version does not have is skipped.
PASSES = [
    *(f"function({name})" for name in ("adce", "break-crit-edges", "dfa-jump-threading", "fix-irreducible", "gvn")),
    *(f"function({name})" for name in ("instcombine", "jump-threading", "lcssa", "loop-simplify", "loop-unroll")),
    *(f"function({name})" for name in ("lowerinvoke", "lower-invoke", "lowerswitch", "lower-switch", "mem2reg")),
    *(f"function({name})" for name in ("mergereturn", "newgvn", "reg2mem", "sccp", "simplifycfg", "sroa")),
    *(f"function({name})" for name in ("slp-vectorizer", "tailcallelim", "loop-vectorize", "lower-expect")),
    "function(loop-unroll<O3;runtime;partial>)",
    "function(lowerswitch,structurizecfg)",
    "function(simplifycfg<forward-switch-cond;switch-to-lookup;no-keep-loops>)",
    *(f"function(loop({name}))" for name in ("indvars", "loop-deletion", "loop-flatten", "loop-rotate")),
    *(f"function(loop({name}))" for name in ("loop-idiom", "loop-simplifycfg", "loop-unroll-full")),
    "function(loop-mssa(simple-loop-unswitch<nontrivial>))",
    "require<profile-summary>,function(chr)",
    *("cgscc(inline)", "hotcoldsplit", "ipsccp", "partial-inliner", "loop-extract"),
]


#: More passes for `rust-analyses`. Most of these passes use LLVM's analyses.
PIPELINES = [f"default<{level}>" for level in ("O1", "O2", "O3", "Os", "Oz")]

#: The number of passes in a random pipeline for `rust-analyses`.
PIPELINE_LENGTH = 20

#: The numbers of functions of a module, by source. Modules for pipelines are small, because each pipeline runs several
#: times.
SIZES = {"generated": (1, 100, 400, 600), "stress": (5, 20, 40), "programs": (20, 300, 600, 900)}
PIPELINE_SIZES = {"generated": (1, 5, 20, 50), "stress": (1, 3, 10), "programs": (5, 20, 60)}


class Case(NamedTuple):
    """A module, and the passes that change it."""

    path: Path
    stages: list[str]
    #: Options for `opt`.
    flags: tuple[str, ...] = ()


class Outcome(NamedTuple):
    #: The numbers of blocks and branches, and a hash of all results, for each comparison that finds no difference.
    compared: list[tuple[int, int, bytes]]
    #: A message about a difference between bpa and LLVM, or about a crash or hang of the plugin.
    finding: str | None
    #: The kind of failure, if LLVM fails without the plugin.
    llvms: Ending | None


class Fuzzer:
    def __init__(self, tools: Tools, timeout: float) -> None:
        self._tools, self._timeout = tools, timeout

    @functools.cached_property
    def _mutations(self) -> Path:
        """The plugin that mutates functions."""
        self._tools.llvm.cargo("build", "--quiet", "--example", "mutations")
        return self._tools.llvm.target / "debug" / "examples" / "libmutations.so"

    @functools.cached_property
    def _passes(self) -> list[str]:
        """The passes that this LLVM version has. As a test, `opt` runs each pass on an empty module."""
        opt = [*self._tools.opt, "-disable-output"]
        return [text for text in PASSES if run([*opt, f"-passes={text}", os.devnull], None).ending is Ending.FINE]

    @functools.cached_property
    def _programs(self) -> list[tuple[Path, list[str]]]:
        """Programs without the attribute `optnone`, each with the names of its functions."""
        corpus = Corpus(self._tools.llvm)
        files = [optnone.forms_for(corpus.make(program), self._tools)[1] for program in PROGRAMS]
        return [(file, defined_functions(file, self._tools)) for file in files]

    def make(self, rng: random.Random, source: str, folder: Path) -> Case:
        """Makes a module in `folder`. Equal random numbers give equal modules."""
        malformed = source == "generated" and rng.random() < 0.15
        path = self._module(rng, source, folder, SIZES, malformed)
        if malformed:
            return Case(path, [mutation(rng, "malformed") for _ in range(rng.randint(10, 80))], ("-disable-verify",))
        # reg2mem removes phis and values that other blocks use, so any block can become a successor of any branch.
        stages = ["function(reg2mem)"] * (rng.random() < 0.5)
        for _ in range(rng.randint(1, 3)):
            stages += [mutation(rng, "rewire", "expect") for _ in range(rng.randint(10, 80))]
            # invalidate<all> drops cached analyses, because LLVM's results must depend only on the IR.
            passes = rng.choices(self._passes, k=rng.randint(0, 3))
            stages += [f"{text},invalidate<all>" for text in passes]
        return Case(path, stages)

    def _module(
        self, rng: random.Random, source: str, folder: Path, sizes: dict[str, tuple[int, ...]], malformed: bool
    ) -> Path:
        count = rng.choice(sizes[source])
        if source == "generated":
            return self._generated(rng, folder, count, malformed)
        return (self._stress if source == "stress" else self._piece)(rng, folder, count)

    def _generated(self, rng: random.Random, folder: Path, count: int, malformed: bool) -> Path:
        options = {"profile": rng.choice(PROFILES), "llvm": self._tools.llvm.version, "malformed": malformed}
        seed = rng.randrange(1 << 32)
        write_modules(folder, functions=count, per_module=count, seed=seed, **options)  # type: ignore[arg-type]
        (path,) = folder.glob("*.ll")
        path.write_bytes(OPTNONE.sub(rb"\1", path.read_bytes()))
        return path

    def _stress(self, rng: random.Random, folder: Path, count: int) -> Path:
        files: list[Word] = []
        for _ in range(count):
            seed, size = rng.randrange(1 << 31), int(20 * 100 ** rng.random())
            files.append(folder / f"{seed}.ll")
            self._tool("llvm-stress", f"-seed={seed}", f"-size={size}", "-o", files[-1])
        return self._tool("llvm-link", *files, "-o", folder / "stress.bc")

    def _piece(self, rng: random.Random, folder: Path, count: int) -> Path:
        """Extracts adjacent functions of a program. Some of these functions call each other."""
        file, names = rng.choice(self._programs)
        first = rng.randrange(max(1, len(names) - count))
        chosen = [f"--func={name}" for name in names[first : first + count]]
        return self._tool("llvm-extract", *chosen, file, "-o", folder / "piece.bc")

    def _tool(self, name: str, *words: Word) -> Path:
        """Runs an LLVM tool that must succeed. The last argument is the output file."""
        done = run([self._tools.llvm.tool(name), *words], self._timeout)
        if done.trouble:
            raise Failure(done.trouble)
        return Path(words[-1])

    def compare(self, case: Case) -> Outcome:
        """Compares bpa's numbers with LLVM's numbers after each stage. If the run fails, finds out whether LLVM fails
        without the plugin."""
        done = self._run(case, checking=True)
        compared = [(int(blocks), int(branches), form) for blocks, branches, form in AGREED.findall(done.stderr)]
        if done.ending is Ending.FINE:
            return Outcome(compared, None, None)
        messages = OURS.findall(done.stderr)
        if not messages and self._run(case, checking=False).ending is not Ending.FINE:
            return Outcome(compared, None, done.ending)
        if b": LLVM has " in b"".join(messages[-1:]):
            steady = repeated(done, lambda: self._run(case, checking=True))
            if not steady:
                return Outcome(compared, None, Ending.UNSTEADY)
            done, messages = steady, OURS.findall(steady.stderr)
        text = messages[-1].decode(errors="replace") if messages else (done.trouble or "").partition(":")[0]
        return Outcome(compared, f"{text}, {stage_of(done)}", None)

    def make_pipeline(self, rng: random.Random, source: str, folder: Path) -> Case:
        """Makes a module and a random pipeline of LLVM passes. Cached analyses are kept between the passes."""
        path = self._module(rng, source, folder, PIPELINE_SIZES, False)
        return Case(path, rng.choices([*self._passes, rng.choice(PIPELINES)], k=PIPELINE_LENGTH))

    def compare_pipeline(self, case: Case) -> Outcome:
        """Compares the output of a pipeline with and without `rust-analyses`, byte for byte."""
        plain, expected = self._output(case, "no-op-module")
        if plain.ending is not Ending.FINE:
            return Outcome([], None, plain.ending)
        for first in ("rust-analyses<check>", "rust-analyses"):
            done, output = self._output(case, first)
            if done.ending is Ending.FINE and output == expected:
                continue
            # The output of some LLVM passes depends on addresses.
            if any(self._output(case, "no-op-module")[1] != expected for _ in range(REPEATS)):
                return Outcome([], None, Ending.UNSTEADY)
            messages = [line.decode(errors="replace") for line in OURS.findall(done.stderr)]
            trouble = done.trouble or "the output of the pipeline differs"
            return Outcome([], messages[-1] if messages else f"{first}: {trouble}", None)
        return Outcome([(0, 0, expected)], None, None)

    def _output(self, case: Case, first: str) -> tuple[Run, bytes]:
        """Runs the pass `first` and then the pipeline. Returns the run and a hash of its output."""
        output = case.path.with_name("output.bc")
        done = run([*self._tools.opt_command(",".join([first, *case.stages])), case.path, "-o", output], self._timeout)
        return done, hashlib.sha256(output.read_bytes()).digest() if done.ending is Ending.FINE else b""

    def _run(self, case: Case, *, checking: bool, stages: int | None = None, output: Path | None = None) -> Run:
        """Runs the first `stages` stages, or all stages if `stages` is None. If `checking` is false, LLVM's analyses
        run instead of the comparisons."""
        passes = []
        for number, stage in enumerate(["no-op-module", *case.stages[:stages]]):
            passes += [f"fuzz-stage<stage={number}>", stage, CHECK if checking else LLVMS]
        if checking and stages is None:
            # The verifier rejects malformed weights.
            annotated = [text.replace(",verify", "") if case.flags else text for text in ANNOTATED]
            passes += [part for text in annotated for part in (text, CHECK)]
        result: list[Word] = ["-o", output] if output else ["-disable-output"]
        command: list[Word] = [*self.command(",".join(passes)), *case.flags, *result, case.path]
        return run(command, self._timeout, LOG)

    def command(self, passes: str) -> list[str]:
        """Returns the command of `opt` with the plugins that the passes need."""
        plugin = [f"-load-pass-plugin={self._mutations}"] if "fuzz-" in passes else []
        return self._tools.opt_command(passes, *plugin)

    def keep(self, case: Case, finding: str, recipe: str, test: Path) -> bool:
        """Writes a lit test that contains the first module on which the check fails. Returns true if llvm-reduce
        reduced the module."""
        after, small = case.path.with_name("after.bc"), case.path.with_name("small.ll")
        for stages in range(len(case.stages) + 1):
            self._run(case, checking=False, stages=stages, output=after)
            command = [*self.command(CHECK), *case.flags, "-disable-output"]
            if run([*command, after], self._timeout).ending is not Ending.FINE:
                break
        else:
            return False
        question = case.path.with_name("question.sh")
        question.write_text(f"#!/bin/sh\n{shlex.join(command)} \"$1\" 2>&1 | grep -q '^bpa: '\n")
        question.chmod(0o755)
        reduce: list[Word] = [self._tools.llvm.tool("llvm-reduce"), f"--test={question}", after, "-o", small]
        shrunk = subprocess.run(reduce, cwd=case.path.parent, capture_output=True).returncode == 0 and small.exists()
        text = subprocess.run([*self._tools.opt, "-S", small if shrunk else after], capture_output=True).stdout
        flags = " ".join(["", *case.flags])
        header = f"; FIXME: describe this test. Found by fuzzing: {finding}\n; {recipe}\n; RUN: %check{flags} %s\n\n"
        test.write_bytes(header.encode() + text)
        return shrunk


def repeated(failed: Run, run_again: Callable[[], Run]) -> Run | None:
    """Repeats a run that stopped at a difference. Returns a run that got furthest, if enough others stop at the same
    comparison and none gets further; otherwise None."""
    furthest, stops = comparisons(failed), 0
    for _ in range(MOST_REPEATS):
        again = run_again()
        if again.ending is Ending.FINE:
            return None
        reached = comparisons(again)
        if reached > furthest:
            failed, furthest, stops = again, reached, 0
        elif reached == furthest:
            stops += 1
        if stops == REPEATS:
            return failed
    return None


def comparisons(done: Run) -> int:
    """The number of comparisons without a difference."""
    return len(AGREED.findall(done.stderr))


def mutation(rng: random.Random, *options: str) -> str:
    """Returns a pass that makes random changes."""
    return f"fuzz-mutate<{';'.join([f'seed={rng.getrandbits(48)}', *options])}>"


def stage_of(done: Run) -> str:
    stages = STAGE.findall(done.stderr)
    return f"in stage {int(stages[-1])}" if stages else "before the first stage"


def defined_functions(file: Path, tools: Tools) -> list[str]:
    text = subprocess.run([*tools.opt, "-S", file], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.findall(r"^define [^@\n]*@([-\w.$]+)\(", text, re.MULTILINE)
