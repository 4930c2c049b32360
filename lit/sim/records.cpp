// Records on the device: bit-fields, packed and over-aligned ones, unions,
// vectors, copies by memcpy, every size of access.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

#include <array>
#include <cstdint>
#include <tuple>
#include <utility>

namespace {
constexpr int N = 150;

struct Bits {
  unsigned A : 3;
  int B : 7;
  unsigned long C : 40;
  bool D : 1;
};
struct [[gnu::packed]] Packed {
  char A;
  short B;
  int C;
  double D;
};
struct alignas(16) Quad {
  float X, Y, Z, W;
};
struct Nested {
  Quad Q[2];
  struct {
    int A;
    union {
      float F;
      unsigned U;
    };
  } Inner;
  char Tail[5];
};
struct Empty {};
struct Base {
  int A;
};
struct Derived : Base, Empty {
  short B;
};
typedef float Float4 __attribute__((ext_vector_type(4)));
typedef double Double2 __attribute__((ext_vector_type(2)));
enum class Color : unsigned char { Red,
                                   Green = 7,
                                   Blue };

template <class T>
void copyThroughDevice() {
  T A[N], B[N];
  for (int I = 0; I < N; ++I)
    A[I] = T(I * 3 + 1);
#pragma omp target teams distribute parallel for map(to : A) map(from : B)
  for (int I = 0; I < N; ++I)
    B[I] = A[N - 1 - I] + T(1);
  for (int I = 0; I < N; ++I)
    check::value("B", B[I], T(A[N - 1 - I] + T(1)), I);
}
} // namespace

PROGRAM(bytes_1) { copyThroughDevice<unsigned char>(); }
PROGRAM(bytes_2) { copyThroughDevice<short>(); }
PROGRAM(bytes_4) { copyThroughDevice<unsigned>(); }
PROGRAM(bytes_8) { copyThroughDevice<long>(); }
PROGRAM(bytes_16) { copyThroughDevice<__int128>(); }
PROGRAM(half) { copyThroughDevice<_Float16>(); }

PROGRAM(bit_fields) {
  Bits A[N];
  for (int I = 0; I < N; ++I)
    A[I] = {unsigned(I) & 7, I % 60 - 30, 1ul << I % 40, I % 2 == 0};
#pragma omp target teams distribute parallel for map(tofrom : A)
  for (int I = 0; I < N; ++I) {
    A[I].A += 3;
    A[I].B = -A[I].B;
    A[I].C ^= 0xffff;
    A[I].D = !A[I].D;
  }
  for (int I = 0; I < N; ++I) {
    check::value("A", unsigned(A[I].A), (I + 3u) & 7, I);
    check::value("B", int(A[I].B), 30 - I % 60, I);
    check::value("C", (unsigned long)A[I].C, 1ul << I % 40 ^ 0xffff, I);
    check::value("D", bool(A[I].D), I % 2 == 1, I);
  }
}

PROGRAM(packed) {
  Packed A[N];
  for (int I = 0; I < N; ++I)
    A[I] = {char(I), short(2 * I), 3 * I, 4.5 * I};
#pragma omp target teams distribute parallel for map(tofrom : A)
  for (int I = 0; I < N; ++I) {
    A[I].A += 1;
    A[I].B += 2;
    A[I].C += 3;
    A[I].D += 4;
  }
  for (int I = 0; I < N; ++I) {
    check::value("A", A[I].A, char(I + 1), I);
    check::value("B", short(A[I].B), 2 * I + 2, I);
    check::value("C", int(A[I].C), 3 * I + 3, I);
    check::value("D", double(A[I].D), 4.5 * I + 4, I);
  }
}

PROGRAM(nested) {
  Nested A[N];
  memset(A, 0, sizeof(A));
#pragma omp target teams distribute parallel for map(tofrom : A)
  for (int I = 0; I < N; ++I) {
    Nested R = A[I];
    for (int K = 0; K < 2; ++K)
      R.Q[K] = {float(I), float(K), float(I * K), 1};
    R.Inner.A = I;
    R.Inner.F = 1.0f;
    R.Tail[I % 5] = 'x';
    A[(I + 1) % N] = R;
  }
  for (int I = 0; I < N; ++I) {
    Nested &R = A[(I + 1) % N];
    check::value("Q[1].Z", R.Q[1].Z, I, I);
    check::value("Q[0].X", R.Q[0].X, I, I);
    check::value("Inner.A", R.Inner.A, I, I);
    check::value("Inner.U", R.Inner.U, 0x3f800000u, I);
    check::value("Tail", R.Tail[I % 5], 'x', I);
  }
}

