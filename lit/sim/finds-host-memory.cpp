// Host memory that comes and goes while kernels use it: what a finding names is
// there now, and many accesses take no longer than a few.
//
// RUN: %sim_cxx -g -O2 %s -o %t
// RUN: timeout 20 %ferry_sim --quiet -- %t many 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: many OK
// MANY: findings: 1
// MANY-NEXT: host-pointer: the address is the host's (0x{{[^)]*}}): the pointer was not mapped
// MANY: 40,000 times
//
// RUN: %ferry_sim --quiet -- %t mapped_anew 2>&1 | FileCheck %s --check-prefix=ANEW
// ANEW: mapped_anew OK
// ANEW: findings: 3
// ANEW-NEXT: host-pointer: the address is the host's (0x{{[0-9a-f]+-0x[0-9a-f]+}}): the pointer was not mapped
// ANEW-NEXT: finds-host-memory.cpp:[[#FIRST:]]:
// ANEW-NEXT: host-pointer: the address is the host's (0x{{[^ ]* .*}}finds-host-memory.cpp.tmp): the pointer was not mapped
// ANEW-NEXT: finds-host-memory.cpp:[[#FIRST+4]]:
// ANEW-NEXT: host-pointer: the address is the host's (0x{{[0-9a-f]+-0x[0-9a-f]+}}): the pointer was not mapped
// ANEW-NEXT: finds-host-memory.cpp:[[#FIRST+9]]:
//
// What is not there any more ends the program, as ever.
// RUN: not %ferry_sim --quiet -- %t unmapped > %t.out 2>&1
// RUN: FileCheck %s --check-prefix=UNMAPPED --input-file=%t.out
// UNMAPPED: findings: 2
// UNMAPPED: host-pointer:
// UNMAPPED: bad-address: access to memory that does not exist
// UNMAPPED: ferry-sim: the program was ended by signal 11

#include "Inputs/check.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {
constexpr int N = 40000;
constexpr size_t Bytes = 1 << 16;

void *mapped(void *Where, int File) {
  void *Got = mmap(Where, Bytes, PROT_READ | (File < 0 ? PROT_WRITE : 0),
                   MAP_PRIVATE | (Where ? MAP_FIXED : 0) |
                       (File < 0 ? MAP_ANONYMOUS : 0),
                   File, 0);
  if (Got == MAP_FAILED) {
    perror("mmap");
    exit(1);
  }
  return Got;
}
} // namespace

PROGRAM(many) {
  int *A = new int[N]();
#pragma omp target teams distribute parallel for is_device_ptr(A) \
    num_teams(8) thread_limit(32)
  for (int I = 0; I < N; ++I)
    A[I] = I;
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], I, I);
  delete[] A;
}

PROGRAM(mapped_anew) {
  void *Place = mapped(nullptr, -1);
  const volatile char *P = static_cast<char *>(Place);
  int Sum = 0, File = open("/proc/self/exe", O_RDONLY);
#pragma omp target is_device_ptr(P) map(tofrom : Sum)
  Sum += P[1];
  munmap(Place, Bytes);
  mapped(Place, File);
#pragma omp target is_device_ptr(P) map(tofrom : Sum)
  Sum += P[1]; // of "\177ELF"
  check::value("Sum", Sum, 'E');
  munmap(Place, Bytes);
  mapped(Place, -1);
#pragma omp target is_device_ptr(P) map(tofrom : Sum)
  Sum += P[1];
  close(File);
}

PROGRAM(unmapped) {
  volatile int *A = static_cast<int *>(mapped(nullptr, -1));
  int Sum = 0;
#pragma omp target is_device_ptr(A) map(tofrom : Sum)
  Sum += A[3];
  munmap(const_cast<int *>(A), Bytes);
#pragma omp target is_device_ptr(A) map(tofrom : Sum)
  Sum += A[3];
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
