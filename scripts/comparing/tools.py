"""The tools of the chosen LLVM, the plugin, and the files that are named on a command line."""

import collections
import os
import pathlib
import subprocess
import sys

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent

# `opt` is a command with its first options, `bin` the folder of LLVM's other tools, `plugin` the
# libbpa.so to load, `target` the folder for what is built and made.
Tools = collections.namedtuple("Tools", "llvm bin opt plugin target")


def add_options(parser):
    """What every comparing script can be told."""
    parser.add_argument("--llvm", default="", metavar="N", help="default: newest supported one")
    parser.add_argument("--plugin", help="libbpa.so to load (default: build it)")
    parser.add_argument("--opt-flag", action="append", default=[], metavar="FLAG",
                        help="a flag for every run of opt, as in --opt-flag=-opaque-pointers")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J",
                        help="files compared at the same time (default: one a processor)")


def add_file_options(parser):
    """What scripts that compare given files can be told."""
    parser.add_argument("inputs", nargs="+", metavar="FILE|DIR", help=".ll or .bc files")
    add_options(parser)
    parser.add_argument("--timeout", type=float, default=300, metavar="SECONDS",
                        help="for each run of opt (default: 300)")
    parser.add_argument("--show", type=int, default=1, metavar="K",
                        help="files whose first difference is shown (default: 1)")


def find_tools(llvm="", plugin=None, flags=()):
    """The tools of LLVM `llvm`, by the rules that the shell scripts follow; builds the plugin if
    none is named, so that it is not an old one that is compared."""
    script = ('source "$1/lib.sh"; llvm=$(choose_llvm "$2"); echo "$llvm"; '
              'llvm_tool "$llvm" opt; "$(llvm_config "$llvm")" --bindir; echo "$TARGET"')
    found = subprocess.run(["bash", "-euo", "pipefail", "-c", script, program(), str(SCRIPTS), llvm],
                           stdout=subprocess.PIPE, text=True)
    if found.returncode != 0:
        sys.exit(1)
    llvm, opt, folder, target = found.stdout.splitlines()
    plugin = plugin or build(llvm)
    if not os.path.exists(plugin):
        sys.exit(f"{program()}: no plugin at {plugin}")
    return Tools(llvm, pathlib.Path(folder), [opt, *flags], os.path.abspath(plugin),
                 pathlib.Path(target))


def build(llvm):
    built = subprocess.run([SCRIPTS / "build", "--llvm", llvm], stdout=subprocess.PIPE, text=True)
    if built.returncode != 0:
        sys.exit(f"{program()}: the plugin does not build")
    return built.stdout.splitlines()[-1]


def older(one, other):
    """The tools of the older LLVM: what they write, the newer ones read."""
    return min(one, other, key=lambda tools: int(tools.llvm))


def find_files(inputs):
    """The files named, and the .ll and .bc files under the folders named."""
    for name in inputs:
        path = pathlib.Path(name)
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.suffix in (".ll", ".bc"))
            if not inside:
                sys.exit(f"{program()}: no .ll or .bc files under {name}")
            yield from inside
        elif path.exists():
            yield path
        else:
            sys.exit(f"{program()}: no such file: {name}")


def opt_command(tools, passes, *options):
    """`opt` with these passes, and with the plugin if they need it; a file has to follow."""
    plugin = [f"-load-pass-plugin={tools.plugin}"] if "rust-" in passes else []
    return [*tools.opt, *plugin, *options, f"-passes={passes}"]


def program():
    """The script that runs, as its messages name it."""
    return os.path.basename(sys.argv[0])
