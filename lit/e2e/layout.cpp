// Members that are const, volatile, packed, over-aligned, bit-fields or union
// members; records with a virtual table; closures of 8 KB.
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
} // namespace

// STOCK: FAIL const_members
SHAPE(const_members) {
  Mapped<int> A(N), Out(N, 2);
  struct Body {
    const int *const P;
    int *const Q;
    const int Factor;
    void operator()(int I) const { Q[I] = Factor * P[I]; }
  };
  const Body F{A, Out, 3};
  forall(N, F);
  check::pointer("P", F.P, A.Host);
  Out.expect([&](int I) { return 3 * A.at(I); });
}

// STOCK-NEXT: FAIL const_closures
SHAPE(const_closures) {
  Mapped<int> A(N), Out(N, 2);
  int *const P = A, *const Q = Out;
  const int *const &ToP = P;
  const auto Read = [=](int I) { return P[I] + 1; };
  const auto Write = [Q, &Read, &ToP](int I) { Q[I] = Read(I) + ToP[I]; };
  forall(N, Write);
  forallByReference(N, Write);
  check::absent("the inner closure", Read);
  Out.expect([&](int I) { return 2 * A.at(I) + 1; });
}

// STOCK-NEXT: FAIL volatile_members
SHAPE(volatile_members) {
  Mapped<int> A(N), Out(N, 2);
  struct Volatile {
    const volatile int *P;
    int *volatile Q;
    volatile int Factor;
  } S{A, Out, 3};
  int *volatile R = A;
  auto Body = [&R, P = S.P, Q = S.Q, Factor = S.Factor](int I) {
    Q[I] = Factor * P[I] + R[I];
  };
  forall(N, Body);
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    S.Q[I] = S.Q[I] + S.Factor * S.P[I];
  check::pointer("S.Q", S.Q, Out.Host);
  check::pointer("R", R, A.Host);
  Out.expect([&](int I) { return 7 * A.at(I); });
}

namespace {
struct __attribute__((packed)) Packed {
  char Tag;
  const int *P;
  short Factor;
  int *Q;
  char Last;
  void operator()(int I) const { Q[I] = Factor * P[I] + Tag + Last; }
};
static_assert(sizeof(Packed) == 20, "");
struct __attribute__((packed)) Odd {
  char Tag;
  const int *P;
};
} // namespace

// STOCK-NEXT: FAIL packed_record
SHAPE(packed_record) {
  Mapped<int> A(N), Out(N, 2);
  Packed F{1, A, 3, Out, 4};
  forall(N, F);
  auto Body = [F, Last = 'z'](int I) { F.Q[I] += F.P[I] + (Last - 'z'); };
  forall(N, Body);
  Out.expect([&](int I) { return 4 * A.at(I) + 5; });
}

// STOCK-NEXT: FAIL array_of_packed_records
SHAPE(array_of_packed_records) {
  Mapped<int> A(N), B(N, 3), C(N, 4), Out(N, 2);
  Odd Parts[3] = {{1, A}, {2, B}, {3, C}};
  int *Q = Out;
  forall(N, [=](int I) {
    Q[I] = 0;
    for (int J = 0; J < 3; ++J)
      Q[I] += Parts[J].Tag * Parts[J].P[I];
  });
  Out.expect([&](int I) { return A.at(I) + 2 * B.at(I) + 3 * C.at(I); });
}

namespace {
struct alignas(64) Aligned {
  int *P;
  double Weight;
};
struct Mixed {
  char Tag;
  Aligned In;
  alignas(32) int *Q;
  char Last;
  void operator()(int I) const { Q[I] = int(In.Weight * In.P[I]) + Tag + Last; }
};
} // namespace

// STOCK-NEXT: FAIL over_aligned_members
SHAPE(over_aligned_members) {
  Mapped<int> A(N), Out(N, 2);
  Mixed F{1, {A, 3}, Out, 2};
  forall(N, F);
  char C = 1;
  forall(N, [C, F](int I) { F.Q[I] += F.In.P[I] + C; });
  forallByReference(N, [&F](int I) { F.Q[I] += 1; });
  Out.expect([&](int I) { return 4 * A.at(I) + 5; });
}

namespace {
struct Fields {
  unsigned Low : 3;
  unsigned High : 29;
  int *P;
  long Sign : 5;
  unsigned long Rest : 59;
  int *Q;
  bool Flag : 1;
  void operator()(int I) const {
    Q[I] = P[I] * int(Low) + int(High) + int(Sign) + int(Rest % 7) + Flag;
  }
};
} // namespace

// STOCK-NEXT: FAIL bit_fields
SHAPE(bit_fields) {
  Mapped<int> A(N), Out(N, 2);
  Fields F{5, 100, A, -3, (Word(1) << 59) - 1, Out, true};
  forall(N, F);
  forall(N, [=](int I) { F.Q[I] += int(F.Low) + int(F.Sign); });
  int Rest = int(((Word(1) << 59) - 1) % 7);
  Out.expect([&](int I) { return 5 * A.at(I) + 100 + Rest + 1 - 3 + 5 - 3; });
}

namespace {
union PointerOrNumber {
  int *P;
  Word Number;
};
struct Unions {
  PointerOrNumber In, Key;
  union {
    int *Out;
    char Bytes[8];
  };
  Word *Numbers;
  void operator()(int I) const {
    Out[I] = In.P[I] + 1;
    Numbers[I] = Key.Number;
  }
};
} // namespace

