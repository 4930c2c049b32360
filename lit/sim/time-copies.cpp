// Asynchronous copies are waited for where the program waits: with three more
// under way each wait is shorter.
//
// RUN: %sim_cxx -O2 --offload-arch=sm_80 %s -o %t
// RUN: %ferry_sim --strict --quiet --gpu a100 --json %t.json -- %t
// RUN: %python -c "import json; \
// RUN:   one, four = [k['time']['seconds'] for k in json.load(open('%t.json'))['kernels']]; \
// RUN:   assert 1e-5 < four < one / 5, (one, four)"
#include "Inputs/check.h"
#include "Inputs/device.h"

namespace {
constexpr int T = 32, Tiles = 200;

/// Sums up tiles, of which \p Ahead are under way beside the one that is read.
template <int Ahead>
void sumTiles(const int *In, int *Out) {
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T)               \
    is_device_ptr(In, Out)
  {
    SHARED int Buffer[Ahead + 1][T];
    int I = threadId(), Sum = 0;
    for (int Next = 0; Next < Tiles + Ahead; ++Next) {
      if (Next < Tiles)
        COPY_ASYNC(4, &Buffer[Next % (Ahead + 1)][I], &In[Next * T + I]);
      __nvvm_cp_async_commit_group();
      __nvvm_cp_async_wait_group(Ahead);
      if (Next >= Ahead)
        Sum += Buffer[(Next - Ahead) % (Ahead + 1)][I];
    }
    Out[I] = Sum;
  }
}
}

PROGRAM(copies) {
  int In[Tiles * T], Out[2][T];
  for (int I = 0; I < Tiles * T; ++I)
    In[I] = I * 7;
  int *From = In, *To = Out[0];
#pragma omp target data map(to : From[:Tiles * T]) map(from : To[:2 * T]) \
    use_device_ptr(From, To)
  {
    sumTiles<0>(From, To);
    sumTiles<3>(From, To + T);
  }
  for (int I = 0; I < 2 * T; ++I) {
    int Sum = 0;
    for (int K = 0; K < Tiles; ++K)
      Sum += In[K * T + I % T];
    check::value("Out", Out[I / T][I % T], Sum, I);
  }
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
