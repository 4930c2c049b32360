// Closures and functors that map clauses name: on the target construct, and on
// target data, enter data, exit data and update; objects that are already on the
// device; data mapped by the construct that captures the closure.
//
// RUN: for o in "-O0 -g" -O1 -O2 "-O3 -g"; do echo "at $o"; \
// RUN:   %ferry_clangxx %offload $o %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t
// RUN: %ferry_clangxx --ferry-off %offload -O2 %s -o %t.stock
// RUN: not env OMP_TARGET_OFFLOAD=MANDATORY %t.stock --isolate | FileCheck %s --check-prefix=STOCK

#include "Inputs/check.h"
#include "Inputs/forall.h"

constexpr int N = 12;
struct View {
  int *Data;
  int &operator[](int I) const { return Data[I]; }
};
// Inline, so that Clang gives the closures one name on host and device.
inline auto nested(View X, View Y) {
  auto Read = [=](int I) { return X[I]; };
  return [=](int I) { Y[I] = Read(I) + 1; };
}

namespace {
struct Saxpy {
  const int *X;
  int *Y;
  int Factor;
  void operator()(int I) const { Y[I] = Factor * X[I]; }
};
struct Accumulator {
  const int *X;
  int *Y;
  int Sum;
  void operator()(int I) { Y[I] = Sum += X[I]; }
};
int sum(const Mapped<int> &A, int To = N) {
  int Sum = 0;
  for (int I = 0; I < To; ++I)
    Sum += A.at(I);
  return Sum;
}
} // namespace

// STOCK: FAIL map_to
SHAPE(map_to) {
  Mapped<int> A(N), Out(N, 2);
  auto Body = nested(View{A}, View{Out});
#pragma omp target teams distribute parallel for map(to : Body)
  for (int I = 0; I < N; ++I)
    Body(I);
  check::absent("the closure", Body);
  Out.expect([&](int I) { return A.at(I) + 1; });
}

// STOCK-NEXT: FAIL map_to_functor
SHAPE(map_to_functor) {
  Mapped<int> A(N), Out(N, 2);
  Saxpy F{A, Out, 3};
#pragma omp target teams distribute parallel for map(to : F)
  for (int I = 0; I < N; ++I)
    F(I);
  check::pointer("X", F.X, A.Host);
  check::absent("F", F);
  Out.expect([&](int I) { return 3 * A.at(I); });
}

// STOCK-NEXT: FAIL map_always_to
SHAPE(map_always_to) {
  Mapped<int> A(N), Out(N, 2);
  Saxpy F{A, Out, 3};
#pragma omp target enter data map(to : F)
  F.Factor = 4;
#pragma omp target teams distribute parallel for map(always, to : F)
  for (int I = 0; I < N; ++I)
    F(I);
#pragma omp target exit data map(delete : F)
  check::absent("F", F);
  Out.expect([&](int I) { return 4 * A.at(I); });
}

// STOCK-NEXT: FAIL map_tofrom_closure
SHAPE(map_tofrom_closure) {
  Mapped<int> A(N), Out(N, 2);
  View X{A};
  int *Q = Out;
  auto Body = [=, Sum = 0](int I) mutable { Q[I] = Sum += X[I]; };
#pragma omp target map(tofrom : Body)
  for (int I = 0; I < N; ++I)
    Body(I);
#pragma omp target map(tofrom : Body)
  for (int I = 0; I < 1; ++I) // goes on where the first one ended
    Body(I);
  check::absent("the closure", Body);
  int Sum = 0;
  Out.expect([&](int I) {
    Sum += A.at(I);
    return I ? Sum : sum(A) + A.at(0);
  });
}

// STOCK-NEXT: FAIL map_tofrom_functor
SHAPE(map_tofrom_functor) {
  Mapped<int> A(N), Out(N, 2);
  Accumulator F{A, Out, 5};
#pragma omp target map(tofrom : F)
  for (int I = 0; I < N; ++I)
    F(I);
  check::pointer("X", F.X, A.Host);
  check::pointer("Y", F.Y, Out.Host);
  check::equal("Sum", F.Sum, 5 + sum(A));
  check::absent("F", F);
  int Sum = 5;
  Out.expect([&](int I) { return Sum += A.at(I); });
}

// STOCK-NEXT: FAIL map_from
SHAPE(map_from) {
  // The kernel writes all of F and reads none of it.
  Mapped<int> A(N);
  View X{A};
  struct {
    int First, Last;
  } Ends;
#pragma omp target map(from : Ends)
  {
    Ends.First = X[0];
    Ends.Last = X[N - 1];
  }
  check::equal("First", Ends.First, A.at(0));
  check::equal("Last", Ends.Last, A.at(N - 1));
  check::absent("Ends", Ends);
}

// STOCK-NEXT: FAIL firstprivate
SHAPE(firstprivate) {
  Mapped<int> A(N), Out(N, 2);
  auto Body = nested(View{A}, View{Out});
  Accumulator F{A, Out, 0};
#pragma omp target firstprivate(F, Body)
  {
    F(0);
    for (int I = 1; I < N; ++I)
      Body(I);
  }
  check::equal("Sum", F.Sum, 0);
  check::pointer("X", F.X, A.Host);
  Out.expect([&](int I) { return A.at(I) + (I > 0); });
}

