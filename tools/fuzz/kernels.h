//===- kernels.h - what every program of random kernels needs ---*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays on the device that are filled from a seed and printed as a checksum of
// their bits, the templates that launch a body, and what kernels call.
//
//   program [--corrupt] [prefix]
//
// runs the cases whose name begins with the prefix. A case given by its whole
// name prints each element. --corrupt changes a bit of every result: a test of
// the comparison.
//
//===----------------------------------------------------------------------===//
#ifndef FERRY_TOOLS_FUZZ_KERNELS_H
#define FERRY_TOOLS_FUZZ_KERNELS_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// --- Cases ---

struct Test {
  Test(void (*Run)()) : Run(Run), Next(First) { First = this; }
  void (*Run)();
  Test *Next;
  inline static Test *First = nullptr;
};

struct Options {
  std::vector<const char *> Prefixes; // of what is run; all without one
  bool Corrupt = false;
};
inline Options Given;

inline bool wanted(const char *Case) {
  for (const char *Prefix : Given.Prefixes)
    if (!std::strncmp(Case, Prefix, std::strlen(Prefix)))
      return true;
  return Given.Prefixes.empty();
}

/// Elements on the host and on the device. A layout names the fields of one:
/// "d0 f8" are a double and, at byte 8, a float; b, h, i and l are integers of
/// 1, 2, 4 and 8 bytes.
struct Array {
  Array(const char *Layout, long Size, long Length, unsigned Seed)
      : Layout(Layout), Size(Size), Length(Length),
        Data(static_cast<char *>(std::calloc(Length, Size))) {
    each([&](char *Field, char Kind) {
      Seed = Seed * 1664525 + 1013904223;
      unsigned long Bits = (Seed >> 7) * 0x9e3779b97f4a7c15;
      double Real = (int(Seed >> 8 & 0xffff) - 0x8000) / 4099.0;
      float Short = Real;
      if (Kind == 'd' || Kind == 'f')
        std::memcpy(Field, Kind == 'd' ? (char *)&Real : (char *)&Short,
                    sizeOf(Kind));
      else
        std::memcpy(Field, &Bits, sizeOf(Kind));
    });
  }
  Array(const Array &) = delete;

  /// Elements of type int: ends of rows of (K * A + B) % M elements.
  void rows(int A, int B, int M) {
    int *P = reinterpret_cast<int *>(Data);
    P[0] = 0;
    for (long K = 0; K + 1 < Length; ++K)
      P[K + 1] = P[K] + (K * A + B) % M;
  }
  /// Elements of type int: (K * A + B) % M.
  void indices(int A, int B, int M) {
    int *P = reinterpret_cast<int *>(Data);
    for (long K = 0; K < Length; ++K)
      P[K] = (K * A + B) % M;
  }

  /// The element at Base, once the array is on the device.
  template <class T> T *at(long Base) { return (T *)Data + Base; }
  void send() {
    char *P = Data;
#pragma omp target enter data map(to : P[0 : Length * Size])
  }
  void report(const char *Case, const char *Name, bool Written) {
    char *P = Data;
#pragma omp target exit data map(from : P[0 : Length * Size])
    if (Written && Given.Corrupt)
      Data[0] ^= 1;
    unsigned long Sum = 0xcbf29ce484222325;
    each([&](char *Field, char Kind) {
      for (int B = 0; B < sizeOf(Kind); ++B)
        Sum = (Sum ^ (unsigned char)Field[B]) * 0x100000001b3;
    });
    std::printf("%s %s %016lx\n", Case, Name, Sum);
    if (Given.Prefixes.size() == 1 && !std::strcmp(Case, Given.Prefixes[0]))
      dump();
    std::free(Data);
  }

private:
  static int sizeOf(char Kind) {
    return Kind == 'b' ? 1 : Kind == 'h' ? 2 : strchr("if", Kind) ? 4 : 8;
  }
  template <class F> void each(F Do) {
    for (long K = 0; K < Length; ++K)
      for (const char *L = Layout; *L; L += std::strcspn(L, " "), L += *L != 0)
        Do(Data + K * Size + std::atoi(L + 1), *L);
  }
  void dump() {
    for (long K = 0; K < Length; ++K) {
      std::printf("  [%ld]", K);
      for (const char *L = Layout; *L;
           L += std::strcspn(L, " "), L += *L != 0) {
        unsigned long Bits = 0;
        std::memcpy(&Bits, Data + K * Size + std::atoi(L + 1), sizeOf(*L));
        std::printf(" %lx", Bits);
      }
      std::printf("\n");
    }
  }

