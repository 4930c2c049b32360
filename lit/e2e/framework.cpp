// The paths from a kernel argument to a pointer that a lambda framework makes:
// views that inherit their pointer, layouts with index lists, loop data with
// tuples of bodies, parameters and segments, wrapper and adapter functors,
// reducers that keep a host pointer, tables of pointers, 26 pointers in one
// argument, and pointers that lie before their array.
//
// RUN: for g in "" -g; do for o in -O0 -O1 -O2 -O3; do echo "at $o $g"; \
// RUN:   %ferry_clangxx %offload -Wno-openmp-mapping $o $g %s -o %t || exit 1; \
// RUN:   env OMP_TARGET_OFFLOAD=MANDATORY %t || exit 1; done; done
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t
// RUN: %ferry_clangxx --ferry-off %offload -Wno-openmp-mapping -O2 %s -o %t.stock
// RUN: not env OMP_TARGET_OFFLOAD=MANDATORY %t.stock --isolate | FileCheck %s --check-prefix=STOCK

#include "Inputs/check.h"

#include <utility>

namespace {
constexpr int N = 16;

// A tuple as libraries write them: each value sits in a base of a helper.
template <int I, class T>
struct Storage {
  T Value;
};
template <class Indices, class... T>
struct TupleHelper;
template <size_t... I, class... T>
struct TupleHelper<std::index_sequence<I...>, T...> : Storage<I, T>... {
  TupleHelper(T... V) : Storage<I, T>{V}... {}
};
template <class... T>
struct Tuple {
  using Helper = TupleHelper<std::index_sequence_for<T...>, T...>;
  Helper Values;
  Tuple(T... V) : Values(V...) {}
};
template <int I, class T>
const T &element(const Storage<I, T> &S) {
  return S.Value;
}
template <int I, class T>
T &element(Storage<I, T> &S) { return S.Value; }
template <int I, class... T>
decltype(auto) get(const Tuple<T...> &V) {
  return element<I>(V.Values);
}
template <int I, class... T>
decltype(auto) get(Tuple<T...> &V) {
  return element<I>(V.Values);
}

template <class T>
struct Span {
  T *Begin, *End;
  long size() const { return End - Begin; }
};

// Layouts and views.
struct Strides {
  int Row, Column;
};
struct IndexList {
  const int *Indices;
};
struct Layout : Strides {
  Tuple<IndexList, int> Lists;
  int operator()(int I, int J) const {
    return get<0>(Lists).Indices[I] * Row + J * Column + get<1>(Lists);
  }
};
template <class T>
struct ViewBase {
  Layout Map;
  T *Data;
};
template <class T>
struct View : ViewBase<T> {
  T &operator()(int I, int J) const { return this->Data[this->Map(I, J)]; }
};
template <class T>
struct AtomicReference {
  T *Address;
  void operator+=(T V) const {
#pragma omp atomic
    *Address += V;
  }
};
template <class T>
struct AtomicView : ViewBase<T> {
  AtomicReference<T> operator()(int I, int J) const {
    return {&this->Data[this->Map(I, J)]};
  }
};

// Execution.
template <class F>
void launch(long Count, F Body) {
#pragma omp target teams distribute parallel for map(to : Body)
  for (long I = 0; I < Count; ++I)
    Body(I);
}
template <class F>
void launchImplicitly(long Count, const F &Body) {
#pragma omp target teams distribute parallel for
  for (long I = 0; I < Count; ++I)
    Body(I);
}

template <class Segments, class Params, class... Bodies>
struct LoopData {
  Segments Segment;
  Params Param;
  const Tuple<Bodies...> Body;
  char Padding[160] = {};
};
template <class Data>
struct Wrapper {
  Data Loop;
  void operator()(long I) const {
    get<0>(Loop.Body)(get<0>(Loop.Segment).Begin[I], get<0>(Loop.Param));
  }
};
} // namespace

