// Loops that write while they read: into their own row, where another name leads
// to, or elsewhere. A thread that may change what it reads takes its warp through
// the loop as it was, which shows in the number of sectors. No thread touches
// what another one writes.
//
// RUN: %build_plain_and_staged
// RUN: %run_plain_and_staged --kernels 24
#include "Inputs/staged.h"

#include <initializer_list>

namespace {
/// N rows of M elements, each within Pitch elements of its own.
constexpr int N = 197, M = 83, Pitch = 300, First = 100;

#define LOOP(...)                                                             \
  PRAGMA(omp target teams distribute parallel for is_device_ptr(__VA_ARGS__)) \
  for (int I = 0; I < N; ++I)
#define PRAGMA(X) _Pragma(#X)

void moveFewer(const float *From, float *To) {
  LOOP(From, To)
  for (int J = 0; J < M; ++J)
    To[I * Pitch + J] = From[I * Pitch + J] + 1;
}
void moveSame(const float *From, float *To) {
  LOOP(From, To)
  for (int J = 0; J < M; ++J)
    To[I * Pitch + J] = From[I * Pitch + J] + 1;
}

/// The store goes the other way.
void reverseFewer(const float *From, float *To) {
  LOOP(From, To)
  for (int J = 0; J < M; ++J)
    To[I * Pitch - J] = From[I * Pitch + J] + 1;
}
void reverseSame(const float *From, float *To) {
  LOOP(From, To)
  for (int J = 0; J < M; ++J)
    To[I * Pitch - J] = From[I * Pitch + J] + 1;
}

/// Each step reads what the one before wrote.
void sumsInPlace(unsigned *A) {
  LOOP(A)
  for (int J = 1; J < M; ++J)
    A[I * Pitch + J] += 3 * A[I * Pitch + J - 1];
}

/// Each step writes, and then reads.
void writesFirstSame(const int *A, int *B, int *C) {
  LOOP(A, B, C) {
    int Sum = 0;
    for (int J = 0; J < M; ++J) {
      B[I * Pitch + J] = 3 * J;
      Sum = 5 * Sum + A[I * Pitch + J];
    }
    C[I] = Sum;
  }
}

/// Downwards, in place or \p Away elements above.
void downwardsFewer(unsigned *A, int Away) {
  LOOP(A)
  for (int J = M - 1; J >= 0; --J)
    A[I * Pitch + J + Away] = 7 * A[I * Pitch + J] + A[I * Pitch + J + 1];
}
void downwardsSame(unsigned *A, int Away) {
  LOOP(A)
  for (int J = M - 1; J >= 0; --J)
    A[I * Pitch + J + Away] = 7 * A[I * Pitch + J] + A[I * Pitch + J + 1];
}

/// A row is read again after something has been written to it.
void betweenWalks(const int *A, int *B, int Times, int Length) {
  LOOP(A, B)
  for (int T = 0; T < Times; ++T) {
    int Sum = T;
    for (int J = 0; J < Length; ++J)
      Sum = 3 * Sum + A[I * Pitch + J];
    B[I * Pitch + 4 * T] = Sum;
  }
}

/// A field of a record is written before others are read.
void recordInPlace(const int *A, int *B) {
  LOOP(A, B) {
    const int *R = A + I * Pitch;
    int *W = B + I * Pitch;
    int Sum = R[0] * 3 + R[2] + R[9];
    W[5] = Sum;
    Sum = Sum * 5 + R[5] + R[7] * 3 + R[11];
    W[12] = Sum * R[5];
    W[13] = Sum - R[12];
  }
}

/// The store is to one element.
void accumulateFewer(const int *A, int *B, int Step) {
  LOOP(A, B) {
    for (int J = 0; J < M; ++J)
      B[I * Step] = B[I * Step] * 5 + A[I * Pitch + J];
  }
}
void accumulateSame(const int *A, int *B, int Step) {
  LOOP(A, B) {
    for (int J = 0; J < M; ++J)
      B[I * Step] = B[I * Step] * 5 + A[I * Pitch + J];
  }
}

/// Not every step stores.
void guardedFewer(const int *A, int *B) {
  LOOP(A, B)
  for (int J = 0; J < M; ++J)
    if (int V = A[I * Pitch + J]; V % 3 == 0)
      B[I * Pitch + J] = V * 7 + J;
}
void guardedSame(const int *A, int *B) {
  LOOP(A, B)
  for (int J = 0; J < M; ++J)
    if (int V = A[I * Pitch + J]; V % 3 == 0)
      B[I * Pitch + J] = V * 7 + J;
}

/// Some threads write into what they read.
void sometimes(const long *A, long *B, const int *Where) {
  LOOP(A, B, Where) {
    int To = Where[I];
    for (int J = 0; J < M; ++J)
      B[To + J + 1] = 2 * A[I * Pitch + J] + J;
  }
}

/// Records of three numbers. The second one is read; one is written, \p Away
/// records further on.
void fieldsFewer(int *A, int Away, int Field) {
  LOOP(A)
  for (long J = 0; J < M; ++J) {
    int *Record = A + 3 * (I * Pitch + J);
    Record[3 * Away + Field] = Record[1] * 3 + int(J);
  }
}
void fieldsSame(int *A, int Away, int Field) {
  LOOP(A)
  for (long J = 0; J < M; ++J) {
    int *Record = A + 3 * (I * Pitch + J);
    Record[3 * Away + Field] = Record[1] * 3 + int(J);
  }
}

/// A field of the next record is read as well.
void nextFieldsSame(int *A, int Field) {
  LOOP(A)
  for (long J = 0; J < M; ++J) {
    int *Record = A + 3 * (I * Pitch + J);
    Record[Field] = Record[0] * 3 + Record[3 + 1] + int(J);
  }
}
void nextFieldsFewer(int *A, int Field) {
  LOOP(A)
  for (long J = 0; J < M; ++J) {
    int *Record = A + 3 * (I * Pitch + J);
    Record[Field] = Record[0] * 3 + Record[3 + 1] + int(J);
  }
}

/// How far a step goes is known at run time: forwards, nowhere, backwards.
void stepsFewer(const int *A, long *B, int Step) {
  LOOP(A, B) {
    long Sum = 0;
    for (int J = 0; J < M; ++J)
      Sum = 3 * Sum + A[I * Pitch + J * Step];
    B[I] = Sum;
  }
}
void stepsSame(const int *A, long *B, int Step) {
  LOOP(A, B) {
    long Sum = 0;
    for (int J = 0; J < M; ++J)
      Sum = 3 * Sum + A[I * Pitch + J * Step];
    B[I] = Sum;
  }
}
void stepOfEach(const int *A, long *B, const int *Steps) {
  LOOP(A, B, Steps) {
    long Sum = 0;
    for (int J = 0; J < M; ++J)
      Sum = 3 * Sum + A[I * Pitch + J * Steps[I]];
    B[I] = Sum;
  }
}
void backwardsFewer(const int *A, long *B) {
  LOOP(A, B) {
    long Sum = 0;
    for (int J = M - 1; J >= 0; --J)
      Sum = 3 * Sum + A[I * Pitch + J];
    B[I] = Sum;
  }
}

/// Threads of a team hand something on, behind a barrier.
void turnsFewer(int *A) {
#pragma omp target parallel num_threads(64) is_device_ptr(A)
  for (int Turn = 0; Turn < 3; ++Turn) {
    int T = omp_get_thread_num(), Sum = 0;
    for (int J = 0; J < 64; ++J)
      Sum = 5 * Sum + A[T * 64 + J];
#pragma omp barrier
    for (int J = 0; J < 64; ++J)
      A[J * 64 + T] = Sum * J + Turn;
#pragma omp barrier
  }
}
} // namespace

