// What the translation units of units.cpp share.
#ifndef FERRY_LIT_SIM_UNITS_H
#define FERRY_LIT_SIM_UNITS_H

struct Particle {
  double Position[3], Mass;
};

#pragma omp begin declare target
extern int Calls;
extern double Weights[8];
int weigh(int X);
double energy(const Particle &P);
struct Material {
  virtual double density() const = 0;
};
double weight(const Material &M, double Volume);
#pragma omp end declare target

// Regions of the other units.
void scale(double *A, int N, double Factor);
long countOnDevice(int N);

template <class T>
T sumOnDevice(const T *A, int N) {
  T Sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : Sum) \
    map(to : A[0 : N])
  for (int I = 0; I < N; ++I)
    Sum += A[I];
  return Sum;
}
long sumInLibrary(const long *A, int N);

#endif
