//===- units.h - shared by the translation units of units.cpp --*- C++ -*-===//
#ifndef FERRY_LIT_E2E_UNITS_H
#define FERRY_LIT_E2E_UNITS_H

struct View {
  int *Data;
  int &operator[](int I) const { return Data[I]; }
};

struct Saxpy {
  View X, Y;
  int Factor;
  void operator()(int I) const { Y[I] += Factor * X[I]; }
};

// A closure type with one name in every translation unit.
inline auto makeCopy(const View &X, int *Out) {
  return [=](int I) { Out[I] = X[I] + 1; };
}
using Copy = decltype(makeCopy(View(), nullptr));

// One template, instantiated in both units for different and for equal types.
template <class F>
void loop(int Count, const F &Body) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Count; ++I)
    Body(I);
}

// The target region is in the other unit.
void runSaxpy(int Count, const Saxpy &F);
void runSaxpyByValue(int Count, Saxpy F);
void runCopy(int Count, const Copy &Body);
int runSum(int Count, const View &X);

// Device code of another unit.
#pragma omp declare target
int readFar(const View &X, int I);
void writeFar(int *P, int I, int V);
#pragma omp end declare target

#endif
