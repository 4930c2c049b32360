//===- lulesh_problem.h - A mesh, and what the kernels must give *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A box of N by N by N elements whose edges have different lengths, and a flow
// in which each component of the velocity depends on its own coordinate only.
// So the widths of an element are differences of coordinates, what its ends do
// are differences of velocities, and the answers follow from three lists of
// N + 1 numbers, on the host and without the kernels' code. Coordinates and
// velocities are turned by the same rotation, which changes none of the answers
// but lets every product in the kernels count.
//
// Faces at the low ends are planes of symmetry, the others are free, as in the
// Sedov problem that LULESH solves. Three materials are spread over the mesh,
// and each has its region.
//
//===----------------------------------------------------------------------===//
#ifndef FERRY_EXAMPLES_PAPER2018_LULESH_PROBLEM_H
#define FERRY_EXAMPLES_PAPER2018_LULESH_PROBLEM_H

#include "lulesh.h"
#include "variants.h"
#include <array>

class Problem {
public:
  static constexpr int NumRegions = 3;

  explicit Problem(int N)
      : N(N), NumElem(N * N * N), NumNode((N + 1) * (N + 1) * (N + 1)) {
    makeAxes();
    allocate();
    makeNodes();
    makeElements();
    makeRegions();
  }

  const Domain &domain() const { return D; }
  int numElem() const { return NumElem; }
  // The range of region R in RegElemList.
  int regionBegin(int R) const { return Regions[R]; }
  int regionEnd(int R) const { return Regions[R + 1]; }

  // Serial answers and starting values of each kernel's outputs.
  std::vector<Output> lagrangeOutputs() const {
    std::vector<double> Dxx, Dyy, Dzz;
    for (int I = 0; I < NumElem; ++I) {
      auto [A, B, C] = cell(I);
      double U = Rate[0][A], V = Rate[1][B], W = Rate[2][C];
      Dxx.push_back((2 * U - V - W) / 3);
      Dyy.push_back((2 * V - W - U) / 3);
      Dzz.push_back((2 * W - U - V) / 3);
    }
    return {output(D.Dxx, Dxx), output(D.Dyy, Dyy), output(D.Dzz, Dzz),
            output(D.Vdov, divergence())};
  }

  std::vector<Output> gradientOutputs() const {
    double *Delx[] = {D.DelxXi, D.DelxEta, D.DelxZeta};
    double *Delv[] = {D.DelvXi, D.DelvEta, D.DelvZeta};
    std::vector<Output> Outputs;
    for (int Axis = 0; Axis < 3; ++Axis) {
      std::vector<double> Widths, Speeds;
      for (int I = 0; I < NumElem; ++I) {
        int At = cell(I)[Axis];
        Widths.push_back(width(Axis, At));
        Speeds.push_back(spread(Axis, At));
      }
      Outputs.push_back(output(Delx[Axis], Widths));
      Outputs.push_back(output(Delv[Axis], Speeds));
    }
    return Outputs;
  }

  std::vector<Output> viscosityOutputs() const {
    std::vector<double> Ql(NumElem, 0), Qq(NumElem, 0), Vdov = divergence();
    for (int I = 0; I < NumElem; ++I) {
      if (Vdov[I] > 0)
        continue;
      auto Cell = cell(I);
      for (int Axis = 0; Axis < 3; ++Axis) {
        int At = Cell[Axis];
        double Push = std::fmin(0, width(Axis, At) * spread(Axis, At)) /
                      relativeVolume(I);
        double Push2 = Push * Push * relativeVolume(I);
        double Phi = smoothness(Axis, At);
        Ql[I] -= Viscosity::Linear * Push * (1 - Phi);
        Qq[I] += Viscosity::Quadratic * Push2 * (1 - Phi) * (1 + Phi);
      }
    }
    return {output(D.Ql, Ql), output(D.Qq, Qq)};
  }

  // Of an ideal gas: the square is gamma (gamma - 1) times the energy by mass,
  // for gamma = 5/3.
  std::vector<Output> soundSpeedOutputs() const {
    std::vector<double> Ss;
    for (int I = 0; I < NumElem; ++I)
      Ss.push_back(std::sqrt(10.0 / 9 * energy(I)));
    return {output(D.Ss, Ss)};
  }

  // The kernels that come before in the time step, for the third one.
  void setGradients() {
    for (const Output &O : gradientOutputs())
      DeviceMemory::store(O.Array, O.Expected);
    DeviceMemory::store(D.Vdov, divergence());
  }

