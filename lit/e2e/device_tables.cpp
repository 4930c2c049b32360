// Pointers in mapped tables and records that a kernel has stored there: the
// device's word is attached only if it is the host's own or one that was
// attached before.
//
// RUN: for o in "-O0 -g" -O0 -O2; do echo "at $o"; \
// RUN:   %ferry_clangxx %offload $o %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY LIBOMPTARGET_INFO=40 %t 2>&1 >/dev/null \
// RUN:     | %S/Inputs/count-transfers | FileCheck %s || exit 1; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t
// RUN: %ferry_clangxx --ferry-off %offload -O2 %s -o %t.stock
// RUN: not env OMP_TARGET_OFFLOAD=MANDATORY %t.stock --isolate | FileCheck %s --check-prefix=STOCK

#include "Inputs/check.h"
#include "Inputs/forall.h"

#include <thread>
#include <utility>
#include <vector>

namespace {
constexpr int N = 4;

/// Zeroes, at which the host's tables point; the kernels store others.
struct Table {
  Mapped<double> Zeroes{N, -1}, A{N, 1}, B{N, 2}, Out{N, 3};
  double *Rows[N];
  double **T = Rows;

  Table() {
    for (int I = 0; I < N; ++I)
      Rows[I] = Zeroes + I;
  }
  void map() {
    double **P = T;
#pragma omp target enter data map(to : P[0 : N])
  }
  void unmap() {
    double **P = T;
#pragma omp target exit data map(delete : P[0 : N])
  }
  /// The kernel that stores rows [\p First, N) of \p Array.
  void store(double *Array, int First = 0) {
    double **P = T;
#pragma omp target teams distribute parallel for
    for (int I = First; I < N; ++I)
      P[I] = Array + I;
  }
  void read() {
    double **P = T, *Q = Out;
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I)
      Q[I] = *P[I];
  }
  void expectA() {
    Out.expect([&](int I) { return A.at(I); });
  }
};

struct Record {
  double *P;
  int Count;
  double *Q;
};
} // namespace

// STOCK: ok written_before_the_first_read
SHAPE(written_before_the_first_read) {
  Table S;
  S.map();
  S.store(S.A);
  for (int Round = 0; Round < 3; ++Round)
    S.read();
  S.unmap();
  S.expectA();
}

// STOCK-NEXT: ok written_through_a_lambda
SHAPE(written_through_a_lambda) {
  Table S;
  S.map();
  double **T = S.T, *A = S.A, *Q = S.Out;
  forall(N, [=](int I) { T[I] = A + I; });
  forall(N, [=](int I) { Q[I] = *T[I]; });
  S.unmap();
  S.expectA();
}

// STOCK-NEXT: ok stored_what_the_host_has
SHAPE(stored_what_the_host_has) {
  // The device's address of just what the host's pointer leads to: nobody has
  // attached it.
  Table S;
  S.map();
  S.store(S.Zeroes);
  S.read();
  for (int I = 0; I < N; ++I)
    S.Rows[I] = S.A + I;
  S.read();
  S.unmap();
  S.Out.expect(
      [&](int I) { return check::offload() ? S.Zeroes.at(I) : S.A.at(I); });
}

// STOCK-NEXT: ok stored_what_the_host_has_comes_back
SHAPE(stored_what_the_host_has_comes_back) {
  Table S;
  S.map();
  S.store(S.Zeroes);
  S.read();
  double **P = S.T, *Z = S.Zeroes;
#pragma omp target update from(P[0 : N])
  if (check::offload())
    Z = static_cast<double *>(
        omp_get_mapped_ptr(Z, omp_get_default_device()));
  S.unmap();
  for (int I = 0; I < N; ++I)
    check::pointer("P[I]", P[I], Z + I);
  S.Out.expect([&](int I) { return S.Zeroes.at(I); });
}

// STOCK-NEXT: FAIL written_between_reads
SHAPE(written_between_reads) {
  Table S;
  S.map();
  S.read();
  S.Out.expect([&](int I) { return S.Zeroes.at(I); });
  S.store(S.A);
  S.read();
  S.expectA();
  S.store(S.B);
  S.read();
  S.unmap();
  S.Out.expect([&](int I) { return S.B.at(I); });
}

