// A remark predicts what tiles save where they do: of blocks of one warp there
// are so few at a time on a multiprocessor that the first level has room for
// what they read, and it is slow only where rows begin in the same banks.
//
// RUN: %sim_cxx -O2 --offload-arch=sm_90 -DLIMIT=32 -Rpass=ferry-stage -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=BANKS
// BANKS: remark: staged 1 load {{.*}}; predicted for NVIDIA H100{{.*}}: {{[0-9.]+}} instead of {{[0-9.]+}} clocks {{.*}}, limited by dram instead of l1, where rows begin in the same banks
// RUN: %sim_cxx -O2 --offload-arch=sm_90 -DLIMIT=128 -Rpass=ferry-stage -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: remark: staged 1 load {{.*}}; predicted for NVIDIA H100{{.*}}, limited by dram instead of l1 [
void sums(const unsigned long *Values, unsigned *Sums, int Rows, int Length,
          int Pitch) {
#pragma omp target teams distribute parallel for thread_limit(LIMIT)
  for (int I = 0; I < Rows; ++I) {
    unsigned Sum = 1;
    for (int K = 0; K < Length; ++K)
      Sum ^= unsigned(Values[I * Pitch + K]) + Sum / 3;
    Sums[I] = Sum;
  }
}
