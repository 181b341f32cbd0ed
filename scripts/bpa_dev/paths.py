"""Where the repository is, and where what is built from it goes."""

import os
import pathlib

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
ROOT = SCRIPTS.parent
DOCS = ROOT / "docs"
LIT_TESTS = ROOT / "lit-tests"
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").absolute()