// STOCK: FAIL view_base_class
SHAPE(view_base_class) {
  Mapped<int> A(N), Out(N, 2);
  Mapped<int> List(4, 0); // 1, 2, 3, 4
  View<int> X{{{{4, 1}, {IndexList{List}, -4}}, A}};
  View<int> Y{{{{4, 1}, {IndexList{List}, -4}}, Out}};
  launchImplicitly(4, [=](long I) {
    for (int J = 0; J < 4; ++J)
      Y(I, J) = X(I, J) + 1;
  });
  Out.expect([&](int I) { return A.at(I) + 1; });
}

// STOCK-NEXT: FAIL loop_data
SHAPE(loop_data) {
  Mapped<int> A(N), B(N, 4), Out(N, 2);
  Mapped<int> List(N / 2, 0); // 1 to 8
  Mapped<int> Out2(N, 7);
  int *P = A, *Q = Out;
  View<int> Y{{{{1, 0}, {IndexList{List}, 0}}, Out2}};
  auto First = [=](int I, int *Added) { Q[I] = P[I] + Added[I]; };
  auto Second = [=](int I, int *Added) { Y(I - 1, 0) = P[I] * Added[I]; };
  using Segments = Tuple<Span<int>>;
  using Params = Tuple<int *, int>;
  LoopData<Segments, Params, decltype(First), decltype(Second)> Data{
      {Span<int>{List, List + N / 2}}, {B, 3}, {First, Second}};
  static_assert(sizeof(Data) > 224, "");
#pragma omp target teams distribute parallel for map(to : Data)
  for (int I = 0; I < N / 2; ++I) {
    Span<int> S = get<0>(Data.Segment);
    if (I < S.End - S.Begin) {
      get<0>(Data.Body)(S.Begin[I], get<0>(Data.Param));
      get<1>(Data.Body)(S.Begin[I], get<0>(Data.Param));
    }
  }
  check::absent("the loop data", Data);
  check::pointer("the parameter", get<0>(Data.Param), B.Host);
  Out.expect([&](int I) {
    return I >= 1 && I <= N / 2 ? A.at(I) + B.at(I) : Out.at(I);
  });
  Out2.expect([&](int I) {
    return I >= 1 && I <= N / 2 ? A.at(I) * B.at(I) : Out2.at(I);
  });
}

// STOCK-NEXT: FAIL wrapper_of_loop_data
SHAPE(wrapper_of_loop_data) {
  Mapped<int> A(N), B(N, 4), Out(N, 2);
  Mapped<int> List(N / 2, 0);
  int *P = A, *Q = Out;
  auto Body = [=](int I, int *Added) { Q[I] = P[I] + Added[I]; };
  using Data = LoopData<Tuple<Span<int>>, Tuple<int *>, decltype(Body)>;
  Wrapper<Data> W{Data{{Span<int>{List, List + N / 2}}, {B}, {Body}}};
  launch(N / 2, W);
  launchImplicitly(N / 2, W);
  check::absent("the wrapper", W);
  Out.expect([&](int I) {
    return I >= 1 && I <= N / 2 ? A.at(I) + B.at(I) : Out.at(I);
  });
}

namespace {
// Turns a body of two indices into one of one.
template <class F>
struct Collapse {
  F Body;
  int Columns;
  void operator()(long I) const { Body(I / Columns, I % Columns); }
};
// Calls the body with what an iterator points at.
template <class Iterator, class F>
struct ForEach {
  Iterator Begin;
  F Body;
  void operator()(long I) const { Body(Begin[I]); }
};
template <class F>
struct HeldBase {
  F Body;
};
template <class F, class... Args>
struct Held : HeldBase<F> {
  Tuple<Args...> Arguments;
  Held(F Body, Args... A) : HeldBase<F>{Body}, Arguments(A...) {}
  void operator()(long I) const {
    this->Body(I, get<0>(Arguments), get<1>(Arguments));
  }
};
} // namespace

