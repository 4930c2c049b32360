/* C has no closures; its records of pointers are carried all the same.
 *
 * RUN: for o in "-O0 -g" -O2 "-O3 -g"; do echo "at $o"; \
 * RUN:   %ferry_clang %offload -Wno-unknown-pragmas $o %s -o %t || exit 1; \
 * RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t | FileCheck %s || exit 1; done
 * RUN: %ferry_clang --ferry-off %offload -O2 %s -o %t.stock
 * RUN: not env OMP_TARGET_OFFLOAD=MANDATORY %t.stock
 * CHECK: ok vectors
 * CHECK-NEXT: ok matrix
 * CHECK-NEXT: ok pointer_to_record
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 12 };

struct vector {
  int n;
  double *data;
};
struct matrix {
  int rows, columns;
  struct vector storage;
  const int *order;
};

/* Maps data on the device and spoils the host's copy. */
static double *mapped(double first) {
  double *p = malloc(sizeof(double) * N);
  for (int i = 0; i < N; ++i)
    p[i] = first + i;
#pragma omp target enter data map(to : p[0 : N])
  memset(p, 0xA5, sizeof(double) * N);
  return p;
}

static int finish(const char *name, double *p, double (*want)(int)) {
  int wrong = 0;
  const unsigned char *bytes = (unsigned char *)p;
  for (size_t i = 0; i < sizeof(double) * N; ++i)
    wrong |= bytes[i] != 0xA5;
#pragma omp target exit data map(from : p[0 : N])
  for (int i = 0; i < N; ++i)
    wrong |= p[i] != want(i);
  printf("%s %s\n", wrong ? "FAIL" : "ok", name);
  free(p);
  return wrong;
}

static double sum(int i) { return 5 + i + 100 + i; }
static double permuted(int i) { return 2 * (5 + (N - 1 - i)); }
static double doubled(int i) { return 2 * (5 + i); }

static void add(struct vector to, struct vector a, struct vector b) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < to.n; ++i)
    to.data[i] = a.data[i] + b.data[i];
}

static int vectors(void) {
  struct vector a = {N, mapped(5)}, b = {N, mapped(100)}, to = {N, mapped(0)};
  add(to, a, b);
  return finish("vectors", to.data, sum);
}

static int matrix(void) {
  int order[N];
  for (int i = 0; i < N; ++i)
    order[i] = N - 1 - i;
#pragma omp target enter data map(to : order)
  struct matrix a = {3, 4, {N, mapped(5)}, order};
  struct matrix to = {3, 4, {N, mapped(0)}, order};
  memset(order, 0, sizeof(order));
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.columns; ++j) {
      int k = i * a.columns + j;
      to.storage.data[a.order[k]] = 2 * a.storage.data[k];
    }
#pragma omp target exit data map(delete : order)
  return finish("matrix", to.storage.data, permuted);
}

static void twice(struct vector *to, const struct vector *a) {
#pragma omp target teams distribute parallel for map(to : to[0 : 1], a[0 : 1])
  for (int i = 0; i < a->n; ++i)
    to->data[i] = 2 * a->data[i];
}

static int pointer_to_record(void) {
  struct vector a = {N, mapped(5)}, to = {N, mapped(0)};
  double *host = to.data;
  twice(&to, &a);
  return finish("pointer_to_record", to.data, doubled) | (to.data != host);
}

int main(void) { return vectors() | matrix() | pointer_to_record(); }
