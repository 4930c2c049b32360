//===- gpu-times.cpp - How long kernels take on a GPU ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A libcuda.so that libomptarget loads in place of the driver's, which it
// needs: all functions are the driver's but one. After each launch of a target
// region the kernel is launched again and again, and timed by events of the
// GPU.
//
//   FERRY_TIMES=FILE   where a line is added for each launch; nothing is timed
//                      without it
//   FERRY_REPEATS=N    how often a kernel is timed, 10 times if not given; one
//                      of more than 2 ms 3 times, of more than 20 ms once
//
// A line has the kernel's name, its blocks, the threads of one, bytes of
// dynamic shared memory, then microseconds: the median and the least of
// launches with a cold second-level cache, where another kernel has read 192
// MiB just before; the mean of launches back to back. Last is the first error
// of the driver's, 0 if there was none. What is not known is "-": times after
// an error, cold ones where the kernel that reads cannot be loaded, names
// before CUDA 12.3.
//
// A kernel that changes its data in place finds what its earlier launches left:
// arrays are then those of all launches, in two versions of a kernel alike if
// both were timed equally often.
//
// Programs that run at once are timed one after the other: a lock in $TMPDIR,
// or /tmp, keeps them apart. All launches of a program are for one GPU.
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <sys/file.h>
#include <unistd.h>
#include <vector>

// The driver's functions have names of their own.
// NOLINTBEGIN(readability-identifier-naming)
namespace {
/// A CUfunction, CUstream, CUevent or CUmodule.
using Handle = void *;
using Address = unsigned long long;

template <class... Types> using Function = int (*)(Types...);
using LaunchFunction =
    Function<Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
             unsigned, Handle, void **, void **>;

/// More than twice the second-level cache of any GPU that it is meant for.
constexpr size_t FlushBytes = size_t(192) << 20;
constexpr unsigned FlushBlocks = 512, FlushThreads = 512;

/// Reads `bytes` from `start`; volatile, or nothing would be read.
constexpr char FlushKernel[] = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry flush(.param .u64 start, .param .u64 bytes)
{
  .reg .pred %done;
  .reg .u32 %thread, %block, %threads, %blocks, %a, %b, %c, %d;
  .reg .u64 %at, %end, %step;
  mov.u32 %thread, %tid.x;
  mov.u32 %block, %ctaid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %blocks, %nctaid.x;
  mad.lo.u32 %thread, %block, %threads, %thread;
  mul.lo.u32 %threads, %threads, %blocks;
  mul.wide.u32 %step, %threads, 16;
  ld.param.u64 %at, [start];
  ld.param.u64 %end, [bytes];
  cvta.to.global.u64 %at, %at;
  add.u64 %end, %at, %end;
  mad.wide.u32 %at, %thread, 16, %at;
NEXT:
  setp.ge.u64 %done, %at, %end;
  @%done bra DONE;
  ld.volatile.global.v4.u32 {%a, %b, %c, %d}, [%at];
  add.u64 %at, %at, %step;
  bra NEXT;
DONE:
  ret;
}
)";

void complain(const char *Kind, const std::string &What) {
  std::fprintf(stderr, "gpu-times: %s: %s\n", Kind, What.c_str());
}

template <class Type> bool find(const char *Name, Type &Found) {
  static void *const Driver = dlopen("libcuda.so.1", RTLD_NOW);
  Found = Driver ? reinterpret_cast<Type>(dlsym(Driver, Name)) : nullptr;
  return Found;
}

/// What is used of the driver.
struct Driver {
  LaunchFunction Launch = nullptr;
  Function<Handle> Synchronize = nullptr, DestroyEvent = nullptr;
  Function<Handle *, unsigned> CreateEvent = nullptr;
  Function<Handle, Handle> Record = nullptr;
  Function<float *, Handle, Handle> Elapsed = nullptr;
  Function<const char **, Handle> NameOf = nullptr; ///< may be missing
  bool Complete = false;

  Driver() {
    if (!find("cuLaunchKernel", Launch)) {
      complain("error", "there is no NVIDIA driver");
      return;
    }
    find("cuFuncGetName", NameOf);
    std::string Missing;
    const auto Need = [&](const char *Name, auto &Found) {
      if (!find(Name, Found))
        Missing += std::string(Missing.empty() ? "" : ", ") + Name;
    };
    Need("cuStreamSynchronize", Synchronize);
    Need("cuEventDestroy_v2", DestroyEvent);
    Need("cuEventCreate", CreateEvent);
    Need("cuEventRecord", Record);
    Need("cuEventElapsedTime", Elapsed);
    Complete = Missing.empty();
    if (!Complete && std::getenv("FERRY_TIMES"))
      complain("error", "nothing is timed, the driver has no " + Missing);
  }
};
const Driver &driver() {
  static const Driver The;
  return The;
}

