// "requires unified_shared_memory": host addresses are valid on the device, and
// every pointer reaches the kernel as it is.
//
// RUN: for o in "-O0 -g" -O2 "-O3 -g"; do echo "at $o"; \
// RUN:   %ferry_clangxx %offload $o %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t
// RUN: %ferry_clangxx --ferry-off %offload -O2 %s -o %t.stock
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY %t.stock

#pragma omp requires unified_shared_memory

#include "Inputs/check.h"
#include "Inputs/forall.h"

namespace {
constexpr int N = 12;
using Word = unsigned long;
struct View {
  int *Data;
  int &operator[](int I) const { return Data[I]; }
};
struct Arrays {
  int From[N], To[N];
  Arrays() {
    for (int I = 0; I < N; ++I)
      From[I] = I + 1, To[I] = -1;
  }
  template <class F>
  void expect(F Want) {
    for (int I = 0; I < N; ++I)
      check::equal("To", To[I], Want(I + 1));
  }
};
} // namespace

SHAPE(nested_closures) {
  Arrays S;
  View X{S.From}, Y{S.To};
  auto Read = [=](int I) { return X[I]; };
  forall(N, [=](int I) { Y[I] = Read(I) + 1; });
  S.expect([](int V) { return V + 1; });
}

SHAPE(reference_captures) {
  Arrays S;
  View X{S.From}, Y{S.To};
  int Sum = 0;
  inOrder(N, [&](int I) {
    Y[I] = 2 * X[I];
    Sum += X[I];
  });
  check::equal("Sum", Sum, N * (N + 1) / 2);
  S.expect([](int V) { return 2 * V; });
}

namespace {
struct Object {
  View X, Y;
  int Count = 0;
  void run() {
    inOrder(N, [this](int I) {
      Y[I] = X[I] + 3;
      ++Count;
    });
  }
};
} // namespace

SHAPE(capture_this) {
  Arrays S;
  Object O{{S.From}, {S.To}};
  O.run();
  check::equal("Count", O.Count, N);
  S.expect([](int V) { return V + 3; });
}

SHAPE(addresses_are_those_of_the_host) {
  Arrays S;
  Word Seen[3] = {};
  struct {
    int *P, *End;
    Word *Seen;
  } R{S.From, S.From + N, Seen};
  forall(1, [=](int) {
    R.Seen[0] = reinterpret_cast<Word>(R.P);
    R.Seen[1] = reinterpret_cast<Word>(R.End);
    R.Seen[2] = R.End - R.P;
  });
  check::equal("P", Seen[0], reinterpret_cast<Word>(S.From));
  check::equal("End", Seen[1], reinterpret_cast<Word>(S.From + N));
  check::equal("the distance", Seen[2], Word(N));
}

SHAPE(mapped_data_is_not_copied) {
  Arrays S;
  int *P = S.From, *Q = S.To;
#pragma omp target enter data map(to : P[0 : N], Q[0 : N])
  S.From[0] = 100;
  View X{S.From}, Y{S.To};
  forall(N, [=](int I) { Y[I] = X[I] + 1; });
  S.expect([](int V) { return V == 1 ? 101 : V + 1; });
#pragma omp target exit data map(delete : P[0 : N], Q[0 : N])
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
