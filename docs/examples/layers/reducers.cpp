// Reductions on the RAJA-like layer: values that loops hand to the body by
// reference, and sums that bodies capture, made by atomic operations.
//
// The layer's reducers hold the address of the result, which is for the host,
// after the loop. They travel to the device and back with it. In the last case
// that address is mapped, and still has to come back as it was.
//
// RUN: %wrong_without_ferry
#include "../example.h"
#include "raja_like.h"

#include <algorithm>
#include <numeric>

using namespace raja_like;

namespace {

// Small whole numbers: sums are exact in any order.
double element(long I) { return (I * 37) % 101 - 50; }

const int Bins = 16;

} // namespace

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "elements", 1000, 2, 100000000);
  const long N = E.size();
  std::vector<double> Host(N);
  for (long I = 0; I < N; ++I)
    Host[I] = element(I);
  const double HostSum = std::accumulate(Host.begin(), Host.end(), 0.0);
  const double Least = *std::min_element(Host.begin(), Host.end());
  const double Most = *std::max_element(Host.begin(), Host.end());
  Buffer<double> Data(N, element);
  auto X = makeView(Data.data());

  E.run(
      "sum",
      [&] {
        double Sum = 0;
        forall<Device>(Range{0, N}, reducers(reduce<Plus>(Sum)),
                       [=](long I, double &S) { S += X(I); });
        return Sum;
      },
      HostSum);

  // The result so far takes part.
  E.run(
      "sum-minimum-maximum",
      [&] {
        double Sum = 1000;
        double Low = Least + 1, High = Most + 1;
        int Count = 0;
        forall<Device>(Range{0, N},
                       reducers(reduce<Plus>(Sum), reduce<Minimum>(Low),
                                reduce<Maximum>(High), reduce<Plus>(Count)),
                       [=](long I, double &S, double &L, double &H, int &C) {
                         S += X(I);
                         L = Minimum::apply(L, X(I));
                         H = Maximum::apply(H, X(I));
                         C += X(I) == X(0);
                       });
        return Sum + 7 * Low + 11 * High + 13 * Count;
      },
      1000 + HostSum + 7 * Least + 11 * (Most + 1) +
          13 * double(std::count(Host.begin(), Host.end(), Host[0])));

  // Pointers in the segment and in the body.
  Buffer<int> Even((N + 1) / 2, [](long I) { return 2 * I; });
  double EvenSum = 0;
  forall<Sequential>(StridedRange{0, N, 2}, reducers(reduce<Plus>(EvenSum)),
                     [&](long I, double &S) { S += Host[I]; });
  E.run(
      "sum-over-list",
      [&] {
        double Sum = 0;
        forall<Device>(IndexList{Even, Even + Even.size()},
                       reducers(reduce<Plus>(Sum)),
                       [=](int I, double &S) { S += X(I); });
        return Sum;
      },
      EvenSum);

  E.run(
      "captured-sum",
      [&] {
        Buffer<double> Total(1, [](long) { return 0; });
        AtomicView<View<double>> Sum{makeView(Total.data())};
        forall<Device>(Range{0, N}, [=](long I) { Sum(0) += X(I); });
        return Total.fetch()[0];
      },
      HostSum);

  double Weighted = 0;
  for (double V : Host)
    Weighted += (long(V) + 50) % Bins + 1;
  E.run(
      "histogram",
      [&] {
        Buffer<int> Counts(Bins, [](long) { return 0; });
        AtomicView<View<int>> Count{makeView(Counts.data())};
        forall<Device>(Range{0, N},
                       [=](long I) { Count((long(X(I)) + 50) % Bins) += 1; });
        double Result = 0;
        std::vector<int> Got = Counts.fetch();
        for (int Bin = 0; Bin < Bins; ++Bin)
          Result += Got[Bin] * (Bin + 1.0);
        return Result;
      },
      Weighted);

  E.run(
      "mapped-result",
      [&] {
        Buffer<double> Cell(1, [](long) { return 0; });
        double &OnHost = Cell.data()[0];
        OnHost = 0;
        forall<Device>(Range{0, N}, reducers(reduce<Plus>(OnHost)),
                       [=](long I, double &S) { S += X(I); });
        return OnHost;
      },
      HostSum);
  return E.finish();
}
