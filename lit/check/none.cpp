// What is no mistake: memory of devices, page-locked, shared and associated
// memory, pointers that only the device has, variables of the device's, several
// devices, nowait, threads, the host fallback, what a launch maps itself.
//
// RUN: for o in -O0 -O2; do \
// RUN:   %ferry_clangxx --ferry-check %offload -Wno-openmp-mapping $o %s -o %t || exit 1; \
// RUN:   env FERRY_CHECK=error %t 2>&1 | count 0 || exit 1; done
// RUN: env -u OMP_TARGET_OFFLOAD OMP_TARGET_OFFLOAD=DISABLED FERRY_CHECK=error %t 2>&1 | count 0
// RUN: %if device-runtime %{ \
// RUN:   %sim_cxx --ferry-check -O2 -Wno-openmp-mapping %s -o %t.sim && \
// RUN:   env FERRY_CHECK=error %ferry_sim --devices 2 --strict --quiet -- %t.sim 2>&1 | count 0 %}
//
// The other direction: what is left out here is found.
// RUN: %t mistake 2>&1 | FileCheck %s
// CHECK: 'Loop.Wrong' = {{.*}} is not mapped

#include <omp.h>
#include <thread>
#include <vector>

constexpr int N = 64;

template <typename Body> void forall(int N, Body Loop, int Device = 0) {
#pragma omp target teams distribute parallel for device(Device)
  for (int I = 0; I < N; ++I)
    Loop(I);
}
template <typename Body> void forallLater(int N, Body Loop) {
#pragma omp target teams distribute parallel for nowait
  for (int I = 0; I < N; ++I)
    Loop(I);
}

struct View {
  double *Data;
};

extern "C" void *llvm_omp_target_alloc_host(size_t Bytes, int Device);
extern "C" void *llvm_omp_target_alloc_shared(size_t Bytes, int Device);

#pragma omp declare target
double Global[N];
#pragma omp end declare target

int main(int Count, char **) {
  double *X = new double[N]();
#pragma omp target enter data map(to : X[0 : N])
  if (Count > 1) {
    double *Wrong = new double[N]();
    forall(N, [=](int I) { X[I] = Wrong[I]; });
    return 0;
  }

  // Memory of the device's, and a part of it.
  auto *D = static_cast<double *>(omp_target_alloc(2 * N * sizeof(double), 0));
  double *Middle = D + N;
  forall(N, [=](int I) { X[I] = D[I] = Middle[I] = I; });
  double *Mapped = X;
#pragma omp target data use_device_ptr(Mapped)
  forall(N, [=](int I) { Mapped[I] += 1; });
  forall(N, [=](int I) { X[I] += Global[I]; });

  // Page-locked and shared memory, which host and device use alike.
  for (auto *Allocate :
       {llvm_omp_target_alloc_host, llvm_omp_target_alloc_shared})
    if (auto *L = static_cast<double *>(Allocate(N * sizeof(double), 0)))
      forall(N, [=](int I) { L[I] = X[I]; });

  // Associated memory.
  double *A = new double[N]();
  if (omp_get_num_devices() &&
      !omp_target_associate_ptr(A, D, N * sizeof(double), 0, 0)) {
    forall(N, [=](int I) { A[I] += X[I]; });
    omp_target_disassociate_ptr(A, 0);
  }

  // A pointer that only the device has: the host's leads nowhere.
  View V{new double[N]}, *P = &V;
#pragma omp target enter data map(to : P[0 : 1])
#pragma omp target is_device_ptr(D)
  P->Data = D;
  forall(N, [=](int I) { P->Data[I] += X[I]; });

  // What a kernel has allocated, by a pointer that was brought back.
  View Q{nullptr}, *O = &Q;
#pragma omp target enter data map(to : O[0 : 1])
#pragma omp target
  O->Data = new double[N]();
#pragma omp target update from(O[0 : 1])
  forall(N, [=](int I) { O->Data[I] += X[I]; });
  double *Made = O->Data;
  forall(N, [=](int I) { Made[I] += X[I]; });
  // Brought back again as it is.
#pragma omp target exit data map(from : O[0 : 1])
  forall(N, [=](int I) { Made[I] += X[I]; });
#pragma omp target
  delete[] Made;

  // What the construct maps, also for objects on the way.
  std::vector<double> Y(N), Z(N);
  double *YData = Y.data();
#pragma omp target teams distribute parallel for map(tofrom : YData[0 : N])
  for (int I = 0; I < N; ++I)
    YData[I] += X[I];
  View W{Z.data()};
#pragma omp target teams distribute parallel for map(to : W) map(tofrom : W.Data[0 : N])
  for (int I = 0; I < N; ++I)
    W.Data[I] += X[I];

  // No round of the loop, and an array that ends where it is read no more.
  double *Unmapped = new double[N]();
  forall(0, [=](int I) { X[I] += Unmapped[I]; });
  int Zero = 0;
  forall(N, [=](int I) {
    for (int J = 0; J < Zero; ++J)
      X[I] += Unmapped[J];
    for (int J = I; J < N - 1; ++J)
      X[J] = X[J + 1];
    if (I != 0 && Zero)
      Unmapped[I] = 1;
  });

  // Threads, each with arrays of its own that come and go.
  auto Run = [=] {
    for (int R = 0; R < 20; ++R) {
      double *Own = new double[N]();
#pragma omp target enter data map(to : Own[0 : N])
      forall(N, [=](int I) { Own[I] += X[I]; });
#pragma omp target exit data map(from : Own[0 : N])
      delete[] Own;
    }
  };
  std::thread One(Run), Two(Run);
  One.join();
  Two.join();

  forallLater(N, [=](int I) { X[I] += 1; });
#pragma omp taskwait

  // What is mapped on another device is mapped there.
  if (omp_get_num_devices() > 1) {
    double *Second = new double[N]();
#pragma omp target enter data map(to : Second[0 : N]) device(1)
    forall(N, [=](int I) { Second[I] = I; }, 1);
  }
  omp_target_free(D, 0);
}
