/* A C program.
 *
 * RUN: for o in -O0 -O1 -O2 -O3; do echo "at $o"; \
 * RUN:   %sim_c $o %s -lm -o %t && %ferry_sim --strict --quiet -- %t || exit 1; done
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 150 };

struct point {
  float x, y;
  unsigned kind : 4;
};

#pragma omp begin declare target
static float length(struct point p) { return sqrtf(p.x * p.x + p.y * p.y); }
static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int (*const table[])(int) = {twice, square};
#pragma omp end declare target

static int failures;

static void report(const char *name, int wrong) {
  printf("%s %s\n", name, wrong ? "DIFF" : "OK");
  failures += wrong != 0;
}

static void records(void) {
  struct point p[N];
  float d[N];
  int wrong = 0;
  for (int i = 0; i < N; ++i)
    p[i] = (struct point){3.0f * i, 4.0f * i, i & 15};
#pragma omp target teams distribute parallel for map(tofrom : p) map(from : d)
  for (int i = 0; i < N; ++i) {
    d[i] = length(p[i]);
    p[i].kind ^= 5;
  }
  for (int i = 0; i < N; ++i)
    wrong += d[i] != 5.0f * i || p[i].kind != ((i & 15) ^ 5);
  report("records", wrong);
}

static void sums(int n, const double a[n][n]) {
  double sum = 0, want = 0;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      want += a[i][k];
#pragma omp target teams distribute parallel for collapse(2) \
    reduction(+ : sum) map(to : a[0 : n][0 : n])
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      sum += a[i][k];
  report("sums", sum != want);
}

static void pointers_to_functions(void) {
  int *out = malloc(N * sizeof *out), wrong = 0;
#pragma omp target teams distribute parallel for map(from : out[0 : N])
  for (int i = 0; i < N; ++i)
    out[i] = table[i % 2](i);
  for (int i = 0; i < N; ++i)
    wrong += out[i] != (i % 2 ? i * i : 2 * i);
  free(out);
  report("pointers_to_functions", wrong);
}

static void generic(void) {
  int a[N] = {0}, wrong = 0;
#pragma omp target map(tofrom : a)
  for (int r = 1; r <= 3; ++r) {
    int base = square(r);
#pragma omp parallel for
    for (int i = 0; i < N; ++i)
      a[i] += base;
  }
  for (int i = 0; i < N; ++i)
    wrong += a[i] != 14;
  report("generic", wrong);
}

int main(void) {
  static double a[20][20];
  for (int i = 0; i < 400; ++i)
    a[i / 20][i % 20] = 0.5 * i;
  records();
  sums(20, a);
  pointers_to_functions();
  generic();
  return failures != 0;
}
