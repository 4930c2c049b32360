// Device functions and variables that other units use.
#include "units.h"

int Calls = 100;
double Weights[8] = {1, 2, 4, 8, 16, 32, 64, 128};

static int helper(int X) { return X % 8; }
int weigh(int X) { return int(Weights[helper(X)]); }

double energy(const Particle &P) {
  double E = 0;
  for (double X : P.Position)
    E += X * X;
  return E * P.Mass * 0.5;
}

double weight(const Material &M, double Volume) {
  return M.density() * Volume;
}
