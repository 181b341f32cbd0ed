"""Writes modules whose profile metadata is not as it should be, one form on one instruction a file.

Most of them LLVM's verifier rejects; `opt -disable-verify` reads them, and may crash on them.
"""

import argparse
import pathlib
from collections.abc import Callable, Iterator, Sequence

# Each form is the operands of the `!prof` node of an instruction with {n} successors; further
# nodes that it needs stand behind a line break.
FORMS: dict[str, Callable[[int], list[str]]] = {
    "too-few": lambda n: ['!"branch_weights"'] + ["i32 3"] * (n - 1),
    "too-many": lambda n: ['!"branch_weights"'] + ["i32 3"] * (n + 1),
    "no-weights": lambda n: ['!"branch_weights"'],
    "empty": lambda n: [],
    "strings": lambda n: ['!"branch_weights"'] + ['!"7"'] * n,
    "last-is-string": lambda n: ['!"branch_weights"'] + ["i32 7"] * (n - 1) + ['!"7"'],
    "doubles": lambda n: ['!"branch_weights"'] + ["double 7.0"] * n,
    "i64": lambda n: ['!"branch_weights"'] + [f"i64 {k + 1}" for k in range(n)],
    "i64-above-32-bits": lambda n: ['!"branch_weights"'] + [f"i64 {2**32 + 5 + k}" for k in range(n)],
    "i64-minus-one": lambda n: ['!"branch_weights"'] + ["i64 -1"] * n,
    "i128": lambda n: ['!"branch_weights"'] + [f"i128 {2**64 + 3 + k}" for k in range(n)],
    "i8": lambda n: ['!"branch_weights"'] + [f"i8 {100 + k}" for k in range(n)],
    "negative": lambda n: ['!"branch_weights"'] + [f"i32 {-1 - k}" for k in range(n)],
    "all-zero": lambda n: ['!"branch_weights"'] + ["i32 0"] * n,
    "wide-sum": lambda n: ['!"branch_weights"'] + [f"i32 {2**32 - 1 - k}" for k in range(n)],
    "no-name": lambda n: ["i32 9"] + ["i32 3"] * n,
    "weights-only": lambda n: [f"i32 {k + 1}" for k in range(n)],
    "other-name": lambda n: ['!"branch_weight"'] + [f"i32 {k + 1}" for k in range(n)],
    "value-profile": lambda n: ['!"VP"', "i32 0", "i64 20", "i64 5", "i64 20"],
    "value-profile-as-wide": lambda n: ['!"VP"'] + [f"i64 {k + 1}" for k in range(n)],
    "null-name": lambda n: ["null"] + ["i32 3"] * n,
    "null-weights": lambda n: ['!"branch_weights"'] + ["null"] * n,
    "nested-name": lambda n: ["!1"] + ["i32 3"] * n,
    "nested-weights": lambda n: ['!"branch_weights"'] + ["!1"] * n,
    "undef": lambda n: ['!"branch_weights"'] + ["i32 undef"] * n,
    "poison": lambda n: ['!"branch_weights"'] + ["i32 poison"] * n,
    "address": lambda n: ['!"branch_weights"'] + ["{pointer} @global"] * n,
    "expected": lambda n: ['!"branch_weights"', '!"expected"'] + [f"i32 {k + 1}" for k in range(n)],
}

# Terminators with the number of their successors. The first successor is always %A.
TERMINATORS: dict[str, tuple[int, str]] = {
    "br": (2, "br i1 %c, label %A, label %B, !prof !0"),
    "switch": (3, "switch i32 %x, label %A [ i32 1, label %B\n i32 2, label %C ], !prof !0"),
    "indirectbr": (2, "indirectbr {pointer} %p, [label %A, label %B], !prof !0"),
    "invoke": (2, "invoke void @may_throw() to label %A unwind label %pad, !prof !0"),
    "callbr": (2, 'callbr void asm sideeffect "", "!i"() to label %A [label %B], !prof !0'),
}

