// What the environment chooses, and that a program without the option has
// nothing of the checks.
//
// RUN: %ferry_clangxx --ferry-check %offload -Wno-openmp-mapping -O2 %s -o %t
// RUN: %t 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: env FERRY_CHECK=warn %t 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: env FERRY_CHECK= %t 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: env FERRY_CHECK=off %t 2>&1 | count 0
// RUN: env FERRY_CHECK=error not %t 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: env FERRY_CHECK=error %t || test $? = 3
// RUN: env FERRY_CHECK=error %t fails || test $? = 7
// RUN: env FERRY_CHECK=error %t right
// RUN: env FERRY_CHECK=warn,loud not %t 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: env FERRY_CHECK=loud not %t 2>&1 | count 1
// RUN: env -u OMP_TARGET_OFFLOAD OMP_TARGET_OFFLOAD=DISABLED %t 2>&1 | count 0
// RUN: env -u OMP_TARGET_OFFLOAD FERRY_CHECK=error %t host
//
// WARN: 'Loop.Y' = {{.*}} is not mapped
// WARN: 'Loop.Y' = {{.*}}, used at settings.cpp:[[#]], is not mapped
// WARN-NOT: ferry-check
// UNKNOWN: ferry-check: error: FERRY_CHECK has no value 'loud'; it takes off, warn or error, and all, stale and transfers, with commas between them
//
// What may be accessed is told where it is asked for, and is no error.
// RUN: env FERRY_CHECK=all,error %t right 2>&1 | FileCheck %s --check-prefix=ALL
// ALL: 'Loop.Z' = {{.*}} is not mapped where it points, and may be followed
// ALL-NOT: ferry-check
//
// JSON, one file for each rank, and one for each process by %p.
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: env FERRY_CHECK_FILE=%t.d/run.json %t 2> /dev/null
// RUN: env FERRY_CHECK_FILE=%t.d/run.json OMPI_COMM_WORLD_RANK=3 %t 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: env FERRY_CHECK_FILE=%t.d/run.json SLURM_PROCID=4 %t right 2>&1 | count 0
// RUN: env FERRY_CHECK_FILE=%t.d/p%%p.json %t right
// RUN: ls %t.d | FileCheck %s --check-prefix=FILES
// RUN: %python -c "import json, sys; d = json.load(open(sys.argv[1])); print(len(d['findings']), d['findings'][0]['kind'], d['findings'][0]['times'])" %t.d/run.json | FileCheck %s --check-prefix=JSON
// RUN: %python -c "import json, sys; print(json.load(open(sys.argv[1]))['rank'])" %t.d/run.3.json | grep -x 3
// RUN: env FERRY_CHECK_FILE=%t.d/none/run.json %t 2>&1 | FileCheck %s --check-prefix=UNWRITABLE
// RANK: ferry-check: rank 3: settings.cpp
// FILES: {{^}}p{{[0-9]+}}.json
// FILES-NEXT: run.3.json
// FILES-NEXT: run.4.json
// FILES-NEXT: run.json
// JSON: 2 not-mapped 3
// UNWRITABLE: ferry-check: error: cannot write {{.*}}/none/run.json: No such file
//
// Without the option there is no trace of it; together with --ferry-off there
// would be nothing to look at.
// RUN: %ferry_clangxx %offload -Wno-openmp-mapping -O2 %s -o %t.plain
// RUN: llvm-nm %t.plain | not grep -i ferry_check
// RUN: llvm-nm -D %t.plain | not grep ompt_start_tool
// RUN: not %ferry_clangxx --ferry-check --ferry-off %s 2>&1 | FileCheck %s --check-prefix=OFF
// OFF: error: --ferry-check looks at what Ferry knows of launches

#include <cstring>
#include <thread>

template <typename Body> void forall(int N, bool Device, Body Loop) {
#pragma omp target teams distribute parallel for if (target : Device)
  for (int I = 0; I < N; ++I)
    Loop(I);
}

constexpr int N = 100;

int main(int Count, char **Arguments) {
  auto Is = [&](const char *M) {
    return Count > 1 && !strcmp(Arguments[1], M);
  };
  double *X = new double[N](), *Y = new double[N](), *Z = new double[N]();
#pragma omp target enter data map(to : X[0 : N])
  if (Is("right")) {
#pragma omp target enter data map(to : Y[0 : N])
  }
  const bool Device = !Is("host");
  // Once for each place, however many launches and threads there are.
  for (int R = 0; R < 3; ++R)
    forall(N, Device, [=](int I) {
      X[I] += Y[I];
      if (X[I] > 1e9)
        X[I] = Z[I];
    });
  auto Run = [=] {
    for (int R = 0; R < 20; ++R)
      forall(N, Device, [=](int I) { X[I] = Y[I]; });
  };
  std::thread One(Run), Two(Run);
  One.join();
  Two.join();
  return Is("fails") ? 7 : 0;
}
