// A debugger finds what a kernel captures where its words are parameters: the
// variables keep their locations, which lead to the objects that the kernel
// builds. These lie on the stack or in shared memory, so no function may take
// them for global memory, as Clang says of what is mapped.
//
// REQUIRES: nvptx-registered-target, amdgpu-registered-target
// RUN: for t in \
// RUN:   "nvptx64-nvidia-cuda -Xopenmp-target=nvptx64-nvidia-cuda -march=sm_90" \
// RUN:   "amdgcn-amd-amdhsa -Xopenmp-target=amdgcn-amd-amdhsa -march=gfx90a"; do \
// RUN:   echo "$t"; \
// RUN:   for o in 0 2; do \
// RUN:     %ferry_clangxx -g -O$o -fopenmp -fopenmp-targets=$t -nogpulib \
// RUN:       --offload-device-only -S -emit-llvm %s -o %t.$o.ll || exit 1; \
// RUN:     opt -passes=verify -disable-output %t.$o.ll || exit 1; done; \
// RUN:   grep -c '^define .*_ferry_' %t.0.ll | grep -x 2 || exit 1; \
// RUN:   %python %S/Inputs/located.py %t.0.ll > %t.located || exit 1; \
// RUN:   for f in threads oneThread; do \
// RUN:     grep "^__omp_offloading_[^ ]*$f.*: Body" %t.located || exit 1; done; \
// RUN:   grep '^_ZZ.*run.*clEi: this' %t.located || exit 1; \
// RUN:   grep 'DIDerivedType(tag: DW_TAG_member, name: "Factor"' %t.0.ll || exit 1; \
// RUN:   not grep 'addrspacecast .*to ptr addrspace(1)' %t.0.ll || exit 1; done

struct Scale {
  double *Data;
  double Factor;
  void operator()(int I) const { Data[I] *= Factor; }
};

template <class F> void threads(int N, F Body) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Body(I);
}

template <class F> void oneThread(int N, F Body) {
#pragma omp target
  for (int I = 0; I < N; ++I)
    Body(I);
}

void run(double *P, double Factor, int N) {
  threads(N, [=](int I) { P[I] *= Factor; });
  oneThread(N, Scale{P, Factor});
}
