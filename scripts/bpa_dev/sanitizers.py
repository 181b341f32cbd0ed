"""A plugin whose C++ is instrumented by the address and undefined behaviour sanitizers, and the environment for it."""

import os
import pathlib
import shutil
import subprocess

from .llvm import Llvm
from .messages import Failure, say

FLAGS = (
    # The first error ends the process.
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
    # They need information on types, which LLVM is built without.
    "-fno-sanitize=vptr,function",
    *("-fno-omit-frame-pointer", "-g"),
)
RUNTIME = "libclang_rt.asan-x86_64.so"
#: LLVM is not instrumented, and so knows nothing of what our copies of its inlined functions say of containers.
#: LLVM leaves memory to the end of the process.
OPTIONS = ("detect_leaks=0", "detect_container_overflow=0", "detect_stack_use_after_return=1", "strict_init_order=1")


def build(llvm: Llvm) -> pathlib.Path:
    """The plugin with its C++ instrumented, and Rust's own checks on; cargo notices other flags, and builds again."""
    say("building with the address and undefined behaviour sanitizers in the C++")
    # Whatever is built from here on, as by `scripts/dev lit`, is built this way.
    os.environ.update(CXX=str(llvm.tool("clang++")), CXXFLAGS=" ".join(FLAGS))
    plugin = llvm.build(debug=True)
    if b"__asan_report_load" not in plugin.read_bytes():
        raise Failure(f"{plugin} is not instrumented")
    return plugin


def watching(llvm: Llvm, folder: pathlib.Path) -> dict[str, str]:
    """What a process needs in its environment to load that plugin; what is found goes to `folder`, a file a process."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    options = ":".join([*OPTIONS, f"log_path={folder / 'found'}"])
    return {"LD_PRELOAD": runtime(llvm), "ASAN_OPTIONS": options, "UBSAN_OPTIONS": f"print_stacktrace=1:{options}"}


def runtime(llvm: Llvm) -> str:
    command = [str(llvm.tool("clang")), f"-print-file-name={RUNTIME}"]
    found = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    if not pathlib.Path(found).is_absolute():
        raise Failure(f"no {RUNTIME} of {llvm} found (package libclang-rt-{llvm.version}-dev)")
    return found