PROGRAM(memory_functions) {
  static unsigned char A[N][64], B[N][64], C[N][64];
  for (int I = 0; I < N; ++I)
    for (int K = 0; K < 64; ++K)
      A[I][K] = I + K;
#pragma omp target teams distribute parallel for map(to : A) map(from : B, C)
  for (int I = 0; I < N; ++I) {
    memcpy(B[I], A[I], 64);
    memset(C[I], I, 64);
    memmove(C[I] + 1, B[I], 20 + I % 10);
    memcpy(C[I] + 40, B[I] + 3, 16);
  }
  for (int I = 0; I < N; ++I)
    for (int K = 0; K < 64; ++K) {
      check::value("B", B[I][K], (unsigned char)(I + K), I);
      int Want = K >= 1 && K < 21 + I % 10 ? I + K - 1
                 : K >= 40 && K < 56       ? I + K - 37
                                           : I;
      check::value("C", C[I][K], (unsigned char)Want, I);
    }
}

PROGRAM(unaligned_pointers) {
  static char Bytes[N * 9 + 8];
  for (unsigned I = 0; I < sizeof(Bytes); ++I)
    Bytes[I] = I * 5;
  long Got[N];
#pragma omp target teams distribute parallel for map(to : Bytes) map(from : Got)
  for (int I = 0; I < N; ++I)
    __builtin_memcpy(&Got[I], Bytes + 9 * I, sizeof(long));
  for (int I = 0; I < N; ++I) {
    long Want;
    memcpy(&Want, Bytes + 9 * I, sizeof(long));
    check::value("Got", Got[I], Want, I);
  }
}

PROGRAM(vectors) {
  static Float4 A[N], B[N];
  static Double2 C[N];
  for (int I = 0; I < N; ++I)
    A[I] = Float4{float(I), 1, 2, 3};
#pragma omp target teams distribute parallel for map(to : A) map(from : B, C)
  for (int I = 0; I < N; ++I) {
    B[I] = A[I].wzyx * 2.0f + A[(I + 1) % N];
    C[I] = Double2{A[I].x, A[I].y} - 0.5;
  }
  for (int I = 0; I < N; ++I) {
    check::value("x", B[I].x, 6.0f + (I + 1) % N, I);
    check::value("w", B[I].w, 2.0f * I + 3, I);
    check::value("C.x", C[I].x, I - 0.5, I);
  }
}

PROGRAM(bases) {
  Derived A[N];
#pragma omp target teams distribute parallel for map(from : A)
  for (int I = 0; I < N; ++I) {
    Derived D;
    static_cast<Base &>(D).A = I;
    D.B = short(-I);
    A[I] = D;
  }
  for (int I = 0; I < N; ++I)
    check::value("A, B", A[I].A * 1000 + A[I].B, 999 * I, I);
}

PROGRAM(enumerations) {
  Color A[N];
#pragma omp target teams distribute parallel for map(from : A)
  for (int I = 0; I < N; ++I)
    switch (I % 3) {
    case 0:
      A[I] = Color::Red;
      break;
    case 1:
      A[I] = Color::Green;
      break;
    default:
      A[I] = Color::Blue;
    }
  for (int I = 0; I < N; ++I)
    check::value("A", int(A[I]), I % 3 ? 6 + I % 3 : 0, I);
}

PROGRAM(standard_records) {
  std::array<int, 3> A[N];
  std::pair<int, double> B[N];
  std::tuple<char, long> C[N];
#pragma omp target teams distribute parallel for map(from : A, B, C)
  for (int I = 0; I < N; ++I) {
    A[I] = {I, I + 1, I + 2};
    B[I] = std::make_pair(I, 0.5 * I);
    C[I] = std::make_tuple(char(I), long(I) << 33);
  }
  for (int I = 0; I < N; ++I) {
    check::value("A", A[I][0] + A[I][1] + A[I][2], 3 * I + 3, I);
    check::value("B", B[I].first + B[I].second, 1.5 * I, I);
    check::value("C", std::get<1>(C[I]), long(I) << 33, I);
  }
}

PROGRAM(large_argument) {
  struct Large {
    int Values[200];
    double Factor;
  } L;
  for (int I = 0; I < 200; ++I)
    L.Values[I] = I;
  L.Factor = 0.5;
  double A[200];
#pragma omp target teams distribute parallel for firstprivate(L) map(from : A)
  for (int I = 0; I < 200; ++I)
    A[I] = L.Values[199 - I] * L.Factor;
  for (int I = 0; I < 200; ++I)
    check::value("A", A[I], (199 - I) * 0.5, I);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
