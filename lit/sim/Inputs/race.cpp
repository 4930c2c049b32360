// A data race in shared memory; exits with 9 if there is an argument.
#include "device.h"

int main(int Count, char **) {
  int Out = 0;
#pragma omp target teams ompx_bare num_teams(1) thread_limit(64) map(from : Out)
  {
    SHARED int X;
    X = threadId();
    barrier();
    Out = X;
  }
  return Count > 1 ? 9 : 0;
}