// STOCK-NEXT: FAIL partly_written
SHAPE(partly_written) {
  Table S;
  S.map();
  S.store(S.A, 2);
  S.read();
  S.read();
  S.unmap();
  S.Out.expect([&](int I) { return I < 2 ? S.Zeroes.at(I) : S.A.at(I); });
}

// STOCK-NEXT: ok swapped_before_the_first_read
SHAPE(swapped_before_the_first_read) {
  Table S;
  S.map();
  S.store(S.A);
  double **T = S.T;
#pragma omp target
  std::swap(T[0], T[3]);
  S.read();
  S.unmap();
  S.Out.expect([&](int I) { return S.A.at(I == 0 ? 3 : I == 3 ? 0
                                                              : I); });
}

// STOCK-NEXT: FAIL swapped_after_attaching
SHAPE(swapped_after_attaching) {
  Table S;
  S.map();
  S.read();
  double **T = S.T;
  for (int Round = 0; Round < 3; ++Round) {
#pragma omp target
    std::swap(T[0], T[3]);
    S.read();
  }
  S.unmap();
  S.Out.expect([&](int I) { return S.Zeroes.at(I == 0 ? 3 : I == 3 ? 0
                                                                   : I); });
}

// STOCK-NEXT: ok null_written
SHAPE(null_written) {
  Table S;
  S.map();
  double **T = S.T, *Q = S.Out;
#pragma omp target
  for (int I = 0; I < N; ++I)
    T[I] = nullptr;
  forall(N, [=](int I) { Q[I] = T[I] ? *T[I] : -1; });
  S.unmap();
  S.Out.expect([](int) { return -1; });
}

// STOCK-NEXT: ok host_changes_behind_the_device
SHAPE(host_changes_behind_the_device) {
  // The device has its own word; what the host does is seen after an update.
  Table S;
  S.map();
  S.store(S.A);
  S.read();
  double **T = S.T;
  if (check::offload())
    for (int I = 0; I < N; ++I)
      T[I] = S.B + I;
  S.read();
  S.unmap();
  S.expectA();
}

// STOCK-NEXT: FAIL host_changes_what_was_attached
SHAPE(host_changes_what_was_attached) {
  Table S;
  S.map();
  S.read();
  for (int I = 0; I < N; ++I)
    S.T[I] = S.B + I;
  S.read();
  S.unmap();
  S.Out.expect([&](int I) { return S.B.at(I); });
}

// STOCK-NEXT: ok host_changes_what_was_attached_and_written
SHAPE(host_changes_what_was_attached_and_written) {
  Table S;
  S.map();
  S.read();
  S.store(S.A);
  if (check::offload())
    for (int I = 0; I < N; ++I)
      S.T[I] = S.B + I;
  S.read();
  S.unmap();
  S.expectA();
}

// STOCK-NEXT: FAIL updated_to
SHAPE(updated_to) {
  // The host's pointers are on the device again.
  Table S;
  S.map();
  S.store(S.A);
  S.read();
  for (int I = 0; I < N; ++I)
    S.T[I] = S.B + I;
  double **T = S.T;
#pragma omp target update to(T[0 : N])
  S.read();
  S.Out.expect([&](int I) { return S.B.at(I); });
  S.store(S.A);
  S.read();
  S.unmap();
  S.expectA();
}

// STOCK-NEXT: FAIL one_updated_to
SHAPE(one_updated_to) {
  Table S;
  S.map();
  S.store(S.A);
  S.read();
  double **T = S.T;
  if (!check::offload())
    T[1] = S.Zeroes + 1;
#pragma omp target update to(T[1 : 1])
  S.read();
  S.unmap();
  S.Out.expect([&](int I) { return I == 1 ? S.Zeroes.at(1) : S.A.at(I); });
}

// STOCK-NEXT: FAIL always_copied
SHAPE(always_copied) {
  Table S;
  S.map();
  S.store(S.A);
  S.read();
  for (int I = 0; I < N; ++I)
    S.T[I] = S.B + I;
  double **T = S.T;
#pragma omp target data map(always, to : T[0 : N])
  S.read();
  S.Out.expect([&](int I) { return S.B.at(I); });
  // What was attached is gone as well, and libomptarget does not know.
#pragma omp target enter data map(always, to : T[0 : N])
  S.read();
  S.unmap();
  S.Out.expect([&](int I) { return S.B.at(I); });
}

