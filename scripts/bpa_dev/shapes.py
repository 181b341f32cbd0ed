"""Functions of any size for benchmarks, as textual IR.

A shape repeats a pattern a given number of times. Every function also has a block with a cold call. Because of this
call, both bpa and LLVM compute post-dominators.
"""

import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

Lines = Iterator[str]
Generator = Callable[[int], Lines]


class Shape(NamedTuple):
    name: str
    #: A shape generates two functions. The larger function repeats the pattern `size` times.
    size: int
    #: A description.
    what: str
    lines: Generator


SHAPES: dict[str, Shape] = {}

PROLOGUE = [
    "declare void @rare() cold",
    "declare i32 @personality(...)",
    "define void @f(i1 %c, i32 %x, ptr %p) personality ptr @personality {",
    "entry:",
    " br i1 %c, label %start, label %rare",
    "rare:",
    " call void @rare()",
    " ret void",
]


def shape(size: int, what: str) -> Callable[[Generator], Generator]:
    def register(lines: Generator) -> Generator:
        name = lines.__name__.replace("_", "-")
        SHAPES[name] = Shape(name, size, what, lines)
        return lines

    return register


def text(name: str, size: int) -> Lines:
    """Yields the lines of the module. The pattern begins at block `start`."""
    return itertools.chain(PROLOGUE, SHAPES[name].lines(size), ["}"])


def jump(target: str) -> str:
    return f" br label %{target}"


def branch(one: str, other: str) -> str:
    return f" br i1 %c, label %{one}, label %{other}"


def switch(default: str, targets: Iterable[str], metadata: str = "") -> Lines:
    yield f" switch i32 %x, label %{default} ["
    for case, target in enumerate(targets):
        yield f"  i32 {case}, label %{target}"
    yield f" ]{metadata}"


def end() -> Lines:
    yield "end:"
    yield " ret void"


# ---- sizes in docs/src/reports/performance.md ------------------------------------------------------


@shape(333_333, "a row of diamonds, 1,000,000 blocks")
def diamonds(count: int) -> Lines:
    yield from ["start:", jump("a0")]
    for i in range(count):
        following = f"a{i + 1}" if i + 1 < count else "end"
        yield from [f"a{i}:", branch(f"b{i}", f"c{i}"), f"b{i}:", jump(following), f"c{i}:", jump(following)]
    yield from end()


@shape(100_000, "one loop with 100,000 cold exits")
def cold_exits(count: int) -> Lines:
    yield from ["start:", jump("b0")]
    for i in range(count):
        following = f"b{i + 1}" if i + 1 < count else "b0"
        yield from [f"b{i}:", branch(following, f"x{i}"), f"x{i}:", " call void @rare()", " ret void"]


@shape(20_000, "loops nested 20,000 deep")
def nest(depth: int) -> Lines:
    yield from ["start:", jump("h0")]
    for i in range(depth):
        yield from [f"h{i}:", jump(f"h{i + 1}" if i + 1 < depth else f"l{i}")]
    for i in reversed(range(depth)):
        yield from [f"l{i}:", branch(f"h{i}", f"l{i - 1}" if i else "end")]
    yield from end()


@shape(100_000, "an irreducible cycle of 100,000 blocks with two entries")
def irreducible(count: int) -> Lines:
    yield from ["start:", branch("b0", f"b{count // 2}")]
    for i in range(count):
        following = f"b{(i + 1) % count}"
        yield from [f"b{i}:", branch(following, "end") if i % 10 == 0 else jump(following)]
    yield from end()


@shape(33_333, "33,333 nested irreducible regions, 100,000 blocks")
def nested_irreducible_regions(depth: int) -> Lines:
    yield from ["start:", branch("a0", "b0")]
    for i in range(depth):
        inner = i + 1 < depth
        yield from [f"a{i}:", branch(f"a{i + 1}" if inner else f"x{i}", f"b{i}")]
        yield from [f"b{i}:", branch(f"b{i + 1}" if inner else f"x{i}", f"a{i}")]
        yield from [f"x{i}:", branch(f"a{i - 1}", f"x{i - 1}") if i else jump("end")]
    yield from end()


