//===- tables.h - what both libraries of device_tables_units.cpp have ------===//
//
// The library is compiled twice, once with -DSECOND.
//
//===----------------------------------------------------------------------===//
#ifndef FERRY_LIT_E2E_TABLES_H
#define FERRY_LIT_E2E_TABLES_H

#define DECLARE(LIBRARY)                                \
  void LIBRARY##_map(double **T, int N);                \
  void LIBRARY##_unmap(double **T, int N);              \
  void LIBRARY##_update(double **T, int N);             \
  void LIBRARY##_store(double **T, double *Array, int); \
  void LIBRARY##_read(double **T, double *Q, int N);
DECLARE(first)
DECLARE(second)

#ifdef SECOND
#define LIBRARY(F) second_##F
#else
#define LIBRARY(F) first_##F
#endif

#endif
