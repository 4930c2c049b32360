// Closures that cross translation units: the region is in another unit or in a
// shared library, or the kernel calls a function whose body is elsewhere.
//
// RUN: for o in "-O0 -g" -O2 "-O3 -g"; do echo "at $o"; \
// RUN:   for f in %s %S/Inputs/units_library.cpp %S/Inputs/units_device.cpp; do \
// RUN:     %ferry_clangxx %offload $o -fPIC -c $f -o %t.$(basename $f).o || exit 1; done; \
// RUN:   %ferry_clangxx %offload %t.units.cpp.o %t.units_library.cpp.o %t.units_device.cpp.o -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; \
// RUN:   %ferry_clangxx %offload -shared %t.units_library.cpp.o -o %t.so || exit 1; \
// RUN:   %ferry_clangxx %offload %t.units.cpp.o %t.units_device.cpp.o %t.so -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t
// RUN: %ferry_clangxx --ferry-off %offload -O2 %s %S/Inputs/units_library.cpp %S/Inputs/units_device.cpp -o %t.stock
// RUN: not env OMP_TARGET_OFFLOAD=MANDATORY %t.stock --isolate | FileCheck %s --check-prefix=STOCK

#include "Inputs/units.h"
#include "Inputs/check.h"

namespace {
constexpr int N = 12;
}

// STOCK: FAIL region_in_other_unit
SHAPE(region_in_other_unit) {
  Mapped<int> A(N), Out(N, 2);
  Saxpy F{{A}, {Out}, 3};
  runSaxpy(N, F);
  check::absent("F", F);
  Out.expect([&](int I) { return Out.at(I) + 3 * A.at(I); });
}

// STOCK-NEXT: FAIL region_in_other_unit_by_value
SHAPE(region_in_other_unit_by_value) {
  Mapped<int> A(N), Out(N, 2);
  runSaxpyByValue(N, Saxpy{{A}, {Out}, 3});
  loop(N, Saxpy{{A}, {Out}, -1});
  Out.expect([&](int I) { return Out.at(I) + 5 * A.at(I); });
}

// STOCK-NEXT: FAIL closure_of_inline_function
SHAPE(closure_of_inline_function) {
  Mapped<int> A(N), Out(N, 2), Out2(N, 3);
  runCopy(N, makeCopy(View{A}, Out));
  loop(N, makeCopy(View{A}, Out2));
  Out.expect([&](int I) { return A.at(I) + 1; });
  Out2.expect([&](int I) { return A.at(I) + 1; });
}

// STOCK-NEXT: FAIL sum_in_other_unit
SHAPE(sum_in_other_unit) {
  Mapped<int> A(N);
  int Want = 0;
  for (int I = 0; I < N; ++I)
    Want += A.at(I) / 2;
  check::equal("the sum", runSum(N, View{A}), Want);
}

// STOCK-NEXT: FAIL kernel_calls_other_unit
SHAPE(kernel_calls_other_unit) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  View X{A}, Y{B};
  View To{Out};
  auto Read = [=](int I) { return readFar(Y, I); };
  loop(N, [=](int I) { writeFar(To.Data, I, readFar(X, I) + Read(I)); });
  Out.expect([&](int I) { return A.at(I) + B.at(I); });
}

// STOCK-NEXT: FAIL kernel_gives_references_to_other_unit
SHAPE(kernel_gives_references_to_other_unit) {
  Mapped<int> A(N), Out(N, 2);
  View X{A}, To{Out};
  loop(N, [&](int I) { writeFar(To.Data, I, readFar(X, I) + 1); });
  check::pointer("X.Data", X.Data, A.Host);
  check::absent("X", X);
  Out.expect([&](int I) { return A.at(I) + 1; });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
