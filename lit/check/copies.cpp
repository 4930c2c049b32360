// Copies of data that are not the same any more, and copies that could be left
// out.
//
// RUN: %ferry_clangxx --ferry-check %offload -Wno-openmp-mapping -O2 %s -o %t
// RUN: env FERRY_CHECK=stale,transfers %t none 2>&1 | count 0
// Copies that go the wrong way, and a clause that sends nothing, are mistakes;
// what a program may want is advice, and told once.
// RUN: for m in named over back; do echo $m; \
// RUN:   %t $m 2>&1 | count 0 || exit 1; \
// RUN:   env FERRY_CHECK=error,stale not %t $m 2>&1 | FileCheck %s --check-prefix=$m || exit 1; done
// RUN: for m in old kept lost; do echo $m; \
// RUN:   %t $m 2>&1 | count 0 || exit 1; \
// RUN:   env FERRY_CHECK=error,stale %t $m 2>&1 | FileCheck %s --check-prefix=$m || exit 1; done
// RUN: for m in looked attached threads; do echo $m; \
// RUN:   env FERRY_CHECK=stale %t $m 2>&1 | count 0 || exit 1; done
// libomptarget can print what it does at the same time.
// RUN: env FERRY_CHECK=error,stale LIBOMPTARGET_INFO=-1 timeout 60 %t none > %t.info 2>&1
// RUN: %clangxx_plain -g -Wno-openmp-mapping %offload %rpath -O2 %s -o %t.plain
// RUN: env FERRY_CHECK=stale LD_LIBRARY_PATH=%files/openmp LD_PRELOAD=%files/sim/libferry-check.so %t.plain attached 2>&1 | count 0
// RUN: for m in again unread unchanged around; do echo $m; \
// RUN:   %t $m 2>&1 | count 0 || exit 1; \
// RUN:   env FERRY_CHECK=error,transfers %t $m 2>&1 | FileCheck %s --check-prefix=$m || exit 1; done

#include <cstring>
#include <omp.h>

template <typename Body>
void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

constexpr int N = 100;

int main(int, char **Arguments) {
  const char *Mistake = Arguments[1];
  auto Is = [&](const char *M) { return !strcmp(Mistake, M); };
  double *X = new double[N](), *Y = new double[N]();

#pragma omp target enter data map(to : X[0 : N], Y[0 : N])
  if (Is("old") || Is("kept"))
    Y[N - 1] = 1;
  forall(N, [=](int I) { X[I] += Y[I] + 1; });
  // old: ferry-check: advice: copies.cpp:[[#]], kernel forall<main::lambda at copies.cpp:[[#@LINE-1]]>, device 0, launch 1
  // old-NEXT: 'Loop.Y' = {{.*}} was written by the host since it was copied, and the kernel reads the device's copy
  // old-NEXT: hint: target update to(Y[...])
  // old-NOT: ferry-check

  // It goes on with the device's copy.
  if (Is("kept")) {
#pragma omp target update from(Y[0 : N])
  }
  // kept: ferry-check: advice: copies.cpp:
  // kept-NEXT: 'Loop.Y' = {{.*}} was written by the host
  // kept-NOT: ferry-check

  if (Is("named")) {
    Y[5] = 3;
#pragma omp target teams distribute parallel for map(to : Y[0 : N])
    for (int I = 0; I < N; ++I)
      X[I] += Y[I];
  }
  // named: ferry-check: copies.cpp:[[#@LINE-4]], kernel main, device 0, launch 2
  // named-NEXT: 'Y' = {{.*}} was written by the host since it was copied, and the kernel reads the device's copy: map(to:) sends nothing of what is mapped already
  // named-NEXT: hint: target update to(Y[...])
  // named-NOT: ferry-check

  if (Is("over")) {
#pragma omp target update to(X[0 : N])
  }
  // over: ferry-check: copies.cpp:[[#@LINE-2]], device 0, launch 1
  // over-NEXT: 'X[0:N]' is sent over what the device has written since, and the host has not written it
  // over-NOT: ferry-check

#pragma omp target update from(X[0 : N])
  if (Is("back")) {
    Y[7] = 2;
#pragma omp target update from(Y[0 : N])
  }
  // back: ferry-check: copies.cpp:[[#@LINE-2]], device 0
  // back-NEXT: 'Y[0:N]' is brought back over what the host has written since, and the device has not written it
  // back-NOT: ferry-check

  X[1] = 5;
#pragma omp target update to(X[0 : N])
  forall(N, [=](int I) { X[I] += 2; });
  if (Is("looked")) {
    double Seen[N];
    const int Device = omp_get_default_device();
    omp_target_memcpy(Seen, omp_get_mapped_ptr(X, Device), sizeof(Seen), 0, 0,
                      omp_get_initial_device(), Device);
  } else if (!Is("lost")) {
#pragma omp target update from(X[0 : N])
  }
#pragma omp target exit data map(release : X[0 : N], Y[0 : N])
  // lost: ferry-check: advice: copies.cpp:[[#@LINE-1]], device 0, launch 2
  // lost-NEXT: 'X[0:N]' is unmapped, and what the device has written is lost
  // lost-NOT: ferry-check

  // The device's record leads to what is unmapped before it is.
  if (Is("attached")) {
    struct Row {
      int Length;
      double *Data;
    } R{N, X};
#pragma omp target data map(to : R)
#pragma omp target map(tofrom : R.Data[0 : R.Length])
    R.Data[0] = R.Length;
  }

  // One thread unmaps what others have brought back, or map anew.
  if (Is("threads")) {
    long Sum = 3;
#pragma omp parallel for num_threads(4)
    for (int Launch = 0; Launch < 2000; ++Launch) {
#pragma omp target map(tofrom : Sum)
#pragma omp atomic
      Sum += 1;
    }
  }

  const int Rounds = Is("again") || Is("around") ? 5 : 1;
  for (int R = 0; R < Rounds; ++R) {
    if (Is("around"))
      X[0] = R + 7;
    if (Is("again") || Is("around")) {
#pragma omp target data map(to : X[0 : N])
      forall(N, [=](int I) { X[I] = 1; });
    }
  }
  // again: ferry-check: advice: copies.cpp:[[#@LINE-4]], device 0
  // again-NEXT: 'X[0:N]' is sent again as the device was sent it before: 4 times, 3200 bytes
  // again-NEXT: hint: map it once around the loop
  // around: ferry-check: advice: copies.cpp:[[#@LINE-7]], device 0
  // around-NEXT: 'X[0:N]' is allocated and freed around one launch: 5 times, 4000 bytes

  if (Is("unread")) {
    double *Z = new double[N]();
#pragma omp target enter data map(to : Z[0 : N])
#pragma omp target exit data map(release : Z[0 : N])
  }
  // unread: ferry-check: advice: copies.cpp:[[#@LINE-3]], device 0
  // unread-NEXT: 'Z[0:N]' is sent, and no kernel runs before it is replaced or unmapped: 1 time, 800 bytes

  if (Is("unchanged")) {
    double *Z = new double[N]();
#pragma omp target data map(from : Z[0 : N])
    forall(N, [=](int I) { Z[I] = 0; });
  }
  // unchanged: 'Z[0:N]' is brought back as the host has it: 1 time, 800 bytes
}
