// nowait, depend, taskwait and taskgroup: the closure is translated when the
// target task runs, which may be after the scope of the closure has ended and
// after other tasks have mapped the data.
//
// RUN: for o in "-O0 -g" -O1 -O2 "-O3 -g"; do echo "at $o"; \
// RUN:   %ferry_clangxx %offload $o %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY LIBOMP_USE_HIDDEN_HELPER_TASK=0 %t
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t
// RUN: %ferry_clangxx --ferry-off %offload -O2 %s -o %t.stock
// RUN: not env OMP_TARGET_OFFLOAD=MANDATORY %t.stock --isolate | FileCheck %s --check-prefix=STOCK

#include "Inputs/check.h"

namespace {
constexpr int N = 12;
struct View {
  int *Data;
  int &operator[](int I) const { return Data[I]; }
};
struct Add {
  View X, Y;
  int Factor;
  void operator()(int I) const { Y[I] = Y[I] * Factor + X[I]; }
};
} // namespace

// STOCK: FAIL nowait_and_taskwait
SHAPE(nowait_and_taskwait) {
  Mapped<int> A(N), Out(N, 2);
  View X{A}, Y{Out};
  auto Body = [=](int I) { Y[I] = X[I] + 1; };
#pragma omp target teams distribute parallel for nowait
  for (int I = 0; I < N; ++I)
    Body(I);
#pragma omp taskwait
  check::absent("the closure", Body);
  Out.expect([&](int I) { return A.at(I) + 1; });
}

// STOCK-NEXT: FAIL nowait_functor
SHAPE(nowait_functor) {
  Mapped<int> A(N), Out(N, 2);
  Add F{{A}, {Out}, 3};
#pragma omp target teams distribute parallel for nowait
  for (int I = 0; I < N; ++I)
    F(I);
#pragma omp taskwait
  check::pointer("X", F.X.Data, A.Host);
  check::absent("F", F);
  Out.expect([&](int I) { return 3 * Out.at(I) + A.at(I); });
}

// STOCK-NEXT: FAIL chain_of_dependences
SHAPE(chain_of_dependences) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  int *Q = Out;
  Add First{{A}, {Out}, 3};
  View X{B}, Y{Out};
  auto Second = [=](int I) { Y[I] = 2 * Y[I] + X[I]; };
  auto Third = [&](int I) { Second(I); };
#pragma omp target teams distribute parallel for nowait depend(inout : Q[0])
  for (int I = 0; I < N; ++I)
    First(I);
#pragma omp target teams distribute parallel for nowait depend(inout : Q[0])
  for (int I = 0; I < N; ++I)
    Second(I);
#pragma omp target teams distribute parallel for nowait depend(inout : Q[0])
  for (int I = 0; I < N; ++I)
    Third(I);
#pragma omp taskwait
  Out.expect([&](int I) {
    int V = 3 * Out.at(I) + A.at(I);
    V = 2 * V + B.at(I);
    return 2 * V + B.at(I);
  });
}

// STOCK-NEXT: FAIL closure_of_an_inner_scope
SHAPE(closure_of_an_inner_scope) {
  // The closures are gone when the tasks run: firstprivate keeps them.
  Mapped<int> A(N), Out(N, 2);
  int *Q = Out;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int Factor = 1; Factor < 5; ++Factor) {
      View X{A}, Y{Out};
      auto Body = [=](int I) { Y[I] = Y[I] * 2 + Factor * X[I]; };
#pragma omp target parallel for nowait firstprivate(Body) \
    depend(inout : Q[0])
      for (int I = 0; I < N; ++I)
        Body(I);
    }
    for (int Factor = 1; Factor < 5; ++Factor) {
      Add F{{A}, {Out}, Factor};
#pragma omp target nowait firstprivate(F) depend(inout : Q[0])
      for (int I = 0; I < N; ++I)
        F(I);
    }
  }
  Out.expect([&](int I) {
    int V = Out.at(I);
    for (int Factor = 1; Factor < 5; ++Factor)
      V = V * 2 + Factor * A.at(I);
    for (int Factor = 1; Factor < 5; ++Factor)
      V = V * Factor + A.at(I);
    return V;
  });
}