// STOCK-NEXT: FAIL target_data_closure
SHAPE(target_data_closure) {
  Mapped<int> A(N), Out(N, 2);
  auto Body = nested(View{A}, View{Out});
#pragma omp target data map(to : Body)
  {
#pragma omp target teams distribute parallel for map(to : Body)
    for (int I = 0; I < N / 2; ++I)
      Body(I);
#pragma omp target teams distribute parallel for
    for (int I = N / 2; I < N; ++I)
      Body(I);
  }
  check::absent("the closure", Body);
  Out.expect([&](int I) { return A.at(I) + 1; });
}

// STOCK-NEXT: FAIL target_data_functor
SHAPE(target_data_functor) {
  Mapped<int> A(N), Out(N, 2);
  Accumulator F{A, Out, 5};
#pragma omp target data map(tofrom : F)
  {
    F.Sum = 100; // the device keeps 5
#pragma omp target
    for (int I = 0; I < N / 2; ++I)
      F(I);
#pragma omp target map(tofrom : F)
    for (int I = N / 2; I < N; ++I)
      F(I);
    if (check::offload())
      check::equal("Sum inside", F.Sum, 100);
  }
  check::pointer("X", F.X, A.Host);
  check::pointer("Y", F.Y, Out.Host);
  int Sum = check::offload() ? 5 : 100;
  check::equal("Sum", F.Sum, Sum + sum(A));
  check::absent("F", F);
  Out.expect([&](int I) { return Sum += A.at(I); });
}

// STOCK-NEXT: FAIL enter_and_exit_data
SHAPE(enter_and_exit_data) {
  Mapped<int> A(N), Out(N, 2);
  Accumulator F{A, Out, 0};
#pragma omp target enter data map(to : F)
  for (int Launch = 0; Launch < 3; ++Launch) {
#pragma omp target
    for (int I = 0; I < N; ++I)
      F(I);
  }
#pragma omp target exit data map(from : F)
  check::pointer("X", F.X, A.Host);
  check::pointer("Y", F.Y, Out.Host);
  check::equal("Sum", F.Sum, 3 * sum(A));
  check::absent("F", F);
  int Sum = 2 * sum(A);
  Out.expect([&](int I) { return Sum += A.at(I); });
}

// STOCK-NEXT: FAIL entered_before_its_data
SHAPE(entered_before_its_data) {
  int From[N], To[N];
  Saxpy F{From, To, 3};
#pragma omp target enter data map(to : F)
  {
    Mapped<int> A(N, 1, omp_get_default_device(), From);
    Mapped<int> Out(N, 2, omp_get_default_device(), To);
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I)
      F(I);
    Out.expect([&](int I) { return 3 * A.at(I); });
  }
#pragma omp target exit data map(delete : F)
  check::absent("F", F);
}

// STOCK-NEXT: FAIL update_to
SHAPE(update_to) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  Saxpy F{A, Out, 3};
#pragma omp target enter data map(to : F)
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N / 3; ++I)
    F(I);
  F.Factor = 4;
#pragma omp target update to(F)
#pragma omp target teams distribute parallel for
  for (int I = N / 3; I < 2 * N / 3; ++I)
    F(I);
  F.X = B;
#pragma omp target update to(F)
#pragma omp target teams distribute parallel for map(to : F)
  for (int I = 2 * N / 3; I < N; ++I)
    F(I);
#pragma omp target exit data map(delete : F)
  Out.expect([&](int I) {
    return I < N / 3 ? 3 * A.at(I)
                     : 4 * (I < 2 * N / 3 ? A.at(I) : B.at(I));
  });
}

// STOCK-NEXT: FAIL update_from
SHAPE(update_from) {
  Mapped<int> A(N), Out(N, 2);
  Accumulator F{A, Out, 0};
#pragma omp target enter data map(to : F)
#pragma omp target
  for (int I = 0; I < N / 2; ++I)
    F(I);
#pragma omp target update from(F)
  check::pointer("X", F.X, A.Host);
  check::pointer("Y", F.Y, Out.Host);
  check::equal("Sum", F.Sum, sum(A, N / 2));
#pragma omp target
  for (int I = N / 2; I < N; ++I)
    F(I);
#pragma omp target exit data map(from : F)
  check::pointer("Y", F.Y, Out.Host);
  check::equal("Sum", F.Sum, sum(A));
  int Sum = 0;
  Out.expect([&](int I) { return Sum += A.at(I); });
}

// STOCK-NEXT: FAIL update_of_one_member
SHAPE(update_of_one_member) {
  Mapped<int> A(N), Out(N, 2);
  Saxpy F{A, Out, 3};
#pragma omp target enter data map(to : F)
  F.Factor = 5;
#pragma omp target update to(F.Factor)
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    F(I);
#pragma omp target exit data map(delete : F)
  Out.expect([&](int I) { return 5 * A.at(I); });
}

