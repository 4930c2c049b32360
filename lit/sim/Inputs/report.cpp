// Two kernels; with an argument, something else at the end. Prints 8128.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

static void scale(int *Data, int N) {
#pragma omp target teams distribute parallel for map(tofrom : Data[0 : N])
  for (int I = 0; I < N; ++I)
    Data[I] = 2 * I;
}

int main(int Count, char **Arguments) {
  constexpr int N = 128;
  int Data[N] = {}, Sum = 0;
  scale(Data, N);
  scale(Data, N);
#pragma omp target teams distribute parallel for reduction(+ : Sum)            \
    map(to : Data) map(tofrom : Sum)
  for (int I = 0; I < N; ++I)
    Sum += Data[I] / 2;
  std::printf("%d\n", Sum);
  std::fflush(stdout);
  const char *End = Count > 1 ? Arguments[1] : "";
  if (!std::strcmp(End, "exit"))
    std::exit(7);
  if (!std::strcmp(End, "quick_exit"))
    std::quick_exit(8);
  if (!std::strcmp(End, "_exit"))
    _exit(0);
  if (!std::strcmp(End, "throw"))
    throw 1;
  if (!std::strcmp(End, "kill"))
    std::raise(SIGKILL);
  if (!std::strcmp(End, "crash"))
    *reinterpret_cast<volatile int *>(8) = 1;
  return 0;
}
