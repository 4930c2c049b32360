// What limits kernels, of odd ones as well: no number that is none, fractions of
// at most one, a limiter that makes sense.
//
// RUN: %sim_cxx -O2 --offload-arch=sm_70 %s -o %t
// RUN: %ferry_sim --strict --quiet --gpu v100 --json %t.json -- %t nothing
// RUN: %python %S/Inputs/check_time.py %t.json --kernels 0
// RUN: %ferry_sim --strict --quiet --gpu v100 --json %t.json -- %t one_thread stream many_blocks atomics shared_atomics chase compute
// RUN: %python %S/Inputs/check_time.py %t.json --kernels 7 one_thread=launch stream=dram atomics=l2 shared_atomics=shared chase=latency compute=fp64
// RUN: %ferry_sim --strict --quiet --gpu v100 --jobs 3 --json %t.jobs -- %t one_thread stream many_blocks atomics shared_atomics chase compute
// RUN: %python %S/Inputs/check_time.py %t.jobs --kernels 7
// Loads before a barrier do not overlap with what is behind it. The program's
// own barriers and work reach the time, whatever the number of host threads.
// RUN: %ferry_sim --strict --quiet --gpu v100 --json %t.json -- %t barriers no_barriers
// RUN: %python %S/Inputs/check_time.py %t.json --kernels 2 'void tiles<true>=latency' 'void tiles<false>=issue'
// RUN: %ferry_sim --strict --quiet --gpu v100 --jobs 3 --json %t.jobs -- %t barriers no_barriers
// RUN: %python %S/Inputs/same_counters.py %t.json %t.jobs
// RUN: %ferry_sim --strict --quiet --devices 2 --json %t.json -- %t devices
// RUN: %python %S/Inputs/check_time.py %t.json --kernels 1
// A million blocks: all, and a sample of them. Shared memory whose size the
// launch tells takes room in the first level.
// RUN: %ferry_sim --quiet --gpu v100 --sample-blocks 2000 --json %t.json -- %t million
// RUN: %python %S/Inputs/check_time.py %t.json --kernels 1
// RUN: grep '"blocks": 1000000,' %t.json
// RUN: %ferry_sim --strict --quiet --gpu v100 --json %t.json -- %t million
// RUN: %python %S/Inputs/check_time.py %t.json --kernels 1
// RUN: %ferry_sim --strict --quiet --gpu v100 --json %t.json -- %t dynamic_shared
// RUN: %python %S/Inputs/check_time.py %t.json --kernels 1 dynamic_shared=shared
// RUN: FileCheck %s --check-prefix=DYNAMIC --input-file=%t.json
// DYNAMIC: "dynamic_shared_bytes": 40000
// DYNAMIC: "occupancy_limit": "shared"
// RUN: %ferry_sim --strict --quiet --no-time --json %t.json -- %t stream && not grep limiter %t.json
//
// The tables have the limiter first, and no time without it.
// RUN: %ferry_sim --gpu v100 -- %t stream 2>&1 | FileCheck %s
// CHECK: occupancy {{[0-9.]+}} %, {{[0-9]+}} of 64 warps, limited by
// CHECK-NEXT: limited by dram: about {{[0-9.]+}} us, from {{[0-9.]+}} us to {{[0-9.]+}} us
// CHECK-NEXT: l1 {{[0-9.]+}} %, l2 {{[0-9.]+}} %, dram {{[0-9.]+}} %, issue

#include "Inputs/counted.h"

/// Copies alone.
COUNTED(nothing) {
  int X = 1;
#pragma omp target data map(to : X)
  {
  }
}

COUNTED(one_thread) {
  Arrays<int> A(1, 1);
  int *In = A.In, *Out = A.Out;
  KERNEL(1, 1) { Out[0] = In[0]; }
  A.copied(1);
}

COUNTED(stream) {
  constexpr int N = 1 << 19;
  Arrays<double> A(N, N);
  double *In = A.In, *Out = A.Out;
  KERNEL(N / 128, 128) {
    const int I = blockId() * 128 + threadId();
    Out[I] = In[I];
  }
  A.copied(N);
}

COUNTED(many_blocks) {
  Arrays<int> A(1, 100000);
  int *In = A.In, *Out = A.Out;
  KERNEL(100000, 1) { Out[blockId()] = In[0]; }
  A.copied(100000);
}

COUNTED(atomics) {
  Arrays<int> A(1, 1);
  int *In = A.In, *Out = A.Out;
  KERNEL(64, 128) { __atomic_fetch_add(Out, In[0], __ATOMIC_RELAXED); }
}

