// Where a pointer points: the beginning, the middle and the end of an array,
// adjacent arrays, null, unmapped memory, device memory, functions. Whatever is
// not the address of mapped memory reaches the kernel bit for bit.
//
// RUN: for g in "" -g; do for o in -O0 -O1 -O2 -O3; do echo "at $o $g"; \
// RUN:   %ferry_clangxx %offload $o $g %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t
// RUN: %ferry_clangxx --ferry-off %offload -O2 %s -o %t.stock
// RUN: not env OMP_TARGET_OFFLOAD=MANDATORY %t.stock --isolate | FileCheck %s --check-prefix=STOCK

#include "Inputs/check.h"
#include "Inputs/forall.h"

namespace {
constexpr int N = 12;
using Word = unsigned long;
Word bits(const volatile void *P) { return reinterpret_cast<Word>(P); }

// What the kernel must see of a pointer into A.
template <class T>
Word onDevice(const Mapped<T> &A, const T *P) {
  if (!check::offload())
    return bits(P);
  return bits(omp_get_mapped_ptr(A.Host, omp_get_default_device())) +
         (bits(P) - bits(A.Host));
}

struct Range {
  const int *Begin, *End;
};
inline int sumBackwards(const Range &R) {
  int Sum = 0;
  for (const int *P = R.End; P != R.Begin;)
    Sum += *--P;
  return Sum;
}
[[gnu::noinline]] int sumNotInlined(Range R) {
  int Sum = 0;
  for (const int *P = R.Begin; P != R.End; ++P)
    Sum += *P;
  return Sum;
}
int sum(const Mapped<int> &A, int From, int To) {
  int Sum = 0;
  for (int I = From; I < To; ++I)
    Sum += A.at(I);
  return Sum;
}
} // namespace

// STOCK: FAIL begin_and_end
SHAPE(begin_and_end) {
  Mapped<int> A(N), Out(1, 2);
  Range R{A, A + N};
  int *Q = Out;
  forall(1, [=](int) {
    int Sum = 0;
    for (const int *P = R.Begin; P != R.End; ++P)
      Sum += *P;
    *Q = Sum;
  });
  Out.expect([&](int) { return sum(A, 0, N); });
}

namespace {
// Three arrays side by side, mapped in an order that leaves no two of them side
// by side on the device.
struct SideBySide {
  int Storage[3 * N];
  int Device = omp_get_default_device();
  Mapped<int> B{N, 3, Device, Storage + N}, Gap{100, 7}, A{N, 1, Device, Storage},
      Gap2{50, 7}, C{N, 4, Device, Storage + 2 * N};
};
} // namespace

// STOCK-NEXT: FAIL end_where_next_array_begins
SHAPE(end_where_next_array_begins) {
  SideBySide S;
  Mapped<int> Out(3, 2);
  Range X{S.A, S.A + N}, Y{S.B, S.B + N}, Z{S.C, S.C + N};
  int *Q = Out;
  forall(1, [=](int) {
    Q[0] = Q[1] = Q[2] = 0;
    for (const int *P = X.Begin; P != X.End; ++P)
      Q[0] += *P;
    for (const int *P = Y.Begin; P < Y.End; ++P)
      Q[1] += *P;
    for (const int *P = Z.Begin; P != Z.End; ++P)
      Q[2] += *P;
  });
  Out.expect([&](int I) {
    return I == 0 ? sum(S.A, 0, N) : I == 1 ? sum(S.B, 0, N)
                                            : sum(S.C, 0, N);
  });
}

// STOCK-NEXT: FAIL begin_where_previous_array_ends
SHAPE(begin_where_previous_array_ends) {
  SideBySide S;
  Mapped<int> Out(2 * N, 2);
  Range X{S.B, S.B + N}, Y{S.C, S.C + N};
  int *Q = Out;
  forall(1, [=](int) {
    int I = 0;
    for (const int *P = X.End; P != X.Begin;)
      Q[I++] = *--P;
    for (const int *P = Y.End - 1; P >= Y.Begin; --P)
      Q[I++] = *P;
  });
  Out.expect([&](int I) {
    return I < N ? S.B.at(N - 1 - I) : S.C.at(2 * N - 1 - I);
  });
}

// STOCK-NEXT: FAIL array_of_ranges
SHAPE(array_of_ranges) {
  SideBySide S;
  Mapped<int> Out(3, 2);
  struct {
    Range Parts[3];
  } All{{{S.A, S.A + N}, {S.B, S.B + N}, {S.C, S.C + N}}};
  int *Q = Out;
  forall(3, [=](int I) {
    int Sum = 0;
    for (const int *P = All.Parts[I].Begin; P != All.Parts[I].End; ++P)
      Sum += *P;
    Q[I] = Sum;
  });
  Out.expect([&](int I) {
    return I == 0 ? sum(S.A, 0, N) : I == 1 ? sum(S.B, 0, N)
                                            : sum(S.C, 0, N);
  });
}

