"""Compares the counts of random C and C++ programs with llvm-cov, and with the counts that they make.

The conditions of the programs contain `&&`, `||`, `!`, `?:` and constants, in `if`, loops, `assert` and values. C++
programs also throw exceptions and have destructors. Each operand of a condition is a call that counts its results. The
counts of each branch in `bpa score --json` must equal the counts of an operand on the line of the branch. If the counts
of llvm-cov are different, the program explains the difference: llvm-cov is wrong, or has no branch on the line.

The exit status is 0 only if at least one branch was compared and nothing differs.
"""

import argparse
import collections
import contextlib
import json
import pathlib
import subprocess
import tempfile
from collections.abc import Iterator

from ..irgen.chance import Chance
from ..llvm import Llvm, choose
from ..messages import Failure
from ..paths import TARGET

#: The numbers of executions of the two successors of a branch, in ascending order.
Counts = tuple[int, ...]
#: The counts of the branches on each line.
Lines = dict[int, list[Counts]]

C = """\
#include <assert.h>
#include <stdio.h>
#define OPERANDS 2000
static unsigned state = {seed};
static int fuel = 3000;
static unsigned counts[OPERANDS][2];
static unsigned draw(void) {{ state = state * 1103515245u + 12345u; return state >> 16; }}
static int t(int id, unsigned nth) {{ int is = draw() % nth == 0; counts[id][is]++; return is; }}
static int more(int id) {{ int is = --fuel > 0; counts[id][is]++; return is; }}
static int sure(int id) {{ counts[id][1]++; return 1; }}
static void show(void) {{
  for (int id = 0; id < OPERANDS; id++)
    if (counts[id][0] || counts[id][1]) printf("%d %u %u\\n", id, counts[id][0], counts[id][1]);
}}
"""
CXX = (
    C
    + """\
struct Scope {{ int number; ~Scope() {{ state += number; }} }};
static int thrower(unsigned nth) {{ if (draw() % nth == 0) throw 1; return 2; }}
"""
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--llvm", required=True, type=int, help="the LLVM version")
    parser.add_argument("--bpa", type=pathlib.Path, default=TARGET / "command" / "bpa", help="the command to test")
    parser.add_argument("--programs", type=int, default=20, help="the number of programs (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first program (default: %(default)s)")
    parser.add_argument("--keep", type=pathlib.Path, help="the folder to which programs with a difference are written")


class Program:
    """A random program. Each operand is on a line of its own, except the operands of `assert`."""

    def __init__(self, seed: int) -> None:
        self.chance = Chance(f"counts {seed}")
        self.is_cxx = seed % 2 == 0
        self.is_checked = self.chance.hit(0.6)
        self.name = f"p{seed}.cpp" if self.is_cxx else f"p{seed}.c"
        self.lines = (CXX if self.is_cxx else C).format(seed=seed).splitlines()
        #: The line of each operand.
        self.operands: list[int] = []
        functions = range(self.chance.between(1, 4))
        for number in functions:
            self.add(f"__attribute__((noinline)) static int f{number}(int n) {{ int sum = n;")
            self.block(3, False)
            self.add("return sum; }")
        self.add("int main(void) { int sum = 0;")
        for number in functions:
            self.add(f"for (int i = 0; i < {self.chance.between(1, 40)}; i++) {{")
            self.add(f"fuel += 20; {self.guarded(f'sum += f{number}(i);')} }}")
        self.add("show(); return sum == -1; }")

    def guarded(self, text: str) -> str:
        return f"try {{ {text} }} catch (int) {{ }}" if self.is_cxx else text

    def add(self, line: str) -> None:
        self.lines.append(line)

    def operand(self, name: str, *arguments: object) -> str:
        self.operands.append(len(self.lines) + 1)
        return f"{name}({', '.join(map(str, (len(self.operands) - 1, *arguments)))})"

    def leaf(self) -> None:
        """Adds an operand."""
        if self.chance.hit(0.06):
            self.add(self.chance.one("01"))
            return
        call = self.operand("t", self.chance.one([1, 2, 2, 3, 5, 20, 1000]))
        self.add(self.chance.one(["{}", "{}", "{} != 0", "{} == 0", "!{}", "{} > 0"]).format(call))

    def condition(self, depth: int) -> None:
        kind = self.chance.below(10) if depth else 0
        if kind < 3:
            self.leaf()
            return
        if kind < 8:
            self.add("(" if self.chance.hit(0.85) else "!(")
            self.condition(depth - 1)
            self.add(self.chance.one(["&&", "||"]))
            self.condition(depth - 1)
        elif kind < 9:
            self.add("!(")
            self.condition(depth - 1)
        else:
            # The position of `?:` is the first parenthesis, so that it is not the position of an operand.
            self.add("((")
            self.condition(depth - 1)
            self.add(") ?")
            self.condition(depth - 1)
            self.add(":")
            self.condition(depth - 1)
        self.add(")")

    def block(self, depth: int, is_in_loop: bool) -> None:
        for _ in range(self.chance.between(1, 3)):
            self.statement(depth, is_in_loop)

    def within(self, start: str, depth: int, is_in_loop: bool) -> None:
        self.add(start)
        if self.is_cxx and self.chance.hit(0.3):
            self.add(f"Scope scope{{{self.chance.below(9)}}};")
        self.block(depth - 1, is_in_loop)
        self.add("}")

    def statement(self, depth: int, is_in_loop: bool) -> None:
        kind = self.chance.below(14) if depth else self.chance.between(10, 13)
        if kind < 4:
            self.add("if (")
            self.condition(3)
            self.within(") {", depth, is_in_loop)
            if self.chance.hit(0.4):
                self.within("else {", depth, is_in_loop)
        elif kind < 7:
            is_for = self.chance.hit(0.4)
            self.add("for (; (" if is_for else "while ((")
            self.condition(2)
            self.add(") &&")
            self.add(self.operand("more"))
            self.within("; sum++) {" if is_for else ") {", depth, True)
        elif kind < 8:
            self.within("do {", depth, True)
            self.add("while (")
            self.add(self.operand("more"))
            self.add("&& (")
            self.condition(2)
            self.add("));")
        elif kind < 9:
            self.add(f"switch (draw() % {self.chance.between(2, 7)}) {{")
            for case in range(self.chance.between(1, 5)):
                self.within(f"case {case}: {{", depth, is_in_loop)
                if self.chance.hit(0.6):
                    self.add("break;")
            self.add("}")
        elif kind < 10 and self.is_cxx:
            self.within("try {", depth, is_in_loop)
            self.add("catch (int) { sum++; }")
        elif kind < 11:
            # Both operands are on one line, because `assert` is a macro.
            first = self.operand("sure")
            second = self.operand(self.chance.one(["sure", "sure"]))
            negated = self.operand("sure")
            form = self.chance.one(["{0} && {1}", "{0} || {1}", "!(!{0} || !{1})", "({0} && {2}) || {1}", "{0}"])
            self.add(f"assert({form.format(first, second, negated)});")
        elif kind < 12:
            self.add("sum += (")
            self.condition(2)
            self.add(");")
        elif is_in_loop and self.chance.hit(0.5):
            self.add("if (")
            self.condition(2)
            self.add(f") {self.chance.one(['break', 'continue', 'return sum'])};")
        elif self.is_cxx and self.chance.hit(0.4):
            self.add(f"sum += thrower({self.chance.one([30, 300])});")
        else:
            self.add("sum++;")


def run(arguments: argparse.Namespace) -> int:
    llvm = choose(str(arguments.llvm))
    totals: collections.Counter[str] = collections.Counter()
    problems = []
    for seed in range(arguments.seed, arguments.seed + arguments.programs):
        program = Program(seed)
        with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
            for problem in compare(program, llvm, arguments.bpa, totals):
                problems.append(f"{program.name}: {problem}")
                if arguments.keep:
                    arguments.keep.mkdir(exist_ok=True)
                    (arguments.keep / program.name).write_text("\n".join(program.lines) + "\n")
    kinds = ("programs", "branches", "equal to llvm-cov", "absent from llvm-cov", "wrong in llvm-cov")
    listed = ", ".join(f"{totals[what]} {what}" for what in kinds)
    missing = totals["without a branch"]
    print(f"counts: {listed}, {len(problems)} differ; executed operands without a branch: {missing}")
    if problems:
        raise Failure("\n".join(problems))
    return 0 if totals["branches"] else 1


def compare(program: Program, llvm: Llvm, bpa: pathlib.Path, totals: collections.Counter[str]) -> Iterator[str]:
    """Yields the differences."""
    pathlib.Path(program.name).write_text("\n".join(program.lines) + "\n")
    level = program.chance.one(["-O1", "-O2", "-O3"])
    flags = [level, *([] if program.is_checked else ["-DNDEBUG"])]
    clang = llvm.bin / ("clang++" if program.is_cxx else "clang")
    output([clang, *flags, "-w", "-fprofile-instr-generate", "-fcoverage-mapping", program.name, "-o", "program"])
    printed = output(["./program"])
    output([llvm.bin / "llvm-profdata", "merge", "default.profraw", "-o", "my.profdata"])
    export = ["export", "--instr-profile=my.profdata", "./program", program.name]
    covered = json.loads(output([llvm.bin / "llvm-cov", *export]))
    score = ["score", "--json", "--no-cache", "--llvm", str(llvm.version), "--profile", "my.profdata"]
    score += [program.name, "--", *flags]
    branches = [json.loads(line) for line in output([bpa, *score]).splitlines()]

    by_program: Lines = collections.defaultdict(list)
    for line in printed.splitlines():
        operand, *results = map(int, line.split())
        by_program[program.operands[operand]].append(tuple(sorted(results)))
    by_coverage: Lines = collections.defaultdict(list)
    for region in covered["data"][0]["files"][0]["branches"]:
        by_coverage[region[0]].append(tuple(sorted(region[4:6])))

    totals["programs"] += 1
    seen: collections.Counter[int] = collections.Counter()
    for branch in branches:
        place = branch["place"]["line"]
        counts = tuple(sorted(int(successor["count"]) for successor in branch["successors"]))
        if len(counts) != 2 or place not in by_program:
            continue
        totals["branches"] += 1
        seen[place] += 1
        covered = by_coverage.get(place, [])
        if counts not in by_program[place]:
            yield f"line {place}: bpa {counts}, llvm-cov {covered}, program {by_program[place]}"
        elif counts in covered:
            totals["equal to llvm-cov"] += 1
        else:
            totals["wrong in llvm-cov" if covered else "absent from llvm-cov"] += 1
    for place, operands in by_program.items():
        totals["without a branch"] += max(0, len(operands) - seen[place])


def output(command: list[str | pathlib.Path]) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))}: {done.stderr}")
    return done.stdout
