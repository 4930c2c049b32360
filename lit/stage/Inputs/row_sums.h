// Functions that sum up rows in a combined construct, with more clauses.
#ifndef ROW_SUMS_H
#define ROW_SUMS_H

#define PRAGMA(...) _Pragma(#__VA_ARGS__)

/// A function of that name: the numbers have that type, the rows' numbers Index.
/// Columns and Pitch are variables of the file.
#define ROW_SUMS(Type, Index, Name, ...)                                                \
  void Name(const Type *A, Type *Sums, int Rows) {                                      \
    PRAGMA(omp target teams distribute parallel for is_device_ptr(A, Sums) __VA_ARGS__) \
    for (Index I = 0; I < Rows; ++I) {                                                  \
      Type Sum = 0;                                                                     \
      for (int K = 0; K < Columns; ++K)                                                 \
        Sum += A[I * Pitch + K];                                                        \
      Sums[I] = Sum;                                                                    \
    }                                                                                   \
  }

#endif
