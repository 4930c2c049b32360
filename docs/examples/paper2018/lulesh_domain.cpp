// Four kernels of LULESH as lambdas that capture the whole domain, an object of
// 149 pointers, of which each kernel follows 7 to 20.
//
//   ferry-clang++ -O3 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu \
//     lulesh_domain.cpp
//
//   plain      OpenMP's directives around the loop itself
//   explicit   the closure holds a copy of the domain whose pointers were made
//              the device's by hand, all 149 by `use_device_ptr`
//   value      the closure holds a copy of the domain
//   reference  the closure holds a reference to it
//   this       the kernels are members of the domain's class
//
// The pointers are one level down in the closure: Clang leaves them the host's.
// Ferry translates those that the kernel follows and no others, at each launch,
// and leaves those of `explicit` as they are.
// lulesh_arrays.cpp captures the arrays one by one, and prints the same bits.
#include "loops.h"
#include "lulesh_plain.h"
#include "lulesh_problem.h"

struct Value {
  static void lagrange(const Domain &D, int NumElem) {
    forall(0, NumElem, [=](int I) {
      lagrangeElement(I, D.Lxx, D.Lyy, D.Lzz, D.Dxx, D.Dyy, D.Dzz, D.Vdov);
    });
  }

  static void gradients(const Domain &D, int NumElem) {
    forall(0, NumElem, [=](int I) {
      monotonicQGradients(I, D.NodeList, D.X, D.Y, D.Z, D.Xd, D.Yd, D.Zd,
                          D.Volo, D.VNew, D.DelxXi, D.DelxEta, D.DelxZeta,
                          D.DelvXi, D.DelvEta, D.DelvZeta);
    });
  }

  static void viscosity(const Domain &D, int Begin, int End) {
    forall(Begin, End, [=](int I) {
      monotonicQRegion(D.RegElemList[I], D.ElemBc, D.LXim, D.LXip, D.LEtam,
                       D.LEtap, D.LZetam, D.LZetap, D.DelvXi, D.DelvEta,
                       D.DelvZeta, D.DelxXi, D.DelxEta, D.DelxZeta, D.Vdov,
                       D.ElemMass, D.Volo, D.VNew, D.Ql, D.Qq);
    });
  }

  static void soundSpeeds(const Domain &D, int Begin, int End) {
    forall(Begin, End, [=](int I) {
      soundSpeed(I, D.RegElemList, D.VNewC, D.Pbvc, D.ENew, D.Bvc, D.PNew,
                 D.Ss);
    });
  }
};

struct Explicit {
  static Domain onDevice(Domain D) {
#define TRANSLATE(Name)                                                        \
  {                                                                            \
    auto *Pointer = D.Name;                                                    \
    _Pragma("omp target data use_device_ptr(Pointer)") D.Name = Pointer;       \
  }
#define NODE(Name) TRANSLATE(Name)
#define ELEM(Name) TRANSLATE(Name)
#define INDEX(Name, PerElem) TRANSLATE(Name)
#include "lulesh.def"
    return D;
  }

  static void lagrange(const Domain &D, int NumElem) {
    Value::lagrange(onDevice(D), NumElem);
  }
  static void gradients(const Domain &D, int NumElem) {
    Value::gradients(onDevice(D), NumElem);
  }
  static void viscosity(const Domain &D, int Begin, int End) {
    Value::viscosity(onDevice(D), Begin, End);
  }
  static void soundSpeeds(const Domain &D, int Begin, int End) {
    Value::soundSpeeds(onDevice(D), Begin, End);
  }
};

struct Reference {
  static void lagrange(const Domain &D, int NumElem) {
    forall(0, NumElem, [&](int I) {
      lagrangeElement(I, D.Lxx, D.Lyy, D.Lzz, D.Dxx, D.Dyy, D.Dzz, D.Vdov);
    });
  }

  static void gradients(const Domain &D, int NumElem) {
    forall(0, NumElem, [&](int I) {
      monotonicQGradients(I, D.NodeList, D.X, D.Y, D.Z, D.Xd, D.Yd, D.Zd,
                          D.Volo, D.VNew, D.DelxXi, D.DelxEta, D.DelxZeta,
                          D.DelvXi, D.DelvEta, D.DelvZeta);
    });
  }

  static void viscosity(const Domain &D, int Begin, int End) {
    forall(Begin, End, [&](int I) {
      monotonicQRegion(D.RegElemList[I], D.ElemBc, D.LXim, D.LXip, D.LEtam,
                       D.LEtap, D.LZetam, D.LZetap, D.DelvXi, D.DelvEta,
                       D.DelvZeta, D.DelxXi, D.DelxEta, D.DelxZeta, D.Vdov,
                       D.ElemMass, D.Volo, D.VNew, D.Ql, D.Qq);
    });
  }

  static void soundSpeeds(const Domain &D, int Begin, int End) {
    forall(Begin, End, [&](int I) {
      soundSpeed(I, D.RegElemList, D.VNewC, D.Pbvc, D.ENew, D.Bvc, D.PNew,
                 D.Ss);
    });
  }
};

// In members the names of the arrays alone are enough.
struct Hydrodynamics : Domain {
  explicit Hydrodynamics(const Domain &D) : Domain(D) {}

  void lagrange(int NumElem) {
    forall(0, NumElem, [this](int I) {
      lagrangeElement(I, Lxx, Lyy, Lzz, Dxx, Dyy, Dzz, Vdov);
    });
  }

  void gradients(int NumElem) {
    forall(0, NumElem, [this](int I) {
      monotonicQGradients(I, NodeList, X, Y, Z, Xd, Yd, Zd, Volo, VNew, DelxXi,
                          DelxEta, DelxZeta, DelvXi, DelvEta, DelvZeta);
    });
  }

  void viscosity(int Begin, int End) {
    forall(Begin, End, [this](int I) {
      monotonicQRegion(RegElemList[I], ElemBc, LXim, LXip, LEtam, LEtap, LZetam,
                       LZetap, DelvXi, DelvEta, DelvZeta, DelxXi, DelxEta,
                       DelxZeta, Vdov, ElemMass, Volo, VNew, Ql, Qq);
    });
  }

  void soundSpeeds(int Begin, int End) {
    forall(Begin, End, [this](int I) {
      soundSpeed(I, RegElemList, VNewC, Pbvc, ENew, Bvc, PNew, Ss);
    });
  }
};

struct This {
  static void lagrange(const Domain &D, int NumElem) {
    Hydrodynamics(D).lagrange(NumElem);
  }
  static void gradients(const Domain &D, int NumElem) {
    Hydrodynamics(D).gradients(NumElem);
  }
  static void viscosity(const Domain &D, int Begin, int End) {
    Hydrodynamics(D).viscosity(Begin, End);
  }
  static void soundSpeeds(const Domain &D, int Begin, int End) {
    Hydrodynamics(D).soundSpeeds(Begin, End);
  }
};

int main(int Argc, char **Argv) {
  LuleshKernels Kernels(Argc, Argv);
  Kernels.run<Plain>("plain");
  Kernels.run<Explicit>("explicit");
  Kernels.run<Value>("value");
  Kernels.run<Reference>("reference");
  Kernels.run<This>("this");
  return Kernels.finish();
}

// RUN: %wrong_without_ferry
// What Clang can do without Ferry has the same bits.
// RUN: not %t/off > %t/off.out 2> %t/off.err
// RUN: grep value %t/off.err && not grep '^[a-z]*-plain\|explicit' %t/off.err
// RUN: grep -o 'bits .*' %t/off.out > %t/off.bits
// RUN: %t/host | grep -o 'bits .*' | diff %t/off.bits -
