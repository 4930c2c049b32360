// The shallow-water equations on the YAKL-like layer, in its Fortran style: a
// hump of water spreads in a doubly periodic basin. Each step computes the
// largest stable time step on the device, copies the edges around to the halo,
// computes fluxes between cells (Rusanov's), and adds them up.
//
// The model is a class, and its kernels use its arrays and numbers as they are.
//
// RUN: env YAKL_LIKE_TIMERS=1 %t/host 2>&1 | grep '^update: 6 launches'
// RUN: %wrong_without_ferry
#include "../example.h"
#include "yakl_like.h"

#include <vector>

using namespace yakl_like;
using namespace yakl_like::fortran;

namespace {

// --- The equations, for kernels and the host ---

constexpr double Gravity = 9.81;
constexpr double Courant = 0.4;
constexpr int Depth = 1, MomentumX = 2, MomentumY = 3; // of a cell, per area
using Cell = FSArray<double, SB<1, 3>>;

// How long a wave needs to cross the cell.
double crossingTime(const Cell &Q, double Dx, double Dy) {
  const double Wave = std::sqrt(Gravity * Q(Depth));
  const double SpeedX = std::fabs(Q(MomentumX) / Q(Depth)) + Wave;
  const double SpeedY = std::fabs(Q(MomentumY) / Q(Depth)) + Wave;
  return std::fmin(Dx / SpeedX, Dy / SpeedY);
}

// What flows from one cell to the next one in a direction. Along is the
// momentum in that direction.
Cell flux(const Cell &Low, const Cell &High, int Along) {
  Cell Result;
  const double SpeedLow = Low(Along) / Low(Depth);
  const double SpeedHigh = High(Along) / High(Depth);
  const double Fastest =
      std::fmax(std::fabs(SpeedLow) + std::sqrt(Gravity * Low(Depth)),
                std::fabs(SpeedHigh) + std::sqrt(Gravity * High(Depth)));
  for (int V = Depth; V <= MomentumY; ++V)
    Result(V) = 0.5 * (Low(V) * SpeedLow + High(V) * SpeedHigh -
                       Fastest * (High(V) - Low(V)));
  Result(Along) +=
      0.25 * Gravity * (Low(Depth) * Low(Depth) + High(Depth) * High(Depth));
  return Result;
}

double initialDepth(double X, double Y) {
  const double R2 = (X - 0.5) * (X - 0.5) + (Y - 0.4) * (Y - 0.4);
  return 1 + 0.5 * std::exp(-60 * R2);
}

// --- On the device ---

using real2d = Array<double, 2, Device>;
using real3d = Array<double, 3, Device>;

class ShallowWater {
public:
  ShallowWater(long Nx, long Ny)
      : Nx(Nx), Ny(Ny), Dx(1.0 / Nx), Dy(1.0 / Ny),
        State("state", 3, {0, Nx + 1}, {0, Ny + 1}),
        FluxX("flux x", 3, {0, Nx}, Ny), FluxY("flux y", 3, Nx, {0, Ny}) {
    Array<double, 3, Host> Initial = State.createHostCopy();
    for (long J = 1; J <= Ny; ++J)
      for (long I = 1; I <= Nx; ++I) {
        Initial(Depth, I, J) = initialDepth((I - 0.5) * Dx, (J - 0.5) * Dy);
        Initial(MomentumX, I, J) = Initial(MomentumY, I, J) = 0;
      }
    Initial.deepCopyTo(State);
  }

  double maxStableTimeStep() const {
    real2d Time("time", Nx, Ny);
    parallel_for("time step", Bounds<2>(Ny, Nx), [=](long J, long I) {
      Time(I, J) = crossingTime(cell(I, J), Dx, Dy);
    });
    return Courant * minval(Time);
  }

  // Returns the time step.
  double step() {
    const double Dt = maxStableTimeStep();
    parallel_for("halo x", Bounds<2>(Ny, 3), [=](long J, long V) {
      State(V, 0, J) = State(V, Nx, J);
      State(V, Nx + 1, J) = State(V, 1, J);
    });
    parallel_for("halo y", Bounds<2>(Nx, 3), [=](long I, long V) {
      State(V, I, 0) = State(V, I, Ny);
      State(V, I, Ny + 1) = State(V, I, 1);
    });
    parallel_for("flux x", Bounds<2>(Ny, {0, Nx}), [=](long J, long I) {
      const Cell F = flux(cell(I, J), cell(I + 1, J), MomentumX);
      for (int V = 1; V <= 3; ++V)
        FluxX(V, I, J) = F(V);
    });
    parallel_for("flux y", Bounds<2>({0, Ny}, Nx), [=](long J, long I) {
      const Cell F = flux(cell(I, J), cell(I, J + 1), MomentumY);
      for (int V = 1; V <= 3; ++V)
        FluxY(V, I, J) = F(V);
    });
    parallel_for("update", Bounds<3>(Ny, Nx, 3), [=](long J, long I, long V) {
      State(V, I, J) += Dt / Dx * (FluxX(V, I - 1, J) - FluxX(V, I, J)) +
                        Dt / Dy * (FluxY(V, I, J - 1) - FluxY(V, I, J));
    });
    return Dt;
  }

