// Where clauses ask for teams or threads, blocks are as large as they can be, and
// a launch of few rows has one in which a warp waits for each tile: it has to be
// full, or the block to have rows for several warps. Without a clause blocks are
// of one warp, which pays for fewer rows, too.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_70 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_70 %s -o %t.staged
// RUN: for how in plain staged; do %ferry_sim --quiet --json %t.$how.json -- %t.$how || exit 1; done
// RUN: %python %S/Inputs/compare_versions.py %t.plain.json %t.staged.json --kernels 9
//
// RUN: %sim_cxx -O3 --offload-arch=sm_90 -DASYNC -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_90 -DASYNC %s -o %t.staged
// RUN: for how in plain staged; do %ferry_sim --quiet --json %t.$how.json -- %t.$how || exit 1; done
// RUN: %python %S/Inputs/compare_versions.py %t.plain.json %t.staged.json --kernels 9
#include "Inputs/row_sums.h"

#include <omp.h>

#define SUMS(Name, ...) ROW_SUMS(double, int, Name, __VA_ARGS__)

namespace {
int Columns = 500, Pitch = 503, Teams = 20;
}
SUMS(smallBlocksStaged)
SUMS(fewOfBlockUnstaged, thread_limit(256))
SUMS(fewOfTeamUnstaged, num_teams(1))
SUMS(fewOfTeamsUnstaged, num_teams(Teams))
SUMS(fullWarpStaged, thread_limit(256))
SUMS(fullWarpOfTeamStaged, num_teams(1))
SUMS(severalWarpsStaged, thread_limit(192))
#ifdef ASYNC
// More of them keep the multiprocessor busy.
SUMS(fourWarpsUnstaged, thread_limit(512))
SUMS(sixWarpsStaged, thread_limit(512))
#else
SUMS(fourWarpsUnstaged, thread_limit(192))
SUMS(sixWarpsStaged, thread_limit(256))
#endif

int main() {
  auto *A = static_cast<double *>(omp_target_alloc(sizeof(double) * 200 * Pitch, 0));
  auto *Sums = static_cast<double *>(omp_target_alloc(sizeof(double) * 200, 0));
  smallBlocksStaged(A, Sums, 20);
  fewOfBlockUnstaged(A, Sums, 20);
  fewOfTeamUnstaged(A, Sums, 20);
  fewOfTeamsUnstaged(A, Sums, 20);
  fullWarpStaged(A, Sums, 32);
  fullWarpOfTeamStaged(A, Sums, 32);
  severalWarpsStaged(A, Sums, 170);
  fourWarpsUnstaged(A, Sums, 100);
  sixWarpsStaged(A, Sums, 180);
}