/// A kernel that replaces what the second-level cache holds.
class Flush {
public:
  Flush() {
    Function<> Link;
    Function<Handle *, const void *, unsigned, void *, void *> Load;
    Function<Handle *, Handle, const char *> Get;
    Function<Address *, size_t> Allocate;
    // A driver that compiles PTX links it as well; ferry-sim would take it for
    // a mistake of the program.
    if (!find("cuLinkCreate_v2", Link)) {
      complain("note", "no cold times: this driver compiles no PTX");
      return;
    }
    if (!find("cuModuleLoadDataEx", Load) ||
        !find("cuModuleGetFunction", Get) || !find("cuMemAlloc_v2", Allocate)) {
      complain("note", "no cold times: the driver lacks functions");
      return;
    }
    Handle Module = nullptr;
    if (!works("cuModuleLoadDataEx",
               Load(&Module, FlushKernel, 0, nullptr, nullptr)) ||
        !works("cuModuleGetFunction", Get(&Kernel, Module, "flush")) ||
        !works("cuMemAlloc_v2", Allocate(&Start, FlushBytes)))
      Kernel = nullptr;
  }
  static Flush &get() {
    static Flush The;
    return The;
  }
  explicit operator bool() const { return Kernel; }
  int launch(Handle Stream) {
    Address Bytes = FlushBytes;
    void *Parameters[] = {&Start, &Bytes};
    return driver().Launch(Kernel, FlushBlocks, 1, 1, FlushThreads, 1, 1, 0,
                           Stream, Parameters, nullptr);
  }

private:
  static bool works(const char *Name, int Error) {
    if (Error)
      complain("note", std::string("no cold times: ") + Name + " gives " +
                           std::to_string(Error));
    return Error == 0;
  }
  Handle Kernel = nullptr;
  Address Start = 0;
};

/// Of all programs that run at once, one has it.
class Lock {
public:
  Lock() {
    const char *Folder = std::getenv("TMPDIR");
    const std::string Path =
        std::string(Folder && *Folder ? Folder : "/tmp") + "/ferry-times.lock";
    File = open(Path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    do
      Held = File >= 0 && flock(File, LOCK_EX) == 0;
    while (!Held && errno == EINTR);
    if (!Held)
      complain("error", Path + ": " + std::strerror(errno));
  }
  Lock(const Lock &) = delete;
  ~Lock() {
    if (File >= 0)
      close(File);
  }
  explicit operator bool() const { return Held; }

private:
  int File;
  bool Held;
};

/// Keeps the first error.
class FirstError {
public:
  void keep(int Found) { Error = Error ? Error : Found; }
  int get() const { return Error; }

private:
  int Error = 0;
};

/// Two events, and what lies between.
class Interval {
public:
  explicit Interval(FirstError &Error) : Error(Error) {
    for (Handle *Event : {&Start, &End})
      Error.keep(driver().CreateEvent(Event, 0));
  }
  Interval(const Interval &) = delete;
  ~Interval() {
    for (Handle Event : {Start, End})
      if (Event)
        driver().DestroyEvent(Event);
  }
  void start(Handle Stream) { Error.keep(driver().Record(Start, Stream)); }
  void end(Handle Stream) { Error.keep(driver().Record(End, Stream)); }
  double microseconds() const {
    float Milliseconds = 0;
    Error.keep(driver().Elapsed(&Milliseconds, Start, End));
    return double(Milliseconds) * 1e3;
  }

private:
  FirstError &Error;
  Handle Start = nullptr, End = nullptr;
};

/// A launch that can be done again.
struct Launch {
  Handle Kernel;
  unsigned Grid[3], Block[3], SharedBytes;
  Handle Stream;
  void **Parameters, **Extra;

  int again() const {
    return driver().Launch(Kernel, Grid[0], Grid[1], Grid[2], Block[0],
                           Block[1], Block[2], SharedBytes, Stream, Parameters,
                           Extra);
  }
};

/// The times of a launch, in microseconds.
class Times {
public:
  explicit Times(const Launch &Of) : Of(Of) {
    // Waits for what came before, whose error is no other's.
    wait();
    Repeats = repeats(once());
    takeCold();
    takeWarm();
  }

