// A model whose arrays are members of a class, on the YAKL-like layer. Lambdas
// in its member functions use them as they are, which captures `this`; in other
// frameworks each one has to be copied to a local variable before.
//
// RUN: %wrong_without_ferry
#include "../example.h"
#include "yakl_like.h"

#include <vector>

using namespace yakl_like;
using c::Bounds;

namespace {

using Field = c::Array<double, 1, Device>;

// A grid and what is on it, in a base class, a member and a member's member.
struct Grid {
  long Cells;
  double Width;
};
struct Boundary {
  Field Left, Right;
};
struct Named {
  Field Tracer;
  explicit Named(long N) : Tracer("tracer", N) {}
};

class Model : Named {
public:
  explicit Model(long N)
      : Named(N), G{N, 1.0 / N}, Ends{{"left", 1}, {"right", 1}},
        Flux("flux", N + 1), History{{"old", N}, {"older", N}} {
    auto Initial = Tracer.createHostCopy();
    for (long I = 0; I < N; ++I)
      Initial(I) = I % 7;
    Initial.deepCopyTo(Tracer);
    Ends.Left = 2.0;
    Ends.Right = 5.0;
    for (const Field &F : History)
      F = 0.0;
  }

  // Members, members of members, and an array of arrays.
  void step() {
    c::parallel_for("keep", G.Cells, [=](long I) {
      History[1](I) = History[0](I);
      History[0](I) = Tracer(I);
    });
    parallel_for("flux", Bounds<1>(G.Cells + 1), [this](long I) {
      const double Before = I == 0 ? Ends.Left(0) : Tracer(I - 1);
      const double After = I == G.Cells ? Ends.Right(0) : Tracer(I);
      Flux(I) = Before - After;
    });
    // With references to local variables beside.
    const double Factor = 0.25;
    long Steps = ++StepsDone;
    parallel_for("update", Bounds<1>(G.Cells), [&](long I) {
      Tracer(I) += Factor * difference(I) + double(Steps);
    });
  }

  // A copy of the object in place of its address.
  void scale(double By) {
    Scale = By;
    parallel_for("scale", Bounds<1>(G.Cells),
                 [*this](long I) { Tracer(I) *= Scale; });
    Scale = 0;
  }

  double total() const { return sum(Tracer) * G.Width; }
  double change() const {
    double Sum = 0;
    auto New = Tracer.createHostCopy(), Old = History[0].createHostCopy(),
         Older = History[1].createHostCopy();
    for (long I = 0; I < G.Cells; ++I)
      Sum += (New(I) - 2 * Old(I) + Older(I)) * double(I % 5 + 1);
    return Sum;
  }

private:
  // Called from kernels: uses the object as well.
  double difference(long I) const { return Flux(I) - Flux(I + 1); }

  Grid G;
  Boundary Ends;
  Field Flux;
  Field History[2];
  double Scale = 1;
  long StepsDone = 0;
};

// The same with loops on the host.
struct HostModel {
  std::vector<double> Tracer, Old, Older;
  explicit HostModel(long N) : Tracer(N), Old(N), Older(N) {
    for (long I = 0; I < N; ++I)
      Tracer[I] = I % 7;
  }
  void step(int Steps) {
    Older = Old;
    Old = Tracer;
    const long N = Tracer.size();
    for (long I = 0; I < N; ++I) {
      const double Before = I == 0 ? 2 : Old[I - 1];
      const double After = I == N - 1 ? 5 : Old[I + 1];
      Tracer[I] += 0.25 * (Before - 2 * Old[I] + After) + Steps;
    }
  }
  double change() const {
    double Sum = 0;
    for (size_t I = 0; I < Tracer.size(); ++I)
      Sum += (Tracer[I] - 2 * Old[I] + Older[I]) * double(I % 5 + 1);
    return Sum;
  }
};

} // namespace

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "cells", 200, 2, 10000000);
  const long N = E.size();
  HostModel Host(N);
  for (int Step = 1; Step <= 3; ++Step)
    Host.step(Step);
  double Total = 0;
  for (double V : Host.Tracer)
    Total += V;

  // All numbers are multiples of 1/64 and small, so all sums are exact.
  E.run(
      "steps",
      [&] {
        Model M(N);
        for (int Step = 0; Step < 3; ++Step)
          M.step();
        return M.change();
      },
      Host.change());
  E.run(
      "copy-of-this",
      [&] {
        Model M(N);
        for (int Step = 0; Step < 3; ++Step)
          M.step();
        M.scale(2);
        return M.total();
      },
      2 * Total / N, 1e-15);
  return E.finish();
}
