// Several closures in one region; one closure launched again after its data was
// mapped elsewhere; eight host threads that launch at once.
//
// RUN: for o in "-O0 -g" -O1 -O2 "-O3 -g"; do echo "at $o"; \
// RUN:   %ferry_clangxx %offload $o %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t
// RUN: %ferry_clangxx --ferry-off %offload -O2 %s -o %t.stock
// RUN: not env OMP_TARGET_OFFLOAD=MANDATORY %t.stock --isolate | FileCheck %s --check-prefix=STOCK

#include "Inputs/check.h"
#include "Inputs/forall.h"

#include <pthread.h>

namespace {
constexpr int N = 12;
struct View {
  int *Data;
  int &operator[](int I) const { return Data[I]; }
};
struct Scale {
  View X;
  int Factor;
  int operator()(int I) const { return Factor * X[I]; }
};
} // namespace

// STOCK: FAIL closures_functors_and_records
SHAPE(closures_functors_and_records) {
  Mapped<int> A(N), B(N, 3), C(N, 4), Out(N, 2), Out2(N, 5);
  View X{A}, Y{Out};
  int *P = C, *Q = Out2, Sum = 1;
  auto First = [=](int I) { return X[I] + 1; };
  auto Second = [&](int I) { return Sum += P[I]; };
  Scale F{{B}, 3};
#pragma omp target
  for (int I = 0; I < N; ++I) {
    Y[I] = First(I) + F(I);
    Q[I] = Second(I);
  }
  check::absent("First", First);
  check::absent("Second", Second);
  check::absent("F", F);
  check::absent("Sum", Sum);
  int Want = 1;
  Out.expect([&](int I) { return A.at(I) + 1 + 3 * B.at(I); });
  Out2.expect([&](int I) { return Want += C.at(I); });
  check::equal("Sum", Sum, Want);
}

namespace {
template <class... F>
void fused(int Count, F... Bodies) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Count; ++I)
    (Bodies(I), ...);
}
template <class F, class G>
void firstThenSecond(int Count, const F &First, G Second) {
#pragma omp target map(to : Second)
  for (int I = 0; I < Count; ++I)
    Second(I, First(I));
}
} // namespace

// STOCK-NEXT: FAIL four_closures_of_one_type
SHAPE(four_closures_of_one_type) {
  Mapped<int> A(4 * N), Out(4 * N, 2);
  auto Make = [&](int Part) {
    View X{A + Part * N}, Y{Out + (3 - Part) * N};
    return [=](int I) { Y[I] = X[I] + Part; };
  };
  fused(N, Make(0), Make(1), Make(2), Make(3));
  Out.expect([&](int I) {
    int Part = 3 - I / N;
    return A.at(Part * N + I % N) + Part;
  });
}

// STOCK-NEXT: FAIL closures_passed_in_two_ways
SHAPE(closures_passed_in_two_ways) {
  Mapped<int> A(N), Out(N, 2);
  View X{A}, Y{Out};
  firstThenSecond(
      N, [=](int I) { return X[I] * 2; }, [=](int I, int V) { Y[I] = V; });
  firstThenSecond(N, Scale{{A}, 3}, [&](int I, int V) { Y[I] += V; });
  Out.expect([&](int I) { return 5 * A.at(I); });
}

// STOCK-NEXT: FAIL many_captures_in_one_region
SHAPE(many_captures_in_one_region) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  View V0{A}, V1{B}, V2{A}, V3{B}, V4{A}, V5{B}, V6{A}, V7{B}, To{Out};
  int K0 = 1, K1 = 2, K2 = 3, K3 = 4;
  long Total = 0;
#pragma omp target teams distribute parallel for reduction(+ : Total)
  for (int I = 0; I < N; ++I) {
    To[I] = K0 * V0[I] + K1 * V1[I] + K2 * V2[I] + K3 * V3[I] + V4[I] + V5[I] +
            V6[I] + V7[I];
    Total += To[I];
  }
  long Want = 0;
  Out.expect([&](int I) {
    int V = 6 * A.at(I) + 8 * B.at(I);
    Want += V;
    return V;
  });
  check::equal("Total", Total, Want);
}