namespace {
[[gnu::noinline]] void startAndReturn(int *In, int *Out) {
  View X{In}, Y{Out};
  auto Read = [=](int I) { return X[I]; };
  auto Body = [=](int I) { Y[I] = Read(I) + 1; };
#pragma omp target parallel for nowait firstprivate(Body)
  for (int I = 0; I < N; ++I)
    Body(I);
}
[[gnu::noinline]] int overwriteStack(int V) {
  volatile int Garbage[400];
  for (int I = 0; I < 400; ++I)
    Garbage[I] = V;
  return Garbage[V & 255];
}
} // namespace

// STOCK-NEXT: FAIL function_returned
SHAPE(function_returned) {
  Mapped<int> A(N), Out(N, 2);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    startAndReturn(A, Out);
    overwriteStack(0x55);
#pragma omp taskwait
  }
  Out.expect([&](int I) { return A.at(I) + 1; });
}

// STOCK-NEXT: FAIL reference_captures
SHAPE(reference_captures) {
  Mapped<int> A(N);
  int *P = A, Sum = 7, Largest = 0;
  auto Body = [&](int I) {
    Sum += P[I];
    Largest = P[I] > Largest ? P[I] : Largest;
  };
#pragma omp target nowait
  for (int I = 0; I < N; ++I)
    Body(I);
#pragma omp taskwait
  int Want = 7;
  for (int I = 0; I < N; ++I)
    Want += A.at(I);
  check::equal("Sum", Sum, Want);
  check::equal("Largest", Largest, 20);
  check::absent("Sum", Sum);
}

// STOCK-NEXT: FAIL taskgroup_of_independent_kernels
SHAPE(taskgroup_of_independent_kernels) {
  Mapped<int> A(8 * N), Out(8 * N, 2);
#pragma omp taskgroup
  for (int Part = 0; Part < 8; ++Part) {
    View X{A + Part * N}, Y{Out + Part * N};
    auto Body = [=](int I) { Y[I] = X[I] * Part; };
#pragma omp target nowait firstprivate(Body)
    for (int I = 0; I < N; ++I)
      Body(I);
  }
  Out.expect([&](int I) { return A.at(I) * (I / N); });
}

// STOCK-NEXT: FAIL data_mapped_by_earlier_tasks
SHAPE(data_mapped_by_earlier_tasks) {
  // When the target construct is met, its data is not mapped yet.
  int A[N], Out[N];
  for (int I = 0; I < N; ++I)
    A[I] = I + 1, Out[I] = -1;
  int *P = A, *Q = Out;
  View X{A}, Y{Out};
  auto Body = [=](int I) { Y[I] = X[I] + 1; };
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp target enter data map(to : P[0 : N], Q[0 : N]) nowait \
    depend(out : P[0])
#pragma omp target parallel for nowait depend(inout : P[0])
    for (int I = 0; I < N; ++I)
      Body(I);
#pragma omp target exit data map(from : Q[0 : N]) map(delete : P[0 : N]) \
    nowait depend(inout : P[0])
#pragma omp taskwait
  }
  for (int I = 0; I < N; ++I)
    check::equal("Out", Out[I], I + 2);
  check::absent("Out", Out);
}

// STOCK-NEXT: FAIL targets_inside_tasks
SHAPE(targets_inside_tasks) {
  Mapped<int> A(N), Out(4 * N, 2);
#pragma omp parallel num_threads(4)
#pragma omp for
  for (int Part = 0; Part < 4; ++Part) {
    Add F{{A}, {Out + Part * N}, Part};
#pragma omp task firstprivate(F)
    {
#pragma omp target parallel for
      for (int I = 0; I < N; ++I)
        F(I);
    }
  }
  Out.expect([&](int I) { return Out.at(I) * (I / N) + A.at(I % N); });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
