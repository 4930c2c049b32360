// Stencils in two dimensions are taken in tiles with halos: of sizes around
// those of tiles, written in many ways. Arrays have just what the program reads.
//
// RUN: %build_plain_and_staged
// RUN: %run_plain_and_staged --kernels 29
// All but three kernels have a staged version.
// RUN: %sim_cxx -O3 -mllvm -ferry-stage=always -Rpass=ferry-stage %s -o %t 2>&1 | grep -c 'remark: staged' | grep -x 26
//
// 256 x 256 iterations are 128 tiles of 8 x 64, for blocks of 64 threads, which
// read 10 rows of 64 elements, each by two requests of 9 sectors, as none begins
// with a sector, and then the 16 elements left and right by one, each in a sector
// of its own: 21 requests, 196 sectors.
// RUN: %ferry_sim --strict -- %t.staged whole 2>&1 >/dev/null | FileCheck %s
// CHECK: grid 1024, block 64
// CHECK: global loads 2,688 25,088 21,760 1.15
// CHECK: findings: none
#include "Inputs/staged.h"

#include <initializer_list>

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define LOOPS(...)                                            \
  PRAGMA(omp target teams distribute parallel for collapse(2) \
             is_device_ptr(Old, New) __VA_ARGS__)

namespace {
struct Size {
  int Rows, Columns;
};
constexpr std::initializer_list<Size> Sizes = {{0, 7}, {1, 1}, {4, 64}, {8, 63}, {16, 64}, {17, 65}, {33, 129}, {48, 200}, {70, 96}};

/// Launches a stencil for iterations of the size S whose first one is the
/// element (First, First), in arrays of Width columns, and compares it with the
/// same on the host.
template <class T, class Launch, class At>
void stencil(Size S, int First, int Width, Launch Run, At Value) {
  int Last = First + S.Rows, Total = (Last + First) * Width;
  staged::Array<T> Old(Total, 1), New(Total);
  T *Before = static_cast<T *>(calloc(Total + 1, sizeof(T)));
  memcpy(Before, New.host(), Total * sizeof(T));
  Run(Old.device(), New.device(), Last, First + S.Columns, Width);
  New.read();
  for (int I = 0; I < Total / Width; ++I)
    for (int J = 0; J < Width; ++J) {
      bool Inside = I >= First && I < Last && J >= First && J < First + S.Columns;
      T Want = Inside ? Value(Old.host(), Before, I, J) : Before[I * Width + J];
      check::value("New", New.host()[I * Width + J], Want, I * Width + J);
    }
  free(Before);
}

/// New = an expression of Old(row, column), elements around the own one, with
/// loops over Int that begin at FIRST.
#define STENCIL(NAME, T, INT, FIRST, EXPRESSION, ...)                          \
  void NAME(const T *Old, T *New, INT N, INT M, INT W) {                       \
    LOOPS(__VA_ARGS__)                                                         \
    for (INT I = FIRST; I < N; ++I)                                            \
      for (INT J = FIRST; J < M; ++J) {                                        \
        auto O = [&](int R, int C) { return Old[(I + R) * W + (J + C)]; };     \
        New[I * W + J] = EXPRESSION;                                           \
      }                                                                        \
  }                                                                            \
  PROGRAM(NAME##Program) {                                                     \
    for (Size S : Sizes)                                                       \
      stencil<T>(                                                              \
          S, FIRST, FIRST + S.Columns + FIRST, NAME,                           \
          [S](const T *Old, const T *New, INT I, INT J) {                      \
            INT W = FIRST + S.Columns + FIRST;                                 \
            (void)New;                                                         \
            auto O = [&](int R, int C) { return Old[(I + R) * W + (J + C)]; }; \
            return T(EXPRESSION);                                              \
          });                                                                  \
  }

#define FIVE O(0, 0) + O(-1, 0) + O(1, 0) + O(0, -1) + O(0, 1)
STENCIL(fiveTiledFewer, double, int, 1, FIVE)
STENCIL(longTiledFewer, float, long, 1, FIVE)
STENCIL(sizeTiledFewer, short, size_t, 1, FIVE)
STENCIL(nineTiledFewer, float, int, 1, FIVE *O(-1, -1) + O(1, 1) + O(-1, 1) - O(1, -1))
STENCIL(starTiledFewer, double, int, 3, FIVE + O(-3, 0) + O(3, 0) + O(0, -3) + O(0, 3))
STENCIL(diagonalTiledNoMore, float, int, 1, O(-1, -1) - O(1, 1))
STENCIL(aboveTiledFewer, double, long, 2, O(0, 0) + O(-1, 0) + O(-2, 0))
STENCIL(farTiledNoMore, long, int, 8, O(-8, 8) + O(8, 8) + O(0, -8) + O(0, 0))
STENCIL(ownTiledFewer, double, int, 1, New[I * W + J] + FIVE)
STENCIL(branchTiledFewer, int, int, 1, (FIVE) % 3 == 0 ? O(0, 0) : O(0, 1) + I - J)
STENCIL(threeTeamsTiledFewer, float, int, 1, FIVE, num_teams(3))
STENCIL(smallBlocksTiledFewer, double, int, 1, FIVE, thread_limit(64))
STENCIL(dealtTiledFewer, double, int, 1, FIVE, schedule(static, 1))
// Nothing to be gained, or iterations that the program gives to threads.
STENCIL(oneRowSame, double, int, 1, O(0, 0) + O(0, -1) + O(0, 1))
STENCIL(scheduledSame, double, int, 1, FIVE, schedule(static, 2))

/// Rows of a fixed length, whose i and j are bits of the index, and one whose
/// are not.
template <int Width>
void fixedTiledFewer(const float *Old, float *New) {
  LOOPS()
  for (int I = 0; I < 64; ++I)
    for (int J = 0; J < Width; ++J)
      New[I * Width + J] = Old[I * Width + J] + Old[(I + 1) * Width + J] + Old[(I + 2) * Width + J + 1];
}

template <int Width>
void fixedAll() {
  staged::Array<float> Old(66 * Width + 1), New(64 * Width);
  fixedTiledFewer<Width>(Old.device(), New.device());
  New.read();
  for (int I = 0; I < 64 * Width; ++I)
    check::value("New", New.host()[I], Old.host()[I] + Old.host()[I + Width] + Old.host()[I + 2 * Width + 1], I);
}
PROGRAM(bits) { fixedAll<128>(); }
PROGRAM(noBits) { fixedAll<96>(); }

template <class F>
void forall2(int N, int M, F Body) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      Body(I, J);
}

