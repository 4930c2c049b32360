// On a V100 rows are left to launches of many warps in which the caches have
// what is read again, and memory is the limit: tiles begin within sectors and
// halves of lines, and read more of it. They pay where more warps overflow the
// caches, and where rows lie in the same banks.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_70 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_70 %s -o %t.staged
// RUN: for how in plain staged; do %ferry_sim --quiet --json %t.$how.json -- %t.$how || exit 1; done
// RUN: %python %S/Inputs/compare_versions.py %t.plain.json %t.staged.json --kernels 13
#include "Inputs/row_sums.h"

#include <omp.h>

#define SUMS(Name, ...) ROW_SUMS(float, int, Name, __VA_ARGS__)

namespace {
int Columns = 150, Pitch = 151;
}
SUMS(sumsUnstaged)
SUMS(overflowingStaged)
SUMS(conflictingStaged)
// A clause that asks for other blocks leaves none of one warp, in which tiles
// would be a little faster.
SUMS(fixedUnstaged, thread_limit(192))
// Nor does one that asks for as many threads as there are without it, which
// only the launch knows.
SUMS(limitedUnstaged, thread_limit(128))
SUMS(largeUnstaged, thread_limit(256))
// Nor does one that asks for a number of teams: they have as many, too.
SUMS(teamsUnstaged, num_teams(500))
// Where iterations are enough for more warps, teams have no more.
SUMS(fewTeamsUnstaged, num_teams(300))
// So it is with fewer warps, from where on tiles keep memory busy for longer.
SUMS(sevenWarpsUnstaged)
// Tiles of the largest blocks are half as long, and save less where nobody works
// while a warp waits: warps have to be whole, and rows longer. Without the clause
// blocks are smaller, and tiles longer.
SUMS(halvedUnstaged, thread_limit(64))
SUMS(halvedByClauseUnstaged, thread_limit(128))
SUMS(lacksThreadsUnstaged, thread_limit(64))
SUMS(longStaged)

int main() {
  constexpr int Warps = 80; // one for each multiprocessor
  const int Most = 32 * 32 * Warps;
  auto *A = static_cast<float *>(omp_target_alloc(sizeof(float) * Most * 160, 0));
  auto *Sums = static_cast<float *>(omp_target_alloc(sizeof(float) * Most, 0));
  sumsUnstaged(A, Sums, 10 * 32 * Warps);
  fixedUnstaged(A, Sums, 14 * 32 * Warps);
  limitedUnstaged(A, Sums, 18 * 32 * Warps);
  largeUnstaged(A, Sums, 16 * 32 * Warps);
  teamsUnstaged(A, Sums, 18 * 32 * Warps);
  fewTeamsUnstaged(A, Sums, Most);
  sevenWarpsUnstaged(A, Sums, 7 * 32 * Warps);
  halvedUnstaged(A, Sums, 32 * Warps);
  halvedByClauseUnstaged(A, Sums, 32 * Warps);
  Columns = 250, Pitch = 251;
  lacksThreadsUnstaged(A, Sums, 32 * Warps - 10);
  Columns = 150, Pitch = 151;
  longStaged(A, Sums, 32 * Warps);
  overflowingStaged(A, Sums, Most);
  Pitch = 160;
  conflictingStaged(A, Sums, 10 * 32 * Warps);
}
