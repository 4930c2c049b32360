// Mathematical functions are no obstacle, and the plan is the same without a
// CUDA toolkit, where they are declarations, and with one, where they are bodies
// with loops, tables and inline assembly. Only predicted times, which are those
// of the instructions that are there, differ.
//
// RUN: %sim_cxx -O2 %s -o %t -Rpass=ferry-stage -Rpass-missed=ferry-stage 2>&1 | grep remark: | sed 's/; predicted.*//' | sort -u > %t.remarks
// RUN: FileCheck %s --input-file=%t.remarks --implicit-check-not="not staged"
// CHECK-COUNT-20: staged 1 load
// RUN: %ferry_sim --strict --quiet --json %t.json -- %t
// RUN: %python %S/Inputs/all_staged.py %t.json 20
//
// A toolkit of which Clang takes the functions alone.
// RUN: rm -rf %t.cuda && cp -r %files/cuda %t.cuda
// RUN: llvm-as %S/Inputs/libdevice.ll -o %t.cuda/nvvm/libdevice/libdevice.10.bc
// RUN: echo --cuda-path=%t.cuda > %t.options
// RUN: rm -rf %t.temps && mkdir %t.temps
// RUN: %sim_cxx -O2 %s -c -o %t.o @%t.options -Rpass=ferry-stage -Rpass-missed=ferry-stage 2>&1 | grep remark: | sed 's/; predicted.*//' | sort -u | diff %t.remarks -
// RUN: %sim_cxx -O2 %s -c -o %t.temps/math.o -save-temps=obj @%t.options
// RUN: grep -v ferry.bc %t.temps/*nvptx*.s | FileCheck %s --check-prefix=BODIES --implicit-check-not="__nv_sinf," --implicit-check-not="__nv_fmodf,"
// BODIES: rsqrt.approx.ftz.f64
//
// A real one.
// RUN: %if cuda-toolkit %{ %ferry_clangxx --ferry-sim %nvptx -O2 %s -o %t.real -Rpass=ferry-stage -Rpass-missed=ferry-stage 2>&1 | grep remark: | sed 's/; predicted.*//' | sort -u | diff %t.remarks - %}
// RUN: %if cuda-toolkit %{ %ferry_sim --strict --quiet --json %t.json -- %t.real %}
// RUN: %if cuda-toolkit %{ %python %S/Inputs/all_staged.py %t.json 20 %}

#include "../sim/Inputs/check.h"

namespace {
constexpr int Rows = 256, Columns = 96;

template <class T>
struct Matrix {
  T *A = new T[Rows * Columns], *Sums = new T[Rows];
  Matrix() {
    for (int I = 0; I < Rows * Columns; ++I)
      A[I] = T(I % 89 + 1) / 90;
  }
  ~Matrix() { delete[] A, delete[] Sums; }
  template <class F>
  void check(F Function) const {
    for (int R = 0; R < Rows; ++R) {
      double Want = 0;
      for (int C = 0; C < Columns; ++C)
        Want += Function(A[R * Columns + C]);
      check::close("a sum", Sums[R], Want, sizeof(T) == 4 ? 1e-4 : 1e-12, R);
    }
  }
};
} // namespace

#define ROWS(NAME, T, EXPRESSION)                                                                                                                   \
  PROGRAM(NAME##_##T) {                                                                                                                             \
    Matrix<T> M;                                                                                                                                    \
    T *A = M.A, *Sums = M.Sums;                                                                                                                     \
    _Pragma("omp target teams distribute parallel for map(to : A[0 : Rows * Columns]) map(from : Sums[0 : Rows])") for (int R = 0; R < Rows; ++R) { \
      T Sum = 0;                                                                                                                                    \
      for (int C = 0; C < Columns; ++C) {                                                                                                           \
        const T X = A[R * Columns + C];                                                                                                             \
        Sum += EXPRESSION;                                                                                                                          \
      }                                                                                                                                             \
      Sums[R] = Sum;                                                                                                                                \
    }                                                                                                                                               \
    M.check([](T X) { return EXPRESSION; });                                                                                                        \
  }
#define BOTH(NAME, EXPRESSION)  \
  ROWS(NAME, float, EXPRESSION) \
  ROWS(NAME, double, EXPRESSION)

BOTH(fabs, std::fabs(X))
BOTH(sqrt, std::sqrt(X))
BOTH(exp, std::exp(X))
BOTH(log, std::log(X))
BOTH(sin, std::sin(X))
BOTH(cos, std::cos(X))
BOTH(pow, std::pow(X, decltype(X)(1.5)))
BOTH(cbrt, std::cbrt(X))
BOTH(fmod, std::fmod(X, decltype(X)(0.3125)))
BOTH(tanh, std::tanh(X))

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
