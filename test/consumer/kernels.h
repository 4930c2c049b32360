#ifndef KERNELS_H
#define KERNELS_H

struct Matrix {
  double *Data;
  int Columns;
  double &at(int Row, int Column) const { return Data[Row * Columns + Column]; }
};

// Y = A * X, all of it on the device, where the data are mapped already.
void multiply(Matrix A, const double *X, double *Y, int Rows);

#endif
