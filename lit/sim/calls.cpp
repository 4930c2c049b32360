// Calls on the device: functions, pointers to them, virtual functions,
// recursion.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

#pragma omp begin declare target
namespace {
__attribute__((noinline)) int addOne(int X) { return X + 1; }
__attribute__((noinline)) int triple(int X) { return X * 3; }
__attribute__((noinline)) int negate(int X) { return -X; }
int (*const Operations[])(int) = {addOne, triple, negate};

struct Shape {
  virtual double area() const = 0;
  virtual int corners() const { return 0; }
  virtual ~Shape() {}
};
struct Circle : Shape {
  double Radius;
  Circle(double Radius) : Radius(Radius) {}
  double area() const override { return 3 * Radius * Radius; }
};
struct Box : Shape {
  double Width, Height;
  Box(double Width, double Height) : Width(Width), Height(Height) {}
  double area() const override { return Width * Height; }
  int corners() const override { return 4; }
};
struct Square final : Box {
  Square(double Side) : Box(Side, Side) {}
  int corners() const override { return 104; }
};

__attribute__((noinline)) double describe(const Shape &S) {
  return S.area() + 1000 * S.corners();
}

int fibonacci(int N) {
  return N < 2 ? N : fibonacci(N - 1) + fibonacci(N - 2);
}
int ackermann(int M, int N) {
  if (M == 0)
    return N + 1;
  return ackermann(M - 1, N == 0 ? 1 : ackermann(M, N - 1));
}
bool isOdd(int N);
__attribute__((noinline)) bool isEven(int N) { return N == 0 || isOdd(N - 1); }
__attribute__((noinline)) bool isOdd(int N) { return N != 0 && isEven(N - 1); }

__attribute__((noinline)) int sumDown(int N, const int *A) {
  int Local[4] = {A[N % 8], N, 1, 2};
  return N == 0 ? 0 : Local[N % 2] + sumDown(N - 1, A);
}

template <class F>
__attribute__((noinline)) int apply(F Function, int X) {
  return Function(X) + Function(X + 1);
}

struct Accumulator {
  int Total = 0;
  void add(int X) { Total += X; }
  void subtract(int X) { Total -= X; }
};

struct Pair {
  long First;
  double Second;
  char Third[20];
};
__attribute__((noinline)) Pair makePair(long A, double B, Pair C) {
  C.First += A;
  C.Second += B;
  C.Third[3] = char(A);
  return C;
}
__attribute__((noinline)) void swap(int &A, int &B) {
  int C = A;
  A = B;
  B = C;
}
} // namespace
#pragma omp end declare target

PROGRAM(indirect) {
  constexpr int N = 200;
  int A[N];
#pragma omp target teams distribute parallel for map(from : A)
  for (int I = 0; I < N; ++I) {
    int (*F)(int) = Operations[I % 3];
    A[I] = F(I) + Operations[(I + 1) % 3](I);
  }
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], Operations[I % 3](I) + Operations[(I + 1) % 3](I),
                 I);
}

PROGRAM(pointer_as_argument) {
  constexpr int N = 100;
  int A[N];
#pragma omp target teams distribute parallel for map(from : A)
  for (int I = 0; I < N; ++I)
    A[I] = I % 2 ? apply(addOne, I) : apply(triple, I);
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], I % 2 ? 2 * I + 3 : 6 * I + 3, I);
}

PROGRAM(virtual_functions) {
  constexpr int N = 99;
  double A[N];
#pragma omp target teams distribute parallel for map(from : A)
  for (int I = 0; I < N; ++I) {
    Circle C(I);
    Box B(I, 2);
    Square S(I);
    const Shape *Shapes[] = {&C, &B, &S};
    A[I] = describe(*Shapes[I % 3]);
  }
  for (int I = 0; I < N; ++I)
    check::value("A", A[I],
                 I % 3 == 0   ? 3.0 * I * I
                 : I % 3 == 1 ? 2.0 * I + 4000
                              : 1.0 * I * I + 104000,
                 I);
}

PROGRAM(virtual_functions_on_the_heap) {
  constexpr int N = 66;
  double A[N];
#pragma omp target teams distribute parallel for map(from : A)
  for (int I = 0; I < N; ++I) {
    Shape *S = I % 2 ? static_cast<Shape *>(new Circle(I)) : new Box(I, 5);
    A[I] = describe(*S);
    delete S;
  }
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], I % 2 ? 3.0 * I * I : 5.0 * I + 4000, I);
}

PROGRAM(recursion) {
  constexpr int N = 40;
  int A[N];
#pragma omp target teams distribute parallel for map(from : A)
  for (int I = 0; I < N; ++I)
    A[I] = fibonacci(I % 12);
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], fibonacci(I % 12), I);
}

PROGRAM(double_recursion) {
  int A[6];
#pragma omp target parallel for num_threads(6) map(from : A)
  for (int I = 0; I < 6; ++I)
    A[I] = ackermann(2, I);
  for (int I = 0; I < 6; ++I)
    check::value("A", A[I], 2 * I + 3, I);
}

PROGRAM(mutual_recursion) {
  constexpr int N = 70;
  int A[N];
#pragma omp target teams distribute parallel for map(from : A)
  for (int I = 0; I < N; ++I)
    A[I] = isEven(I) * 2 + isOdd(I);
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], I % 2 ? 1 : 2, I);
}

PROGRAM(deep_recursion) {
  constexpr int N = 33;
  int A[N], In[8] = {1, 2, 3, 4, 5, 6, 7, 8};
#pragma omp target teams distribute parallel for map(from : A) map(to : In)
  for (int I = 0; I < N; ++I)
    A[I] = sumDown(100 + I, In);
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], sumDown(100 + I, In), I);
}

PROGRAM(member_pointers) {
  constexpr int N = 50;
  int A[N];
#pragma omp target teams distribute parallel for map(from : A)
  for (int I = 0; I < N; ++I) {
    void (Accumulator::*F)(int) =
        I % 2 ? &Accumulator::add : &Accumulator::subtract;
    Accumulator S;
    for (int K = 0; K < 3; ++K)
      (S.*F)(I);
    A[I] = S.Total;
  }
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], I % 2 ? 3 * I : -3 * I, I);
}

PROGRAM(structures_by_value) {
  constexpr int N = 40;
  Pair A[N];
#pragma omp target teams distribute parallel for map(from : A)
  for (int I = 0; I < N; ++I) {
    Pair P = {10, 0.5, "some characters"};
    A[I] = makePair(I, I, makePair(1, 1, P));
  }
  for (int I = 0; I < N; ++I) {
    check::value("First", A[I].First, 11 + I, I);
    check::value("Second", A[I].Second, 1.5 + I, I);
    check::value("Third[3]", A[I].Third[3], I, I);
    check::value("Third[6]", A[I].Third[6], 'h' - 0, I);
  }
}

PROGRAM(references) {
  constexpr int N = 40;
  int A[N], B[N];
  for (int I = 0; I < N; ++I)
    A[I] = I, B[I] = 100 + I;
#pragma omp target teams distribute parallel for map(tofrom : A, B)
  for (int I = 0; I < N; ++I)
    swap(A[I], B[N - 1 - I]);
  for (int I = 0; I < N; ++I) {
    check::value("A", A[I], 100 + N - 1 - I, I);
    check::value("B", B[I], N - 1 - I, I);
  }
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