/// Iterations at the border do nothing, so their tiles are left as they were.
void guardedTiledFewer(const double *Old, double *New, int N, int M) {
  forall2(N, M, [=](int I, int J) {
    if (I > 0 && I < N - 1 && J > 0 && J < M - 1)
      New[I * M + J] = Old[I * M + J] + Old[(I - 1) * M + J] + Old[(I + 1) * M + J] + Old[I * M + J - 1] + Old[I * M + J + 1];
  });
}
PROGRAM(guarded) {
  for (Size S : {Size{5, 5}, {48, 192}, {50, 193}, {130, 500}}) {
    int N = S.Rows, M = S.Columns;
    // Only what is read is there: no corners.
    staged::Array<double> Old(N * M - 2), New(N * M);
    guardedTiledFewer(Old.device() - 1, New.device(), N, M);
    const double *At = Old.host() - 1;
    staged::Array<double> Before(N * M);
    New.read();
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < M; ++J) {
        int K = I * M + J;
        bool Inside = I && I < N - 1 && J && J < M - 1;
        check::value("New", New.host()[K], Inside ? At[K] + At[K - M] + At[K + M] + At[K - 1] + At[K + 1] : Before.host()[K], K);
      }
  }
}

/// Neighbours by pointers to the own element, one of which goes back; a guard
/// that depends on both i and j, and holds in some tiles only.
void pointersTiledFewer(const float *Old, float *New, int N, int M) {
  LOOPS()
  for (int I = 1; I < N - 1; ++I)
    for (int J = 1; J < M - 1; ++J) {
      int K = I * M + J;
      const float *At = Old + K;
      New[K] = At[0] + 2 * At[-M] + 3 * At[M] + At[-M - 1] + 2 * At[M - 1] + 5 * At[-M + 1] + 7 * At[M + 1];
    }
}
void diagonalGuardTiledFewer(const float *Old, float *New, int N, int M) {
  forall2(N - 2, M - 2, [=](int I, int J) {
    const float *At = Old + (I + 1) * M + J + 1;
    if (I + J > 150)
      New[(I + 1) * M + J + 1] = At[0] + 2 * At[-M] + 3 * At[M] + At[-1] + 2 * At[1];
  });
}
PROGRAM(pointers) {
  for (Size S : {Size{18, 66}, {19, 67}, {66, 258}, {101, 333}}) {
    int N = S.Rows, M = S.Columns;
    staged::Array<float> Old(N * M), New(N * M), Guarded(N * M);
    pointersTiledFewer(Old.device(), New.device(), N, M);
    diagonalGuardTiledFewer(Old.device(), Guarded.device(), N, M);
    New.read();
    Guarded.read();
    for (int I = 1; I < N - 1; ++I)
      for (int J = 1; J < M - 1; ++J) {
        const float *At = Old.host() + I * M + J;
        check::value("New", New.host()[I * M + J], At[0] + 2 * At[-M] + 3 * At[M] + At[-M - 1] + 2 * At[M - 1] + 5 * At[-M + 1] + 7 * At[M + 1], I * M + J);
      }
  }
}

