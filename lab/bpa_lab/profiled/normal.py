"""Hashes the body of each function, without names, to find copies of a function.

Several programs have copies of the same function, for example of a function of Gnulib. A predictor must not be trained
on one copy of a function and evaluated on another copy. Statistics must count all copies of a function only once.
"""

import hashlib
import re
from typing import NamedTuple

FUNCTION = re.compile(r'^define [^@]*@(?:"((?:[^"\\]|\\..)*)"|([-\w.$]+))(\(.*?)^}', re.M | re.S)
# Matches metadata, references to attribute groups, and comments. In comments, LLVM prints the predecessors of blocks.
DROPPED = re.compile(r"(?m),? ![\w.]+ !\d+|,? !DIExpression\([^)]*\)|[ ]#\d+|[ ]*;.*$|[ ](?:comdat|personality).*$")
NAME = re.compile(r'[%@$]"(?:[^"\\]|\\..)*"|[%@$][-\w.$]+')
LABEL = re.compile(r'(?m)^(?:"(?:[^"\\]|\\..)*"|[-\w.$]+):')


class Body(NamedTuple):
    """The hashes of the body of a function."""

    own: str
    #: The hash of the body at the extension point `pipeline-early-simplification`. Functions with equal hashes are
    #: copies of each other at every place.
    early: str


def normalised(body: str) -> str:
    """Removes names and numbers of values, types and functions. Operations, types and constants remain."""
    without = DROPPED.sub("", body)
    return LABEL.sub(":", NAME.sub(lambda found: found[0][0], without))


def hashes(ir: str) -> dict[str, str]:
    """Returns the hash of the body of each function that the module defines."""
    return {
        quoted or plain: hashlib.sha256(normalised(body).encode(errors="surrogateescape")).hexdigest()[:16]
        for quoted, plain, body in FUNCTION.findall(ir)
    }
