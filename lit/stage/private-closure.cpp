// Loops in the way of RAJA's: the closure is mapped as a whole and each iteration
// has a copy of it; the schedule deals iterations out; and an iterator, which is
// mapped as well, tells what the index is. Rows, products and stencils are staged
// as over plain arrays.
//
// RUN: %sim_cxx -O3 %s -o %t.staged -Rpass=ferry-stage 2>&1 | grep -c 'remark: staged' | grep -x 4
// RUN: %build_plain_and_staged
// RUN: %run_plain_and_staged --kernels 4
#include "Inputs/staged.h"
#include <type_traits>

namespace {
using Index = std::ptrdiff_t;

struct Numbers {
  Index First;
  Index operator[](Index I) const { return First + I; }
};

template <class F>
void forall(Index Begin, Index End, F &&Loop) {
  using Body = std::remove_reference_t<F>;
  Body Closure = Loop;
  Numbers All{Begin};
  const Index Count = End - Begin;
  auto I = Count;
#pragma omp target teams distribute parallel for num_teams(Count < 3000 ? Count : 3000) schedule(static, 1) map(to : Closure, All)
  for (I = 0; I < Count; ++I) {
    Body Own = Closure;
    Own(All[I]);
  }
}

template <class F>
void forall2(Index N, Index M, F &&Loop) {
  using Body = std::remove_reference_t<F>;
  Body Closure = Loop;
#pragma omp target teams distribute parallel for schedule(static, 1) map(to : Closure) collapse(2)
  for (Index I = 0; I < N; ++I)
    for (Index J = 0; J < M; ++J) {
      Body Own = Closure;
      Own(I, J);
    }
}

struct View {
  double *Data;
  Index Pitch;
  double &operator()(Index I, Index J) const { return Data[I * Pitch + J]; }
};
} // namespace

constexpr Index N = 280, M = 260, L = 97;

// Kernels are named after these functions.
void rowSumsFewer(View A, double *Sums) {
  forall(0, N, [=](Index I) {
    double Sum = 0;
    for (Index K = 0; K < A.Pitch; ++K)
      Sum += A(I, K);
    Sums[I] = Sum;
  });
}
void productTiledFewer(View A, View B, View C) {
  forall2(N, M, [=](Index I, Index J) {
    double Sum = 0;
    for (Index K = 0; K < A.Pitch; ++K)
      Sum += A(I, K) * B(K, J);
    C(I, J) += Sum;
  });
}
void storedTiledFewer(View A, View B, View C) {
  forall2(N, M, [=](Index I, Index J) {
    for (Index K = 0; K < A.Pitch; ++K)
      C(I, J) += A(I, K) * B(K, J);
  });
}
void stencilTiledFewer(View A, View C) {
  forall2(N, M, [=](Index I, Index J) {
    if (I > 0 && J > 0 && I < N - 1 && J < M - 1)
      C(I, J) = A(I - 1, J) + A(I + 1, J) + A(I, J - 1) + A(I, J + 1) - 4 * A(I, J);
  });
}

PROGRAM(closures) {
  staged::Array<double> A(N * L), B(L * M), C(N * M), D(N * M), Sums(N);
  rowSumsFewer({A.device(), L}, Sums.device());
  productTiledFewer({A.device(), L}, {B.device(), M}, {C.device(), M});
  storedTiledFewer({A.device(), L}, {B.device(), M}, {C.device(), M});
  stencilTiledFewer({C.device(), M}, {D.device(), M});
  Sums.read();
  C.read();
  D.read();
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
