// Atomic update, read, write, capture and compare on every type, and what is
// built from them.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

namespace {
constexpr int N = 700;

template <class T>
void updates() {
  T Sum = 10, Difference = 10, Product = 1, Left = 3;
#pragma omp target teams distribute parallel for map(tofrom : Sum, Difference, Product, Left)
  for (int I = 0; I < N; ++I) {
#pragma omp atomic
    Sum += I % 9;
#pragma omp atomic
    Difference -= I % 5;
    if (I % 100 == 0) {
#pragma omp atomic
      Product *= 2;
#pragma omp atomic update
      Left = 5 + Left;
    }
  }
  int Nines = 0, Fives = 0;
  for (int I = 0; I < N; ++I)
    Nines += I % 9, Fives += I % 5;
  check::value("Sum", Sum, 10 + Nines);
  check::value("Difference", Difference, 10 - Fives);
  check::value("Product", Product, 128);
  check::value("Left", Left, 38);
}

template <class T>
void extremes() {
  T Least = 5000, Most = -5000;
#pragma omp target teams distribute parallel for map(tofrom : Least, Most)
  for (int I = 0; I < N; ++I) {
    T X = I * 37 % N - 300;
#pragma omp atomic compare
    if (X < Least) {
      Least = X;
    }
#pragma omp atomic compare
    Most = Most < X ? X : Most;
  }
  check::value("Least", Least, -300);
  check::value("Most", Most, N - 301);
}

template <class T>
void captures() {
  T Next = 0, After = 0;
  static int Taken[N], Final[N + 1];
  memset(Taken, 0, sizeof(Taken));
  memset(Final, 0, sizeof(Final));
#pragma omp target teams distribute parallel for map(tofrom : Next, After, Taken, Final)
  for (int I = 0; I < N; ++I) {
    T Old, New;
#pragma omp atomic capture
    Old = Next++;
#pragma omp atomic capture
    New = After += 1;
    Taken[int(Old)] += 1;
    Final[int(New)] += 1;
  }
  for (int I = 0; I < N; ++I) {
    check::value("Taken", Taken[I], 1, I);
    check::value("Final", Final[I + 1], 1, I + 1);
  }
}
} // namespace

PROGRAM(update_int) { updates<int>(); }
PROGRAM(update_long) { updates<long>(); }
PROGRAM(update_float) { updates<float>(); }
PROGRAM(update_double) { updates<double>(); }
PROGRAM(extremes_int) { extremes<int>(); }
PROGRAM(extremes_long) { extremes<long>(); }
PROGRAM(capture_int) { captures<int>(); }
PROGRAM(capture_unsigned_long) { captures<unsigned long>(); }
PROGRAM(capture_float) { captures<float>(); }
PROGRAM(capture_double) { captures<double>(); }

PROGRAM(bits) {
  unsigned And = ~0u, Or = 0, Xor = 0;
  unsigned long Wide = 0;
#pragma omp target teams distribute parallel for map(tofrom : And, Or, Xor, Wide)
  for (int I = 0; I < N; ++I) {
#pragma omp atomic
    And &= ~(1u << I % 20);
#pragma omp atomic
    Or |= 1u << I % 25;
#pragma omp atomic
    Xor ^= I * 2654435761u;
#pragma omp atomic
    Wide |= 1ul << I % 50;
  }
  unsigned Want = 0;
  for (int I = 0; I < N; ++I)
    Want ^= I * 2654435761u;
  check::value("And", And, ~0u << 20);
  check::value("Or", Or, (1u << 25) - 1);
  check::value("Xor", Xor, Want);
  check::value("Wide", Wide, (1ul << 50) - 1);
}

PROGRAM(histogram) {
  constexpr int Bins = 37;
  int Count[Bins] = {}, Want[Bins] = {};
  for (int I = 0; I < 20 * N; ++I)
    ++Want[I % 1009 * (I % 13) % Bins];
#pragma omp target teams distribute parallel for map(tofrom : Count) \
    num_teams(8) thread_limit(128)
  for (int I = 0; I < 20 * N; ++I) {
#pragma omp atomic
    ++Count[I % 1009 * (I % 13) % Bins];
  }
  check::array("Count", Count, Want, Bins);
}

