// Where only the launch knows how many threads a block has, tiles are for up to
// 256. Blocks of more, and of so few that tiles keep other blocks away from
// their multiprocessor, take the kernel as it is without staging.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_70 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_70 %s -o %t.staged
// RUN: for how in plain staged; do %ferry_sim --strict --quiet --json %t.$how.json -- %t.$how > %t.$how.out || exit 1; done
// RUN: diff %t.plain.out %t.staged.out
// RUN: %python %S/Inputs/compare_versions.py %t.plain.json %t.staged.json --kernels 9
//
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -DASYNC -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -DASYNC %s -o %t.staged
// RUN: for how in plain staged; do %ferry_sim --strict --quiet --json %t.$how.json -- %t.$how > %t.$how.out || exit 1; done
// RUN: diff %t.plain.out %t.staged.out
// RUN: %python %S/Inputs/compare_versions.py %t.plain.json %t.staged.json --kernels 9
//
// A kernel that is launched in larger blocks all the same asks before it
// touches a tile.
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -DASYNC -mllvm -ferry-stage=always %s -o %t.always
// RUN: %ferry_sim --strict --quiet -- %t.always > %t.always.out
// RUN: diff %t.plain.out %t.always.out
//
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -Rpass=ferry-stage -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: staged in blocks of 128 to 256 threads; only the launch knows how many a block has
#include "Inputs/row_sums.h"

#include <cstdio>
#include <omp.h>
#include <vector>

#define SUMS(Name, ...) ROW_SUMS(double, int, Name, __VA_ARGS__)

namespace {
int Columns = 256, Pitch = 256, Threads = 256, Teams = 2000;
}
SUMS(limitOf256Staged, thread_limit(Threads))
SUMS(numberOf256Staged, num_threads(Threads))
SUMS(numberOf192Staged, num_threads(Threads))
SUMS(numberOf512Unstaged, num_threads(Threads))
SUMS(limitOf1024Unstaged, thread_limit(Threads))
SUMS(numberOf64Unstaged, num_threads(Threads))
SUMS(limitOf8Unstaged, num_teams(Teams) thread_limit(Threads))
#ifdef ASYNC
// A tile is copied while threads read another one.
SUMS(numberOf128Staged, num_threads(Threads))
#else
SUMS(numberOf128Unstaged, num_threads(Threads))
#define numberOf128Staged numberOf128Unstaged
#endif
/// Threads that find out themselves which rows they have.
void smallTeamsUnstaged(const double *A, double *Sums, int Rows) {
#pragma omp target teams num_teams(Teams) thread_limit(Threads) is_device_ptr(A, Sums)
#pragma omp parallel
  {
    const int I = omp_get_team_num() * omp_get_num_threads() + omp_get_thread_num();
    double Sum = 0;
    for (int K = 0; K < Columns; ++K)
      Sum += A[I % Rows * Pitch + K];
    if (I < Rows)
      Sums[I] = Sum;
  }
}

int main() {
  constexpr int Rows = 2000;
  std::vector<double> Host(Rows * Pitch), Found(Rows);
  for (size_t I = 0; I < Host.size(); ++I)
    Host[I] = double(I % 1013);
  const int Device = omp_get_default_device(), Initial = omp_get_initial_device();
  const size_t Bytes = sizeof(double) * Host.size(), OfSums = sizeof(double) * Rows;
  auto *A = static_cast<double *>(omp_target_alloc(Bytes, Device));
  auto *Sums = static_cast<double *>(omp_target_alloc(OfSums, Device));
  omp_target_memcpy(A, Host.data(), Bytes, 0, 0, Device, Initial);
  auto Run = [&](auto *Kernel, int BlockThreads) {
    Threads = BlockThreads;
    Kernel(A, Sums, Rows);
    omp_target_memcpy(Found.data(), Sums, OfSums, 0, 0, Initial, Device);
    double All = 0;
    for (double Sum : Found)
      All += Sum;
    std::printf("%d: %.0f\n", BlockThreads, All);
  };
  // The second level has what the launch before has left there.
  Run(numberOf512Unstaged, 512);
  Run(limitOf1024Unstaged, 1024);
  Run(numberOf64Unstaged, 64);
  Run(limitOf8Unstaged, 8);
  Run(smallTeamsUnstaged, 8);
  Run(numberOf128Staged, 128);
  Run(numberOf192Staged, 192);
  Run(numberOf256Staged, 256);
  Run(limitOf256Staged, 256);
}
