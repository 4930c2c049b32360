// A lambda that Ferry numbers, as in `main` or a static function, is called by
// its place in reports, whether or not there is debug information, and wherever
// the source is by then.
//
// RUN: cp %s %t.cpp && %sim_cxx -O2 -c %t.cpp -o %t.o && rm %t.cpp
// RUN: %sim_cxx %t.o -o %t && %ferry_sim --json %t.json -- %t 2>&1 | FileCheck %s -DFILE=report-lambdas.cpp.tmp.cpp
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json -DFILE=report-lambdas.cpp.tmp.cpp
// RUN: for o in -O0 "-O0 -g" "-O2 -g" "-O2 -foffload-lto" "-O2 -mllvm -ferry-map=false"; do echo "at $o"; \
// RUN:   %sim_cxx $o %s -o %t && %ferry_sim --json %t.json -- %t 2>&1 | FileCheck %s -DFILE=report-lambdas.cpp || exit 1; \
// RUN:   FileCheck %s --check-prefix=JSON --input-file=%t.json -DFILE=report-lambdas.cpp || exit 1; done
// RUN: %sim_cxx -O2 %s --offload-device-only -S -emit-llvm -o - | FileCheck %s --check-prefix=IR
// Nothing of it where the simulator is not asked for.
// RUN: %ferry_clangxx -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda --offload-arch=sm_90 -nogpulib -O2 %s --offload-device-only -S -emit-llvm -o - | not grep 'ferry.lambda'
//
// IR-NOT: llvm.global.annotations
// IR: !ferry.lambdas =
// CHECK-NOT: #100

template <typename Body> static void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

static void inStatic(double *A) {
  // CHECK-DAG: {{^}}void forall<inStatic(double*)::{lambda(int) at [[FILE]]:[[#@LINE+2]]}>(int, inStatic(double*)::{lambda(int) at [[FILE]]:[[#@LINE+2]]}), line [[#@LINE-6]]
  // JSON-DAG: "demangled": "void forall<inStatic(double*)::{lambda(int) at [[FILE]]:[[#@LINE+1]]}>
  forall(2, [=](int I) { A[I] = I; });
}

namespace {
struct Hidden {
  double *A;
  void inMember();
};
// CHECK-DAG: {{^}}void forall<(anonymous namespace)::Hidden::inMember()::{lambda({{.*}}) at [[FILE]]:[[#@LINE+2]]}>
void Hidden::inMember() {
  forall(2, [this](auto I) { A[I] = I; });
}
} // namespace

int main() {
  double Array[64], *A = Array;
#pragma omp target enter data map(to : A[0 : 64])
  inStatic(A);
  Hidden{A}.inMember();
  // CHECK-DAG: {{^}}void forall<main::{lambda(int) at [[FILE]]:[[#@LINE+2]]}::operator()(int) const::{lambda(int)#1}>
  auto Outer =
      [=](int J) { forall(J, [=](int I) { A[I] = J; }); };
  Outer(2);
  // CHECK-DAG: {{^}}void forall<main::{lambda(int) at [[FILE]]:[[#@LINE+6]]}>(int, main::{lambda(int) at [[FILE]]:[[#@LINE+6]]}), line {{[0-9]+}}
  // CHECK: out-of-bounds:
  // CHECK-NEXT: kernel void forall<main::{lambda(int) at [[FILE]]:[[#@LINE+4]]}>(int, main::{lambda(int) at [[FILE]]:[[#@LINE+4]]}), line
  // JSON-DAG: "demangled": "void forall<main::{lambda(int) at [[FILE]]:[[#@LINE+3]]}>
  // JSON: "function": "{{.*}}main::{lambda(int) at [[FILE]]:[[#@LINE+2]]}
  forall(65,
         [=](int I) {
           A[I] = I;
         });
#pragma omp target exit data map(delete : A[0 : 64])
}
