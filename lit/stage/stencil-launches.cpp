// How many iterations a launch has to have for tiles of a stencil follows from
// its price: each block chooses the version, and in small launches few blocks
// have a tile. Here an index of one loop is divided, so that plain iterations
// take few instructions, and the choice has to divide numbers of 64 bits.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_90 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_90 %s -o %t.staged
// RUN: for how in plain staged; do %ferry_sim --quiet --json %t.$how.json -- %t.$how || exit 1; done
// RUN: %python %S/Inputs/compare_versions.py %t.plain.json %t.staged.json --kernels 4
#include <omp.h>

#define STENCIL(Name, Rows)                                                                                            \
  static void Name(const float *Old, float *New, int Width) {                                                          \
    const int Pitch = Width + 2, Total = Rows * Width;                                                                 \
    _Pragma("omp target teams distribute parallel for is_device_ptr(Old, New)")                                        \
    for (int X = 0; X < Total; ++X) {                                                                                  \
      const int At = (X / Width + 1) * Pitch + X % Width + 1;                                                          \
      New[At] = POINTS;                                                                                                \
    }                                                                                                                  \
  }

#define POINTS (Old[At] + Old[At - 1] + Old[At + 1] + Old[At - Pitch] + Old[At + Pitch])
STENCIL(fiveUnstaged, 700)
STENCIL(fiveStaged, 2048)
#undef POINTS
#define ROW(I) (Old[At + I * Pitch - 1] + Old[At + I * Pitch] + Old[At + I * Pitch + 1])
#define POINTS (ROW(-1) + ROW(0) + ROW(1))
STENCIL(nineUnstaged, 600)
STENCIL(nineStaged, 2048)

int main() {
  const int Width = 1024, Bytes = sizeof(float) * (Width + 2) * 2050;
  auto *Old = static_cast<float *>(omp_target_alloc(Bytes, 0));
  auto *New = static_cast<float *>(omp_target_alloc(Bytes, 0));
  fiveUnstaged(Old, New, Width);
  nineUnstaged(Old, New, Width);
  fiveStaged(Old, New, Width);
  nineStaged(Old, New, Width);
}