@shape(100_000, "100,000 blocks with random edges, mostly in irreducible regions")
def tangle(count: int) -> Lines:
    chance = random.Random(1)
    yield from ["start:", branch("b0", f"b{count // 2}")]
    for i in range(count):
        following = f"b{i + 1}" if i + 1 < count else "end"
        yield from [f"b{i}:", branch(following, f"b{chance.randrange(count)}")]
    yield from end()


@shape(200_000, "a switch of 200,000 cases")
def wide_switch(cases: int) -> Lines:
    yield "start:"
    yield from switch("end", (f"b{i}" for i in range(cases)))
    for i in range(cases):
        yield from [f"b{i}:", jump("end")]
    yield from end()


@shape(200_000, "a loop that contains 200,000 loops, one after another")
def siblings(count: int) -> Lines:
    yield from ["start:", jump("b0")]
    for i in range(count):
        yield from [f"b{i}:", branch(f"b{i}", f"b{i + 1}")]
    yield from [f"b{count}:", branch("b0", "end")]
    yield from end()


@shape(100_000, "100,000 phis in a chain; every branch tests a phi")
def phi_web_tested(count: int) -> Lines:
    yield from phis(count, lambda i: [f" %t{i} = icmp eq i32 %v{i}, 7", f" br i1 %t{i}, label %b{i + 1}, label %c{i}"])


def phis(count: int, terminator: Callable[[int], list[str]]) -> Lines:
    yield from ["start:", jump("b0")]
    for i in range(count):
        back = f"[ 0, %start ], [ %v{count}, %b{count} ]"
        along = f"[ %v{i - 1}, %b{i - 1} ], [ {i}, %c{i - 1} ]"
        yield from [f"b{i}:", f" %v{i} = phi i32 {along if i else back}"]
        yield from terminator(i)
        yield from [f"c{i}:", jump(f"b{i + 1}")]
    yield f"b{count}:"
    yield f" %v{count} = phi i32 [ %v{count - 1}, %b{count - 1} ], [ {count}, %c{count - 1} ]"
    yield f" %test = icmp eq i32 %v{count}, 7"
    yield " br i1 %test, label %end, label %b0"
    yield from end()


# ---- shapes for which simple algorithms take quadratic time ----------------------------------------


@shape(100_000, "100,000 blocks, each with predecessors at the ends of two chains of 100,000 dominators")
def far_joins(count: int) -> Lines:
    yield "start:"
    yield from switch("first0", [*(f"y{i}" for i in range(count)), "last0"])
    for chain in "first", "last":
        for i in range(count):
            yield f"{chain}{i}:"
            if i + 1 < count:
                yield jump(f"{chain}{i + 1}")
            else:
                yield from switch("end", (f"y{i}" for i in range(count)))
    for i in range(count):
        yield from [f"y{i}:", jump("end")]
    yield from end()


@shape(100_000, "100,000 loops that exit to an infinite loop of 100,000 blocks")
def infinite_loops(count: int) -> Lines:
    yield "start:"
    yield from switch("s0", (f"s{i}" for i in range(count)))
    for i in range(count):
        yield from [f"s{i}:", branch(f"t{i}", "r0"), f"t{i}:", branch(f"s{i}", "r0")]
    for i in range(count):
        yield from [f"r{i}:", jump(f"r{(i + 1) % count}")]


@shape(1_000_000, "1,000,000 edges: every block has a switch to all blocks")
def all_to_all(edges: int) -> Lines:
    count = math.isqrt(edges)
    yield from ["start:", jump("b0")]
    for i in range(count):
        yield f"b{i}:"
        yield from switch("end", (f"b{target}" for target in range(count)))
    yield from end()
