// What ends a kernel at once: code that the simulator does not know, and what
// the program itself asks for. It is named, with the place.
//
// RUN: %sim_cxx -O2 -g -Wno-openmp-target-exception %s -o %t > %t.out 2>&1
//
// All of it is told when the program is linked, with those that call it.
// RUN: FileCheck %s --check-prefix=LINK --input-file=%t.out --match-full-lines --strict-whitespace
//      LINK:ferry-sim-translate: warning: a kernel that comes to one of these is ended, since the simulator does not have it:
// LINK-NEXT:  inline assembly 'prmt.b32 $0, $1, 0, 0x0123;': called by assembly(), line [[#]] (finds-unknown.cpp:[[#ASSEMBLY:]])
// LINK-NEXT:  llvm.nvvm.match.all.sync.i32p: called by intrinsic(), line [[#]] (finds-unknown.cpp:[[#ASSEMBLY + 12]])
// LINK-NEXT:  undefined(int, char), which no device code of the program defines: called by twice(int) (finds-unknown.cpp:[[#ASSEMBLY - 16]]); undefined(), line [[#]] (finds-unknown.cpp:[[#ASSEMBLY + 24]])
//  LINK-NOT:{{.}}
//
// There is no word where all is known, at -O0 with all of the device runtime.
// RUN: %sim_cxx -O0 %S/Inputs/report.cpp -o %t.known 2>&1 | count 0
//
// RUN: for p in assembly intrinsic undefined assertion exception recursion; do \
// RUN:   not %ferry_sim --strict --quiet -- %t $p > %t.out 2>&1 || exit 1; \
// RUN:   FileCheck %s --check-prefixes=$p,ONE --input-file=%t.out || exit 1; \
// RUN:   %ferry_sim --strict --quiet -- %t $p right 2>&1 | FileCheck %s --check-prefix=RIGHT || exit 1; \
// RUN: done
// RIGHT-NOT: {{.}}
// RIGHT: {{^[a-z_]+ OK$}}
// RIGHT-NOT: {{.}}
// What a kernel has printed is not lost with it.
// assertion: finds-unknown.cpp:{{[0-9]+}}: {{.*}}Assertion `X != 1` failed.
// ONE: findings: 1

#include "Inputs/finds.h"

#include <cassert>

#pragma omp begin declare target
int undefined(int, char) __attribute__((weak));
[[gnu::noinline]] int twice(int N) {
  return undefined(N, 'd') + N;
}
static int depth(int N) {
  volatile int Own[64];
  Own[N % 64] = N;
  return N ? depth(N - 1) + Own[N % 64] - N : 0;
}
#pragma omp end declare target

PROGRAM(assembly) {
  int X = Defect;
#pragma omp target map(tofrom : X)
#ifdef __NVPTX__
  if (X)
    // assembly: unknown: the simulator does not know inline assembly 'prmt.b32 $0, $1, 0, 0x0123;'
    // assembly-NEXT: kernel assembly(), line [[#@LINE-4]], {{.*}}finds-unknown.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (
    asm volatile("prmt.b32 %0, %1,\n 0, 0x0123;" : "=r"(X) : "r"(X));
#endif
  X += 0;
}

PROGRAM(intrinsic) {
  int X = Defect;
#pragma omp target map(tofrom : X)
#ifdef __NVPTX__
  if (X)
    // intrinsic: unknown: the simulator does not know llvm.nvvm.match.all.sync.i32p
    // intrinsic-NEXT: kernel intrinsic(), line [[#@LINE-4]], {{.*}}finds-unknown.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (
    X = __nvvm_match_all_sync_i32p(~0u, X, &X);
#endif
  X += 0;
}

// On a GPU the program could not even be linked.
PROGRAM(undefined) {
  int X = Defect;
#pragma omp target map(tofrom : X)
  if (X)
    // undefined: unknown: the simulator does not know undefined(int, char), which no device code of the program defines
    // undefined-NEXT: kernel undefined(), line [[#@LINE-3]], {{.*}}finds-unknown.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (
    X = ::undefined(X, 'c') + twice(X);
}

PROGRAM(assertion) {
  int X = Defect;
#pragma omp target map(tofrom : X)
  // assertion: trap: the program stopped itself (a failed assertion,
  // assertion-NEXT: kernel assertion(), line [[#@LINE-2]], {{.*}} block (0, 0, 0), thread (
  assert(X != 1);
}

PROGRAM(exception) {
  int X = Defect;
#pragma omp target map(tofrom : X)
  if (X)
    // exception: trap: the program stopped itself (a failed assertion, an exception, or
    // exception-NEXT: kernel exception(), line [[#@LINE-3]], {{.*}}finds-unknown.cpp:[[#@LINE+1]]:{{.*}} block (0, 0, 0), thread (
    throw X;
}

// The stack of a thread ends in memory that nobody can access.
PROGRAM(recursion) {
  int X = Defect ? 100000 : 100;
#pragma omp target map(tofrom : X)
  // recursion: bad-address: the thread's local memory is exhausted: deep recursion, or large local arrays
  // recursion-NEXT: kernel recursion(), line [[#@LINE-2]], {{.*}}finds-unknown.cpp:{{.*}} block (0, 0, 0), thread (
  X = depth(X);
}

int main(int Argc, char **Argv) { return runOne(Argc, Argv); }
