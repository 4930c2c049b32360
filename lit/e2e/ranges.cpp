// Pointers outside their array by a distance that is known only at the launch:
// ends that are followed backwards, arrays that count from a captured first
// index, ghost zones. What is looked up is the first byte that the kernel
// accesses. All arrays have mapped neighbours that must not be taken for them.
//
// RUN: for g in "" -g; do for o in -O0 -O1 -O2 -O3; do echo "at $o $g"; \
// RUN:   %ferry_clangxx %offload $o $g %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t

#include "Inputs/check.h"
#include "Inputs/forall.h"
#include <vector>

namespace {

template <class F>
void forRange(int Begin, int End, F Body) {
#pragma omp target teams distribute parallel for
  for (int I = Begin; I < End; ++I)
    Body(I);
}
template <class F>
void forLong(long Begin, long End, F Body) {
#pragma omp target teams distribute parallel for
  for (long I = Begin; I < End; ++I)
    Body(I);
}
template <class F>
void forUnsigned(unsigned Begin, unsigned End, F Body) {
#pragma omp target teams distribute parallel for
  for (unsigned I = Begin; I < End; ++I)
    Body(I);
}
template <class F>
void forDown(int Begin, int End, F Body) {
#pragma omp target teams distribute parallel for
  for (int I = Begin; I > End; --I)
    Body(I);
}
template <class F>
void forStep(int Begin, int End, int Step, F Body) {
#pragma omp target teams distribute parallel for
  for (int I = Begin; I < End; I += Step)
    Body(I);
}
template <class F>
void forDynamic(int Begin, int End, F Body) {
#pragma omp target teams distribute parallel for schedule(dynamic)
  for (int I = Begin; I < End; ++I)
    Body(I);
}
template <class F>
void forChunks(int Begin, int End, F Body) {
#pragma omp target teams distribute parallel for schedule(static, 3) \
    dist_schedule(static, 6)
  for (int I = Begin; I < End; ++I)
    Body(I);
}
template <class F>
void forSimd(int Begin, int End, F Body) {
#pragma omp target teams distribute parallel for simd
  for (int I = Begin; I < End; ++I)
    Body(I);
}
template <class F>
void forTeams(int Begin, int End, F Body) {
#pragma omp target teams distribute
  for (int I = Begin; I < End; ++I)
    Body(I);
}
template <class F>
void forSerial(int Begin, int End, F Body) {
#pragma omp target
  for (int I = Begin; I < End; ++I)
    Body(I);
}
template <class F>
void forReference(int Begin, int End, const F &Body) {
#pragma omp target teams distribute parallel for
  for (int I = Begin; I < End; ++I)
    Body(I);
}
template <class F>
void forLater(int Begin, int End, F Body) {
#pragma omp target teams distribute parallel for nowait
  for (int I = Begin; I < End; ++I)
    Body(I);
#pragma omp taskwait
}
template <class F>
void forPlane(int Begin, int End, int Begin2, int End2, F Body) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int I = Begin; I < End; ++I)
    for (int J = Begin2; J < End2; ++J)
      Body(I, J);
}
template <class F>
void forBox(long B0, long E0, long B1, long E1, long B2, long E2, F Body) {
#pragma omp target teams distribute parallel for collapse(3)
  for (long I = B0; I < E0; ++I)
    for (long J = B1; J < E1; ++J)
      for (long K = B2; K < E2; ++K)
        Body(I, J, K);
}

/// Three arrays side by side, mapped so that no two of them are side by side on
/// the device. The one in the middle is the one in use.
template <class T>
struct Neighbours {
  int N;
  std::vector<T> Storage;
  int Device = omp_get_default_device();
  Mapped<T> Right, Gap, Middle, Gap2, Left;

