// Records, rows beside what all threads read alike, windows, several places in
// one region, lambdas: what is read, and where it stands in the kernel.
//
// RUN: %build_plain_and_staged
// RUN: %run_plain_and_staged --kernels 14
#include "Inputs/staged.h"

#include <initializer_list>

namespace {
constexpr int N = 389;

template <class Body>
void forall(int Count, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Count; ++I)
    Loop(I);
}

/// Records of Count elements.
template <class T, int Count>
void recordsFewer(int Shift) {
  staged::Array<T> A(N * Count, Shift);
  staged::Array<double> B(N);
  const T *From = A.device();
  double *To = B.device();
  forall(N, [=](int I) {
    const T *R = From + I * Count;
    double Sum = 0;
    for (int J = 0; J < Count; ++J)
      Sum = Sum * 0.5 + R[J];
    To[I] = Sum;
  });
  B.read();
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < Count; ++J)
      Sum = Sum * 0.5 + A.host()[I * Count + J];
    check::value("B", B.host()[I], Sum, I);
  }
}

/// A record with fields of several types, of which some are not read.
struct Particle {
  double X, Y;
  float Mass;
  short Kind;
  char Flags[10];
  double Energy;
  Particle(int I = 0)
      : X(I), Y(2 * I), Mass(I % 7), Kind(I % 5), Flags{char(I)}, Energy(I) {}
};

struct View {
  const double *Data;
  int Columns;
  const double &operator()(int I, int J) const { return Data[I * Columns + J]; }
};

void productFewer(const View &A, const double *X, double *Y, int M) {
  forall(N, [=](int I) {
    double Sum = 0;
    for (int J = 0; J < M; ++J)
      Sum += A(I, J) * X[J];
    Y[I] = Sum;
  });
}

void jacobiFewer(const View &A, const double *X, const double *B, double *Y,
                 int M) {
  forall(N, [=](int I) {
    double Sum = B[I];
    for (int J = 0; J < M; ++J)
      if (J != I)
        Sum -= A(I, J) * X[J];
    Y[I] = Sum / (1 + A(I, 0) * A(I, 0));
  });
}

/// Rows that begin differently within a sector.
void twoRowsFewer(const float *A, const float *B, float *Y, int M) {
  forall(N, [=](int I) {
    float Sum = 0;
    for (int J = 0; J < M; ++J)
      Sum += A[I * M + J] * B[I * (M + 2) + J];
    Y[I] = Sum;
  });
}

/// Threads of a warp come to the loop in different rounds, so that they have
/// different rows of X in common.
void inRounds(const long *A, const long *X, long *Y, int Rounds, int M) {
  forall(N, [=](int I) {
    long Sum = I;
    for (int Round = 0; Round < Rounds; ++Round) {
      if ((I + Round) % 3 == 0)
        continue;
      for (int J = 0; J < M; ++J)
        Sum = 3 * Sum + A[I * M + J] * X[Round * M + J];
      Sum /= 2;
    }
    Y[I] = Sum;
  });
}

void windowFewer(const float *A, float *Y, int M, int Pitch) {
  forall(N, [=](int I) {
    float Sum = 0;
    for (int J = 1; J < M - 1; ++J)
      Sum += A[I * Pitch + J - 1] - 2 * A[I * Pitch + J] + A[I * Pitch + J + 1];
    Y[I] = Sum;
  });
}

void offsetsFewer(const int *Starts, const int *Columns, const long *Values,
                  long *Y) {
  forall(N, [=](int I) {
    long Sum = 0;
    for (int K = Starts[I]; K < Starts[I + 1]; ++K)
      Sum = 7 * Sum + Values[K] * Columns[K];
    Y[I] = Sum;
  });
}

