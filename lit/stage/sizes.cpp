// Rows of every element type, of sizes around those of warps, blocks and tiles,
// at any alignment.
//
// RUN: %build_plain_and_staged
// RUN: %run_plain_and_staged --kernels 7
#include "Inputs/staged.h"

namespace {
struct alignas(16) Pair {
  double X, Y;
  Pair(int I = 0) : X(I), Y(1.25 * I) {}
  Pair operator+(Pair P) const {
    P.X += X;
    P.Y += Y;
    return P;
  }
  bool operator==(Pair P) const { return X == P.X && Y == P.Y; }
  explicit operator double() const { return X; }
};

constexpr int Sizes[] = {0, 1, 31, 32, 33, 127, 128, 129, 251};
constexpr int Lengths[] = {0, 1, 7, 32, 33, 67, 132};

template <class T, class Sum>
void rowsFewer(const T *A, Sum *Sums, int N, int M, int Stride) {
#pragma omp target teams distribute parallel for is_device_ptr(A, Sums)
  for (int I = 0; I < N; ++I) {
    Sum S(0);
    for (int J = 0; J < M; ++J)
      S = S + Sum(A[I * Stride + J]);
    Sums[I] = S;
  }
}

template <class T, class Sum>
void allSizes() {
  for (int N : Sizes)
    for (int M : Lengths) {
      // Rows side by side, and rows with gaps; any alignment.
      int Stride = M + N % 4 * 3, Shift = (N + M) % 7;
      if (N > 130 && M < 30)
        continue;
      staged::Array<T> A(N ? (N - 1) * Stride + M : 0, Shift);
      staged::Array<Sum> Sums(N);
      rowsFewer<T, Sum>(A.device(), Sums.device(), N, M, Stride);
      Sums.read();
      for (int I = 0; I < N; ++I) {
        Sum S(0);
        for (int J = 0; J < M; ++J)
          S = S + Sum(A.host()[I * Stride + J]);
        check::value("Sums", Sums.host()[I], S, I);
      }
    }
}
} // namespace

PROGRAM(characters) { allSizes<signed char, int>(); }
PROGRAM(shorts) { allSizes<short, long>(); }
PROGRAM(integers) { allSizes<int, unsigned>(); }
PROGRAM(longs) { allSizes<long, long>(); }
PROGRAM(floats) { allSizes<float, float>(); }
PROGRAM(doubles) { allSizes<double, double>(); }
PROGRAM(pairs) { allSizes<Pair, Pair>(); }

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
