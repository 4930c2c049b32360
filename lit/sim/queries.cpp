// The routines that ask about the device, the teams and the threads.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

PROGRAM(teams_and_threads) {
  constexpr int Teams = 5, Threads = 48;
  int Team[Teams * Threads], Thread[Teams * Threads], Bad = 0;
#pragma omp target teams num_teams(Teams) thread_limit(Threads) \
    map(from : Team, Thread) map(tofrom : Bad)
  {
#pragma omp parallel num_threads(Threads)
    {
      int I = omp_get_team_num() * Threads + omp_get_thread_num();
      Team[I] = omp_get_team_num();
      Thread[I] = omp_get_thread_num();
      if (omp_get_num_teams() != Teams || omp_get_num_threads() != Threads) {
#pragma omp atomic
        ++Bad;
      }
    }
  }
  check::value("Bad", Bad, 0);
  for (int I = 0; I < Teams * Threads; ++I) {
    check::value("Team", Team[I], I / Threads, I);
    check::value("Thread", Thread[I], I % Threads, I);
  }
}

PROGRAM(device) {
  int Initial = -1, Number = -1, Devices = -1;
#pragma omp target map(from : Initial, Number)
  {
    Initial = omp_is_initial_device();
    Number = omp_get_device_num();
  }
  Devices = omp_get_num_devices();
  check::value("omp_is_initial_device", Initial, 0);
  check::value("omp_get_device_num", Number, 0);
  check::value("omp_get_num_devices", Devices, 1);
  check::value("omp_get_initial_device", omp_get_initial_device(), 1);
  check::value("omp_is_initial_device of the host", omp_is_initial_device(), 1);
}

PROGRAM(levels) {
  int Level[3] = {-1, -1, -1}, Active[3] = {-1, -1, -1},
      Parallel[3] = {-1, -1, -1};
#pragma omp target map(from : Level, Active, Parallel)
  {
    Level[0] = omp_get_level();
    Active[0] = omp_get_active_level();
    Parallel[0] = omp_in_parallel();
#pragma omp parallel num_threads(32)
    {
      if (omp_get_thread_num() == 3) {
        Level[1] = omp_get_level();
        Active[1] = omp_get_active_level();
        Parallel[1] = omp_in_parallel();
      }
#pragma omp parallel
      if (omp_get_ancestor_thread_num(1) == 31) {
        Level[2] = omp_get_level();
        Active[2] = omp_get_active_level();
        Parallel[2] = omp_in_parallel();
      }
    }
  }
  for (int I = 0; I < 3; ++I) {
    check::value("Level", Level[I], I, I);
    check::value("Active", Active[I], I > 0, I);
    check::value("Parallel", Parallel[I], I > 0, I);
  }
}

PROGRAM(limits) {
  int Most = 0, Limit = 0, Set = 0;
#pragma omp target teams num_teams(1) thread_limit(100) \
    map(from : Most, Limit, Set)
  {
    Most = omp_get_max_threads();
    Limit = omp_get_thread_limit();
    omp_set_num_threads(17);
    Set = omp_get_max_threads();
  }
  check::value("omp_get_max_threads", Most > 0 && Most <= 128, true);
  check::value("omp_get_thread_limit", Limit >= Most && Limit <= 1024, true);
  check::value("after omp_set_num_threads", Set, 17);
}

PROGRAM(clock_goes_on) {
  double Begin = 0, End = 0, Tick = 0;
  int Steps = 1000;
  long Work = 0;
#pragma omp target map(from : Begin, End, Tick) map(tofrom : Work)
  {
    Begin = omp_get_wtime();
    for (volatile int I = 0; I < Steps; I = I + 1)
      Work += I;
    End = omp_get_wtime();
    Tick = omp_get_wtick();
  }
  check::value("Work", Work, 499500);
  check::value("time goes on", End >= Begin, true);
  check::value("a tick is short", Tick > 0 && Tick < 1, true);
}

PROGRAM(ids_in_uneven_teams) {
  constexpr int N = 130;
  int Team[N], Thread[N];
#pragma omp target teams distribute parallel for num_teams(3) thread_limit(32) \
    dist_schedule(static, 50) map(from : Team, Thread)
  for (int I = 0; I < N; ++I) {
    Team[I] = omp_get_team_num();
    Thread[I] = omp_get_thread_num();
  }
  for (int I = 0; I < N; ++I) {
    check::value("Team", Team[I], I / 50, I);
    check::value("Thread", Thread[I] >= 0 && Thread[I] < 32, true, I);
  }
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
