"""Stands in for `opt` in tests of those who run it.

It prints a report for each printer in the pipeline, and does what lines of the file that it reads say: `ours: crash`
when a pass of ours is in the pipeline, `LLVM's bfi: differ` for one printer, `reader: crash` in any
case, `together: differ` for ours where there are many passes, `check: differ` in a comparison in the process,
`passes: crash` in a pass of LLVM's.
"""

import os
import re
import shutil
import signal
import sys

# The report, by whose pass prints it.
PRINTERS = {
    "print<rust-bpi>": ("ours", "bpi"),
    "function(print<branch-prob>)": ("LLVM's", "bpi"),
    "print<rust-bfi>": ("ours", "bfi"),
    "function(print<block-freq>)": ("LLVM's", "bfi"),
}
# More than any one check has, and fewer than all together.
MANY = 10
NAMES = {"bpi": "Branch Probability Analysis", "bfi": "Block Frequency Analysis"}


def main() -> None:
    passes = next(word for word in sys.argv if word.startswith("-passes=")).removeprefix("-passes=")
    path = next(word for word in sys.argv[1:] if word.endswith((".ll", ".bc")))
    with open(path) as file:
        orders = dict(re.findall(r"^(.*?): (\w+)$", file.read(), re.MULTILINE))
    obey(orders.get("reader"))
    if "-o" in sys.argv:
        output = sys.argv[sys.argv.index("-o") + 1]
        shutil.copy(path, "/dev/stdout" if output == "-" else output)
    names = re.split(r",(?![^<(]*[>)])", passes)
    if len(names) > MANY and "together" in orders:
        orders["ours bfi"] = orders["together"]
    for name in names:
        if mark := re.fullmatch(r"fuzz-mark<stage=(\d+)(;check)?>", name):
            print(f"fuzz-mark: stage {mark[1]}, {'check' if mark[2] else 'passes'}", file=sys.stderr, flush=True)
            continue
        if name == "dce":
            obey(orders.get("passes"))
        if name in ("rust-bpi<check>", "rust-bfi<check>"):
            obey(orders.get("ours"))
            compare(name, orders.get("check"))
            continue
        if name.startswith("rust-") or name in PRINTERS:
            side, analysis = PRINTERS.get(name, ("ours", "annotation"))
            obey(orders.get(side))
            order = orders.get(f"{side} {analysis}")
            obey(order)
            if analysis in NAMES:
                print(f"Printing analysis '{NAMES[analysis]}' for function 'f':", file=sys.stderr)
                print(" - entry: " + ("another line" if order == "differ" else "a line"), file=sys.stderr)
        if name == "rust-lower-expect":
            print("define void @f() {\n" + orders.get("ours expect", "lowered") + "\n}")
        if name == "lower-expect":
            print("define void @f() {\nlowered\n}")


def compare(name: str, order: str | None) -> None:
    """Makes a comparison in the process, and logs it if that is wanted."""
    obey(order)
    if order == "differ":
        print(f"bpa: {name}: function 'f', frequency of %entry: LLVM has 7, we have 8", file=sys.stderr)
        sys.exit(1)
    if "RUST_LOG" in os.environ:
        form = "00000000000000ff" if name == "rust-bfi<check>" else "0000000000000001"
        print(f"[DEBUG] LLVM agrees on 'f': 3 blocks, 1 branches, form {form}", file=sys.stderr, flush=True)


def obey(order: str | None) -> None:
    if order == "crash":
        os.kill(os.getpid(), signal.SIGKILL)
    if order == "refuse":
        sys.exit(1)
    if order == "hang":
        while True:
            pass


if __name__ == "__main__":
    main()
