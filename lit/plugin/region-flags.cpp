// What holds for the whole program: unified shared memory, and functions with
// variants for the device that may be given a closure.
// RUN: %annotations -DSHARED %s | FileCheck %s --check-prefix=SHARED
// RUN: %annotations -DVARIANT %s | FileCheck %s --check-prefix=VARIANT
// RUN: %annotations -DNUMBERS %s | FileCheck %s --check-prefix=NONE
// RUN: %annotations %s | FileCheck %s --check-prefix=NONE

#ifdef SHARED
#pragma omp requires unified_shared_memory
#endif

struct Record {
  double *P;
};

#ifdef VARIANT
void onDevice(const Record &R) { R.P[1] = 0; }
#pragma omp declare variant(onDevice) match(device = {kind(nohost)})
void f(const Record &R) { R.P[0] = 0; }
#elif defined NUMBERS
// omp.h declares such functions.
int onDevice(int N) { return N + 1; }
#pragma omp declare variant(onDevice) match(device = {kind(nohost)})
int f(int N) { return N; }
#endif

// SHARED: {{^}}_Z3run6Record: line [[#@LINE+4]]:1 unified shared memory{{$}}
// VARIANT: {{^}}_Z3run6Record: line [[#@LINE+3]]:1 variants{{$}}
// NONE: {{^}}_Z3run6Record: line [[#@LINE+2]]:1{{$}}
void run(Record R) {
#pragma omp target
  R.P[0] = 0;
}