PROGRAM(moves) {
  staged::Array<float> A(N * Pitch), B(N * Pitch);
  float *Row = A.device() + First;
  moveFewer(Row, B.device());
  B.read();
  for (int I = 0; I < N * Pitch; ++I)
    if (I % Pitch < M)
      check::value("B", B.host()[I], A.host()[I + First] + 1, I);
  // Up to the row, and right behind it.
  for (int Distance : {-M, M, -M - 1, M + 1})
    moveFewer(Row, Row + Distance);
  // Within the row, where it has been read already.
  for (int Distance : {0, -1, -2, -31, 1 - M})
    moveFewer(Row, Row + Distance);
  // Where it is read later: the next element and the last one included.
  for (int Distance : {1, 2, 31, M - 1})
    moveSame(Row, Row + Distance);
  for (int Distance : {-1, 2 * M - 1})
    reverseFewer(Row, Row + Distance);
  for (int Distance : {0, 1, M / 2, M, 2 * M - 2})
    reverseSame(Row, Row + Distance);
  A.read();
}

PROGRAM(sums_in_place) {
  staged::Array<unsigned> A(N * Pitch);
  unsigned Want = A.host()[0];
  for (int J = 1; J < M; ++J)
    Want = A.host()[J] + 3 * Want;
  sumsInPlace(A.device());
  A.read();
  check::value("A", A.host()[M - 1], Want);
}

