"""Functions that strain an analysis in one direction, as textual IR.

Each shape takes the number of times its pattern repeats and yields lines of IR. All have a block
that calls something cold beside the pattern, so that neither side gets away without
post-dominators.
"""

import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

Lines = Iterator[str]
Draw = Callable[[int], Lines]


class Shape(NamedTuple):
    name: str
    #: How often the pattern repeats in the large one of two functions.
    size: int
    #: What it is for.
    what: str
    lines: Draw


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


def shape(size: int, what: str) -> Callable[[Draw], Draw]:
    def register(lines: Draw) -> Draw:
        name = lines.__name__.replace("_", "-")
        SHAPES[name] = Shape(name, size, what, lines)
        return lines

    return register


def text(name: str, size: int) -> Lines:
    """All of the module as lines without line ends; its function begins at block `start`."""
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


# ---- what the project promises to manage ---------------------------------------------------------


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


@shape(100_000, "an irreducible ring of 100,000 blocks, entered at two")
def irreducible(count: int) -> Lines:
    yield from ["start:", branch("b0", f"b{count // 2}")]
    for i in range(count):
        following = f"b{(i + 1) % count}"
        yield from [f"b{i}:", branch(following, "end") if i % 10 == 0 else jump(following)]
    yield from end()


@shape(33_333, "irreducible regions nested 33,333 deep, 100,000 blocks")
def nested_irreducible_regions(depth: int) -> Lines:
    yield from ["start:", branch("a0", "b0")]
    for i in range(depth):
        inner = i + 1 < depth
        yield from [f"a{i}:", branch(f"a{i + 1}" if inner else f"x{i}", f"b{i}")]
        yield from [f"b{i}:", branch(f"b{i + 1}" if inner else f"x{i}", f"a{i}")]
        yield from [f"x{i}:", branch(f"a{i - 1}", f"x{i - 1}") if i else jump("end")]
    yield from end()


@shape(100_000, "an irreducible tangle of 100,000 blocks, edges at random")
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


@shape(200_000, "200,000 loops side by side in a loop")
def siblings(count: int) -> Lines:
    yield from ["start:", jump("b0")]
    for i in range(count):
        yield from [f"b{i}:", branch(f"b{i}", f"b{i + 1}")]
    yield from [f"b{count}:", branch("b0", "end")]
    yield from end()


@shape(100_000, "a web of 100,000 phis behind the condition of a loop")
def phi_web(count: int) -> Lines:
    yield from phis(count, lambda i: [branch(f"b{i + 1}", f"c{i}")])


@shape(100_000, "the same web, and every branch tests a phi of it")
def phi_web_tested(count: int) -> Lines:
    yield from phis(count, lambda i: [f" %t{i} = icmp eq i32 %v{i}, 7", f" br i1 %t{i}, label %b{i + 1}, label %c{i}"])


@shape(100_000, "the same, every test is defeated by one of its ways, and each comes with another constant")
def phi_web_defeated(count: int) -> Lines:
    yield from phis(
        count,
        lambda i: [f" %t{i} = icmp ult i32 %v{i}, {2 * count}", f" br i1 %t{i}, label %b{i + 1}, label %c{i}"],
        lambda i: [f" %w{i} = phi i64 [ 0, %b{i - 1} ], [ {i}, %c{i - 1} ]"] if i else [],
    )


def phis(
    count: int, terminator: Callable[[int], list[str]], other_phi: Callable[[int], list[str]] = lambda i: []
) -> Lines:
    yield from ["start:", jump("b0")]
    for i in range(count):
        back = f"[ 0, %start ], [ %v{count}, %b{count} ]"
        along = f"[ %v{i - 1}, %b{i - 1} ], [ {i}, %c{i - 1} ]"
        yield from [f"b{i}:", f" %v{i} = phi i32 {along if i else back}", *other_phi(i)]
        yield from terminator(i)
        yield from [f"c{i}:", jump(f"b{i + 1}")]
    yield f"b{count}:"
    yield f" %v{count} = phi i32 [ %v{count - 1}, %b{count - 1} ], [ {count}, %c{count - 1} ]"
    yield f" %test = icmp eq i32 %v{count}, 7"
    yield " br i1 %test, label %end, label %b0"
    yield from end()


# ---- what could be quadratic ---------------------------------------------------------------------


@shape(1_000_000, "a straight line of 1,000,000 blocks")
def line(count: int) -> Lines:
    yield from ["start:", jump("b0")]
    for i in range(count):
        yield from [f"b{i}:", jump(f"b{i + 1}" if i + 1 < count else "end")]
    yield from end()


@shape(20_000, "the nest, each loop left through a cold block: exits of all loops are looked at")
def cold_nest(depth: int) -> Lines:
    yield from ["start:", jump("h0")]
    for i in range(depth):
        yield from [f"h{i}:", jump(f"h{i + 1}" if i + 1 < depth else f"l{i}")]
    for i in reversed(range(depth)):
        yield from [
            f"l{i}:",
            branch(f"h{i}", f"x{i}"),
            f"x{i}:",
            " call void @rare()",
            jump(f"l{i - 1}" if i else "end"),
        ]
    yield from end()