// STOCK-NEXT: ok always_copied_null
SHAPE(always_copied_null) {
  // Over pointers that were attached, of which the program knows nothing.
  Table S;
  S.map();
  S.read();
  double **T = S.T, *Q = S.Out, *A = S.A;
  for (int I = 0; I < N; ++I)
    T[I] = nullptr;
#pragma omp target enter data map(always, to : T[0 : N])
  forall(N, [=](int I) { T[I] = T[I] ? T[I] : A + I; });
  forall(N, [=](int I) { Q[I] = *T[I]; });
  S.unmap();
  S.expectA();
}

// STOCK-NEXT: ok always_copied_comes_back
SHAPE(always_copied_comes_back) {
  Table S;
  S.map();
  S.read();
  double **T = S.T;
  for (int I = 0; I < N; ++I)
    T[I] = S.A + I;
#pragma omp target enter data map(always, to : T[1 : 2])
#pragma omp target update from(T[0 : N])
  for (int I = 0; I < N; ++I)
    check::pointer("T[I]", T[I],
                   I == 1 || I == 2 || !check::offload() ? S.A + I
                                                         : S.Zeroes + I);
  S.store(S.A);
  S.read();
  S.unmap();
  S.expectA();
}

// STOCK-NEXT: ok stored_as_before_always_copied
SHAPE(stored_as_before_always_copied) {
  // What was attached, until the host's own words came over it.
  Table S;
  S.map();
  S.read();
  double **T = S.T;
  for (int I = 0; I < N; ++I)
    T[I] = S.A + I;
#pragma omp target enter data map(always, to : T[0 : N])
  S.store(S.Zeroes);
  S.read();
  S.unmap();
  S.Out.expect([&](int I) { return S.Zeroes.at(I); });
}

// STOCK-NEXT: ok updated_from
SHAPE(updated_from) {
  // The device's words come to the host as they are.
  Table S;
  S.map();
  S.store(S.A);
  S.read();
  double **T = S.T;
#pragma omp target update from(T[0 : N])
  for (int I = 0; I < N; ++I)
    check::pointer("T", T[I],
                   check::offload() ? static_cast<double *>(omp_get_mapped_ptr(
                                          S.A + I, omp_get_default_device()))
                                    : S.A + I);
  S.read();
  S.unmap();
  S.expectA();
}

// STOCK-NEXT: FAIL updated_from_after_attaching
SHAPE(updated_from_after_attaching) {
  Table S;
  S.map();
  S.read();
  double **T = S.T;
#pragma omp target update from(T[0 : N])
  for (int I = 0; I < N; ++I)
    check::pointer("T", T[I], S.Zeroes + I);
  S.read();
  S.unmap();
  S.Out.expect([&](int I) { return S.Zeroes.at(I); });
}

// STOCK-NEXT: FAIL mapped_again
SHAPE(mapped_again) {
  // At the same addresses on host and device.
  Table S;
  void *There = nullptr;
  for (int Round = 0; Round < 4; ++Round) {
    S.map();
    void *Here = omp_get_mapped_ptr(S.T, omp_get_default_device());
    if (check::offload() && Round && Here != There)
      S.unmap(), S.map();
    There = Here;
    if (Round % 2 == 0) {
      for (int I = 0; I < N; ++I)
        S.T[I] = S.Zeroes + I;
      S.read();
      S.Out.expect([&](int I) { return S.Zeroes.at(I); });
    } else {
      S.store(S.A);
      S.read();
      S.expectA();
    }
    S.unmap();
  }
}

// STOCK-NEXT: FAIL mapped_again_by_a_structured_region
SHAPE(mapped_again_by_a_structured_region) {
  Table S;
  double **T = S.T;
  for (int Round = 0; Round < 4; ++Round) {
#pragma omp target data map(to : T[0 : N])
    {
      if (Round % 2)
        S.store(S.A);
      S.read();
    }
    S.Out.expect([&](int I) { return Round % 2 ? S.A.at(I) : S.Zeroes.at(I); });
    for (int I = 0; I < N; ++I)
      S.T[I] = S.Zeroes + I;
  }
}

