"""Measures time, memory and instructions of runs of `opt`."""

import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import threading
from collections.abc import Sequence
from typing import NamedTuple

from .comparing.runs import Word, shown
from .messages import Failure
from .tools import Tools

# The pipelines that compute block frequencies.
OURS = "require<rust-bfi>"
LLVMS = "function(require<block-freq>)"
COUNTED = re.compile(r"Collected *: *(\d+)")
#: Callgrind counts instructions only inside this function.
PASSES_RUN = "llvm::PassManager<llvm::Module, *>::run*"
#: Drops all results. The instruction count includes the instructions of this pass.
DROP = "invalidate<all>"

#: The usual stack size of a main thread, in bytes.
STACK = 8 << 20


class Outcome(NamedTuple):
    #: A description of the failure; None if the run succeeded.
    trouble: str | None
    #: The peak memory in bytes.
    peak: int
    #: The processor time.
    seconds: float


def run(command: Sequence[Word], timeout: float | None = None) -> Outcome:
    """Runs a command with a limited stack."""

    def limit_stack() -> None:
        resource.setrlimit(resource.RLIMIT_STACK, (STACK, resource.RLIM_INFINITY))

    null = subprocess.DEVNULL
    words = list(map(str, command))
    child = subprocess.Popen(words, stdin=null, stdout=null, stderr=null, preexec_fn=limit_stack)
    late = threading.Event()

    def stop() -> None:
        late.set()
        child.kill()

    timer = threading.Timer(timeout, stop) if timeout else None
    if timer:
        timer.start()
    _, status, usage = os.wait4(child.pid, 0)
    if timer:
        timer.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    trouble = trouble_of(child.returncode, late.is_set(), timeout)
    return Outcome(trouble, usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime)


def trouble_of(code: int, late: bool, timeout: float | None) -> str | None:
    if code == 0:
        return None
    if late:
        return f"> {timeout or 0:g} s"
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def cost(tools: Tools, passes: str, path: pathlib.Path, timeout: float | None = None) -> Outcome:
    """Returns the processor time and the memory of `passes`: the difference between a run with them and a run that only
    loads the file and the plugin."""
    plugin = [f"-load-pass-plugin={tools.plugin}"] if "rust-" in passes else []
    loading = run([*tools.opt_command("no-op-module", "-disable-output", *plugin), path], timeout)
    done = run([*tools.opt_command(passes, "-disable-output"), path], timeout)
    return Outcome(loading.trouble or done.trouble, done.peak - loading.peak, done.seconds - loading.seconds)


def instructions(tools: Tools, passes: str, path: pathlib.Path) -> int:
    """Uses valgrind to count the instructions of passes, including the instructions that free all results.

    The count of the whole run minus the count of an empty run would be less exact. LLVM hashes the addresses of
    objects, and these addresses change with the lengths of file paths. The instruction count of a run therefore
    varies by up to nine million.
    """
    if not shutil.which("valgrind"):
        raise Failure("counting instructions needs valgrind: on Debian, apt-get install valgrind")
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    valgrind += ["--collect-atstart=no", f"--toggle-collect={PASSES_RUN}", f"--main-stacksize={STACK}"]
    command = [*valgrind, *tools.opt_command(f"{passes},{DROP}", "-disable-output", "-disable-verify"), str(path)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    counted = COUNTED.search(done.stdout)
    if done.returncode != 0 or not counted:
        raise Failure(f"{shown(command)}\n{done.stdout[-2000:]}")
    return int(counted[1])