@shape(20_000, "the nest, each loop also left for the latch of the outermost one")
def nest_breaking_out(depth: int) -> Lines:
    yield from ["start:", jump("h0")]
    for i in range(depth):
        yield from [f"h{i}:", branch(f"h{i + 1}" if i + 1 < depth else f"l{i}", "l0")]
    for i in reversed(range(depth)):
        yield from [f"l{i}:", branch(f"h{i}", f"l{i - 1}" if i else "end")]
    yield from end()


@shape(20_000, "the nest, each loop also left for a block of its own outside all: exits pile up")
def nest_exits(depth: int) -> Lines:
    yield from ["start:", jump("h0")]
    for i in range(depth):
        yield from [f"h{i}:", branch(f"h{i + 1}" if i + 1 < depth else f"l{i}", f"x{i}"), f"x{i}:", jump("end")]
    for i in reversed(range(depth)):
        yield from [f"l{i}:", branch(f"h{i}", f"l{i - 1}" if i else "end")]
    yield from end()


@shape(100_000, "loops in a row, a cold call in each: each looks up the dominators of all before it")
def cold_loops(count: int) -> Lines:
    yield from ["start:", jump("b0")]
    for i in range(count):
        yield from [f"b{i}:", " call void @rare()", branch(f"b{i}", f"b{i + 1}" if i + 1 < count else "end")]
    yield from end()


@shape(100_000, "100,000 blocks joined from afar at the end of a line of dominators as long")
def far_joins(count: int) -> Lines:
    yield "start:"
    yield from switch("first0", [*(f"y{i}" for i in range(count)), "last0"])
    for side in "first", "last":
        for i in range(count):
            yield f"{side}{i}:"
            if i + 1 < count:
                yield jump(f"{side}{i + 1}")
            else:
                yield from switch("end", (f"y{i}" for i in range(count)))
    for i in range(count):
        yield from [f"y{i}:", jump("end")]
    yield from end()


@shape(100_000, "the same upside down, for post-dominators")
def far_splits(count: int) -> Lines:
    yield "start:"
    yield from switch("y0", (f"y{i}" for i in range(count)))
    for i in range(count):
        yield f"y{i}:"
        yield from switch("end", [f"first{count - 1}", f"last{count - 1}"])
    for side in "first", "last":
        for i in range(count):
            yield from [f"{side}{i}:", jump(f"{side}{i - 1}" if i else f"{side}")]
    # Predecessors come in some order: the lines are at both ends of it.
    yield from ["first:", jump("finish"), "end:", jump("finish"), "last:", jump("finish")]
    yield from ["finish:", " ret void"]


@shape(100_000, "100,000 endless self-loops")
def endless_loops(count: int) -> Lines:
    yield "start:"
    yield from switch("b0", (f"b{i}" for i in range(count)))
    for i in range(count):
        yield from [f"b{i}:", jump(f"b{i}")]


@shape(100_000, "endless regions in front of one that is as long as they are many")
def endless_regions(count: int) -> Lines:
    yield "start:"
    yield from switch("s0", (f"s{i}" for i in range(count)))
    for i in range(count):
        yield from [f"s{i}:", branch(f"t{i}", "r0"), f"t{i}:", branch(f"s{i}", "r0")]
    for i in range(count):
        yield from [f"r{i}:", jump(f"r{(i + 1) % count}")]


@shape(100_000, "endless loops that lead to one another in a row")
def endless_row(count: int) -> Lines:
    yield from ["start:", jump("b0")]
    for i in range(count):
        yield from [f"b{i}:", branch(f"b{i}", f"b{i + 1}" if i + 1 < count else f"b{i}")]


@shape(200_000, "a switch of 200,000 cases to ten blocks")
def parallel_edges(cases: int) -> Lines:
    yield "start:"
    yield from switch("end", (f"b{i % 10}" for i in range(cases)))
    for i in range(min(10, cases)):
        yield from [f"b{i}:", jump("end")]
    yield from end()


@shape(200_000, "a switch of 200,000 cases with branch weights")
def weighted_switch(cases: int) -> Lines:
    yield "start:"
    weights = ", ".join(f"i32 {weight}" for weight in range(cases + 1))
    yield from switch("end", (f"b{i}" for i in range(cases)), f', !prof !{{!"branch_weights", {weights}}}')
    for i in range(cases):
        yield from [f"b{i}:", jump("end")]
    yield from end()


@shape(1_000_000, "1,000,000 edges: every block has a switch to all blocks")
def all_to_all(edges: int) -> Lines:
    count = math.isqrt(edges)
    yield from ["start:", jump("b0")]
    for i in range(count):
        yield f"b{i}:"
        yield from switch("end", (f"b{target}" for target in range(count)))
    yield from end()


