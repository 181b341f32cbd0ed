"""Tells whether two functions have the same body, whatever things in them are called.

Programs carry copies of each other's code, as that of Gnulib. A predictor that has learned from one copy knows the
other, and several copies in a test set count one function several times.
"""

import hashlib
import re

FUNCTION = re.compile(r'^define [^@]*@(?:"((?:[^"\\]|\\..)*)"|([-\w.$]+))(\(.*?)^}', re.M | re.S)
# What is dropped: metadata, groups of attributes, which blocks come before.
DROPPED = re.compile(r"(?m),? ![\w.]+ !\d+|,? !DIExpression\([^)]*\)|[ ]#\d+|[ ]*;.*$|[ ](?:comdat|personality).*$")
NAME = re.compile(r'[%@$]"(?:[^"\\]|\\..)*"|[%@$][-\w.$]+')
LABEL = re.compile(r'(?m)^(?:"(?:[^"\\]|\\..)*"|[-\w.$]+):')


def normalised(body: str) -> str:
    """Operations, types and constants; names and numbers of values, types and functions are all one."""
    without = DROPPED.sub("", body)
    return LABEL.sub(":", NAME.sub(lambda found: found[0][0], without))


def hashes(ir: str) -> dict[str, str]:
    """The hash of the body of each function that is defined there."""
    return {
        quoted or plain: hashlib.sha256(normalised(body).encode(errors="surrogateescape")).hexdigest()[:16]
        for quoted, plain, body in FUNCTION.findall(ir)
    }
