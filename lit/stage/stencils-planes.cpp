// Stencils in three dimensions are walked through, plane by plane, or taken in
// tiles of one plane each: planes of sizes around those of tiles, written in many
// ways. Arrays have just what the program reads.
//
// RUN: %build_plain_and_staged
// RUN: %run_plain_and_staged --kernels 27
// All but two kernels have a staged version, most of them walks.
// RUN: %sim_cxx -O3 -mllvm -ferry-stage=always -Rpass=ferry-stage %s -o %t 2> %t.remarks
// RUN: grep -c 'remark: staged' %t.remarks | grep -x 25
// RUN: grep -c 'loads in registers' %t.remarks | grep -x 21
#include "Inputs/staged.h"

#include <initializer_list>

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define LOOPS(...)                                            \
  PRAGMA(omp target teams distribute parallel for collapse(3) \
             is_device_ptr(Old, New) __VA_ARGS__)

namespace {
struct Size {
  int Planes, Rows, Columns;
};
constexpr std::initializer_list<Size> Sizes = {{0, 4, 7}, {2, 0, 9}, {1, 1, 1}, {3, 4, 64}, {2, 15, 63}, {1, 16, 64}, {5, 17, 65}, {4, 33, 129}, {7, 20, 100}};

/// Launches a stencil for iterations of the size S in a volume with Far planes,
/// rows and columns more at each side, and compares it with the same on the host.
template <class T, class Launch, class At>
void stencil(Size S, int Far, Launch Run, At Value) {
  const int L = S.Planes + 2 * Far, N = S.Rows + 2 * Far, M = S.Columns + 2 * Far;
  staged::Array<T> Old(L * N * M), New(L * N * M);
  T *Before = static_cast<T *>(calloc(L * N * M + 1, sizeof(T)));
  memcpy(Before, New.host(), L * N * M * sizeof(T));
  Run(Old.device(), New.device(), L, N, M);
  New.read();
  for (int P = 0; P < L; ++P)
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < M; ++J) {
        const int K = (P * N + I) * M + J;
        bool Inside = P >= Far && P < L - Far && I >= Far && I < N - Far && J >= Far && J < M - Far;
        check::value("New", New.host()[K], Inside ? Value(Old.host(), Before, N, M, P, I, J) : Before[K], K);
      }
  free(Before);
}

/// New = an expression of Old(plane, row, column), elements around the own one,
/// at most FAR away, in loops over Int.
#define STENCIL(NAME, T, INT, FAR, EXPRESSION, ...)                                                  \
  void NAME(const T *Old, T *New, INT L, INT N, INT M) {                                             \
    LOOPS(__VA_ARGS__)                                                                               \
    for (INT P = FAR; P < L - FAR; ++P)                                                              \
      for (INT I = FAR; I < N - FAR; ++I)                                                            \
        for (INT J = FAR; J < M - FAR; ++J) {                                                        \
          auto O = [&](int Q, int R, int C) { return Old[((P + Q) * N + (I + R)) * M + (J + C)]; };  \
          New[(P * N + I) * M + J] = EXPRESSION;                                                     \
        }                                                                                            \
  }                                                                                                  \
  PROGRAM(NAME##Program) {                                                                           \
    for (Size S : Sizes)                                                                             \
      stencil<T>(                                                                                    \
          S, FAR, NAME, [](const T *Old, const T *New, INT N, INT M, INT P, INT I, INT J) {          \
            (void)New;                                                                               \
            auto O = [&](int Q, int R, int C) { return Old[((P + Q) * N + I + R) * M + J + C]; };    \
            return T(EXPRESSION);                                                                    \
          });                                                                                        \
  }

