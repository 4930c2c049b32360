// A class that owns memory on both sides: its constructor allocates on the host
// and maps, its destructor unmaps and frees. Its users see one object.
//
//   ferry-clang++ -O3 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu matrix.cpp
#include "../example.h"
#include <omp.h>

template <typename Body> void forall2(int N, int M, Body Loop) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      Loop(I, J);
}

class Matrix {
public:
  // The elements are made on the device, so nothing has to be sent.
  explicit Matrix(int N) : N(N), V(new double[size_t(N) * N]) {
#pragma omp target enter data map(alloc : V[0 : size_t(N) * N])
  }

  // With delete nothing is brought back, and the device's memory is freed
  // whatever else refers to it: the host's is about to go as well.
  ~Matrix() {
#pragma omp target exit data map(delete : V[0 : size_t(N) * N])
    delete[] V;
  }

  Matrix(const Matrix &) = delete;
  Matrix &operator=(const Matrix &) = delete;

  double &operator()(int I, int J) { return V[size_t(I) * N + J]; }
  double operator()(int I, int J) const { return V[size_t(I) * N + J]; }
  const double *data() const { return V; }

  // By hand: every pointer member becomes a local variable.
  void fillByHand(double Row, double Column) {
    double *V = this->V;
    int N = this->N;
#pragma omp target teams distribute parallel for collapse(2)
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < N; ++J)
        V[size_t(I) * N + J] = Row * (I + 1) + Column * (J + 1);
  }

  void multiplyByHand(const Matrix &A, const Matrix &B) {
    double *V = this->V;
    const double *AV = A.V, *BV = B.V;
    int N = this->N;
#pragma omp target teams distribute parallel for collapse(2)
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < N; ++J) {
        double Sum = 0;
        for (int K = 0; K < N; ++K)
          Sum += AV[size_t(I) * N + K] * BV[size_t(K) * N + J];
        V[size_t(I) * N + J] = Sum;
      }
  }

  // As lambdas: the objects themselves are used, through this and references.
  void fill(double Row, double Column) {
    forall2(N, N, [=](int I, int J) {
      (*this)(I, J) = Row * (I + 1) + Column * (J + 1);
    });
  }

  void multiply(const Matrix &A, const Matrix &B) {
    forall2(N, N, [this, &A, &B](int I, int J) {
      double Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += A(I, K) * B(K, J);
      (*this)(I, J) = Sum;
    });
  }

  double sumOnHost() {
#pragma omp target update from(V[0 : size_t(N) * N])
    double Sum = 0;
    for (size_t I = 0; I < size_t(N) * N; ++I)
      Sum += V[I];
    return Sum;
  }

private:
  int N;
  double *V;
};

static double byHand(Matrix &A, Matrix &B, Matrix &C) {
  A.fillByHand(1, 0);
  B.fillByHand(0, 1);
  C.fillByHand(0, 0);
  C.multiplyByHand(A, B);
  return C.sumOnHost();
}

static double lambda(Matrix &A, Matrix &B, Matrix &C) {
  A.fill(1, 0);
  B.fill(0, 1);
  C.fill(0, 0);
  C.multiply(A, B);
  return C.sumOnHost();
}

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "rows and columns", 20, 1, 2000);
  int N = E.size();
  // A(i, k) = i + 1 and B(k, j) = j + 1, so C(i, j) = n (i + 1) (j + 1). All
  // are whole numbers, so the sum is exact.
  double Expected = double(N) * (N * (N + 1.0) / 2) * (N * (N + 1.0) / 2);
  auto Run = [&](const char *Name, auto *Work) {
    const double *Gone;
    {
      Matrix A(N), B(N), C(N);
      E.run(Name, [&] { return Work(A, B, C); }, Expected);
      Gone = C.data();
    }
    // The address is only looked up, not followed.
    E.check(std::string(Name) + ", left on the device",
            omp_target_is_present(Gone, omp_get_default_device()), 0);
  };
  Run("matrix-by-hand", byHand);
  Run("matrix-lambda", lambda);
  return E.finish();
}
// RUN: %wrong_without_ferry