// STOCK-NEXT: FAIL unions
SHAPE(unions) {
  // Key holds a number that is also the address of a mapped array.
  Mapped<int> A(N), Out(N, 2);
  Mapped<Word> Numbers(N, 3);
  Unions F;
  F.In.P = A;
  F.Key.Number = reinterpret_cast<Word>(A.Host);
  F.Out = Out;
  F.Numbers = Numbers;
  forall(N, F);
  forall(N, [=](int I) { F.Out[I] += F.In.P[I]; });
  Out.expect([&](int I) { return 2 * A.at(I) + 1; });
  Numbers.expect([&](int) { return reinterpret_cast<Word>(A.Host); });
}

namespace {
struct Labelled {
  const int *Parts[2];
  union {
    Word Number;
    int *P;
  } Label;
  int *Out;
};
} // namespace

// STOCK-NEXT: FAIL number_in_union_beside_pointers
SHAPE(number_in_union_beside_pointers) {
  // The index into Parts is not known, but it cannot reach Label.
  Mapped<int> A(N), B(N, 4), Out(N, 2);
  Mapped<Word> Numbers(N, 3);
  const Labelled L{{A, B}, {reinterpret_cast<Word>(A.Host)}, Out};
  Word *To = Numbers;
  auto Read = [&](int I) {
    To[I] = L.Label.Number;
    return L.Parts[I % 2][I];
  };
  auto Body = [=](int I) { L.Out[I] = Read(I) + L.Parts[(I + 1) % 2][I]; };
  forallByReference(N, Body);
  Out.expect([&](int I) { return A.at(I) + B.at(I); });
  Numbers.expect([&](int) { return reinterpret_cast<Word>(A.Host); });
}

namespace {
struct Term {
  enum Kind { Constant,
              Array } Kind;
  union {
    int *P;
    long Number;
  };
  int value(int I) const { return Kind == Array ? P[I] : int(Number); }
};
} // namespace

// STOCK-NEXT: FAIL tagged_unions
SHAPE(tagged_unions) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  Term Terms[3];
  Terms[0].Kind = Term::Array;
  Terms[0].P = A;
  Terms[1].Kind = Term::Constant;
  Terms[1].Number = 40;
  Terms[2].Kind = Term::Array;
  Terms[2].P = B;
  int *Q = Out;
  forall(N, [=](int I) {
    Q[I] = Terms[0].value(I) + Terms[1].value(I) + Terms[2].value(I);
  });
  forall(N, [=](int I) {
    for (const Term &T : Terms)
      Q[I] += T.value(I);
  });
  Out.expect([&](int I) { return 2 * (A.at(I) + B.at(I) + 40); });
}

namespace {
struct Shape {
  int *P;
  explicit Shape(int *P) : P(P) {}
  virtual ~Shape() = default;
  virtual int corners() const { return 3; }
};
struct Square : Shape {
  int *Q;
  Square(int *P, int *Q) : Shape(P), Q(Q) {}
  int corners() const override { return 4; }
  void run() {
    forall(N, [this](int I) { Q[I] = P[I] + 1; });
  }
};
} // namespace

// STOCK-NEXT: FAIL object_with_virtual_table
SHAPE(object_with_virtual_table) {
  Mapped<int> A(N), Out(N, 2);
  Square S(A, Out);
  S.run();
  S.run();
  check::equal("corners", static_cast<Shape &>(S).corners(), 4);
  check::pointer("P", S.P, A.Host);
  Out.expect([&](int I) { return A.at(I) + 1; });
}

namespace {
struct Empty {};
struct NoSpace {
  [[no_unique_address]] Empty First;
  int *P;
  [[no_unique_address]] Empty Second;
  bool Flag;
  signed char Small[3];
  long double Wide;
  __int128 Wider;
  int *Q;
  void operator()(int I) const {
    Q[I] = P[I] * Small[2] + int(Wide) + int(Wider >> 64) + Flag;
  }
};
} // namespace

// STOCK-NEXT: FAIL members_of_odd_sizes
SHAPE(members_of_odd_sizes) {
  Mapped<int> A(N), Out(N, 2);
  NoSpace F{{}, A, {}, true, {1, 2, 3}, 4.0L, __int128(5) << 64, Out};
  forall(N, F);
  struct {
    char Text[5];
    NoSpace Inner;
  } S{{1, 2, 3, 4, 5}, F};
  forall(N, [=](int I) { S.Inner.Q[I] += S.Inner.P[I] * S.Text[4]; });
  Out.expect([&](int I) { return 8 * A.at(I) + 10; });
}

namespace {
struct Large {
  const int *First;
  double Table[510];
  const int *Middle;
  double More[520];
  int *Last;
};
static_assert(sizeof(Large) > 8 * 1024, "");
} // namespace

// STOCK-NEXT: FAIL closure_of_8_kilobytes
SHAPE(closure_of_8_kilobytes) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  static Large S;
  S.First = A;
  S.Middle = B;
  S.Last = Out;
  for (int I = 0; I < 500; ++I)
    S.Table[I] = S.More[I] = I;
  Large Copy = S;
  auto Body = [=](int I) {
    Copy.Last[I] = Copy.First[I] + Copy.Middle[I] + int(Copy.Table[499 - I]) +
                   int(Copy.More[I]);
  };
  static_assert(sizeof(Body) > 8 * 1024, "");
  forall(N, Body);
  forallByReference(N, Body);
  auto &ByReference = Copy;
  forall(N, [&](int I) { ByReference.Last[I] += ByReference.First[I]; });
  check::absent("the closure", Body);
  check::absent("the record", Copy);
  Out.expect([&](int I) { return 2 * A.at(I) + B.at(I) + 499; });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
