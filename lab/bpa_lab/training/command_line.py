"""Trains a predictor for `predictor=FILE` on programs with profiles.

FEATURES are files that `rust-bpi<features;append;output=FILE>` has written for code with a profile, one file for each
program. All programs have equal weight. Without FEATURES, trains on the tables in lab/data/.

  lab/train server.json client.json -o mine.model
  opt -load-pass-plugin=libbpa.so -passes='rust-bpi<predictor=mine.model>' -disable-output program.bc
"""

import argparse
import pathlib
import sys
from collections.abc import Sequence

from bpa_dev import environment
from bpa_dev.messages import Failure, announce, error
from bpa_dev.paths import ROOT


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="lab/train", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("features", nargs="*", type=pathlib.Path, metavar="FEATURES")
    parser.add_argument("-o", dest="output", type=pathlib.Path, required=True, metavar="FILE", help="the model")
    parser.add_argument(
        "--without", metavar="FAMILY", help="leave out a family of lab/data/, to evaluate the model on it"
    )
    arguments = parser.parse_args(words)
    try:
        return run(arguments)
    except Failure as failure:
        error(f"lab/train: {failure}")
        return 1


def run(arguments: argparse.Namespace) -> int:
    environment.add_library("lightgbm")
    from . import data, models, records

    if arguments.features and arguments.without:
        raise Failure("--without applies only to the tables in lab/data/; to leave out a program, omit its file")
    known = records.read(arguments.features) if arguments.features else data.read_places(ROOT / "lab" / "data")
    if arguments.without:
        known = known.without(arguments.without)
    branches = len(known.two_way.truth)
    if branches < models.FEWEST:
        raise Failure(f"{branches} two-way branches with a profile: at least {models.FEWEST} are needed")
    text = models.as_text(known)
    try:
        arguments.output.write_text(text)
    except OSError as problem:
        raise Failure(f"cannot write {arguments.output}: {problem.strerror}") from problem
    learned = f"trained on {branches:,} branches and {len(known.switches.starts):,} switches"
    learned += f" of {len(set(known.two_way.programs))} programs"
    announce(f"{arguments.output}: {len(text):,} bytes, {learned}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
