// A launch of little work waits for its code, as a warp does most instructions
// once. Iterations of a full tile are unrolled together as far as that is not
// much code: 32 divisions here were 32 times a division's. And where a kernel
// has four loops over rows, they share what copies these.
//
// RUN: rm -rf %t.temps && mkdir %t.temps
// RUN: %sim_cxx -O3 %s -c -o %t.temps/code.o -save-temps=obj -Rpass=ferry-stage 2>&1 | FileCheck %s --check-prefix=STAGED
// STAGED-COUNT-8: staged 1 load
// RUN: %python %S/Inputs/staged_code.py %t.temps/*nvptx*.s rcp.rn.f64 call.uni > %t.counts
// RUN: FileCheck %s --input-file=%t.counts
// CHECK: Quotients: {{[1-9][0-9]}} of rcp.rn.f64, 0 of call.uni
// CHECK: LoopsILi3: 0 of rcp.rn.f64, 0 of call.uni
// CHECK: LoopsILi4: 0 of rcp.rn.f64, {{[1-9][0-9]*}} of call.uni
// Each loop's rows are copied in the same ways.
// RUN: grep -c "^.func __ferry_copy.*($" %t.temps/*nvptx*.s | FileCheck %s --check-prefix=SHARED
// SHARED: {{^5$}}
//
// RUN: %sim_cxx -O3 %s -o %t
// RUN: %ferry_sim --strict --quiet --json %t.json -- %t && %ferry_sim --strict --quiet --seed 3 -- %t
// RUN: %python %S/Inputs/all_staged.py %t.json 3

#include "../sim/Inputs/check.h"

namespace {
constexpr int Rows = 2000, Columns = 200;

struct Matrix {
  double *A = new double[Rows * Columns], *Sums = new double[Rows],
         *Want = new double[Rows];
  Matrix() {
    for (int I = 0; I < Rows * Columns; ++I)
      A[I] = I % 89; // sums of squares are exact
  }
  ~Matrix() { delete[] A, delete[] Sums, delete[] Want; }

  /// Computes Of(row) for each row, on the device and on the host.
  template <class Function> void check(Function Of) {
    const double *A = this->A;
    double *Sums = this->Sums;
#pragma omp target teams distribute parallel for                               \
    map(to : A[0 : Rows * Columns]) map(from : Sums[0 : Rows])
    for (int I = 0; I < Rows; ++I)
      Sums[I] = Of(A + I * Columns);
    for (int I = 0; I < Rows; ++I)
      Want[I] = Of(A + I * Columns);
    check::array("Sums", Sums, Want, Rows);
  }
};

struct Quotients {
  double operator()(const double *Row) const {
    double Sum = 0;
    for (int K = 0; K < Columns; ++K)
      Sum += 1 / (Row[K] + 3) + 1 / (Row[K] + 5);
    return Sum;
  }
};

/// How far the row is from points, one after the other.
template <int Points> struct Loops {
  double operator()(const double *Row) const {
    double Least = 1e9;
#pragma clang loop unroll(full)
    for (int P = 0; P < Points; ++P) {
      double Sum = 0;
      for (int K = 0; K < Columns; ++K)
        Sum += (Row[K] - P) * (Row[K] - P);
      Least = Sum < Least ? Sum : Least;
    }
    return Least;
  }
};
using ThreeLoops = Loops<3>;
using FourLoops = Loops<4>;
} // namespace

PROGRAM(quotients) { Matrix().check(Quotients()); }
PROGRAM(three_loops) { Matrix().check(ThreeLoops()); }
PROGRAM(four_loops) { Matrix().check(FourLoops()); }

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
