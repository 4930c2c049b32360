// What may be mapped is read at the kernel's beginning where nothing can have
// changed it before the kernel reads it, else used in place. Objects of kernels
// in generic mode are in shared memory.
//
// REQUIRES: nvptx-registered-target, amdgpu-registered-target
// RUN: for t in \
// RUN:   "nvptx64-nvidia-cuda -Xopenmp-target=nvptx64-nvidia-cuda -march=sm_90" \
// RUN:   "amdgcn-amd-amdhsa -Xopenmp-target=amdgcn-amd-amdhsa -march=gfx90a"; do \
// RUN:   for o in -O0 "-O0 -g" -O1; do echo "$t $o"; \
// RUN:     %ferry_clangxx $o -fopenmp -fopenmp-targets=$t -nogpulib \
// RUN:       -fno-discard-value-names --offload-device-only -S -emit-llvm %s \
// RUN:       -o %t.ll || exit 1; \
// RUN:     for f in axpy Serial; do \
// RUN:       sed -n "/^define weak.*$f/,/^}/p" %t.ll > %t.$f; done; \
// RUN:     grep -q ferry.word %t.axpy || exit 1; \
// RUN:     not grep ferry.used %t.axpy || exit 1; \
// RUN:     case $o in -O0*) grep -q ferry.used %t.Serial || exit 1 ;; esac; \
// RUN:     grep '^@ferry.object.* addrspace(3) global' %t.ll || exit 1; done; done
// A CPU's kernels read the host's objects.
// RUN: %ferry_clangxx -O1 %offload --offload-device-only -S -emit-llvm %s -o %t.ll
// RUN: not grep '^define .*_ferry_' %t.ll

template <class F> void forall(int N, F Body) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Body(I);
}

template <class F> void inOrder(int N, F Body) {
#pragma omp target
  for (int I = 0; I < N; ++I)
    Body(I);
}

void axpy(double *X, double *Y, double A, int N) {
  forall(N, [&](int I) { Y[I] = A * X[I] + Y[I]; });
}

// The next iteration may see what this one has written.
struct Serial {
  double *&X, *&Y, &A;
  void operator()(int I) const { Y[I] = A * X[I] + Y[I]; }
};
void serial(double *X, double *Y, double A, int N) {
  inOrder(N, Serial{X, Y, A});
}
