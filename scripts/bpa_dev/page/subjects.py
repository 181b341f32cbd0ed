"""The tests of HTML pages use these programs. Some programs try to inject HTML."""

import pathlib

from .. import sqlite
from ..llvm import Llvm
from ..shell import check

#: A program with a loop, an inlined call, and a branch on a pointer.
SMALL = """\
struct node { struct node *next; int value; };
int other(int);
static int weigh(int value) {
  return value < 0 ? other(value) : value;
}
int total(struct node *list, int most) {
  int sum = 0;
  while (list) {
    if (list->value == most)
      return other(sum);
    sum += weigh(list->value);
    list = list->next;
  }
  return sum;
}
int apart(int a, int b) {
  if (a == 0)
    return other(b);
  return a / b;
}
"""

#: A C++ program with branches in system headers, exceptions, two switches, calls, loops and a two-line comment.
SHAPES = (
    """\
#include <string>
#include <vector>
int other(int);
"""
    + "".join(f"int case_{case}(int);\n" for case in range(12))
    + """\
/* Returns the successor
   of a case. */
__attribute__((noinline)) int wide(int a) {
  switch (a) {
"""
    + "".join(f"  case {case}: return case_{case}(a);\n" for case in range(12))
    + """\
  default: return 0;
  }
}
__attribute__((noinline)) int narrow(int a) {
  switch (a) {
  case 1: return other(3);
  case 2: other(4); break;
  case 3: return other(6);
  case 4: other(9); break;
  }
  for (int i = 0; i < a; i++)
    for (int j = 0; j < i; j++)
      if (other(j) == 0)
        return wide(i);
  return other(1);
}
int grow(std::vector<std::string> &all, const std::string &one) {
  if (all.size() > 100)
    throw 1;
  std::string copy = one + "x";
  if (other(int(copy.size())) == 7)
    return 7;
  all.push_back(copy);
  if (one == "stop") {
    return -1;
  }
  return narrow(int(all.size()));
}
"""
)

#: The first `if` of `odd` runs 123,457 times and is nearly always true, but the rules predict false. The second `if`
#: runs 2,469 times. `plain` has no branch.
MEASURED = """\
#include <stdio.h>
volatile int seen;
__attribute__((noinline)) int odd(int i) {
  if (i == 0)
    return 1;
  if (i % 3 == 0)
    seen = 2;
  return 3;
}
__attribute__((noinline)) int plain(int i) { return i * 3; }
int main(void) {
  int sum = plain(4);
  for (int i = 0; i < 123457; i++)
    sum += odd(i % 50 == 0 ? i : 0);
  printf("%d\\n", sum);
  return 0;
}
"""

SCRIPT = '"><script>alert(1)</script></textarea><img src=x onerror=alert(2)>'


def hostile_source() -> bytes:
    """Returns a program with invalid UTF-8, and with HTML markup and scripts in names and lines. The HTML page must
    show this markup as text."""
    return (
        b"int other(int) __asm__(\"</script><script>alert('symbol')</script>\");\n"
        b"int f(int a) __asm__(\"<img src=x onerror=alert('name')>'\\\"</textarea>&amp;\");\n"
        b"int f(int a) { // </script><script>alert('line')</script> <!-- <script> ]]> </textarea> \" ' ` ${alert(3)}\n"
        b"  if (a == 0) // \xff\xfe\xc3( not UTF-8, and \x01 \x7f \xe2\x80\xa8\n"
        b"    return other(a);\n"
        b"  if (a < 7) /* " + b"x" * 1_000_000 + b" */ return 7;\n"
        # In clang 24, the name of a file in #line ends at the first quote.
        b'#line 9 "' + SCRIPT.replace('"', "").encode() + b'.c"\n'
        b"  if (a == 9)\n"
        b"    return other(9);\n"
        b"  return a;\n"
        b"}\n"
    )


def missing_source(folder: str = "/no/such/folder") -> str:
    return f'#line 5 "{folder}/missing.c"\n' + SMALL


def long_source(lines: int) -> str:
    """Returns a program with one function that has `lines` lines."""
    body = "\n".join(f"  if (a[{place % 90}] > {place}) other({place});" for place in range(0, lines, 25))
    body = body.replace("\n", "\n" * 25)
    return f"int other(int);\nvoid f(int *a) {{\n{body}\n}}\n"


def sqlite_bitcode(llvm: Llvm) -> pathlib.Path:
    bitcode = llvm.corpus / "page" / "sqlite.bc"
    if not bitcode.exists():
        bitcode.parent.mkdir(parents=True, exist_ok=True)
        source = sqlite.source() / "sqlite3.c"
        flags = ("-O2", "-gline-tables-only", "-fno-discard-value-names", *sqlite.FLAGS)
        check([str(llvm.tool("clang")), *flags, "-emit-llvm", "-c", str(source), "-o", str(bitcode)])
    return bitcode


def profile(llvm: Llvm, source: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """Compiles the program, runs it, and returns its profile."""
    program, raw, data = (folder / name for name in ("program", "raw.profraw", "data.profdata"))
    check([str(llvm.tool("clang")), "-O2", "-fprofile-instr-generate", str(source), "-o", str(program)])
    check([program], environment={"LLVM_PROFILE_FILE": str(raw)})
    check([str(llvm.tool("llvm-profdata")), "merge", str(raw), "-o", str(data)])
    return data
