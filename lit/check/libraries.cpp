// Programs and shared libraries of which each has the checks in it: one copy
// looks at all launches, and none finds what another one has mapped.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %ferry_clangxx --ferry-check %offload -O2 -fPIC -shared -DLIBRARY %s -o libchecked.so
// RUN: %ferry_clangxx %offload -O2 -fPIC -shared -DLIBRARY %s -o libplain.so
// RUN: for o in "--ferry-check" ""; do for l in checked plain; do \
// RUN:   %ferry_clangxx $o %offload -O2 %s -o main -L. -l$l -Wl,-rpath,%t || exit 1; \
// RUN:   env FERRY_CHECK=error ./main 2>&1 | count 0 || exit 1; \
// RUN:   ./main mistakes > main$o-$l.out 2>&1 || exit 1; done; done
// RUN: FileCheck %s --input-file=main--ferry-check-checked.out --check-prefixes=LIBRARY,MAIN
// RUN: FileCheck %s --input-file=main--ferry-check-plain.out --check-prefixes=MAIN
// RUN: FileCheck %s --input-file=main-checked.out --check-prefixes=LIBRARY
// RUN: count 0 < main-plain.out
//
// A library that is loaded later, by a program with the checks and one without.
// RUN: %ferry_clangxx --ferry-check %offload -O2 -DLOADS %s -o loads -ldl
// RUN: env FERRY_CHECK=error ./loads %t/libchecked.so 2>&1 | count 0
// RUN: ./loads %t/libchecked.so mistakes 2>&1 | FileCheck %s --check-prefixes=LIBRARY,MAIN
// RUN: %ferry_clangxx %offload -O2 -DLOADS %s -o loads -ldl
// RUN: env FERRY_CHECK=error ./loads %t/libchecked.so 2>&1 | count 0
//
// LIBRARY: ferry-check: libraries.cpp:{{.*}} launch 1
// LIBRARY-NEXT: 'Loop.Forgotten' = {{.*}} is not mapped
// LIBRARY-NEXT: nearest mapping: {{.*}} (800 bytes{{.*}}), ends 0 bytes before
// MAIN: ferry-check: libraries.cpp:{{.*}} launch 2
// MAIN-NEXT: 'Loop.Other' = {{.*}} is not mapped
// MAIN-NEXT: nearest mapping: X[0:N] (800 bytes, libraries.cpp:[[#]])
#include <dlfcn.h>

template <typename Body> void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

#ifdef LIBRARY
// X is mapped by the program.
extern "C" void add(double *X, double *Forgotten, int N) {
  forall(N, [=](int I) { X[I] += Forgotten[I]; });
}
#else

#ifndef LOADS
extern "C" void add(double *X, double *Forgotten, int N);
#endif

int main(int Count, char **Arguments) {
  const int N = 100;
  double *X = new double[3 * N](), *Forgotten = X + N, *Other = X + 2 * N;
#ifdef LOADS
  void *Library = dlopen(Arguments[1], RTLD_NOW);
  auto *add = reinterpret_cast<void (*)(double *, double *, int)>(
      dlsym(Library, "add"));
  --Count;
#else
  (void)Arguments;
#endif
  const bool Mistakes = Count > 1;
#pragma omp target enter data map(to : X[0 : N])
  const int M = Mistakes ? N : 0;
  add(X, Forgotten, M);
  forall(M, [=](int I) { X[I] += Other[I]; });
#pragma omp target exit data map(release : X[0 : N])
}
#endif