// STOCK-NEXT: FAIL adapter_of_view
SHAPE(adapter_of_view) {
  Mapped<int> A(N), Out(N, 2), List(4, 0);
  View<int> X{{{{4, 1}, {IndexList{List}, -4}}, A}};
  View<int> Y{{{{4, 1}, {IndexList{List}, -4}}, Out}};
  auto Body = [=](int I, int J) { Y(I, J) = 2 * X(I, J); };
  launch(N, Collapse<decltype(Body)>{Body, 4});
  Out.expect([&](int I) { return 2 * A.at(I); });
}

// STOCK-NEXT: FAIL adapter_with_iterator
SHAPE(adapter_with_iterator) {
  Mapped<int> List(N - 4, 0), Out(N, 2);
  int *Q = Out;
  // The elements of List are 1 to 10, 1, 2.
  auto Body = [=](int &V) { Q[V] = V; };
  launchImplicitly(10, ForEach<int *, decltype(Body)>{List, Body});
  Out.expect([&](int I) { return I >= 1 && I <= 10 ? I : Out.at(I); });
}

// STOCK-NEXT: FAIL atomic_view
SHAPE(atomic_view) {
  Mapped<int> A(N), Out(2, 2), List(2, 0);
  AtomicView<int> Y{{{{1, 0}, {IndexList{List}, -1}}, Out}};
  int *P = A;
  launchImplicitly(N, [=](long I) { Y(I % 2, 0) += P[I]; });
  Out.expect([&](int I) {
    int Sum = Out.at(I);
    for (int J = I; J < N; J += 2)
      Sum += A.at(J);
    return Sum;
  });
}

// STOCK-NEXT: FAIL held_arguments
SHAPE(held_arguments) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  int *P = A;
  auto Body = [=](long I, int *Q, const int *R) { Q[I] = P[I] + R[I]; };
  launch(N, Held<decltype(Body), int *, const int *>(Body, Out, B));
  Out.expect([&](int I) { return A.at(I) + B.at(I); });
}

// STOCK-NEXT: FAIL bare_iterator_in_map_clause
SHAPE(bare_iterator_in_map_clause) {
  Mapped<int> A(N), Out(N, 2);
  int *Begin = A + 2, *To = Out;
#pragma omp target teams distribute parallel for map(to : Begin)
  for (int I = 0; I < N - 2; ++I)
    To[I] = Begin[I];
  check::pointer("Begin", Begin, A + 2);
  check::absent("Begin", Begin);
  Out.expect([&](int I) { return I < N - 2 ? A.at(I + 2) : Out.at(I); });
}

namespace {
struct TableView {
  int **Rows;
  int Offset;
  int &operator()(int I, int Row) const { return Rows[Row][I + Offset]; }
};
} // namespace

// STOCK-NEXT: FAIL view_of_table
SHAPE(view_of_table) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  int *Table[3] = {A, B, Out};
  int **Rows = Table;
  TableView V{Rows, 0};
#pragma omp target enter data map(to : Rows[0 : 3])
  launch(N, [=](long I) { V(I, 2) = V(I, 0) + V(I, 1); });
#pragma omp target exit data map(delete : Rows[0 : 3])
  check::pointer("Table[2]", Table[2], Out.Host);
  Out.expect([&](int I) { return A.at(I) + B.at(I); });
}

namespace {
struct Grid {
  int *In, *Out;
  int Scale;
  Grid(int *In, int *Out, int Scale) : In(In), Out(Out), Scale(Scale) {
#pragma omp target enter data map(to : this[0 : 1])
#pragma omp target enter data map(to : this->In[0 : N], this->Out[0 : N])
  }
  ~Grid() {
#pragma omp target exit data map(release : this->In[0 : N], this->Out[0 : N])
#pragma omp target exit data map(delete : this[0 : 1])
  }
  void run() {
    launchImplicitly(N, [this](long I) { Out[I] = Scale * In[I]; });
  }
  void runDirectly() {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I)
      Out[I] += Scale * In[I];
  }
};
} // namespace

