//===- forall.h - the plainest framework -----------------------*- C++ -*-===//
//
// Loops on the device over a body that the caller gives. Nothing here maps
// anything.
//
//===----------------------------------------------------------------------===//
#ifndef FERRY_LIT_E2E_FORALL_H
#define FERRY_LIT_E2E_FORALL_H

template <class F>
void forall(int Count, F Body) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Count; ++I)
    Body(I);
}

template <class F>
void forallByReference(int Count, const F &Body) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Count; ++I)
    Body(I);
}

/// One thread, in order.
template <class F>
void inOrder(int Count, F Body) {
#pragma omp target
  for (int I = 0; I < Count; ++I)
    Body(I);
}

#endif
