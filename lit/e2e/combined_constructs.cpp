// Every form of target construct around a closure that holds a closure and
// views: target alone, the combined constructs, regions nested in it, and the
// clauses collapse, reduction, num_teams, thread_limit, num_threads, schedule,
// defaultmap.
//
// RUN: for o in "-O0 -g" -O1 -O2 "-O3 -g"; do echo "at $o"; \
// RUN:   %ferry_clangxx %offload $o %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t
// RUN: %ferry_clangxx --ferry-off %offload -O2 %s -o %t.stock
// RUN: not env OMP_TARGET_OFFLOAD=MANDATORY %t.stock --isolate | FileCheck %s --check-prefix=STOCK
// Stock Clang is wrong in each of them.
// STOCK-COUNT-33: FAIL
// STOCK-NOT: ok

#include "Inputs/check.h"

namespace {
constexpr int Rows = 5, Columns = 7, N = Rows * Columns;
struct View {
  int *Data;
  int &operator[](int I) const { return Data[I]; }
};
struct Arrays {
  Mapped<int> A{N}, B{N, 3}, Out{N, 2};
  auto read() {
    View X{A};
    return [=](int I) { return X[I]; };
  }
  auto body() {
    View Y{Out};
    int *P = B, Extra = 1;
    auto Read = read();
    return [=](int I) { Y[I] = Read(I) + P[I] + Extra; };
  }
  void expect() {
    Out.expect([&](int I) { return A.at(I) + B.at(I) + 1; });
  }
  int sum() const {
    int Sum = 0;
    for (int I = 0; I < N; ++I)
      Sum += A.at(I);
    return Sum;
  }
};
} // namespace

#define DIRECTIVE(TEXT) _Pragma(#TEXT)

// One loop under the directive.
#define LOOP(NAME, TEXT)                \
  SHAPE(NAME) {                         \
    Arrays S;                           \
    auto Body = S.body();               \
    DIRECTIVE(TEXT)                     \
    for (int I = 0; I < N; ++I)         \
      Body(I);                          \
    check::absent("the closure", Body); \
    S.expect();                         \
  }

// Two loops under it.
#define LOOPS(NAME, TEXT)               \
  SHAPE(NAME) {                         \
    Arrays S;                           \
    auto Body = S.body();               \
    DIRECTIVE(TEXT)                     \
    for (int I = 0; I < Rows; ++I)      \
      for (int J = 0; J < Columns; ++J) \
        Body(I *Columns + J);           \
    S.expect();                         \
  }

// A block under the directive, in which the construct INNER holds the loop.
#define BLOCK(NAME, TEXT, INNER)  \
  SHAPE(NAME) {                   \
    Arrays S;                     \
    auto Body = S.body();         \
    DIRECTIVE(TEXT) {             \
      DIRECTIVE(INNER)            \
      for (int I = 0; I < N; ++I) \
        Body(I);                  \
    }                             \
    S.expect();                   \
  }

// A block that each team or thread enters.
#define EACH(NAME, TEXT, FIRST, STEP)     \
  SHAPE(NAME) {                           \
    Arrays S;                             \
    auto Body = S.body();                 \
    DIRECTIVE(TEXT)                       \
    for (int I = FIRST; I < N; I += STEP) \
      Body(I);                            \
    S.expect();                           \
  }

#define REDUCTION(NAME, TEXT)              \
  SHAPE(NAME) {                            \
    Arrays S;                              \
    auto Read = S.read();                  \
    int Sum = 3;                           \
    DIRECTIVE(TEXT)                        \
    for (int I = 0; I < N; ++I)            \
      Sum += Read(I);                      \
    check::equal("Sum", Sum, S.sum() + 3); \
    check::absent("Sum", Sum);             \
  }

// clang-format off: the arguments are directives.
LOOP(target, omp target)
LOOP(target_simd, omp target simd)
LOOP(target_parallel_for, omp target parallel for)
LOOP(target_parallel_for_simd, omp target parallel for simd)
LOOP(target_parallel_loop, omp target parallel loop)
LOOP(target_teams_distribute, omp target teams distribute)
LOOP(target_teams_distribute_simd, omp target teams distribute simd)
LOOP(target_teams_loop, omp target teams loop)
LOOP(target_teams_distribute_parallel_for,
     omp target teams distribute parallel for)
LOOP(target_teams_distribute_parallel_for_simd,
     omp target teams distribute parallel for simd)

EACH(target_parallel, omp target parallel, omp_get_thread_num(),
     omp_get_num_threads())
EACH(target_teams, omp target teams, omp_get_team_num(), omp_get_num_teams())

BLOCK(teams_in_target, omp target, omp teams distribute parallel for)
BLOCK(distribute_in_target_teams, omp target teams, omp distribute parallel for)
BLOCK(distribute_simd_in_target_teams, omp target teams, omp distribute simd)
BLOCK(loop_in_target_teams, omp target teams, omp loop)
BLOCK(parallel_in_target, omp target, omp parallel for)
BLOCK(simd_in_target, omp target, omp simd)
BLOCK(for_in_target_parallel, omp target parallel, omp for)

LOOPS(collapse, omp target teams distribute parallel for collapse(2))
LOOPS(collapse_simd, omp target simd collapse(2))
LOOPS(collapse_loop, omp target teams loop collapse(2))
LOOPS(two_loops, omp target teams distribute)

REDUCTION(reduction_of_parallel_for, omp target parallel for reduction(+ : Sum))
REDUCTION(reduction_of_teams, omp target teams distribute parallel for
                                  reduction(+ : Sum))
REDUCTION(reduction_with_map, omp target teams distribute parallel for simd
                                  map(tofrom : Sum) reduction(+ : Sum))
REDUCTION(reduction_of_loop, omp target teams loop reduction(+ : Sum))

LOOP(num_teams_and_thread_limit, omp target teams distribute parallel for
                                     num_teams(2) thread_limit(2))
LOOP(num_threads_and_schedule, omp target parallel for num_threads(2)
                                   schedule(dynamic, 3))
LOOP(dist_schedule, omp target teams distribute parallel for
                        dist_schedule(static, 4))
LOOP(defaultmap_to, omp target teams distribute parallel for
                        defaultmap(to : aggregate))
LOOP(defaultmap_tofrom, omp target teams distribute parallel for
                            defaultmap(tofrom : aggregate))
LOOP(defaultmap_firstprivate, omp target teams distribute parallel for
                                  defaultmap(firstprivate : aggregate))
// clang-format on

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
