// On the simulated GPU: its own findings have the names that ferry-check knows,
// and a program that was built without ferry-check is looked at as far as that
// is possible.
//
// REQUIRES: nvptx-registered-target
// RUN: %sim_cxx --ferry-check -O2 -Wno-openmp-mapping %s -o %t
// RUN: for m in line data behind wild null; do echo $m; \
// RUN:   (%ferry_sim --quiet -- %t $m 2>&1 || true) | FileCheck %s --check-prefix=$m || exit 1; done
// RUN: %ferry_sim --quiet --jobs 2 -- %t behind 2>&1 | FileCheck %s --check-prefix=behind
// RUN: %ferry_sim --quiet --strict -- %t none 2>&1 | count 0
//
// Without --ferry-check: with -g sections have names, captured pointers have
// none; where there is nobody to ask nothing is told.
// RUN: %sim_cxx -g -O2 -Wno-openmp-mapping %s -o %t.g
// RUN: (%ferry_sim --quiet -- %t.g data 2>&1 || true) | FileCheck %s --check-prefixes=SECTION,NAMED
// RUN: (env FERRY_CHECK=off %ferry_sim --quiet -- %t.g data 2>&1 || true) | FileCheck %s --check-prefix=NOTHING
// RUN: %sim_cxx -O2 -Wno-openmp-mapping %s -o %t.plain
// RUN: (%ferry_sim --quiet -- %t.plain data 2>&1 || true) | FileCheck %s --check-prefixes=SECTION,PLAIN
// SECTION: host-pointer: the address is the host's ({{.*}}): the pointer was not mapped; nearest mapping: 
// NAMED-SAME: X.Data[0:N] (800 bytes, simulator.cpp:[[#]]), ends
// PLAIN-SAME: 0x{{[0-9a-f]+}} (800 bytes), ends
// NOTHING: the pointer was not mapped{{$}}
//
// Copies, of a program that knows nothing of the checks, by directive; the
// counters do not see that anybody looks.
// RUN: env FERRY_CHECK=transfers FERRY_CHECK_FILE=%t.json %ferry_sim --quiet --json %t.looked -- %t.g copies 2>&1 | FileCheck %s --check-prefix=COPIES
// RUN: %ferry_report --text %t.looked --checks %t.json | FileCheck %s --check-prefix=TEXT
// RUN: env FERRY_CHECK=transfers %ferry_sim --quiet -- %t.plain copies 2>&1 | FileCheck %s --check-prefix=UNNAMED
// RUN: %ferry_sim --quiet --json %t.alone -- %t.g copies
// RUN: grep -v '"seconds"' %t.looked > %t.1 && grep -v '"seconds"' %t.alone > %t.2 && cmp %t.1 %t.2
//
// A page has what was found.
// RUN: env FERRY_CHECK=transfers %ferry_sim --quiet --report %t.html -- %t.g copies 2> %t.err
// RUN: grep -q '<strong>allocated-for-one-launch</strong>' %t.html
//
// RUN: env FERRY_CHECK=stale,error %ferry_sim --quiet -- %t.g lost 2>&1 | FileCheck %s --check-prefix=LOST
// RUN: env FERRY_CHECK=stale,error not %ferry_sim --quiet -- %t.g over 2>&1 | FileCheck %s --check-prefix=OVER
// RUN: env FERRY_CHECK=loud not %ferry_sim --quiet -- %t.g copies 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: ferry-check: error: FERRY_CHECK has no value 'loud'
//
// ferry-sim is no condition: the host device, and a program by plain Clang.
// RUN: %clangxx_plain -g -O2 -Wno-openmp-mapping %offload %rpath %s -o %t.host
// RUN: env FERRY_CHECK=transfers LD_LIBRARY_PATH=%files/openmp LD_PRELOAD=%files/sim/libferry-check.so %t.host copies 2>&1 | FileCheck %s --check-prefix=COPIES
// RUN: env LD_BIND_NOW=1 LD_PRELOAD=%build/lib/ferry-%llvm_version/sim/libferry-check.so true

#include <cstring>

template <typename Body> void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

struct View {
  double *Data;
};