COUNTED(million) {
  constexpr int N = 1000000;
  Arrays<int> A(1, N);
  int *In = A.In, *Out = A.Out;
  KERNEL(N, 1) { Out[blockId()] = In[0]; }
  if (!getenv("FERRY_SIM_SAMPLE"))
    A.copied(N);
}

extern "C" void *llvm_omp_target_dynamic_shared_alloc();
#ifndef __NVPTX__
extern "C" void *llvm_omp_target_dynamic_shared_alloc() { return nullptr; }
#endif

COUNTED(dynamic_shared) {
  constexpr int Bytes = 40000, Threads = 128;
  int Out = 0;
#pragma omp target teams ompx_bare num_teams(400) thread_limit(Threads) \
    ompx_dyn_cgroup_mem(Bytes) map(tofrom : Out)
  {
    volatile int *Line =
        static_cast<int *>(llvm_omp_target_dynamic_shared_alloc());
    const int I = threadId() * 32 % (Bytes / 4);
    int Sum = 0;
    Line[I] = 1;
    barrier();
    LOOP(int S = 0; S < 64; ++S) { Sum += Line[I]; }
    if (I == 0 && blockId() == 0)
      Out = Sum;
  }
  check::value("Out", Out, 64);
}

COUNTED(shared_atomics) {
  Arrays<int> A(1, 80);
  int *In = A.In, *Out = A.Out;
  KERNEL(80, 1024) {
    SHARED int Sum;
    if (!threadId())
      Sum = 0;
    barrier();
    LOOP(int Step = 0; Step < 20; ++Step) {
      __atomic_fetch_add(&Sum, In[0], __ATOMIC_RELAXED);
    }
    barrier();
    if (!threadId())
      Out[blockId()] = Sum;
  }
}

COUNTED(chase) {
  constexpr int N = 4096;
  DeviceArray<int> In(N), Out(1, 0);
  int *Host = new int[N];
  for (int I = 0; I < N; ++I)
    Host[I] = (I + 32) % N;
  In.write(Host);
  delete[] Host;
  const int *From = In;
  int *To = Out;
  PRAGMA(omp target teams ompx_bare num_teams(1) thread_limit(1)
             is_device_ptr(From, To)) {
    int At = 0;
    LOOP(int S = 0; S < 2000; ++S) { At = From[At]; }
    To[0] = At;
  }
}

/// One block of 1024 threads on each multiprocessor, each thread with a word of
/// shared memory of its own.
template <bool Barriers>
static void tiles() {
  constexpr int N = 80 * 1024 * 20;
  Arrays<float> A(N, 80 * 1024);
  float *In = A.In, *Out = A.Out;
  KERNEL(80, 1024) {
    SHARED volatile float Tile[1024];
    const int T = threadId();
    float Sum = 0;
    LOOP(int Step = 0; Step < 20; ++Step) {
      Tile[T] = In[(Step * 80 + blockId()) * 1024 + T];
      if (Barriers)
        barrier();
      LOOP(int S = 0; S < 10; ++S) { Sum += Tile[T]; }
      if (Barriers)
        barrier();
    }
    Out[blockId() * 1024 + T] = Sum;
  }
}
COUNTED(barriers) { tiles<true>(); }
COUNTED(no_barriers) { tiles<false>(); }

COUNTED(compute) {
  constexpr int N = 80 * 256;
  Arrays<double> A(N, N);
  double *In = A.In, *Out = A.Out;
  KERNEL(N / 256, 256) {
    const int I = blockId() * 256 + threadId();
    double X = In[I], Y = X;
    for (int S = 0; S < 100; ++S) {
      X = __builtin_fma(X, 0.5, Y), Y = __builtin_fma(Y, 0.25, 1.0);
      X = __builtin_fma(X, 0.5, Y), Y = __builtin_fma(Y, 0.25, 2.0);
      X = __builtin_fma(X, 0.5, Y), Y = __builtin_fma(Y, 0.25, 3.0);
      X = __builtin_fma(X, 0.5, Y), Y = __builtin_fma(Y, 0.25, 4.0);
    }
    Out[I] = X + Y;
  }
}

COUNTED(devices) {
  int Sum = 0;
  for (int D = 0; D < 2; ++D) {
#pragma omp target device(D) map(tofrom : Sum)
    Sum += D + 1;
  }
  check::value("Sum", Sum, 3);
}

int main(int Argc, char **Argv) {
  int Result = 0;
  for (int I = 1; I < Argc; ++I) {
    char *One[] = {Argv[0], Argv[I]};
    Result |= check::run(2, One);
  }
  return Result;
}
