// Loops without an end, which no other thread has a part in: one that goes over
// memory, and one that only computes and never comes back to the simulator.
//
// RUN: %sim_cxx -O2 -g %s -o %t
// RUN: not %ferry_sim --strict --watchdog 100000 -- %t memory 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: not %ferry_sim --strict --watchdog 500000 -- %t arithmetic 2>&1 | FileCheck %s --check-prefix=ARITHMETIC
//
// The limit does not end what has an end.
// RUN: %ferry_sim --strict --watchdog 100000 -- %t end 2>&1 | FileCheck %s --check-prefix=END
#include <cstdio>
#include <cstring>

// MEMORY: endless-spin: the thread's loop has no end
// MEMORY-NEXT: kernel walk(int*, int, int), line [[@LINE+4]]
// END-NOT: endless-spin
// END: findings: none
void walk(int *A, int N, int Step) {
#pragma omp target map(tofrom : A[0 : N])
  for (int I = 0; I < N; I += Step)
    A[I & 7] += I;
}

// ARITHMETIC: endless-spin: the thread computes for ever without touching memory
// ARITHMETIC-NEXT: kernel compute(int), line [[@LINE+2]]
int compute(int X) {
#pragma omp target map(tofrom : X)
  {
    int Y = X | 1;
    while (Y != 4) {
      Y = Y * 3 | 1;
      asm volatile("");
    }
    X = Y;
  }
  return X;
}

int main(int, char **Arguments) {
  int A[8] = {};
  if (!strcmp(Arguments[1], "memory"))
    walk(A, 8, 0);
  if (!strcmp(Arguments[1], "end"))
    walk(A, 8, 1);
  if (!strcmp(Arguments[1], "arithmetic"))
    printf("%d\n", compute(3));
}
