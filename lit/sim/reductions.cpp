// Every reduction operator on int, long, float and double. The values are such
// that a floating-point result does not depend on the order.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

namespace {
constexpr int N = 1500;

template <class T>
struct Input {
  T *Data = new T[N];
  template <class F>
  explicit Input(F Value) {
    for (int I = 0; I < N; ++I)
      Data[I] = Value(I);
  }
  ~Input() { delete[] Data; }
};
} // namespace

// A program that reduces Input, whose I-th value is VALUE, with several
// teams and with one.
#define REDUCE(TYPE, OPERATOR, START, VALUE, STEP)                     \
  do {                                                                 \
    using T = TYPE;                                                    \
    Input<T> In([](int I) -> T { return VALUE; });                     \
    T *A = In.Data;                                                    \
    T Teams = START, One = START, Want = START;                        \
    for (int I = 0; I < N; ++I) {                                      \
      T &R = Want;                                                     \
      STEP;                                                            \
    }                                                                  \
    PRAGMA(omp target teams distribute parallel for map(to : A[0 : N]) \
               reduction(OPERATOR : Teams))                            \
    for (int I = 0; I < N; ++I) {                                      \
      T &R = Teams;                                                    \
      STEP;                                                            \
    }                                                                  \
    PRAGMA(omp target parallel for map(to : A[0 : N]) num_threads(100) \
               reduction(OPERATOR : One))                              \
    for (int I = 0; I < N; ++I) {                                      \
      T &R = One;                                                      \
      STEP;                                                            \
    }                                                                  \
    check::value(#TYPE " in teams", Teams, Want);                      \
    check::value(#TYPE " in one team", One, Want);                     \
  } while (0)
#define PRAGMA(...) _Pragma(#__VA_ARGS__)

#define REDUCE_INTEGERS(OPERATOR, START, VALUE, STEP) \
  REDUCE(int, OPERATOR, START, VALUE, STEP);          \
  REDUCE(long, OPERATOR, START, VALUE, STEP)
#define REDUCE_ALL(OPERATOR, START, VALUE, STEP) \
  REDUCE_INTEGERS(OPERATOR, START, VALUE, STEP); \
  REDUCE(float, OPERATOR, START, VALUE, STEP);   \
  REDUCE(double, OPERATOR, START, VALUE, STEP)

PROGRAM(plus) { REDUCE_ALL(+, 5, I % 13 - 4, R += A[I]); }

PROGRAM(minus) { REDUCE_ALL(-, 5, I % 7, R -= A[I]); }

PROGRAM(times) {
  REDUCE_ALL(*, 3, I % 211 == 5 ? 2 : 1 - 2 * (I % 97 == 3), R *= A[I]);
}

PROGRAM(minimum) {
  REDUCE_ALL(min, 400, (I * 37 + 11) % N - 100, R = A[I] < R ? A[I] : R);
}

PROGRAM(maximum) {
  REDUCE_ALL(max, -400, (I * 37 + 11) % N - 2000, R = A[I] > R ? A[I] : R);
}

PROGRAM(logical_and_true) { REDUCE_ALL(&&, 1, I + 1, R = R && A[I]); }

PROGRAM(logical_and_false) { REDUCE_ALL(&&, 1, I != 777, R = R && A[I]); }

PROGRAM(logical_or_true) { REDUCE_ALL(||, 0, I == 1234, R = R || A[I]); }

PROGRAM(logical_or_false) { REDUCE_ALL(||, 0, 0, R = R || A[I]); }

PROGRAM(bitwise_and) {
  REDUCE_INTEGERS(&, T(-1), T(-1) ^ (T(1) << (I % 3 * 9)), R &= A[I]);
}

PROGRAM(bitwise_or) {
  REDUCE_INTEGERS(|, T(0), T(1) << (I * 3 % (sizeof(T) * 8 - 1)), R |= A[I]);
}

PROGRAM(exclusive_or) {
  REDUCE_INTEGERS(^, T(99), T(I) * 2654435761u, R ^= A[I]);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
