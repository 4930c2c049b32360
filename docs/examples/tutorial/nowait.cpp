// Transfers and kernels as tasks: nowait lets the host go on, depend puts those
// in order that must be, taskwait waits for all. An array goes through the
// device in blocks, each sent, worked on and brought back by tasks of its own,
// while the host does a share of the work itself.
//
//   ferry-clang++ -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu nowait.cpp
//
// The kernel of the second version runs when the function that launched it may
// have returned, so firstprivate keeps the lambda with the task; Ferry
// translates its pointers when the task runs. With Clang alone the program
// crashes.
#include "../example.h"
#include <algorithm>
#include <vector>

const int Blocks = 4;

static double work(double X) { return 3 * X + 1; }

// The loop as a template: nothing in it is about the data, but the order in
// which tasks on the same data run.
template <typename Body>
void forallLater(int Begin, int End, const double *Order, Body Loop) {
#pragma omp target teams distribute parallel for nowait depend(                \
        inout : Order[0]) firstprivate(Loop)
  for (int I = Begin; I < End; ++I)
    Loop(I);
}

struct View {
  double *Data;
};

static void launch(double *A, int Begin, int End) {
#pragma omp target teams distribute parallel for nowait depend(inout : A[Begin])
  for (int I = Begin; I < End; ++I)
    A[I] = work(A[I]);
}

static void launchLambda(double *A, int Begin, int End) {
  View V{A};
  forallLater(Begin, End, A + Begin,
              [=](int I) { V.Data[I] = work(V.Data[I]); });
}

// The device takes the first half, the host the second.
static void pipeline(double *A, int N, void (*Launch)(double *, int, int)) {
  int Half = N / 2, Length = (Half + Blocks - 1) / Blocks;
#pragma omp target enter data map(alloc : A[0 : Half])
  for (int Begin = 0; Begin < Half; Begin += Length) {
    int End = std::min(Begin + Length, Half);
#pragma omp target update to(A[Begin : End - Begin])                           \
    nowait depend(inout : A[Begin])
    Launch(A, Begin, End);
    Launch(A, Begin, End);
#pragma omp target update from(A[Begin : End - Begin])                         \
    nowait depend(inout : A[Begin])
  }
  for (int I = Half; I < N; ++I)
    A[I] = work(work(A[I]));
#pragma omp taskwait
#pragma omp target exit data map(release : A[0 : Half])
}

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "length of the array", 1000, 2, 10000000);
  int N = E.size();
  std::vector<double> A(N);

  auto Run = [&](const char *Name, auto *Launch) {
    auto Body = [&] {
      for (int I = 0; I < N; ++I)
        A[I] = I;
      pipeline(A.data(), N, Launch);
      double Sum = 0;
      for (double Element : A)
        Sum += Element;
      return Sum;
    };
    // 3 (3 x + 1) + 1 = 9 x + 4, summed over 0 to N - 1: exact.
    E.run(Name, Body, 4.5 * N * (N - 1.0) + 4.0 * N);
  };
  Run("nowait", launch);
  Run("nowait-lambda", launchLambda);
  return E.finish();
}
// RUN: %wrong_without_ferry