  explicit Neighbours(int N)
      : N(N), Storage(3 * N), Right(N, 4, Device, Storage.data() + 2 * N),
        Gap(2 * N + 7, 7), Middle(N, 2, Device, Storage.data() + N),
        Gap2(3 * N + 9, 7), Left(N, 3, Device, Storage.data()) {}
  T *begin() const { return Middle; }
  T *end() const { return begin() + N; }
  template <class F>
  void expect(F Want) {
    Middle.expect(Want);
  }
  void expectDoubled() {
    expect([this](int I) { return T(2 * Middle.at(I)); });
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

SHAPE(end_followed_backwards) {
  Neighbours<double> A(12);
  double *E = A.end();
  forRange(1, A.N + 1, [=](int I) { E[-I] *= 2; });
  A.expectDoubled();
}

SHAPE(end_without_neighbours) {
  Mapped<double> A(12);
  double *E = A + 12;
  forRange(1, 13, [=](int I) { E[-I] *= 2; });
  A.expect([&](int I) { return 2 * A.at(I); });
}

SHAPE(end_by_captured_length) {
  Neighbours<double> A(12);
  double *X = A.begin(), *E = A.end();
  int N = A.N;
  forRange(0, N, [=](int I) {
    if (X + I < E)
      *(E - N + I) *= 2;
  });
  A.expectDoubled();
}

SHAPE(end_by_captured_length_without_neighbours) {
  Mapped<double> A(12);
  double *X = A, *E = A + 12;
  int N = 12;
  // More iterations than elements.
  forRange(0, N + 5, [=](int I) {
    if (X + I < E)
      *(E - N + I) *= 2;
  });
  A.expect([&](int I) { return 2 * A.at(I); });
}

SHAPE(more_iterations_than_elements_between_neighbours) {
  Neighbours<double> A(12);
  double *E = A.end();
  int N = A.N;
  forRange(0, N + 9, [=](int I) {
    if (I < N)
      E[I - N] *= 2;
  });
  A.expectDoubled();
}

SHAPE(end_where_the_last_element_is_first) {
  Neighbours<int> A(9);
  int *Last = A.end();
  int N = A.N;
  forRange(0, N, [=](int I) { Last[I - N] *= 2; });
  A.expectDoubled();
}

SHAPE(end_walked_down_to_the_begin) {
  Neighbours<int> A(9);
  int *B = A.begin(), *E = A.end();
  forSerial(0, 1, [=](int) {
    for (int *P = E; P != B;)
      *--P *= 2;
  });
  A.expectDoubled();
}

SHAPE(reversed_with_unsigned_indices) {
  Neighbours<float> A(10);
  float *X = A.begin() - 1;
  unsigned N = static_cast<unsigned>(A.N);
  forUnsigned(0, N, [=](unsigned I) { X[N - I] *= 2; });
  A.expectDoubled();
}

SHAPE(loop_that_counts_down) {
  Neighbours<float> A(10);
  int First = 7;
  float *X = A.begin() - First;
  forDown(First + A.N - 1, First - 1, [=](int I) { X[I] *= 2; });
  A.expectDoubled();
}

//===----------------------------------------------------------------------===//
// Arrays that count from elsewhere
//===----------------------------------------------------------------------===//

SHAPE(first_index_is_the_loops) {
  Neighbours<double> A(12);
  int First = 5;
  double *X = A.begin() - First;
  forRange(First, First + A.N, [=](int I) { X[I] *= 2; });
  A.expectDoubled();
}

SHAPE(first_index_is_negative) {
  Neighbours<double> A(12);
  int First = -20;
  double *X = A.begin() - First;
  forRange(First, First + A.N, [=](int I) { X[I] *= 2; });
  A.expectDoubled();
}

SHAPE(first_index_is_captured) {
  Neighbours<double> A(12);
  int First = 15;
  double *X = A.begin() - First;
  forall(A.N, [=](int I) { X[I + First] *= 2; });
  A.expectDoubled();
}

SHAPE(first_index_in_64_bits) {
  Neighbours<double> A(12);
  long First = 5000000000;
  double *X = A.begin() - First;
  forLong(First, First + A.N, [=](long I) { X[I] *= 2; });
  A.expectDoubled();
}

SHAPE(steps) {
  Neighbours<short> A(13);
  int First = 30;
  short *X = A.begin() - First;
  forStep(First, First + A.N, 3, [=](int I) {
    for (int J = I; J < I + 3 && J < First + 13; ++J)
      X[J] *= 2;
  });
  A.expectDoubled();
}

SHAPE(records_and_members) {
  struct Pair {
    int A, B;
    bool operator==(const Pair &P) const { return A == P.A && B == P.B; }
    operator double() const { return A; }
  };
  Neighbours<long> A(10);
  int First = 100;
  auto *X = reinterpret_cast<Pair *>(A.begin()) - First;
  forRange(First, First + A.N, [=](int I) {
    X[I].A *= 2;
    X[I].B *= 2;
  });
  A.expectDoubled();
}

SHAPE(stencil_with_ghost_zones) {
  Neighbours<int> A(14);
  Neighbours<int> B(14);
  int First = 40;
  const int *X = A.begin() - First;
  int *Y = B.begin() - First;
  forRange(First + 1, First + 13,
           [=](int I) { Y[I] = X[I - 1] + X[I] + X[I + 1]; });
  B.expect([&](int I) {
    if (I == 0 || I == 13)
      return B.Middle.at(I);
    return A.Middle.at(I - 1) + A.Middle.at(I) + A.Middle.at(I + 1);
  });
}

SHAPE(memory_functions) {
  Neighbours<char> A(24);
  int First = 3;
  long Bytes = 8;
  char *X = A.begin() - First * Bytes;
  forRange(First, First + 3, [=](int I) {
    __builtin_memset(X + I * Bytes, I, static_cast<unsigned long>(Bytes));
  });
  A.expect([&](int I) { return char(First + I / 8); });
}

//===----------------------------------------------------------------------===//
// More dimensions
//===----------------------------------------------------------------------===//

SHAPE(plane_from_one) {
  constexpr int N = 4, M = 5;
  Neighbours<double> A(N * M);
  int First = 1, Columns = M;
  double *X = A.begin() - First * Columns - First;
  forPlane(First, First + N, First, First + M,
           [=](int I, int J) { X[I * Columns + J] *= 2; });
  A.expectDoubled();
}

SHAPE(plane_with_inner_loop) {
  constexpr int N = 4, M = 5;
  Neighbours<double> A(N * M);
  int Js = 6, Is = 9, Columns = M;
  double *X = A.begin() - Js * Columns - Is;
  forRange(Js, Js + N, [=](int J) {
    for (int I = Is; I < Is + Columns; ++I)
      X[J * Columns + I] *= 2;
  });
  A.expectDoubled();
}

SHAPE(box_from_ghost_zone) {
  constexpr int N = 3, M = 4, K = 5;
  Neighbours<double> A(N * M * K);
  long Is = 2, Js = 3, Ks = 4, Jp = K, Kp = M * K;
  double *X = A.begin() - Is - Js * Jp - Ks * Kp;
  forBox(Ks, Ks + N, Js, Js + M, Is, Is + K,
         [=](long C, long B, long I) { X[C * Kp + B * Jp + I] *= 2; });
  A.expectDoubled();
}

SHAPE(box_in_one_loop) {
  // LULESH's and other codes' way: one index, taken apart.
  constexpr int N = 3, M = 4, K = 5;
  Neighbours<int> A(N * M * K);
  int Width = K, Height = M, Kp = M * K, Jp = K;
  int *X = A.begin() - Kp - Jp - 1;
  forall(N * M * K, [=](int Index) {
    int I = Index % Width + 1, J = Index / Width % Height + 1,
        L = Index / (Width * Height) + 1;
    X[L * Kp + J * Jp + I] *= 2;
  });
  A.expectDoubled();
}

SHAPE(inner_points_of_a_plane) {
  constexpr int N = 5, M = 6;
  Neighbours<int> A(N * M), B(N * M);
  int First = 3, Columns = M, Rows = N;
  const int *X = A.begin() - First * Columns - First;
  int *Y = B.begin() - First * Columns - First;
  forPlane(First, First + N, First, First + M, [=](int I, int J) {
    if (I > First && I < First + Rows - 1 && J > First &&
        J < First + Columns - 1) {
      int At = I * Columns + J;
      Y[At] = X[At - 1] + X[At + 1] + X[At - Columns] + X[At + Columns];
    }
  });
  B.expect([&](int At) {
    int I = At / M, J = At % M;
    if (I == 0 || I == N - 1 || J == 0 || J == M - 1)
      return B.Middle.at(At);
    return A.Middle.at(At - 1) + A.Middle.at(At + 1) + A.Middle.at(At - M) +
           A.Middle.at(At + M);
  });
}

SHAPE(triangle) {
  constexpr int N = 7;
  Neighbours<int> A(N * N);
  int First = 11;
  int *X = A.begin() - First * N - First;
  int End = First + N;
  forRange(First, End, [=](int I) {
    for (int J = I; J < End; ++J)
      X[I * N + J] *= 2;
  });
  A.expect([&](int I) {
    return I % N >= I / N ? 2 * A.Middle.at(I) : A.Middle.at(I);
  });
}

SHAPE(triangle_without_diagonal) {
  constexpr int N = 7;
  Neighbours<int> A(N);
  Mapped<int> Count(N, 5);
  int First = 11, End = First + N;
  int *X = A.begin() - First, *C = Count - First;
  forSerial(First, End, [=](int I) {
    C[I] = 0;
    for (int J = I + 1; J < End; ++J)
      X[J] += 1;
    for (int J = First; J < I; ++J)
      C[I] += 1;
  });
  A.expect([&](int I) { return A.Middle.at(I) + I; });
  Count.expect([](int I) { return I; });
}

SHAPE(inner_loop_counts_down) {
  Neighbours<int> A(8);
  int First = 50, Last = 57;
  int *X = A.begin() - First;
  forSerial(First, Last + 1, [=](int I) {
    for (int J = Last; J >= I; --J)
      X[J] += 1;
  });
  A.expect([&](int I) { return A.Middle.at(I) + I + 1; });
}

//===----------------------------------------------------------------------===//
// Ways to write the loop
//===----------------------------------------------------------------------===//

#define WAYS(NAME, LOOP)                                                       \
  SHAPE(NAME) {                                                                \
    Neighbours<double> A(12);                                                  \
    int First = 5;                                                             \
    double *X = A.begin() - First, *E = A.end();                               \
    int End = First + A.N;                                                     \
    LOOP(First, End, [=](int I) {                                              \
      X[I] += 1;                                                               \
      E[I - End] -= 1;                                                         \
      E[I - End] *= 2;                                                         \
    });                                                                        \
    A.expectDoubled();                                                         \
  }

WAYS(dynamic_schedule, forDynamic)
WAYS(static_chunks, forChunks)
WAYS(simd, forSimd)
WAYS(teams_only, forTeams)
WAYS(no_worksharing, forSerial)
WAYS(by_reference_to_const, forReference)
WAYS(nowait, forLater)

SHAPE(several_loops_in_one_kernel) {
  Neighbours<int> A(12);
  int First = 5, Half = First + 6, End = First + 12;
  int *X = A.begin() - First, *E = A.end();
  auto Body = [=](int I) { X[I] *= 2; };
  auto Other = [=](int I) { E[I - End] *= 2; };
#pragma omp target teams
  {
#pragma omp distribute parallel for
    for (int I = First; I < Half; ++I)
      Body(I);
#pragma omp distribute parallel for
    for (int I = Half; I < End; ++I)
      Other(I);
  }
  A.expectDoubled();
}

SHAPE(mapped_by_the_construct) {
  std::vector<int> Storage(24, 3);
  int *Data = Storage.data(), First = 5;
  Mapped<int> Next(12, 2, omp_get_default_device(), Data + 12);
  struct {
    int *E;
    int First;
    void operator()(int I) const { E[-I] = I; }
  } Body{Data + 12, First};
#pragma omp target teams distribute parallel for map(tofrom : Data[0 : 12])
  for (int I = 1; I <= 12; ++I)
    Body(I);
  for (int I = 0; I < 12; ++I)
    check::equal("element", Data[I], 12 - I);
}

//===----------------------------------------------------------------------===//
// Where the numbers are
//===----------------------------------------------------------------------===//

SHAPE(captured_by_reference) {
  Neighbours<int> A(12);
  int First = 5, Count = 4;
  int *X = A.begin() - First * Count;
  forall(3, [&](int I) {
    for (int J = 0; J < Count; ++J)
      X[(First + I) * Count + J] *= 2;
  });
  A.expectDoubled();
}

namespace {
struct Grid {
  double *Data;
  int First, Count;
  void doubleAll() {
    forRange(First, First + Count, [this](int I) { Data[I] *= 2; });
  }
  void doubleCopy() {
    forall(Count, [*this](int I) { Data[First + I] *= 2; });
  }
  void doubleThis() {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < Count; ++I)
      Data[First + I] *= 2;
  }
};
struct Block {
  Grid *Of;
  const Grid &operator*() const { return *Of; }
};
} // namespace

SHAPE(captured_this) {
  Neighbours<double> A(12);
  Grid G{A.begin() - 8, 8, 12};
  G.doubleAll();
  A.expectDoubled();
}

SHAPE(captured_this_by_value) {
  Neighbours<double> A(12);
  Grid G{A.begin() - 8, 8, 12};
  G.doubleCopy();
  A.expectDoubled();
}

SHAPE(this_of_a_member_function) {
  Neighbours<double> A(12);
  Grid G{A.begin() - 8, 8, 12};
  G.doubleThis();
  A.expectDoubled();
}

SHAPE(mapped_this) {
  Neighbours<double> A(12);
  Grid G{A.begin() - 8, 8, 12};
#pragma omp target enter data map(to : G)
  G.doubleAll();
#pragma omp target exit data map(delete : G)
  A.expectDoubled();
}

SHAPE(nested_lambdas) {
  Neighbours<double> A(12);
  int First = 8;
  double *X = A.begin() - First;
  auto Inner = [=](int I) { X[I + First] *= 2; };
  auto Outer = [&Inner, First](int I) { Inner(I - First); };
  forRange(First, First + 12, Outer);
  A.expectDoubled();
}

SHAPE(array_of_pointers) {
  Neighbours<int> A(12), B(12);
  int First = 9;
  struct {
    int *P[2];
  } S{{A.begin() - First, B.begin() - First}};
  forRange(First, First + 12, [=](int I) {
    for (int J = 0; J < 2; ++J)
      S.P[J][I] *= 2;
  });
  A.expectDoubled();
  B.expectDoubled();
}

SHAPE(numbers_that_the_kernel_changes) {
  // The range at the launch is not the kernel's: as if there were none.
  Mapped<int> A(12);
  struct State {
    int *X;
    int At;
  } S{A, 0};
  State *P = &S;
  forSerial(0, 12, [&S](int) {
    S.X[S.At] *= 2;
    ++S.At;
  });
  check::equal("position", P->At, 12);
  A.expect([&](int I) { return 2 * A.at(I); });
}

//===----------------------------------------------------------------------===//
// No worse than without
//===----------------------------------------------------------------------===//

SHAPE(empty_loops) {
  Neighbours<int> A(12);
  int *X = A.begin(), *E = A.end();
  forRange(5, 5, [=](int I) { X[I - 100] = 0; });
  forRange(5, -5, [=](int I) { E[-I] = 0; });
  forUnsigned(7, 3, [=](unsigned I) { X[I] = 0; });
  A.expect([&](int I) { return A.Middle.at(I); });
}

SHAPE(one_of_two_loops_is_empty) {
  Neighbours<int> A(12);
  int *X = A.begin(), None = 0;
  forRange(0, 12, [=](int I) {
    for (int J = 0; J < None; ++J)
      X[J - 50] = 0;
    X[I] *= 2;
  });
  A.expectDoubled();
}

SHAPE(conditional_accesses) {
  Neighbours<int> A(12), B(12);
  const int *X = A.begin();
  int *Y = B.begin(), N = 12;
  forRange(0, N, [=](int I) {
    int Sum = X[I];
    if (I > 0)
      Sum += X[I - 1];
    if (I < N - 1)
      Sum += X[I + 1];
    Y[I] = Sum;
  });
  B.expect([&](int I) {
    int Sum = A.Middle.at(I);
    if (I > 0)
      Sum += A.Middle.at(I - 1);
    if (I < 11)
      Sum += A.Middle.at(I + 1);
    return Sum;
  });
}

SHAPE(more_iterations_than_elements) {
  Mapped<int> A(12);
  int First = 70, N = 12;
  int *X = A - First;
  forRange(First, First + 64, [=](int I) {
    if (I - First < N)
      X[I] *= 2;
  });
  A.expect([&](int I) { return 2 * A.at(I); });
}

SHAPE(indirect) {
  Neighbours<int> A(12), Index(12);
  int *X = A.begin(), *Y = Index.begin(), First = 3;
  forRange(First, First + 12, [=](int I) { Y[I - First] = (I - First) * 5 % 12; });
  forRange(First, First + 12, [=](int I) { X[Y[I - First]] *= 2; });
  A.expectDoubled();
  Index.expect([](int I) { return I * 5 % 12; });
}

SHAPE(indices_that_wrap_around) {
  Neighbours<int> A(8);
  int *X = A.begin();
  unsigned From = 4294967292u;
  forall(8, [=](int I) { X[From + 4 + unsigned(I)] *= 2; });
  unsigned char Start = 250;
  forall(8, [=](int I) {
    X[static_cast<unsigned char>(Start + 6 + I)] += 1;
  });
  A.expect([&](int I) { return 2 * A.Middle.at(I) + 1; });
}

SHAPE(unmapped_and_null) {
  int Local[4] = {1, 2, 3, 4};
  int *X = Local - 5, *None = nullptr;
  Mapped<int> Out(4, 2);
  int *Q = Out, First = 5;
  forRange(First, First + 4, [=](int I) { Q[I - First] = None ? X[I] : I; });
  Out.expect([&](int I) { return First + I; });
}

int main(int Argc, char **Argv) {
  return check::run(Argc, Argv);
}
