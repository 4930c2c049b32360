// Nested loops on the RAJA-like layer. The policy of a nest says which loop
// runs where and which body comes when; the bodies arrive at the target region
// in a tuple of lambdas, in a record with the segments and the parameters, in a
// functor. Four levels down in it are the views and their pointers.
//
// RUN: %wrong_without_ferry
#include "../example.h"
#include "raja_like.h"

using namespace raja_like;

namespace {

double element(long I) { return I % 11 + 0.25; }
double other(long I) { return I % 7 - 3; }

using Vector = std::vector<double>;
Vector hostCopy(long N, double Init(long)) {
  Vector Result(N);
  for (long I = 0; I < N; ++I)
    Result[I] = Init(I);
  return Result;
}

// A checksum that notices elements that changed places.
double sum(const Vector &V) {
  double Sum = 0;
  for (size_t I = 0; I < V.size(); ++I)
    Sum += V[I] * double(I % 101 + 1);
  return Sum;
}

Vector multiply(long N, const Vector &A, const Vector &B) {
  Vector C(N * N);
  for (long I = 0; I < N; ++I)
    for (long J = 0; J < N; ++J)
      for (long K = 0; K < N; ++K)
        C[I * N + J] += A[I * N + K] * B[K * N + J];
  return C;
}

// Three bodies and a parameter: each pair of I and J has its own Dot.
void matrixMultiply(long N, double *A, double *B, double *C) {
  auto X = makeView(A, N, N), Y = makeView(B, N, N), Z = makeView(C, N, N);
  using Nest = Collapse<Device, Args<0, 1>, Lambda<0>,
                        For<2, Sequential, Lambda<1>>, Lambda<2>>;
  kernelWith<Nest>(
      std::tuple(Range{0, N}, Range{0, N}, Range{0, N}), std::tuple(0.0),
      [=](long, long, long, double &Dot) { Dot = 0; },
      [=](long I, long J, long K, double &Dot) { Dot += X(I, K) * Y(K, J); },
      [=](long I, long J, long, double &Dot) { Z(I, J) = Dot; });
}

// The outer loop runs on the device, the inner one within each iteration.
void rowSums(long N, double *A, double *Sums) {
  auto X = makeView(A, N, N);
  auto S = makeView(Sums);
  using Nest = For<0, Device, Lambda<0>, For<1, Sequential, Lambda<1>>>;
  kernel<Nest>(
      std::tuple(Range{0, N}, Range{0, N}), [=](long I, long) { S(I) = 0; },
      [=](long I, long J) { S(I) += X(I, J); });
}

// The same data in the other order of storage.
void transpose(long N, double *A, double *B) {
  auto From = makeView(A, N, N);
  View<double, Layout<2>> To(B, Layout<2>::make({N, N}, {1, 0}));
  kernel<Collapse<Device, Args<0, 1>, Lambda<0>>>(
      std::tuple(Range{0, N}, Range{0, N}),
      [=](long I, long J) { To(I, J) = From(I, J); });
}

// A loop on the host around a loop on the device: a launch for each step.
void smooth(long N, double *A, double *B) {
  View<double, Layout<2>> Both[] = {makeView(A, N, N), makeView(B, N, N)};
  auto Old = Both[0], New = Both[1];
  using Nest = For<0, Sequential, Collapse<Device, Args<1, 2>, Lambda<0>>,
                   Collapse<Device, Args<2, 1>, Lambda<1>>>;
  kernel<Nest>(
      std::tuple(Range{0, 3}, Range{1, N - 1}, Range{1, N - 1}),
      [=](long, long I, long J) {
        New(I, J) =
            (Old(I - 1, J) + Old(I + 1, J) + Old(I, J - 1) + Old(I, J + 1)) / 4;
      },
      [=](long, long I, long J) { Old(I, J) = New(I, J); });
}
void smoothOnHost(long N, Vector &Old) {
  for (int Step = 0; Step < 3; ++Step) {
    Vector New = Old;
    for (long I = 1; I < N - 1; ++I)
      for (long J = 1; J < N - 1; ++J)
        New[I * N + J] = (Old[(I - 1) * N + J] + Old[(I + 1) * N + J] +
                          Old[I * N + J - 1] + Old[I * N + J + 1]) /
                         4;
    Old = New;
  }
}

// Some rows, from a list in a segment; what is added to them comes as a
// parameter, a pointer.
void addToRows(long N, IndexList Rows, double *Added, double *A) {
  auto X = makeView(A, N, N);
  kernelWith<Collapse<Device, Args<0, 1>, Lambda<0>>>(
      std::tuple(Rows, Range{0, N}), std::tuple(Added),
      [=](int I, long J, double *From) { X(I, J) += From[J]; });
}

} // namespace

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "rows and columns of the matrices", 24, 4, 10000);
  const long N = E.size();
  const Vector HostA = hostCopy(N * N, element), HostB = hostCopy(N * N, other);
  Buffer<double> A(N * N, element), B(N * N, other);

  // All numbers are multiples of 1/4 and small: sums are exact in any order.
  E.run(
      "matrix-multiply",
      [&] {
        Buffer<double> C(N * N, other);
        matrixMultiply(N, A, B, C);
        return sum(C.fetch());
      },
      sum(multiply(N, HostA, HostB)));

  Vector Sums(N);
  for (long I = 0; I < N * N; ++I)
    Sums[I / N] += HostA[I];
  E.run(
      "row-sums",
      [&] {
        Buffer<double> S(N, other);
        rowSums(N, A, S);
        return sum(S.fetch());
      },
      sum(Sums));

  Vector Transposed(N * N);
  for (long I = 0; I < N * N; ++I)
    Transposed[I % N * N + I / N] = HostA[I];
  E.run(
      "transpose",
      [&] {
        Buffer<double> T(N * N, other);
        transpose(N, A, T);
        return sum(T.fetch());
      },
      sum(Transposed));

  Vector Smooth = HostA;
  smoothOnHost(N, Smooth);
  E.run(
      "smooth",
      [&] {
        Buffer<double> Old(N * N, element), New(N * N, other);
        smooth(N, Old, New);
        return sum(Old.fetch());
      },
      sum(Smooth));

  Vector Added = HostA;
  for (long I = 1; I < N; I += 2)
    for (long J = 0; J < N; ++J)
      Added[I * N + J] += HostB[J];
  Buffer<int> Odd(N / 2, [](long I) { return 2 * I + 1; });
  E.run(
      "some-rows",
      [&] {
        Buffer<double> X(N * N, element);
        addToRows(N, {Odd, Odd + N / 2}, B, X);
        return sum(X.fetch());
      },
      sum(Added));
  return E.finish();
}