#define FIVE(P) O(P, 0, 0) + O(P, -1, 0) + O(P, 1, 0) + O(P, 0, -1) + O(P, 0, 1)
#define SEVEN FIVE(0) + O(-1, 0, 0) - 2 * O(1, 0, 0)
#define NINE(P) (FIVE(P) + 3 * O(P, -1, -1) + 4 * O(P, -1, 1) + 5 * O(P, 1, -1) + 6 * O(P, 1, 1))
STENCIL(sevenWalkedNoMore, double, int, 1, SEVEN)
STENCIL(longWalkedNoMore, float, long, 1, SEVEN)
STENCIL(thirteenWalkedNoMore, double, int, 2, SEVEN + O(-2, 0, 0) + O(2, 0, 0) + 3 * O(0, -2, 0) + O(0, 2, 0) + O(0, 0, -2) + O(0, 0, 2))
STENCIL(nineteenWalkedNoMore, short, size_t, 1, FIVE(-1) + 2 * NINE(0) - FIVE(1))
STENCIL(twentySevenWalkedFewer, double, int, 1, NINE(-1) + 2 * NINE(0) + NINE(1))
STENCIL(imagesTiledFewer, float, long, 1, FIVE(0))
STENCIL(aroundTiledNoMore, double, int, 1, O(-1, -1, 0) + O(-1, 1, 0) - O(1, 0, 1))
STENCIL(ownWalkedNoMore, int, long, 1, New[(P * N + I) * M + J] + SEVEN + P - 2 * I + 3 * J)
STENCIL(smallBlocksWalkedNoMore, double, int, 1, SEVEN, thread_limit(64))
STENCIL(threeTeamsWalkedNoMore, float, int, 1, SEVEN, num_teams(3))
STENCIL(dealtWalkedNoMore, double, int, 1, SEVEN, schedule(static, 1))
// One plane is not read between two, or several are not.
STENCIL(sixWalkedNoMore, double, int, 1, O(-1, 0, 0) + 2 * O(1, 0, 0) + O(0, -1, 0) + O(0, 1, 0) + O(0, 0, -1) + O(0, 0, 1))
STENCIL(gapsWalkedNoMore, float, long, 3, O(-3, 0, 0) + 2 * O(-1, 0, 0) + 3 * O(0, 0, 0) - O(2, 0, 0) + O(3, 1, 0) + 4 * O(1, 1, 0))
// Nothing of it is in the same plane.
STENCIL(planesWalkedFewer, double, int, 1, O(-1, 0, 0) + O(0, 0, 0) + O(1, 0, 0))
// Iterations that the program gives to threads.
STENCIL(scheduledSame, double, int, 1, SEVEN, schedule(static, 2))

/// Planes of a fixed size: i and j are bits of the index, or not.
template <int N, int M>
void fixedTiled(const float *Old, float *New, int L) {
  LOOPS()
  for (int P = 0; P < L; ++P)
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < M; ++J) {
        int K = (P * N + I) * M + J;
        New[K] = Old[K] + Old[K + M] + 2 * Old[K + 2 * M + 1] - Old[K + N * M];
      }
}
template <int N, int M>
void fixedAll() {
  const int L = 5;
  staged::Array<float> Old((L + 2) * N * M), New(L * N * M);
  fixedTiled<N, M>(Old.device(), New.device(), L);
  New.read();
  for (int K = 0; K < L * N * M; ++K) {
    const float *At = Old.host() + K;
    check::value("New", New.host()[K], At[0] + At[M] + 2 * At[2 * M + 1] - At[N * M], K);
  }
}
PROGRAM(bits) { fixedAll<16, 64>(); }
PROGRAM(someBits) { fixedAll<24, 128>(); }
PROGRAM(otherBits) { fixedAll<32, 96>(); }
PROGRAM(noBits) { fixedAll<17, 100>(); }

template <class F>
void forall3(int L, int N, int M, F Body) {
#pragma omp target teams distribute parallel for collapse(3)
  for (int P = 0; P < L; ++P)
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < M; ++J)
        Body(P, I, J);
}

