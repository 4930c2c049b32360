// What holds for the whole program: unified shared memory.
// RUN: %annotations -DSHARED %s | FileCheck %s --check-prefix=SHARED
// RUN: %annotations %s | FileCheck %s --check-prefix=NONE

#ifdef SHARED
#pragma omp requires unified_shared_memory
#endif

struct Record {
  double *P;
};

// SHARED: {{^}}_Z3run6Record: line [[#@LINE+3]]:1 unified shared memory{{$}}
// NONE: {{^}}_Z3run6Record: line [[#@LINE+2]]:1{{$}}
void run(Record R) {
#pragma omp target
  R.P[0] = 0;
}
