// hash_words is the function in the picture words.svg. scripts/picture writes this picture.
void no_text(void) __attribute__((cold, noreturn));

unsigned hash_words(const char *text) {
  unsigned hash = 0;
  if (!text) no_text();
  while (*text) {
    while (*text == ' ') text++;
    while (*text > ' ') hash = hash * 31 + (unsigned char)*text++;
    if (hash == 0) hash = 1;
  }
  return hash;
}