  const char *Layout;
  long Size, Length;
  char *Data;
};

// --- What kernels use ---

template <class T> struct View {
  T *Data;
  T &operator[](long K) const { return Data[K]; }
};

/// The bits of a value, and a value of a small size as a real number: all that
/// is computed is defined, whatever the arrays hold.
template <class T> unsigned long bits(T V) {
  if constexpr (T(0.5) == 0)
    return V;
  else if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(unsigned, V);
  else
    return __builtin_bit_cast(unsigned long, V);
}
template <class R, class T> R real(T V) {
  if constexpr (T(0.5) == 0)
    return R(V & 1023);
  else
    return R(V);
}
/// What a store puts where there was V.
template <class T> T next(T V) {
  if constexpr (T(0.5) == 0)
    return T(bits(V) * 3 + 1);
  else
    return V * T(0.5) + T(0.75);
}
template <class T> T convert(unsigned long V) {
  if constexpr (T(0.5) == 0)
    return T(V);
  else
    return T(V & 0xffff) / T(257);
}
template <class T> T convert(double V) {
  if constexpr (T(0.5) == 0)
    return T(bits(V));
  else
    return T(V);
}
template <class T> T least(T A, T B) { return B < A ? B : A; }
template <class T> T most(T A, T B) { return A < B ? B : A; }
template <class T>
[[gnu::noinline]] unsigned long notInlined(const T *P, long Count) {
  unsigned long Sum = 1;
  for (long K = 0; K < Count; ++K)
    Sum = Sum * 31 + bits(P[K]);
  return Sum;
}

/// What a kernel gave back.
template <class T> void report(const char *Case, const char *Name, T V) {
  std::printf("%s %s %016lx\n", Case, Name, bits(V) ^ Given.Corrupt);
}

// --- Launches of a body ---

template <class I, class F> void forall(I N, F Body) {
#pragma omp target teams distribute parallel for
  for (I T = 0; T < N; ++T)
    Body(T);
}
template <class I, class R, class F> R forallReduced(I N, R Result, F Body) {
#pragma omp target teams distribute parallel for reduction(+ : Result)
  for (I T = 0; T < N; ++T)
    Body(T, Result);
  return Result;
}
template <int Limit, class I, class F> void forallLimit(I N, F Body) {
#pragma omp target teams distribute parallel for thread_limit(Limit)
  for (I T = 0; T < N; ++T)
    Body(T);
}
template <class I, class F> void forallCyclic(I N, const F &Body) {
#pragma omp target teams distribute parallel for schedule(static, 1)
  for (I T = 0; T < N; ++T)
    Body(T);
}
template <class I, class F> void forallCollapsed(I N1, I N2, F Body) {
#pragma omp target teams distribute parallel for collapse(2)
  for (I A = 0; A < N1; ++A)
    for (I B = 0; B < N2; ++B)
      Body(A, B);
}
template <class I, class F> void forallPlanes(I N1, I N2, I N3, F Body) {
#pragma omp target teams distribute parallel for collapse(3)
  for (I A = 0; A < N1; ++A)
    for (I B = 0; B < N2; ++B)
      for (I C = 0; C < N3; ++C)
        Body(A, B, C);
}
template <class I, class F> void forallSplit(I N, I Chunk, F Body) {
#pragma omp target teams distribute
  for (I C = 0; C < N; C += Chunk) {
    I End = least<I>(C + Chunk, N);
#pragma omp parallel for
    for (I T = C; T < End; ++T)
      Body(T);
  }
}

#ifdef FERRY_FUZZ_MAIN
int main(int Count, char **Arguments) {
  for (int K = 1; K < Count; ++K)
    if (!std::strcmp(Arguments[K], "--corrupt"))
      Given.Corrupt = true;
    else
      Given.Prefixes.push_back(Arguments[K]);
  for (Test *T = Test::First; T; T = T->Next)
    T->Run();
}
#endif

#endif
