// One thread of a team does the work, and the others wait in generic mode.
// (Built with -mllvm -openmp-opt-disable-spmdization.)
#include <cstdio>
#include <vector>

int main() {
  const int N = 64;
  std::vector<double> A(N * N, 1), Sums(N);
  double *In = A.data(), *Out = Sums.data();
#pragma omp target teams distribute thread_limit(64) map(to : In[0 : N * N]) \
    map(from : Out[0 : N])
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < N; ++J)
      Sum += In[I * N + J];
    Out[I] = Sum;
  }
  std::printf("%g\n", Out[3]);
}