// STOCK-NEXT: FAIL entered_closure_as_argument
SHAPE(entered_closure_as_argument) {
  // The parameter is another object than the mapped one.
  Mapped<int> A(N), Out(N, 2);
  auto Body = nested(View{A}, View{Out});
#pragma omp target enter data map(to : Body)
  forall(N / 2, Body);
  forallByReference(N, Body);
#pragma omp target exit data map(delete : Body)
  Out.expect([&](int I) { return A.at(I) + 1; });
}

// STOCK-NEXT: FAIL data_of_the_same_construct
SHAPE(data_of_the_same_construct) {
  int A[N], Out[N];
  for (int I = 0; I < N; ++I)
    A[I] = I + 1, Out[I] = -1;
  int *P = A, *Q = Out;
  auto Body = nested(View{A}, View{Out});
#pragma omp target teams distribute parallel for map(to : P[0 : N]) \
    map(from : Q[0 : N])
  for (int I = 0; I < N; ++I)
    Body(I);
  for (int I = 0; I < N; ++I)
    check::equal("Out", Out[I], I + 2);
  check::absent("A", A);
  check::absent("Out", Out);
}

// STOCK-NEXT: FAIL ends_of_the_same_construct
SHAPE(ends_of_the_same_construct) {
  int A[N], Out[N];
  for (int I = 0; I < N; ++I)
    A[I] = I + 1, Out[I] = -1;
  struct {
    int *Begin, *End, *To;
  } R{A, A + N, Out + N};
  auto Body = [=](int) {
    int *To = R.To;
    for (int *P = R.Begin; P != R.End; ++P)
      *--To = *P;
  };
#pragma omp target map(to : A) map(tofrom : Out)
  Body(0);
  for (int I = 0; I < N; ++I)
    check::equal("Out", Out[I], N - I);
  check::absent("Out", Out);
}

// STOCK-NEXT: FAIL functor_and_data_of_the_same_construct
SHAPE(functor_and_data_of_the_same_construct) {
  int A[N], Out[N];
  for (int I = 0; I < N; ++I)
    A[I] = I + 1, Out[I] = -1;
  Accumulator F{A, Out, 0};
#pragma omp target map(to : A) map(from : Out) map(tofrom : F)
  for (int I = 0; I < N; ++I)
    F(I);
  check::pointer("X", F.X, A);
  check::pointer("Y", F.Y, Out);
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    check::equal("Out", Out[I], Sum += I + 1);
  check::equal("Sum", F.Sum, Sum);
  check::absent("F", F);
  check::absent("A", A);
}

// STOCK-NEXT: FAIL reference_captures_and_data_of_the_same_construct
SHAPE(reference_captures_and_data_of_the_same_construct) {
  int A[N], Out[N], Sum = 0;
  for (int I = 0; I < N; ++I)
    A[I] = I + 1, Out[I] = -1;
  int *P = A, *Q = Out;
  auto Body = [&](int I) { Q[I] = Sum += P[I]; };
#pragma omp target map(to : P[0 : N]) map(from : Q[0 : N])
  for (int I = 0; I < N; ++I)
    Body(I);
  int Want = 0;
  for (int I = 0; I < N; ++I)
    check::equal("Out", Out[I], Want += I + 1);
  check::equal("Sum", Sum, Want);
  check::absent("Out", Out);
  check::absent("Sum", Sum);
}

// A variable that the kernel only reads by name, and writes by a pointer.
// STOCK-NEXT: FAIL written_by_another_pointer
SHAPE(written_by_another_pointer) {
  Mapped<int> A(N);
  struct {
    int X, Y;
    int *Data;
  } R{3, 4, A};
  int *P = &R.X, Seen = 0;
#pragma omp target map(tofrom : R, Seen)
  {
    *P = 5;
    Seen = R.X + R.Y + R.Data[1];
  }
  check::equal("Seen", Seen, 9 + A.at(1));
  check::equal("R.X", R.X, 5);
  auto Body = [=](int I) { *P = I; };
#pragma omp target map(tofrom : R, Seen)
  {
    Body(7);
    Seen = R.X + R.Y + R.Data[1];
  }
  check::equal("Seen", Seen, 11 + A.at(1));
  check::equal("R.X", R.X, 7);
}

// STOCK-NEXT: FAIL data_of_an_enclosing_construct
SHAPE(data_of_an_enclosing_construct) {
  int A[N], Out[N];
  for (int I = 0; I < N; ++I)
    A[I] = I + 1, Out[I] = -1;
#pragma omp target data map(to : A) map(from : Out)
  {
    if (check::offload())
      for (int I = 0; I < N; ++I)
        A[I] = -5;
    forall(N, nested(View{A}, View{Out}));
    if (check::offload())
      for (int I = 0; I < N; ++I)
        check::equal("Out inside", Out[I], -1);
  }
  for (int I = 0; I < N; ++I)
    check::equal("Out", Out[I], I + 2);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
