// Doubles an array on the device through a closure that holds a view. Prints
// "right" and returns 0 only if the device's own array was used: the host's
// copy is overwritten after it was mapped.
#include <cstdio>

struct View {
  int *Data;
};

template <typename Body> void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

int main() {
  int A[10];
  for (int I = 0; I < 10; ++I)
    A[I] = I;
  View V{A};
#pragma omp target enter data map(to : A)
  for (int I = 0; I < 10; ++I)
    A[I] = -1;
  forall(10, [=](int I) { V.Data[I] *= 2; });
#pragma omp target exit data map(from : A)
  int Wrong = 0;
  for (int I = 0; I < 10; ++I)
    Wrong += A[I] != 2 * I;
  std::puts(Wrong ? "wrong" : "right");
  return Wrong != 0;
}
