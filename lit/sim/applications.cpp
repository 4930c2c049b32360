// Small applications, each compared with a serial program.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

#include <algorithm>
#include <vector>

PROGRAM(matrix_multiply) {
  constexpr int N = 40;
  static double A[N][N], B[N][N], C[N][N];
  for (int I = 0; I < N * N; ++I)
    A[0][I] = I % 7, B[0][I] = I % 5;
#pragma omp target teams distribute parallel for collapse(2) map(to : A, B) \
    map(from : C)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      double S = 0;
      for (int K = 0; K < N; ++K)
        S += A[I][K] * B[K][J];
      C[I][J] = S;
    }
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      double S = 0;
      for (int K = 0; K < N; ++K)
        S += A[I][K] * B[K][J];
      check::value("C", C[I][J], S, I * N + J);
    }
}

PROGRAM(jacobi) {
  constexpr int N = 32, Steps = 10;
  static double U[2][N][N], V[2][N][N];
  for (int I = 0; I < N; ++I)
    U[0][0][I] = U[1][0][I] = V[0][0][I] = V[1][0][I] = 64;
  double Change = 0, Want = 0;
#pragma omp target data map(tofrom : U)
  for (int S = 0; S < Steps; ++S) {
    Change = 0;
#pragma omp target teams distribute parallel for collapse(2) \
    reduction(max : Change)
    for (int I = 1; I < N - 1; ++I)
      for (int J = 1; J < N - 1; ++J) {
        double X = 0.25 * (U[S & 1][I - 1][J] + U[S & 1][I + 1][J] +
                           U[S & 1][I][J - 1] + U[S & 1][I][J + 1]);
        U[~S & 1][I][J] = X;
        Change = fmax(Change, fabs(X - U[S & 1][I][J]));
      }
  }
  for (int S = 0; S < Steps; ++S) {
    Want = 0;
    for (int I = 1; I < N - 1; ++I)
      for (int J = 1; J < N - 1; ++J) {
        double X = 0.25 * (V[S & 1][I - 1][J] + V[S & 1][I + 1][J] +
                           V[S & 1][I][J - 1] + V[S & 1][I][J + 1]);
        V[~S & 1][I][J] = X;
        Want = fmax(Want, fabs(X - V[S & 1][I][J]));
      }
  }
  check::value("Change", Change, Want);
  check::array("U", U[0][0], V[0][0], 2 * N * N);
}

PROGRAM(bodies) {
  constexpr int N = 60;
  struct Body {
    float X, Y, Z, Mass;
  } B[N];
  float Force[N][3];
  for (int I = 0; I < N; ++I)
    B[I] = {float(I % 4), float(I % 5), float(I % 7), 1.0f + I % 3};
#pragma omp target teams distribute parallel for map(to : B) map(from : Force)
  for (int I = 0; I < N; ++I) {
    float F[3] = {};
    for (int K = 0; K < N; ++K) {
      float D[3] = {B[K].X - B[I].X, B[K].Y - B[I].Y, B[K].Z - B[I].Z};
      float R = D[0] * D[0] + D[1] * D[1] + D[2] * D[2] + 0.01f;
      for (int L = 0; L < 3; ++L)
        F[L] += B[K].Mass * D[L] / (R * sqrtf(R));
    }
    for (int L = 0; L < 3; ++L)
      Force[I][L] = F[L];
  }
  for (int I = 0; I < N; ++I) {
    double F[3] = {};
    for (int K = 0; K < N; ++K) {
      double D[3] = {B[K].X - B[I].X, B[K].Y - B[I].Y, B[K].Z - B[I].Z};
      double R = D[0] * D[0] + D[1] * D[1] + D[2] * D[2] + 0.01;
      for (int L = 0; L < 3; ++L)
        F[L] += B[K].Mass * D[L] / (R * sqrt(R));
    }
    for (int L = 0; L < 3; ++L)
      check::close("Force", Force[I][L], F[L], 1e-4, I);
  }
}

namespace {
#pragma omp begin declare target
int escapeTime(int X, int Y) {
  double Re = X * 0.05 - 2, Im = Y * 0.1 - 1, A = 0, B = 0;
  int K = 0;
  while (A * A + B * B < 4 && K < 100) {
    double T = A * A - B * B + Re;
    B = 2 * A * B + Im;
    A = T;
    ++K;
  }
  return K;
}
#pragma omp end declare target
} // namespace

