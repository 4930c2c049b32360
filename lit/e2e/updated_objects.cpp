// Updates of objects whose pointers were attached, by kernels that did not get
// to follow them. libomptarget writes over all attached pointers of the object
// then; the program has not asked for it. Without Ferry nothing is attached:
// all shapes but those that end in _attached are right.
//
// RUN: %ferry_clangxx --ferry-off %offload -O2 %s -o %t.stock
// RUN: not %t.stock --isolate | FileCheck %s --check-prefix=STOCK
// RUN: for o in -O0 "-O1 -g" -O2 -O3; do echo "at $o"; \
// RUN:   %ferry_clangxx %offload $o %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=DISABLED %t || exit 1; done
// RUN: %if device-runtime %{ for o in -O0 -O2; do echo "simulated at $o"; \
// RUN:   %sim_cxx $o %s -o %t.sim || exit 1; \
// RUN:   %ferry_sim --strict --quiet -- %t.sim || exit 1; done %}

#include "Inputs/check.h"
#include "Inputs/forall.h"

namespace {
constexpr int N = 8;
struct Record {
  double *P;
  long Count;
};

/// A mapped record, the pointer in which has been attached.
struct MappedRecord {
  Mapped<double> X{N, 2}, A{N}, Out{N, 3};
  Record Body{X, 0}, *R = &Body;
  double *Q = Out, *OnDevice = A;
  MappedRecord() {
    Record *R = this->R;
#pragma omp target enter data map(to : R[0 : 1])
    read();
  }
  ~MappedRecord() {
    Record *R = this->R;
#pragma omp target exit data map(delete : R[0 : 1])
  }
  void read() {
    Record *R = this->R;
    double *Q = this->Q;
    forall(N, [=](int I) {
      if (I < R->Count)
        Q[I] = R->P[I];
    });
  }
  /// The kernel sets the pointer to another array.
  void store() {
    Record *R = this->R;
    double *A = OnDevice;
#pragma omp target
    R->P = A;
  }
  double *deviceAddress(double *P) {
    return check::offload() ? static_cast<double *>(omp_get_mapped_ptr(
                                  P, omp_get_default_device()))
                            : P;
  }
};
} // namespace

// STOCK: ok another_member_to
SHAPE(another_member_to) {
  MappedRecord S;
  Record *R = S.R;
  S.store();
  R->Count = N;
#pragma omp target update to(R->Count)
  S.read();
  S.Out.expect([&](int I) { return S.A.at(I); });
}

// STOCK-NEXT: ok another_member_from
SHAPE(another_member_from) {
  // The host's pointer is the host's.
  MappedRecord S;
  Record *R = S.R;
  R->P = S.A;
#pragma omp target update from(R->Count)
  check::pointer("P", R->P, S.A);
}

// STOCK-NEXT: ok written_on_the_device_from
SHAPE(written_on_the_device_from) {
  MappedRecord S;
  Record *R = S.R;
  S.store();
#pragma omp target update from(R->P)
  check::pointer("P", R->P, S.deviceAddress(S.A));
}

// STOCK-NEXT: ok unmapped_from
SHAPE(unmapped_from) {
  MappedRecord S;
  Record *R = S.R;
#pragma omp target
  R->P = nullptr;
#pragma omp target exit data map(from : R[0 : 1])
  check::pointer("P", R->P, nullptr);
}

// STOCK-NEXT: ok still_mapped
SHAPE(still_mapped) {
  // Nothing is copied while another mapping holds the object.
  MappedRecord S;
  Record *R = S.R;
#pragma omp target data map(tofrom : R[0 : 1])
  {
    S.store();
    R->P = nullptr;
  }
  check::pointer("P", R->P, nullptr);
  R->Count = N;
#pragma omp target update to(R->Count)
  if (check::offload()) {
    S.read();
    S.Out.expect([&](int I) { return S.A.at(I); });
  }
}

// STOCK-NEXT: ok null_to
SHAPE(null_to) {
  MappedRecord S;
  Record *R = S.R;
  double *Q = S.Q;
  R->P = nullptr;
#pragma omp target update to(R->P)
  forall(N, [=](int I) { Q[I] = R->P ? 7 : 8; });
  S.Out.expect([](int) { return 8; });
}

// STOCK-NEXT: ok a_pointer_of_the_device_to
SHAPE(a_pointer_of_the_device_to) {
  MappedRecord S;
  Record *R = S.R;
  R->P = S.deviceAddress(S.A);
  R->Count = N;
#pragma omp target update to(R[0 : 1])
  S.read();
  S.Out.expect([&](int I) { return S.A.at(I); });
}

