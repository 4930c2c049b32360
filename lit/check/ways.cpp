// A mistake is named in each way to launch: by nowait, on the second device, by
// one of many threads, on one rank under MPI. Each thread and rank looks at its
// own launches, and places are told once.
//
// RUN: %ferry_clangxx --ferry-check %offload -Wno-openmp-mapping -O2 %s -o %t
// RUN: for w in nowait threads; do echo $w; \
// RUN:   env FERRY_CHECK=error %t right-$w 2>&1 | count 0 || exit 1; \
// RUN:   env FERRY_CHECK=error not %t $w > %t.out 2>&1 || exit 1; \
// RUN:   FileCheck %s --check-prefixes=FOUND,$w --input-file=%t.out || exit 1; done
// The host device has four numbers.
// RUN: env FERRY_CHECK=error %t right-device 2>&1 | count 0
// RUN: env FERRY_CHECK=error not %t device 2>&1 | FileCheck %s --check-prefixes=FOUND,device
// RUN: %if device-runtime %{ \
// RUN:   %sim_cxx --ferry-check -O2 -Wno-openmp-mapping %s -o %t.sim && \
// RUN:   for w in nowait threads device; do \
// RUN:     env FERRY_CHECK=error %ferry_sim --devices 2 --strict --quiet -- %t.sim right-$w 2>&1 | count 0 || exit 1; \
// RUN:     (%ferry_sim --devices 2 --quiet -- %t.sim $w 2>&1 || true) | FileCheck %s --check-prefixes=FOUND,$w || exit 1; \
// RUN:   done %}
//
// What is brought back later is no reason to tell anything.
// RUN: env FERRY_CHECK=transfers,stale,error %t right-nowait 2>&1 | count 0
//
// Processes of an MPI program: a file for each.
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %if mpi %{ \
// RUN:   env FERRY_CHECK_FILE=%t.d/run.json mpirun.openmpi --allow-run-as-root --oversubscribe -n 2 %t rank > %t.out 2>&1 && \
// RUN:   FileCheck %s --check-prefix=rank --input-file=%t.out && ls %t.d | FileCheck %s --check-prefix=FILES && \
// RUN:   grep '"findings": \[\]' %t.d/run.0.json && grep '"kind": "not-mapped"' %t.d/run.1.json %}
// FILES: run.0.json
// FILES-NEXT: run.1.json
//
// FOUND: ferry-check: ways.cpp:
// nowait-SAME: device 0, launch 1{{$}}
// threads-SAME: device 0, launch
// device-SAME: device 1, launch 1{{$}}
// rank: ferry-check: rank 1: ways.cpp:{{.*}}, device 0, launch 1
// rank-NEXT: 'Loop.Y' = {{.*}} is not mapped
// rank-NOT: ferry-check
// FOUND-NEXT: 'Loop.Y' = {{.*}} is not mapped
// device-NEXT: nearest mapping: X[0:N] (800 bytes
// FOUND-NOT: ferry-check

#include <cstdlib>
#include <cstring>
#include <omp.h>
#include <thread>
#include <vector>

constexpr int N = 100;

template <typename Body> void forall(int Device, Body Loop) {
#pragma omp target teams distribute parallel for device(Device)
  for (int I = 0; I < N; ++I)
    Loop(I);
}
template <typename Body> void forallLater(Body Loop) {
#pragma omp target teams distribute parallel for nowait
  for (int I = 0; I < N; ++I)
    Loop(I);
}

int main(int, char **Arguments) {
  const bool Right = !strncmp(Arguments[1], "right-", 6);
  auto Is = [&](const char *W) {
    return !strcmp(Arguments[1] + (Right ? 6 : 0), W);
  };
  auto *X = new double[N](), *Y = new double[N]();
  const int Device = Is("device") ? 1 : 0;
#pragma omp target enter data map(to : X[0 : N]) device(Device)
  // On the first device it is no help.
  if (Is("device")) {
#pragma omp target enter data map(to : Y[0 : N]) device(0)
  }
  const char *Rank = getenv("OMPI_COMM_WORLD_RANK");
  if (Right || (Is("rank") && !strcmp(Rank, "0"))) {
#pragma omp target enter data map(to : Y[0 : N]) device(Device)
  }
  if (Is("nowait")) {
    forallLater([=](int I) { X[I] += Y[I] + 1; });
#pragma omp taskwait
#pragma omp target exit data map(from : X[0 : N]) nowait
#pragma omp taskwait
  } else if (Is("threads")) {
    // Of eight, one makes the mistake.
    std::vector<std::thread> Threads;
    for (int T = 0; T < 8; ++T)
      Threads.emplace_back([=] {
        auto *Own = new double[N]();
#pragma omp target enter data map(to : Own[0 : N])
        for (int R = 0; R < 20; ++R)
          forall(0, [=](int I) { Own[I] += X[I]; });
        if (T == 5)
          forall(0, [=](int I) { Own[I] += Y[I]; });
#pragma omp target exit data map(from : Own[0 : N])
        delete[] Own;
      });
    for (std::thread &T : Threads)
      T.join();
  } else {
    forall(Device, [=](int I) { X[I] += Y[I]; });
  }
}
