// Which launches of a stencil in three dimensions are walked through follows from the
// price: enough iterations to give each thread some planes, columns that fill their
// tiles, and planes that do not stay in the second level. What is left is the kernel
// as it was. Whether guards leave most planes, the kernel asks itself.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_90 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_90 %s -o %t.staged
// RUN: for how in plain staged; do %ferry_sim --quiet --gpu h100 --json %t.$how.json -- %t.$how || exit 1; done
// RUN: %python %S/Inputs/compare_versions.py %t.plain.json %t.staged.json --kernels 6
//
// On a V100 memory limits the 7 points of doubles, so planes have to be large.
// RUN: %sim_cxx -O3 --offload-arch=sm_70 -DREAL=double -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_70 -DREAL=double %s -o %t.staged
// RUN: for how in plain staged; do %ferry_sim --quiet --gpu v100 --json %t.$how.json -- %t.$how || exit 1; done
// RUN: %python %S/Inputs/compare_versions.py %t.plain.json %t.staged.json --kernels 2
#include <omp.h>

#ifdef REAL
using Real = REAL;
#else
using Real = float;
#endif

#define STENCIL(Name, Border, Planes)                                                                          \
  static void Name(const Real *Old, Real *New, int L, int N, int M) {                                   \
    _Pragma("omp target teams distribute parallel for collapse(3) is_device_ptr(Old, New)")             \
    for (int P = Border; P < L - Border; ++P)                                                           \
      for (int I = Border; I < N - Border; ++I)                                                         \
        for (int J = Border; J < M - Border; ++J)                                                       \
          if (Border || (Planes && I > 0 && I < N - 1 && J > 0 && J < M - 1)) {                         \
            auto O = [&](int Q, int R, int C) { return Old[((P + Q) * N + I + R) * M + J + C]; };       \
            New[(P * N + I) * M + J] = O(-1, 0, 0) + O(1, 0, 0) + O(0, -1, 0) + O(0, 1, 0) +            \
                                       O(0, 0, -1) + O(0, 0, 1) - 6 * O(0, 0, 0);                       \
          }                                                                                             \
  }

#ifdef REAL
STENCIL(smallPlanesUnstaged, 1, true)
STENCIL(largePlanesWalked, 1, true)
#else
STENCIL(fewUnstaged, 1, true)
STENCIL(idleColumnsUnstaged, 1, true)
STENCIL(manyWalked, 1, true)
STENCIL(guardedWalked, 0, P > 0 && P < L - 1)
STENCIL(firstDeclined, 0, P > 0 && P < 5)
STENCIL(someDeclined, 0, P > 0 && P % 16 == 7)
#endif

int main() {
  const int Bytes = sizeof(Real) * 36 * 258 * 258;
  auto *Old = static_cast<Real *>(omp_target_alloc(Bytes, 0));
  auto *New = static_cast<Real *>(omp_target_alloc(Bytes, 0));
#ifdef REAL
  smallPlanesUnstaged(Old, New, 130, 98, 130);
  largePlanesWalked(Old, New, 34, 258, 258);
#else
  fewUnstaged(Old, New, 66, 66, 66);
  idleColumnsUnstaged(Old, New, 200, 200, 35);
  manyWalked(Old, New, 34, 258, 258);
  guardedWalked(Old, New, 34, 258, 258);
  firstDeclined(Old, New, 34, 258, 258);
  someDeclined(Old, New, 34, 258, 258);
#endif
}
