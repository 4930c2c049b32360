// Copies of data that are not the same any more, and copies that could be left
// out.
//
// RUN: %ferry_clangxx --ferry-check %offload -Wno-openmp-mapping -O2 %s -o %t
// RUN: env FERRY_CHECK=stale,transfers %t none 2>&1 | count 0
// RUN: for m in old over back lost; do echo $m; \
// RUN:   %t $m 2>&1 | count 0 || exit 1; \
// RUN:   env FERRY_CHECK=stale %t $m 2>&1 | FileCheck %s --check-prefix=$m || exit 1; done
// RUN: for m in again unread unchanged around; do echo $m; \
// RUN:   %t $m 2>&1 | count 0 || exit 1; \
// RUN:   env FERRY_CHECK=error,transfers %t $m 2>&1 | FileCheck %s --check-prefix=$m || exit 1; done

#include <cstring>

template <typename Body> void forall(int N, Body Loop) {
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
  if (Is("old"))
    Y[N - 1] = 1;
  forall(N, [=](int I) { X[I] += Y[I] + 1; });
  // old: ferry-check: copies.cpp:[[#]], kernel forall<main::lambda at copies.cpp:[[#@LINE-1]]>, device 0, launch 1
  // old-NEXT: 'Loop.Y' = {{.*}} was written by the host since it was copied, and the kernel reads the device's copy
  // old-NEXT: hint: target update to(Y[...])
  // old-NOT: ferry-check

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
  if (!Is("lost")) {
#pragma omp target update from(X[0 : N])
  }
#pragma omp target exit data map(release : X[0 : N], Y[0 : N])
  // lost: ferry-check: copies.cpp:[[#@LINE-1]], device 0, launch 2
  // lost-NEXT: 'X[0:N]' is unmapped, and what the device has written is lost
  // lost-NOT: ferry-check

  const int Rounds = Is("again") || Is("around") ? 5 : 1;
  for (int R = 0; R < Rounds; ++R) {
    if (Is("around"))
      X[0] = R + 7;
    if (Is("again") || Is("around")) {
#pragma omp target data map(to : X[0 : N])
      forall(N, [=](int I) { X[I] = 1; });
    }
  }
  // again: ferry-check: copies.cpp:[[#@LINE-4]], device 0
  // again-NEXT: 'X[0:N]' is sent again as the device was sent it before: 4 times, 3200 bytes
  // again-NEXT: hint: map it once around the loop
  // around: ferry-check: copies.cpp:[[#@LINE-7]], device 0
  // around-NEXT: 'X[0:N]' is allocated and freed around one launch: 5 times, 4000 bytes

  if (Is("unread")) {
    double *Z = new double[N]();
#pragma omp target enter data map(to : Z[0 : N])
#pragma omp target exit data map(release : Z[0 : N])
  }
  // unread: ferry-check: copies.cpp:[[#@LINE-3]], device 0
  // unread-NEXT: 'Z[0:N]' is sent, and no kernel runs before it is replaced or unmapped: 1 time, 800 bytes

  if (Is("unchanged")) {
    double *Z = new double[N]();
#pragma omp target data map(from : Z[0 : N])
    forall(N, [=](int I) { Z[I] = 0; });
  }
  // unchanged: 'Z[0:N]' is brought back as the host has it: 1 time, 800 bytes
}
