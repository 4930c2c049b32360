//===- Faults.cpp - When the host's processor refuses ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lane's access to memory that the process does not have ends the program, as
// it does on a GPU. The log tells which instruction it was: the word with the
// address is written before the access.
//
//===----------------------------------------------------------------------===//

#include "Faults.h"

#include "Lanes.h"

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <unistd.h>

namespace ferry::sim {

static constexpr int Signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static struct sigaction Before[65];
static thread_local Worker *Watched;

/// Describes a fault of \p L at \p Address.
static void report(const Lane &L, int Signal, uint64_t Address) {
  const uint64_t Page = Address & -uint64_t(4096);
  if (slots::isStack(Address) && Page % StackBytes == 0) {
    addFinding(FindingKind::BadAddress, L, L.Site, Address,
               "the thread's local memory is exhausted: deep recursion, or "
               "large local arrays");
    return;
  }
  uint32_t Number = 0;
  for (unsigned Row = 0; Row < LogRows && !Number; ++Row) {
    const uint64_t Word = L.warp().Log[Row * WarpSize + L.LaneId];
    if ((Word & LogAddressMask) == Address)
      Number = static_cast<uint32_t>(Word >> LogShift);
  }
  std::string Text;
  if (Signal == SIGFPE)
    Text = "arithmetic exception: a division by zero, or one whose result is "
           "too large";
  else if (Signal == SIGILL)
    Text = "an instruction that the host's processor lacks";
  else
    Text =
        "access to memory that does not exist: a null, wild or host pointer "
        "that was not mapped" +
        explainAddress(L, Number, Address, !GlobalMemory::inAnyArena(Address));
  addFinding(FindingKind::BadAddress, L, Number, Address, std::move(Text));
}

static void handle(int Signal, siginfo_t *Info, void *Context) {
  Worker *W = Watched;
  Watched = nullptr; // a second fault is not ours
  if (W && W->Running) {
    // What the lanes wrote so far tells more than the address alone.
    Warp &Current = W->Running->warp();
    const unsigned L = W->Running->LaneId;
    report(*Current.Lanes[L], Signal,
           reinterpret_cast<uint64_t>(Info->si_addr));
  }
  const struct sigaction &Old = Before[Signal];
  if (Old.sa_flags & SA_SIGINFO) {
    Old.sa_sigaction(Signal, Info, Context);
  } else if (Old.sa_handler != SIG_DFL && Old.sa_handler != SIG_IGN) {
    Old.sa_handler(Signal);
  } else {
    // The access is tried again, and ends the program.
    std::signal(Signal, SIG_DFL);
  }
}

// --- Threads that compute for ever -------------------------------------------
//
// A lane that spins on memory gives others their turn, and the scheduler counts
// that. One that touches no memory never comes back: a timer of the host
// thread's processor time looks whether lanes still change.

/// About what a turn of a spinning lane takes.
constexpr double SecondsPerTurn = 4e-7;

static int timerSignal() { return SIGRTMAX - 3; }

static void tick(int, siginfo_t *, void *) {
  Worker *W = Watched;
  if (!W || !W->Running)
    return;
  const uint64_t Now = W->Switches.load(std::memory_order_relaxed);
  if (Now != W->SwitchesAtTick) {
    W->SwitchesAtTick = Now;
    return;
  }
  Watched = nullptr;
  addFinding(FindingKind::EndlessSpin, *W->Running, W->Running->Site, 0,
             "the thread computes for ever without touching memory");
  // It cannot be stopped; reports are written when the program is aborted.
  abort();
}

/// Starts the timer of the calling thread, or stops it: \p Seconds is 0.
static void setTimer(double Seconds) {
  static thread_local timer_t Timer;
  static thread_local bool Exists = false;
  if (!Exists) {
    struct sigevent Event = {};
    Event.sigev_notify = SIGEV_THREAD_ID;
    Event.sigev_signo = timerSignal();
    Event._sigev_un._tid = gettid();
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &Event, &Timer))
      return; // no timers: such a program is ended by its user
    Exists = true;
  }
  struct itimerspec Period = {};
  Period.it_interval.tv_sec = static_cast<time_t>(Seconds);
  Period.it_interval.tv_nsec = static_cast<long>(
      (Seconds - static_cast<double>(Period.it_interval.tv_sec)) * 1e9);
  Period.it_value = Period.it_interval;
  timer_settime(Timer, 0, &Period, nullptr);
}

static void install() {
  struct sigaction Action = {};
  Action.sa_sigaction = tick;
  Action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigaction(timerSignal(), &Action, nullptr);

  for (int Signal : Signals) {
    Action.sa_sigaction = handle;
    Action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(Signal, &Action, &Before[Signal]);
  }
}

void watchFaults(Worker *W) {
  static std::once_flag Once;
  std::call_once(Once, install);
  // A lane's stack may be what is exhausted.
  static thread_local char Stack[1 << 16];
  static thread_local bool HasStack = false;
  if (!HasStack) {
    stack_t Alternative = {};
    Alternative.ss_sp = Stack;
    Alternative.ss_size = sizeof(Stack);
    sigaltstack(&Alternative, nullptr);
    HasStack = true;
  }
  Watched = W;
  setTimer(W ? static_cast<double>(W->Current->Opts->Watchdog) * SecondsPerTurn
             : 0);
}

} // namespace ferry::sim