// STOCK-NEXT: FAIL this_with_attached_members
SHAPE(this_with_attached_members) {
  Mapped<int> A(N), Out(N, 2);
  {
    Grid G(A, Out, 3);
    G.Scale = -1; // the device keeps 3
    G.run();
    G.runDirectly();
    if (!check::offload())
      return Out.expect([&](int I) { return -2 * A.at(I); });
    check::pointer("In", G.In, A.Host);
  }
  Out.expect([&](int I) { return 6 * A.at(I); });
}

// STOCK-NEXT: FAIL present_variable_by_reference
SHAPE(present_variable_by_reference) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out, Factor = 3;
#pragma omp target enter data map(to : Factor)
  if (check::offload())
    Factor = -1; // the device keeps 3
  launchImplicitly(N, [&](long I) { Q[I] = Factor * P[I]; });
#pragma omp target exit data map(delete : Factor)
  Out.expect([&](int I) { return 3 * A.at(I); });
}

namespace {
struct Sum {
  int *Target; // for the host, after the region
  int Local;
  void operator+=(int V) { Local += V; }
  void finish() { *Target = Local; }
};
} // namespace

// STOCK-NEXT: FAIL reducer_keeps_host_pointer
SHAPE(reducer_keeps_host_pointer) {
  Mapped<int> A(N);
  int Result[2] = {70, 71};
  int *P = A, *R = Result;
#pragma omp target enter data map(to : R[0 : 2])
  auto Body = [=](long I, Sum &S) { S += P[I]; };
  LoopData<Tuple<int>, Tuple<Sum>, decltype(Body)> Data{
      {N}, {Sum{Result + 1, 0}}, {Body}};
#pragma omp target map(tofrom : Data)
  for (int I = 0; I < get<0>(Data.Segment); ++I)
    get<0>(Data.Body)(I, get<0>(Data.Param));
  check::pointer("the reducer's target", get<0>(Data.Param).Target, Result + 1);
  get<0>(Data.Param).finish();
#pragma omp target exit data map(delete : R[0 : 2])
  int Want = 0;
  for (int I = 0; I < N; ++I)
    Want += A.at(I);
  check::equal("the other result", Result[0], 70);
  check::equal("the sum", Result[1], Want);
}

// STOCK-NEXT: ok reducer_alone_keeps_host_pointer
SHAPE(reducer_alone_keeps_host_pointer) {
  Mapped<int> A(N);
  int Result = 70, *P = A;
  int *ToResult = &Result;
#pragma omp target enter data map(to : ToResult[0 : 1])
  Sum S{&Result, 1};
#pragma omp target map(tofrom : S)
  for (int I = 0; I < N; ++I)
    S += P[I];
  check::pointer("the reducer's target", S.Target, &Result);
  check::equal("the other result", Result, 70);
  S.finish();
#pragma omp target exit data map(delete : ToResult[0 : 1])
  int Want = 1;
  for (int I = 0; I < N; ++I)
    Want += A.at(I);
  check::equal("the sum", Result, Want);
}

namespace {
struct TwentySix {
  const int *P[25];
  int *Out;
  void operator()(long I) const {
    int Sum = 0;
    for (const int *Q : P)
      Sum += Q[I];
    Out[I] = Sum;
  }
};
} // namespace

// STOCK-NEXT: FAIL twenty_six_pointers
SHAPE(twenty_six_pointers) {
  Mapped<int> A(N + 25), Out(N, 2);
  TwentySix F;
  for (int I = 0; I < 25; ++I)
    F.P[I] = A + I;
  F.Out = Out;
  launch(N, F);
  launchImplicitly(N, F);
  Out.expect([&](int I) {
    int Sum = 0;
    for (int J = 0; J < 25; ++J)
      Sum += A.at(I + J);
    return Sum;
  });
}

