// 26 lambdas nested in lambdas of main, each of which launches a kernel with a
// lambda of its own. Clang numbers the lambdas of main in the order in which it
// mangles their names, which differs between host and device when kernels call
// other lambdas of main: then kernels go missing.
//
// RUN: for o in "-O0 -g" -O1 -O2 "-O3 -g"; do echo "at $o"; \
// RUN:   %ferry_clangxx %offload $o %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t 2>&1 | FileCheck %s || exit 1; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t
// RUN: %ferry_clangxx --ferry-off %offload -O2 %s -o %t.stock
// RUN: (env OMP_TARGET_OFFLOAD=MANDATORY %t.stock || true) 2>&1 | FileCheck %s --check-prefix=STOCK
// CHECK-NOT: Failed to load kernel
// CHECK: ok nested_lambdas_of_main
// CHECK: ok 26 kernels
// STOCK: Failed to load kernel

#include "Inputs/check.h"
#include "Inputs/forall.h"

constexpr int N = 4;

int main() {
  Mapped<int> A(N), Out(26 * N, 2);
  int *P = A, *Q = Out, Launches = 0;
  auto Read = [=](int I) { return P[I]; };
  auto Add = [=](int I, int V) { return Read(I) + V; };

  auto First = [&] {
    ++Launches;
    forall(N, [=](int I) { Q[0 * N + I] = Add(I, 0); });
    auto First1 = [&] {
      ++Launches;
      forallByReference(N, [&](int I) { Q[1 * N + I] = Read(I) + 1; });
      auto First11 = [&] {
        ++Launches;
        inOrder(N, [=, &Q](int I) { Q[2 * N + I] = Add(I, 2); });
        auto First111 = [&] {
          ++Launches;
          forall(N, [=](int I) { Q[3 * N + I] = P[I] + 3; });
        };
        First111();
      };
      auto First12 = [&] {
        ++Launches;
        forallByReference(N, [&](int I) { Q[4 * N + I] = Read(I) + 4; });
      };
      First12();
      First11();
    };
    auto First2 = [&] {
      ++Launches;
      inOrder(N, [=, &Q](int I) { Q[5 * N + I] = Add(I, 5); });
    };
    First2();
    First1();
  };
  auto Second = [&] {
    ++Launches;
    forall(N, [=](int I) { Q[6 * N + I] = P[I] + 6; });
    auto Second1 = [&] {
      ++Launches;
      forallByReference(N, [&](int I) { Q[7 * N + I] = Read(I) + 7; });
      auto Second11 = [&] {
        ++Launches;
        inOrder(N, [=, &Q](int I) { Q[8 * N + I] = Add(I, 8); });
      };
      Second11();
    };
    auto Second2 = [&] {
      ++Launches;
      forall(N, [=](int I) { Q[9 * N + I] = P[I] + 9; });
    };
    Second2();
    Second1();
  };
  auto Third = [&] {
    ++Launches;
    forallByReference(N, [&](int I) { Q[10 * N + I] = Read(I) + 10; });
    auto Third1 = [&] {
      ++Launches;
      inOrder(N, [=, &Q](int I) { Q[11 * N + I] = Add(I, 11); });
      auto Third11 = [&] {
        ++Launches;
        forall(N, [=](int I) { Q[12 * N + I] = P[I] + 12; });
        auto Third111 = [&] {
          ++Launches;
          forallByReference(N, [&](int I) { Q[13 * N + I] = Read(I) + 13; });
          auto Third1111 = [&] {
            ++Launches;
            inOrder(N, [=, &Q](int I) { Q[14 * N + I] = Add(I, 14); });
          };
          Third1111();
        };
        auto Third112 = [&] {
          ++Launches;
          forall(N, [=](int I) { Q[15 * N + I] = P[I] + 15; });
        };
        Third112();
        Third111();
      };
      auto Third12 = [&] {
        ++Launches;
        forallByReference(N, [&](int I) { Q[16 * N + I] = Read(I) + 16; });
      };
      Third12();
      Third11();
    };
    auto Third2 = [&] {
      ++Launches;
      inOrder(N, [=, &Q](int I) { Q[17 * N + I] = Add(I, 17); });
    };
    Third2();
    Third1();
  };
  auto Fourth = [&] {
    ++Launches;
    forall(N, [=](int I) { Q[18 * N + I] = P[I] + 18; });
    auto Fourth1 = [&] {
      ++Launches;
      forallByReference(N, [&](int I) { Q[19 * N + I] = Read(I) + 19; });
    };
    Fourth1();
  };
  auto Fifth = [&] {
    ++Launches;
    inOrder(N, [=, &Q](int I) { Q[20 * N + I] = Add(I, 20); });
    auto Fifth1 = [&] {
      ++Launches;
      forall(N, [=](int I) { Q[21 * N + I] = P[I] + 21; });
      auto Fifth11 = [&] {
        ++Launches;
        forallByReference(N, [&](int I) { Q[22 * N + I] = Read(I) + 22; });
      };
      Fifth11();
    };
    auto Fifth2 = [&] {
      ++Launches;
      inOrder(N, [=, &Q](int I) { Q[23 * N + I] = Add(I, 23); });
    };
    Fifth2();
    Fifth1();
  };
  auto Sixth = [&] {
    ++Launches;
    forall(N, [=](int I) { Q[24 * N + I] = P[I] + 24; });
  };
  auto Seventh = [=, &Launches] {
    ++Launches;
    forall(N, [=](auto I) { Q[25 * N + I] = Read(I) + 25; });
  };
  // Not in the order in which they are written.
  Seventh();
  Sixth();
  Fifth();
  Fourth();
  Third();
  Second();
  First();
  check::equal("the launches", Launches, 26);
  Out.expect([&](int I) { return A.at(I % N) + I / N; });
  A.expect([&](int I) { return A.at(I); });
  int Status = check::finish("nested_lambdas_of_main");
  if (!Status)
    puts("ok 26 kernels");
  return Status;
}
