"""A version's row, on the system that this runs on. What the commands say goes to target/matrix-N.log."""

import pathlib
import re
import subprocess
from collections.abc import Sequence
from typing import IO

from .. import llvm as llvms
from .. import shell
from ..corpus import Amounts, Corpus
from ..irgen.module import PROFILES
from ..messages import Failure, say
from ..paths import SCRIPTS, TARGET
from .row import BUILT, Row, Sizes

#: Seconds for one run of opt. LLVM's printers need many where blocks have no names, from 18 on.
TIMEOUT = 1800
FIGURES = re.compile(r", (\d+) lines, (\d+) differing")
DISAGREEMENT = re.compile(r", the check disagrees on (\d+) of (\d+) files")
LIT_FIGURES = re.compile(r"^ +(Passed|Failed|Unsupported) *: *(\d+)", re.MULTILINE)
CORPORA = ("sqlite-O0", "sqlite-O2", "sqlite-Os", "cxx", "stress")
#: Of a version that is not released: which one the figures in the documents are of.
SNAPSHOTS = {24: "24~++20261025103442+7e3c57157096"}
ROUND_TRIP = ("annotate", "annotated", "overwritten")


def install_and_row(version: int, sizes: Sizes) -> Row:
    """Installs what is missing first."""
    if shell.run_function("eval", f"needs_of_tests {version}; ensure_packages", stdout=None).returncode != 0:
        return Row(version, "cannot be installed")
    return row(version, sizes)


def row(version: int, sizes: Sizes) -> Row:
    path = TARGET / f"matrix-{version}.log"
    path.parent.mkdir(parents=True, exist_ok=True)
    say(f"LLVM {version} on {system()}, log in {path}")
    say_if_moved_on(version)
    with path.open("w") as log:
        try:
            return Comparison(version, sizes, log).row()
        except Failure as failure:
            print(failure, file=log)
            return Row(version, f"does not build, see {path}")


def say_if_moved_on(version: int) -> None:
    """Says so if there is another snapshot than the one known; what changed with it are the lines that then differ."""
    known = SNAPSHOTS.get(version)
    query = ["dpkg-query", "--show", "--showformat=${Version}", f"llvm-{version}-dev"]
    found = subprocess.run(query, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout if known else ""
    if known and found and known not in found:
        say(f"LLVM {version} is the snapshot {found}; the one that was compared before is {known}")


def system() -> str:
    release = pathlib.Path("/etc/os-release")
    lines = release.read_text().splitlines() if release.exists() else []
    names = dict(line.split("=", 1) for line in lines if "=" in line)
    return names.get("PRETTY_NAME", "this system").strip('"')


class Comparison:
    def __init__(self, version: int, sizes: Sizes, log: IO[str]) -> None:
        self._llvm = llvms.choose(str(version))
        self._log = log
        self._plugin = self._llvm.build()
        self._drawn = {
            profile: Amounts(functions=sizes.functions, count=sizes.stress, profile=profile) for profile in PROFILES
        }

    def row(self) -> Row:
        lit = self._dev("lit")
        corpora = [(name, self._drawn["general"]) for name in CORPORA]
        corpora += [("generated", amounts) for amounts in self._drawn.values()]
        hinted = [(name, self._drawn["expect"]) for name in ("expect", "generated")]
        parity = self._compare(["parity", "--check"], corpora)
        return Row(
            self._llvm.version,
            BUILT,
            " ".join(f"{name} {count}" for name, count in LIT_FIGURES.findall(lit.stdout)),
            parity.lines(),
            parity.files(),
            ", ".join(self._compare(["parity", "--analysis", how], corpora).lines() for how in ROUND_TRIP),
            self._compare(["transform-parity", "rust-lower-expect", "lower-expect"], hinted).lines(),
        )

    def _compare(self, command: Sequence[str], corpora: Sequence[tuple[str, Amounts]]) -> "Tally":
        tally = Tally()
        for name, amounts in corpora:
            try:
                files = Corpus(self._llvm, amounts).make(name)
            except Failure as failure:
                print(f"{name}: {failure}", file=self._log, flush=True)
                tally.trouble = " (no corpus)"
                continue
            done = self._dev(*command, f"--timeout={TIMEOUT}", str(files))
            tally.add(done)
        return tally

    def _dev(self, name: str, *words: str) -> subprocess.CompletedProcess[str]:
        common = ["--llvm", str(self._llvm.version), "--plugin", str(self._plugin)]
        command = [str(SCRIPTS / "dev"), name, *common, *words]
        print("$", *command, file=self._log, flush=True)
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=self._log, text=True)
        print(done.stdout, file=self._log, flush=True)
        return done


class Tally:
    """What comparisons of several corpora come to."""

    def __init__(self) -> None:
        self._lines = self._differing = self._files = self._disagreeing = 0
        #: That anything but differences was wrong.
        self.trouble = ""

    def add(self, done: subprocess.CompletedProcess[str]) -> None:
        """A comparison, by its summary."""
        lines, files = FIGURES.search(done.stdout), DISAGREEMENT.search(done.stdout)
        found = 0
        if lines:
            self._lines += int(lines[1])
            self._differing += int(lines[2])
            found += int(lines[2])
        if files:
            self._disagreeing += int(files[1])
            self._files += int(files[2])
            found += int(files[1])
        # Differences alone are no other trouble.
        if lines is None or (done.returncode != 0 and not found):
            self.trouble = " (trouble)"

    def lines(self) -> str:
        """How many lines differ of all."""
        return f"{self._differing} of {self._lines}{self.trouble}"

    def files(self) -> str:
        """On how many files of all the check disagrees with the printers."""
        return f"{self._disagreeing} of {self._files}{self.trouble}"
