// A parallel region of a part of the block, with a barrier inside: the runtime
// lets the threads that are left over wait at the region's end, in the same
// barrier. That is said once, with the line, and is no finding; what is one
// keeps being found, with the right numbers.
//
// RUN: for o in -O0 -O1 -O2 -O3; do echo "at $o"; \
// RUN:   %sim_cxx -g $o %s -o %t || exit 1; \
// RUN:   %ferry_sim --strict --quiet -- %t constant > %t.out 2>&1 || exit 1; \
// RUN:   FileCheck %s --check-prefix=QUIET --input-file=%t.out || exit 1; \
// RUN:   %ferry_sim --strict --quiet -- %t variable || exit 1; \
// RUN:   %ferry_sim --strict --quiet --seed 5 --jobs 2 -- %t two_regions || exit 1; done
// QUIET-NOT: {{.}}
// QUIET: constant OK
// QUIET-NOT: {{.}}
//
// RUN: %ferry_sim --strict --json %t.json -- %t constant 2>&1 | FileCheck %s
// CHECK: notes: 1
// CHECK-NEXT: region-barrier: OpenMP's device runtime takes a barrier of the whole block: 64 threads of a parallel region meet the others at its end
// CHECK-NEXT: kernel constant{{.*}}, {{.*}}region-barriers.cpp:58:
// CHECK-NOT: region-barrier
// CHECK: findings: none
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// JSON: "findings": []
// JSON: "notes": [
// JSON: "kind": "region-barrier"
// JSON: "line": 58
// RUN: %ferry_sim -- %t variable 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: %ferry_sim -- %t two_regions 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: notes: 1
// OTHER: findings: none
//
// Barriers that a part of the region comes to, or with all threads in it.
// RUN: not %ferry_sim --strict --quiet -- %t half_of_region 2>&1 | FileCheck %s --check-prefix=HALF
// HALF: partial-barrier: {{32 of the block's threads are at the barrier, 96 at another one|96 of the block's threads are at the barrier, 32 at another one}}
// RUN: not %ferry_sim --strict --quiet -- %t half_of_block 2>&1 | FileCheck %s --check-prefix=BLOCK
// BLOCK: partial-barrier: 64 of the block's threads are at the barrier, 64 at another one
//
// Hardware need not do it for a part of a warp.
// RUN: not %ferry_sim --strict --quiet -- %t part_of_warp 2>&1 | FileCheck %s --check-prefix=WARP
// WARP: partial-barrier: {{48|80}} of the block's threads are at the barrier, {{80|48}} at another one

#include "Inputs/check.h"

namespace {
constexpr int Teams = 4, Most = 128;
} // namespace

PROGRAM(constant) {
  int R[Teams][Most];
#pragma omp target teams num_teams(Teams) thread_limit(Most) map(from : R)
  {
    int S[64];
    const int T = omp_get_team_num();
#pragma omp parallel num_threads(64)
    {
      const int I = omp_get_thread_num();
      S[I] = I;
#pragma omp barrier
      R[T][I] = S[63 - I];
    }
  }
  for (int T = 0; T < Teams; ++T)
    for (int I = 0; I < 64; ++I)
      check::value("R", R[T][I], 63 - I, I);
}

PROGRAM(variable) {
  int R[Teams][Most], N = 96;
#pragma omp target teams num_teams(Teams) thread_limit(Most) map(from : R)
  {
    int S[Most];
    const int T = omp_get_team_num();
#pragma omp parallel num_threads(N)
    {
      const int I = omp_get_thread_num();
      S[I] = I;
#pragma omp barrier
      R[T][I] = S[N - 1 - I];
    }
  }
  for (int T = 0; T < Teams; ++T)
    for (int I = 0; I < N; ++I)
      check::value("R", R[T][I], N - 1 - I, I);
}

PROGRAM(two_regions) {
  int R[Most], Q[Most];
#pragma omp target teams num_teams(1) thread_limit(Most) map(from : R, Q)
  {
    int S[Most];
#pragma omp parallel num_threads(64)
    {
      const int I = omp_get_thread_num();
      S[I] = I;
#pragma omp barrier
      R[I] = S[63 - I];
    }
#pragma omp parallel num_threads(32)
    Q[omp_get_thread_num()] = omp_get_num_threads();
  }
  for (int I = 0; I < 64; ++I)
    check::value("R", R[I], 63 - I, I);
  for (int I = 0; I < 32; ++I)
    check::value("Q", Q[I], 32, I);
}

PROGRAM(half_of_region) {
  int R[Most] = {};
#pragma omp target teams num_teams(1) thread_limit(Most) map(tofrom : R)
  {
    int S[Most];
    S[0] = omp_get_num_teams();
#pragma omp parallel num_threads(64)
    {
      const int I = omp_get_thread_num();
      R[I] = S[0];
      if (I < 32) {
#pragma omp barrier
        R[I] += 1;
      }
    }
  }
}

PROGRAM(half_of_block) {
  int R[Most] = {};
#pragma omp target teams num_teams(1) thread_limit(Most) map(tofrom : R)
#pragma omp parallel
  {
    const int I = omp_get_thread_num();
    R[I] = I;
    if (I < 64) {
#pragma omp barrier
      R[I] += 1;
    }
  }
}

PROGRAM(part_of_warp) {
  int R[Most] = {};
#pragma omp target teams num_teams(1) thread_limit(Most) map(tofrom : R)
  {
    int S[Most];
    S[0] = omp_get_num_teams();
#pragma omp parallel num_threads(48)
    {
      const int I = omp_get_thread_num();
      R[I] = S[0];
#pragma omp barrier
      R[I] += 1;
    }
  }
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
