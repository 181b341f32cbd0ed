#include <stdio.h>

struct entry { unsigned key, value; };

/* For nearly every key, the first comparison is true. LLVM's rules predict that it is false. */
static unsigned find(const struct entry *table, unsigned size, unsigned key) {
  for (unsigned place = key % size;; place = (place + 1) % size) {
    if (table[place].key == key)
      return table[place].value;
    if (table[place].key == 0)
      return 0;
  }
}

int main(void) {
  static struct entry table[1024];
  for (unsigned key = 1; key < 1000; key++)
    table[key] = (struct entry){key, key * key};
  unsigned sum = 0;
  for (unsigned round = 0; round < 1000; round++)
    for (unsigned key = 1; key < 1000; key++)
      sum += find(table, 1024, key);
  printf("%u\n", sum);
  return 0;
}
