// The host version of a target region sees the original closure: if(false), the
// initial device, and OMP_TARGET_OFFLOAD=DISABLED, also while the data is mapped
// on a device.
//
// RUN: for o in "-O0 -g" -O1 -O2 "-O3 -g"; do echo "at $o"; \
// RUN:   %ferry_clangxx %offload $o %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=DEFAULT %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=DISABLED %t || exit 1; done
// RUN: %ferry_clangxx --ferry-off %offload -O2 %s -o %t.stock
// RUN: not env OMP_TARGET_OFFLOAD=MANDATORY %t.stock --isolate | FileCheck %s --check-prefix=STOCK

#include "Inputs/check.h"

namespace {
constexpr int N = 12;
struct View {
  int *Data;
  int &operator[](int I) const { return Data[I]; }
};

// Two arrays that hold other values on the device than on the host.
struct Both {
  int From[N], To[N];
  Both() {
    int *P = From, *Q = To;
    for (int I = 0; I < N; ++I)
      From[I] = 100 + I, To[I] = 0;
#pragma omp target enter data map(to : P[0 : N], Q[0 : N])
    for (int I = 0; I < N; ++I)
      From[I] = 10 + I, To[I] = -1;
  }
  ~Both() {
    int *P = From, *Q = To;
#pragma omp target exit data map(delete : P[0 : N], Q[0 : N])
  }
  // The host's To must hold 2 * From of the host in [0, HostEnd), the device's
  // 2 * From of the device in [DeviceBegin, N).
  void expect(int HostEnd, int DeviceBegin) {
    for (int I = 0; I < N; ++I)
      check::equal("on the host", To[I],
                   I < HostEnd || (!check::offload() && I >= DeviceBegin)
                       ? 2 * (10 + I)
                       : -1);
    if (!check::offload())
      return;
    const int Device = omp_get_default_device();
    int There[N];
    omp_target_memcpy(There, omp_get_mapped_ptr(To, Device), sizeof(There), 0,
                      0, omp_get_initial_device(), Device);
    for (int I = 0; I < N; ++I)
      check::equal("on the device", There[I],
                   I >= DeviceBegin ? 2 * (100 + I) : 0);
  }
};
} // namespace

// STOCK: ok if_false
SHAPE(if_false) {
  Both S;
  View X{S.From}, Y{S.To};
  auto Body = [=](int I) { Y[I] = 2 * X[I]; };
#pragma omp target teams distribute parallel for if (false)
  for (int I = 0; I < N; ++I)
    Body(I);
  S.expect(N, N);
}

// STOCK-NEXT: FAIL if_condition
SHAPE(if_condition) {
  Both S;
  View X{S.From}, Y{S.To};
  auto Read = [&](int I) { return X[I]; };
  auto Body = [&](int I) { Y[I] = 2 * Read(I); };
  volatile int Part = 0;
  for (; Part < 2; Part = Part + 1) {
    int First = Part ? N / 2 : 0;
#pragma omp target teams distribute parallel for if (Part == 1)
    for (int I = First; I < First + N / 2; ++I)
      Body(I);
  }
  check::absent("X", X);
  S.expect(N / 2, N / 2);
}

namespace {
struct Doubler {
  View X, Y;
  int Count = 0;
  void operator()(int I) {
    Y[I] = 2 * X[I];
    ++Count;
  }
  template <class F>
  static void run(int Begin, int End, bool Offload, F &Body) {
#pragma omp target if (target : Offload)
    for (int I = Begin; I < End; ++I)
      Body(I);
  }
};
} // namespace

// STOCK-NEXT: FAIL if_with_functor
SHAPE(if_with_functor) {
  Both S;
  Doubler F{{S.From}, {S.To}};
  Doubler::run(0, 3, false, F);
  check::equal("Count", F.Count, 3);
  Doubler::run(3, N, true, F);
  check::equal("Count", F.Count, N);
  Doubler::run(3, 6, false, F);
  check::pointer("X", F.X.Data, S.From);
  check::equal("Count", F.Count, N + 3);
  S.expect(6, 3);
}

namespace {
struct Object {
  View X, Y;
  int Factor;
  void run(int Begin, int End, bool Offload) {
    auto Body = [this](int I) { Y[I] = Factor * X[I]; };
#pragma omp target teams distribute parallel for if (Offload)
    for (int I = Begin; I < End; ++I)
      Body(I);
  }
};
} // namespace

// STOCK-NEXT: FAIL if_with_this
SHAPE(if_with_this) {
  Both S;
  Object O{{S.From}, {S.To}, 2};
  O.run(0, 4, false);
  O.run(8, N, true);
  O.run(4, 8, false);
  check::absent("the object", O);
  S.expect(8, 8);
}

// STOCK-NEXT: ok default_device_is_the_host
SHAPE(default_device_is_the_host) {
  Both S;
  View X{S.From}, Y{S.To};
  int Before = omp_get_default_device();
  omp_set_default_device(omp_get_initial_device());
  auto Body = [=](int I) { Y[I] = 2 * X[I]; };
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Body(I);
  omp_set_default_device(Before);
  S.expect(N, N);
}

// STOCK-NEXT: FAIL nowait_on_host_and_device
SHAPE(nowait_on_host_and_device) {
  Both S;
  View X{S.From}, Y{S.To};
  auto Body = [=](int I) { Y[I] = 2 * X[I]; };
  for (int Part = 0; Part < 2; ++Part) {
    int First = Part * N / 2;
#pragma omp target nowait if (Part) firstprivate(Body)
    for (int I = First; I < First + N / 2; ++I)
      Body(I);
  }
#pragma omp taskwait
  S.expect(N / 2, N / 2);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