@shape(100_000, "loops that the entry does not reach")
def unreached(count: int) -> Lines:
    yield from ["start:", jump("end")]
    for i in range(count):
        yield from [f"b{i}:", branch(f"b{i}", f"b{i + 1}" if i + 1 < count else "end")]
    yield from end()


@shape(200_000, "a switch of 200,000 cases, half of them cold, in a loop")
def cold_switch(cases: int) -> Lines:
    yield "start:"
    yield from switch("end", (f"b{i}" for i in range(cases)))
    for i in range(cases):
        yield f"b{i}:"
        if i % 2:
            yield " call void @rare()"
        yield jump("latch")
    yield from ["latch:", branch("start2", "end"), "start2:", jump("latch2"), "latch2:", branch("latch", "end")]
    yield from end()


@shape(100_000, "an indirectbr to 100,000 blocks that all jump back to it")
def indirect(targets: int) -> Lines:
    yield from ["start:", jump("hub"), "hub:"]
    yield f" indirectbr ptr %p, [{', '.join(f'label %b{i}' for i in range(targets))}, label %end]"
    for i in range(targets):
        yield from [f"b{i}:", jump("hub")]
    yield from end()


@shape(100_000, "a loop with 100,000 latches")
def latches(count: int) -> Lines:
    yield from ["start:", jump("b0")]
    for i in range(count):
        yield from [f"b{i}:", branch("b0", f"b{i + 1}" if i + 1 < count else "end")]
    yield from end()


@shape(100_000, "100,000 invokes with one landing pad")
def invokes(count: int) -> Lines:
    yield from ["start:", jump("b0")]
    for i in range(count):
        following = f"b{i + 1}" if i + 1 < count else "end"
        yield from [f"b{i}:", f" invoke void @rare() to label %{following} unwind label %pad"]
    yield from end()
    yield from ["pad:", " %lp = landingpad { ptr, i32 } cleanup", " ret void"]


@shape(10_000, "an irreducible region in each of 10,000 nested loops")
def irreducible_nest(depth: int) -> Lines:
    yield from ["start:", jump("h0")]
    for i in range(depth):
        inner = f"h{i + 1}" if i + 1 < depth else f"l{i}"
        yield from [f"h{i}:", branch(f"u{i}", f"v{i}"), f"u{i}:", branch(f"v{i}", inner), f"v{i}:", jump(f"u{i}")]
    for i in reversed(range(depth)):
        yield from [f"l{i}:", branch(f"h{i}", f"l{i - 1}" if i else "end")]
    yield from end()


@shape(100_000, "irreducible regions in a row")
def irreducible_row(count: int) -> Lines:
    yield from ["start:", jump("b0")]
    for i in range(count):
        yield from [
            f"b{i}:",
            branch(f"u{i}", f"v{i}"),
            f"u{i}:",
            branch(f"v{i}", f"b{i + 1}" if i + 1 < count else "end"),
            f"v{i}:",
            jump(f"u{i}"),
        ]
    yield from end()


@shape(20_000, "irreducible regions, each inside another: entered at both ends, each leading inwards")
def irreducible_rings(count: int) -> Lines:
    yield from ["start:", branch("u0", "v0")]
    for i in range(count):
        inner = [f"u{i + 1}", f"v{i + 1}"] if i + 1 < count else [f"v{i}", f"u{i}"]
        outer = [f"u{i - 1}", f"v{i - 1}"] if i else ["end", "end"]
        yield from [f"u{i}:", branch(inner[0], outer[1]), f"v{i}:", branch(inner[1], outer[0])]
    yield from end()


@shape(20_000, "20,000 operations with constants between a phi of 20,000 constants and its test")
def operations(count: int) -> Lines:
    yield from ["start:", jump("head"), "head:"]
    yield " %phi = phi i32 [ 0, %start ], [ 1, %back ]" + "".join(f", [ {i}, %b{i} ]" for i in range(count))
    for i in range(count):
        yield f" %o{i} = add i32 {'%phi' if i == 0 else f'%o{i - 1}'}, {i}"
    yield f" %test = icmp eq i32 %o{count - 1}, 7"
    yield " br i1 %test, label %pick, label %back"
    yield from ["back:", branch("head", "end"), "pick:"]
    yield from switch("end", (f"b{i}" for i in range(count)))
    for i in range(count):
        yield from [f"b{i}:", jump("head")]
    yield from end()


@shape(20_000, "20,000 operations with constants, one on another, each tested")
def operations_tested(count: int) -> Lines:
    yield from ["start:", jump("b0"), "b0:", f" %v0 = phi i32 [ 0, %start ], [ 1, %b{count} ]", jump("b1")]
    for i in range(1, count + 1):
        following = f"b{i + 1}" if i < count else "b0"
        yield from [
            f"b{i}:",
            f" %v{i} = add i32 %v{i - 1}, {i}",
            f" %t{i} = icmp eq i32 %v{i}, 7",
            f" br i1 %t{i}, label %end, label %{following}",
        ]
    yield from end()
