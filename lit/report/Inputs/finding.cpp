// The last thread reads behind what is mapped.
#include <cstdio>

int main() {
  const int N = 128;
  static int A[N + 1], B[N];
  int *In = A, *Out = B;
#pragma omp target teams distribute parallel for num_teams(2) \
    map(to : In[0 : N]) map(from : Out[0 : N])
  for (int I = 0; I < N; ++I)
    Out[I] = In[I + 64 * (I / 127)];
  std::printf("%d\n", B[3]);
}
