"""Where the repository is, and where what is built from it goes."""

import os
import pathlib

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
ROOT = SCRIPTS.parent
DOCS = ROOT / "docs"
LIT_TESTS = ROOT / "lit-tests"
#: The crates that know no LLVM, and where they are.
CORE_PACKAGES = {f"bpa-{name}": ROOT / "crates" / name for name in ("cfg", "profile", "report")}
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").absolute()
