// Captures by reference, and objects whose state the kernel changes: as if the
// variable had appeared in a map clause. What the kernel writes comes back, what
// it only reads is never written on the host.
//
// RUN: for g in "" -g; do for o in -O0 -O1 -O2 -O3; do echo "at $o $g"; \
// RUN:   %ferry_clangxx %offload $o $g %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t
// RUN: %ferry_clangxx --ferry-off %offload -O2 %s -o %t.stock
// RUN: not env OMP_TARGET_OFFLOAD=MANDATORY %t.stock --isolate | FileCheck %s --check-prefix=STOCK

#include "Inputs/check.h"
#include "Inputs/forall.h"

#include <new>
#include <sys/mman.h>

namespace {
constexpr int N = 12;
struct View {
  int *Data;
  int &operator[](int I) const { return Data[I]; }
};
int sum(const Mapped<int> &A) {
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += A.at(I);
  return Sum;
}
} // namespace

// STOCK: FAIL written_scalars
SHAPE(written_scalars) {
  Mapped<int> A(N);
  int *P = A, Sum = 5;
  double Largest = 0;
  bool Found = false;
  inOrder(N, [&](int I) {
    Sum += P[I];
    Largest = P[I] > Largest ? P[I] : Largest;
    Found = Found || P[I] == 17;
  });
  check::absent("Sum", Sum);
  check::absent("Largest", Largest);
  check::equal("Sum", Sum, 5 + sum(A));
  check::equal("Largest", Largest, 20);
  check::equal("Found", Found, true);
}

// STOCK-NEXT: FAIL written_on_the_device
SHAPE(written_on_the_device) {
  // While the kernel runs the variable lives on the device.
  Mapped<unsigned long> Address(2, 2);
  long Written = 1, Read = 2;
  unsigned long *Q = Address;
  inOrder(1, [&, Q](int) {
    Q[0] = reinterpret_cast<unsigned long>(&Written);
    Q[1] = reinterpret_cast<unsigned long>(&Read);
    Written += Read;
  });
  const unsigned long First = Address.fetch(0), Second = Address.fetch(1);
  if ((First == reinterpret_cast<unsigned long>(&Written)) == check::offload())
    check::fail("Written was at %lx", First);
  if ((Second == reinterpret_cast<unsigned long>(&Read)) == check::offload())
    check::fail("Read was at %lx", Second);
  check::equal("Written", Written, 3);
  check::absent("Written", Written);
}

// STOCK-NEXT: FAIL atomic_reduction
SHAPE(atomic_reduction) {
  Mapped<int> A(N);
  int *P = A;
  long Sum = 0;
  double Squares = 1;
  forall(N, [&](int I) {
#pragma omp atomic
    Sum += P[I];
#pragma omp atomic update
    Squares += double(P[I]) * P[I];
  });
  double Want = 1;
  for (int I = 0; I < N; ++I)
    Want += double(A.at(I)) * A.at(I);
  check::equal("Sum", Sum, sum(A));
  check::equal("Squares", Squares, Want);
  check::absent("Sum", Sum);
}

// STOCK-NEXT: FAIL read_only_memory
SHAPE(read_only_memory) {
  // The object lies in a page that nobody may write.
  Mapped<int> A(N), Out(N, 2);
  struct Parameters {
    int Factor;
    const int *P;
    int Table[4];
  };
  void *Page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto &Read = *new (Page) Parameters{3, A, {1, 2, 3, 4}};
  mprotect(Page, 4096, PROT_READ);
  int *Q = Out;
  forall(N, [&Read, Q](int I) {
    Q[I] = Read.Factor * Read.P[I] + Read.Table[I % 4];
  });
  forallByReference(N, [&](int I) { Q[I] += Read.Factor; });
  check::absent("the object", Read);
  munmap(Page, 4096);
  Out.expect([&](int I) { return 3 * A.at(I) + I % 4 + 4; });
}

