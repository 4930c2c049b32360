//===- lulesh_plain.h - The kernels without lambdas -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The four kernels as a program without a framework has them. What the others
// are compared with.
//
//===----------------------------------------------------------------------===//
#ifndef FERRY_EXAMPLES_PAPER2018_LULESH_PLAIN_H
#define FERRY_EXAMPLES_PAPER2018_LULESH_PLAIN_H

#include "lulesh.h"

struct Plain {
  static void lagrange(const Domain &D, int NumElem) {
    const double *Lxx = D.Lxx, *Lyy = D.Lyy, *Lzz = D.Lzz;
    double *Dxx = D.Dxx, *Dyy = D.Dyy, *Dzz = D.Dzz, *Vdov = D.Vdov;
#pragma omp target teams distribute parallel for
    for (int I = 0; I < NumElem; ++I)
      lagrangeElement(I, Lxx, Lyy, Lzz, Dxx, Dyy, Dzz, Vdov);
  }

  static void gradients(const Domain &D, int NumElem) {
    const int *NodeList = D.NodeList;
    const double *X = D.X, *Y = D.Y, *Z = D.Z;
    const double *Xd = D.Xd, *Yd = D.Yd, *Zd = D.Zd;
    const double *Volo = D.Volo, *VNew = D.VNew;
    double *DelxXi = D.DelxXi, *DelxEta = D.DelxEta, *DelxZeta = D.DelxZeta;
    double *DelvXi = D.DelvXi, *DelvEta = D.DelvEta, *DelvZeta = D.DelvZeta;
#pragma omp target teams distribute parallel for
    for (int I = 0; I < NumElem; ++I)
      monotonicQGradients(I, NodeList, X, Y, Z, Xd, Yd, Zd, Volo, VNew, DelxXi,
                          DelxEta, DelxZeta, DelvXi, DelvEta, DelvZeta);
  }

  static void viscosity(const Domain &D, int Begin, int End) {
    const int *RegElemList = D.RegElemList, *ElemBc = D.ElemBc;
    const int *LXim = D.LXim, *LXip = D.LXip, *LEtam = D.LEtam;
    const int *LEtap = D.LEtap, *LZetam = D.LZetam, *LZetap = D.LZetap;
    const double *DelvXi = D.DelvXi, *DelvEta = D.DelvEta;
    const double *DelvZeta = D.DelvZeta, *DelxXi = D.DelxXi;
    const double *DelxEta = D.DelxEta, *DelxZeta = D.DelxZeta;
    const double *Vdov = D.Vdov, *ElemMass = D.ElemMass;
    const double *Volo = D.Volo, *VNew = D.VNew;
    double *Ql = D.Ql, *Qq = D.Qq;
#pragma omp target teams distribute parallel for
    for (int I = Begin; I < End; ++I)
      monotonicQRegion(RegElemList[I], ElemBc, LXim, LXip, LEtam, LEtap, LZetam,
                       LZetap, DelvXi, DelvEta, DelvZeta, DelxXi, DelxEta,
                       DelxZeta, Vdov, ElemMass, Volo, VNew, Ql, Qq);
  }

  static void soundSpeeds(const Domain &D, int Begin, int End) {
    const int *RegElemList = D.RegElemList;
    const double *VNewC = D.VNewC, *Pbvc = D.Pbvc, *ENew = D.ENew;
    const double *Bvc = D.Bvc, *PNew = D.PNew;
    double *Ss = D.Ss;
#pragma omp target teams distribute parallel for
    for (int I = Begin; I < End; ++I)
      soundSpeed(I, RegElemList, VNewC, Pbvc, ENew, Bvc, PNew, Ss);
  }
};

#endif // FERRY_EXAMPLES_PAPER2018_LULESH_PLAIN_H
