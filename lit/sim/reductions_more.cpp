// Reductions of several variables, arrays, structures and user-defined
// operators, at every level of parallelism.
//
// RUN: %run_at_all_levels
//
// Blocks of a reduction wait for others that are 1,024 before them, and no order
// makes them wait for all.
// RUN: %sim_cxx -O2 %s -o %t
// RUN: for s in 5 72 517 18446744073709551615; do %ferry_sim --strict --quiet --seed $s -- %t many_teams || exit 1; done
#include "Inputs/check.h"

namespace {
struct Statistics {
  double Sum = 0, Least = 1e300, Most = -1e300;
  long Count = 0;
  void add(double X) {
    Sum += X;
    Least = X < Least ? X : Least;
    Most = X > Most ? X : Most;
    ++Count;
  }
  void merge(const Statistics &Other) {
    Sum += Other.Sum;
    Least = Other.Least < Least ? Other.Least : Least;
    Most = Other.Most > Most ? Other.Most : Most;
    Count += Other.Count;
  }
};

struct Arg {
  float Value;
  int Index;
};
} // namespace

#pragma omp declare reduction(merge:Statistics : omp_out.merge(omp_in))
#pragma omp declare reduction(last:Arg : omp_out =                               \
                                  omp_in.Value > omp_out.Value ||                \
                                              (omp_in.Value == omp_out.Value &&  \
                                                   omp_in.Index < omp_out.Index) \
                                          ? omp_in                               \
                                          : omp_out) initializer(omp_priv = {-1e30f, 1 << 30})

PROGRAM(several_variables) {
  constexpr int N = 2000;
  int Sum = 1, Most = -1;
  long Product = 1;
  double Average = 0;
  unsigned Bits = 0;
#pragma omp target teams distribute parallel for reduction(+ : Sum, Average) \
    reduction(max : Most) reduction(* : Product) reduction(| : Bits)
  for (int I = 0; I < N; ++I) {
    Sum += I;
    Most = I * 7 % 1999 > Most ? I * 7 % 1999 : Most;
    Product *= I % 500 == 3 ? 3 : 1;
    Average += 0.5;
    Bits |= 1u << (I % 30);
  }
  check::value("Sum", Sum, 1 + N * (N - 1) / 2);
  check::value("Most", Most, 1998);
  check::value("Product", Product, 81);
  check::value("Average", Average, N / 2.0);
  check::value("Bits", Bits, (1u << 30) - 1);
}

PROGRAM(array) {
  constexpr int N = 1000, M = 13;
  int Histogram[M] = {}, Want[M] = {};
  for (int I = 0; I < N; ++I)
    Want[I * I % M] += I;
#pragma omp target teams distribute parallel for reduction(+ : Histogram) \
    map(tofrom : Histogram)
  for (int I = 0; I < N; ++I)
    Histogram[I * I % M] += I;
  check::array("Histogram", Histogram, Want, M);
}

PROGRAM(array_section) {
  constexpr int N = 600, M = 9;
  double *Sum = new double[M], Want[M];
  for (int K = 0; K < M; ++K)
    Sum[K] = Want[K] = K;
  for (int I = 0; I < N; ++I)
    Want[2 + I % 5] += 0.25 * I;
#pragma omp target parallel for num_threads(64) reduction(+ : Sum[2 : 5]) \
    map(tofrom : Sum[0 : M])
  for (int I = 0; I < N; ++I)
    Sum[2 + I % 5] += 0.25 * I;
  check::array("Sum", Sum, Want, M);
  delete[] Sum;
}

PROGRAM(structure) {
  constexpr int N = 1234;
  Statistics S, Want;
  for (int I = 0; I < N; ++I)
    Want.add((I * 29 + 5) % 1000 * 0.5);
#pragma omp target parallel for num_threads(96) reduction(merge : S) \
    map(tofrom : S)
  for (int I = 0; I < N; ++I)
    S.add((I * 29 + 5) % 1000 * 0.5);
  check::value("Sum", S.Sum, Want.Sum);
  check::value("Least", S.Least, Want.Least);
  check::value("Most", S.Most, Want.Most);
  check::value("Count", S.Count, Want.Count);
}