// STOCK-NEXT: FAIL length_from_end
SHAPE(length_from_end) {
  int Storage[2 * N];
  int Device = omp_get_default_device();
  Mapped<int> A(N, 1, Device, Storage), Out(2 * N, 2),
      B(N, 3, Device, Storage + N);
  Range R{A, A + N};
  int *Q = Out;
  forall(2 * N, [=](int I) {
    if (I < R.End - R.Begin)
      Q[I] = R.Begin[I];
  });
  Out.expect([&](int I) { return I < N ? A.at(I) : Out.at(I); });
}

// STOCK-NEXT: FAIL backwards_from_end
SHAPE(backwards_from_end) {
  Mapped<int> A(N), Out(N, 2);
  Range R{A, A + N};
  int *Q = Out;
  forall(1, [=](int) {
    int I = 0;
    for (const int *P = R.End; P != R.Begin;)
      Q[I++] = *--P;
  });
  Out.expect([&](int I) { return A.at(N - 1 - I); });
}

// STOCK-NEXT: ok empty_ranges
SHAPE(empty_ranges) {
  // At the beginning, in the middle and at the end of an array; no loop runs.
  SideBySide S;
  Mapped<int> Alone(N, 6), Out(5, 2);
  struct {
    Range Begin, Middle, End, Last, Alone;
  } R{{S.A, S.A},
      {S.B + 3, S.B + 3},
      {S.B + N, S.B + N},
      {S.C + N, S.C + N},
      {Alone + N, Alone + N}};
  auto Count = [](const Range &R) {
    int Steps = 0;
    for (const int *P = R.Begin; P != R.End && Steps < 50; ++P)
      Steps += 1 + (*P == 12345);
    return Steps;
  };
  auto Backwards = [](const Range &R) {
    int Steps = 0;
    for (const int *P = R.End; P != R.Begin && Steps < 50;)
      Steps += 1 + (*--P == 12345);
    return Steps;
  };
  int *Q = Out;
  forall(1, [=](int) {
    Q[0] = Count(R.Begin) + Backwards(R.Begin);
    Q[1] = Count(R.Middle) + Backwards(R.Middle);
    Q[2] = Count(R.End) + Backwards(R.End);
    Q[3] = Count(R.Last) + Backwards(R.Last);
    Q[4] = Count(R.Alone) + Backwards(R.Alone);
  });
  Out.expect([](int) { return 0; });
}

// STOCK-NEXT: FAIL loops_of_ranges_behind_calls
SHAPE(loops_of_ranges_behind_calls) {
  SideBySide S;
  Mapped<int> Out(4, 2);
  struct {
    int Before;
    Range First, Second;
  } R{7, {S.A + 2, S.A + N}, {S.B, S.B + N}};
  int *Q = Out;
  auto First = [=](int) { return sumNotInlined(R.First); };
  auto Second = [&R](int) { return sumBackwards(R.Second); };
  auto Length = [=](int I) { return int(R.First.End - R.First.Begin) + I; };
  forall(4, [=](int I) {
    Q[I] = I == 0   ? First(I)
           : I == 1 ? Second(I)
           : I == 2 ? Length(I)
                    : sumBackwards(R.First);
  });
  Out.expect([&](int I) {
    return I == 1 ? sum(S.B, 0, N) : I == 2 ? N
                                            : sum(S.A, 2, N);
  });
}

// STOCK-NEXT: FAIL range_in_array_of_closures
SHAPE(range_in_array_of_closures) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  struct {
    const int *Rows[2];
    Range R;
  } X{{A, B}, {A + 2, A + N}};
  int *Q = Out;
  auto Body = [=](int I) { Q[I] = sumNotInlined(X.R) + X.Rows[I % 2][I]; };
  struct {
    decltype(Body) Bodies[2];
  } Both{{Body, Body}};
  forall(N, [=](int I) { Both.Bodies[I % 2](I); });
  Out.expect([&](int I) { return sum(A, 2, N) + (I % 2 ? B : A).at(I); });
}

namespace {
template <class F>
struct Repeated {
  F Bodies[2];
  void operator()(int I) const { Bodies[I % 2](I); }
};
} // namespace

