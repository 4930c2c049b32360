// Arrays of pointers that are indexed by variables, with other members between
// them: only the elements of the arrays are pointers that the kernel follows.
// Where an end of a range counts, another mapped array is adjacent.
//
// RUN: for g in "" -g; do for o in -O0 -O1 -O2 -O3; do echo "at $o $g"; \
// RUN:   %ferry_clangxx %offload -std=c++20 $o $g %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t --isolate || exit 1; done; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t

#include "Inputs/check.h"
#include "Inputs/forall.h"

#include <array>
#include <sys/mman.h>

namespace {
constexpr int N = 8;
constexpr int Half = N / 2;

/// Two mapped arrays, the second directly behind the first.
struct Adjacent {
  int Storage[2 * N];
  Mapped<int> A, B;
  Adjacent()
      : A(N, 1, omp_get_default_device(), Storage),
        B(N, 5, omp_get_default_device(), Storage + N) {}
};

union Word {
  long Number;
  int *P;
};
long bits(const void *P) { return reinterpret_cast<long>(P); }

struct Range {
  int *Begin, *End;
};
int sum(const int *Begin, const int *End) {
  int Sum = 0;
  for (const int *P = Begin; P != End; ++P)
    Sum += *P;
  return Sum;
}
template <class T>
int sumOf(const T &A) {
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += A.at(I);
  return Sum;
}

/// An object that is mapped as it is.
template <class T>
struct MappedObject {
  T *P;
  int Count;
  explicit MappedObject(T &Object, int Count = 1) : P(&Object), Count(Count) {
    T *Q = P;
#pragma omp target enter data map(to : Q[0 : Count])
  }
  ~MappedObject() {
    T *Q = P;
#pragma omp target exit data map(delete : Q[0 : Count])
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Members between two arrays
//===----------------------------------------------------------------------===//

SHAPE(ends_between_arrays) {
  struct {
    int *A[2], *Begin, *End, *C[2];
  } X;
  Adjacent M;
  Mapped<int> C(N, 3), Out(N, 2);
  int *Q = Out;
  X = {{M.A, M.A + 1}, M.A, M.A + N, {C, C + 1}};
  forall(N, [=](int I) {
    Q[I] = int(X.End - X.Begin) + X.A[I % 2][0] + X.C[I % 2][0];
  });
  Out.expect([&](int I) { return N + M.A.at(I % 2) + C.at(I % 2); });
}

SHAPE(walked_range_between_arrays) {
  struct {
    int *A[2];
    Range R;
    int *C[2];
  } X;
  Adjacent M;
  Mapped<int> C(N, 3), Out(N, 2);
  int *Q = Out;
  X = {{M.A, M.A + 1}, {M.A, M.A + N}, {C, C + 1}};
  forall(N, [=](int I) {
    Q[I] = sum(X.R.Begin, X.R.End) + X.A[I % 2][0] + X.C[I % 2][0];
  });
  Out.expect([&](int I) { return sumOf(M.A) + M.A.at(I % 2) + C.at(I % 2); });
}

SHAPE(number_between_arrays) {
  struct {
    int *A[2];
    Word Between;
    int *C[2];
  } X;
  Mapped<int> A(N), C(N, 3);
  Mapped<long> Out(N, 2);
  long *Q = Out;
  X = {{A, A + 1}, {bits(A.Host)}, {C, C + 1}};
  forall(N, [=](int I) {
    Q[I] = X.Between.Number + X.A[I % 2][0] + X.C[I % 2][0];
  });
  Out.expect([&](int I) { return bits(A.Host) + A.at(I % 2) + C.at(I % 2); });
}

SHAPE(written_number_between_arrays) {
  struct {
    int *A[2];
    Word Between;
    int *C[2];
  } X;
  Mapped<int> A(N), C(N, 3), Out(N, 2);
  int *Q = Out;
  X = {{A, A + 1}, {bits(A.Host)}, {C, C + 1}};
  inOrder(N, [=, &X](int I) {
    X.Between.Number = I;
    Q[I] = X.A[I % 2][0] + X.C[I % 2][0];
  });
  check::equal("the number", X.Between.Number, N - 1);
  check::pointer("A[1]", X.A[1], A + 1);
  check::pointer("C[1]", X.C[1], C + 1);
  Out.expect([&](int I) { return A.at(I % 2) + C.at(I % 2); });
}

SHAPE(number_in_a_mapped_record) {
  struct Record {
    int *A[2];
    long Number;
    int *C[2];
  };
  Mapped<int> A(N), C(N, 3);
  Mapped<long> Out(N, 2);
  long *Q = Out;
  Record Object{{A, A + 1}, bits(A.Host), {C, C + 1}};
  MappedObject<Record> M(Object);
  forall(N, [=, R = M.P](int I) {
    Q[I] = R->Number + R->A[I % 2][0] + R->C[I % 2][0];
  });
  Out.expect([&](int I) { return bits(A.Host) + A.at(I % 2) + C.at(I % 2); });
}

SHAPE(dangling_reference_between_arrays) {
  struct Pair {
    int *P, *Q;
  };
  struct Record {
    int *A[2];
    Pair &Unused;
    int *C[2];
  };
  Mapped<int> A(N), C(N, 3), Out(N, 2);
  int *Q = Out;
  void *Gone = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  Record X{{A, A + 1}, *static_cast<Pair *>(Gone), {C, C + 1}};
  forall(N, [=](int I) { Q[I] = X.A[I % 2][0] + X.C[I % 2][0]; });
  munmap(Gone, 4096);
  Out.expect([&](int I) { return A.at(I % 2) + C.at(I % 2); });
}

SHAPE(arrays_that_are_walked) {
  // Where the arrays end is not part of the address.
  struct {
    int *A[2];
    Word Between;
    int *C[2];
    Word Behind;
  } X;
  Mapped<int> A(N), C(N, 3);
  Mapped<long> Out(N, 2);
  long *Q = Out;
  X = {{A, A + 1}, {bits(A.Host)}, {C, C + 1}, {bits(C.Host)}};
  forall(N, [=](int I) {
    long Sum = X.Between.Number - X.Behind.Number;
    for (int *const *P = X.A; P != X.A + 2; ++P)
      Sum += **P;
    int *const *Last = X.C + 1;
    for (int J = 0; J <= I % 2; ++J)
      Sum += *Last[-J];
    Q[I] = Sum;
  });
  Out.expect([&](int I) {
    return bits(A.Host) - bits(C.Host) + A.at(0) + A.at(1) + C.at(1) +
           (I % 2 ? C.at(0) : 0);
  });
}

SHAPE(walk_over_the_first_member_of_a_mapped_record) {
  struct Record {
    int *A[2];
    long Number;
    int *C[2];
  };
  Mapped<int> A(N), C(N, 3);
  Mapped<long> Out(N, 2), Later(1);
  long *Q = Out, *L = Later;
  Record Object{{A, A + 1}, bits(A.Host), {C, C + 1}};
  MappedObject<Record> M(Object);
  forall(N, [=, R = M.P](int I) {
    int *const *T = R->A;
    Q[I] = T[I % 2][0];
  });
  forall(1, [=, R = M.P](int I) { L[I] = R->Number; });
  Out.expect([&](int I) { return A.at(I % 2); });
  Later.expect([&](int) { return bits(A.Host); });
}

//===----------------------------------------------------------------------===//
// One array, several indices
//===----------------------------------------------------------------------===//

namespace {
struct Node {
  long Number;
  int *P;
};
} // namespace

SHAPE(constant_and_variable_index) {
  // Of an array in the closure, and of a mapped table.
  struct {
    Node *A[2];
  } X;
  Mapped<int> A(N), B(N, 3);
  Mapped<long> Out(N, 2);
  long *Q = Out;
  Node Nodes[2] = {{7, A}, {8, B}};
  MappedObject<Node> M(Nodes[0], 2);
  X = {{M.P, M.P + 1}};
  Node Others[2] = {{7, A}, {8, B}};
  MappedObject<Node> MO(Others[0], 2);
  Node *Table[3] = {MO.P, MO.P + 1, MO.P};
  MappedObject<Node *> MT(Table[0], 3);
  forall(N, [=, T = MT.P](int I) {
    Q[I] = X.A[0]->Number + X.A[I % 2]->P[I] + T[1]->Number + T[I % 3]->P[I];
  });
  check::pointer("P", Nodes[0].P, A.Host);
  Out.expect([&](int I) {
    return 7 + (I % 2 ? B.at(I) : A.at(I)) + 8 + (I % 3 == 1 ? B.at(I) : A.at(I));
  });
}

namespace {
/// 16 bytes in 40: a common divisor of both is a word.
struct Inner {
  int *P;
  Word Number;
};
struct Outer {
  Inner A[2];
  Word Number;
};
} // namespace

SHAPE(arrays_in_arrays) {
  struct {
    Word Number;
    Outer B[2];
  } X;
  Mapped<int> A(N), C(N, 3);
  Mapped<long> Out(N, 2);
  long *Q = Out;
  Word Bits{bits(A.Host)};
  X = {Bits,
       {{{{A, Bits}, {A + 1, Bits}}, Bits}, {{{C, Bits}, {C + 1, Bits}}, Bits}}};
  forall(N, [=](int I) {
    const Outer &O = X.B[I % 2];
    Q[I] = O.A[I / Half].P[0] - X.Number.Number + O.Number.Number +
           O.A[I / Half].Number.Number;
  });
  Out.expect([&](int I) {
    return bits(A.Host) + (I % 2 ? C.at(I / Half) : A.at(I / Half));
  });
}

SHAPE(arrays_in_arrays_of_a_mapped_record) {
  struct PlainInner {
    int *P;
    long Number;
  };
  struct PlainOuter {
    PlainInner A[2];
    long Number;
  };
  Mapped<int> A(N), C(N, 3);
  Mapped<long> Out(N, 2);
  long *Q = Out, Bits = bits(A.Host);
  PlainOuter Objects[2] = {{{{A, Bits}, {A + 1, Bits}}, Bits},
                           {{{C, Bits}, {C + 1, Bits}}, Bits}};
  MappedObject<PlainOuter> M(Objects[0], 2);
  forall(N, [=, B = M.P](int I) {
    const PlainOuter &O = B[I % 2];
    Q[I] = O.A[I / Half].P[0] + O.Number + 0 * O.A[I / Half].Number +
           (O.A[I / Half].Number == Bits);
  });
  Out.expect([&](int I) {
    return Bits + 1 + (I % 2 ? C.at(I / Half) : A.at(I / Half));
  });
}

SHAPE(standard_arrays_in_arrays) {
  struct {
    std::array<std::array<int *, 2>, 2> A;
    Word Between;
    std::array<int *, 2> C;
  } X;
  Mapped<int> A(N), C(N, 3);
  Mapped<long> Out(N, 2);
  long *Q = Out;
  X.A = {{{A, A + 1}, {A + 2, A + 3}}};
  X.Between.Number = bits(A.Host);
  X.C = {C, C + 1};
  forall(N, [=](int I) {
    long Sum = X.Between.Number + X.A[I % 2][I / Half][0];
    for (int *P : X.C)
      Sum += *P;
    Q[I] = Sum;
  });
  Out.expect([&](int I) {
    return bits(A.Host) + A.at(I % 2 * 2 + I / Half) + C.at(0) + C.at(1);
  });
}

SHAPE(rows_of_an_array_of_arrays) {
  // By two indices, by one over all rows, and a row that is chosen.
  struct {
    Word Before;
    int *M[2][3];
    Word Behind;
  } X;
  Mapped<int> A(N), B(N, 3);
  Mapped<long> Out(N, 2);
  long *Q = Out;
  X = {{bits(A.Host)},
       {{A, A + 1, A + 2}, {B, B + 1, B + 2}},
       {bits(B.Host)}};
  forall(N, [=](int I) {
    int *const *All = &X.M[0][0];
    auto &Row = I % 2 ? X.M[0] : X.M[1];
    Q[I] = X.M[I % 2][I % 3][0] + All[I % 6][1] + Row[I % 3][2] +
           X.Before.Number - X.Behind.Number;
  });
  Out.expect([&](int I) {
    auto At = [&](int Row, int K) { return Row ? B.at(K) : A.at(K); };
    return At(I % 2, I % 3) + At(I % 6 / 3, I % 3 + 1) +
           At(I % 2 == 0, I % 3 + 2) + bits(A.Host) - bits(B.Host);
  });
}

//===----------------------------------------------------------------------===//
// Choices and ranges
//===----------------------------------------------------------------------===//

SHAPE(choice_between_members) {
  struct {
    Word Before;
    Range A;
    Word Between;
    Range B;
  } X;
  Adjacent M;
  Mapped<long> Out(N, 2);
  long *Q = Out;
  Word Bits{bits(M.A.Host)};
  X = {Bits, {M.B, M.B + N}, Bits, {M.A, M.A + N}};
  forall(N, [=](int I) {
    const Range &R = I % 2 ? X.B : X.A;
    Q[I] = sum(R.Begin, R.End) + X.Before.Number - X.Between.Number;
  });
  Out.expect([&](int I) { return I % 2 ? sumOf(M.A) : sumOf(M.B); });
}

SHAPE(choice_of_an_empty_range) {
  // Both of its ends stand where one array ends and the other begins.
  struct {
    Range A, B, C;
  } X;
  Adjacent M;
  Mapped<int> Out(N, 2);
  int *Q = Out;
  X = {{M.A, M.A + N}, {M.B + N, M.B + N}, {M.A + 1, M.A + 3}};
  forall(N, [=](int I) {
    const Range &R = I % 3 == 0 ? X.A : I % 3 == 1 ? X.B
                                                   : X.C;
    Q[I] = sum(R.Begin, R.End);
  });
  Out.expect([&](int I) {
    return I % 3 == 0   ? sumOf(M.A)
           : I % 3 == 1 ? 0
                        : M.A.at(1) + M.A.at(2);
  });
}

SHAPE(choice_between_arrays) {
  struct {
    int *A[2];
    Word Between;
    int *C[2];
    Word Behind;
  } X;
  Mapped<int> A(N), C(N, 3);
  Mapped<long> Out(N, 2);
  long *Q = Out;
  X = {{A, A + 1}, {bits(A.Host)}, {C, C + 1}, {bits(C.Host)}};
  forall(N, [=](int I) {
    int *const *T = I / Half ? X.C : X.A;
    Q[I] = T[I % 2][0] + X.Between.Number - X.Behind.Number;
  });
  Out.expect([&](int I) {
    return bits(A.Host) - bits(C.Host) +
           (I / Half ? C.at(I % 2) : A.at(I % 2));
  });
}

SHAPE(choice_between_members_of_a_mapped_record) {
  struct Record {
    long Before;
    Range A;
    long Between;
    Range B;
  };
  Adjacent M;
  Mapped<long> Out(N, 2);
  long *Q = Out, Bits = bits(M.A.Host);
  Record Object{Bits, {M.B, M.B + N}, Bits, {M.A, M.A + N}};
  MappedObject<Record> O(Object);
  forall(N, [=, X = O.P](int I) {
    const Range &R = I % 2 ? X->B : X->A;
    Q[I] = sum(R.Begin, R.End) + X->Before + X->Between - Bits;
  });
  Out.expect([&](int I) { return Bits + (I % 2 ? sumOf(M.A) : sumOf(M.B)); });
}

SHAPE(mapped_table_of_ranges) {
  Adjacent M;
  Mapped<int> Out(N, 2);
  int *Q = Out;
  Range Table[3] = {{M.A, M.A + N}, {M.B, M.B + N}, {M.A + 2, M.A + 5}};
  MappedObject<Range> T(Table[0], 3);
  forall(N, [=, R = T.P](int I) { Q[I] = sum(R[I % 3].Begin, R[I % 3].End); });
  check::pointer("R[0].End", Table[0].End, M.A + N);
  Out.expect([&](int I) {
    return I % 3 == 2   ? M.A.at(2) + M.A.at(3) + M.A.at(4)
           : I % 3 == 1 ? sumOf(M.B)
                        : sumOf(M.A);
  });
}

SHAPE(walks_over_ranges) {
  // Forwards, backwards, in a mapped table, and behind its length.
  struct {
    std::array<Range, 3> R;
    Word Between;
    Range T[2];
  } X;
  struct Counted {
    long Count;
    Range R[3];
  };
  Adjacent M;
  Mapped<long> Out(N, 2);
  long *Q = Out;
  X = {{{{M.A, M.A + N}, {M.B, M.B + N}, {M.A, M.A}}},
       {bits(M.A.Host)},
       {{M.B, M.B + N}, {M.A + 1, M.A + N}}};
  Counted Object = {3, {X.R[0], X.R[1], X.R[2]}};
  MappedObject<Counted> C(Object);
  forall(N, [=, C = C.P](int I) {
    long Sum = X.Between.Number;
    for (const Range &R : X.R)
      Sum += sum(R.Begin, R.End);
    for (int K = 2; K-- > 0;)
      Sum += sum(X.T[K].Begin, X.T[K].End);
    for (const Range *R = C->R; R != C->R + C->Count; ++R)
      Sum += sum(R->Begin, R->End);
    Q[I] = Sum;
  });
  Out.expect([&](int) {
    return bits(M.A.Host) + 3 * (sumOf(M.A) + sumOf(M.B)) - M.A.at(0);
  });
}

SHAPE(large_array_of_ranges) {
  // In a variable, and in the same record behind a pointer.
  struct Ranges {
    Word Before;
    Range R[200];
    Word Behind;
  };
  Adjacent M;
  Mapped<long> Out(N, 2);
  long *Q = Out;
  Ranges X, Y;
  X.Before.Number = X.Behind.Number = bits(M.A.Host);
  for (int I = 0; I < 200; ++I)
    X.R[I] = I % 2 ? Range{M.B, M.B + N} : Range{M.A, M.A + N};
  Y = X;
  MappedObject<Ranges> MY(Y);
  forall(N, [=, &X, Y = MY.P](int I) {
    const Range &R = X.R[25 * I], &S = Y->R[25 * I + 1];
    Q[I] = sum(R.Begin, R.End) - sum(S.Begin, S.End) + X.Before.Number +
           X.Behind.Number - Y->Before.Number + Y->Behind.Number;
  });
  Out.expect([&](int I) {
    int Difference = sumOf(M.A) - sumOf(M.B);
    return 2 * bits(M.A.Host) + (I % 2 ? -Difference : Difference);
  });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
