// Branch hints of every kind and in every position that C and C++ allow, to test the lowering of `llvm.expect`.
// The file compiles as C2x and as C++20. No test runs the program.

#include <stdbool.h>

#ifdef __cplusplus
#define LIKELY [[likely]]
#define UNLIKELY [[unlikely]]
extern "C" {
#else
#define LIKELY [[clang::likely]]
#define UNLIKELY [[clang::unlikely]]
#endif

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define chance(x, value, probability) __builtin_expect_with_probability((x), (value), (probability))

int use(int);
int fail(const char *);
bool check(int);
extern volatile int shared;
typedef __INT64_TYPE__ i64;

// ---- conditions ------------------------------------------------------------------------------

int plain(int x) {
  if (likely(x > 3)) return use(1);
  return use(2);
}

int negated(int x) {
  if (!likely(x > 3)) return use(1);
  if (!unlikely(x)) return use(2);
  if (!!__builtin_expect(x, 1)) return use(3);
  return use(4);
}

int without_a_double_negation(i64 x) {
  if (__builtin_expect(x, 0)) return use(1);
  if (__builtin_expect(x, 7)) return use(2);
  if (__builtin_expect(x + 1, -1)) return use(3);
  return use(4);
}

int compared_with_other_values(i64 x) {
  if (__builtin_expect(x, 7) == 7) return use(1);
  if (__builtin_expect(x, 7) == 8) return use(2);
  if (__builtin_expect(x, 7) != 7) return use(3);
  if (__builtin_expect(x, 7) != 9) return use(4);
  if (__builtin_expect(x, 7) > 9) return use(5);
  if ((int)__builtin_expect(x, 7) == 7) return use(6);
  if ((char)__builtin_expect(x, 7)) return use(7);
  return use(8);
}

int pointers(const char *p, const char *q) {
  if (unlikely(!p)) return fail("p");
  if (unlikely(p == q)) return fail("same");
  return __builtin_expect((i64)p, 0) ? *p : *q;
}

int floats(double x, float y) {
  if (unlikely(x != x)) return fail("nan");
  if (likely(y < 1.0f)) return use(1);
  return use(2);
}

int variable(int x, int y) {
  if (__builtin_expect(x, y)) return use(1);
  return use(2);
}

// ---- && and || -------------------------------------------------------------------------------

int both(int x, int y) {
  if (likely(x && y)) return use(1);
  if (unlikely(x > 4 && y > 4)) return use(2);
  if (likely(x) && unlikely(y)) return use(3);
  return use(4);
}

int either(int x, int y) {
  if (likely(x || y)) return use(1);
  if (unlikely(x > 4 || y > 4)) return use(2);
  if (unlikely(x) || likely(y)) return use(3);
  return use(4);
}

int long_row(int a, int b, int c, int d) {
  if (likely(a && b && (c || d) && check(a))) return use(1);
  if (unlikely((a || b) && (c || d))) return use(2);
  if (likely(!(a && b) || !(c && !d))) return use(3);
  return use(4);
}

int row_with_probability(int a, int b, int c) {
  if (chance(a && b, 1, 0.9)) return use(1);
  if (chance(a && b, 1, 0.1)) return use(2);
  if (chance(a || c, 0, 0.75)) return use(3);
  if (chance(!(a || c), 1, 0.5)) return use(4);
  return use(5);
}

// ---- values ----------------------------------------------------------------------------------

int conditional_operator(int x, int y) {
  int z = likely(x) ? y : use(y);
  int w = unlikely(x > y) ? x : y;
  return z + (chance(w > z, 1, 0.7) ? w : z);
}

int nested_operator(int x, int y) {
  return likely(x ? y : check(x)) ? use(1) : unlikely(y ? 0 : 1) ? use(2) : use(3);
}

bool kept_in_a_variable(int x) {
  bool rare = unlikely(x == 42);
  shared = rare;
  if (rare) return use(1);
  if (!rare && x) return use(2);
  return rare;
}

i64 value_only(i64 x) { return __builtin_expect(x, 5) + __builtin_expect(x * x, 25); }

void statement_only(int x) { (void)likely(x); }

int nested_hints(int x) {
  if (likely(likely(x))) return use(1);
  if (unlikely(likely(x > 1))) return use(2);
  if (__builtin_expect(__builtin_expect(x, 3), 4)) return use(3);
  return use(4);
}

// ---- probabilities ---------------------------------------------------------------------------

int probabilities(i64 x) {
  if (chance(x, 1, 0.0)) return use(1);
  if (chance(x, 1, 1.0)) return use(2);
  if (chance(x, 0, 0.5)) return use(3);
  if (chance(x > 1, 1, 0.3333333333333333)) return use(4);
  if (chance(x > 2, 0, 0.999999999)) return use(5);
  if (chance(x > 3, 1, 1e-12)) return use(6);
  if (chance(x > 4, 1, 1.0 / 3) == 0) return use(7);
  return use(8);
}

// ---- switches --------------------------------------------------------------------------------

int switch_on_expected(i64 x) {
  switch (__builtin_expect(x, 2)) {
  case 1: return use(1);
  case 2: return use(2);
  case 3: return use(3);
  default: return use(4);
  }
}

int switch_on_none_of_the_cases(i64 x) {
  switch (__builtin_expect(x, 20)) {
  case 1: return use(1);
  case 2: return use(2);
  }
  return use(3);
}

int switch_with_range(i64 x) {
  switch (__builtin_expect(x, 12)) {
  case 10 ... 15: return use(1);
  case -7: return use(2);
  }
  return use(3);
}

int switch_narrowed(int x) {
  switch ((int)__builtin_expect(x, 1)) {
  case 0: return use(1);
  case 1: return use(2);
  }
  return use(3);
}

int switch_with_probability(i64 x) {
  switch (chance(x, 3, 0.8)) {
  case 1: return use(1);
  case 2: return use(2);
  case 3: return use(3);
  }
  switch (chance(x + 1, 9, 0.6)) {
  case 1: return use(4);
  case 2: return use(5);
  }
  switch (chance(x + 2, 9, 0.6)) {
  default: return use(6);
  }
}

int switch_on_and(int x, int y) {
  switch (likely(x && y)) {
  case 0: return use(1);
  case 1: return use(2);
  default: return use(3);
  }
}

// ---- loops -----------------------------------------------------------------------------------

int loops(int n) {
  int sum = 0;
  for (int i = 0; likely(i < n); i++) sum += use(i);
  while (unlikely(sum & 1)) sum = use(sum);
  do {
    if (unlikely(sum == 77)) continue;
    if (likely(sum == 78)) break;
    sum--;
  } while (likely(sum > 0 && check(sum)));
  for (;;) {
    if (chance(sum++ > 10, 1, 0.01)) return sum;
  }
}

int jumps(int x) {
again:
  if (unlikely(x > 10)) goto out;
  x += use(x);
  if (likely(x < 5 || x == 7)) goto again;
out:
  return x;
}

// ---- attributes ------------------------------------------------------------------------------

int attributes(int x) {
  if (x > 3) LIKELY {
    return use(1);
  }
  if (x < -3) UNLIKELY
    return use(2);
  if (x == 1) {
    use(3);
  } else LIKELY {
    use(4);
  }
  if (x == 2) LIKELY {
    use(5);
  } else UNLIKELY {
    use(6);
  }
  if (unlikely(x == 3)) LIKELY {
    use(7);
  }
  return x;
}

int attributes_behind_and(int x, int y) {
  if (x && y) LIKELY
    return use(1);
  if (x || check(y)) UNLIKELY
    return use(2);
  if (!(x && (y || check(x)))) LIKELY
    return use(3);
  return use(4);
}

int attributes_on_loops(int n) {
  int sum = 0;
  while (n-- > 0) LIKELY {
    sum += use(n);
  }
  for (int i = 0; i < sum; i++) UNLIKELY {
    sum -= use(i);
  }
  return sum;
}

int attributes_on_cases(int x) {
  switch (x) {
  LIKELY case 1:
    return use(1);
  UNLIKELY case 2:
    return use(2);
  case 3:
    return use(3);
  UNLIKELY default:
    return use(4);
  }
}

#ifdef __cplusplus
}

// ---- only C++ --------------------------------------------------------------------------------

struct Guard {
  ~Guard();
  int value;
};

int with_destructors(int x) {
  Guard guard{x};
  if (likely(guard.value > 0 && Guard{x}.value)) return use(1);
  if (Guard other{x}; other.value) [[unlikely]]
    throw x;
  return unlikely(x ? Guard{1}.value : Guard{2}.value) ? use(2) : use(3);
}

template <int N> int recursive(int x) {
  if (x == N) [[unlikely]]
    return use(N);
  if constexpr (N > 0)
    return likely(x && recursive<N - 1>(x)) ? use(x) : 0;
  else
    return 0;
}

int instances(int x) { return recursive<6>(x); }
#endif
