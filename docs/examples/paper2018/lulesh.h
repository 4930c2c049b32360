//===- lulesh.h - Four kernels of a hydrodynamics code ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bodies of four loops of LULESH, Livermore's proxy for codes of explicit
// Lagrangian shock hydrodynamics, written anew from the description of their
// algorithm (LLNL-TR-490254, "Hydrodynamics Challenge Problem", sections 1.5
// and 1.6), and the domain that holds their arrays.
//
// Corner c of an element lies at the high end of axis xi if bit 0 of c is set,
// of eta if bit 1 is, of zeta if bit 2 is.
//
//===----------------------------------------------------------------------===//
#ifndef FERRY_EXAMPLES_PAPER2018_LULESH_H
#define FERRY_EXAMPLES_PAPER2018_LULESH_H

#include <cmath>

// Host pointers to all arrays of the code, which are mapped.
struct Domain {
#define NODE(Name) double *Name;
#define ELEM(Name) double *Name;
#define INDEX(Name, PerElem) int *Name;
#include "lulesh.def"
};
static_assert(sizeof(Domain) == 149 * sizeof(void *));

// What lies behind an element's face at the low (shift 2 * axis) or high end
// (shift 2 * axis + 6) of an axis.
enum Face { Interior = 0, Symmetry = 1, Free = 2 };

struct Viscosity {
  static constexpr double MaxSlope = 1, LimiterMult = 2, Linear = 0.5,
                          Quadratic = 2.0 / 3;
};

// Keeps quotients finite where nothing moves.
constexpr double Tiny = 1e-36;

struct Vec3 {
  double X, Y, Z;
};

inline double dot(Vec3 A, Vec3 B) { return A.X * B.X + A.Y * B.Y + A.Z * B.Z; }

inline Vec3 cross(Vec3 A, Vec3 B) {
  return {A.Y * B.Z - A.Z * B.Y, A.Z * B.X - A.X * B.Z, A.X * B.Y - A.Y * B.X};
}

// From the middle of an element's face at the low end of an axis to the middle
// of that at the high end, of a vector field that is given at the corners.
inline Vec3 difference(int Axis, const int *Nodes, const double *X,
                       const double *Y, const double *Z) {
  Vec3 Sum = {0, 0, 0};
  for (int Corner = 0; Corner < 8; ++Corner) {
    double Weight = Corner >> Axis & 1 ? 0.25 : -0.25;
    int Node = Nodes[Corner];
    Sum.X += Weight * X[Node];
    Sum.Y += Weight * Y[Node];
    Sum.Z += Weight * Z[Node];
  }
  return Sum;
}

// CalcLagrangeElements: the rate at which element I expands, and the part of
// its strain rate that keeps the volume.
inline void lagrangeElement(int I, const double *Lxx, const double *Lyy,
                            const double *Lzz, double *Dxx, double *Dyy,
                            double *Dzz, double *Vdov) {
  double Divergence = Lxx[I] + Lyy[I] + Lzz[I];
  double Third = Divergence / 3;
  Vdov[I] = Divergence;
  Dxx[I] = Lxx[I] - Third;
  Dyy[I] = Lyy[I] - Third;
  Dzz[I] = Lzz[I] - Third;
}

// CalcMonotonicQGradientsForElems: for each axis of element I its width, and
// the velocity at which its two ends move apart.
inline void monotonicQGradients(
    int I, const int *NodeList, const double *X, const double *Y,
    const double *Z, const double *Xd, const double *Yd, const double *Zd,
    const double *Volo, const double *VNew, double *DelxXi, double *DelxEta,
    double *DelxZeta, double *DelvXi, double *DelvEta, double *DelvZeta) {
  const int *Nodes = NodeList + 8 * I;
  double Volume = Volo[I] * VNew[I];
  Vec3 Xi = difference(0, Nodes, X, Y, Z);
  Vec3 Eta = difference(1, Nodes, X, Y, Z);
  Vec3 Zeta = difference(2, Nodes, X, Y, Z);

  // The width is the volume by the area across the axis.
  Vec3 Normal = cross(Eta, Zeta);
  double Area = std::sqrt(dot(Normal, Normal) + Tiny);
  DelxXi[I] = Volume / Area;
  DelvXi[I] = dot(Normal, difference(0, Nodes, Xd, Yd, Zd)) / Area;

  Normal = cross(Zeta, Xi);
  Area = std::sqrt(dot(Normal, Normal) + Tiny);
  DelxEta[I] = Volume / Area;
  DelvEta[I] = dot(Normal, difference(1, Nodes, Xd, Yd, Zd)) / Area;

  Normal = cross(Xi, Eta);
  Area = std::sqrt(dot(Normal, Normal) + Tiny);
  DelxZeta[I] = Volume / Area;
  DelvZeta[I] = dot(Normal, difference(2, Nodes, Xd, Yd, Zd)) / Area;
}

