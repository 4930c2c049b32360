// num_teams and thread_limit of odd sizes: every iteration runs once, in a team
// and thread within the limits.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

#include <initializer_list>

namespace {
constexpr int N = 2500;
int Seen[N], TeamsMost, ThreadsMost, Teams;

void run(int NumTeams, int Limit) {
  memset(Seen, 0, sizeof(Seen));
  TeamsMost = ThreadsMost = -1, Teams = 0;
#pragma omp target teams distribute parallel for num_teams(NumTeams) \
    thread_limit(Limit) map(tofrom : Seen)                           \
    reduction(max : TeamsMost, ThreadsMost, Teams)
  for (int I = 0; I < N; ++I) {
    Seen[I] += I + 1;
    int Team = omp_get_team_num(), Thread = omp_get_thread_num();
    TeamsMost = Team > TeamsMost ? Team : TeamsMost;
    ThreadsMost = Thread > ThreadsMost ? Thread : ThreadsMost;
    Teams = omp_get_num_teams();
  }
  for (int I = 0; I < N; ++I)
    check::value("Seen", Seen[I], I + 1, I);
  check::value("number of teams", Teams, NumTeams);
  check::value("last team", TeamsMost < NumTeams, true);
  check::value("last thread", ThreadsMost < Limit, true);
}
} // namespace

PROGRAM(teams_1_threads_1) { run(1, 1); }
PROGRAM(teams_1_threads_7) { run(1, 7); }
PROGRAM(teams_1_threads_33) { run(1, 33); }
PROGRAM(teams_1_threads_100) { run(1, 100); }
PROGRAM(teams_1_threads_1024) { run(1, 1024); }
PROGRAM(teams_33_threads_1) { run(33, 1); }
PROGRAM(teams_33_threads_32) { run(33, 32); }
PROGRAM(teams_33_threads_33) { run(33, 33); }
PROGRAM(teams_100_threads_64) { run(100, 64); }
PROGRAM(teams_100_threads_100) { run(100, 100); }
PROGRAM(teams_1024_threads_3) { run(1024, 3); }
PROGRAM(teams_3_threads_1024) { run(3, 1024); }

PROGRAM(constant_sizes) {
  int Seen[N] = {};
#pragma omp target teams distribute parallel for num_teams(3) thread_limit(65) \
    map(tofrom : Seen)
  for (int I = 0; I < N; ++I)
    Seen[I] += I;
#pragma omp target teams distribute parallel for num_teams(11) num_threads(13) \
    map(tofrom : Seen)
  for (int I = 0; I < N; ++I)
    Seen[I] += I;
#pragma omp target parallel for num_threads(47) map(tofrom : Seen)
  for (int I = 0; I < N; ++I)
    Seen[I] += I;
  for (int I = 0; I < N; ++I)
    check::value("Seen", Seen[I], 3 * I, I);
}

PROGRAM(threads_of_parallel_in_teams) {
  int Count[6] = {};
#pragma omp target teams num_teams(6) thread_limit(256) map(tofrom : Count)
  {
#pragma omp parallel num_threads(75)
    {
#pragma omp atomic
      Count[omp_get_team_num()] += 1;
    }
  }
  for (int I = 0; I < 6; ++I)
    check::value("Count", Count[I], 75, I);
}

// What a block needs is used again for the next one.
PROGRAM(memory_of_many_teams) {
  // Of this process, in KiB (proc(5), VmHWM).
  auto Peak = [] {
    char Line[128];
    long KiB = 0;
    FILE *Status = fopen("/proc/self/status", "r");
    while (Status && fgets(Line, sizeof(Line), Status))
      sscanf(Line, "VmHWM: %ld", &KiB);
    if (Status)
      fclose(Status);
    return KiB;
  };
  long Before = 0, Grown = 0;
  for (int NumTeams : {100, 10000}) {
    Before = Peak();
    int Sum = 0;
#pragma omp target teams num_teams(NumTeams) thread_limit(32)                  \
    map(tofrom : Sum)
    {
#pragma omp atomic
      Sum += 1;
    }
    check::value("Sum", Sum, NumTeams);
    Grown = Peak() - Before;
  }
  check::value("Peak", Before > 0, true);
  check::value("Grown", Grown < 512, true, Grown);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
