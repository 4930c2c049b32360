//===- check.h - shapes with poisoned host memory --------------*- C++ -*-===//
//
// The frame of every end-to-end program. A program is a list of named shapes:
//
//   SHAPE(capture_by_value) {
//     Mapped<int> A(8), Out(8);
//     int *P = A, *Q = Out;
//     forEach(8, [=](int I) { Q[I] = 2 * P[I]; });
//     Out.expect([&](int I) { return 2 * A.at(I); });
//   }
//   int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
//
// It prints "ok NAME" or "FAIL NAME (why)" for each shape and returns 1 if any
// shape failed. Arguments: --isolate runs each shape in a process of its own,
// so that a crash is one shape's failure; a name runs that shape only.
//
// The x86_64 device can read and write host memory, so a pointer that was not
// translated would go unnoticed. Mapped<T> makes it show: its host copy is
// overwritten with a poison pattern once the device has the values, and must
// still hold the poison at the end. With OMP_TARGET_OFFLOAD=DISABLED the host
// copy stays good and the same shapes check the host fallback.
//
//===----------------------------------------------------------------------===//
#ifndef FERRY_LIT_E2E_CHECK_H
#define FERRY_LIT_E2E_CHECK_H

#include <omp.h>

#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

namespace check {

struct Shape {
  const char *Name;
  void (*Run)();
  Shape *Next = nullptr;
  Shape(const char *Name, void (*Run)());
};

inline Shape *First = nullptr, **Last = &First;
inline Shape::Shape(const char *Name, void (*Run)()) : Name(Name), Run(Run) {
  *Last = this;
  Last = &Next;
}

inline char Why[256]; // the first failure of the shape that runs
inline const char *Running = "";

/// Records a failure of the shape that runs; the first one is reported.
[[gnu::noinline, gnu::format(printf, 1, 2)]] inline void
fail(const char *Format, ...) {
  if (Why[0])
    return;
  va_list Args;
  va_start(Args, Format);
  vsnprintf(Why, sizeof(Why), Format, Args);
  va_end(Args);
}

/// False when the whole program runs on the host.
inline bool offload() {
  const char *Policy = getenv("OMP_TARGET_OFFLOAD");
  return !Policy || strcmp(Policy, "DISABLED") != 0;
}

template <class T, class U>
void equal(const char *What, const T &Got, const U &Want) {
  if (!(Got == Want))
    fail("%s: got %.17g, expected %.17g", What, double(Got), double(Want));
}

inline void pointer(const char *What, const volatile void *Got,
                    const volatile void *Want) {
  if (Got != Want)
    fail("%s: got %p, expected %p", What, const_cast<void *>(Got),
         const_cast<void *>(Want));
}

/// The object must not be mapped.
template <class T>
void absent(const char *What, const T &Object,
            int Device = omp_get_default_device()) {
  if (offload() && omp_target_is_present(&Object, Device))
    fail("%s is still mapped", What);
}

/// Deletes the file that the host device's plugin leaves in /tmp for each
/// loaded image.
inline void removeImages() {
  FILE *Maps = fopen("/proc/self/maps", "r");
  if (!Maps)
    return;
  char Line[512];
  while (fgets(Line, sizeof(Line), Maps))
    if (char *Path = strstr(Line, "/tmp/tmpfile_")) {
      Path[strcspn(Path, " \n")] = 0;
      unlink(Path);
    }
  fclose(Maps);
}

inline void report(Shape *S) {
  if (Why[0])
    printf("FAIL %s (%s)\n", S->Name, Why);
  else
    printf("ok %s\n", S->Name);
  fflush(stdout);
}

inline void onSignal(int Signal) {
  static bool Seen;
  while (__atomic_exchange_n(&Seen, true, __ATOMIC_SEQ_CST))
    pause(); // another thread of the kernel reports
  printf("FAIL %s (signal %d)\n", Running, Signal);
  fflush(stdout);
  removeImages();
  _exit(2);
}

/// Runs one shape here; true if it is right.
inline bool runHere(Shape *S) {
  Why[0] = 0;
  Running = S->Name;
  alarm(60); // a loop to a wrong end may never stop
  S->Run();
  report(S);
  return !Why[0];
}

inline bool runAlone(Shape *S) {
  pid_t Child = fork();
  if (Child == 0) {
    bool Right = runHere(S);
    removeImages();
    _exit(Right ? 0 : 1);
  }
  int Status = 0;
  waitpid(Child, &Status, 0);
  if (WIFSIGNALED(Status)) { // abort() in the runtime
    printf("FAIL %s (signal %d)\n", S->Name, WTERMSIG(Status));
    fflush(stdout);
  }
  return WIFEXITED(Status) && WEXITSTATUS(Status) == 0;
}

inline bool onDevice() {
  int Host = 1;
#pragma omp target map(from : Host)
  Host = omp_is_initial_device();
  return !Host;
}

/// Ends a program that has no shapes: reports \p Name, gives the exit status.
inline int finish(const char *Name) {
  removeImages();
  printf(Why[0] ? "FAIL %s (%s)\n" : "ok %s\n", Name, Why);
  return Why[0] != 0;
}

inline int run(int Argc = 1, char **Argv = nullptr) {
  bool Isolate = false;
  const char *Only = nullptr;
  for (int I = 1; I < Argc; ++I)
    if (!strcmp(Argv[I], "--isolate"))
      Isolate = true;
    else
      Only = Argv[I];
  const int Signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGALRM};
  for (int Signal : Signals)
    signal(Signal, onSignal);
  int Wrong = 0, Ran = 0;
  if (!Isolate && onDevice() != offload()) {
    printf("FAIL device (the kernel did not run where it should)\n");
    ++Wrong;
  }
  for (Shape *S = First; S; S = S->Next)
    if (!Only || !strcmp(Only, S->Name)) {
      ++Ran;
      Wrong += !(Isolate ? runAlone(S) : runHere(S));
    }
  if (!Ran) {
    printf("FAIL no such shape\n");
    ++Wrong;
  }
  if (!Isolate)
    removeImages();
  return Wrong != 0;
}