# Instructions that may not carry weights, or other metadata of profiles that is wrong.
#: The text behind the parameters, the body, and the operands of the node.
ODDITIES: dict[str, tuple[str, str, list[str]]] = {
    "on-ret": ("", "ret void, !prof !0", ['!"branch_weights"', "i32 1", "i32 2"]),
    "on-jump": ("", "br label %A, !prof !0", ['!"branch_weights"', "i32 1"]),
    "on-unreachable": ("", "unreachable, !prof !0", ['!"branch_weights"', "i32 1", "i32 2"]),
    "on-add": ("", "%y = add i32 %x, 1, !prof !0\n  ret void", ['!"branch_weights"', "i32 1", "i32 2"]),
    "on-load": ("", "%y = load i32, {pointer32} @global, !prof !0\n  ret void", ['!"branch_weights"', "i32 1"]),
    "irr-loop-string": ("", "br label %A, !irr_loop !0", ['!"loop_header_weight"', '!"7"']),
    "irr-loop-short": ("", "br label %A, !irr_loop !0", ['!"loop_header_weight"']),
    "irr-loop-empty": ("", "br label %A, !irr_loop !0", []),
    "irr-loop-other-name": ("", "br label %A, !irr_loop !0", ['!"weight"', "i64 7"]),
    "irr-loop-no-name": ("", "br label %A, !irr_loop !0", ["i64 7", "i64 7"]),
    "irr-loop-wide": ("", "br label %A, !irr_loop !0", ['!"loop_header_weight"', f"i128 {2**64 + 9}"]),
    "entry-count-string": (" !prof !0", "br label %A", ['!"function_entry_count"', '!"7"']),
    "entry-count-short": (" !prof !0", "br label %A", ['!"function_entry_count"']),
    "entry-count-no-name": (" !prof !0", "br label %A", ["i64 7", "i64 7"]),
    "entry-count-i32": (" !prof !0", "br label %A", ['!"function_entry_count"', "i32 7"]),
    "entry-count-wide": (" !prof !0", "br label %A", ['!"function_entry_count"', f"i128 {2**64 + 9}"]),
    "entry-count-minus-one": (" !prof !0", "br label %A", ['!"function_entry_count"', "i64 -1"]),
    "entry-count-other-name": (" !prof !0", "br label %A", ['!"branch_weights"', "i64 7"]),
}

MODULE = """\
@global = global i32 0
declare void @may_throw()
declare i32 @__gxx_personality_v0(...)

define void @f(i1 %c, i32 %x, {pointer} %p) personality {personality}{attachment} {{
entry:
  {body}
A:
  ret void
B:
  br label %A
C:
  br label %A
pad:
  %e = landingpad {{ {pointer}, i32 }} cleanup
  ret void
}}

!0 = !{{{operands}}}
!1 = !{{!"branch_weights", i32 1, i32 2}}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=pathlib.Path, required=True, metavar="DIR")
    parser.add_argument("--llvm", type=int, default=16, metavar="N", help="that shall read them (default: 16)")


def run(arguments: argparse.Namespace) -> int:
    arguments.out.mkdir(parents=True, exist_ok=True)
    modules = dict(all_modules(arguments.llvm))
    for name, text in modules.items():
        (arguments.out / f"{name}.ll").write_text(text)
    print(f"{arguments.out}: {len(modules)} files")
    return 0


def all_modules(llvm: int) -> Iterator[tuple[str, str]]:
    """Names and texts."""
    for terminator, (successors, body) in TERMINATORS.items():
        if terminator == "callbr" and llvm < 15:
            continue  # Written in another way then.
        for form, operands_for in FORMS.items():
            yield f"{terminator}-{form}", module(llvm, "", body, operands_for(successors))
    for name, (attachment, body, operands) in ODDITIES.items():
        yield name, module(llvm, attachment, body, operands)


def module(llvm: int, attachment: str, body: str, operands: Sequence[str]) -> str:
    opaque = llvm >= 15
    words = {
        "pointer": "ptr" if opaque else "i8*",
        "pointer32": "ptr" if opaque else "i32*",
        "personality": "ptr @__gxx_personality_v0"
        if opaque
        else "i8* bitcast (i32 (...)* @__gxx_personality_v0 to i8*)",
    }
    if not opaque:
        operands = ["i32* @global" if o == "{pointer} @global" else o for o in operands]
    return MODULE.format(
        **words, attachment=attachment, body=body.format(**words), operands=", ".join(operands).format(**words)
    )