// STOCK-NEXT: FAIL read_only_closure
SHAPE(read_only_closure) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  auto Body = [=](int I) { Q[I] = P[I] + 1; };
  auto ByReference = [&](int I) { Body(I); };
  using Inner = decltype(Body);
  using Outer = decltype(ByReference);
  void *Page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto *First = new (Page) Inner(Body);
  auto *Second = new (static_cast<char *>(Page) + 64) Outer(ByReference);
  mprotect(Page, 4096, PROT_READ);
  forallByReference(N, *First);
  forallByReference(N, *Second);
  munmap(Page, 4096);
  Out.expect([&](int I) { return A.at(I) + 1; });
}

// STOCK-NEXT: FAIL arrays_by_reference
SHAPE(arrays_by_reference) {
  Mapped<int> A(N), Out(N, 2);
  int Weights[3] = {1, 2, 3}, Sums[3] = {0, 10, 20}, Untouched[3] = {7, 8, 9};
  int *P = A, *Q = Out;
  inOrder(N, [&](int I) {
    Sums[I % 3] += P[I];
    Q[I] = P[I] * Weights[I % 3] + Untouched[1];
  });
  int Want[3] = {0, 10, 20};
  for (int I = 0; I < N; ++I)
    Want[I % 3] += A.at(I);
  for (int I = 0; I < 3; ++I) {
    check::equal("Sums", Sums[I], Want[I]);
    check::equal("Untouched", Untouched[I], 7 + I);
  }
  check::absent("Sums", Sums);
  Out.expect([&](int I) { return A.at(I) * (I % 3 + 1) + 8; });
}

namespace {
struct Statistics {
  int Count = 0;
  const int *Data;
  int Sum = 0;
  int *Host; // not used by the kernel
  short Least = 999;
};
} // namespace

// STOCK-NEXT: FAIL record_partly_written
SHAPE(record_partly_written) {
  Mapped<int> A(N);
  int Unmapped = 3;
  Statistics S;
  S.Data = A;
  S.Host = &Unmapped;
  inOrder(N, [&](int I) {
    S.Count++;
    S.Sum += S.Data[I];
    S.Least = S.Data[I] < S.Least ? S.Data[I] : S.Least;
  });
  check::pointer("Data", S.Data, A.Host);
  check::pointer("Host", S.Host, &Unmapped);
  check::equal("Count", S.Count, N);
  check::equal("Sum", S.Sum, sum(A));
  check::equal("Least", S.Least, 11);
  check::absent("S", S);
}

namespace {
struct Accumulator {
  const int *Data;
  int Sum = 0;
  int *Target;
  void operator()(int I) { Sum += Data[I]; }
};
template <class F>
void inOrderByReference(int Count, F &Body) {
#pragma omp target
  for (int I = 0; I < Count; ++I)
    Body(I);
}
} // namespace

// STOCK-NEXT: FAIL functor_with_state
SHAPE(functor_with_state) {
  // A functor is no closure: its state comes back.
  Mapped<int> A(N), Target(1, 2);
  Accumulator S{A, 0, Target};
  inOrderByReference(N, S);
  check::pointer("Data", S.Data, A.Host);
  check::pointer("Target", S.Target, Target.Host);
  check::equal("Sum", S.Sum, sum(A));
  inOrderByReference(N, S);
  check::equal("Sum after two launches", S.Sum, 2 * sum(A));
  check::absent("S", S);
}

// STOCK-NEXT: ok small_neighbours
SHAPE(small_neighbours) {
  char Letters[4] = {'a', 'b', 'c', 'd'};
  char &Second = Letters[1], &Third = Letters[2];
  inOrder(3, [&Second, Third](int) { Second += Third - 'b'; });
  check::equal("first", Letters[0], 'a');
  check::equal("second", Letters[1], 'e');
  check::equal("third", Letters[2], 'c');
  check::equal("fourth", Letters[3], 'd');
}

// STOCK-NEXT: ok one_variable_by_two_ways
SHAPE(one_variable_by_two_ways) {
  int Sum = 1;
  auto Add = [&](int I) { Sum += I; };
  auto Twice = [&](int I) {
    Add(I);
    Add(I);
  };
  inOrder(4, [&](int I) {
    Twice(I);
    Sum *= 2;
    Add(1);
  });
  int Want = 1;
  for (int I = 0; I < 4; ++I)
    Want = 2 * (Want + 2 * I) + 1;
  check::equal("Sum", Sum, Want);
  check::absent("Sum", Sum);
}