// STOCK-NEXT: FAIL range_in_functor_with_array_of_closures
SHAPE(range_in_functor_with_array_of_closures) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  struct {
    const int *Rows[3];
    Range R;
  } X{{A, B, A}, {A + 2, A + N}};
  int *Q = Out;
  auto Body = [=](int I) { Q[I] = sumNotInlined(X.R) + X.Rows[I % 3][I]; };
  forall(N, Repeated<decltype(Body)>{{Body, Body}});
  Out.expect([&](int I) { return sum(A, 2, N) + (I % 3 == 1 ? B : A).at(I); });
}

// STOCK-NEXT: FAIL range_behind_pointer
SHAPE(range_behind_pointer) {
  SideBySide S;
  Mapped<int> Out(N, 2);
  struct {
    const int *Rows[2];
    Range R;
  } X{{S.A, S.C}, {S.A + 2, S.A + N}}, *P = &X;
#pragma omp target enter data map(to : P[0 : 1])
  int *Q = Out;
  forall(N, [=](int I) { Q[I] = sumNotInlined(P->R) + P->Rows[I % 2][I]; });
  forall(N, [=](int I) { Q[I] += P->R.End - P->R.Begin; });
#pragma omp target exit data map(delete : P[0 : 1])
  check::pointer("End", X.R.End, S.A + N);
  Out.expect([&](int I) {
    return sum(S.A, 2, N) + (I % 2 ? S.C : S.A).at(I) + N - 2;
  });
}

// STOCK-NEXT: ok lengths_only
SHAPE(lengths_only) {
  // No pointer is followed, so only the distances count.
  SideBySide S;
  Mapped<long> Out(3, 2);
  struct {
    Range First, Second, Third;
  } R{{S.A + 2, S.A + N}, {S.B, S.B + N}, {S.C + N - 1, S.C + N}};
  long *Q = Out;
  forall(1, [=](int) {
    Q[0] = R.First.End - R.First.Begin;
    Q[1] = R.Second.End - R.Second.Begin;
    Q[2] = R.Third.End - R.Third.Begin;
  });
  Out.expect([&](int I) { return I == 0 ? N - 2 : I == 1 ? N
                                                         : 1; });
}

// STOCK-NEXT: FAIL middle_and_negative_index
SHAPE(middle_and_negative_index) {
  Mapped<int> A(N), Out(N, 2);
  struct {
    int *Middle, *Last;
  } P{A + N / 2, A + N - 1};
  int *Q = Out + N - 1;
  forall(N / 2, [=](int I) { Q[-I] = P.Middle[-I - 1] + P.Last[-I]; });
  Out.expect([&](int I) {
    int J = N - 1 - I;
    return J < N / 2 ? A.at(N / 2 - J - 1) + A.at(N - 1 - J) : Out.at(I);
  });
}

// STOCK-NEXT: FAIL part_of_an_allocation
SHAPE(part_of_an_allocation) {
  // Only the middle third is mapped; P points at its second element.
  int Storage[3 * N];
  for (int &I : Storage)
    I = -7;
  Mapped<int> A(N, 1, omp_get_default_device(), Storage + N), Out(N, 2);
  struct {
    int *P, *Q;
  } S{Storage + N + 1, Out};
  forall(N - 1, [=](int I) { S.Q[I] = S.P[I]; });
  Out.expect([&](int I) { return I < N - 1 ? A.at(I + 1) : Out.at(I); });
}

// STOCK-NEXT: FAIL null_pointers
SHAPE(null_pointers) {
  Mapped<int> A(N), Out(N, 2);
  struct {
    int *Null, *P, *Q;
  } S{nullptr, A, Out};
  int *Direct = nullptr, *ByReference = nullptr;
  forall(N, [=, &ByReference](int I) {
    S.Q[I] = (S.Null ? S.Null[I] : S.P[I]) + (Direct ? 100 : 0) +
             (ByReference ? *ByReference : 0);
  });
  check::pointer("ByReference", ByReference, nullptr);
  Out.expect([&](int I) { return A.at(I); });
}

// STOCK-NEXT: FAIL same_closure_type_null_or_mapped
SHAPE(same_closure_type_null_or_mapped) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  struct Terms {
    int *First, *Second, *Out;
    void operator()(int I) const {
      if (First)
        Out[I] += First[I];
      if (Second)
        Out[I] -= Second[I];
    }
  };
  forall(N, Terms{A, nullptr, Out});
  forall(N, Terms{nullptr, B, Out});
  forall(N, Terms{nullptr, nullptr, Out});
  forallByReference(N, Terms{A, A, Out});
  forallByReference(N, Terms{B, nullptr, Out});
  Out.expect([&](int I) { return Out.at(I) + A.at(I); });
}

