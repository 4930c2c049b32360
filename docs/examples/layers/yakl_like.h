// A layer like YAKL, for code that looks like Fortran: loops have a label and
// bounds, arrays have any number of dimensions and lower bounds and are
// captured by value.
//
//   using namespace yakl_like::fortran;
//   Array<double, 2, Device> H("h", {0, Nx + 1}, {0, Ny + 1});
//   parallel_for("fill", Bounds<2>(Ny, Nx), [=](long J, long I) {
//     H(I, J) = 1;
//   });
//
// yakl_like::c has the same with rows first and indices from 0. Assignment
// shares an array's data, deepCopyTo copies it; the last array that shares it
// frees it.
//
// Bodies hold arrays, which hold pointers, or the `this` of a class with arrays
// as members, which need not be brought into local scope. The target regions
// have no map clause: Ferry finds the pointers. Only the class that owns data,
// Storage, maps it.
#ifndef FERRY_EXAMPLES_YAKL_LIKE_H
#define FERRY_EXAMPLES_YAKL_LIKE_H

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <utility>

// Clang warns of arrays, since they have copy constructors. Bodies go to the
// device byte by byte, as they must.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wopenmp-mapping"

namespace yakl_like {

enum Space { Host, Device };
enum Style { C, Fortran };

// --- Host or device ---

// Copies of arrays that kernels make own nothing: only the host counts.
inline bool countsReferences() { return true; }
#pragma omp begin declare variant match(device = {kind(nohost)})
inline bool countsReferences() { return false; }
#pragma omp end declare variant

[[noreturn]] inline void fail(const char *Label, const char *Problem) {
  std::fprintf(stderr, "yakl_like: error: %s: %s\n", Label, Problem);
  std::exit(1);
}

// --- Bounds ---

// One dimension of a loop or an array. Bounds are inclusive; one number is an
// extent, and the style says where it begins.
template <Style Order> struct Bound {
  long Lower, Upper, Stride;
  Bound(long Extent)
      : Lower(Order == Fortran), Upper(Extent - (Order == C)), Stride(1) {}
  Bound(long Lower, long Upper, long Stride = 1)
      : Lower(Lower), Upper(Upper), Stride(Stride) {}
  long size() const {
    return Upper >= Lower ? (Upper - Lower) / Stride + 1 : 0;
  }
};

// Nested loops, the outermost first.
template <int N, Style Order> class LoopBounds {
public:
  using B = Bound<Order>;
  LoopBounds(B Loop0) : Loops{Loop0} {}
  LoopBounds(B Loop0, B Loop1) : Loops{Loop0, Loop1} {}
  LoopBounds(B Loop0, B Loop1, B Loop2) : Loops{Loop0, Loop1, Loop2} {}

  long size() const {
    long Size = 1;
    for (const B &Loop : Loops)
      Size *= Loop.size();
    return Size;
  }

  // Calls the body with the indices of an iteration, and with More.
  template <typename Body, typename... Args>
  void call(const Body &Kernel, long Iteration, const Args &...More) const {
    call(Kernel, Iteration, std::make_index_sequence<N>(), More...);
  }

private:
  template <typename Body, size_t... D, typename... Args>
  void call(const Body &Kernel, long Iteration, std::index_sequence<D...>,
            const Args &...More) const {
    long Index[N], Rest = size(); // iterations further in
    ((Rest /= Loops[D].size(),
      Index[D] = Loops[D].Lower + Iteration / Rest * Loops[D].Stride,
      Iteration %= Rest),
     ...);
    Kernel(Index[D]..., More...);
  }

  B Loops[N];
};

// --- Launching ---

// Launches and seconds of each label. Printed at the end of the program if the
// environment has YAKL_LIKE_TIMERS.
struct TimerTable {
  struct Timer {
    long Launches = 0;
    double Seconds = 0;
  };
  std::map<std::string, Timer> Timers;
  ~TimerTable() {
    if (std::getenv("YAKL_LIKE_TIMERS"))
      for (const auto &[Label, T] : Timers)
        std::fprintf(stderr, "%s: %ld launches, %.6f s\n", Label.c_str(),
                     T.Launches, T.Seconds);
  }
};
inline TimerTable AllTimers;

class Timed {
public:
  explicit Timed(const char *Label) : Of(AllTimers.Timers[Label]) {}
  ~Timed() {
    std::chrono::duration<double> Time = Clock::now() - Start;
    ++Of.Launches;
    Of.Seconds += Time.count();
  }

private:
  using Clock = std::chrono::steady_clock;
  TimerTable::Timer &Of;
  Clock::time_point Start = Clock::now();
};

template <int N, Style Order, typename Body>
void parallel_for(const char *Label, LoopBounds<N, Order> Loops, Body Kernel) {
  Timed T(Label);
  const long Count = Loops.size();
#pragma omp target teams distribute parallel for
  for (long I = 0; I < Count; ++I)
    Loops.call(Kernel, I);
}

// --- Two levels of parallelism ---
//
// Each iteration of the outer loops is a team, and the threads of a team share
// the inner loops. The handler ties the two together.

struct InnerHandler {};

template <int N, Style Order, typename Body>
void parallel_outer(const char *Label, LoopBounds<N, Order> Loops,
                    Body Kernel) {
  Timed T(Label);
  const long Count = Loops.size();
#pragma omp target teams distribute
  for (long I = 0; I < Count; ++I)
    Loops.call(Kernel, I, InnerHandler());
}

// Ends when all threads have done their iterations, so there is no need for
// fences between inner loops.
template <int N, Style Order, typename Body>
void parallel_inner(LoopBounds<N, Order> Loops, const Body &Kernel,
                    InnerHandler) {
  const long Count = Loops.size();
#pragma omp parallel for
  for (long I = 0; I < Count; ++I)
    Loops.call(Kernel, I);
}

// Outside of inner loops one thread of the team runs anyway.
template <typename Body> void single_inner(const Body &Kernel, InnerHandler) {
  Kernel();
}

// --- Atomics ---

template <typename T> void atomicAdd(T &Element, T V) {
#pragma omp atomic
  Element += V;
}
template <typename T> void atomicMin(T &Element, T V) {
#pragma omp atomic compare
  if (V < Element) {
    Element = V;
  }
}
template <typename T> void atomicMax(T &Element, T V) {
#pragma omp atomic compare
  if (Element < V) {
    Element = V;
  }
}

// --- Arrays ---

// Where an element is: in C the last index is consecutive, in Fortran the
// first. D counts dimensions; without a loop over them, compilers and Ferry see
// at once which members of an array are read.
template <Style Order, int N, size_t... D>
constexpr long position(const long (&Index)[N], const long *Lower,
                        const long *Extent, std::index_sequence<D...>) {
  constexpr int Slowest[] = {(Order == C ? int(D) : N - 1 - int(D))...};
  long Result = 0;
  ((Result =
        Result * Extent[Slowest[D]] + Index[Slowest[D]] - Lower[Slowest[D]]),
   ...);
  return Result;
}
template <Style Order, int N>
constexpr long position(const long (&Index)[N], const long *Lower,
                        const long *Extent) {
  return position<Order>(Index, Lower, Extent, std::make_index_sequence<N>());
}

// The data of arrays, and how many share it. On the device it is found by the
// host's address. What lies there on the host is worth nothing, not-a-numbers,
// so that a kernel that reaches it is found out.
template <typename T, Space Where> class Storage {
public:
  Storage() = default;
  explicit Storage(long Size)
      : Data(static_cast<T *>(std::malloc(Size * sizeof(T) + 1))), Size(Size),
        References(new long(1)) {
    std::memset(static_cast<void *>(Data), 0xff, Size * sizeof(T));
    if (Where == Device) {
      T *P = Data;
#pragma omp target enter data map(to : P[ : Size])
    }
  }
  Storage(const Storage &Other)
      : Data(Other.Data), Size(Other.Size), References(Other.References) {
    if (countsReferences() && References)
      ++*References;
  }
  Storage &operator=(Storage Other) {
    std::swap(Data, Other.Data);
    std::swap(Size, Other.Size);
    std::swap(References, Other.References);
    return *this;
  }
  ~Storage() {
    if (countsReferences() && References && --*References == 0)
      free();
  }

  T *Data = nullptr; // the host's address
  long Size = 0;
  long references() const { return References ? *References : 0; }

  // Where the data itself lies, for copies. Programs also run without a device.
  T *address() const {
    void *There = Where == Device && Data
                      ? omp_get_mapped_ptr(Data, omp_get_default_device())
                      : nullptr;
    return There ? static_cast<T *>(There) : Data;
  }
  int device() const {
    return address() == Data ? omp_get_initial_device()
                             : omp_get_default_device();
  }

private:
  void free() {
    if (Where == Device) {
      T *P = Data;
#pragma omp target exit data map(delete : P[ : Size])
    }
    std::free(Data);
    delete References;
  }
  long *References = nullptr;
};

template <typename T, int N, Space Where, Style Order> class DynamicArray {
public:
  DynamicArray() = default;
  using B = Bound<Order>;
  DynamicArray(const char *Label, B Dim0) : Label(Label) { allocate({Dim0}); }
  DynamicArray(const char *Label, B Dim0, B Dim1) : Label(Label) {
    allocate({Dim0, Dim1});
  }
  DynamicArray(const char *Label, B Dim0, B Dim1, B Dim2) : Label(Label) {
    allocate({Dim0, Dim1, Dim2});
  }

  template <typename... Is> T &operator()(Is... I) const {
    static_assert(sizeof...(I) == N, "as many indices as dimensions");
    const long Index[] = {long(I)...};
    return Data[position<Order>(Index, Lower, Extent)];
  }

  // One value for all elements.
  void operator=(T Value) const {
    if constexpr (Where == Device)
      parallel_for(Label, LoopBounds<1, Style::C>(size()),
                   [=](long I) { Data[I] = Value; });
    else
      for (long I = 0; I < size(); ++I)
        Data[I] = Value;
  }

  bool allocated() const { return Data; }
  T *data() const { return Data; }
  long lbound(int D) const { return Lower[D]; }
  long ubound(int D) const { return Lower[D] + Extent[D] - 1; }
  long extent(int D) const { return Extent[D]; }
  long references() const { return Owner.references(); }
  long size() const {
    long Size = 1;
    for (long E : Extent)
      Size *= E;
    return allocated() ? Size : 0;
  }
  void deallocate() { *this = DynamicArray(); }

  template <int OtherN, Space To, Style OtherOrder>
  void deepCopyTo(const DynamicArray<T, OtherN, To, OtherOrder> &Other) const {
    if (Other.size() != size())
      fail(Label, "copied to an array of another size");
    if (size() &&
        omp_target_memcpy(Other.Owner.address(), Owner.address(),
                          size() * sizeof(T),
                          (Other.data() - Other.Owner.Data) * sizeof(T),
                          (Data - Owner.Data) * sizeof(T), Other.Owner.device(),
                          Owner.device()))
      fail(Label, "the copy failed");
  }
  DynamicArray<T, N, Host, Order> createHostCopy() const {
    return copyIn<Host>();
  }
  DynamicArray<T, N, Device, Order> createDeviceCopy() const {
    return copyIn<Device>();
  }

  // A part in which the slowest varying indices are fixed: the first ones in C,
  // the last ones in Fortran. It shares the data.
  template <typename... Is> auto slice(Is... Fixed) const {
    constexpr int Left = N - sizeof...(Is);
    DynamicArray<T, Left, Where, Order> Part;
    const int First = Order == C ? sizeof...(Is) : 0;
    long Index[N];
    std::copy(Lower, Lower + N, Index);
    const long At[] = {long(Fixed)...};
    std::copy(At, At + sizeof...(Is), Index + (Order == C ? 0 : Left));
    std::copy(Lower + First, Lower + First + Left, Part.Lower);
    std::copy(Extent + First, Extent + First + Left, Part.Extent);
    Part.Label = Label;
    Part.Owner = Owner;
    Part.Data = Data + position<Order>(Index, Lower, Extent);
    return Part;
  }

private:
  template <typename, int, Space, Style> friend class DynamicArray;

  void allocate(const B (&Bounds)[N]) {
    long Size = 1;
    for (int D = 0; D < N; ++D) {
      if (Bounds[D].Stride != 1 || Bounds[D].Upper < Bounds[D].Lower - 1)
        fail(Label, "the bounds of an array need a stride of 1 and an upper "
                    "bound that is not below the lower one");
      Lower[D] = Bounds[D].Lower;
      Extent[D] = Bounds[D].size();
      Size *= Extent[D];
    }
    Owner = Storage<T, Where>(Size);
    Data = Owner.Data;
  }
  template <Space To> DynamicArray<T, N, To, Order> copyIn() const {
    DynamicArray<T, N, To, Order> Copy;
    if (!allocated())
      return Copy;
    Copy.Label = Label;
    Copy.Owner = Storage<T, To>(size());
    Copy.Data = Copy.Owner.Data;
    std::copy(Lower, Lower + N, Copy.Lower);
    std::copy(Extent, Extent + N, Copy.Extent);
    deepCopyTo(Copy);
    return Copy;
  }

  const char *Label = "no label";
  Storage<T, Where> Owner;
  T *Data = nullptr; // the first element, in a slice somewhere in the storage
  long Lower[N] = {}, Extent[N] = {};
};

// Arrays of fixed size, also within kernels. SB<L, U> are bounds.
template <long L, long U> struct SB {
  static constexpr long Lower = L, Extent = U - L + 1;
};
template <typename T, Style Order, typename... Bs> struct StackArray {
  static constexpr int N = sizeof...(Bs);
  static constexpr long Size = (Bs::Extent * ...);
  T Data[Size];

  template <typename... Is> T &operator()(Is... I) { return Data[at(I...)]; }
  template <typename... Is> const T &operator()(Is... I) const {
    return Data[at(I...)];
  }

private:
  template <typename... Is> static constexpr long at(Is... I) {
    static_assert(sizeof...(I) == N, "as many indices as dimensions");
    const long Index[] = {long(I)...};
    const long Lower[] = {Bs::Lower...}, Extent[] = {Bs::Extent...};
    return position<Order>(Index, Lower, Extent);
  }
};
template <typename T, long... Extents>
using SArray = StackArray<T, C, SB<0, Extents - 1>...>;
template <typename T, typename... Bs>
using FSArray = StackArray<T, Fortran, Bs...>;

// --- A scalar that a kernel writes and the host reads ---

template <typename T> class ScalarLiveOut {
public:
  explicit ScalarLiveOut(T Initial) : Cell("live-out", 1) { Cell = Initial; }
  void operator=(T Value) const { Cell(0) = Value; }
  T &operator()() const { return Cell(0); }
  T hostRead() const { return Cell.createHostCopy()(0); }

private:
  DynamicArray<T, 1, Device, C> Cell;
};

// --- Reductions ---

template <typename T, int N, Style Order>
T sum(const DynamicArray<T, N, Device, Order> &A) {
  T Result = 0;
  const long Size = A.size();
#pragma omp target teams distribute parallel for reduction(+ : Result)
  for (long I = 0; I < Size; ++I)
    Result += A.data()[I];
  return Result;
}
template <typename T, int N, Style Order>
T minval(const DynamicArray<T, N, Device, Order> &A) {
  T Result = std::numeric_limits<T>::max();
  const long Size = A.size();
#pragma omp target teams distribute parallel for reduction(min : Result)
  for (long I = 0; I < Size; ++I)
    Result = A.data()[I] < Result ? A.data()[I] : Result;
  return Result;
}
template <typename T, int N, Style Order>
T maxval(const DynamicArray<T, N, Device, Order> &A) {
  T Result = std::numeric_limits<T>::lowest();
  const long Size = A.size();
#pragma omp target teams distribute parallel for reduction(max : Result)
  for (long I = 0; I < Size; ++I)
    Result = Result < A.data()[I] ? A.data()[I] : Result;
  return Result;
}
template <typename T, int N, Style Order, typename Predicate>
long count(const DynamicArray<T, N, Device, Order> &A, Predicate Holds) {
  long Result = 0;
  const long Size = A.size();
#pragma omp target teams distribute parallel for reduction(+ : Result)
  for (long I = 0; I < Size; ++I)
    Result += Holds(A.data()[I]);
  return Result;
}
// In a kernel.
template <typename T, Style Order, typename... Bs>
T sum(const StackArray<T, Order, Bs...> &A) {
  T Result = 0;
  for (const T &V : A.Data)
    Result += V;
  return Result;
}

// --- The two styles ---

namespace c {
template <int N> using Bounds = LoopBounds<N, Style::C>;
template <typename T, int N, Space Where>
using Array = DynamicArray<T, N, Where, Style::C>;
template <typename Body>
void parallel_for(const char *Label, long Count, const Body &Kernel) {
  yakl_like::parallel_for(Label, Bounds<1>(Count), Kernel);
}
} // namespace c

namespace fortran {
template <int N> using Bounds = LoopBounds<N, Style::Fortran>;
template <typename T, int N, Space Where>
using Array = DynamicArray<T, N, Where, Style::Fortran>;
template <typename Body>
void parallel_for(const char *Label, long Count, const Body &Kernel) {
  yakl_like::parallel_for(Label, Bounds<1>(Count), Kernel);
}
} // namespace fortran

} // namespace yakl_like

#pragma clang diagnostic pop

#endif // FERRY_EXAMPLES_YAKL_LIKE_H
