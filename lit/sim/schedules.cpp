// schedule and dist_schedule: every iteration runs once, whatever the kind and
// the chunk.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

namespace {
constexpr int N = 301;
int Seen[N], Sum;

void begin() {
  memset(Seen, 0, sizeof(Seen));
  Sum = 0;
}
void end() {
  for (int I = 0; I < N; ++I)
    check::value("Seen", Seen[I], I + 1, I);
  check::value("Sum", Sum, N * (N + 1) / 2);
}
} // namespace

// Seen counts how often an iteration ran, Sum what it was.
#define BODY                            \
  for (int I = 0; I < N; ++I) {         \
    Seen[I] += I + 1;                   \
    _Pragma("omp atomic") Sum += I + 1; \
  }

PROGRAM(parallel_static) {
  begin();
#pragma omp target parallel for schedule(static) map(tofrom : Seen, Sum)
  BODY end();
}

PROGRAM(parallel_static_chunk) {
  begin();
#pragma omp target parallel for schedule(static, 7) map(tofrom : Seen, Sum)
  BODY end();
}

PROGRAM(parallel_dynamic) {
  begin();
#pragma omp target parallel for schedule(dynamic) map(tofrom : Seen, Sum)
  BODY end();
}

PROGRAM(parallel_dynamic_chunk) {
  begin();
#pragma omp target parallel for schedule(dynamic, 5) map(tofrom : Seen, Sum)
  BODY end();
}

PROGRAM(parallel_guided) {
  begin();
#pragma omp target parallel for schedule(guided) map(tofrom : Seen, Sum)
  BODY end();
}

PROGRAM(parallel_guided_chunk) {
  begin();
#pragma omp target parallel for schedule(guided, 3) map(tofrom : Seen, Sum)
  BODY end();
}

PROGRAM(parallel_auto) {
  begin();
#pragma omp target parallel for schedule(auto) map(tofrom : Seen, Sum)
  BODY end();
}

PROGRAM(parallel_runtime) {
  begin();
#pragma omp target parallel for schedule(runtime) map(tofrom : Seen, Sum)
  BODY end();
}

PROGRAM(parallel_nonmonotonic) {
  begin();
#pragma omp target parallel for schedule(nonmonotonic : dynamic, 2) \
    map(tofrom : Seen, Sum)
  BODY end();
}

PROGRAM(dynamic_in_generic_region) {
  begin();
#pragma omp target map(tofrom : Seen, Sum)
  {
#pragma omp parallel for schedule(dynamic, 3) num_threads(50)
      BODY} end();
}

PROGRAM(teams_static_chunk) {
  begin();
#pragma omp target teams distribute parallel for num_teams(3) \
    thread_limit(32) schedule(static, 4) map(tofrom : Seen, Sum)
  BODY end();
}

PROGRAM(teams_distribute_chunk) {
  begin();
#pragma omp target teams distribute parallel for num_teams(3) \
    thread_limit(32) dist_schedule(static, 40) map(tofrom : Seen, Sum)
  BODY end();
}

PROGRAM(teams_both_chunks) {
  begin();
#pragma omp target teams distribute parallel for num_teams(5)      \
    thread_limit(64) dist_schedule(static, 50) schedule(static, 3) \
    map(tofrom : Seen, Sum)
  BODY end();
}

PROGRAM(teams_dynamic) {
  begin();
#pragma omp target teams distribute parallel for num_teams(2) \
    thread_limit(32) schedule(dynamic, 3) map(tofrom : Seen, Sum)
  BODY end();
}

PROGRAM(teams_guided) {
  begin();
#pragma omp target teams distribute parallel for num_teams(4) \
    thread_limit(96) schedule(guided, 2) map(tofrom : Seen, Sum)
  BODY end();
}

PROGRAM(distribute_only) {
  begin();
#pragma omp target teams distribute num_teams(6) dist_schedule(static, 2) \
    map(tofrom : Seen, Sum)
  BODY end();
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