  // Coordinates are of order 1, and widths are differences of them, N times
  // smaller: so their relative error is N times the rounding of coordinates.
  double tolerance() const {
    return 100 * N * std::numeric_limits<double>::epsilon();
  }

private:
  using Numbers = std::vector<double>;
  using Cell = std::array<int, 3>;

  Output output(double *Array, Numbers Expected) const {
    return {Array, Numbers(NumElem, -1), std::move(Expected)};
  }

  // Along each axis: nodes, their velocities, and dU/dx in the elements.
  void makeAxes() {
    const double Grading[] = {0.3, -0.2, 0.5}, Wave[] = {4, 7, 5};
    for (int Axis = 0; Axis < 3; ++Axis) {
      for (int I = 0; I <= N; ++I) {
        double T = double(I) / N, X = T * (1 + Grading[Axis] * (T - 1));
        Position[Axis].push_back(X);
        Speed[Axis].push_back(std::cos(Wave[Axis] * X + Axis) - 0.4 * X);
      }
      for (int I = 0; I < N; ++I)
        Rate[Axis].push_back(spread(Axis, I) / width(Axis, I));
    }
  }

  void allocate() {
#define NODE(Name) D.Name = Memory.add(Numbers(NumNode, 0));
#define ELEM(Name) D.Name = Memory.add(Numbers(NumElem, 0));
#define INDEX(Name, PerElem)                                                   \
  D.Name = Memory.add(std::vector<int>(size_t(NumElem) * PerElem, 0));
#include "lulesh.def"
  }

  void makeNodes() {
    Numbers X, Y, Z, Xd, Yd, Zd;
    for (int C = 0; C <= N; ++C)
      for (int B = 0; B <= N; ++B)
        for (int A = 0; A <= N; ++A) {
          rotate({Position[0][A], Position[1][B], Position[2][C]}, X, Y, Z);
          rotate({Speed[0][A], Speed[1][B], Speed[2][C]}, Xd, Yd, Zd);
        }
    store(D.X, X), store(D.Y, Y), store(D.Z, Z);
    store(D.Xd, Xd), store(D.Yd, Yd), store(D.Zd, Zd);
  }

  static void rotate(Vec3 V, Numbers &X, Numbers &Y, Numbers &Z) {
    X.push_back((2 * V.X - V.Y + 2 * V.Z) / 3);
    Y.push_back((2 * V.X + 2 * V.Y - V.Z) / 3);
    Z.push_back((-V.X + 2 * V.Y + 2 * V.Z) / 3);
  }

  void makeElements() {
    std::vector<int> Nodes, Bc;
    // Neighbours at the low and the high end of each axis; at the boundary the
    // element itself.
    std::vector<int> Low[3], High[3];
    Numbers Volo, VNew, Lxx, Lyy, Lzz;
    for (int I = 0; I < NumElem; ++I) {
      Cell At = cell(I);
      for (int Corner = 0; Corner < 8; ++Corner)
        Nodes.push_back(At[0] + (Corner & 1) +
                        (N + 1) * (At[1] + (Corner >> 1 & 1) +
                                   (N + 1) * (At[2] + (Corner >> 2))));
      int Flags = 0, Stride = 1;
      for (int Axis = 0; Axis < 3; ++Axis, Stride *= N) {
        bool First = At[Axis] == 0, Last = At[Axis] == N - 1;
        Low[Axis].push_back(First ? I : I - Stride);
        High[Axis].push_back(Last ? I : I + Stride);
        Flags |= (First ? Symmetry : Interior) << (2 * Axis);
        Flags |= (Last ? Free : Interior) << (2 * Axis + 6);
      }
      Bc.push_back(Flags);
      VNew.push_back(relativeVolume(I));
      Volo.push_back(width(0, At[0]) * width(1, At[1]) * width(2, At[2]) /
                     VNew.back());
      Lxx.push_back(Rate[0][At[0]]);
      Lyy.push_back(Rate[1][At[1]]);
      Lzz.push_back(Rate[2][At[2]]);
    }
    store(D.NodeList, Nodes), store(D.ElemBc, Bc);
    store(D.LXim, Low[0]), store(D.LXip, High[0]);
    store(D.LEtam, Low[1]), store(D.LEtap, High[1]);
    store(D.LZetam, Low[2]), store(D.LZetap, High[2]);
    store(D.Volo, Volo), store(D.ElemMass, Volo), store(D.VNew, VNew);
    store(D.Lxx, Lxx), store(D.Lyy, Lyy), store(D.Lzz, Lzz);
  }

