// The value is known on the device only, so a constructor must run there.
#include <cstdio>
#pragma omp begin declare target
volatile int Seed = 4;
struct Value {
  int V;
  Value() : V(Seed * 5) {}
  ~Value() { V = 0; }
} Global;
#pragma omp end declare target

int main() {
  int Read = 0;
#pragma omp target map(from : Read)
  Read = Global.V;
  std::printf("%d\n", Read);
  return Read != 20;
}
