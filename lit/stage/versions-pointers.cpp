// Launches choose by what they can read. A pointer in a mapped object may be the
// device's own, and what the host has in its place no pointer at all; one that is
// not followed on the device, for there is nothing to do, need not be one either.
//
// RUN: %sim_cxx -O3 %s -o %t && %ferry_sim --strict --quiet -- %t | FileCheck %s
// CHECK: right
// CHECK: right
#include <cstdio>
#include <cstring>

struct View {
  const double *Data;
  const int *Extents;
};

static void sums(const View *V, double *Sums, int Count) {
#pragma omp target teams distribute parallel for map(tofrom : V[0 : 1]) map(from : Sums[0 : Count])
  for (int I = 0; I < Count; ++I) {
    double Sum = 0;
    const double *Data = V->Data;
    for (int Time = 0; Time < Count; ++Time)
      for (int K = 0; K < V->Extents[0]; ++K)
        Sum += Data[I * 64 + K] * Time;
    Sums[I] = Sum;
  }
}

static void rows(const double *Data, const int *Extents, double *Sums, int Count) {
#pragma omp target teams distribute parallel for map(to : Extents[0 : 0]) map(from : Sums[0 : 1])
  for (int I = 0; I < Count; ++I) {
    double Sum = 0;
    for (int Time = 0; Time < Count; ++Time)
      for (int K = 0; K < Extents[0]; ++K)
        Sum += Data[I * 64 + K];
    Sums[0] = Sum;
  }
}

int main() {
  constexpr int Count = 32;
  static double Data[Count * 64], Sums[Count];
  int Extents[1] = {48};
  for (double &D : Data)
    D = 1;
  View V;
  memset(static_cast<void *>(&V), 0x11, sizeof V); // never set on the host
#pragma omp target enter data map(to : Data, Extents) map(alloc : V)
#pragma omp target map(Data, Extents, V)
  {
    V.Data = Data;
    V.Extents = Extents;
  }
  sums(&V, Sums, Count);
  puts(Sums[7] == 48 * (Count - 1) * Count / 2 ? "right" : "WRONG");
  rows(Data, reinterpret_cast<const int *>(0x11), Sums, 0);
  puts("right");
}
