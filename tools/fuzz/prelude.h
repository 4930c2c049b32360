//===- prelude.h - what every program of the generator needs ---*- C++ -*-===//
//
// Types of members, device functions, and the ways to launch a body that
// lit/e2e/Inputs/forall.h does not have.
//
//===----------------------------------------------------------------------===//
#ifndef FERRY_TOOLS_FUZZ_PRELUDE_H
#define FERRY_TOOLS_FUZZ_PRELUDE_H

#include "check.h"
#include "forall.h"

#include <thread>
#include <utility>
#include <vector>

// Captures what it names in both compilations.
#ifdef DEVICE_CODE
#define ON_DEVICE(...) (__VA_ARGS__)
#else
#define ON_DEVICE(...) (false ? (__VA_ARGS__) : 0l)
#endif

namespace {
constexpr int N = 8;       // iterations of each kernel
constexpr int Length = 24; // of each mapped array
using Word = unsigned long;
template <class T> Word bits(T P) { return reinterpret_cast<Word>(P); }

struct Range {
  const int *Begin, *End;
};
union PointerFirst {
  const int *P;
  Word Number;
};
union NumberFirst {
  Word Number;
  const int *P;
};
struct Cell {
  const int *P[2];
  NumberFirst Word;
};
struct Node {
  long Number;
  const int *P;
};
int constantFunction(int V) { return V; }

inline long sum(const int *Begin, const int *End) {
  long Sum = 0;
  for (const int *P = Begin; P != End; ++P)
    Sum += *P;
  return Sum;
}
inline long sumBackwards(const Range &R) {
  long Sum = 0;
  for (const int *P = R.End; P != R.Begin;)
    Sum += *--P;
  return Sum;
}
inline long sumOfRange(const Range &R) { return sum(R.Begin, R.End); }
/// The sum of what an array's pointers point to.
template <int Count> long firstsOf(const int *const (&Pointers)[Count]) {
  long Sum = 0;
  for (const int *const *P = Pointers; P != Pointers + Count; ++P)
    Sum += **P;
  return Sum;
}
[[gnu::noinline]] long sumNotInlined(Range R) { return sum(R.Begin, R.End); }
[[gnu::noinline]] long readNotInlined(const int *P, int I) { return P[I]; }
inline bool onDevice() { return false; }
inline long readByVariant(const int *, int) { return 0; }
#pragma omp begin declare variant match(device = {kind(nohost)})
inline bool onDevice() { return true; }
inline long readByVariant(const int *P, int I) { return P[I]; }
#pragma omp end declare variant
template <class T> long sumOf(const Mapped<T> &A, int From, int To) {
  long Sum = 0;
  for (int I = From; I < To; ++I)
    Sum += long(A.at(I));
  return Sum;
}

template <class F> void byForwarding(int Count, F &&Body) {
#pragma omp target teams distribute parallel for simd
  for (int I = 0; I < Count; ++I)
    Body(I);
}
template <class F> void byMapTo(int Count, F Body) {
#pragma omp target parallel for map(to : Body)
  for (int I = 0; I < Count; ++I)
    Body(I);
}
template <class F> void byMapToFrom(int Count, F Body) {
#pragma omp target map(tofrom : Body)
  for (int I = 0; I < Count; ++I)
    Body(I);
}
template <class F> void byFirstprivate(int Count, F Body) {
#pragma omp target teams distribute firstprivate(Body)
  for (int I = 0; I < Count; ++I)
    Body(I);
}
template <class F> [[gnu::noinline]] void notInlined(int Count, const F &Body) {
#pragma omp target teams loop
  for (int I = 0; I < Count; ++I)
    Body(I);
}
template <class F> void withNowait(int Count, F Body) {
#pragma omp target nowait firstprivate(Body)
  for (int I = 0; I < Count; ++I)
    Body(I);
#pragma omp taskwait
}
template <class F> void throughLambda(int Count, const F &Body) {
  forall(Count, [&](int I) { Body(I); });
}
template <class F> struct Member {
  F Body;
  void run(int Count) const {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < Count; ++I)
      Body(I);
  }
};
template <class F> void asMember(int Count, const F &Body) {
  Member<F>{Body}.run(Count);
}
template <class F> struct Boxed {
  char Before;
  F Body;
  long After;
  void operator()(int I) const { Body(I); }
};
template <class F> struct Inherited : Range, F {
  Inherited(F Body) : Range(), F(Body) {}
};
template <class F> struct Repeated {
  F Bodies[2];
  void operator()(int I) const { Bodies[I % 2](I); }
};
template <class F, int Count> struct Many {
  F Bodies[Count];
  Many(const F &Body) : Many(Body, std::make_index_sequence<Count>()) {}
  template <size_t... K>
  Many(const F &Body, std::index_sequence<K...>) : Bodies{(void(K), Body)...} {}
};
template <class F, int Count> struct OneOfMany : Many<F, Count> {
  using Many<F, Count>::Many;
  void operator()(int I) const { this->Bodies[I * 7 % Count](I); }
};
template <class F, int Count> struct EachOfMany : Many<F, Count> {
  using Many<F, Count>::Many;
  void operator()(int I) const { call(I, std::make_index_sequence<Count>()); }
  template <size_t... K> void call(int I, std::index_sequence<K...>) const {
    (this->Bodies[K](I), ...);
  }
};

/// Bodies of which each call writes a part: only so much that iterations do not
/// write to the same word, or write the same value there.
template <class F> struct WritesOne {
  F Body;
  mutable int Offset = 0;
  explicit WritesOne(const F &Body) : Body(Body) {}
  void operator()(int I) const {
    Offset = 3;
    Body(I + Offset - 3);
  }
};
template <class F> struct WritesAtIndex {
  mutable int Before[N] = {};
  F Body;
  mutable int Index[N] = {};
  explicit WritesAtIndex(const F &Body) : Body(Body) {}
  void operator()(int I) const {
    Before[I] = I;
    Index[I] = 2 * Before[I];
    Body(Index[I] - I);
  }
};

/// Runs \p Work in \p Count threads at once.
inline void inThreads(int Count, void (*Work)()) {
  std::vector<std::thread> Threads;
  for (int K = 0; K < Count; ++K)
    Threads.emplace_back(Work);
  for (std::thread &T : Threads)
    T.join();
}
} // namespace

#endif
