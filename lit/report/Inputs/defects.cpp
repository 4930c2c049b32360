// One kernel for each thing that ferry-report gives advice about.
#include <cstdio>
#include <omp.h>
#include <vector>

const int N = 1024, Small = 64;

struct Particle {
  double X, Y, Z, Mass;
};

// Of each record of 32 bytes one field is read.
void fields(const Particle *P, double *Out) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Out[I] = P[I].Mass;
}

// A row for each thread, until the data say stop.
void rows(const double *A, double *Out) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < Small; ++J) {
      if (A[I * Small + J] < 0)
        break;
      Sum += A[I * Small + J];
    }
    Out[I] = Sum;
  }
}

// Each team has 64 threads, and no loop for them.
void oneThread(const double *A, double *Out) {
#pragma omp target teams distribute thread_limit(64)
  for (int I = 0; I < Small; ++I) {
    double Sum = 0;
    for (int J = 0; J < Small; ++J)
      Sum += A[I * Small + J];
    Out[I] = Sum;
  }
}

void diverge(const double *A, double *Out) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I) {
    double Value = A[I];
    if (I & 1)
      for (int J = 0; J < Small / 2; ++J)
        Value = Value * Value + A[J];
    Out[I] = Value;
  }
}

void countAll(int *Count) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
#pragma omp atomic
    *Count += I;
}

// Threads of a warp read a column of 32 x 32 words.
void columns(const float *In, float *Out) {
#pragma omp target teams num_teams(4) thread_limit(32)
  {
    float Tile[32][32];
#pragma omp allocate(Tile) allocator(omp_pteam_mem_alloc)
#pragma omp parallel num_threads(32)
    {
#pragma omp for
      for (int I = 0; I < 32; ++I)
        for (int J = 0; J < 32; ++J)
          Tile[J][I] = In[J * 32 + I];
#pragma omp for
      for (int I = 0; I < 32; ++I) {
        float Sum = 0;
        for (int J = 0; J < 32; ++J)
          Sum += Tile[I][J];
        Out[I] = Sum;
      }
    }
  }
}

// Sent and brought back for each step.
void steps(double *A) {
  for (int Step = 0; Step < 4; ++Step)
#pragma omp target teams distribute parallel for map(tofrom : A[0 : N])
    for (int I = 0; I < N; ++I)
      A[I] += 1;
}

int main() {
  std::vector<Particle> P(N, Particle{1, 2, 3, 4});
  std::vector<double> A(N * Small, 1), Out(N);
  std::vector<float> F(32 * 32, 1), G(32);
  int Count = 0;
  const Particle *Particles = P.data();
  double *Data = A.data(), *Result = Out.data(), *Step = Out.data();
  float *In = F.data(), *Sums = G.data();
#pragma omp target data map(to : Particles[0 : N], Data[0 : N * Small]) \
    map(from : Result[0 : N])
  {
    fields(Particles, Result);
    rows(Data, Result);
    oneThread(Data, Result);
    diverge(Data, Result);
  }
#pragma omp target data map(tofrom : Count)
  countAll(&Count);
#pragma omp target data map(to : In[0 : 32 * 32]) map(from : Sums[0 : 32])
  columns(In, Sums);
  steps(Step);
  std::printf("%d %g\n", Count, Sums[0] + Out[1]);
}
