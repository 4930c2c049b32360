// A lambda is called by its place in reports, as far as that is known.
//
// RUN: %sim_cxx -g -O2 %s -o %t && %ferry_sim -- %t 2>&1 | FileCheck %s --check-prefixes=NAME,PLACE
// RUN: %sim_cxx -g -O0 %s -o %t && %ferry_sim --json %t.json -- %t 2>&1 | FileCheck %s --check-prefixes=NAME,PLACE
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: %sim_cxx -O2 %s -o %t && %ferry_sim -- %t 2>&1 | FileCheck %s --check-prefixes=NAME,NOWHERE
//
// The file tells it, not only the debug information.
// RUN: cp %s %t.cpp && %sim_cxx -g -O2 -c %t.cpp -o %t.o && rm %t.cpp
// RUN: %sim_cxx %t.o -o %t && %ferry_sim -- %t 2>&1 | FileCheck %s --check-prefixes=NAME,NOWHERE
// NAME-NOT: #1

template <typename Body> static void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

int main() {
  double Array[64], *A = Array;
#pragma omp target enter data map(to : A[0 : 64])
  // NOWHERE: {{^}}void forall<main::{lambda(int)}>(int, main::{lambda(int)}), line 14
  // PLACE: {{^}}void forall<main::{lambda(int) at report-lambdas.cpp:[[#@LINE+6]]}>(int, main::{lambda(int) at report-lambdas.cpp:[[#@LINE+6]]}), line 14 (
  // PLACE: out-of-bounds:
  // PLACE-NEXT: kernel void forall<main::{lambda(int) at report-lambdas.cpp:[[#@LINE+4]]}>(int, main::{lambda(int) at report-lambdas.cpp:[[#@LINE+4]]}), line 14, {{.*}}report-lambdas.cpp:[[#@LINE+5]]:{{[0-9]+}}
  // JSON: "demangled": "void forall<main::{lambda(int) at report-lambdas.cpp:[[#@LINE+3]]}>
  // JSON: "function": "main::{lambda(int) at report-lambdas.cpp:[[#@LINE+2]]}::operator()(int) const"
  forall(65,
         [=](int I) {
           A[I] = I;
         });
#pragma omp target exit data map(delete : A[0 : 64])
}