constexpr unsigned char Poison = 0xA5;

/// A value of T, different for each seed and index, exact in every type.
template <class T>
T value(int Seed, int I) {
  return T(Seed * 10 + I % 10 + 1);
}

/// An array that is mapped on a device and poisoned on the host.
template <class T>
class Mapped {
public:
  /// Allocates, or takes \p Storage, and maps N elements on \p Device.
  explicit Mapped(int N, int Seed = 1, int Device = omp_get_default_device(),
                  T *Storage = nullptr)
      : Host(Storage), N(N), Seed(Seed), Device(Device), Owned(!Storage) {
    if (Owned)
      Host = static_cast<T *>(malloc(sizeof(T) * N));
    for (int I = 0; I < N; ++I)
      Host[I] = at(I);
    map();
  }
  Mapped(const Mapped &) = delete;
  ~Mapped() {
    if (!Checked)
      expect([this](int I) { return at(I); });
    unmap();
    if (Owned)
      free(Host);
  }

  operator T *() const { return Host; }
  /// The value that element \p I started with.
  T at(int I) const { return value<T>(Seed, I); }

  /// Compares the device's elements with Want(I), and the host copy with the
  /// poison that was put there.
  template <class F>
  void expect(F Want) {
    Checked = true;
    T *Got = Host, *Copy = nullptr;
    if (offload()) {
      const unsigned char *Bytes = reinterpret_cast<unsigned char *>(Host);
      for (size_t I = 0; I < sizeof(T) * N; ++I)
        if (Bytes[I] != Poison) {
          fail("host memory was written at element %zu", I / sizeof(T));
          break;
        }
      void *There = omp_get_mapped_ptr(Host, Device);
      if (!There)
        return fail("the array is not mapped any more");
      Got = Copy = static_cast<T *>(malloc(sizeof(T) * N));
      omp_target_memcpy(Copy, There, sizeof(T) * N, 0, 0,
                        omp_get_initial_device(), Device);
    }
    for (int I = 0; I < N; ++I) {
      T Wanted = T(Want(I)); // called once: it may keep a running sum
      if (!(Got[I] == Wanted)) {
        fail("element %d: got %.17g, expected %.17g", I, double(Got[I]),
             double(Wanted));
        break;
      }
    }
    free(Copy);
  }

  /// The device's element \p I now; the destructor then compares nothing.
  T fetch(int I) {
    Checked = true;
    if (!offload())
      return Host[I];
    T Value{};
    if (void *There = omp_get_mapped_ptr(Host, Device))
      omp_target_memcpy(&Value, There, sizeof(T), 0, sizeof(T) * I,
                        omp_get_initial_device(), Device);
    return Value;
  }

  /// Maps the array with its first values, and poisons the host copy.
  void map() {
    T *P = Host;
#pragma omp target enter data map(to : P[0 : N]) device(Device)
    if (offload())
      memset(static_cast<void *>(Host), Poison, sizeof(T) * N);
  }
  void unmap() {
    T *P = Host;
#pragma omp target exit data map(delete : P[0 : N]) device(Device)
  }
  /// Unmaps, and maps again at another device address.
  void move() {
    unmap();
    void *Hole = omp_target_alloc(sizeof(T) * N, Device); // takes the old place
    for (int I = 0; I < N; ++I)
      Host[I] = at(I);
    map();
    omp_target_free(Hole, Device);
  }

  T *Host;
  int N;

private:
  int Seed, Device;
  bool Owned, Checked = false;
};

} // namespace check

using check::Mapped;

#define SHAPE(NAME)                                    \
  static void NAME##Shape();                           \
  static check::Shape NAME##Entry{#NAME, NAME##Shape}; \
  static void NAME##Shape()

#endif
