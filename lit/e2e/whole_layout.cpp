// -ferry-map-whole-layout, which is also how launches are planned of whose
// device code nothing is known, carries at least what the default way does.
//
// RUN: for w in "" "-mllvm -ferry-map-whole-layout"; do for o in -O0 -O2; do \
// RUN:   echo "at $o $w"; %ferry_clangxx %offload $o $w %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done; done
// RUN: %if device-runtime %{ for o in -O0 -O2; do echo "simulated at $o"; \
// RUN:   %sim_cxx $o -mllvm -ferry-map-whole-layout %s -o %t.sim || exit 1; \
// RUN:   %ferry_sim --strict --quiet -- %t.sim || exit 1; done %}

#include "Inputs/check.h"
#include "Inputs/forall.h"

namespace {

constexpr int N = 8;

struct Range {
  const int *Begin, *End;
};
struct Ranges {
  int Number;
  Range R;
};

} // namespace

// One object is reached twice. By one way the layout alone shows the end of the
// range, which looks like the beginning of the next array.
SHAPE(a_range_of_which_one_of_two_closures_uses_the_end) {
  static int Storage[2 * N];
  for (int I = 0; I < 2 * N; ++I)
    Storage[I] = I;
  int *First = Storage, *Next = Storage + N;
  long *Out = new long[N]();
#pragma omp target enter data map(to : Next[0 : N])
#pragma omp target enter data map(to : First[0 : N])
#pragma omp target enter data map(to : Out[0 : N])
  Ranges X{3, {First + 2, First + N}};
  auto Number = [&X](int) { return X.Number; };
  auto Body = [=, &X](int I) {
    long Sum = Number(I);
    for (const int *P = X.R.Begin; P != X.R.End; ++P)
      Sum += *P;
    Out[I] = Sum + (X.R.End - X.R.Begin);
  };
  forall(N, Body);
#pragma omp target exit data map(from : Out[0 : N])
#pragma omp target exit data map(delete : First[0 : N])
#pragma omp target exit data map(delete : Next[0 : N])
  for (int I = 0; I < N; ++I)
    check::equal("Out", Out[I], 3 + (2 + 3 + 4 + 5 + 6 + 7) + 6L);
  delete[] Out;
}

int main(int Argc, char **Argv) {
  return check::run(Argc, Argv);
}
