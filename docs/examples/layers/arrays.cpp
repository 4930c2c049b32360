// Arrays of the YAKL-like layer: rows or columns first, with any lower bounds,
// captured by value, sliced, shared and copied between host and device; loops
// with bounds and strides; small arrays within kernels.
//
// RUN: %wrong_without_ferry
#include "../example.h"
#include "yakl_like.h"

using namespace yakl_like;

namespace {

// A checksum that notices elements that changed places.
template <int N, Style Order>
double sumOnHost(const DynamicArray<double, N, Device, Order> &A) {
  auto OnHost = A.createHostCopy();
  double Sum = 0;
  for (long I = 0; I < OnHost.size(); ++I)
    Sum += OnHost.data()[I] * double(I % 101 + 1);
  return Sum;
}
template <typename Function> double expected(long Size, Function Element) {
  double Sum = 0;
  for (long I = 0; I < Size; ++I)
    Sum += Element(I) * double(I % 101 + 1);
  return Sum;
}

double cStyle(long Rows, long Columns) {
  using namespace c;
  Array<double, 2, Device> A("a", Rows, Columns), B("b", Rows, Columns);
  parallel_for("fill", Bounds<2>(Rows, Columns), [=](long I, long J) {
    A(I, J) = double(I);
    B(I, J) = double(J);
  });
  parallel_for("combine", Bounds<2>(Rows, Columns),
               [=](long I, long J) { A(I, J) += 2 * B(I, J); });
  return sumOnHost(A);
}

double fortranStyle(long Nx, long Ny) {
  using namespace fortran;
  Array<double, 2, Device> A("a", {0, Nx + 1}, {-1, Ny});
  A = -1;
  parallel_for("fill", Bounds<2>(Ny, Nx),
               [=](long J, long I) { A(I, J - 1) = double(I + 10 * J); });
  parallel_for("last column", Nx, [=](long I) { A(I, Ny) = double(-I); });
  return sumOnHost(A);
}

// Every other column of the rows from 2 on.
double strides(long Rows, long Columns) {
  using namespace c;
  Array<double, 2, Device> A("a", Rows, Columns);
  A = 1;
  parallel_for("some", Bounds<2>({2, Rows - 1}, {0, Columns - 1, 2}),
               [=](long I, long J) { A(I, J) = double(I * J); });
  return sumOnHost(A);
}

// The pointer that the kernel gets points into the middle of the data.
double slices(long Planes, long Rows) {
  c::Array<double, 3, Device> A("a", Planes, Rows, 4);
  A = 1;
  auto Plane = A.slice(Planes / 2);
  auto Row = A.slice(Planes - 1, Rows - 1);
  parallel_for("plane", c::Bounds<2>(Rows, 4),
               [=](long I, long J) { Plane(I, J) += Row(J) + double(I); });
  return sumOnHost(A);
}

// Assignment shares, deep copies do not.
double copies(Example &E, long N) {
  using namespace c;
  Array<double, 1, Device> A("a", N), Shared = A;
  A = 3;
  auto Other = A.createDeviceCopy();
  E.check("arrays that share the data", double(A.references()), 2);
  parallel_for("shared", Bounds<1>(N), [=](long I) { Shared(I) += I; });
  Shared.deallocate();
  E.check("one is left", double(A.references()), 1);
  Array<double, 1, Host> OnHost("host", N);
  A.deepCopyTo(OnHost);
  OnHost(0) = 100;
  OnHost.deepCopyTo(A);
  parallel_for("both", Bounds<1>(N), [=](long I) { A(I) += 2 * Other(I); });
  return sumOnHost(A);
}

// Each iteration multiplies a matrix and a vector of its own.
double stackArrays(long N) {
  c::Array<double, 2, Device> A("a", N, 3);
  parallel_for("small", c::Bounds<1>(N), [=](long I) {
    SArray<double, 3, 3> Matrix;
    FSArray<double, SB<-1, 1>> Vector;
    for (int J = 0; J < 3; ++J) {
      Vector(J - 1) = double(I + J);
      for (int K = 0; K < 3; ++K)
        Matrix(J, K) = J == K ? 2 : 1;
    }
    for (int J = 0; J < 3; ++J) {
      SArray<double, 3> Products;
      for (int K = 0; K < 3; ++K)
        Products(K) = Matrix(J, K) * Vector(K - 1);
      A(I, J) = sum(Products);
    }
  });
  return sumOnHost(A);
}

// Arrays of records, and arrays in records that are captured.
struct Particle {
  float X, V;
};
struct Particles {
  c::Array<Particle, 1, Device> All;
  c::Array<double, 1, Device> Path;
};
double records(long N) {
  Particles P{{"particles", N}, {"path", N}};
  parallel_for("start", c::Bounds<1>(N), [=](long I) {
    P.All(I) = {float(I), 0.5f};
    P.Path(I) = 0;
  });
  for (int Step = 0; Step < 4; ++Step)
    parallel_for("move", c::Bounds<1>(N), [=](long I) {
      P.All(I).X += P.All(I).V;
      P.Path(I) += P.All(I).X;
    });
  return sumOnHost(P.Path);
}

} // namespace

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "extent of the first dimension", 30, 3, 100000);
  const long N = E.size(), M = 13;

  E.run(
      "c-style", [&] { return cStyle(N, M); },
      expected(N * M, [&](long I) { return I / M + 2 * (I % M); }));
  E.run(
      "fortran-style", [&] { return fortranStyle(N, M); },
      expected((N + 2) * (M + 2), [&](long At) {
        long I = At % (N + 2), J = At / (N + 2);
        if (I < 1 || I > N || J < 1)
          return -1L;
        return J <= M ? I + 10 * J : -I;
      }));
  E.run(
      "strides", [&] { return strides(N, M); }, expected(N * M, [&](long At) {
        long I = At / M, J = At % M;
        return I >= 2 && J % 2 == 0 ? I * J : 1;
      }));
  E.run(
      "slices", [&] { return slices(N, M); }, expected(N * M * 4, [&](long At) {
        long Plane = At / 4 / M, Row = At / 4 % M;
        return Plane == N / 2 ? 2 + Row : 1;
      }));
  E.run(
      "copies", [&] { return copies(E, N); },
      expected(N, [](long I) { return (I ? 3 + I : 100) + 6; }));
  E.run(
      "stack-arrays", [&] { return stackArrays(N); },
      expected(N * 3, [](long At) {
        long I = At / 3, J = At % 3;
        return 3 * I + 3 + I + J;
      }));
  E.run(
      "records", [&] { return records(N); },
      expected(N, [](long I) { return 4 * I + 0.5 * (1 + 2 + 3 + 4); }));
  return E.finish();
}
