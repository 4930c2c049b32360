// Two loops of a small framework, forall and reduceSum (loops.h), over lambdas
// that capture pointers: vector triad, dot product and sum, in three variants.
//
//   ferry-clang++ -O3 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu forall.cpp
//
//   plain     OpenMP's directives around the loop itself
//   explicit  the framework's loop; `use_device_ptr` around the call makes each
//             captured pointer the device's, so the caller has to list them
//   lambda    the framework's loop, and nothing else
//
// The lambdas hold pointers directly and by value. For these OpenMP 5 asks the
// compiler to find the device's address, and Clang does; so this program runs
// with `--ferry-off` as well and must print the same bits.
#include "loops.h"
#include "variants.h"

// One iteration of each loop, the same in all variants.
inline double triad(double B, double C, double Scale) { return B + Scale * C; }
inline double product(double A, double B) { return A * B; }

struct Vectors {
  int N;
  double *A, *B, *C;
};

struct Plain {
  static void add(Vectors V, double Scale) {
    double *A = V.A, *B = V.B, *C = V.C;
    int N = V.N;
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I)
      A[I] = triad(B[I], C[I], Scale);
  }
  static double dot(Vectors V) {
    double *B = V.B, *C = V.C, Sum = 0;
    int N = V.N;
#pragma omp target teams distribute parallel for reduction(+ : Sum)
    for (int I = 0; I < N; ++I)
      Sum += product(B[I], C[I]);
    return Sum;
  }
  static long count(const int *Flags, int N, long Start) {
    long Sum = Start;
#pragma omp target teams distribute parallel for reduction(+ : Sum)
    for (int I = 0; I < N; ++I)
      Sum += Flags[I];
    return Sum;
  }
};

struct Explicit {
  static void add(Vectors V, double Scale) {
    double *A = V.A, *B = V.B, *C = V.C;
#pragma omp target data use_device_ptr(A, B, C)
    forall(0, V.N, [=](int I) { A[I] = triad(B[I], C[I], Scale); });
  }
  static double dot(Vectors V) {
    double *B = V.B, *C = V.C, Sum;
#pragma omp target data use_device_ptr(B, C)
    Sum = reduceSum<double>(0, V.N, [=](int I) { return product(B[I], C[I]); });
    return Sum;
  }
  static long count(const int *Flags, int N, long Start) {
    long Sum;
#pragma omp target data use_device_ptr(Flags)
    Sum = reduceSum<long>(0, N, [=](int I) { return Flags[I]; }, Start);
    return Sum;
  }
};

struct Lambda {
  static void add(Vectors V, double Scale) {
    forall(0, V.N, [=, A = V.A, B = V.B, C = V.C](int I) {
      A[I] = triad(B[I], C[I], Scale);
    });
  }
  static double dot(Vectors V) {
    return reduceSum<double>(
        0, V.N, [B = V.B, C = V.C](int I) { return product(B[I], C[I]); });
  }
  static long count(const int *Flags, int N, long Start) {
    return reduceSum<long>(0, N, [=](int I) { return Flags[I]; }, Start);
  }
};

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "length of the vectors", 1000, 1, 50000000);
  const int N = E.size();
  const double Scale = 0.3, Eps = std::numeric_limits<double>::epsilon();
  std::vector<double> A(N, -1), B(N), C(N), Sums(N);
  std::vector<int> Flags(N);
  double Dot = 0;
  for (int I = 0; I < N; ++I) {
    B[I] = 1 + std::sin(I + 1.0);
    C[I] = 1 + 1.0 / (I + 1);
    Sums[I] = B[I] + Scale * C[I];
    Dot += B[I] * C[I];
    Flags[I] = I % 3 == 0;
  }

  DeviceMemory Memory;
  Vectors V = {N, Memory.add(A), Memory.add(B), Memory.add(C)};

  // A GPU may fuse the product and the sum, which saves one rounding.
  Kernel Add(E, "add", {{V.A, A, Sums}}, Eps);
  Add.run("plain", [&] { Plain::add(V, Scale); });
  Add.run("explicit", [&] { Explicit::add(V, Scale); });
  Add.run("lambda", [&] { Lambda::add(V, Scale); });

  // All terms are positive: each of the N additions, in whatever order, and
  // each product adds a relative error of Eps / 2 at most; on both sides.
  const double Rounding = (N + 1) * Eps;
  Kernel DotProduct(E, "dot", {}, 0);
  DotProduct.run("plain", [&] { return Plain::dot(V); }, Dot, Rounding);
  DotProduct.run("explicit", [&] { return Explicit::dot(V); }, Dot, Rounding);
  DotProduct.run("lambda", [&] { return Lambda::dot(V); }, Dot, Rounding);

  // Whole numbers: exact.
  const long Start = 5, Count = Start + (N + 2) / 3;
  const int *F = Memory.add(Flags);
  Kernel Counter(E, "count", {}, 0);
  Counter.run("plain", [&] { return Plain::count(F, N, Start); }, Count, 0);
  Counter.run(
      "explicit", [&] { return Explicit::count(F, N, Start); }, Count, 0);
  Counter.run("lambda", [&] { return Lambda::count(F, N, Start); }, Count, 0);
  return E.finish();
}

// RUN: %same_without_ferry
