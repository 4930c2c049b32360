// The device functions that units.cpp calls.
#include "units.h"

int readFar(const View &X, int I) { return X[I]; }
void writeFar(int *P, int I, int V) { P[I] = V; }