  std::string line(const char *Name) const {
    const auto Threads = [](const unsigned(&Of)[3]) {
      return std::to_string((unsigned long long)Of[0] * Of[1] * Of[2]);
    };
    std::string Text = Name;
    for (const std::string &Word :
         {Threads(Of.Grid), Threads(Of.Block), std::to_string(Of.SharedBytes)})
      Text += " " + Word;
    const bool Good = !Error.get(), HasCold = Good && !Cold.empty();
    Text += HasCold ? time(median()) + time(Cold.front()) : " - -";
    Text += Good ? time(Warm) : " -";
    return Text + " " + std::to_string(Repeats) + " " +
           std::to_string(Error.get()) + "\n";
  }

private:
  /// Of a kernel that takes so long.
  static int repeats(double Microseconds) {
    const char *Text = std::getenv("FERRY_REPEATS");
    const int Wanted = std::max(Text ? std::atoi(Text) : 10, 1);
    return std::min(Wanted, Microseconds > 20e3  ? 1
                            : Microseconds > 2e3 ? 3
                                                 : Wanted);
  }
  void wait() { Error.keep(driver().Synchronize(Of.Stream)); }

  double once() {
    Interval One(Error);
    One.start(Of.Stream);
    Error.keep(Of.again());
    One.end(Of.Stream);
    wait();
    return One.microseconds();
  }

  // The host is ahead of the GPU, which does not wait for it between two events
  // if what comes before them takes long enough.
  void takeCold() {
    if (!Cache)
      return;
    std::deque<Interval> Each;
    for (int I = 0; I < Repeats; ++I) {
      Interval &One = Each.emplace_back(Error);
      Error.keep(Cache.launch(Of.Stream));
      One.start(Of.Stream);
      Error.keep(Of.again());
      One.end(Of.Stream);
    }
    wait();
    for (const Interval &One : Each)
      Cold.push_back(One.microseconds());
    std::sort(Cold.begin(), Cold.end());
  }

  void takeWarm() {
    Interval All(Error);
    if (Cache)
      Error.keep(Cache.launch(Of.Stream));
    Error.keep(Of.again());
    All.start(Of.Stream);
    for (int I = 0; I < Repeats; ++I)
      Error.keep(Of.again());
    All.end(Of.Stream);
    wait();
    Warm = All.microseconds() / Repeats;
  }

  double median() const {
    return (Cold[(Cold.size() - 1) / 2] + Cold[Cold.size() / 2]) / 2;
  }
  static std::string time(double Microseconds) {
    char Text[64];
    std::snprintf(Text, sizeof(Text), " %.3f", Microseconds);
    return Text;
  }

  const Launch &Of;
  Flush &Cache = Flush::get();
  int Repeats = 1;
  std::vector<double> Cold; ///< sorted; empty if there is no cold cache
  double Warm = 0;
  FirstError Error;
};

/// What a kernel is called that is to be timed; null if it is not.
const char *timedName(Handle Kernel) {
  const char *Name = "-";
  if (!driver().NameOf)
    return Name;
  if (driver().NameOf(&Name, Kernel))
    return nullptr;
  return std::strstr(Name, "__omp_offloading") ? Name : nullptr;
}

void write(const std::string &Line, const char *Path) {
  std::FILE *Out = std::fopen(Path, "a");
  const bool Written = Out && std::fputs(Line.c_str(), Out) >= 0;
  if ((Out && std::fclose(Out)) || !Written)
    complain("error", std::string(Path) + ": " + std::strerror(errno));
}
} // namespace

extern "C" __attribute__((visibility("default"))) int
cuLaunchKernel(Handle Kernel, unsigned GridX, unsigned GridY, unsigned GridZ,
               unsigned BlockX, unsigned BlockY, unsigned BlockZ,
               unsigned SharedBytes, Handle Stream, void **Parameters,
               void **Extra) {
  constexpr int NotInitialized = 3;
  if (!driver().Launch)
    return NotInitialized;
  const Launch It = {Kernel,
                     {GridX, GridY, GridZ},
                     {BlockX, BlockY, BlockZ},
                     SharedBytes,
                     Stream,
                     Parameters,
                     Extra};
  const char *File = std::getenv("FERRY_TIMES");
  const char *Name = File && driver().Complete ? timedName(Kernel) : nullptr;
  if (!Name)
    return It.again();
  static std::mutex OneThread;
  const std::lock_guard<std::mutex> Guard(OneThread);
  // Takes its time, but none of the GPU.
  Flush::get();
  // The launch itself would disturb another program's times, too.
  const Lock OneProgram;
  const int Error = It.again();
  if (!Error && OneProgram)
    write(Times(It).line(Name), File);
  return Error;
}
// NOLINTEND(readability-identifier-naming)