  void makeRegions() {
    std::vector<int> List, Of(NumElem);
    for (int R = 0; R < NumRegions; ++R) {
      Regions[R] = List.size();
      for (int I = 0; I < NumElem; ++I)
        if (I * 7 % 11 / 4 == R) {
          List.push_back(I);
          Of[I] = R;
        }
    }
    Regions[NumRegions] = List.size();
    store(D.RegElemList, List), store(D.RegNumList, Of);
    makeGas(List);
  }

  // The equation of state of an ideal gas, in the order of the regions' lists.
  void makeGas(const std::vector<int> &List) {
    Numbers VNewC, ENew, PNew, Bvc, Pbvc;
    for (int I = 0; I < NumElem; ++I) {
      VNewC.push_back(relativeVolume(I));
      double V = relativeVolume(List[I]), Energy = energy(List[I]);
      ENew.push_back(Energy);
      PNew.push_back(2.0 / 3 / V * Energy);
      Bvc.push_back(2.0 / 3 / V);
      Pbvc.push_back(2.0 / 3);
    }
    store(D.VNewC, VNewC), store(D.ENew, ENew), store(D.PNew, PNew);
    store(D.Bvc, Bvc), store(D.Pbvc, Pbvc);
  }

  template <typename T>
  static void store(T *Array, const std::vector<T> &Values) {
    DeviceMemory::store(Array, Values);
  }

  Cell cell(int I) const { return {I % N, I / N % N, I / N / N}; }
  double relativeVolume(int I) const { return 1 + 0.01 * (I % 13 - 6); }
  double energy(int I) const { return 0.25 * (1 + I % 17); }

  double width(int Axis, int I) const {
    return Position[Axis][I + 1] - Position[Axis][I];
  }
  double spread(int Axis, int I) const {
    return Speed[Axis][I + 1] - Speed[Axis][I];
  }

  Numbers divergence() const {
    Numbers Sums;
    for (int I = 0; I < NumElem; ++I) {
      auto [A, B, C] = cell(I);
      Sums.push_back(Rate[0][A] + Rate[1][B] + Rate[2][C]);
    }
    return Sums;
  }

  // The limiter, with ratios in place of differences.
  double smoothness(int Axis, int I) const {
    double Own = spread(Axis, I);
    double Low = I == 0 ? 1 : spread(Axis, I - 1) / Own;
    double High = I == N - 1 ? 0 : spread(Axis, I + 1) / Own;
    double Least =
        std::min({(Low + High) / 2, Low * Viscosity::LimiterMult,
                  High * Viscosity::LimiterMult, Viscosity::MaxSlope});
    return std::max(0.0, Least);
  }

  int N, NumElem, NumNode, Regions[NumRegions + 1];
  Numbers Position[3], Speed[3], Rate[3];
  DeviceMemory Memory;
  Domain D;
};

// The four kernels of a program: V::lagrange and so on launch them.
class LuleshKernels {
public:
  LuleshKernels(int Argc, char **Argv)
      : E(Argc, Argv, "elements along each edge of the mesh", 8, 2, 128),
        P(E.size()),
        Lagrange(E, "lagrange", P.lagrangeOutputs(), P.tolerance()),
        Gradients(E, "gradients", P.gradientOutputs(), P.tolerance()),
        Viscosity(E, "viscosity", P.viscosityOutputs(), P.tolerance()),
        SoundSpeed(E, "soundspeed", P.soundSpeedOutputs(), P.tolerance()) {}

  template <typename V> void run(const std::string &Variant) {
    const Domain &D = P.domain();
    Lagrange.run(Variant, [&] { V::lagrange(D, P.numElem()); });
    Gradients.run(Variant, [&] { V::gradients(D, P.numElem()); });
    P.setGradients();
    Viscosity.run(Variant, [&] {
      for (int R = 0; R < Problem::NumRegions; ++R)
        V::viscosity(D, P.regionBegin(R), P.regionEnd(R));
    });
    SoundSpeed.run(Variant, [&] {
      for (int R = 0; R < Problem::NumRegions; ++R)
        V::soundSpeeds(D, P.regionBegin(R), P.regionEnd(R));
    });
  }

  int finish() const { return E.finish(); }

private:
  Example E;
  Problem P;
  Kernel Lagrange, Gradients, Viscosity, SoundSpeed;
};

#endif // FERRY_EXAMPLES_PAPER2018_LULESH_PROBLEM_H