constexpr int N = 100;

int main(int, char **Arguments) {
  const char *What = Arguments[1];
  auto Is = [&](const char *W) { return !strcmp(What, W); };
  double *Block = new double[4 * N]();
  View X{Block};
  double *Y = Is("null") ? nullptr : Block + 2 * N, *Z = Block + 2 * N + 50;
#pragma omp target enter data map(to : X.Data[0 : N])

  // Of two that are not mapped, the one that the line uses, not the nearer one.
  if (Is("line"))
    forall(N, [=](int I) {
      X.Data[I] = Y[I + 60];
      if (X.Data[I] > 1e9)
        X.Data[I] = Z[I];
    });
  // line: host-pointer: the address is the host's ({{.*}}): the pointer was not mapped; nearest captured pointer: 'Loop.Y', 480 bytes before; nearest mapping: X.Data[0:N] (800 bytes, simulator.cpp:[[#@LINE-9]]), ends 1280 bytes before
  // line-NEXT: line {{[0-9]+}}, {{.*}}simulator.cpp:[[#@LINE-5]]:

  // What depends on data is not checked before the launch.
  if (Is("data") || Is("null"))
    forall(N, [=](int I) {
      if (X.Data[I] == 0)
        X.Data[I] = Y[I + 3];
    });
  // data-NOT: ferry-check
  // data: nearest captured pointer: 'Loop.Y', 24 bytes before; nearest mapping: X.Data[0:N] (800 bytes, simulator.cpp:[[#@LINE-19]]), ends 824 bytes before
  // null-NOT: ferry-check
  // null: bad-address: {{.*}}; captured pointer 'Loop.Y' is null{{$}}

  // Memory of the device's; far behind, where there is none at all.
  const long Far = Is("behind") ? N : Is("wild") ? 1L << 33 : 0;
  forall(N, [=](int I) {
    if (X.Data[I] == 0)
      X.Data[I + Far] = 1;
  });
  // behind: out-of-bounds: {{.*}}; nearest captured pointer: 'Loop.X.Data', 800 bytes before; nearest mapping: X.Data[0:N] (800 bytes, simulator.cpp:[[#@LINE-29]]), ends 0 bytes before

  // wild: {{out-of-bounds|bad-address}}: {{.*}}; nearest captured pointer: 'Loop.X.Data', 68719476736 bytes before; nearest mapping: X.Data[0:N] (800 bytes, simulator.cpp:[[#]]), ends 68719475936 bytes before

  for (int R = 0; R < 5 && Is("copies"); ++R) {
#pragma omp target teams distribute parallel for map(tofrom : Y[0 : N])
    for (int I = 0; I < N; ++I)
      Y[I] += 1;
#pragma omp target update from(X.Data[0 : N])
  }
  // COPIES-DAG: ferry-check: advice: simulator.cpp:[[#@LINE-5]], device 0{{[[:space:]]}}  'Y[0:N]' is allocated and freed around one launch: 5 times, 4000 bytes
  // COPIES-DAG: ferry-check: advice: simulator.cpp:[[#@LINE-3]], device 0{{[[:space:]]}}  'X.Data[0:N]' is brought back as the host has it: 4 times, 3200 bytes
  // COPIES-NOT: 'Y[0:N]' is brought back as the host has it
  // TEXT: allocated-for-one-launch, simulator.cpp:[[#@LINE-8]]
  // UNNAMED: ferry-check: advice: device 0{{$}}
  // UNNAMED-NEXT: data without a name (compile with -g) is brought back as the host has it: 4 times, 3200 bytes

  if (Is("over")) {
#pragma omp target update to(X.Data[0 : N])
  }
  // OVER: ferry-check: simulator.cpp:[[#@LINE-2]], device 0, launch 1
  // OVER-NEXT: 'X.Data[0:N]' is sent over what the device has written since, and the host has not written it

#pragma omp target exit data map(release : X.Data[0 : N])
  // LOST: ferry-check: advice: simulator.cpp:[[#@LINE-1]], device 0, launch 1
  // LOST-NEXT: 'X.Data[0:N]' is unmapped, and what the device has written is lost
}
