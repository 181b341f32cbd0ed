"""Tries `bpa hints --patch` on a small program in C and C++ with what conditions there are."""

import json
import shutil
import subprocess

from .checked_tools import check
from .messages import Failure
from .tried import Tried

# Its lines end as on Windows.
HEADER = """\
static inline int weight(int n) {\r
  if (n < 4000) /* mostly */\r
    return 2;\r
  return 1;\r
}\r
"""

C = """\
#include "shared.h"
#define NONE ((const char *)0)
#define RARE(x) __builtin_expect(!!(x), 0)
#define EITHER(c) ((c) == 'a' || (c) == 'b')
#define IS_SMALL(n) ((n) < 2000)
#define RETURN_IF(x) if (x) return 7
int walk(const char *text, int n) {
  int sum = 0, m = n;
  if (text == NONE || /* never */ n != 4096) sum++;
  if (!(n & 1)) { sum++; } else if (m == n) sum += 2; else sum--;
  while (*text && n >= -5) { sum += *text++ == 'x' ? 3 : weight(n); n--; }
  for (int i = 0; (i > m); i++) sum ^= i;
  if (__builtin_expect(m == 3, 1)) sum--;
  if (RARE(m < 5000)) sum += 5;
  if (EITHER(text[0])) sum++;
  RETURN_IF(m < 5000 && sum == 77);
  if ((n = sum & 0)) sum += n; else if (IS_SMALL(m)) sum += 3;
  if (m
      // in several (lines
      < 950) sum ^= 1;
#ifdef OTHER
  if (n
#else
  if (m < 800
#endif
      ) sum++;
  switch (m) { case 3: sum++; break; case 4: sum--; break; case 5: sum = 0; break; default: sum++; }
  return sum;
}
"""

CXX = """\
#include <cstdio>
#include "shared.h"
extern "C" int walk(const char *text, int n);
struct Flag { int value; explicit operator bool() const { return value < 950; } };
template <typename T> __attribute__((noinline)) int both(T x) { if (x < 950) return weight(x); return 1; }
template <typename T> __attribute__((noinline)) int other(T x) { if (x & 1) return 1; return 2; }
int main() {
  long sum = 0;
  for (int i = 0; i < 1000; i++) {
    Flag flag{i};
    sum += walk("text", i) + both(i) + both(i + 0L) + other(i & ~1) + other(i | 1L);
    if (flag) sum++;
    if (int rest = i & 1023) sum += rest;
    if constexpr (sizeof(int) == 4) sum++;
    bool is_late = i > 50 && i != 500;
    sum += is_late;
  }
  std::printf("%ld\\n", sum);
}
"""

WRITTEN = (
    "+  if (__builtin_expect(n < 4000, 1)) /* mostly */\r\n",
    "+  if (__builtin_expect(m == 3, 0)) sum--;\n",
    "+  if (text == NONE || /* never */ __builtin_expect(n != 4096, 1)) sum++;\n",
    "else if (__builtin_expect(m == n, 1)) sum += 2; else sum--;\n",
    "__builtin_expect_with_probability(*text++ == 'x', 0, 0.75) ? 3 : weight(n); n--; }\n",
    "+  for (int i = 0; (__builtin_expect(i > m, 0)); i++) sum ^= i;\n",
    "+  if (__builtin_expect(!!(n = sum & 0), 0)) sum += n; else if (__builtin_expect(IS_SMALL(m), 1)) sum += 3;\n",
    "+  if (__builtin_expect(m\n       // in several (lines\n",
    "+      < 950, 1)) sum ^= 1;\n",
    "if (__builtin_expect(static_cast<bool>(x < 950), 1)) return weight(x)",
    "+    if (__builtin_expect(static_cast<bool>(flag), 1)) sum++;\n",
    "__builtin_expect(i > 50, 1) && i != 500",
)
LEFT_OUT = (
    "walk.c:14:7: the hint that is there is not written as __builtin_expect(..., 0 or 1)",
    "walk.c:24:9: directives of the preprocessor stand in it or beside it",
)


def writes_patches(bpa: Tried) -> None:
    """What it writes can be applied, is compiled, leaves what the program does, and leaves nothing to write."""
    folder = bpa.folder / "patched"
    folder.mkdir()
    (folder / "shared.h").write_bytes(HEADER.encode())
    (folder / "walk.c").write_text(C)
    (folder / "main.cpp").write_text(CXX)
    tried = Tried(bpa.tools, bpa.command, folder)
    before = build_and_run(tried)
    patch, said = patch_of(tried)
    tried.expect(patch, *WRITTEN)
    tried.expect(said, *LEFT_OUT)
    for word in ("other(T x)", "RETURN_IF", "if (int rest", "if constexpr", "EITHER(text"):
        if any(word in line for line in patch.splitlines() if line.startswith("+")):
            raise Failure(f"{word} is no certain condition, and was edited:\n{patch}")
    apply(tried, patch)
    if build_and_run(tried) != before:
        raise Failure(f"the program prints something else after\n{patch}")
    again, said = patch_of(tried)
    if again:
        raise Failure(f"the second patch is not empty:\n{again}")
    tried.expect(said, "0 hints written")
    tried.expect(tried.run("hints", "--patch", "walk.c", fails=True), "--profile")
    (folder / "empty.ll").write_text("")
    tried.expect(
        tried.run("hints", "--patch", "--profile", "program.profdata", "empty.ll", fails=True), "no patch can be made"
    )


def patch_of(tried: Tried) -> tuple[str, str]:
    """Both files in one, by a compilation database; what is said besides."""
    commands = [(["cc", "-c", "walk.c"], "walk.c"), (["c++", "-std=c++17", "-c", "main.cpp"], "main.cpp")]
    entries = [{"directory": str(tried.folder), "file": file, "arguments": words} for words, file in commands]
    (tried.folder / "compile_commands.json").write_text(json.dumps(entries))
    return tried.run_both("hints", "--patch", "--profile", "program.profdata", "compile_commands.json")


def build_and_run(tried: Tried) -> str:
    """What the program prints; its profile is left."""
    files = ["walk.o", "main.o"]
    counted = ["-O2", "-fprofile-instr-generate"]
    clang = str(tried.tools.llvm.tool("clang"))
    check([clang, *counted, "-c", "walk.c"], tried.folder)
    check([clang, "--driver-mode=g++", "-std=c++17", *counted, "-c", "main.cpp"], tried.folder)
    check([clang, "--driver-mode=g++", *counted, *files, "-o", "program"], tried.folder)
    environment = {"LLVM_PROFILE_FILE": str(tried.folder / "program.profraw")}
    program = tried.folder / "program"
    out = subprocess.run([program], env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
    merge = str(tried.tools.llvm.tool("llvm-profdata"))
    check([merge, "merge", "program.profraw", "-o", "program.profdata"], tried.folder)
    return out


def apply(tried: Tried, patch: str) -> None:
    folder = tried.folder
    (folder / "hints.patch").write_bytes(patch.encode())
    if shutil.which("git"):
        check(["git", "apply", "--check", "hints.patch"], folder)
    done = subprocess.run(
        ["patch", "-p1", "--fuzz=0", "--binary", "-i", "hints.patch"], cwd=folder, capture_output=True
    )
    if done.returncode != 0:
        raise Failure(f"the patch does not apply: {done.stdout.decode()}")
