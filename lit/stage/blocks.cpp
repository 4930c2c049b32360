// Blocks of any size, any number of teams, and constructs that are not combined:
// rows, records, and rows that are read again.
//
// RUN: %build_plain_and_staged
// RUN: %run_plain_and_staged --kernels 12
#include "Inputs/staged.h"

#include <initializer_list>

namespace {
constexpr int N = 1033, M = 19;

/// What the kernels compute from rows of M elements.
long rowSum(const int *Row, int Length) {
  long Sum = 0;
  for (int J = 0; J < Length; ++J)
    Sum = 3 * Sum + Row[J];
  return Sum;
}

struct Data {
  staged::Array<int> A{N * M, 3};
  staged::Array<long> B{N};
  void check(int Length) {
    B.read();
    for (int I = 0; I < N; ++I)
      check::value("B", B.host()[I], rowSum(A.host() + I * M, Length), I);
  }
};

#define ROW_SUMS(FIRST, END)          \
  for (int I = FIRST; I < END; ++I) { \
    long Sum = 0;                     \
    for (int J = 0; J < Length; ++J)  \
      Sum = 3 * Sum + A[I * M + J];   \
    B[I] = Sum;                       \
  }

/// Rows whose sum decides whether a record is read, too.
template <int Limit>
void limited(const int *A, long *B, int Length) {
#pragma omp target teams distribute parallel for thread_limit(Limit) \
    is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    const int *Row = A + I * M;
    long Sum = 0;
    for (int J = 0; J < Length; ++J)
      Sum = 3 * Sum + Row[J];
    if (Sum % 3)
      Sum += Row[2] + 5 * Row[7] - Row[11] * Row[13] + Row[17];
    B[I] = Sum;
  }
}

template <int Limit>
void limit() {
  Data D;
  for (int Length : {0, 1, M}) {
    limited<Limit>(D.A.device(), D.B.device(), Length);
    D.B.read();
    for (int I = 0; I < N; ++I) {
      const int *Row = D.A.host() + I * M;
      long Sum = rowSum(Row, Length);
      if (Sum % 3)
        Sum += Row[2] + 5 * Row[7] - Row[11] * Row[13] + Row[17];
      check::value("B", D.B.host()[I], Sum, I);
    }
  }
}

/// Teams, threads and block sizes that are known at run time only.
void runTimeSizesFewer(const int *A, long *B, int Length, int Teams, int Threads) {
#pragma omp target teams distribute parallel for num_teams(Teams) \
    num_threads(Threads) is_device_ptr(A, B)
  ROW_SUMS(0, N)
}

void runTimeLimitFewer(const int *A, long *B, int Length, int Limit) {
#pragma omp target teams distribute parallel for thread_limit(Limit) \
    is_device_ptr(A, B)
  ROW_SUMS(0, N)
}

void scheduledFewer(const int *A, long *B, int Length) {
#pragma omp target teams distribute parallel for schedule(static, 3) \
    dist_schedule(static, 200) is_device_ptr(A, B)
  ROW_SUMS(0, N)
}

void apartFewer(const int *A, long *B, int Length) {
#pragma omp target teams num_teams(3) is_device_ptr(A, B)
#pragma omp distribute parallel for
  ROW_SUMS(0, N)
}

void parallelOnlyFewer(const int *A, long *B, int Length) {
#pragma omp target parallel for num_threads(96) is_device_ptr(A, B)
  ROW_SUMS(0, N)
}

/// Parallel regions and barriers within a target region.
void regions(const int *A, long *B, int Length) {
#pragma omp target parallel num_threads(64) is_device_ptr(A, B)
  {
    int T = omp_get_thread_num(), Threads = omp_get_num_threads();
    for (int I = T; I < N; I += Threads)
      B[I] = 0;
#pragma omp barrier
    for (int Start = 0; Start < Length; Start += 5) {
#pragma omp for
      for (int I = 0; I < N; ++I) {
        long Sum = B[I];
        for (int J = Start; J < Start + 5 && J < Length; ++J)
          Sum = 3 * Sum + A[I * M + J];
        B[I] = Sum;
      }
    }
  }
}

void distributeThenParallel(const int *A, long *B, int Length) {
#pragma omp target teams distribute num_teams(4) is_device_ptr(A, B)
  for (int First = 0; First < N; First += 100) {
#pragma omp parallel for
    ROW_SUMS(First, (First + 100 < N ? First + 100 : N))
  }
}

/// The poster's kernel: each thread reads its row several times.
template <int Limit>
void againFewer(const int *A, long *B, int Times, int Length) {
#pragma omp target teams distribute parallel for thread_limit(Limit) \
    is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    long Sum = 0;
    for (int T = 0; T < Times; ++T)
      for (int J = 0; J < Length; ++J)
        Sum = 3 * Sum + A[I * M + J];
    B[I] = Sum;
  }
}

template <int Limit>
void again() {
  Data D;
  for (int Length : {0, 1, 6, M})
    for (int Times : {0, 1, 4}) {
      againFewer<Limit>(D.A.device(), D.B.device(), Times, Length);
      D.B.read();
      for (int I = 0; I < N; ++I) {
        long Sum = 0;
        for (int T = 0; T < Times; ++T)
          for (int J = 0; J < Length; ++J)
            Sum = 3 * Sum + D.A.host()[I * M + J];
        check::value("B", D.B.host()[I], Sum, I);
      }
    }
}
} // namespace

PROGRAM(threads_7) { limit<7>(); }
PROGRAM(threads_33) { limit<33>(); }
PROGRAM(threads_1024) { limit<1024>(); }

PROGRAM(again_33) { again<33>(); }
PROGRAM(again_256) { again<256>(); }

PROGRAM(run_time_sizes) {
  for (int Teams : {1, 3, 50})
    for (int Threads : {7, 32, 100}) {
      Data D;
      runTimeSizesFewer(D.A.device(), D.B.device(), M, Teams, Threads);
      D.check(M);
    }
}

PROGRAM(run_time_limit) {
  for (int Limit : {1, 7, 32, 33, 50, 64, 128, 256, 1024}) {
    Data D;
    runTimeLimitFewer(D.A.device(), D.B.device(), M, Limit);
    D.check(M);
  }
}

#define ONE(NAME, FUNCTION)                  \
  PROGRAM(NAME) {                            \
    Data D;                                  \
    FUNCTION(D.A.device(), D.B.device(), M); \
    D.check(M);                              \
  }
ONE(schedules, scheduledFewer)
ONE(constructs_apart, apartFewer)
ONE(parallel_only, parallelOnlyFewer)
ONE(parallel_regions, regions)
ONE(distribute_then_parallel, distributeThenParallel)

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
