// Four kernels of LULESH as lambdas that capture their arrays, by init
// captures, out of a domain object of 149 pointers.
//
//   ferry-clang++ -O3 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu \
//     lulesh_arrays.cpp
//
//   plain     OpenMP's directives around the loop itself
//   explicit  the lambda is made inside `target data use_device_ptr(...)`
//   lambda    init captures, and nothing else
//
// lagrange is small and has no branches, gradients is large and has none,
// viscosity has a switch and many ifs and uses 20 arrays, soundspeed is small
// and indirect, and LULESH runs it most often. The last two run once for each
// region. The captured pointers are direct members of the closure: so this
// program runs with `--ferry-off` as well, and must print the same bits.
// lulesh_domain.cpp captures the domain instead.
#include "loops.h"
#include "lulesh_plain.h"
#include "lulesh_problem.h"

struct Explicit {
  static void lagrange(const Domain &D, int NumElem) {
    const double *Lxx = D.Lxx, *Lyy = D.Lyy, *Lzz = D.Lzz;
    double *Dxx = D.Dxx, *Dyy = D.Dyy, *Dzz = D.Dzz, *Vdov = D.Vdov;
#pragma omp target data use_device_ptr(Lxx, Lyy, Lzz, Dxx, Dyy, Dzz, Vdov)
    forall(0, NumElem, [=](int I) {
      lagrangeElement(I, Lxx, Lyy, Lzz, Dxx, Dyy, Dzz, Vdov);
    });
  }

  static void gradients(const Domain &D, int NumElem) {
    const int *NodeList = D.NodeList;
    const double *X = D.X, *Y = D.Y, *Z = D.Z;
    const double *Xd = D.Xd, *Yd = D.Yd, *Zd = D.Zd;
    const double *Volo = D.Volo, *VNew = D.VNew;
    double *DelxXi = D.DelxXi, *DelxEta = D.DelxEta, *DelxZeta = D.DelxZeta;
    double *DelvXi = D.DelvXi, *DelvEta = D.DelvEta, *DelvZeta = D.DelvZeta;
#pragma omp target data use_device_ptr(NodeList, X, Y, Z, Xd, Yd, Zd, Volo,    \
                                           VNew, DelxXi, DelxEta, DelxZeta,    \
                                           DelvXi, DelvEta, DelvZeta)
    forall(0, NumElem, [=](int I) {
      monotonicQGradients(I, NodeList, X, Y, Z, Xd, Yd, Zd, Volo, VNew, DelxXi,
                          DelxEta, DelxZeta, DelvXi, DelvEta, DelvZeta);
    });
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
#pragma omp target data use_device_ptr(                                        \
        RegElemList, ElemBc, LXim, LXip, LEtam, LEtap, LZetam, LZetap, DelvXi, \
            DelvEta, DelvZeta, DelxXi, DelxEta, DelxZeta, Vdov, ElemMass,      \
            Volo, VNew, Ql, Qq)
    forall(Begin, End, [=](int I) {
      monotonicQRegion(RegElemList[I], ElemBc, LXim, LXip, LEtam, LEtap, LZetam,
                       LZetap, DelvXi, DelvEta, DelvZeta, DelxXi, DelxEta,
                       DelxZeta, Vdov, ElemMass, Volo, VNew, Ql, Qq);
    });
  }

  static void soundSpeeds(const Domain &D, int Begin, int End) {
    const int *RegElemList = D.RegElemList;
    const double *VNewC = D.VNewC, *Pbvc = D.Pbvc, *ENew = D.ENew;
    const double *Bvc = D.Bvc, *PNew = D.PNew;
    double *Ss = D.Ss;
#pragma omp target data use_device_ptr(RegElemList, VNewC, Pbvc, ENew, Bvc,    \
                                           PNew, Ss)
    forall(Begin, End, [=](int I) {
      soundSpeed(I, RegElemList, VNewC, Pbvc, ENew, Bvc, PNew, Ss);
    });
  }
};

struct Lambda {
  static void lagrange(const Domain &D, int NumElem) {
    forall(0, NumElem,
           [Lxx = D.Lxx, Lyy = D.Lyy, Lzz = D.Lzz, Dxx = D.Dxx, Dyy = D.Dyy,
            Dzz = D.Dzz, Vdov = D.Vdov](int I) {
             lagrangeElement(I, Lxx, Lyy, Lzz, Dxx, Dyy, Dzz, Vdov);
           });
  }

  static void gradients(const Domain &D, int NumElem) {
    forall(0, NumElem,
           [NodeList = D.NodeList, X = D.X, Y = D.Y, Z = D.Z, Xd = D.Xd,
            Yd = D.Yd, Zd = D.Zd, Volo = D.Volo, VNew = D.VNew,
            DelxXi = D.DelxXi, DelxEta = D.DelxEta, DelxZeta = D.DelxZeta,
            DelvXi = D.DelvXi, DelvEta = D.DelvEta,
            DelvZeta = D.DelvZeta](int I) {
             monotonicQGradients(I, NodeList, X, Y, Z, Xd, Yd, Zd, Volo, VNew,
                                 DelxXi, DelxEta, DelxZeta, DelvXi, DelvEta,
                                 DelvZeta);
           });
  }

  static void viscosity(const Domain &D, int Begin, int End) {
    forall(Begin, End,
           [RegElemList = D.RegElemList, ElemBc = D.ElemBc, LXim = D.LXim,
            LXip = D.LXip, LEtam = D.LEtam, LEtap = D.LEtap, LZetam = D.LZetam,
            LZetap = D.LZetap, DelvXi = D.DelvXi, DelvEta = D.DelvEta,
            DelvZeta = D.DelvZeta, DelxXi = D.DelxXi, DelxEta = D.DelxEta,
            DelxZeta = D.DelxZeta, Vdov = D.Vdov, ElemMass = D.ElemMass,
            Volo = D.Volo, VNew = D.VNew, Ql = D.Ql, Qq = D.Qq](int I) {
             monotonicQRegion(RegElemList[I], ElemBc, LXim, LXip, LEtam, LEtap,
                              LZetam, LZetap, DelvXi, DelvEta, DelvZeta, DelxXi,
                              DelxEta, DelxZeta, Vdov, ElemMass, Volo, VNew, Ql,
                              Qq);
           });
  }

  static void soundSpeeds(const Domain &D, int Begin, int End) {
    forall(Begin, End,
           [RegElemList = D.RegElemList, VNewC = D.VNewC, Pbvc = D.Pbvc,
            ENew = D.ENew, Bvc = D.Bvc, PNew = D.PNew, Ss = D.Ss](int I) {
             soundSpeed(I, RegElemList, VNewC, Pbvc, ENew, Bvc, PNew, Ss);
           });
  }
};

int main(int Argc, char **Argv) {
  LuleshKernels Kernels(Argc, Argv);
  Kernels.run<Plain>("plain");
  Kernels.run<Explicit>("explicit");
  Kernels.run<Lambda>("lambda");
  return Kernels.finish();
}

// RUN: %same_without_ferry
