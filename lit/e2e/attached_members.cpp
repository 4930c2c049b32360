// What a member of a record leads to, mapped with the record and without it.
// Clang 19 maps the member as well, Clang 22 attaches it where the record is
// mapped.
//
// RUN: for o in -O0 -O2; do %ferry_clangxx %offload $o %s -o %t && %t || exit 1; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t

#include "Inputs/check.h"
#include "Inputs/forall.h"
#include <vector>

namespace {
constexpr int N = 8;
struct View {
  double *Data;
  int Size;
};

/// A view of 0, 1, 2, ..., to which kernels add.
struct Numbers {
  std::vector<double> Values;
  View V;
  Numbers() : Values(N), V{Values.data(), N} {
    for (int I = 0; I < N; ++I)
      Values[I] = I;
  }
  void expect(double Added) const {
    for (int I = 0; I < N; ++I)
      check::equal("element", Values[I], I + Added);
  }
};
} // namespace

SHAPE(record_and_pointee) {
  Numbers A;
  View V = A.V, *P = &V;
#pragma omp target enter data map(to : V, V.Data[0 : N])
  forall(N, [=](int I) { P->Data[I] += 1; });
  forall(N, [&](int I) { V.Data[I] += 1; });
  forall(N, [=](int I) { V.Data[I] += 1; });
#pragma omp target exit data map(from : V.Data[0 : N]) map(release : V)
  A.expect(3);
}

SHAPE(pointee_alone) {
  Numbers A;
  View V = A.V;
#pragma omp target enter data map(to : V.Data[0 : N])
  forall(N, [&](int I) { V.Data[I] += 1; });
  forall(N, [=](int I) { V.Data[I] += 1; });
#pragma omp target exit data map(from : V.Data[0 : N])
  A.expect(2);
}

SHAPE(pointee_by_the_construct) {
  Numbers A;
  View V = A.V;
  auto ByReference = [&](int I) { V.Data[I] += 1; };
#pragma omp target teams distribute parallel for map(tofrom : V.Data[0 : N])
  for (int I = 0; I < N; ++I)
    ByReference(I);
  auto ByValue = [=](int I) { V.Data[I] += 1; };
#pragma omp target teams distribute parallel for map(tofrom : V.Data[0 : N]) map(to : ByValue)
  for (int I = 0; I < N; ++I)
    ByValue(I);
#pragma omp target teams distribute parallel for map(tofrom : V.Data[0 : N])
  for (int I = 0; I < N; ++I)
    V.Data[I] += 1;
  A.expect(3);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
