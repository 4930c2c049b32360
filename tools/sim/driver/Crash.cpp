//===- Crash.cpp - Results of programs that end by a signal ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Crash.h"
#include <csignal>
#include <initializer_list>
#include <unistd.h>

static void (*CrashHandler)();

/// The handler allocates memory, which may hang where the heap is damaged; the
/// alarm ends the program then.
static void handleSignal(int Signal) {
  constexpr unsigned Seconds = 10;
  std::signal(SIGALRM, SIG_DFL);
  ::alarm(Seconds);
  std::signal(Signal, SIG_DFL);
  CrashHandler();
  ::alarm(0);
  ::raise(Signal);
}

void ferry::sim::onCrash(void (*Handler)()) {
  CrashHandler = Handler;
  for (int Signal :
       {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGINT, SIGHUP}) {
    struct sigaction Action = {};
    if (::sigaction(Signal, nullptr, &Action) != 0 ||
        Action.sa_handler != SIG_DFL)
      continue;
    Action.sa_handler = handleSignal;
    Action.sa_flags = SA_ONSTACK;
    ::sigaction(Signal, &Action, nullptr);
  }
}