  // Whether there is water everywhere.
  bool wet() const {
    ScalarLiveOut<bool> Dry(false);
    parallel_for("wet", Bounds<2>(Ny, Nx), [=](long J, long I) {
      if (!(State(Depth, I, J) > 0))
        Dry = true;
    });
    return !Dry.hostRead();
  }

  Array<double, 3, Host> result() const { return State.createHostCopy(); }

private:
  Cell cell(long I, long J) const {
    Cell Q;
    for (int V = 1; V <= 3; ++V)
      Q(V) = State(V, I, J);
    return Q;
  }

  long Nx, Ny;
  double Dx, Dy;
  real3d State, FluxX, FluxY;
};

// --- Serially ---

class Serial {
public:
  Serial(long Nx, long Ny)
      : Nx(Nx), Ny(Ny), Dx(1.0 / Nx), Dy(1.0 / Ny), Cells(Nx * Ny) {
    for (long J = 0; J < Ny; ++J)
      for (long I = 0; I < Nx; ++I)
        at(I, J) = {initialDepth((I + 0.5) * Dx, (J + 0.5) * Dy), 0, 0};
  }
  double maxStableTimeStep() {
    double Least = 1e300;
    for (const Cell &Q : Cells)
      Least = std::fmin(Least, crossingTime(Q, Dx, Dy));
    return Courant * Least;
  }
  double step() {
    const double Dt = maxStableTimeStep();
    std::vector<Cell> New = Cells;
    for (long J = 0; J < Ny; ++J)
      for (long I = 0; I < Nx; ++I) {
        const Cell West = flux(at(I - 1, J), at(I, J), MomentumX);
        const Cell East = flux(at(I, J), at(I + 1, J), MomentumX);
        const Cell South = flux(at(I, J - 1), at(I, J), MomentumY);
        const Cell North = flux(at(I, J), at(I, J + 1), MomentumY);
        for (int V = 1; V <= 3; ++V)
          New[J * Nx + I](V) +=
              Dt / Dx * (West(V) - East(V)) + Dt / Dy * (South(V) - North(V));
      }
    Cells = New;
    return Dt;
  }
  Cell &at(long I, long J) { return Cells[(J + Ny) % Ny * Nx + (I + Nx) % Nx]; }

private:
  long Nx, Ny;
  double Dx, Dy;
  std::vector<Cell> Cells;
};

const int Steps = 6;

// The device fuses multiplications and additions and may have other last bits
// in sqrt and exp: a few roundings for each cell and step, of numbers about 1.
const double Rounding = 1e-13;

template <typename Field> double checksum(Field At, long Nx, long Ny) {
  double Sum = 0;
  for (long J = 1; J <= Ny; ++J)
    for (long I = 1; I <= Nx; ++I)
      Sum +=
          At(1, I, J) * (I % 7) + At(2, I, J) * (I % 5) + At(3, I, J) * (J % 5);
  return Sum;
}

} // namespace

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "cells along x; 3/4 of it along y", 24, 4, 4000);
  const long Nx = E.size(), Ny = Nx * 3 / 4;

  Serial Host(Nx, Ny);
  const double FirstStep = Host.maxStableTimeStep();
  double Time = 0;
  for (int Step = 0; Step < Steps; ++Step)
    Time += Host.step();
  auto Expected = [&](int V, long I, long J) {
    return Host.at(I - 1, J - 1)(V);
  };

  ShallowWater Start(Nx, Ny);
  E.run(
      "time-step", [&] { return Start.maxStableTimeStep(); }, FirstStep,
      Rounding);

  double ModelTime = 0;
  ShallowWater Model = Start;
  auto Solve = [&] {
    Model = ShallowWater(Nx, Ny);
    ModelTime = 0;
    for (int Step = 0; Step < Steps; ++Step)
      ModelTime += Model.step();
    return checksum(Model.result(), Nx, Ny);
  };
  if (E.run("solve", Solve, checksum(Expected, Nx, Ny), Rounding)) {
    auto Initial = Start.result(), Result = Model.result();
    double Before = 0, After = 0, Worst = 0;
    for (long J = 1; J <= Ny; ++J)
      for (long I = 1; I <= Nx; ++I) {
        Before += Initial(Depth, I, J);
        After += Result(Depth, I, J);
        for (int V = 1; V <= 3; ++V) {
          double Error = std::fabs(Result(V, I, J) - Expected(V, I, J));
          if (!(Error <= Worst)) // also if it is not a number
            Worst = Error;
        }
      }
    E.check("time reached", ModelTime, Time, Rounding);
    E.check("largest difference to the serial solution", Worst, 0, Rounding);
    E.check("mass", After, Before, Rounding);
    E.check("water everywhere", Model.wet(), true);
  }
  return E.finish();
}
