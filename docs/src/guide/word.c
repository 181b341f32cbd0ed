int word(const char *text) {
  if (!text)
    return -1;
  return text[0];
}
