// One table that two libraries map, write and read: what the launches of one
// know of it holds for the other's, whichever maps it again.
//
// RUN: for o in -O0 -O2; do echo "at $o"; \
// RUN:   %ferry_clangxx %offload $o -fPIC -c %S/Inputs/tables_library.cpp -o %t.1.o || exit 1; \
// RUN:   %ferry_clangxx %offload $o -fPIC -DSECOND -c %S/Inputs/tables_library.cpp -o %t.2.o || exit 1; \
// RUN:   %ferry_clangxx %offload $o -c %s -o %t.o || exit 1; \
// RUN:   %ferry_clangxx %offload %t.o %t.1.o %t.2.o -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; \
// RUN:   for n in 1 2; do %ferry_clangxx %offload -shared %t.$n.o -o %t.$n.so || exit 1; done; \
// RUN:   %ferry_clangxx %offload %t.o %t.1.so %t.2.so -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t

#include "Inputs/tables.h"
#include "Inputs/check.h"

namespace {
constexpr int N = 4;

struct Table {
  Mapped<double> Zeroes{N, -1}, A{N, 1}, B{N, 2}, Out{N, 3};
  double *T[N];
  Table() { reset(); }
  void reset() {
    for (int I = 0; I < N; ++I)
      T[I] = Zeroes + I;
  }
  void expect(const Mapped<double> &From) {
    Out.expect([&](int I) { return From.at(I); });
  }
};
} // namespace

SHAPE(written_by_one_and_read_by_the_other) {
  Table S;
  first_map(S.T, N);
  first_store(S.T, S.A, N);
  second_read(S.T, S.Out, N);
  S.expect(S.A);
  second_store(S.T, S.B, N);
  first_read(S.T, S.Out, N);
  S.expect(S.B);
  second_unmap(S.T, N);
}

SHAPE(mapped_again_by_the_other) {
  Table S;
  for (int Round = 0; Round < 4; ++Round) {
    first_map(S.T, N);
    first_read(S.T, S.Out, N);
    S.expect(S.Zeroes);
    first_unmap(S.T, N);
    second_map(S.T, N);
    second_store(S.T, S.A, N);
    first_read(S.T, S.Out, N);
    S.expect(S.A);
    second_unmap(S.T, N);
    S.reset();
  }
}

SHAPE(updated_by_the_other) {
  Table S;
  first_map(S.T, N);
  first_store(S.T, S.A, N);
  first_read(S.T, S.Out, N);
  S.reset();
  second_update(S.T, N);
  first_read(S.T, S.Out, N);
  S.expect(S.Zeroes);
  first_unmap(S.T, N);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
