// Kernels have the same names in the host and in the device compilation, in
// whatever order the names of lambdas are needed.
// RUN: %ferry_plain %offload -O1 --offload-host-only -S -emit-llvm %s -o %t.host.ll
// RUN: %ferry_plain %offload -O1 --offload-device-only -S -emit-llvm %s -o %t.device.ll
// RUN: grep -o '^@.omp_offloading.entry_name.* c"__omp_offloading_[^\\]*\|^@.offloading.entry_name.* c"__omp_offloading_[^\\]*' %t.host.ll | sed 's/.*c"//' | sort > %t.host
// RUN: grep -o '^define .*void @__omp_offloading_[A-Za-z0-9_$.]*(' %t.device.ll | grep -v 'omp_outlined\|debug__' | sed 's/.*@//; s/($//; s/_ferry_[0-9a-f]*$//' | sort > %t.device
// RUN: count 10 < %t.host
// RUN: diff %t.host %t.device

// Stock Clang gives other names to some of them.
// RUN: %clangxx_plain %offload -O1 --offload-host-only -S -emit-llvm %s -o - | grep -o '^@.offloading.entry_name.* c"__omp_offloading_[^\\]*' | sed 's/.*c"//' | sort > %t.stock.host
// RUN: %clangxx_plain %offload -O1 --offload-device-only -S -emit-llvm %s -o - | grep -o '^define .*void @__omp_offloading_[A-Za-z0-9_$.]*(' | grep -v 'omp_outlined\|debug__' | sed 's/.*@//; s/($//' | sort > %t.stock.device
// RUN: not diff %t.stock.host %t.stock.device

template <class F> void run(F f) {
#pragma omp target
  f(0);
}

template <class F> void twice(F f) {
  run([=](int I) { f(I); });
  run([=](int I) { f(I + 1); });
}

#define PAIR(P)                                                                \
  run([=](int I) { P[I] = 1; }), run([=](int I) { P[I] = 2; })

static auto Global = [](int *P) {
  run([=](int I) { P[I] = 3; });
};

int main() {
  int A[4] = {};
  int *P = A;
  auto Unused = [=] { return P; };
  auto Outer = [=](int) {
    auto Inner = [=](int I) { P[I] = 4; };
    Inner(0);
  };
  run(Outer);
  twice([=](int I) { P[I] = 5; });
  PAIR(P);
  Global(P);
  [=] {
    run([=](int I) { P[I] = 6; });
    [=] { run([=](int I) { P[I] = 7; }); }();
  }();
  twice(Unused() ? [](int) {} : nullptr);
  return 0;
}