/// The program itself makes i and j of one index, of 32 or of 64 bits.
template <class Int, class F>
void forall(Int N, F Body) {
#pragma omp target teams distribute parallel for
  for (Int I = 0; I < N; ++I)
    Body(I);
}
void flatTiledFewer(const float *Old, float *New, int N, int M) {
  forall(N * M, [=](int K) {
    int I = K / M, J = K % M;
    if (I > 0 && J > 0 && I < N - 1 && J < M - 1)
      New[K] = Old[K] + Old[K - M] + Old[K + M] + Old[K - 1] + Old[K + 1];
  });
}
void flatLongTiledFewer(const float *Old, float *New, long N, long M) {
  forall(N * M, [=](long K) {
    long I = K / M, J = K - I * M;
    if (I == 0 || J == 0 || I == N - 1 || J == M - 1)
      return;
    New[K] = Old[I * M + J] + Old[(I - 1) * M + J] + Old[(I + 1) * M + J] + Old[K - 1] + Old[K + 1];
  });
}
// M does not divide the number of iterations: there is no last row, or i is not
// what it seems to be.
void flatPartSame(const float *Old, float *New, int N, int M) {
  forall(N * M - 5, [=](int K) {
    int I = K / M, J = K % M;
    if (I > 0 && J > 0 && I < N - 1 && J < M - 1)
      New[K] = Old[K] + Old[K - M] + Old[K + M] + Old[K - 1] + Old[K + 1];
  });
}
template <class Launch>
void flatAll(Launch Run, int Left) {
  for (Size S : {Size{5, 5}, {130, 500}}) {
    int N = S.Rows, M = S.Columns;
    staged::Array<float> Old(N * M), New(N * M);
    Run(Old.device(), New.device(), N, M);
    staged::Array<float> Before(N * M);
    New.read();
    for (int K = 0; K < N * M; ++K) {
      const float *At = Old.host() + K;
      int I = K / M, J = K % M;
      bool Inside = I && I < N - 1 && J && J < M - 1 && K < N * M - Left;
      check::value("New", New.host()[K], Inside ? At[0] + At[-M] + At[M] + At[-1] + At[1] : Before.host()[K], K);
    }
  }
}
PROGRAM(flat) { flatAll(flatTiledFewer, 0); }
PROGRAM(flatLong) { flatAll(flatLongTiledFewer, 0); }
PROGRAM(flatPart) { flatAll(flatPartSame, 5); }

/// Each neighbour is read under its own condition.
void edgesTiledTwoThirds(const double *Old, double *New, int N, int M) {
  forall2(N, M, [=](int I, int J) {
    const double *At = Old + size_t(I) * M + J;
    double Above = I > 0 ? At[-M] : 0, Below = I < N - 1 ? At[M] : 0;
    double Left = 3, Right = 4;
    if (J > 0)
      Left = At[-1];
    if (J < M - 1)
      Right = At[1];
    New[size_t(I) * M + J] = *At + Above + 2 * Below + 3 * Left + 4 * Right;
  });
}
PROGRAM(edges) {
  for (Size S : {Size{5, 5}, {48, 192}, {130, 500}}) {
    int N = S.Rows, M = S.Columns;
    staged::Array<double> Old(N * M), New(N * M);
    edgesTiledTwoThirds(Old.device(), New.device(), N, M);
    New.read();
    for (int K = 0; K < N * M; ++K) {
      const double *At = Old.host() + K;
      int I = K / M, J = K % M;
      double Sum = *At + (I ? At[-M] : 0) + 2 * (I < N - 1 ? At[M] : 0) + 3 * (J ? At[-1] : 3) + 4 * (J < M - 1 ? At[1] : 4);
      check::value("New", New.host()[K], Sum, K);
    }
  }
}