// STOCK-NEXT: FAIL launched_after_data_moved
SHAPE(launched_after_data_moved) {
  Mapped<int> A(N), Out(N, 2);
  View X{A}, Y{Out};
  int *P = A;
  auto Body = [=, &P](int I) { Y[I] = X[I] + P[I]; };
  Scale F{{A}, 3};
  for (int Round = 0; Round < 4; ++Round) {
    forall(N, Body);
    Out.expect([&](int I) { return 2 * A.at(I); });
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I)
      Y[I] = F(I);
    Out.expect([&](int I) { return 3 * A.at(I); });
    A.move();
    Out.move();
  }
}

// STOCK-NEXT: FAIL present_functor_after_data_moved
SHAPE(present_functor_after_data_moved) {
  Mapped<int> A(N), Out(N, 2);
  struct Both {
    View X, Y;
    int Rounds;
  } F{{A}, {Out}, 0};
#pragma omp target enter data map(to : F)
  for (int Round = 0; Round < 3; ++Round) {
#pragma omp target
    {
      ++F.Rounds;
      for (int I = 0; I < N; ++I)
        F.Y[I] = F.X[I] + F.Rounds;
    }
    Out.expect([&](int I) { return A.at(I) + Round + 1; });
    A.move();
    Out.move();
  }
#pragma omp target exit data map(from : F)
  check::equal("Rounds", F.Rounds, 3);
  check::pointer("X", F.X.Data, A.Host);
}

namespace {
// Calls Body(0) to Body(Count - 1) in threads of their own.
template <int Count, class F>
void atOnce(F &Body) {
  struct Start {
    F *Body;
    int Self;
    pthread_t Thread;
  } Starts[Count];
  for (int I = 0; I < Count; ++I) {
    Starts[I].Body = &Body;
    Starts[I].Self = I;
    pthread_create(
        &Starts[I].Thread, nullptr,
        [](void *P) -> void * {
          auto *S = static_cast<Start *>(P);
          (*S->Body)(S->Self);
          return nullptr;
        },
        &Starts[I]);
  }
  for (Start &S : Starts)
    pthread_join(S.Thread, nullptr);
}
} // namespace

// STOCK-NEXT: FAIL eight_host_threads
SHAPE(eight_host_threads) {
  constexpr int Threads = 8, Rounds = 25;
  Mapped<int> A(Threads * N), Out(Threads * N, 2);
  int Sums[Threads] = {};
  int *P = A;
  auto Run = [&](int Part) {
    for (int Round = 1; Round <= Rounds; ++Round) {
      View X{P + Part * N}, Y{Out + Part * N};
      auto Read = [=](int I) { return X[I] + Round; };
      int Sum = 0;
      forallByReference(N, [=](int I) { Y[I] = Read(I); });
      inOrder(N, [&](int I) { Sum += Y[I]; });
      Sums[Part] += Sum;
    }
  };
  atOnce<Threads>(Run);
  for (int Part = 0; Part < Threads; ++Part) {
    int Want = Rounds * N * (Rounds + 1) / 2;
    for (int I = 0; I < N; ++I)
      Want += Rounds * A.at(Part * N + I);
    check::equal("the sum of a thread", Sums[Part], Want);
  }
  Out.expect([&](int I) { return A.at(I) + Rounds; });
}

// STOCK-NEXT: FAIL threads_that_share_a_closure
SHAPE(threads_that_share_a_closure) {
  constexpr int Threads = 8, Rounds = 64;
  Mapped<int> A(N), Out(Rounds * N, 2);
  View X{A}, Y{Out};
  const int Factor = N / 4;
  auto Read = [&](int I) { return Factor * X[I]; };
  auto Run = [&](int Self) {
    for (int Round = Self; Round < Rounds; Round += Threads)
      forallByReference(
          N, [&, Round](int I) { Y[Round * N + I] = Read(I) + Round; });
  };
  atOnce<Threads>(Run);
  check::absent("the closure", Read);
  check::absent("X", X);
  check::absent("Factor", Factor);
  Out.expect([&](int I) { return 3 * A.at(I % N) + I / N; });
}

// STOCK-NEXT: FAIL threads_of_a_parallel_region
SHAPE(threads_of_a_parallel_region) {
  constexpr int Rounds = 64;
  Mapped<int> A(N), Out(Rounds * N, 2);
  View X{A}, Y{Out};
  auto Read = [&](int I) { return 2 * X[I]; };
#pragma omp parallel for num_threads(8)
  for (int Round = 0; Round < Rounds; ++Round)
    inOrder(N, [&, Round](int I) { Y[Round * N + I] = Read(I) + Round; });
  check::absent("the closure", Read);
  Out.expect([&](int I) { return 2 * A.at(I % N) + I / N; });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