// STOCK-NEXT: FAIL mapped_by_the_construct
SHAPE(mapped_by_the_construct) {
  Table S;
  double **T = S.T, *Q = S.Out, *A = S.A;
  for (int Round = 0; Round < 3; ++Round) {
#pragma omp target map(to : T[0 : N])
    for (int I = 0; I < N; ++I)
      Q[I] = *T[I];
    S.Out.expect([&](int I) { return S.Zeroes.at(I); });
  }
#pragma omp target map(to : T[0 : N])
  for (int I = 0; I < N; ++I) {
    T[I] = A + I;
    Q[I] = *T[I];
  }
  S.expectA();
}

// STOCK-NEXT: ok present_in_the_construct
SHAPE(present_in_the_construct) {
  Table S;
  S.map();
  S.store(S.A);
  double **T = S.T, *Q = S.Out;
  for (int Round = 0; Round < 2; ++Round) {
#pragma omp target map(to : T[0 : N])
    for (int I = 0; I < N; ++I)
      Q[I] = *T[I];
  }
  S.unmap();
  S.expectA();
}

// STOCK-NEXT: ok a_record
SHAPE(a_record) {
  Table S;
  Record Body{S.Zeroes, N, S.Out}, *R = &Body;
#pragma omp target enter data map(to : R[0 : 1])
  double *A = S.A, *Out = S.Out;
#pragma omp target
  {
    R->P = A;
    R->Q = Out;
  }
  forall(N, [=](int I) { R->Q[I] = R->P[I] + R->Count; });
  if (check::offload())
    Body.P = S.B;
  forall(N, [=](int I) { R->Q[I] += R->P[I]; });
#pragma omp target exit data map(delete : R[0 : 1])
  S.Out.expect([&](int I) { return 2 * S.A.at(I) + N; });
}

// STOCK-NEXT: FAIL half_a_record
SHAPE(half_a_record) {
  // The kernel sets one pointer; the other is Ferry's.
  Table S;
  Record Body{S.Zeroes, N, S.Out}, *R = &Body;
#pragma omp target enter data map(to : R[0 : 1])
  double *A = S.A;
#pragma omp target
  R->P = A;
  for (int Round = 0; Round < 2; ++Round)
    forall(N, [=](int I) { R->Q[I] = R->P[I]; });
#pragma omp target exit data map(delete : R[0 : 1])
  S.expectA();
}

// STOCK-NEXT: ok records_in_a_row
SHAPE(records_in_a_row) {
  Table S;
  std::vector<Record> Body(N, Record{S.Zeroes, N, S.Zeroes});
  Record *R = Body.data();
#pragma omp target enter data map(to : R[0 : N])
  double *A = S.A, *Out = S.Out;
  forall(N, [=](int I) { R[I].P = A + I, R[I].Q = Out + I; });
  forall(N, [=](int I) { *R[I].Q = *R[I].P; });
#pragma omp target exit data map(delete : R[0 : N])
  S.expectA();
}

// STOCK-NEXT: ok the_bits_that_would_be_attached
SHAPE(the_bits_that_would_be_attached) {
  Table S;
  for (int I = 0; I < N; ++I)
    S.Rows[I] = S.A + I;
  S.map();
  S.store(S.A);
  S.read();
  S.unmap();
  S.expectA();
}

// STOCK-NEXT: FAIL rows_that_move
SHAPE(rows_that_move) {
  // The host's pointers stay, the device's arrays do not.
  Table S;
  S.map();
  S.read();
  S.Zeroes.move();
  S.read();
  S.unmap();
  S.Out.expect([&](int I) { return S.Zeroes.at(I); });
}

// STOCK-NEXT: ok in_tasks
SHAPE(in_tasks) {
  Table S;
  S.map();
  double **T = S.T, *A = S.A, *Q = S.Out;
#pragma omp parallel
#pragma omp single
  {
#pragma omp target nowait depend(out : T[0])
    for (int I = 0; I < N; ++I)
      T[I] = A + I;
#pragma omp target nowait depend(inout : T[0])
    for (int I = 0; I < N; ++I)
      Q[I] = *T[I];
#pragma omp target exit data map(delete : T[0 : N]) nowait depend(inout : T[0])
#pragma omp target enter data map(to : T[0 : N]) nowait depend(inout : T[0])
#pragma omp target nowait depend(inout : T[0])
    for (int I = 0; I < N; ++I)
      T[I] = A + N - 1 - I;
#pragma omp target nowait depend(inout : T[0])
    for (int I = 0; I < N; ++I)
      Q[I] += *T[I];
#pragma omp taskwait
  }
  S.unmap();
  S.Out.expect([&](int I) { return S.A.at(I) + S.A.at(N - 1 - I); });
}