/// Two arrays with rows of other lengths, one upside down, and a third that is
/// read where it is; what the bounds are is not known.
void twoFieldsTiledNoMore(const double *Old, const float *Other, double *New, int From, int N, int M, int OldPitch, int OtherPitch) {
#pragma omp target teams distribute parallel for collapse(2) is_device_ptr(Old, Other, New)
  for (int I = From; I < N; ++I)
    for (int J = From; J < M; ++J) {
      double Sum = New[(I - From) * M + J - From];
      Sum += Old[(N - I) * OldPitch + J] - Old[(N - I - 1) * OldPitch + J];
      if (Other[I * OtherPitch + J] > Other[(I - From) * OtherPitch + J + 1])
        Sum += Other[I * OtherPitch + J - 1];
      New[(I - From) * M + J - From] = Sum;
    }
}
PROGRAM(twoFields) {
  const int From = 2, N = 72, M = 140, OldPitch = 151, OtherPitch = 143;
  staged::Array<double> Old((N - 1) * OldPitch), New(N * M);
  staged::Array<float> Other(N * OtherPitch);
  twoFieldsTiledNoMore(Old.device(), Other.device(), New.device(), From, N, M, OldPitch, OtherPitch);
  New.read();
}

/// Neighbours in j are far apart in memory.
void transposedSame(const double *Old, double *New, int N, int M) {
  LOOPS()
  for (int I = 1; I < N - 1; ++I)
    for (int J = 1; J < M - 1; ++J)
      New[J * N + I] = Old[J * N + I] + Old[J * N + I - 1] + Old[(J + 1) * N + I];
}
PROGRAM(transposed) {
  const int N = 66, M = 130;
  staged::Array<double> Old(N * M), New(N * M);
  transposedSame(Old.device(), New.device(), N, M);
  New.read();
}

/// What is added to the indices is negative, or very large.
void wrappingTiledNoMore(const unsigned char *Old, unsigned char *New, unsigned N, unsigned M, unsigned Offset) {
  LOOPS()
  for (unsigned I = 1; I < N - 1; ++I)
    for (unsigned J = 1; J < M - 1; ++J)
      New[I * M + J] = Old[(I + 1) * M + J + Offset] + Old[I * M + J + Offset] + Old[(I + 2) * M + J + Offset];
}
PROGRAM(wrapping) {
  const unsigned N = 66, M = 130;
  staged::Array<unsigned char> Old(N * M), New(N * M);
  wrappingTiledNoMore(Old.device(), New.device(), N, M, 0u - M);
  New.read();
  for (unsigned I = M; I < (N - 1) * M; ++I)
    if (I % M && (I + 1) % M)
      check::value("New", int(New.host()[I]), int((unsigned char)(Old.host()[I] + Old.host()[I - M] + Old.host()[I + M])), I);
}

/// Indices of 16 bits, the first of which are those of the array's end.
int wrapped(int At) { return static_cast<unsigned short>(At); }
void wrappedTiledNoMore(const int *Old, int *New, int N, int M, int Offset) {
  LOOPS()
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J) {
      int At = I * M + J - Offset;
      New[I * M + J] = Old[wrapped(At)] + Old[wrapped(At + M)] + Old[wrapped(At + 2 * M)];
    }
}
PROGRAM(wrapped) {
  const int M = 130;
  for (int Offset : {0, 1, 130, 1000, 5000, 1 << 16}) {
    // The last time there are more indices than numbers of 16 bits.
    int N = Offset < 1 << 16 ? 66 : 600;
    staged::Array<int> Old(65536), New(N * M);
    wrappedTiledNoMore(Old.device(), New.device(), N, M, Offset);
    New.read();
    for (int I = 0; I < N * M; ++I) {
      int At = I - Offset;
      check::value("New", New.host()[I], Old.host()[wrapped(At)] + Old.host()[wrapped(At + M)] + Old.host()[wrapped(At + 2 * M)], I);
    }
  }
}

void wholeTiledFewer(const double *Old, double *New, int N) {
  LOOPS(thread_limit(64))
  for (int I = 1; I < N - 1; ++I)
    for (int J = 1; J < N - 1; ++J)
      New[I * N + J] = 0.25 * (Old[(I - 1) * N + J] + Old[(I + 1) * N + J] + Old[I * N + J - 1] + Old[I * N + J + 1]);
}
PROGRAM(whole) {
  const int N = 258;
  staged::Array<double> Old(N * N), New(N * N);
  wholeTiledFewer(Old.device(), New.device(), N);
  New.read();
}
} // namespace

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
