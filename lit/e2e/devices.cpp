// The device clause and the default device: the host device's plugin offers four
// devices, which hold different data for one host array.
//
// RUN: for o in "-O0 -g" -O2 "-O3 -g"; do echo "at $o"; \
// RUN:   %ferry_clangxx %offload $o %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done
// RUN: %ferry_clangxx --ferry-off %offload -O2 %s -o %t.stock
// RUN: not env OMP_TARGET_OFFLOAD=MANDATORY %t.stock --isolate | FileCheck %s --check-prefix=STOCK

#include "Inputs/check.h"
#include "Inputs/forall.h"

namespace {
constexpr int N = 12, Devices = 4;
struct View {
  int *Data;
  int &operator[](int I) const { return Data[I]; }
};

// One host array for the input and one for the output, mapped on each device
// with other values.
struct OnEachDevice {
  int From[N], To[N];
  Mapped<int> A0{N, 1, 0, From}, A1{N, 2, 1, From}, A2{N, 3, 2, From},
      A3{N, 4, 3, From};
  Mapped<int> Out0{N, 5, 0, To}, Out1{N, 6, 1, To}, Out2{N, 7, 2, To},
      Out3{N, 8, 3, To};
  Mapped<int> *A[Devices] = {&A0, &A1, &A2, &A3};
  Mapped<int> *Out[Devices] = {&Out0, &Out1, &Out2, &Out3};
  template <class F>
  void expect(F Want) {
    for (int D = 0; D < Devices; ++D)
      Out[D]->expect([&](int I) { return Want(D, A[D]->at(I)); });
  }
};
} // namespace

// STOCK: FAIL device_clause
SHAPE(device_clause) {
  OnEachDevice S;
  check::equal("the number of devices", omp_get_num_devices(), Devices);
  View X{S.From}, Y{S.To};
  auto Body = [=](int I) { Y[I] = X[I] + 1; };
  for (int D = 0; D < Devices; ++D) {
#pragma omp target teams distribute parallel for device(D)
    for (int I = 0; I < N; ++I)
      Body(I);
    check::absent("the closure", Body, D);
  }
  S.expect([](int, int V) { return V + 1; });
}

// STOCK-NEXT: FAIL constant_device
SHAPE(constant_device) {
  OnEachDevice S;
  View X{S.From}, Y{S.To};
  auto Body = [=](int I) { Y[I] = X[I] + 1; };
#pragma omp target device(2)
  for (int I = 0; I < N; ++I)
    Body(I);
#pragma omp target device(3)
  for (int I = 0; I < N; ++I)
    Y[I] = X[I] + 1;
  for (int D = 0; D < Devices; ++D)
    S.Out[D]->expect(
        [&](int I) { return D >= 2 ? S.A[D]->at(I) + 1 : S.Out[D]->at(I); });
}

// STOCK-NEXT: FAIL default_device
SHAPE(default_device) {
  OnEachDevice S;
  View X{S.From}, Y{S.To};
  int Factor = 2;
  for (int D = Devices - 1; D >= 0; --D) {
    omp_set_default_device(D);
    forall(N, [&](int I) { Y[I] = Factor * X[I] + D; });
    check::absent("Factor", Factor, D);
  }
  omp_set_default_device(0);
  S.expect([](int D, int V) { return 2 * V + D; });
}

// STOCK-NEXT: FAIL written_variable_on_each_device
SHAPE(written_variable_on_each_device) {
  OnEachDevice S;
  View X{S.From};
  int Sum = 0, Want = 0;
  auto Body = [&](int I) { Sum += X[I]; };
  for (int D = 0; D < Devices; ++D) {
#pragma omp target device(D)
    for (int I = 0; I < N; ++I)
      Body(I);
    for (int I = 0; I < N; ++I)
      Want += S.A[D]->at(I);
    check::equal("Sum", Sum, Want);
    check::absent("Sum", Sum, D);
  }
}

// STOCK-NEXT: FAIL present_on_one_device_only
SHAPE(present_on_one_device_only) {
  // The other devices get the host address, bit for bit.
  using Word = unsigned long;
  int From[N];
  Mapped<int> A(N, 1, 1, From);
  Word Seen[Devices] = {};
  struct {
    int *P;
  } S{From};
  for (int D = 0; D < Devices; ++D) {
    Word Bits = 0;
#pragma omp target device(D) map(from : Bits)
    Bits = reinterpret_cast<Word>(S.P);
    Seen[D] = Bits;
  }
  for (int D = 0; D < Devices; ++D)
    check::pointer("the pointer", reinterpret_cast<void *>(Seen[D]),
                   D == 1 ? omp_get_mapped_ptr(From, 1) : From);
}

// STOCK-NEXT: FAIL nowait_on_all_devices
SHAPE(nowait_on_all_devices) {
  OnEachDevice S;
  View X{S.From}, Y{S.To};
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int D = 0; D < Devices; ++D) {
    auto Body = [=](int I) { Y[I] = X[I] + D; };
#pragma omp target parallel for nowait device(D) \
    firstprivate(Body)
    for (int I = 0; I < N; ++I)
      Body(I);
  }
  S.expect([](int D, int V) { return V + D; });
}

// STOCK-NEXT: FAIL entered_on_all_devices
SHAPE(entered_on_all_devices) {
  OnEachDevice S;
  struct Saxpy {
    View X, Y;
    int Factor;
  } F{{S.From}, {S.To}, 0};
  for (int D = 0; D < Devices; ++D) {
    F.Factor = D + 1;
#pragma omp target enter data map(to : F) device(D)
  }
  F.Factor = -1;
  for (int D = 0; D < Devices; ++D) {
#pragma omp target teams distribute parallel for device(D)
    for (int I = 0; I < N; ++I)
      F.Y[I] = F.Factor * F.X[I];
#pragma omp target exit data map(delete : F) device(D)
  }
  check::pointer("X", F.X.Data, S.From);
  S.expect([](int D, int V) { return (D + 1) * V; });
}

// STOCK-NEXT: ok initial_device
SHAPE(initial_device) {
  // The region runs on the host, with the host's pointers.
  int From[N], To[N] = {};
  for (int &I : From)
    I = 3;
  int *P = From, *Q = To;
#pragma omp target enter data map(to : P[0 : N], Q[0 : N])
  View X{From}, Y{To};
  auto Body = [=](int I) { Y[I] = X[I] + 1; };
  int Host = omp_get_initial_device();
#pragma omp target teams distribute parallel for device(Host)
  for (int I = 0; I < N; ++I)
    Body(I);
#pragma omp target exit data map(delete : P[0 : N], Q[0 : N])
  for (int V : To)
    check::equal("To", V, 4);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
