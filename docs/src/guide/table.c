struct slot { unsigned key; int value; };
struct table { struct slot *slots; unsigned mask; };

__attribute__((cold)) int grow(struct table *table);

int find(struct table *table, unsigned key) {
  if (!table->slots)
    return grow(table);
  for (unsigned place = key & table->mask;; place = (place + 1) & table->mask) {
    if (table->slots[place].key == key)
      return table->slots[place].value;
    if (table->slots[place].key == 0)
      return -1;
  }
}
