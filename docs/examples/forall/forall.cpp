// A loop template like those of portable frameworks, and lambdas that hold
// pointers in three ways. No map clause names anything inside the lambdas.
//
//   ferry-clang++ -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu forall.cpp
//
// The host device has memory of its own, but can read the host's as well, so a
// pointer that was not translated does not crash: it reaches the host's array.
// To make that visible the host's arrays are overwritten once they are mapped.
#include <cstdio>

template <typename Body> void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

const int N = 1000;

// A view is a member of the closure, so its pointer is one level down.
struct View {
  double *Data;
  double &operator()(int I) const { return Data[I]; }
};

void addByValue(View X, View Y) {
  forall(N, [=](int I) { Y(I) += X(I); });
}

// The closure holds references: to two pointers and to the factor.
void addByReference(double *X, double *Y, double Factor) {
  forall(N, [&](int I) { Y[I] += Factor * X[I]; });
}

// The closure holds `this`, the pointers are in the object.
struct Solver {
  double *X, *Y, Shift;
  void step() {
    forall(N, [this](int I) { Y[I] += X[I] + Shift; });
  }
};

static int report(const char *What, double Got, double Expected) {
  std::printf("%-26s got %4g, expected %4g: %s\n", What, Got, Expected,
              Got == Expected ? "right" : "WRONG");
  return Got == Expected ? 0 : 1;
}

int main() {
  static double X[N], Y[N];
  for (int I = 0; I < N; ++I)
    X[I] = Y[I] = 1;
#pragma omp target enter data map(to : X, Y)
  for (int I = 0; I < N; ++I)
    X[I] = Y[I] = -1;

  int Wrong = 0;
  auto Check = [&](const char *What, double Expected) {
#pragma omp target update from(Y[0 : 1])
    Wrong += report(What, Y[0], Expected);
    Y[0] = -1;
  };
  addByValue({X}, {Y});
  Check("view captured by value", 2);
  addByReference(X, Y, 10);
  Check("captured by reference", 12);
  Solver{X, Y, 100}.step();
  Check("captured through this", 113);
  // Y[1] was never copied back: no kernel may have reached it.
  Wrong += report("host's own copy of y", Y[1], -1);
  return Wrong;
}