/// Iterations at the border do nothing, so their tiles are left as they were.
void guardedWalkedNoMore(const double *Old, double *New, int L, int N, int M) {
  forall3(L, N, M, [=](int P, int I, int J) {
    const int K = (P * N + I) * M + J;
    if (P > 0 && P < L - 1 && I > 0 && I < N - 1 && J > 0 && J < M - 1)
      New[K] = Old[K] + Old[K - M] + Old[K + M] + Old[K - 1] + Old[K + 1] + Old[K - N * M] + Old[K + N * M];
  });
}
/// Guards that depend on p and i.
void diagonalGuardWalkedNoMore(const double *Old, double *New, int L, int N, int M) {
  forall3(L - 2, N - 2, M - 2, [=](int P, int I, int J) {
    const int K = ((P + 1) * N + I + 1) * M + J + 1;
    if (P + I > 17)
      New[K] = Old[K] + Old[K - M] + Old[K + M] + Old[K - 1] + Old[K + 1] + Old[K - N * M] + Old[K + N * M];
  });
}
/// The own element is not read.
void guardedSixWalked(const double *Old, double *New, int L, int N, int M) {
  forall3(L, N, M, [=](int P, int I, int J) {
    const int K = (P * N + I) * M + J;
    if (P > 0 && P < L - 1 && I > 0 && I < N - 1 && J > 0 && J < M - 1 && (P & 3) != 2)
      New[K] = Old[K - M] + Old[K + M] + Old[K - 1] + Old[K + 1] + 2 * Old[K - N * M] + 3 * Old[K + N * M];
  });
}
/// Each neighbour is read under its own condition.
void edgesWalkedNoMore(const double *Old, double *New, int L, int N, int M) {
  forall3(L, N, M, [=](int P, int I, int J) {
    const double *At = Old + (size_t(P) * N + I) * M + J;
    double Before = P > 0 ? At[-N * M] : 7, Behind = P < L - 1 ? At[N * M] : 8;
    double Above = I > 0 ? At[-M] : 5, Below = I < N - 1 ? At[M] : 6;
    double Left = J > 0 ? At[-1] : 3, Right = J < M - 1 ? At[1] : 4;
    New[(size_t(P) * N + I) * M + J] = *At + Before + 2 * Behind + 3 * Above + 4 * Below + 5 * Left + 6 * Right;
  });
}
PROGRAM(guards) {
  for (Size S : {Size{5, 5, 5}, {3, 20, 66}, {6, 66, 192}, {12, 20, 200}}) {
    const int L = S.Planes, N = S.Rows, M = S.Columns, All = L * N * M;
    staged::Array<double> Old(All), Guarded(All), Six(All), Diagonal(All), Edges(All), Before(All);
    guardedWalkedNoMore(Old.device(), Guarded.device(), L, N, M);
    guardedSixWalked(Old.device(), Six.device(), L, N, M);
    diagonalGuardWalkedNoMore(Old.device(), Diagonal.device(), L, N, M);
    edgesWalkedNoMore(Old.device(), Edges.device(), L, N, M);
    Guarded.read();
    Six.read();
    Diagonal.read();
    Edges.read();
    for (int K = 0; K < All; ++K) {
      const double *At = Old.host() + K;
      const int P = K / (N * M), I = K / M % N, J = K % M;
      const bool Inside = P && P < L - 1 && I && I < N - 1 && J && J < M - 1;
      const double Sum = Inside ? At[0] + At[-M] + At[M] + At[-1] + At[1] + At[-N * M] + At[N * M] : Before.host()[K];
      check::value("Guarded", Guarded.host()[K], Sum, K);
      const double Around = At[-M] + At[M] + At[-1] + At[1] + 2 * At[-N * M] + 3 * At[N * M];
      check::value("Six", Six.host()[K], Inside && (P & 3) != 2 ? Around : Before.host()[K], K);
      check::value("Diagonal", Diagonal.host()[K], P + I - 2 > 17 ? Sum : Before.host()[K], K);
      check::value("Edges", Edges.host()[K],
                   *At + (P ? At[-N * M] : 7) + 2 * (P < L - 1 ? At[N * M] : 8) + 3 * (I ? At[-M] : 5) +
                       4 * (I < N - 1 ? At[M] : 6) + 5 * (J ? At[-1] : 3) + 6 * (J < M - 1 ? At[1] : 4),
                   K);
    }
  }
}

/// The program itself makes p, i and j of one index.
template <class Int, class F>
void forall(Int N, F Body) {
#pragma omp target teams distribute parallel for
  for (Int I = 0; I < N; ++I)
    Body(I);
}
void flatWalkedNoMore(const float *Old, float *New, int L, int N, int M) {
  forall(L * N * M, [=](int K) {
    int P = K / (N * M), I = K / M % N, J = K % M;
    if (P > 0 && I > 0 && J > 0 && P < L - 1 && I < N - 1 && J < M - 1)
      New[K] = Old[K] + Old[K - M] + Old[K + M] + Old[K - 1] + Old[K + 1] + Old[K - N * M] + Old[K + N * M];
  });
}
PROGRAM(flat) {
  for (Size S : {Size{5, 5, 5}, {6, 66, 192}}) {
    const int L = S.Planes, N = S.Rows, M = S.Columns, All = L * N * M;
    staged::Array<float> Old(All), New(All), Before(All);
    flatWalkedNoMore(Old.device(), New.device(), L, N, M);
    New.read();
    for (int K = 0; K < All; ++K) {
      const float *At = Old.host() + K;
      const int P = K / (N * M), I = K / M % N, J = K % M;
      const bool Inside = P && P < L - 1 && I && I < N - 1 && J && J < M - 1;
      check::value("New", New.host()[K], Inside ? At[0] + At[-M] + At[M] + At[-1] + At[1] + At[-N * M] + At[N * M] : Before.host()[K], K);
    }
  }
}

