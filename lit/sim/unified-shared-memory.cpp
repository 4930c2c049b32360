// With "requires unified_shared_memory" kernels may use the host's memory: no
// finding, counted by itself, and priced by the link.
//
// RUN: echo '{"architecture": "sm_80", "link_gb_s": 16, "link_us": 20, "clock_ghz": 1, "launch_us": 3}' > %t.gpu
// RUN: for o in -O0 -O2; do echo "at $o"; \
// RUN:   %sim_cxx -g $o --offload-arch=sm_80 %s -o %t || exit 1; \
// RUN:   %ferry_sim --strict --quiet --per-line --gpu %t.gpu --json %t.json -- %t || exit 1; \
// RUN:   %python %S/Inputs/check_link.py %t.json || exit 1; \
// RUN:   %ferry_sim --strict --quiet --per-line --no-time --jobs 2 --json %t.json -- %t || exit 1; \
// RUN:   %python %S/Inputs/check_link.py %t.json || exit 1; done
// RUN: %ferry_sim -- %t loads 2>&1 | FileCheck %s
// CHECK: requests bytes read written
// CHECK-NEXT: host memory 32 8,192 0
// CHECK: limited by link:
// CHECK: findings: none
//
// The requirement may be a library's.
// RUN: %sim_cxx -O2 -fPIC -shared -DLIBRARY %s -o %t.so
// RUN: echo 'void use(int *); int main() { int A = 0; use(&A); return A != 1; }' > %t.cpp
// RUN: %sim_cxx %t.cpp %t.so -o %t.with && %ferry_sim --quiet --strict -- %t.with
//
// Programs that run on the host device with unified shared memory.
// RUN: %sim_cxx -O2 -I%S/../e2e %S/../e2e/unified_shared_memory.cpp -o %t.e2e
// RUN: %ferry_sim --strict --quiet -- %t.e2e
//
// Without it the same accesses are found.
// RUN: %sim_cxx -O2 --offload-arch=sm_80 -DNONE %s -o %t
// RUN: not %ferry_sim --strict --quiet --json %t.json -- %t loads 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: host-pointer: the address is the host's
// RUN: grep '"link_requests": 0' %t.json
//
// What is nobody's, or another device's, is found nevertheless.
// RUN: not %ferry_sim --strict --quiet --devices 2 -- %t anothers 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: %sim_cxx -O2 --offload-arch=sm_80 %s -o %t
// RUN: not %ferry_sim --strict --quiet --devices 2 -- %t anothers 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: out-of-bounds: access of 4 bytes to the memory of another device
// RUN: not %ferry_sim --strict --quiet -- %t behind 2>&1 | FileCheck %s --check-prefix=BEHIND
// BEHIND: out-of-bounds: access of 8 bytes; the nearest allocation

#ifndef NONE
#pragma omp requires unified_shared_memory
#endif

#include "Inputs/counted.h"

#ifndef LIBRARY
namespace {
constexpr int N = 1024;

struct Host {
  double *Data = static_cast<double *>(aligned_alloc(4096, N * sizeof(double)));
  Host() {
    for (int I = 0; I < N; ++I)
      Data[I] = I;
  }
  ~Host() { free(Data); }
};
} // namespace

COUNTED(loads) {
  Host H;
  DeviceArray<double> A(N);
  double *In = H.Data, *Out = A;
  KERNEL(4, 256) {
    const int I = blockId() * 256 + threadId();
    Out[I] = In[I];
  }
  double Got[N];
  A.read(Got);
  check::array("Got", Got, H.Data, N);
}

COUNTED(stores) {
  Host H;
  DeviceArray<double> A(N, 0);
  double *In = A, *Out = H.Data;
  KERNEL(4, 256) {
    const int I = blockId() * 256 + threadId();
    Out[I] = In[I] + 1;
  }
  for (int I = 0; I < N; ++I)
    check::value("H", H.Data[I], 1, I);
}

// Half of each warp reads the one, half the other.
COUNTED(both) {
  Host H;
  DeviceArray<double> A(N, 0);
  double *In = H.Data, *Out = A;
  KERNEL(1, 32) {
    const int I = threadId();
    const double *From = I % 2 ? In : Out;
    Out[512 + I] = *const_cast<const volatile double *>(&From[I]);
  }
}

COUNTED(atomic) {
  Host H;
  double *In = H.Data, *Out = H.Data;
  KERNEL(2, 32) {
    __atomic_fetch_add(reinterpret_cast<int *>(Out), 1, __ATOMIC_RELAXED);
    (void)In;
  }
}

// 300 loads, each of which needs the one before.
COUNTED(chain) {
  Host H;
  long *List = reinterpret_cast<long *>(H.Data);
  for (int I = 0; I < N; ++I)
    List[I] = (I + 37) % N;
  long *In = List, *Out = List;
  KERNEL(1, 1) {
    long At = 0;
    LOOP(int I = 0; I < 300; ++I)
    At = In[At];
    Out[N - 1] = At;
  }
  check::value("the end", List[N - 1], 37 * 300 % N);
}

COUNTED(device_alone) {
  Arrays<double> A(N, N);
  double *In = A.In, *Out = A.Out;
  KERNEL(4, 256) {
    const int I = blockId() * 256 + threadId();
    Out[I] = In[I];
  }
}

COUNTED(anothers) {
  if (omp_get_num_devices() < 2)
    return;
  int *In = static_cast<int *>(omp_target_alloc(sizeof(int), 1)), *Out = In;
  KERNEL(1, 1) { *Out = *In; }
  omp_target_free(In, 1);
}

COUNTED(behind) {
  DeviceArray<double> A(N);
  double *In = A, *Out = A;
  KERNEL(1, 1) { Out[0] = In[N + 1]; }
}

int main(int Argc, char **Argv) {
  if (Argc > 1)
    return check::run(Argc, Argv);
  int Failed = 0;
  const char *Names[] = {"loads", "stores", "both", "atomic", "chain", "device_alone"};
  for (const char *Name : Names) {
    char *Arguments[] = {Argv[0], const_cast<char *>(Name)};
    Failed |= check::run(2, Arguments);
  }
  return Failed;
}
#else
void use(int *A) {
#pragma omp target
  *A = 1;
}
#endif