PROGRAM(writes_first) {
  staged::Array<int> A(N * Pitch), B(N);
  for (int Away : {0, 1, -1}) {
    writesFirstSame(A.device() + First, A.device() + First + Away, B.device());
    A.read(), B.read();
  }
}

PROGRAM(downwards) {
  staged::Array<unsigned> A(N * Pitch);
  for (int Away : {1, 2, 40})
    downwardsFewer(A.device() + First, Away);
  for (int Away : {0, -1, -40})
    downwardsSame(A.device() + First, Away);
  A.read();
}

PROGRAM(between_reads) {
  staged::Array<int> A(N * Pitch), B(N * Pitch);
  betweenWalks(A.device(), A.device(), 5, 20);
  for (int *To : {A.device(), B.device(), A.device() + 7, A.device() + 2})
    recordInPlace(A.device(), To);
  A.read(), B.read();
}

PROGRAM(accumulates) {
  staged::Array<int> A(N * Pitch), B(N);
  accumulateFewer(A.device(), B.device(), 1);
  accumulateFewer(A.device(), A.device() + M, Pitch);
  for (int At : {0, 1, 40, M - 1})
    accumulateSame(A.device(), A.device() + At, Pitch);
  A.read(), B.read();
}

PROGRAM(guards) {
  staged::Array<int> A(N * Pitch), B(N * Pitch);
  guardedFewer(A.device(), B.device());
  guardedFewer(A.device(), A.device());
  guardedSame(A.device(), A.device() + 1);
  A.read(), B.read();
}

PROGRAM(some_threads) {
  staged::Array<long> A(2 * N * Pitch);
  staged::Array<int> Where(N);
  for (int Every : {2, 64, 1000}) {
    for (int I = 0; I < N; ++I)
      Where.host()[I] = (I % Every == 1 ? 0 : N * Pitch) + I * Pitch;
    Where.write();
    sometimes(A.device(), A.device(), Where.device());
  }
  A.read();
}

PROGRAM(fields) {
  staged::Array<int> A(3 * N * Pitch);
  int *Record = A.device() + 3 * First;
  for (int Away : {0, 1, -1, 20, -3})
    for (int Field : {0, 2})
      fieldsFewer(Record, Away, Field);
  for (int Away : {0, -1})
    fieldsFewer(Record, Away, 1);
  for (int Away : {1, M - 1})
    fieldsSame(Record, Away, 1);
  for (int Field : {0, 1, 2, 5})
    nextFieldsFewer(Record, Field);
  for (int Field : {3, 4, 7})
    nextFieldsSame(Record, Field);
  A.read();
}

PROGRAM(steps) {
  staged::Array<int> A(N * Pitch), Steps(N);
  staged::Array<long> B(N);
  int *Row = A.device() + First;
  for (int Step : {1, 2})
    stepsFewer(A.device(), B.device(), Step);
  for (int Step : {0, -1})
    stepsSame(Row, B.device(), Step);
  for (int I = 0; I < N; ++I)
    Steps.host()[I] = I < 64 ? 1 : I < 128 ? I % 3 - 1
                                           : 2 + I / 160;
  Steps.host()[N - 1] = 1;
  Steps.write();
  stepOfEach(Row, B.device(), Steps.device());
  backwardsFewer(Row, B.device());
  B.read();
}

PROGRAM(turns) {
  staged::Array<int> A(64 * 64);
  turnsFewer(A.device());
  A.read();
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
