// A product of matrices and a stencil are staged alike, whatever the body of the
// loop captures: the same tiles, and as few sectors, as over plain arrays.
//
// RUN: %sim_cxx -O3 %s -o %t -Rpass=ferry-stage 2> %t.remarks
// RUN: grep -c 'staged 2 loads through 33280 bytes' %t.remarks | grep -x 4
// RUN: grep -c 'staged 5 loads through 9504 bytes' %t.remarks | grep -x 4
// RUN: %ferry_sim --strict --quiet --json %t.json -- %t
// RUN: %python %S/Inputs/compare_captured.py %t.json
#include <cstdio>
#include <vector>

template <class F>
void forall2(int N, F Body) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J)
      Body(I, J);
}

#define PRODUCT(N, A, B, C)                                                    \
  double S = 0;                                                                \
  for (int K = 0; K < N; ++K)                                                  \
    S += A * B;                                                                \
  C = S
#define HEAT(N, F, Old, New)                                                   \
  if (I > 0 && J > 0 && I < N - 1 && J < N - 1)                                \
  New(I, J) = Old(I, J) + F * (Old(I - 1, J) + Old(I + 1, J) + Old(I, J - 1) + Old(I, J + 1) - 4 * Old(I, J))

struct View {
  double *Data;
  int N;
  double &operator()(int I, int J) const { return Data[I * N + J]; }
};

struct Problem {
  std::vector<double> A, B, C;
  int N;
  double Factor;

  void productThis() {
    forall2(N, [this](int I, int J) { PRODUCT(N, A[I * N + K], B[K * N + J], C[I * N + J]); });
  }
  void heatThis() {
    forall2(N, [this](int I, int J) {
#define OLD(I, J) A[(I) * N + J]
#define NEW(I, J) C[(I) * N + J]
      HEAT(N, Factor, OLD, NEW);
    });
  }
};

void productPlain(double *A, double *B, double *C, int N) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      PRODUCT(N, A[I * N + K], B[K * N + J], C[I * N + J]);
    }
}
void heatPlain(double *A, double *C, int N, double Factor) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J)
      HEAT(N, Factor, OLD, NEW);
}
void productReferences(double *A, double *B, double *C, int N) {
  forall2(N, [&](int I, int J) { PRODUCT(N, A[I * N + K], B[K * N + J], C[I * N + J]); });
}
void heatReferences(double *A, double *C, int N, double Factor) {
  forall2(N, [&](int I, int J) { HEAT(N, Factor, OLD, NEW); });
}
void productView(View A, View B, View C) {
  forall2(A.N, [=](int I, int J) { PRODUCT(A.N, A(I, K), B(K, J), C(I, J)); });
}
void heatView(View A, View C, double Factor) {
  forall2(A.N, [=](int I, int J) { HEAT(A.N, Factor, A, C); });
}

int main() {
  constexpr int N = 300, Size = N * N;
  Problem X{std::vector<double>(Size), std::vector<double>(Size), std::vector<double>(Size), N, 0.1};
  double *A = X.A.data(), *B = X.B.data(), *C = X.C.data();
  for (int I = 0; I < Size; ++I)
    A[I] = I % 7, B[I] = I % 5;
#pragma omp target enter data map(to : A[0 : Size], B[0 : Size], C[0 : Size])
  std::vector<double> Products[4], Heats[4];
  for (int Way = 0; Way < 4; ++Way) {
    if (Way == 0)
      productPlain(A, B, C, N);
    else if (Way == 1)
      X.productThis();
    else if (Way == 2)
      productReferences(A, B, C, N);
    else
      productView({A, N}, {B, N}, {C, N});
#pragma omp target update from(C[0 : Size])
    Products[Way] = X.C;
    if (Way == 0)
      heatPlain(A, C, N, 0.1);
    else if (Way == 1)
      X.heatThis();
    else if (Way == 2)
      heatReferences(A, C, N, 0.1);
    else
      heatView({A, N}, {C, N}, 0.1);
#pragma omp target update from(C[0 : Size])
    Heats[Way] = X.C;
    if (Products[Way] != Products[0] || Heats[Way] != Heats[0])
      return 1;
  }
#pragma omp target exit data map(delete : A[0 : Size], B[0 : Size], C[0 : Size])
  return 0;
}
