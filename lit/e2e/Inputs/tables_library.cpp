// The other half of device_tables_units.cpp: a table that kernels of several
// object files or libraries read and write.
#include "tables.h"

void LIBRARY(map)(double **T, int N) {
#pragma omp target enter data map(to : T[0 : N])
}

void LIBRARY(unmap)(double **T, int N) {
#pragma omp target exit data map(delete : T[0 : N])
}

void LIBRARY(update)(double **T, int N) {
#pragma omp target update to(T[0 : N])
}

void LIBRARY(store)(double **T, double *Array, int N) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    T[I] = Array + I;
}

void LIBRARY(read)(double **T, double *Q, int N) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Q[I] = *T[I];
}