// STOCK-NEXT: ok by_many_threads
SHAPE(by_many_threads) {
  auto Work = [] {
    Table S;
    for (int Round = 0; Round < 100; ++Round) {
      S.map();
      S.store(Round % 2 ? S.A : S.B);
      S.read();
      S.unmap();
      double Sum = S.Out.fetch(N - 1);
      if (Sum != (Round % 2 ? S.A : S.B).at(N - 1))
        check::fail("round %d: %g", Round, Sum);
    }
  };
  std::vector<std::thread> Threads;
  for (int I = 0; I < 8; ++I)
    Threads.emplace_back(Work);
  for (std::thread &T : Threads)
    T.join();
}

// STOCK-NEXT: ok on_two_devices
SHAPE(on_two_devices) {
  // What is known of a table on one device is not of the other.
  int Second = omp_get_num_devices() - 1;
  if (Second < 1 || !check::offload())
    return;
  Mapped<double> Zeroes(N, -1), A(N), Out(N, 2);
  Mapped<double> There(N, -1, Second), OutThere(N, 3, Second);
  double *Rows[N], **T = Rows, *Q = Out, *P = A;
  for (int I = 0; I < N; ++I)
    Rows[I] = Zeroes + I;
#pragma omp target enter data map(to : T[0 : N])
#pragma omp target enter data map(to : T[0 : N]) device(Second)
#pragma omp target
  for (int I = 0; I < N; ++I)
    T[I] = P + I;
  double *PThere = There, *QThere = OutThere;
#pragma omp target device(Second)
  for (int I = 0; I < N; ++I)
    T[I] = PThere + N - 1 - I;
  for (int Round = 0; Round < 2; ++Round) {
#pragma omp target
    for (int I = 0; I < N; ++I)
      Q[I] = *T[I];
#pragma omp target device(Second)
    for (int I = 0; I < N; ++I)
      QThere[I] = *T[I];
  }
#pragma omp target exit data map(delete : T[0 : N])
#pragma omp target exit data map(delete : T[0 : N]) device(Second)
  Out.expect([&](int I) { return A.at(I); });
  OutThere.expect([&](int I) { return There.at(N - 1 - I); });
}

namespace {
// Marks one launch in the runtime's output.
template <class F>
void measure(const char *Name, F Launch) {
  fprintf(stderr, "== begin %s\n", Name);
  Launch();
  fprintf(stderr, "== end %s\n", Name);
}
} // namespace

// One copy from the device at the first launch, for all words of the table.
// CHECK: first: to-device 4, from-device 1, left 0
// CHECK-NEXT: second: to-device 0, from-device 0, left 0
// CHECK-NEXT: changed_row: to-device 1, from-device 1, left 0
// CHECK-NEXT: written_rows: to-device 0, from-device 0, left 0
// CHECK-NEXT: device_tables: to-device 0, from-device 1, left 0
// CHECK-NEXT: again: to-device 0, from-device 0, left 0
// CHECK-NEXT: of_the_construct: to-device 5, from-device 0, left 0
// STOCK-NEXT: FAIL transfers
SHAPE(transfers) {
  Table S;
  S.map();
  measure("first", [&] { S.read(); });
  measure("second", [&] { S.read(); });
  S.T[1] = S.B + 1;
  measure("changed_row", [&] { S.read(); });
  S.store(S.A);
  measure("written_rows", [&] { S.read(); });
  S.unmap();
  S.map();
  S.store(S.A);
  measure("device_tables", [&] { S.read(); });
  measure("again", [&] { S.read(); });
  S.unmap();
  S.expectA();
  double **T = S.T, *Q = S.Out;
  for (int I = 0; I < N; ++I)
    T[I] = S.B + I;
  measure("of_the_construct", [&] {
#pragma omp target map(to : T[0 : N])
    for (int I = 0; I < N; ++I)
      Q[I] = *T[I];
  });
  S.Out.expect([&](int I) { return S.B.at(I); });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