namespace {
template <class F, class G, class H>
struct Three {
  F Before;
  G During;
  H After;
  void operator()(long I) const {
    Before(I);
    During(I);
    After(I);
  }
};
template <class F, class G, class H>
Three<F, G, H> three(F A, G B, H C) {
  return {A, B, C};
}
} // namespace

// STOCK-NEXT: FAIL several_lambdas_in_one_object
SHAPE(several_lambdas_in_one_object) {
  Mapped<int> A(N), B(N, 3), Out(N, 2);
  int *P = A, *Q = Out, *R = B;
  launchImplicitly(N, three([=](long I) { Q[I] = P[I]; },
                            [=](long I) { Q[I] *= R[I]; },
                            [=](long I) { ++Q[I]; }));
  Out.expect([&](int I) { return A.at(I) * B.at(I) + 1; });
}

namespace {
struct Empty {};
template <int I>
struct Tag : Empty {};
template <class F>
struct Compressed : Tag<0>, Tag<1>, F, Tag<2> {
  Compressed(F Body) : F(Body) {}
};
template <class F>
struct EightBytes {
  F Body;
  void operator()(long I) const { Body(I); }
};
} // namespace

// STOCK-NEXT: FAIL empty_bases
SHAPE(empty_bases) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A, *Q = Out;
  auto Body = [=](long I) { Q[I] = 2 * P[I]; };
  launchImplicitly(N, Compressed<decltype(Body)>(Body));
  Out.expect([&](int I) { return 2 * A.at(I); });
}

// STOCK-NEXT: FAIL objects_of_eight_bytes
SHAPE(objects_of_eight_bytes) {
  Mapped<int> A(N);
  int *P = A;
  auto Body = [=](long I) { P[I] = 2 * P[I]; };
  EightBytes<decltype(Body)> Small{Body};
  static_assert(sizeof(Small) == 8, "");
  launch(N, Small);
  launchImplicitly(N, Small);
  A.expect([&](int I) { return 4 * A.at(I); });
}

// STOCK-NEXT: FAIL span_loop_to_its_end
SHAPE(span_loop_to_its_end) {
  // Two arrays lie side by side: the first one's end is the second one's begin.
  int Storage[2 * N];
  Mapped<int> A(N, 1, omp_get_default_device(), Storage);
  Mapped<int> B(N, 3, omp_get_default_device(), Storage + N);
  Mapped<int> Out(2, 2);
  Span<const int> First{A, A + N}, Second{B, B + N};
  int *Q = Out;
  launchImplicitly(1, [=](long) {
    int Sum = 0;
    for (const int *I = First.Begin; I != First.End; ++I)
      Sum += *I;
    Q[0] = Sum;
    Q[1] = Second.size();
    for (const int *I = Second.Begin; I != Second.End; ++I)
      Q[1] += *I;
  });
  int WantA = 0, WantB = N;
  for (int I = 0; I < N; ++I)
    WantA += A.at(I), WantB += B.at(I);
  Out.expect([&](int I) { return I ? WantB : WantA; });
}

// STOCK-NEXT: FAIL one_based_array
SHAPE(one_based_array) {
  Mapped<int> A(N), Out(N, 2);
  int *P = A - 10, *Q = Out - 10;
  launchImplicitly(N, [=](long I) { Q[I + 10] = 2 * P[I + 10]; });
  Out.expect([&](int I) { return 2 * A.at(I); });
}

namespace {
struct ShiftedView {
  int *Data; // points before the array, by one element
  int &operator()(int I) const { return Data[I + 1]; }
};
} // namespace

// STOCK-NEXT: FAIL one_based_view
SHAPE(one_based_view) {
  Mapped<int> A(N), Out(N, 2);
  ShiftedView X{A - 1}, Y{Out - 1};
  launch(N, [=](int I) { Y(I) = X(I); });
  Out.expect([&](int I) { return A.at(I); });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
