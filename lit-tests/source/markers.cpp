// The position of a branch is the operator of a comparison, or the beginning of any other condition. If the compiler
// moves a condition out of a loop, it drops the position, and the branch has the position of the statement. From clang
// 24 on, the compiler merges such a condition with the condition of the outer loop. The position is then the outer
// statement.
// REQUIRES: clang
// RUN: clang -xc++ -std=c++17 -O2 -gline-tables-only -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -emit-llvm -c %s -o %t.bc
// RUN: %bpa -passes='rust-bpi<json;output=%t.json>' -disable-output %t.bc
// RUN: %python %S/Inputs/markers.py %llvm_version %s %t.json | FileCheck %s

// CHECK: branches at 30 markers, 4 calls

#define NOINLINE __attribute__((noinline))

extern "C" {
int use(int);
void note(int);
int *next(int *);
[[noreturn]] void fail(int);
}

int plain(int a, int b) {
  if (a /*B*/< b)
    note(1);
  if (use(a) /*B*/> 3)
    note(2);
  else if (use(b) /*B*/== 7)
    note(3);
  return a;
}

void pointers(int *p) {
  if (/*B*/p)
    note(4);
  while ((p = next(p)) /*B*/!= nullptr)
    note(5);
}

void both(int a, int b, int c) {
  if (use(a) /*B*/> 1 && use(b) /*B*/> 2)
    note(6);
  if (use(c) /*B*/> 3 || use(b) /*B*/> 4)
    note(7);
}

int loops(int count, int *values) {
  int total = 0;
  for (int i = 0; i /*B*/< count; ++i)
    total += use(i);
  int *end = values + 100;
  for (; values /*B*/!= end;
       ++values)
    note(*values);
  do
    note(8);
  while (use(total) /*B*/< 9);
  return total;
}

void several_lines(int a, int b) {
  if (use(a) +
          use(b)
      /*B*/>
      12)
    note(9);
}

void switches(int a) {
  switch (use(a)/*B*/% 7) {
  case 0: note(10); break;
  case 1: fail(11);
  case 2: note(12); break;
  case 5: note(use(13)); break;
  }
}

double numbers(double a, double b) {
  if (a /*B*/< b)
    note(14);
  if (b /*B*/== 2.5)
    note(15);
  return a;
}

template <typename T> NOINLINE T largest(T a, T b) {
  if (a /*B*/< b) {
    note(sizeof(T));
    return b;
  }
  return a;
}

int instances(int a, double b) { return largest(a, 1) + (int)largest(b, 2.0) + (int)largest(1L, (long)a); }

template <typename T> static inline void check(T value, T limit) {
  if (value /*B*/>= limit)
    fail(16);
}

static inline int at(const int *values, unsigned place, unsigned length) {
  /*C*/check(place, length);
  return values[place];
}

int calls(const int *values, unsigned a, unsigned b, unsigned length, long c) {
  int sum = /*C*/at(values, a, length);
  sum += use(1) + /*C*/at(values, b, length);
  /*C*/check(c, 100L);
  return sum;
}

int ternary(int a, int b) {
  return use(a) /*B*/> 17 ? use(b) : *next(nullptr);
}

struct Node {
  Node *left, *right;
  int key;
  NOINLINE const Node *find(int wanted) const {
    const Node *node = this;
    while (/*B*/node && node->key /*B*/!= wanted)
      node = node->key /*B*/< wanted ? next_of(node->right) : above(node->left);
    return node;
  }
  static const Node *next_of(const Node *);
  static const Node *above(const Node *);
};

const Node *used(const Node &node) { return node.find(3); }

bool kept(int a) {
  bool is_large = use(a) > 100;
  note(19);
  if (/*B*/is_large)
    note(20);
  return is_large;
}

void exceptions(int a) {
  try {
    /*B*/use(a);
  /*B*/} catch (int) {
    /*B*/note(21);
  }
}

int nested(int a, int b) {
  /*S>=24*/for (int i = 0; i /*B*/< a; ++i)
    /*S<24*/for (int j = 0; j /*B*/< b; ++j)
      if (use(j) /*B*/== i)
        return i;
  return 0;
}
