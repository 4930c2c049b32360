// A kernel about which there is nothing to say.
#include <cstdio>
#include <vector>

int main() {
  const int N = 1 << 15;
  std::vector<double> A(N, 1), B(N, 2);
  double *X = A.data(), *Y = B.data();
#pragma omp target teams distribute parallel for map(to : X[0 : N]) \
    map(tofrom : Y[0 : N])
  for (int I = 0; I < N; ++I)
    Y[I] += 2 * X[I];
  std::printf("%g\n", Y[3]);
}