/// Loops and records within branches and other loops, some left early.
void branches(const int *A, const int *B, long *Y, int M) {
  forall(N, [=](int I) {
    long Sum = 0;
    if (I % 3 == 0) {
      Y[I] = -1;
      return;
    }
    for (int Round = 0; Round < I % 4; ++Round) {
      for (int J = 0; J < M; ++J)
        Sum = 3 * Sum + A[I * M + J];
      if (Sum % 5 == 0)
        break;
      if (Sum % 2) {
        for (int J = Round; J < M; J += 2)
          Sum = 5 * Sum - B[I * M + J];
      } else {
        const int *R = B + I * M;
        Sum += R[0] * 2l - R[1] + R[2] * 3l + R[4] - R[6] * 7l;
      }
    }
    switch (Sum % 4) {
    case 0:
      for (int J = 0; J < M; ++J)
        Sum += A[I * M + J] ^ J;
      break;
    case 1:
      Sum = -Sum;
      break;
    default:
      for (int J = 0; J < M - 1; ++J)
        Sum -= B[I * M + J + 1] * J;
    }
    Y[I] = Sum;
  });
}
} // namespace

PROGRAM(records_of_doubles) {
  recordsFewer<double, 3>(0);
  recordsFewer<double, 5>(1);
  recordsFewer<double, 6>(3);
}
PROGRAM(records_of_others) {
  recordsFewer<int, 7>(2);
  recordsFewer<short, 13>(5);
  recordsFewer<char, 33>(7);
}

PROGRAM(particles) {
  staged::Array<Particle> P(N);
  staged::Array<double> B(N);
  const Particle *From = P.device();
  double *To = B.device();
  forall(N, [=](int I) {
    const Particle &R = From[I];
    To[I] = R.X * R.Mass + R.Y * R.Kind - R.Energy;
  });
  B.read();
  for (int I = 0; I < N; ++I) {
    const Particle &R = P.host()[I];
    check::value("B", B.host()[I], R.X * R.Mass + R.Y * R.Kind - R.Energy, I);
  }
}

PROGRAM(products) {
  for (int M : {0, 1, 32, 101})
    for (int Shift : {0, 3}) {
      staged::Array<double> A(N * (M + 1), Shift), X(M, 3 - Shift), B(N), Y(N);
      productFewer({A.device(), M + 1}, X.device(), Y.device(), M);
      Y.read();
      jacobiFewer({A.device(), M + 1}, X.device(), B.device(), Y.device(), M);
      Y.read();
    }
}

PROGRAM(two_rows) {
  for (int M : {31, 64, 96})
    for (int Shift : {0, 1, 6}) {
      staged::Array<float> A(N * M, Shift), B(N * (M + 2), 3), Y(N);
      twoRowsFewer(A.device(), B.device(), Y.device(), M);
      Y.read();
    }
}

PROGRAM(rounds) {
  for (int M : {5, 70}) {
    staged::Array<long> A(N * M), X(4 * M), Y(N);
    inRounds(A.device(), X.device(), Y.device(), 4, M);
    Y.read();
  }
}

PROGRAM(windows) {
  for (int M : {0, 2, 3, 34, 97})
    for (int Pitch : {M, M + 5}) {
      staged::Array<float> A(N * Pitch, M % 4), Y(N);
      windowFewer(A.device(), Y.device(), M, Pitch);
      Y.read();
    }
}

PROGRAM(rows_of_any_length) {
  staged::Array<int> Starts(N + 1);
  Starts.host()[0] = 0;
  for (int I = 0; I < N; ++I)
    Starts.host()[I + 1] =
        Starts.host()[I] + (I % 50 == 7 ? 300 : I % 5 ? I * 13 % 45
                                                      : 0);
  Starts.write();
  staged::Array<int> Columns(Starts.host()[N]);
  staged::Array<long> Values(Starts.host()[N]), Y(N);
  offsetsFewer(Starts.device(), Columns.device(), Values.device(), Y.device());
  Y.read();
  for (int I = 0; I < N; ++I) {
    long Sum = 0;
    for (int K = Starts.host()[I]; K < Starts.host()[I + 1]; ++K)
      Sum = 7 * Sum + Values.host()[K] * Columns.host()[K];
    check::value("Y", Y.host()[I], Sum, I);
  }
}

PROGRAM(branches_around) {
  for (int M : {7, 8, 40}) {
    staged::Array<int> A(N * M), B(N * M, 1);
    staged::Array<long> Y(N);
    branches(A.device(), B.device(), Y.device(), M);
    Y.read();
  }
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