PROGRAM(largest_element) {
  constexpr int N = 1500;
  float A[N];
  Arg Best = {-1e30f, 1 << 30}, Want = Best;
  for (int I = 0; I < N; ++I) {
    A[I] = (I * 71 + 13) % 700;
    if (A[I] > Want.Value)
      Want = {A[I], I};
  }
#pragma omp target teams distribute parallel for map(to : A) \
    map(tofrom : Best) reduction(last : Best)
  for (int I = 0; I < N; ++I)
    if (A[I] > Best.Value || (A[I] == Best.Value && I < Best.Index))
      Best = {A[I], I};
  check::value("Value", Best.Value, Want.Value);
  check::value("Index", Best.Index, Want.Index);
}

PROGRAM(of_teams_and_of_threads) {
  constexpr int N = 24, M = 70;
  long Sum = 0, Rows[N], Want = 0;
  for (int I = 0; I < N; ++I)
    for (int K = 0; K < M; ++K)
      Want += I * K;
#pragma omp target teams distribute num_teams(5) reduction(+ : Sum) \
    map(from : Rows)
  for (int I = 0; I < N; ++I) {
    long Row = 0;
#pragma omp parallel for reduction(+ : Row)
    for (int K = 0; K < M; ++K)
      Row += I * K;
    Rows[I] = Row;
    Sum += Row;
  }
  check::value("Sum", Sum, Want);
  for (int I = 0; I < N; ++I)
    check::value("Rows", Rows[I], long(I) * M * (M - 1) / 2, I);
}

PROGRAM(twice_in_a_region) {
  constexpr int N = 500;
  int A[N], Most = 0;
  long Above = 0, Want = 0;
  for (int I = 0; I < N; ++I)
    A[I] = I * 31 % 409;
  for (int I = 0; I < N; ++I)
    Want += A[I] > 204 ? A[I] : 0;
#pragma omp target map(to : A) map(tofrom : Most, Above)
  {
#pragma omp parallel for reduction(max : Most)
    for (int I = 0; I < N; ++I)
      Most = A[I] > Most ? A[I] : Most;
    int Half = Most / 2;
#pragma omp parallel for reduction(+ : Above)
    for (int I = 0; I < N; ++I)
      Above += A[I] > Half ? A[I] : 0;
  }
  check::value("Most", Most, 408);
  check::value("Above", Above, Want);
}

PROGRAM(narrow_types) {
  constexpr int N = 300;
  unsigned char Byte = 7, WantByte = 7;
  short Short = -3, WantShort = -3;
  bool All = true;
  for (int I = 0; I < N; ++I) {
    WantByte += I;
    WantShort += 3 * I;
  }
#pragma omp target teams distribute parallel for reduction(+ : Byte, Short) \
    reduction(&& : All)
  for (int I = 0; I < N; ++I) {
    Byte += I;
    Short += 3 * I;
    All = All && I >= 0;
  }
  check::value("Byte", Byte, WantByte);
  check::value("Short", Short, WantShort);
  check::value("All", All, true);
}

PROGRAM(of_no_iterations) {
  int Sum = 42, N = 0;
  double Least = 7;
#pragma omp target teams distribute parallel for reduction(+ : Sum) \
    reduction(min : Least)
  for (int I = 0; I < N; ++I) {
    Sum += I;
    Least = 0;
  }
  check::value("Sum", Sum, 42);
  check::value("Least", Least, 7);
}

PROGRAM(dot_product) {
  constexpr int N = 10000;
  static double X[N], Y[N];
  double Dot = 0, Want = 0;
  for (int I = 0; I < N; ++I) {
    X[I] = I % 17 - 8, Y[I] = I % 5 * 0.5;
    Want += X[I] * Y[I];
  }
#pragma omp target teams distribute parallel for simd reduction(+ : Dot) \
    map(to : X, Y) num_teams(9) thread_limit(160)
  for (int I = 0; I < N; ++I)
    Dot += X[I] * Y[I];
  check::value("Dot", Dot, Want);
}

PROGRAM(many_teams) {
  constexpr int N = 1100 * 32;
  long Sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : Sum)             \
    num_teams(1100) thread_limit(32)
  for (int I = 0; I < N; ++I)
    Sum += I;
  check::value("Sum", Sum, long(N) * (N - 1) / 2);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
