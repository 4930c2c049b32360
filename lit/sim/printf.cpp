// printf on the device prints what it prints on the host. Threads print in any
// order, so the lines are sorted.
//
// RUN: for o in -O0 -O1 -O2 -O3; do echo "at $o"; \
// RUN:   %sim_cxx $o %s -o %t || exit 1; \
// RUN:   %ferry_sim --strict --quiet -- %t > %t.device || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=DISABLED %t > %t.host || exit 1; \
// RUN:   sort %t.device > %t.device.sorted; sort %t.host > %t.host.sorted; \
// RUN:   diff %t.host.sorted %t.device.sorted || exit 1; done
// RUN: FileCheck %s --input-file=%t.device.sorted

#include <cstdio>

int main() {
  // CHECK-DAG: all kinds: 42 -7 c 4000000000 ff 1099511627776 2.50 1.5e+10 0.1 str % |   +5|5   |
#pragma omp target
  printf("all kinds: %d %d %c %u %x %ld %.2f %.1e %g %s %% |%+5d|%-4d|\n", 42,
         -7, 'c', 4000000000u, 255, 1L << 40, 2.5, 1.5e10, 0.1, "str", 5, 5);
  // CHECK-DAG: no arguments
#pragma omp target
  printf("no arguments\n");
  // CHECK-DAG: thread 0 of 40: 0.0
  // CHECK-DAG: thread 39 of 40: 19.5
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32)
  for (int I = 0; I < 40; ++I)
    printf("thread %d of %d: %.1f\n", I, 40, I * 0.5);
  // CHECK-DAG: within a branch: 21 0.000021
#pragma omp target parallel for num_threads(32)
  for (int I = 0; I < 32; ++I)
    if (I % 7 == 0)
      printf("within a branch: %d %f\n", I, I * 1e-6);
  char Text[] = "text of the host";
  // CHECK-DAG: text of the host, 16 characters, [text]
#pragma omp target map(to : Text)
  printf("%s, %zu characters, [%.4s]\n", Text, sizeof(Text) - 1, Text);
  // CHECK-DAG: wide   77 0000088 x= 0x1f -9223372036854775807
#pragma omp target
  printf("wide %*d %07d x=%#5x %lld\n", 4, 77, 88, 31, -9223372036854775807LL);
}