// STOCK-NEXT: ok unmapped_pointer_bit_for_bit
SHAPE(unmapped_pointer_bit_for_bit) {
  Mapped<Word> Out(6, 2);
  static int Unmapped[4];
  int Local[4] = {};
  struct {
    int *Begin, *End;
  } S{Unmapped, Unmapped + 4};
  int *P = Local, *Odd = reinterpret_cast<int *>(0x123456789abcdef1ul);
  void *Small = reinterpret_cast<void *>(8ul);
  Word *Q = Out;
  forall(1, [=, &P](int) {
    Q[0] = reinterpret_cast<Word>(S.Begin);
    Q[1] = reinterpret_cast<Word>(S.End);
    Q[2] = reinterpret_cast<Word>(P);
    Q[3] = reinterpret_cast<Word>(Odd);
    Q[4] = reinterpret_cast<Word>(Small);
    Q[5] = S.End - S.Begin;
  });
  const Word Want[] = {bits(Unmapped), bits(Unmapped + 4), bits(Local),
                       bits(Odd), bits(Small), 4};
  Out.expect([&](int I) { return Want[I]; });
}

// STOCK-NEXT: FAIL device_pointers
SHAPE(device_pointers) {
  Mapped<int> A(N), Out(N, 2);
  Mapped<Word> Bits(2, 2);
  int Device = check::offload() ? omp_get_default_device()
                                : omp_get_initial_device();
  auto *D = static_cast<int *>(omp_target_alloc(sizeof(int) * N, Device));
  struct Both {
    int *Device, *P, *Q;
    Word *Bits;
    void operator()(int I) const {
      Device[I] = 2 * P[I];
      Q[I] = Device[I] + 1;
      if (I == 0) {
        Bits[0] = reinterpret_cast<Word>(Device);
        Bits[1] = reinterpret_cast<Word>(Device + 3);
      }
    }
  };
  forall(N, Both{D, A, Out, Bits});
  Bits.expect([&](int I) { return bits(D + 3 * I); });
  Out.expect([&](int I) { return 2 * A.at(I) + 1; });
  omp_target_free(D, Device);
}

// STOCK-NEXT: ok use_device_ptr
SHAPE(use_device_ptr) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  struct Views {
    int *P, *Q;
  };
#pragma omp target data use_device_ptr(P, Q)
  {
    Views V{P, Q};
    forall(N, [=](int I) { V.Q[I] = V.P[I]; });
    forall(N, [&](int I) { V.Q[I] += P[I]; });
    forall(N, [=](int I) { Q[I] += 1; });
  }
  Out.expect([&](int I) { return 2 * A.at(I) + 1; });
}

// STOCK-NEXT: FAIL device_pointer_beside_record
SHAPE(device_pointer_beside_record) {
  Mapped<int> A(N), Out(N, 2);
  auto *D = static_cast<int *>(
      check::offload() ? omp_get_mapped_ptr(A, omp_get_default_device())
                       : A.Host);
  struct {
    int *Q;
  } V{Out};
#pragma omp target is_device_ptr(D)
  for (int I = 0; I < N; ++I)
    V.Q[I] = D[I];
  check::pointer("V.Q", V.Q, Out.Host);
  Out.expect([&](int I) { return A.at(I); });
}

namespace {
int twice(int V) { return 2 * V; }
struct WithFunctions {
  int (*Function)(int);
  int Range::*Missing;
  const int *Range::*Member;
  int *P;
};
} // namespace

// STOCK-NEXT: FAIL function_and_member_pointers
SHAPE(function_and_member_pointers) {
  Mapped<int> A(N), Out(N, 2);
  Mapped<Word> Bits(2, 2);
  WithFunctions S{twice, nullptr, &Range::End, A};
  int (*Function)(int) = twice;
  Range R{nullptr, A};
  Word *B = Bits;
  int *Q = Out;
  forall(N, [=](int I) {
    if (I == 0) {
      B[0] = reinterpret_cast<Word>(S.Function);
      B[1] = reinterpret_cast<Word>(Function);
    }
    Q[I] = S.P[I] + (S.Missing ? 100 : 0) + (R.*S.Member)[I];
  });
  Bits.expect([](int) { return reinterpret_cast<Word>(twice); });
  Out.expect([&](int I) { return 2 * A.at(I); });
}

// STOCK-NEXT: FAIL integer_that_equals_an_address
SHAPE(integer_that_equals_an_address) {
  Mapped<int> A(N);
  Mapped<Word> Out(4, 2);
  struct {
    Word Key;
    int *P;
    long More[2];
  } S{bits(A.Host), A, {long(bits(A.Host)), 5}};
  Word Key = bits(A + 1), *Q = Out;
  forall(1, [=](int) {
    Q[0] = S.Key;
    Q[1] = S.P[2];
    Q[2] = S.More[0];
    Q[3] = Key;
  });
  const Word Want[] = {bits(A.Host), Word(A.at(2)), bits(A.Host), bits(A + 1)};
  Out.expect([&](int I) { return Want[I]; });
}