/// Planes and rows with room between them, planes in another order, and two
/// arrays.
void paddedWalkedNoMore(const double *Old, const float *Other, double *New, int L, int N, int M, long Plane, long Row) {
  PRAGMA(omp target teams distribute parallel for collapse(3) is_device_ptr(Old, Other, New))
  for (int P = 0; P < L; ++P)
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < M; ++J) {
        double Sum = Old[(L - P) * Plane + I * Row + J] - 2 * Old[(L - P) * Plane + (I + 1) * Row + J] + 3 * Old[(L - P - 1) * Plane + I * Row + J];
        New[(P * N + I) * M + J] = Sum + Other[P * Plane + (I + 2) * Row + J] - Other[P * Plane + I * Row + J + 2];
      }
}
PROGRAM(padded) {
  const int L = 4, N = 21, M = 130, Row = 137, Plane = 24 * Row;
  staged::Array<double> Old((L + 1) * Plane), New(L * N * M);
  staged::Array<float> Other(L * Plane);
  paddedWalkedNoMore(Old.device(), Other.device(), New.device(), L, N, M, Plane, Row);
  New.read();
  for (int K = 0; K < L * N * M; ++K) {
    const int P = K / (N * M), I = K / M % N, J = K % M;
    const double *At = Old.host() + (L - P) * Plane + I * Row + J;
    const float *AtOther = Other.host() + P * Plane + I * Row + J;
    check::value("New", New.host()[K], At[0] - 2 * At[Row] + 3 * At[-Plane] + AtOther[2 * Row] - AtOther[2], K);
  }
}

/// Where the weights of a plane are does not grow evenly.
void weightedSame(const float *Old, const float *Weights, float *New, unsigned L, unsigned N, unsigned M) {
  PRAGMA(omp target teams distribute parallel for collapse(3) is_device_ptr(Old, Weights, New))
  for (unsigned P = 0; P < L; ++P)
    for (unsigned I = 0; I < N; ++I)
      for (unsigned J = 0; J < M; ++J) {
        const unsigned K = (P * N + I) * M + J;
        New[K] = Weights[P * P + P + I] * Old[K] + 2 * Old[K + N * M] + 3 * Old[K + 2 * N * M];
      }
}
PROGRAM(weighted) {
  const int L = 5, N = 21, M = 70, Plane = N * M;
  staged::Array<float> Old((L + 2) * Plane), Weights(L * L + N), New(L * Plane);
  weightedSame(Old.device(), Weights.device(), New.device(), L, N, M);
  New.read();
  for (int K = 0; K < L * Plane; ++K) {
    const int P = K / Plane, I = K / M % N;
    const float *At = Old.host() + K;
    check::value("New", New.host()[K], Weights.host()[P * P + P + I] * At[0] + 2 * At[Plane] + 3 * At[2 * Plane], K);
  }
}

/// Indices of 16 bits, which wrap in some plane.
int wrapped(int At) { return static_cast<unsigned short>(At); }
void wrappedTiledNoMore(const int *Old, int *New, int L, int N, int M, int Offset) {
  LOOPS()
  for (int P = 0; P < L; ++P)
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < M; ++J) {
        int At = (P * N + I) * M + J - Offset;
        New[(P * N + I) * M + J] = Old[wrapped(At)] + Old[wrapped(At + M)] + Old[wrapped(At + 2 * M)];
      }
}
PROGRAM(wrapping) {
  const int N = 20, M = 130;
  for (int Offset : {0, 1, N * M, N * M + 5 * M, 1 << 16}) {
    // The last time there are more indices than numbers of 16 bits.
    const int L = Offset < 1 << 16 ? 4 : 30;
    staged::Array<int> Old(65536), New(L * N * M);
    wrappedTiledNoMore(Old.device(), New.device(), L, N, M, Offset);
    New.read();
    for (int I = 0; I < L * N * M; ++I) {
      int At = I - Offset;
      check::value("New", New.host()[I], Old.host()[wrapped(At)] + Old.host()[wrapped(At + M)] + Old.host()[wrapped(At + 2 * M)], I);
    }
  }
}
} // namespace

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