// STOCK-NEXT: FAIL record_and_its_member
SHAPE(record_and_its_member) {
  Mapped<int> A(N);
  Statistics S;
  S.Data = A;
  int &Sum = S.Sum;
  inOrder(N, [&](int I) {
    Sum += S.Data[I];
    S.Count = S.Sum;
  });
  check::equal("Sum", S.Sum, sum(A));
  check::equal("Count", S.Count, sum(A));
  check::pointer("Data", S.Data, A.Host);
}

// STOCK-NEXT: FAIL launched_again_with_new_values
SHAPE(launched_again_with_new_values) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  int *P = A, *Q = Out, Factor = 1;
  auto Body = [&, Q](int I) { Q[I] = Factor * P[I] + (Factor > 1 ? Q[I] : 0); };
  forall(N, Body);
  P = B;
  Factor = 2;
  forall(N, Body);
  P = A + 0;
  Factor = 3;
  forallByReference(N, Body);
  check::pointer("P", P, A.Host);
  Out.expect([&](int I) { return 4 * A.at(I) + 2 * B.at(I); });
}

// STOCK-NEXT: FAIL const_references
SHAPE(const_references) {
  Mapped<int> A(N), Out(N, 2);
  const int Factor = N / 4;
  const double &Bound = 2.5; // a temporary
  int *const P = A;
  const int *const &ToP = P;
  int *Q = Out, Limit = N - 1;
  const int &ToLimit = Limit;
  forall(N, [&, Q](int I) {
    if (I < ToLimit)
      Q[I] = Factor * ToP[I] + int(2 * Bound);
  });
  check::absent("Limit", Limit);
  Out.expect([&](int I) { return I < N - 1 ? 3 * A.at(I) + 5 : Out.at(I); });
}

namespace {
struct HoldsReferences {
  int &Sum;
  int *&Pointer;
  const Statistics &Others;
  void operator()(int I) const { Sum += Pointer[I] + Others.Data[I]; }
};
} // namespace

// STOCK-NEXT: FAIL reference_members
SHAPE(reference_members) {
  Mapped<int> A(N), B(N, 3);
  int *P = A, Sum = 1;
  Statistics S;
  S.Data = B;
  HoldsReferences F{Sum, P, S};
  inOrder(N, F);
  check::equal("Sum", Sum, 1 + sum(A) + sum(B));
  inOrder(N, [=](int I) { F(I); });
  check::equal("Sum", Sum, 1 + 2 * (sum(A) + sum(B)));
  check::absent("Sum", Sum);
  check::absent("S", S);
}

// STOCK-NEXT: FAIL present_object_stays_on_the_device
SHAPE(present_object_stays_on_the_device) {
  // As for a map clause: what is present is neither copied nor copied back.
  Mapped<int> A(N), Out(N, 2);
  Mapped<int> Sum(1, 0);
  int *P = A, *Q = Out, &ToSum = *Sum;
  inOrder(N, [&](int I) { Q[I] = ToSum += P[I]; });
  int Want = 1;
  Out.expect([&](int I) { return Want += A.at(I); });
  Sum.expect([&](int) { return Want; });
}

namespace {
struct End {
  int *&Pointer;
  int &Sum;
};
struct Middle {
  int Factor;
  const End &Next;
};
struct Chain : View {
  const Middle &Next;
  Chain *Self = nullptr; // not used by the kernel
};
} // namespace