// STOCK-NEXT: ok stored_as_before_the_update
SHAPE(stored_as_before_the_update) {
  // What was attached, until the host's own word came over it.
  MappedRecord S;
  Record *R = S.R;
  R->P = S.A;
  R->Count = N;
#pragma omp target update to(R[0 : 1])
  S.OnDevice = S.X;
  S.store();
  S.read();
  S.Out.expect([&](int I) { return S.X.at(I); });
}

// STOCK-NEXT: ok stored_as_the_host_after_the_update
SHAPE(stored_as_the_host_after_the_update) {
  // The device's address of what the host's own word leads to.
  MappedRecord S;
  Record *R = S.R;
  R->P = S.A;
  R->Count = N;
#pragma omp target update to(R[0 : 1])
  S.store();
  S.read();
  R->P = S.X;
  S.read();
  S.Out.expect(
      [&](int I) { return check::offload() ? S.A.at(I) : S.X.at(I); });
}

// STOCK-NEXT: ok stored_as_it_was_attached
SHAPE(stored_as_it_was_attached) {
  // Only the kernel's own code tells that it has stored the pointer.
  MappedRecord S;
  Record *R = S.R;
  S.OnDevice = S.X;
  S.store();
  R->P = S.A;
  R->Count = N;
#pragma omp target update to(R->Count)
  S.read();
  S.Out.expect(
      [&](int I) { return check::offload() ? S.X.at(I) : S.A.at(I); });
}

// STOCK-NEXT: ok stored_by_a_lambda_as_it_was_attached
SHAPE(stored_by_a_lambda_as_it_was_attached) {
  MappedRecord S;
  Record *R = S.R;
  double *X = S.X;
  forall(1, [=](int I) { R[I].P = X; });
  R->P = S.A;
  R->Count = N;
#pragma omp target update to(R->Count)
  S.read();
  S.Out.expect(
      [&](int I) { return check::offload() ? S.X.at(I) : S.A.at(I); });
}

// STOCK-NEXT: ok another_row_to
SHAPE(another_row_to) {
  Mapped<double> X(N, 2), A(N), Out(N, 3);
  double *Rows[2] = {X, X}, **T = Rows, *Q = Out, *B = A;
  long Count = 0;
#pragma omp target enter data map(to : T[0 : 2])
  forall(N, [=](int I) {
    if (I < Count)
      Q[I] = T[I % 2][I];
  });
#pragma omp target
  T[0] = T[1] = B;
  T[0] = nullptr;
#pragma omp target update to(T[0 : 1])
  forall(N, [=](int I) { Q[I] = T[1][I] + (T[0] ? 100 : 0); });
#pragma omp target exit data map(delete : T[0 : 2])
  Out.expect([&](int I) { return A.at(I); });
}

// STOCK-NEXT: FAIL another_pointer_to_attached
SHAPE(another_pointer_to_attached) {
  // The host's new pointer, although a kernel has written the device's.
  MappedRecord S;
  Record *R = S.R;
  S.store();
  R->P = S.X + 2;
  S.read();
  R->P = S.X + 1;
  R->Count = N - 1;
#pragma omp target update to(R[0 : 1])
  S.read();
  S.Out.expect([&](int I) { return I < N - 1 ? S.X.at(I + 1) : S.Out.at(I); });
}

// STOCK-NEXT: ok numbers_copied_always
SHAPE(numbers_copied_always) {
  // By the launch of a kernel that follows no pointer.
  MappedRecord S;
  Record *R = S.R;
  R->Count = N;
  long Count = 0;
#pragma omp target map(always, to : R[0 : 1]) map(from : Count)
  Count = R->Count;
  check::equal("Count", Count, N);
  S.store();
  S.read();
  S.Out.expect([&](int I) { return S.A.at(I); });
}

// STOCK-NEXT: FAIL numbers_copied_always_attached
SHAPE(numbers_copied_always_attached) {
  MappedRecord S;
  Record *R = S.R;
  R->Count = N;
  long Count = 0;
#pragma omp target map(always, to : R[0 : 1]) map(from : Count)
  Count = R->Count;
  S.read();
  S.Out.expect([&](int I) { return S.X.at(I); });
}

// STOCK-NEXT: FAIL copied_always_attached
SHAPE(copied_always_attached) {
  // The same pointer as the one that was attached first.
  MappedRecord S;
  Record *R = S.R;
  S.store();
  R->P = S.X + 2;
  S.read();
  R->P = S.X;
  R->Count = N;
#pragma omp target data map(always, to : R[0 : 1])
  S.read();
  S.Out.expect([&](int I) { return S.X.at(I); });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