PROGRAM(read_and_write) {
  double Source = 2.5, Target = 0;
  float Small = 1.5f, Copy = 0;
  long Word = 1L << 40, Twin = 0;
#pragma omp target parallel num_threads(32) \
    map(tofrom : Source, Target, Small, Copy, Word, Twin)
  {
    double D;
    float F;
    long L;
#pragma omp atomic read
    D = Source;
#pragma omp atomic write
    Target = D + 1;
#pragma omp atomic read
    F = Small;
#pragma omp atomic write
    Copy = F + 1;
#pragma omp atomic read
    L = Word;
#pragma omp atomic write
    Twin = L + 1;
  }
  check::value("Target", Target, 3.5);
  check::value("Copy", Copy, 2.5);
  check::value("Twin", Twin, (1L << 40) + 1);
}

PROGRAM(compare_and_swap) {
  int Owner = -1, Wins = 0;
#pragma omp target teams distribute parallel for map(tofrom : Owner) \
    reduction(+ : Wins)
  for (int I = 0; I < N; ++I) {
    int Seen;
#pragma omp atomic compare capture
    {
      Seen = Owner;
      if (Owner == -1) {
        Owner = I;
      }
    }
    Wins += Seen == -1;
  }
  check::value("Wins", Wins, 1);
  check::value("Owner", Owner >= 0 && Owner < N, true);
}

PROGRAM(lock) {
  int Lock = 0, Count = 0;
  long Guarded = 1;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) \
    map(tofrom : Lock, Count, Guarded)
  for (int I = 0; I < 100; ++I) {
    bool Done = false;
    while (!Done) {
      int Seen;
#pragma omp atomic compare capture acquire
      {
        Seen = Lock;
        if (Lock == 0) {
          Lock = 1;
        }
      }
      if (Seen == 0) {
        volatile int *C = &Count;
        volatile long *G = &Guarded;
        *C = *C + 1;
        *G = *G * 3 % 1000003;
#pragma omp flush
#pragma omp atomic write
        Lock = 0;
        Done = true;
      }
    }
  }
  long Want = 1;
  for (int I = 0; I < 100; ++I)
    Want = Want * 3 % 1000003;
  check::value("Count", Count, 100);
  check::value("Guarded", Guarded, Want);
}

PROGRAM(builtins) {
  int Sum = 0, Swapped = 0;
  unsigned Most = 0;
  long Wide = 0;
#pragma omp target teams distribute parallel for map(tofrom : Sum, Most, Wide, Swapped)
  for (int I = 0; I < N; ++I) {
    __atomic_fetch_add(&Sum, I, __ATOMIC_RELAXED);
    __atomic_fetch_max(&Most, unsigned(I * 7 % N), __ATOMIC_RELAXED);
    __atomic_fetch_or(&Wide, 1L << I % 60, __ATOMIC_ACQ_REL);
    int Expected = I == 400 ? 0 : -1;
    __atomic_compare_exchange_n(&Swapped, &Expected, 77, false,
                                __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  }
  check::value("Sum", Sum, N * (N - 1) / 2);
  check::value("Most", Most, N - 7);
  check::value("Wide", Wide, (1L << 60) - 1);
  check::value("Swapped", Swapped, 77);
}

PROGRAM(neighbours) {
  constexpr int M = 64;
  float A[M] = {};
#pragma omp target teams distribute parallel for map(tofrom : A)
  for (int I = 0; I < N; ++I) {
    int K = I % M;
#pragma omp atomic
    A[K] += 1;
#pragma omp atomic
    A[(K + 1) % M] += 0.5f;
  }
  for (int K = 0; K < M; ++K) {
    int Own = N / M + (K < N % M), Left = (K + M - 1) % M;
    check::value("A", A[K], Own + 0.5f * (N / M + (Left < N % M)), K);
  }
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