// STOCK-NEXT: FAIL chain_of_references
SHAPE(chain_of_references) {
  // Read at every step, written at the end.
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  int *P = B, *Q = Out, Sum = 1;
  End Last{P, Sum};
  Middle Inner{2, Last};
  Chain C{{A}, Inner};
  C.Self = &C;
  auto ByValue = [=](int I) {
    return C.Next.Factor * C.Next.Next.Pointer[I] + C[I];
  };
  auto ByReference = [&](int I) { C.Next.Next.Sum += ByValue(I) + C[I]; };
  inOrder(N, ByReference);
  const int Want = 1 + 2 * sum(A) + 2 * sum(B);
  check::equal("Sum", Sum, Want);
  P = A; // the next launch sees the new value, three references away
  Inner.Factor = 3;
  forall(N, [=](int I) { Q[I] = ByValue(I); });
  check::equal("Sum after a launch that reads", Sum, Want);
  check::pointer("P", P, A.Host);
  check::pointer("Self", C.Self, &C);
  check::absent("Sum", Sum);
  check::absent("Last", Last);
  check::absent("C", C);
  Out.expect([&](int I) { return 4 * A.at(I); });
}

// STOCK-NEXT: FAIL copies_of_a_record_with_references
SHAPE(copies_of_a_record_with_references) {
  // Closures of closures: each has a copy, and all copies lead to one variable.
  Mapped<int> A(N), B(N, 3);
  int *P = A, Sum = 1;
  Statistics S;
  S.Data = B;
  const HoldsReferences F{Sum, P, S};
  auto First = [=](int I) { F(I); };
  auto Second = [F, First](int I) {
    F.Sum *= 2;
    First(I);
  };
  auto Third = [&First, Second, Copy = F](int I) {
    First(I);
    Second(I);
    Copy.Sum -= Copy.Pointer[I];
  };
  inOrder(N, Third);
  inOrder(N, [&, F](int I) {
    Third(I);
    F.Sum += 1;
  });
  int Want = 1;
  for (int Launch = 0; Launch < 2; ++Launch)
    for (int I = 0; I < N; ++I) {
      const int V = A.at(I) + B.at(I);
      Want = 2 * (Want + V) + V - A.at(I) + Launch;
    }
  check::equal("Sum", Sum, Want);
  check::pointer("P", P, A.Host);
  check::absent("Sum", Sum);
  check::absent("S", S);
}

namespace {
struct alignas(32) Aligned {
  int *Host;
  const int *Data;
};
struct WithReference {
  View V;
  const Aligned &Referred;
};
struct OfBases : WithReference {
  const int *&Pointer;
};
} // namespace

// STOCK-NEXT: FAIL one_record_by_value_and_by_reference
SHAPE(one_record_by_value_and_by_reference) {
  // Bases, an over-aligned record and a pointer behind references; a pointer
  // that the kernel only looks at stays the host's.
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  Mapped<unsigned long> Bits(1, 4);
  static int Unmapped[4];
  const int *Q = B;
  const Aligned X{Unmapped + 1, A - 3};
  OfBases R{{{A}, X}, Q};
  auto ByValue = [=](int I) { return R.Referred.Data[I + 3] + X.Data[I + 3]; };
  auto ByReference = [&](int I) { return R.V[I] + R.Pointer[I] + ByValue(I); };
  int *ToOut = Out;
  unsigned long *ToBits = Bits;
  forallByReference(N, [&ByReference, R, ToOut, ToBits](int I) {
    if (I == 0)
      ToBits[0] = reinterpret_cast<unsigned long>(R.Referred.Host);
    ToOut[I] = ByReference(I) + R.Referred.Data[I + 3] - R.Pointer[I];
  });
  check::pointer("the host's pointer",
                 reinterpret_cast<void *>(Bits.fetch(0)), Unmapped + 1);
  check::absent("X", X);
  check::absent("R", R);
  Out.expect([&](int I) { return 4 * A.at(I); });
}

// STOCK-NEXT: ok threads_that_write_one_variable
SHAPE(threads_that_write_one_variable) {
  // Who finds it mapped by another thread's launch keeps it so.
  constexpr int Threads = 4, Launches = 200;
  long Sum = 3;
#pragma omp parallel for num_threads(Threads)
  for (int Launch = 0; Launch < Threads * Launches; ++Launch) {
    auto Body = [&Sum](int I) {
#pragma omp atomic
      Sum += I;
    };
    inOrder(4, Body);
  }
  check::equal("Sum", Sum, 3 + Threads * Launches * 6);
  check::absent("Sum", Sum);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
