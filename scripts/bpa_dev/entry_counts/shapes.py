"""Call graphs of any size, as modules: what could make the estimate grow faster than a module."""

from collections.abc import Callable, Iterator

from ..irgen.chance import Chance

Lines = Iterator[str]


def function(name: str, *calls: str, head: str = "define internal void", tail: str = "ret void") -> Lines:
    yield f"{head} @{name}() {{"
    for callee in calls:
        yield f" call void @{callee}()"
    yield from [f" {tail}", "}"]


def main(*calls: str) -> Lines:
    yield from function("main", *calls, head="define i32", tail="ret i32 0")


def row(count: int) -> Lines:
    yield from main("f0")
    for i in range(count):
        yield from function(f"f{i}", *[f"f{i + 1}"] * (i + 1 < count))


def fan(count: int) -> Lines:
    yield from main(*(f"f{i}" for i in range(count)))
    for i in range(count):
        yield from function(f"f{i}")


def tree(count: int) -> Lines:
    yield from main("f0")
    for i in range(count):
        yield from function(f"f{i}", *(f"f{j}" for j in (2 * i + 1, 2 * i + 2) if j < count))


def ring(count: int) -> Lines:
    yield from main("f0")
    for i in range(count):
        yield from function(f"f{i}", f"f{(i + 1) % count}")


def alone(count: int) -> Lines:
    yield from main("f0")
    for i in range(count):
        yield from function(f"f{i}", f"f{i}", *[f"f{i + 1}"] * (i + 1 < count))


def tangle(count: int) -> Lines:
    """Everything calls something nearby, and now and then something from before."""
    chance = Chance(1)
    yield from main("f0")
    for i in range(count):
        near = [f"f{min(count - 1, i + 1 + chance.below(4))}" for _ in range(2)]
        back = [f"f{chance.below(i + 1)}"] * (i % 8 == 7)
        yield from function(f"f{i}", *near, *back)


def wrappers(count: int) -> Lines:
    """Each ends the process by way of the one before."""
    yield "declare void @exit() noreturn"
    yield from main(f"f{count - 1}")
    for i in range(count):
        yield from function(f"f{i}", f"f{i - 1}" if i else "exit", tail="unreachable")


def pointers(count: int) -> Lines:
    """A table of all functions, each of which calls one out of it."""
    yield f"@table = global [{count} x ptr] [{', '.join(f'ptr @f{i}' for i in range(count))}]"
    yield from main("f0")
    for i in range(count):
        yield from [
            f"define internal void @f{i}() {{",
            " %p = load ptr, ptr @table",
            " call void %p()",
            " ret void",
            "}",
        ]


def types(count: int) -> Lines:
    """The same, but that each pointer is called by a type of its own, which no function has."""
    yield f"@table = global [{count} x ptr] [{', '.join(f'ptr @f{i}' for i in range(count))}]"
    yield from main()
    for i in range(count):
        yield f"define internal void @f{i}(i32 %x) {{"
        yield from [" %p = load ptr, ptr @table", f" call void %p([{i} x i8] zeroinitializer)", " ret void", "}"]


#: What is drawn, by name.
SHAPES: dict[str, tuple[Callable[[int], Lines], str]] = {
    "row": (row, "each calls the next"),
    "fan": (fan, "main calls all"),
    "tree": (tree, "each calls two"),
    "ring": (ring, "each calls the next, the last the first"),
    "alone": (alone, "each calls itself and the next"),
    "tangle": (tangle, "each calls two nearby, one in eight one before it: one recursion"),
    "wrappers": (wrappers, "each calls the one before, and the first exit"),
    "pointers": (pointers, "each calls through a pointer that may mean all"),
    "types": (types, "the same, each by a type of its own that none has"),
}
