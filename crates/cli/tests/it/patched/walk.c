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
