// The five kernels of BabelStream on the RAJA-like layer: how fast memory moves
// when every access goes through a view inside a lambda inside the layer.
//
//   ferry-clang++ -O3 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu stream.cpp
//   ./a.out 10000000 --bench=100
//
// Bytes moved by one call, for arrays of n: copy and mul 16 n, add and triad
// 24 n, dot 16 n.
//
// RUN: %wrong_without_ferry
#include "../example.h"
#include "raja_like.h"

using namespace raja_like;

namespace {

constexpr double Scalar = 0.4;

// All elements of an array are equal, and these are their values. Each kernel
// gives the same when it is called again.
struct Values {
  double A = 0.1, B = 0.2, C = 0;
};

class Stream {
public:
  explicit Stream(long N)
      : N(N), A(N, [](long) { return Values().A; }),
        B(N, [](long) { return Values().B; }),
        C(N, [](long) { return Values().C; }) {}

  double copy() {
    auto From = makeView(A.data()), To = makeView(C.data());
    forall<Device>(Range{0, N}, [=](long I) { To(I) = From(I); });
    return C.fetch(N / 2, 1)[0];
  }
  double mul() {
    auto From = makeView(C.data()), To = makeView(B.data());
    forall<Device>(Range{0, N}, [=](long I) { To(I) = Scalar * From(I); });
    return B.fetch(N / 2, 1)[0];
  }
  double add() {
    auto X = makeView(A.data()), Y = makeView(B.data()),
         To = makeView(C.data());
    forall<Device>(Range{0, N}, [=](long I) { To(I) = X(I) + Y(I); });
    return C.fetch(N / 2, 1)[0];
  }
  double triad() {
    auto X = makeView(B.data()), Y = makeView(C.data()),
         To = makeView(A.data());
    forall<Device>(Range{0, N}, [=](long I) { To(I) = X(I) + Scalar * Y(I); });
    return A.fetch(N / 2, 1)[0];
  }
  double dot() {
    auto X = makeView(A.data()), Y = makeView(B.data());
    double Sum = 0;
    forall<Device>(Range{0, N}, reducers(reduce<Plus>(Sum)),
                   [=](long I, double &S) { S += X(I) * Y(I); });
    return Sum;
  }

  // The largest relative error of all elements; NaN if there is one.
  double error(const Values &Expected) {
    return std::fmax(error(A, Expected.A),
                     std::fmax(error(B, Expected.B), error(C, Expected.C)));
  }

private:
  static double error(Buffer<double> &Got, double Expected) {
    double Worst = 0;
    for (double V : Got.fetch()) {
      double Error = std::fabs(V - Expected) / Expected;
      if (!(Error <= Worst))
        Worst = Error;
    }
    return Worst;
  }

  long N;
  Buffer<double> A, B, C;
};

} // namespace

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "elements of each array", 1000, 1, 1000000000);
  const long N = E.size();
  Stream S(N);
  Values V;
  // The device may fuse a multiplication and an addition, once for each kernel.
  const double Rounding = 1e-15;

  if (E.run("copy", [&] { return S.copy(); }, V.A))
    V.C = V.A;
  if (E.run("mul", [&] { return S.mul(); }, Scalar * V.C, Rounding))
    V.B = Scalar * V.C;
  if (E.run("add", [&] { return S.add(); }, V.A + V.B, Rounding))
    V.C = V.A + V.B;
  if (E.run("triad", [&] { return S.triad(); }, V.B + Scalar * V.C, Rounding))
    V.A = V.B + Scalar * V.C;
  // A sum of N positive numbers: the order can make N roundings differ.
  E.run("dot", [&] { return S.dot(); }, N * V.A * V.B, N * Rounding);
  E.check("largest error", S.error(V), 0, 4 * Rounding);
  return E.finish();
}
