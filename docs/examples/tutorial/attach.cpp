// Structures that hold pointers, in three ways: pointer attachment, a mapper
// for the type, and Ferry.
//
//   ferry-clang++ -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu attach.cpp
//
// A sparse matrix is a table of rows, each of which points at its elements. The
// program sums the rows.
#include "../example.h"
#include <vector>

struct Row {
  int Length;
  double *Data;
};

static double sum(const Row &R) {
  double Sum = 0;
  for (int J = 0; J < R.Length; ++J)
    Sum += R.Data[J];
  return Sum;
}

// Row by row. The structure is mapped, then the data of its pointer: as both
// are on the device then, the pointer of the device's structure is attached,
// that is, set to the device's data.
static void attached(Row *Rows, double *Sums, int N) {
#pragma omp target data map(from : Sums[0 : N])
  for (int I = 0; I < N; ++I) {
    Row R = Rows[I];
#pragma omp target data map(to : R)
#pragma omp target map(to : R.Data[0 : R.Length])
    Sums[I] = sum(R);
  }
}

// Told once for the type, how each element of an array of rows is mapped.
#pragma omp declare mapper(WithData : Row R) map(R, R.Data[0 : R.Length])

static void mapper(Row *Rows, double *Sums, int N) {
#pragma omp target teams distribute parallel for map(                          \
        mapper(WithData), to : Rows[0 : N]) map(from : Sums[0 : N])
  for (int I = 0; I < N; ++I)
    Sums[I] = sum(Rows[I]);
}

// With Ferry the data and the table are mapped, in any order, and by anyone.
// The pointers in the table are found and translated at the launch.
template <typename Body> void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

static void ferry(Row *Rows, double *Sums, int N) {
  double *All = Rows[0].Data;
  size_t Elements = Rows[N - 1].Data + Rows[N - 1].Length - All;
#pragma omp target enter data map(alloc : Sums[0 : N])                         \
    map(to : Rows[0 : N], All[0 : Elements])
  forall(N, [=](int I) { Sums[I] = sum(Rows[I]); });
#pragma omp target exit data map(from : Sums[0 : N])                           \
    map(release : Rows[0 : N], All[0 : Elements])
}

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "number of rows", 50, 1, 3000);
  int N = E.size();
  // Row I has I + 1 elements of the value I; all rows are in one array.
  std::vector<double> Data, Sums(N);
  std::vector<Row> Rows(N);
  double Expected = 0;
  for (int I = 0; I < N; ++I) {
    Data.insert(Data.end(), I + 1, I);
    Rows[I].Length = I + 1;
    Expected += double(I) * (I + 1) * (I + 1);
  }
  for (int I = 0, Begin = 0; I < N; Begin += Rows[I].Length, ++I)
    Rows[I].Data = Data.data() + Begin;

  auto Run = [&](const char *Name, auto *Work) {
    auto Body = [&] {
      Sums.assign(N, -1);
      Work(Rows.data(), Sums.data(), N);
      double Sum = 0;
      // Weighted, so that sums at the wrong place are seen.
      for (int I = 0; I < N; ++I)
        Sum += Sums[I] * (I + 1);
      return Sum;
    };
    E.run(Name, Body, Expected);
  };
  Run("attach-clause", attached);
  Run("attach-mapper", mapper);
  Run("attach-ferry", ferry);
  return E.finish();
}
// RUN: %wrong_without_ferry
