// Threads read a row of their own and, in the same loop, one that begins an element or
// two further for each thread. Both are of one array, so they begin alike for the first
// thread, and only for that one: neither may be taken for the other where a tile is
// copied, or threads read shared memory that nobody has written. Rows are half a tile, a
// tile and a step, and more; some threads have none, or others' begin first.
//
// RUN: %build_plain_and_staged -Rpass=ferry-stage 2> %t.txt
// RUN: %run_plain_and_staged --kernels 10
// RUN: grep -c 'remark: staged 2 loads' %t.txt | grep -x 8
// RUN: grep -c 'remark: staged 3 loads' %t.txt | grep -x 2
//
// Without asynchronous copies.
// RUN: %sim_cxx -O3 --offload-arch=sm_70 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_70 -mllvm -ferry-stage=always %s -o %t.staged
// RUN: %run_plain_and_staged --kernels 10
#include "Inputs/staged.h"

#include <algorithm>

namespace {
constexpr int Longest = 70;

/// What a thread does with its rows, here and on the host.
struct OwnFirst {
  template <class T>
  static T sum(const T *A, int I, int From, int M, int Own, int Shift) {
    T Sum = 1;
    for (int K = From; K < M; ++K) {
      Sum = Sum / 3 + A[I * Own + K];
      Sum = Sum / 5 - A[K + I * Shift];
    }
    return Sum;
  }
};

struct ShiftedFirst {
  template <class T>
  static T sum(const T *A, int I, int From, int M, int Own, int Shift) {
    T Sum = 1;
    for (int K = From; K < M; ++K)
      Sum = Sum / 3 + A[K + I * Shift] * 7 - A[I * Own + K];
    return Sum;
  }
};

/// With what all threads read alike, which begins there as well.
struct WithUniform {
  template <class T>
  static T sum(const T *A, int I, int From, int M, int Own, int Shift) {
    T Sum = 1;
    for (int K = From; K < M; ++K)
      Sum = Sum / 3 + A[I * Own + K] * A[K] - A[K + I * Shift];
    return Sum;
  }
};

/// Some threads of each warp have no row.
struct SomeThreads {
  template <class T>
  static T sum(const T *A, int I, int From, int M, int Own, int Shift) {
    return I % 5 == 2 ? T(4) : OwnFirst::sum(A, I, From, M, Own, Shift);
  }
};

/// The first threads have none, so that no two rows begin alike.
struct LaterThreads {
  template <class T>
  static T sum(const T *A, int I, int From, int M, int Own, int Shift) {
    return I < 3 ? T(4) : ShiftedFirst::sum(A, I, From, M, Own, Shift);
  }
};

struct OtherLengths {
  template <class T>
  static T sum(const T *A, int I, int From, int M, int Own, int Shift) {
    return OwnFirst::sum(A, I, From, M - I % 4, Own, Shift);
  }
};

/// A distance of one that the compiler knows.
struct Neighbours {
  template <class T>
  static T sum(const T *A, int I, int From, int M, int Own, int) {
    return OwnFirst::sum(A, I, From, M, Own, 1);
  }
};

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define LAUNCH(Name, ...)                                                               \
  template <class Rows, class T>                                                        \
  void Name(const T *A, T *Sums, int N, int From, int M, int Own, int Shift) {          \
    PRAGMA(omp target teams distribute parallel for __VA_ARGS__ is_device_ptr(A, Sums)) \
    for (int I = 0; I < N; ++I)                                                         \
      Sums[I] = Rows::sum(A, I, From, M, Own, Shift);                                   \
  }
LAUNCH(oneTeamFewer, num_teams(1))
LAUNCH(eightTeamsFewer, num_teams(8))

template <class Rows, class T>
void rows(T) {
  // Of blocks of 128 threads: the last 27 rows are a warp's that lacks threads, and six
  // of eight blocks have none.
  const int N = 251;
  for (int Shift : {1, 2})
    for (int From : {0, 1})
      for (int M : {16, 33, Longest})
        for (int Own : {16, 24, 35}) {
          staged::Array<T> A((N - 1) * std::max(Own, Shift) + M), Sums(N);
          for (auto Run : {oneTeamFewer<Rows, T>, eightTeamsFewer<Rows, T>}) {
            Run(A.device(), Sums.device(), N, From, M, Own, Shift);
            Sums.read();
            for (int I = 0; I < N; ++I)
              check::value("Sums", Sums.host()[I], Rows::sum(A.host(), I, From, M, Own, Shift), I);
          }
        }
}
} // namespace

PROGRAM(neighbours) { rows<Neighbours>(int()); }
PROGRAM(uniform) { rows<WithUniform>(int()); }
PROGRAM(some) { rows<SomeThreads>(long()); }
PROGRAM(later) { rows<LaterThreads>(int()); }
PROGRAM(lengths) { rows<OtherLengths>(int()); }

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
