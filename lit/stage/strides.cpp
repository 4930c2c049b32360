// Two rows of each thread in one array: they begin together for the first
// thread, and further and further apart for the others.
//
// RUN: %build_plain_and_staged
// RUN: %run_plain_and_staged --kernels 2
//
// Where it pays they are staged as well:
//
// RUN: %sim_cxx -O3 %s -o %t.on
// RUN: %ferry_sim --strict --quiet -- %t.on > %t.on.out
// RUN: diff %t.plain.out %t.on.out
#include "Inputs/staged.h"

#include <algorithm>

namespace {
constexpr int Longest = 81;

template <class T>
void twoRowsFewer(const T *A, T *Sums, int N, int M, int First, int Second) {
#pragma omp target teams distribute parallel for is_device_ptr(A, Sums)
  for (int I = 0; I < N; ++I) {
    T Sum = 1;
    for (int K = 0; K < M; ++K)
      Sum = Sum / 3 + A[I * First + K] + 5 * A[I * Second + K];
    Sums[I] = Sum;
  }
}

template <class T>
void allStrides() {
  // Of whole sectors, of whole words, and none that is like the other.
  struct {
    int First, Second;
  } Strides[] = {{64, 65}, {64, 81}, {65, 64}, {32, 100}, {85, 33}, {48, 1}};
  for (auto [First, Second] : Strides)
    for (int N : {128, 155})
      for (int M : {23, 33, 64, Longest}) {
        staged::Array<T> A((N - 1) * std::max(First, Second) + Longest, 0);
        staged::Array<T> Sums(N);
        twoRowsFewer<T>(A.device(), Sums.device(), N, M, First, Second);
        Sums.read();
        for (int I = 0; I < N; ++I) {
          T Sum = 1;
          for (int K = 0; K < M; ++K)
            Sum = Sum / 3 + A.host()[I * First + K] +
                  5 * A.host()[I * Second + K];
          check::value("Sums", Sums.host()[I], Sum, I);
        }
      }
}
} // namespace

PROGRAM(integers) { allStrides<int>(); }
PROGRAM(longs) { allStrides<long>(); }

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
