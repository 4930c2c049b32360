// What kernels of the YAKL-like layer do together: scalars that live out of a
// kernel, reductions of arrays, atomic operations, and two levels of
// parallelism.
//
// RUN: %wrong_without_ferry
#include "../example.h"
#include "yakl_like.h"

using namespace yakl_like;
using c::Bounds;

namespace {

// Small whole numbers: sums are exact in any order.
int value(long I) { return (I * 37) % 101 - 50; }

template <typename T> c::Array<T, 1, Device> makeValues(long N) {
  c::Array<T, 1, Host> A("values", N);
  for (long I = 0; I < N; ++I)
    A(I) = value(I);
  return A.createDeviceCopy();
}

// An error found by a kernel: the usual scalar that lives out.
double liveOut(long N) {
  auto A = makeValues<double>(N);
  ScalarLiveOut<bool> Found(false);
  ScalarLiveOut<double> First(-1);
  parallel_for("check", Bounds<1>(N), [=](long I) {
    if (A(I) > 50)
      Found = true;
    if (I == 0)
      First = A(0);
  });
  const bool Before = Found.hostRead();
  parallel_for("break", Bounds<1>(1), [=](long) { A(N / 2) = 1000; });
  parallel_for("check", Bounds<1>(N), [=](long I) {
    if (A(I) > 50)
      Found = true;
  });
  return First.hostRead() + 1000 * Before + 100 * Found.hostRead();
}

double reductions(long N) {
  auto A = makeValues<double>(N);
  const double Limit = 20;
  return sum(A) + 3 * minval(A) + 7 * maxval(A) +
         11 * count(A, [=](double V) { return V > Limit; });
}

// The predicate holds an array as well.
double countBelow(long N) {
  auto A = makeValues<double>(N), Limits = makeValues<double>(101);
  return count(A, [=](double V) { return V < Limits(7) + 10; });
}

double atomics(long N) {
  auto A = makeValues<int>(N);
  c::Array<int, 1, Device> Bins("bins", 10), Least("least", 10),
      Most("most", 10);
  Bins = 0;
  Least = 1000;
  Most = -1000;
  parallel_for("bins", Bounds<1>(N), [=](long I) {
    const int Bin = (A(I) + 50) / 11;
    atomicAdd(Bins(Bin), 1);
    atomicMin(Least(Bin), A(I));
    atomicMax(Most(Bin), A(I));
  });
  auto B = Bins.createHostCopy(), L = Least.createHostCopy(),
       M = Most.createHostCopy();
  double Sum = 0;
  for (int I = 0; I < 10; ++I)
    Sum += (I + 1) * (B(I) + 100.0 * L(I) + 10000.0 * M(I));
  return Sum;
}
double atomicsOnHost(long N) {
  int B[10] = {}, L[10], M[10];
  std::fill_n(L, 10, 1000);
  std::fill_n(M, 10, -1000);
  for (long I = 0; I < N; ++I) {
    const int V = value(I), Bin = (V + 50) / 11;
    ++B[Bin];
    L[Bin] = std::min(L[Bin], V);
    M[Bin] = std::max(M[Bin], V);
  }
  double Sum = 0;
  for (int I = 0; I < 10; ++I)
    Sum += (I + 1) * (B[I] + 100.0 * L[I] + 10000.0 * M[I]);
  return Sum;
}

const long Columns = 40;

// A team for each row: its threads sum the row by atomic operations in a
// variable of the team, then one thread writes it, then all of them use it.
// What inner loops capture by reference are variables of the outer one, among
// them its own captures.
double hierarchy(long Rows) {
  c::Array<double, 2, Device> A("a", Rows, Columns);
  c::Array<double, 1, Device> Sums("sums", Rows);
  parallel_for("fill", Bounds<2>(Rows, Columns),
               [=](long I, long J) { A(I, J) = value(I * Columns + J); });
  parallel_outer("rows", Bounds<1>(Rows), [=](long I, InnerHandler Handler) {
    double Sum = 0;
    SArray<double, Columns> Squares;
    parallel_inner(
        Bounds<1>(Columns),
        [&](long J) {
          Squares(J) = A(I, J) * A(I, J);
          atomicAdd(Sum, A(I, J));
        },
        Handler);
    single_inner([&] { Sums(I) = Sum; }, Handler);
    parallel_inner(
        Bounds<1>(Columns),
        [&](long J) { A(I, J) = Squares(Columns - 1 - J) + Sums(I); }, Handler);
  });
  auto OnHost = A.createHostCopy();
  double Result = 0;
  for (long I = 0; I < A.size(); ++I)
    Result += OnHost.data()[I] * double(I % 101 + 1);
  return Result;
}
double hierarchyOnHost(long Rows) {
  double Result = 0;
  for (long I = 0; I < Rows; ++I) {
    double Sum = 0;
    for (long J = 0; J < Columns; ++J)
      Sum += value(I * Columns + J);
    for (long J = 0; J < Columns; ++J) {
      const double V = value(I * Columns + Columns - 1 - J);
      Result += (V * V + Sum) * double((I * Columns + J) % 101 + 1);
    }
  }
  return Result;
}

} // namespace

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "elements, and rows of a matrix", 60, 1, 1000000);
  const long N = E.size();
  double Sum = 0, Least = 1000, Most = -1000, Above = 0, Below = 0;
  for (long I = 0; I < N; ++I) {
    Sum += value(I);
    Least = std::fmin(Least, value(I));
    Most = std::fmax(Most, value(I));
    Above += value(I) > 20;
    Below += value(I) < value(7) + 10;
  }
  E.run("live-out", [&] { return liveOut(N); }, value(0) + 100);
  E.run(
      "reductions", [&] { return reductions(N); },
      Sum + 3 * Least + 7 * Most + 11 * Above);
  E.run("count-below", [&] { return countBelow(N); }, Below);
  E.run("atomics", [&] { return atomics(N); }, atomicsOnHost(N));
  E.run("hierarchy", [&] { return hierarchy(N); }, hierarchyOnHost(N));
  return E.finish();
}
