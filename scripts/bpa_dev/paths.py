"""Folders of the repository and of build results."""

import os
import pathlib

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
ROOT = SCRIPTS.parent
DOCS = ROOT / "docs"
LIT_TESTS = ROOT / "lit-tests"
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").absolute()
