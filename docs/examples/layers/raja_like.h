// A layer like RAJA: loops take an execution policy, a segment to run over, and
// a body; nests of loops take a policy that describes them and several bodies.
//
//   forall<Device>(Range{0, N}, [=](long I) { Y(I) += A * X(I); });
//
// Bodies come to the device inside whatever the layer wraps around them:
// functors, records, tuples. There is one target region for loops and one for
// loops that reduce, and neither has a map clause: Ferry finds the pointers.
// Only the class that owns data, Buffer, maps it.
#ifndef FERRY_EXAMPLES_RAJA_LIKE_H
#define FERRY_EXAMPLES_RAJA_LIKE_H

#include <omp.h>

#include <array>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Clang warns of whatever holds a std::tuple or has a copy constructor. Bodies
// go to the device byte by byte, as they must.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wopenmp-mapping"

namespace raja_like {

// --- Execution policies: where a loop runs ---

struct Sequential {};  // in the thread that calls it, also inside a kernel
struct HostThreads {}; // on the host
struct Device {};

// --- Segments: what a loop runs over ---
//
// Each has a size and an iterator, of which operator[] is used only.

struct Counting {
  long First, Stride;
  long operator[](long I) const { return First + I * Stride; }
};

struct Range {
  long First, Last;
  Counting begin() const { return {First, 1}; }
  long size() const { return Last > First ? Last - First : 0; }
};

struct StridedRange {
  long First, Last, Stride;
  Counting begin() const { return {First, Stride}; }
  long size() const {
    return Last > First ? (Last - First + Stride - 1) / Stride : 0;
  }
};

// What lies between two iterators: a list of indices, or the data itself.
template <typename Iterator> struct Span {
  Iterator First, Last;
  Iterator begin() const { return First; }
  long size() const { return Last - First; }
};
using IndexList = Span<const int *>;

// Segments that are run over one after the other.
template <typename... Segments> struct IndexSet {
  std::tuple<Segments...> Parts;
  IndexSet(Segments... Parts) : Parts(Parts...) {}
};

// --- Loops ---

template <typename Segment, typename Body>
void execute(Sequential, const Segment &Over, const Body &Loop) {
  for (long I = 0; I < Over.size(); ++I)
    Loop(Over.begin()[I]);
}

template <typename Segment, typename Body>
void execute(HostThreads, const Segment &Over, const Body &Loop) {
#pragma omp parallel for
  for (long I = 0; I < Over.size(); ++I)
    Loop(Over.begin()[I]);
}

template <typename Segment, typename Body>
void execute(Device, Segment Over, Body Loop) {
  const long Count = Over.size();
#pragma omp target teams distribute parallel for
  for (long I = 0; I < Count; ++I)
    Loop(Over.begin()[I]);
}

template <typename Policy, typename Segment, typename Body>
void forall(const Segment &Over, const Body &Loop) {
  execute(Policy(), Over, Loop);
}

template <typename Policy, typename... Segments, typename Body>
void forall(const IndexSet<Segments...> &Over, const Body &Loop) {
  std::apply([&](const auto &...Part) { (forall<Policy>(Part, Loop), ...); },
             Over.Parts);
}

// --- Reductions ---

struct Plus {
  template <typename T> static constexpr T Neutral = 0;
  template <typename T> static T apply(T A, T B) { return A + B; }
};
struct Minimum {
  template <typename T>
  static constexpr T Neutral = std::numeric_limits<T>::max();
  template <typename T> static T apply(T A, T B) { return B < A ? B : A; }
};
struct Maximum {
  template <typename T>
  static constexpr T Neutral = std::numeric_limits<T>::lowest();
  template <typename T> static T apply(T A, T B) { return A < B ? B : A; }
};

// A reduced value goes to the device and comes back. Target is for the host
// only, when the loop has ended: nothing may translate it.
template <typename Operation, typename T> struct Reducer {
  T *Target;
  T Value = Operation::template Neutral<T>;
  explicit Reducer(T &Target) : Target(&Target) {}
  void combine(const Reducer &Other) {
    Value = Operation::apply(Value, Other.Value);
  }
  Reducer neutral() const { return Reducer(*Target); }
  void finish() { *Target = Operation::apply(*Target, Value); }
};
template <typename Operation, typename T>
Reducer<Operation, T> reduce(T &Target) {
  return Reducer<Operation, T>(Target);
}

// Those of one loop.
template <typename... Rs> struct Reducers {
  std::tuple<Rs...> All;
  void combine(const Reducers &Other) {
    combine(Other, std::index_sequence_for<Rs...>());
  }
  template <size_t... K>
  void combine(const Reducers &Other, std::index_sequence<K...>) {
    (std::get<K>(All).combine(std::get<K>(Other.All)), ...);
  }
  Reducers neutral() const {
    return {std::apply(
        [](auto &...R) { return std::tuple<Rs...>(R.neutral()...); }, All)};
  }
  void finish() {
    std::apply([](auto &...R) { (R.finish(), ...); }, All);
  }
  template <typename Body, typename Element>
  void call(const Body &Loop, Element &&E) {
    std::apply([&](auto &...R) { Loop(E, R.Value...); }, All);
  }
};
template <typename... Rs> Reducers<Rs...> reducers(Rs... All) {
  return {std::tuple<Rs...>(All...)};
}

template <typename Segment, typename Results, typename Body>
void executeReducing(Sequential, const Segment &Over, Results &Result,
                     const Body &Loop) {
  for (long I = 0; I < Over.size(); ++I)
    Result.call(Loop, Over.begin()[I]);
}

template <typename Segment, typename Results, typename Body>
void executeReducing(Device, Segment Over, Results &Result, Body Loop) {
#pragma omp declare reduction(combined:Results : omp_out.combine(omp_in))      \
    initializer(omp_priv = omp_orig.neutral())
  const long Count = Over.size();
#pragma omp target teams distribute parallel for reduction(combined : Result)
  for (long I = 0; I < Count; ++I)
    Result.call(Loop, Over.begin()[I]);
}

// The body takes the element, and a reference for each reducer.
template <typename Policy, typename Segment, typename... Rs, typename Body>
void forall(const Segment &Over, Reducers<Rs...> Results, const Body &Loop) {
  executeReducing(Policy(), Over, Results, Loop);
  Results.finish();
}

// --- Nests of loops ---

// What a nest works on. Each segment stands at its Offset; the bodies take the
// elements there, and the parameters by reference.
template <typename Segments, typename Params, typename Bodies> struct LoopData {
  Segments Segment;
  Params Param;
  Bodies Body;
  std::array<long, std::tuple_size_v<Segments>> Offset = {};

  template <int K> void call() {
    call<K>(std::make_index_sequence<std::tuple_size_v<Segments>>(),
            std::make_index_sequence<std::tuple_size_v<Params>>());
  }
  template <int K, size_t... S, size_t... P>
  void call(std::index_sequence<S...>, std::index_sequence<P...>) {
    std::get<K>(Body)(std::get<S>(Segment).begin()[Offset[S]]...,
                      std::get<P>(Param)...);
  }
  template <int Arg> long size() const { return std::get<Arg>(Segment).size(); }
};

// Statements of which the policy of a nest is made.
template <int... Arg> struct Args {};
template <int K> struct Lambda {
  template <typename Data> static void run(Data &Loop) {
    Loop.template call<K>();
  }
};

// Bodies of the loops: each iteration has data of its own.
template <typename Data, int Arg, typename... Enclosed> struct ForBody {
  Data Loop;
  void operator()(long I) const {
    Data Own = Loop;
    Own.Offset[Arg] = I;
    (Enclosed::run(Own), ...);
  }
};
template <typename Data, typename Args, typename... Enclosed>
struct CollapseBody;
template <typename Data, int... Arg, typename... Enclosed>
struct CollapseBody<Data, Args<Arg...>, Enclosed...> {
  Data Loop;
  void operator()(long I) const {
    Data Own = Loop;
    long Rest = (Loop.template size<Arg>() * ...); // iterations further in
    ((Rest /= Loop.template size<Arg>(), Own.Offset[Arg] = I / Rest, I %= Rest),
     ...);
    (Enclosed::run(Own), ...);
  }
};

template <int Arg, typename Policy, typename... Enclosed> struct For {
  template <typename Data> static void run(Data &Loop) {
    execute(Policy(), Range{0, Loop.template size<Arg>()},
            ForBody<Data, Arg, Enclosed...>{Loop});
  }
};
// In place, so that what is enclosed shares parameters with what is not.
template <int Arg, typename... Enclosed>
struct For<Arg, Sequential, Enclosed...> {
  template <typename Data> static void run(Data &Loop) {
    for (long I = 0, E = Loop.template size<Arg>(); I < E; ++I) {
      Loop.Offset[Arg] = I;
      (Enclosed::run(Loop), ...);
    }
  }
};
template <typename Policy, typename Order, typename... Enclosed>
struct Collapse;
template <typename Policy, int... Arg, typename... Enclosed>
struct Collapse<Policy, Args<Arg...>, Enclosed...> {
  template <typename Data> static void run(Data &Loop) {
    execute(Policy(), Range{0, (Loop.template size<Arg>() * ...)},
            CollapseBody<Data, Args<Arg...>, Enclosed...>{Loop});
  }
};

template <typename Statement, typename... Segments, typename... Params,
          typename... Bodies>
void kernelWith(const std::tuple<Segments...> &Over,
                const std::tuple<Params...> &With, const Bodies &...Body) {
  LoopData<std::tuple<Segments...>, std::tuple<Params...>,
           std::tuple<Bodies...>>
      Loop{Over, With, {Body...}};
  Statement::run(Loop);
}
template <typename Statement, typename... Segments, typename... Bodies>
void kernel(const std::tuple<Segments...> &Over, const Bodies &...Body) {
  kernelWith<Statement>(Over, std::tuple<>(), Body...);
}

// --- Views ---

// Maps indices to a position: the last one of Order is consecutive in memory.
template <int N> struct Layout {
  std::array<long, N> Lower = {}, Stride = {};

  static Layout make(const std::array<long, N> &Extent,
                     const std::array<int, N> &Order) {
    Layout Result;
    long Size = 1;
    for (int K = N - 1; K >= 0; --K) {
      Result.Stride[Order[K]] = Size;
      Size *= Extent[Order[K]];
    }
    return Result;
  }
  static Layout make(const std::array<long, N> &Extent) {
    std::array<int, N> Order;
    for (int K = 0; K < N; ++K)
      Order[K] = K;
    return make(Extent, Order);
  }
  Layout from(const std::array<long, N> &Lowest) const {
    Layout Result = *this;
    Result.Lower = Lowest;
    return Result;
  }

  template <typename... Index> long operator()(Index... I) const {
    static_assert(sizeof...(I) == N, "as many indices as dimensions");
    return at(std::make_index_sequence<N>(), I...);
  }

private:
  template <size_t... D, typename... Index>
  long at(std::index_sequence<D...>, Index... I) const {
    return (((I - Lower[D]) * Stride[D]) + ...);
  }
};

// Through a list of indices.
struct Gather {
  const int *Indices;
  long operator()(long I) const { return Indices[I]; }
};

template <typename T, typename Map> struct ViewBase {
  T *Data;
  Map Position;
};
template <typename T, typename Map = Layout<1>> struct View : ViewBase<T, Map> {
  using Element = T;
  View(T *Data, const Map &Position) : ViewBase<T, Map>{Data, Position} {}
  template <typename... Index> T &operator()(Index... I) const {
    return this->Data[this->Position(I...)];
  }
};
template <typename T> View<T> makeView(T *Data) {
  return {Data, Layout<1>::make({0})};
}
template <typename T, typename... Extents>
View<T, Layout<sizeof...(Extents)>> makeView(T *Data, Extents... E) {
  return {Data, Layout<sizeof...(Extents)>::make({long(E)...})};
}

// Several arrays of one layout, through a table of their addresses.
template <typename T, typename Map> struct MultiView {
  T **Tables;
  Map Position;
  template <typename... Index> T &operator()(int Which, Index... I) const {
    return Tables[Which][Position(I...)];
  }
};

// A view of which the elements are changed by atomic operations.
template <typename T> struct AtomicReference {
  T &Element;
  void operator+=(T V) const {
#pragma omp atomic
    Element += V;
  }
};
template <typename Viewed> struct AtomicView {
  Viewed Of;
  template <typename... Index>
  AtomicReference<typename Viewed::Element> operator()(Index... I) const {
    return {Of(I...)};
  }
};

// --- Memory ---

// Data on the device. The address on the host is what programs hold; what lies
// there is worth nothing, so that a kernel that reaches it is found out.
template <typename T> class Buffer {
public:
  // Element I is Init(I).
  template <typename Function> Buffer(long N, Function Init) : Host(N) {
    for (long I = 0; I < N; ++I)
      Host[I] = Init(I);
    T *Data = data();
#pragma omp target enter data map(to : Data[ : N])
    spoil();
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() {
    T *Data = data();
#pragma omp target exit data map(delete : Data[ : Host.size()])
  }

  T *data() { return Host.data(); }
  operator T *() { return data(); }
  long size() const { return Host.size(); }

  // A copy of what is on the device.
  std::vector<T> fetch(long First, long Count) {
    T *Data = data() + First;
#pragma omp target update from(Data[ : Count])
    std::vector<T> Result(Data, Data + Count);
    spoil();
    return Result;
  }
  std::vector<T> fetch() { return fetch(0, size()); }

private:
  // Tables keep their pointers: Ferry reads them here. Without a device there
  // is nothing but the host's memory.
  void spoil() {
    if constexpr (!std::is_pointer_v<T>)
      if (omp_target_is_present(Host.data(), omp_get_default_device()))
        Host.assign(Host.size(), std::numeric_limits<T>::quiet_NaN());
  }
  std::vector<T> Host;
};

} // namespace raja_like

#pragma clang diagnostic pop

#endif // FERRY_EXAMPLES_RAJA_LIKE_H