// The velocity difference in the neighbour of element I behind a face.
inline double delvBehind(int Boundary, int Shift, int I, int Neighbour,
                         const double *Delv) {
  switch (Boundary >> Shift & 3) {
  case Interior:
    return Delv[Neighbour];
  case Symmetry:
    return Delv[I];
  default:
    return 0;
  }
}

// How smooth the flow is along an axis: 0 in a shock, 1 where the velocity is
// linear. Own, Low and High are the differences in an element and beside it.
inline double limiter(double Own, double Low, double High) {
  double By = 1 / (Own + Tiny);
  Low *= By;
  High *= By;
  double Phi = 0.5 * (Low + High);
  Low *= Viscosity::LimiterMult;
  High *= Viscosity::LimiterMult;
  if (Low < Phi)
    Phi = Low;
  if (High < Phi)
    Phi = High;
  if (Phi < 0)
    Phi = 0;
  if (Phi > Viscosity::MaxSlope)
    Phi = Viscosity::MaxSlope;
  return Phi;
}

// CalcMonotonicQRegionForElems: the linear and the quadratic term of the
// artificial viscosity of element I, which is there where it is compressed.
inline void monotonicQRegion(int I, const int *ElemBc, const int *LXim,
                             const int *LXip, const int *LEtam,
                             const int *LEtap, const int *LZetam,
                             const int *LZetap, const double *DelvXi,
                             const double *DelvEta, const double *DelvZeta,
                             const double *DelxXi, const double *DelxEta,
                             const double *DelxZeta, const double *Vdov,
                             const double *ElemMass, const double *Volo,
                             const double *VNew, double *Ql, double *Qq) {
  int Bc = ElemBc[I];
  double PhiXi = limiter(DelvXi[I], delvBehind(Bc, 0, I, LXim[I], DelvXi),
                         delvBehind(Bc, 6, I, LXip[I], DelvXi));
  double PhiEta = limiter(DelvEta[I], delvBehind(Bc, 2, I, LEtam[I], DelvEta),
                          delvBehind(Bc, 8, I, LEtap[I], DelvEta));
  double PhiZeta =
      limiter(DelvZeta[I], delvBehind(Bc, 4, I, LZetam[I], DelvZeta),
              delvBehind(Bc, 10, I, LZetap[I], DelvZeta));

  double LinearTerm = 0, QuadraticTerm = 0;
  if (Vdov[I] <= 0) {
    double Xi = DelvXi[I] * DelxXi[I];
    double Eta = DelvEta[I] * DelxEta[I];
    double Zeta = DelvZeta[I] * DelxZeta[I];
    if (Xi > 0)
      Xi = 0;
    if (Eta > 0)
      Eta = 0;
    if (Zeta > 0)
      Zeta = 0;
    double Rho = ElemMass[I] / (Volo[I] * VNew[I]);
    LinearTerm = -Viscosity::Linear * Rho *
                 (Xi * (1 - PhiXi) + Eta * (1 - PhiEta) + Zeta * (1 - PhiZeta));
    QuadraticTerm =
        Viscosity::Quadratic * Rho *
        (Xi * Xi * (1 - PhiXi * PhiXi) + Eta * Eta * (1 - PhiEta * PhiEta) +
         Zeta * Zeta * (1 - PhiZeta * PhiZeta));
  }
  Ql[I] = LinearTerm;
  Qq[I] = QuadraticTerm;
}

// CalcSoundSpeedForElems, of the element that has number I in its region's
// list; the reference density is 1.
inline void soundSpeed(int I, const int *RegElemList, const double *VNewC,
                       const double *Pbvc, const double *ENew,
                       const double *Bvc, const double *PNew, double *Ss) {
  constexpr double Least = 1e-18;
  int Elem = RegElemList[I];
  double V = VNewC[Elem];
  double Square = Pbvc[I] * ENew[I] + V * V * Bvc[I] * PNew[I];
  Ss[Elem] = Square > Least * Least ? std::sqrt(Square) : Least;
}

#endif // FERRY_EXAMPLES_PAPER2018_LULESH_H
