#include <cstdio>
#include "shared.h"
extern "C" int walk(const char *text, int n);
struct Flag { int value; explicit operator bool() const { return value < 950; } };
template <typename T> __attribute__((noinline)) int both(T x) { if (x < 950) return weight(x); return 1; }
template <typename T> __attribute__((noinline)) int other(T x) { if (x & 1) return 1; return 2; }
__attribute__((noinline)) bool is_small(int i) { return i < 950; }
__attribute__((noinline)) int large(int i) { if (!is_small(i)) return i; return 0; }
int main() {
  long sum = 0;
  for (int i = 0; i < 1000; i++) {
    Flag flag{i};
    sum += walk("text", i) + both(i) + both(i + 0L) + other(i & ~1) + other(i | 1L);
    if (flag) sum++;
    if (int rest = i & 1023) sum += rest;
    if constexpr (sizeof(int) == 4) sum++;
    bool is_late = i > 50 && i != 500;
    sum += is_late + large(i);
  }
  std::printf("%ld\n", sum);
}