PROGRAM(mandelbrot) {
  constexpr int W = 60, H = 21;
  int Image[H][W];
#pragma omp target teams distribute parallel for collapse(2) map(from : Image) \
    schedule(static, 1)
  for (int Y = 0; Y < H; ++Y)
    for (int X = 0; X < W; ++X)
      Image[Y][X] = escapeTime(X, Y);
  int Different = 0;
  for (int Y = 0; Y < H; ++Y)
    for (int X = 0; X < W; ++X)
      Different += Image[Y][X] != escapeTime(X, Y);
  // Fused multiply-add may change the step in which a point escapes.
  check::value("nearly all points agree", Different < W * H / 100, true);
  check::value("a point within", Image[10][30], 100);
}

PROGRAM(bitonic_sort) {
  constexpr int N = 512;
  int A[N], Want[N];
  for (int I = 0; I < N; ++I)
    A[I] = Want[I] = I * 7919 % 1009;
  std::sort(Want, Want + N);
#pragma omp target data map(tofrom : A)
  for (int K = 2; K <= N; K *= 2)
    for (int J = K / 2; J > 0; J /= 2) {
#pragma omp target teams distribute parallel for
      for (int I = 0; I < N; ++I) {
        int L = I ^ J;
        if (L > I && (A[I] > A[L]) == ((I & K) == 0)) {
          int T = A[I];
          A[I] = A[L];
          A[L] = T;
        }
      }
    }
  check::array("A", A, Want, N);
}

PROGRAM(sort_in_a_team) {
  constexpr int N = 128;
  float A[N], Want[N];
  for (int I = 0; I < N; ++I)
    A[I] = Want[I] = I * 37 % 113;
  std::sort(Want, Want + N);
#pragma omp target parallel num_threads(N / 2) map(tofrom : A)
  for (int R = 0; R < N; ++R) {
    int I = 2 * omp_get_thread_num() + R % 2;
    if (I + 1 < N && A[I] > A[I + 1]) {
      float T = A[I];
      A[I] = A[I + 1];
      A[I + 1] = T;
    }
#pragma omp barrier
  }
  check::array("A", A, Want, N);
}

PROGRAM(sparse_matrix_vector) {
  constexpr int N = 150;
  std::vector<int> Begin{0}, Column;
  std::vector<double> Value;
  for (int I = 0; I < N; ++I) {
    for (int K = I % 4; K < N; K += 5 + I % 17) {
      Column.push_back(K);
      Value.push_back(I + 0.25 * K);
    }
    Begin.push_back(Column.size());
  }
  double X[N], Y[N];
  for (int I = 0; I < N; ++I)
    X[I] = I % 9;
  const int *B = Begin.data(), *C = Column.data(), M = Column.size();
  const double *V = Value.data();
#pragma omp target teams distribute parallel for map(to : B[0 : N + 1], C[0 : M], V[0 : M], X) map(from : Y)
  for (int I = 0; I < N; ++I) {
    double S = 0;
    for (int K = B[I]; K < B[I + 1]; ++K)
      S += V[K] * X[C[K]];
    Y[I] = S;
  }
  for (int I = 0; I < N; ++I) {
    double S = 0;
    for (int K = B[I]; K < B[I + 1]; ++K)
      S += V[K] * X[C[K]];
    check::value("Y", Y[I], S, I);
  }
}

PROGRAM(game_of_life) {
  constexpr int N = 24, Steps = 12;
  static char Cell[2][N][N], Want[2][N][N];
  for (int I = 0; I < N * N; ++I)
    Cell[0][0][I] = Want[0][0][I] = I * I % 11 < 4;
  auto Step = [](const char(&Old)[N][N], int I, int J) {
    int Count = 0;
    for (int A = -1; A <= 1; ++A)
      for (int B = -1; B <= 1; ++B)
        if (A || B)
          Count += Old[(I + A + N) % N][(J + B + N) % N];
    return char(Count == 3 || (Count == 2 && Old[I][J]));
  };
#pragma omp target data map(tofrom : Cell)
  for (int S = 0; S < Steps; ++S) {
#pragma omp target teams distribute parallel for collapse(2)
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < N; ++J)
        Cell[~S & 1][I][J] = Step(Cell[S & 1], I, J);
  }
  for (int S = 0; S < Steps; ++S)
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < N; ++J)
        Want[~S & 1][I][J] = Step(Want[S & 1], I, J);
  check::array("Cell", Cell[0][0], Want[0][0], 2 * N * N);
}

PROGRAM(gaussian_elimination) {
  constexpr int N = 24;
  double A[N][N + 1];
  for (int I = 0; I < N; ++I) {
    A[I][N] = 0;
    for (int J = 0; J < N; ++J) {
      A[I][J] = I == J ? 20 : (I * 3 + J) % 5 * 0.25;
      A[I][N] += A[I][J] * (J + 1);
    }
  }
#pragma omp target data map(tofrom : A)
  for (int K = 0; K < N; ++K) {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I)
      if (I != K) {
        double F = A[I][K] / A[K][K];
        for (int J = K; J <= N; ++J)
          A[I][J] -= F * A[K][J];
      }
  }
  for (int I = 0; I < N; ++I)
    check::close("X", A[I][N] / A[I][I], I + 1, 1e-10, I);
}

