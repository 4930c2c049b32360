// What loops of the RAJA-like layer run over: ranges of indices, lists of
// indices, and data itself through its iterators, one by one and several as one
// index set. The views reach data directly, through a list of indices, through
// layouts with any lower bounds, and through a table of arrays.
//
// In each case the pointers lie in another place of what comes to the device:
// in the lambda, in a view's base class, in the segment, in a view's layout.
//
// RUN: %wrong_without_ferry
#include "../example.h"
#include "raja_like.h"

using namespace raja_like;

namespace {

double initial(long I) { return I + 1; }
int everyThird(long I) { return 3 * I; }
double total(const std::vector<double> &Values) {
  double Sum = 0;
  for (size_t I = 0; I < Values.size(); ++I)
    Sum += Values[I] * double(I + 1);
  return Sum;
}

// Runs Loop(Y) on the device on a fresh array, and Want(Y) on the host on
// another; compares the arrays, weighted by position.
template <typename Loop, typename Serial>
void compare(Example &E, const char *Name, Loop OnDevice, Serial OnHost) {
  std::vector<double> Expected(E.size());
  for (long I = 0; I < E.size(); ++I)
    Expected[I] = initial(I);
  OnHost(Expected.data());
  E.run(
      Name,
      [&] {
        Buffer<double> Y(E.size(), initial);
        OnDevice(Y);
        return total(Y.fetch());
      },
      total(Expected));
}

} // namespace

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "elements", 999, 6, 100000000);
  const long N = E.size();
  Buffer<double> Source(N, [](long I) { return 0.5 * I; });
  Buffer<int> List(N / 3, everyThird);
  auto X = makeView(Source.data());

  compare(
      E, "range",
      [&](double *P) {
        auto Y = makeView(P);
        forall<Device>(Range{1, N}, [=](long I) { Y(I) = X(I - 1); });
      },
      [&](double *Y) {
        for (long I = 1; I < N; ++I)
          Y[I] = 0.5 * (I - 1);
      });

  compare(
      E, "strided-range",
      [&](double *P) {
        auto Y = makeView(P);
        forall<Device>(StridedRange{1, N, 4}, [=](long I) { Y(I) += X(I); });
      },
      [&](double *Y) {
        for (long I = 1; I < N; I += 4)
          Y[I] += 0.5 * I;
      });

  // One loop, three policies; those of the host work on the host's data.
  compare(
      E, "policies",
      [&](double *P) {
        auto Squares = [](auto Y) { return [=](long I) { Y(I) = I * I; }; };
        std::vector<double> Threads(N), Alone(N);
        forall<Device>(Range{0, N}, Squares(makeView(P)));
        forall<HostThreads>(Range{0, N}, Squares(makeView(Threads.data())));
        forall<Sequential>(Range{0, N}, Squares(makeView(Alone.data())));
        E.check("threads and one thread", Threads == Alone, true);
      },
      [&](double *Y) {
        for (long I = 0; I < N; ++I)
          Y[I] = I * I;
      });

  // The list of indices is a part of the segment, not of the lambda.
  compare(
      E, "index-list",
      [&](double *P) {
        auto Y = makeView(P);
        forall<Device>(IndexList{List, List + List.size()},
                       [=](int I) { Y(I) = 2 * X(I); });
      },
      [&](double *Y) {
        for (long I = 0; I < N / 3; ++I)
          Y[3 * I] = 3 * I;
      });

  // The body gets the elements, and captures nothing with a pointer.
  compare(
      E, "iterators",
      [&](double *P) {
        forall<Device>(Span<double *>{P + 2, P + N - 2},
                       [](double &Element) { Element = -Element; });
      },
      [&](double *Y) {
        for (long I = 2; I < N - 2; ++I)
          Y[I] = -Y[I];
      });

  // The kernel needs the span's end as well, which is the address behind the
  // array.
  compare(
      E, "search-in-span",
      [&](double *P) {
        auto Y = makeView(P);
        Span<const int *> Sorted{List, List + List.size()};
        forall<Device>(Range{0, N}, [=](long I) {
          const int *First = Sorted.First, *Last = Sorted.Last;
          while (First != Last) {
            const int *Middle = First + (Last - First) / 2;
            if (*Middle < I)
              First = Middle + 1;
            else
              Last = Middle;
          }
          if (First != Sorted.Last && *First == I)
            Y(I) = First - Sorted.First;
        });
      },
      [&](double *Y) {
        for (long I = 0; I < N / 3; ++I)
          Y[3 * I] = I;
      });

  compare(
      E, "index-set",
      [&](double *P) {
        auto Y = makeView(P);
        IndexSet Parts(Range{0, N / 2}, StridedRange{N / 2, N, 2},
                       IndexList{List, List + List.size()});
        forall<Device>(Parts, [=](long I) { Y(I) += X(I); });
      },
      [&](double *Y) {
        for (long I = 0; I < N / 2; ++I)
          Y[I] += 0.5 * I;
        for (long I = N / 2; I < N; I += 2)
          Y[I] += 0.5 * I;
        for (long I = 0; I < N / 3; ++I)
          Y[3 * I] += 0.5 * (3 * I);
      });

  compare(
      E, "view-through-list",
      [&](double *P) {
        View<double, Gather> Thirds(Source, {List});
        auto Y = makeView(P);
        forall<Device>(Range{0, N / 3}, [=](long I) { Y(I) = Thirds(I); });
      },
      [&](double *Y) {
        for (long I = 0; I < N / 3; ++I)
          Y[I] = 0.5 * (3 * I);
      });

  compare(
      E, "lower-bound",
      [&](double *P) {
        View<double> Y(P, Layout<1>::make({N}).from({-5}));
        forall<Device>(Range{-5, N - 5}, [=](long I) { Y(I) = I; });
      },
      [&](double *Y) {
        for (long I = 0; I < N; ++I)
          Y[I] = I - 5;
      });

  // The table is an array on the device as well, and its elements are the
  // device's addresses.
  compare(
      E, "table-of-arrays",
      [&](double *P) {
        double *Arrays[] = {Source, P};
        Buffer<double *> Table(2, [&](long I) { return Arrays[I]; });
        MultiView<double, Layout<1>> M{Table, Layout<1>::make({N})};
        forall<Device>(Range{0, N}, [=](long I) { M(1, I) += M(0, I); });
      },
      [&](double *Y) {
        for (long I = 0; I < N; ++I)
          Y[I] += 0.5 * I;
      });

  return E.finish();
}
