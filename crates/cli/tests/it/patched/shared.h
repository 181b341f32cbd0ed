static inline int weight(int n) {
  if (n < 4000) /* mostly */
    return 2;
  return 1;
}
