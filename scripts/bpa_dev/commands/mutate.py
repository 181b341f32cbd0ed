"""Puts small faults into the crates without LLVM (cargo-mutants), and tells which of them no test notices.

Each alone: a function that returns some constant, another operator, a missing arm or guard of a `match`. It is built
and tested; a test that does not end has noticed. .cargo/mutants.toml says what is left out, and why. All of them take
many hours: `--sample` takes some that are spread over the whole source, the same ones for the same seed.

Exits with 0 only if faults were tried, and each was noticed.
"""

import argparse
import collections
import json
import math
import os
import pathlib
import shutil
import signal
import subprocess
from collections.abc import Sequence

from ..messages import Failure, say
from ..paths import CORE_PACKAGES, ROOT, TARGET

#: Other versions know other faults: figures are of this one.
VERSION = "27.1.0"
INSTALL = f"cargo install cargo-mutants --version {VERSION} --locked"
OUTPUT = TARGET / "mutants"
#: How cargo-mutants calls what came out, and how we do.
SUMMARIES = {"CaughtMutant": "caught", "Timeout": "caught", "MissedMutant": "missed", "Unviable": "unviable"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--sample", type=int, metavar="K", help="about K faults")
    which.add_argument("--shard", metavar="I/N", help="the I-th of N parts, from 0/N on")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="which sample (default: 0)")
    parser.add_argument("--file", action="append", default=[], metavar="GLOB", help="only faults in such files")
    parser.add_argument("--only", metavar="REGEX", help="only faults whose description matches")
    parser.add_argument("--list", action="store_true", help="tell the faults, try none")
    parser.add_argument("--minutes", type=float, metavar="M", help="stop after that time")
    parser.add_argument(
        "--timeout", type=int, default=600, metavar="SECONDS", help="for building or testing one fault (default: 600)"
    )


def run(arguments: argparse.Namespace) -> int:
    check_version()
    chosen = choice(arguments)
    if arguments.list:
        print("\n".join(listed(chosen)))
        return 0
    shutil.rmtree(OUTPUT / "mutants.out", ignore_errors=True)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    options = ["--no-times", "--colors=never", f"--timeout={arguments.timeout}", f"--build-timeout={arguments.timeout}"]
    in_time = supervise(mutants(*options, *chosen), arguments.minutes)
    return tell(OUTPUT / "mutants.out/outcomes.json", in_time=in_time)


def check_version() -> None:
    found = subprocess.run(["cargo", "mutants", "--version"], capture_output=True, text=True)
    if found.returncode != 0 or found.stdout.split()[-1:] != [VERSION]:
        raise Failure(f"this takes cargo-mutants {VERSION}: {INSTALL}")


def mutants(*arguments: str) -> list[str]:
    return [
        "cargo",
        "mutants",
        *(f"--package={name}" for name in CORE_PACKAGES),
        "--dir",
        str(ROOT),
        "--output",
        str(OUTPUT),
        *arguments,
    ]


# ---- which faults ----------------------------------------------------------------------------


def choice(arguments: argparse.Namespace) -> list[str]:
    """The options that choose the faults."""
    options = [f"--file={glob}" for glob in arguments.file]
    options += [f"--re={arguments.only}"] if arguments.only else []
    shard = arguments.shard
    if arguments.sample:
        shard = sample(len(listed(options)), arguments.sample, arguments.seed)
    return [*options, "--sharding=round-robin", f"--shard={shard}"] if shard else options


def sample(total: int, wanted: int, seed: int) -> str:
    """The part of all faults that has about as many as are wanted, evenly spread."""
    parts = max(1, math.ceil(total / wanted))
    return f"{seed % parts}/{parts}"


def listed(options: Sequence[str]) -> list[str]:
    done = subprocess.run([*mutants("--list"), *options], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Failure("cargo-mutants cannot list the faults")
    return done.stdout.splitlines()


# ---- trying them -----------------------------------------------------------------------------


def supervise(command: Sequence[str], minutes: float | None) -> bool:
    """Runs it for that long at most; whether it came to an end."""
    # What building takes is kept from one run to the next, and has no debugging information, which is most of it.
    environment = {**os.environ, "CARGO_TARGET_DIR": str(OUTPUT / "target"), "CARGO_PROFILE_DEV_DEBUG": "0"}
    environment["RUST_BACKTRACE"] = "0"  # when the time is over, it would tell where it was
    child = subprocess.Popen(command, env=environment, start_new_session=True)
    try:
        child.wait(minutes and 60 * minutes)
    except subprocess.TimeoutExpired:
        say(f"{minutes:g} minutes are over")
        return False
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGINT)
            child.wait()
    return True


def tell(outcomes: pathlib.Path, *, in_time: bool) -> int:
    """Prints what came out; the exit code."""
    if not outcomes.exists():
        raise Failure("the tests fail, or do not build, without any fault")
    found: dict[str, list[str]] = collections.defaultdict(list)
    for outcome in json.loads(outcomes.read_text())["outcomes"]:
        if isinstance(outcome["scenario"], dict):
            summary = SUMMARIES.get(outcome["summary"], "missed")
            found[summary].append(outcome["scenario"]["Mutant"]["name"])
        elif outcome["summary"] != "Success":
            raise Failure("the tests fail, or do not build, without any fault")
    for name in found["missed"]:
        print(f"missed: {name}")
    tried = len(found["caught"]) + len(found["missed"])
    print(
        f"{tried} faults, {len(found['caught'])} caught, {len(found['missed'])} missed; "
        f"{len(found['unviable'])} more do not build" + ("" if in_time else "; stopped before all were tried")
    )
    return 0 if tried and not found["missed"] else 1