PROGRAM(sieve) {
  constexpr int N = 3000;
  static char Composite[N];
  memset(Composite, 0, N);
  int Count = 0;
#pragma omp target teams distribute parallel for map(tofrom : Composite)
  for (int P = 2; P < 55; ++P)
    for (int K = P * P; K < N; K += P) {
#pragma omp atomic write
      Composite[K] = 1;
    }
  for (int I = 2; I < N; ++I)
    Count += !Composite[I];
  check::value("primes below 3000", Count, 430);
}

PROGRAM(shortest_paths) {
  constexpr int N = 30;
  int D[N][N], Want[N][N];
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J)
      D[I][J] = Want[I][J] = I == J ? 0 : 1 + (I * 17 + J * 31) % 97;
#pragma omp target data map(tofrom : D)
  for (int K = 0; K < N; ++K) {
#pragma omp target teams distribute parallel for collapse(2)
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < N; ++J)
        if (I != K && J != K && D[I][K] + D[K][J] < D[I][J])
          D[I][J] = D[I][K] + D[K][J];
  }
  for (int K = 0; K < N; ++K)
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < N; ++J)
        Want[I][J] = std::min(Want[I][J], Want[I][K] + Want[K][J]);
  check::array("D", D[0], Want[0], N * N);
}

PROGRAM(monte_carlo) {
  constexpr int N = 200, Points = 50;
  auto Hits = [](unsigned Seed) {
    int Count = 0;
    unsigned long X = Seed * 6364136223846793005ul + 1;
    for (int K = 0; K < Points; ++K) {
      X = X * 6364136223846793005ul + 1442695040888963407ul;
      long A = X >> 48;
      X = X * 6364136223846793005ul + 1442695040888963407ul;
      long B = X >> 48;
      Count += A * A + B * B < 65536L * 65536;
    }
    return Count;
  };
  int Inside = 0, Want = 0;
#pragma omp target teams distribute parallel for reduction(+ : Inside)
  for (int I = 0; I < N; ++I)
    Inside += Hits(I);
  for (int I = 0; I < N; ++I)
    Want += Hits(I);
  check::value("Inside", Inside, Want);
}

PROGRAM(fourier_transform) {
  constexpr int N = 64;
  float Re[N], Im[N], In[N];
  for (int I = 0; I < N; ++I)
    In[I] = (I * 5 + 3) % 17;
#pragma omp target teams distribute parallel for map(to : In) map(from : Re, Im)
  for (int K = 0; K < N; ++K) {
    float A = 0, B = 0;
    for (int I = 0; I < N; ++I) {
      float Angle = -6.2831853f * (I * K % N) / N;
      A += In[I] * cosf(Angle);
      B += In[I] * sinf(Angle);
    }
    Re[K] = A, Im[K] = B;
  }
  for (int K = 0; K < N; ++K) {
    double A = 0, B = 0;
    for (int I = 0; I < N; ++I) {
      A += In[I] * cos(-2 * M_PI * (I * K % N) / N);
      B += In[I] * sin(-2 * M_PI * (I * K % N) / N);
    }
    check::close("Re", Re[K], A, 1e-3, K);
    check::close("Im", Im[K], B, 1e-3, K);
  }
}

PROGRAM(breadth_first_search) {
  constexpr int N = 120;
  int Level[N], Want[N], Changed = 1;
  for (int I = 0; I < N; ++I)
    Level[I] = Want[I] = I ? -1 : 0;
#pragma omp target data map(tofrom : Level)
  for (int L = 0; Changed; ++L) {
    Changed = 0;
#pragma omp target teams distribute parallel for reduction(| : Changed)
    for (int I = 0; I < N; ++I)
      if (Level[I] == L)
        for (int K : {I + 7, I * 2, I - 3})
          if (K >= 0 && K < N) {
            int Seen;
#pragma omp atomic read
            Seen = Level[K];
            if (Seen < 0) {
#pragma omp atomic write
              Level[K] = L + 1;
              Changed |= 1;
            }
          }
  }
  for (int L = 0, Again = 1; Again; ++L) {
    Again = 0;
    for (int I = 0; I < N; ++I)
      if (Want[I] == L)
        for (int K : {I + 7, I * 2, I - 3})
          if (K >= 0 && K < N && Want[K] < 0)
            Want[K] = L + 1, Again = 1;
  }
  check::array("Level", Level, Want, N);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