// STOCK-NEXT: FAIL address_leaves_the_kernel
SHAPE(address_leaves_the_kernel) {
  Mapped<int> A(N);
  Mapped<Word> Out(2, 2);
  Mapped<Word> Pointers(2, 3);
  struct {
    int *P, *Middle;
  } S{A, A + 5};
  Word *Q = Out;
  int **To = reinterpret_cast<int **>(Pointers.Host);
  forall(1, [=](int) {
    Q[0] = reinterpret_cast<Word>(S.P);
    Q[1] = reinterpret_cast<Word>(S.Middle);
    To[0] = S.P + 1;
    To[1] = S.Middle;
  });
  Out.expect([&](int I) { return onDevice(A, A + 5 * I); });
  for (int I = 0; I < 2; ++I)
    if (Pointers.fetch(I) != onDevice(A, A + (I ? 5 : 1)))
      check::fail("stored pointer %d is not of the device", I);
}

namespace {
[[gnu::noinline]] int read(const int *P, int I) { return P[I]; }
[[gnu::noinline]] void write(int *P, int I, int V) { P[I] = V; }
} // namespace

// STOCK-NEXT: FAIL pointer_given_to_functions
SHAPE(pointer_given_to_functions) {
  Mapped<int> A(N), Out(N, 2);
  Range R{A, A + N};
  struct {
    int *Out;
  } To{Out};
  forall(N, [=](int I) { write(To.Out, I, read(R.Begin, I) + R.End[-1]); });
  Out.expect([&](int I) { return A.at(I) + A.at(N - 1); });
}

// STOCK-NEXT: FAIL pointers_chosen_and_swapped
SHAPE(pointers_chosen_and_swapped) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  struct {
    int *From, *To, *Q;
  } S{A, B, Out};
  forall(1, [=](int) {
    int *From = S.From, *To = S.To;
    for (int Step = 0; Step < 3; ++Step) {
      for (int I = 0; I < N; ++I)
        To[I] = From[I] + 1;
      int *Other = From;
      From = To;
      To = Other;
    }
    for (int I = 0; I < N; ++I)
      S.Q[I] = (I % 2 ? From : To)[I];
  });
  A.expect([&](int I) { return A.at(I) + 2; });
  B.expect([&](int I) { return A.at(I) + 3; });
  Out.expect([&](int I) { return A.at(I) + (I % 2 ? 3 : 2); });
}

// STOCK-NEXT: FAIL untyped_and_byte_pointers
SHAPE(untyped_and_byte_pointers) {
  Mapped<int> A(N), Out(N, 2);
  struct {
    const void *Untyped;
    char *Bytes;
  } S{A, reinterpret_cast<char *>(Out.Host)};
  forall(N, [=](int I) {
    int V = static_cast<const int *>(S.Untyped)[I] + 1;
    __builtin_memcpy(S.Bytes + I * sizeof(int), &V, sizeof(int));
  });
  Out.expect([&](int I) { return A.at(I) + 1; });
}

#pragma omp declare target
int Global[12];
#pragma omp end declare target

// STOCK-NEXT: FAIL declare_target_variable
SHAPE(declare_target_variable) {
  Mapped<int> Out(N, 2);
  for (int I = 0; I < N; ++I)
    Global[I] = 50 + I;
#pragma omp target update to(Global)
  if (check::offload())
    for (int &I : Global)
      I = -1;
  struct {
    const int *P, *Last;
    int *Q;
  } S{Global, Global + N - 1, Out};
  forall(N, [=](int I) { S.Q[I] = S.P[I] + *S.Last; });
  Out.expect([&](int I) { return 50 + I + 50 + N - 1; });
}

// STOCK-NEXT: FAIL unmapped_pointer_beside_mapped_ones
SHAPE(unmapped_pointer_beside_mapped_ones) {
  // The kernel reads it only where a flag says so, and no flag does.
  Mapped<int> A(N), Out(N, 2);
  int Unmapped[N] = {};
  struct {
    int *Maybe, *P, *Q;
    bool Use;
  } S{Unmapped, A, Out, false};
  forall(N, [=](int I) { S.Q[I] = S.Use ? S.Maybe[I] : S.P[I]; });
  check::absent("the unmapped array", Unmapped);
  Out.expect([&](int I) { return A.at(I); });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
