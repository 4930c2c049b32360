// A constructor that fails before the program's first kernel is reported too.
//
// RUN: %sim_cxx -O2 -g %s -o %t && not %ferry_sim --strict --quiet -- %t 2>&1 | FileCheck %s
//
// CHECK-NOT: never used the GPU
// CHECK: findings: 1
// CHECK-NEXT: bad-address:
// CHECK-NEXT: kernel constructors of device variables, {{.*}}finds-in-constructor.cpp:[[@LINE+8]]
// CHECK-NOT: never used the GPU

#pragma omp begin declare target
int *volatile Wild = reinterpret_cast<int *>(64);
struct Broken {
  int V = 0;
#ifdef __NVPTX__
  Broken() : V(*Wild) {}
#endif
} Global;
#pragma omp end declare target

int main() {
#pragma omp target
  Global.V = 1;
}
