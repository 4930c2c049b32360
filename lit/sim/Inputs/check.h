//===- check.h - programs that check themselves ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file holds one or more programs. Each computes something in target regions
// and the same serially on the host:
//
//   PROGRAM(saxpy) {
//     ...
//     check::array("Y", Y, Want, N);
//   }
//   int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
//
// One line is printed for each program, "NAME OK" or "NAME DIFF (why)", and the
// exit code is 1 if any differs. With an argument only the program of that name
// runs.
//
//===----------------------------------------------------------------------===//
#ifndef FERRY_LIT_SIM_CHECK_H
#define FERRY_LIT_SIM_CHECK_H

#include <omp.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace check {

struct Program {
  const char *Name;
  void (*Run)();
  Program *Next = nullptr;
  Program(const char *Name, void (*Run)());
};

inline Program *First = nullptr, **Last = &First;
inline Program::Program(const char *Name, void (*Run)())
    : Name(Name), Run(Run) {
  *Last = this;
  Last = &Next;
}

inline char Why[256]; // the first difference of the program that runs

template <class T, class U>
void value(const char *What, const T &Got, const U &Want, long I = -1) {
  if (Got == T(Want) || Why[0])
    return;
  char Index[32] = "";
  if (I >= 0)
    snprintf(Index, sizeof(Index), "[%ld]", I);
  snprintf(Why, sizeof(Why), "%s%s: got %.17g, expected %.17g", What, Index,
           double(Got), double(Want));
}

template <class T, class U>
void array(const char *What, const T *Got, const U *Want, long N) {
  for (long I = 0; I < N; ++I)
    value(What, Got[I], Want[I], I);
}

/// The host's result may differ in the last bits: it rounds in another order or
/// has another mathematical library.
inline void close(const char *What, double Got, double Want, double Tolerance,
                  long I = -1) {
  bool Same = Got == Want || (std::isnan(Got) && std::isnan(Want)) ||
              std::fabs(Got - Want) <= Tolerance * (1 + std::fabs(Want));
  if (!Same)
    value(What, Got, Want, I);
}

inline int run(int Argc, char **Argv) {
  int Result = 0, Count = 0;
  for (Program *P = First; P; P = P->Next) {
    if (Argc > 1 && strcmp(P->Name, Argv[1]))
      continue;
    ++Count;
    Why[0] = 0;
    P->Run();
    if (Why[0]) {
      printf("%s DIFF (%s)\n", P->Name, Why);
      Result = 1;
    } else {
      printf("%s OK\n", P->Name);
    }
    fflush(stdout);
  }
  if (!Count)
    fprintf(stderr, "no program of that name\n");
  return Count ? Result : 1;
}

} // namespace check

#define PROGRAM(NAME)                               \
  static void NAME();                               \
  static check::Program NAME##Program(#NAME, NAME); \
  static void NAME()

#endif
