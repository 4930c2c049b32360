// The program's own annotations stay, in both compilations; Ferry's are for the
// host's passes only, and gone after them.
// RUN: %annotations %s | FileCheck %s
// RUN: %ferry_plain %offload --offload-host-only -S -emit-llvm %s -o - | FileCheck %s --check-prefix=HOST --implicit-check-not=ferry.region:
// RUN: %ferry_plain %offload --offload-device-only -S -emit-llvm %s -o - | FileCheck %s --check-prefix=DEVICE --implicit-check-not=ferry.region:

// CHECK-DAG: {{^}}_Z3runPd: another annotation
// CHECK-DAG: {{^}}_Z3runPd: line [[#@LINE+6]]:1

// HOST: c"the user's\00", section "llvm.metadata"
// HOST: @llvm.global.annotations = appending global [1 x {{.*}}@_Z3runPd
// DEVICE: c"the user's\00", section "llvm.metadata"
__attribute__((annotate("the user's"))) void run(double *P) {
#pragma omp target
  P[0] = 0;
}
#pragma omp declare target(run)
