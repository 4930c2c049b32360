// Variables on the device: declare target globals, tables, static data, and
// objects that are constructed when the image is loaded.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

namespace {
struct Seeded {
  int Value;
  Seeded();
};
template <class T>
struct Holder {
  static T Value;
};
} // namespace
struct Table {
  static int Squares[20];
};

#pragma omp begin declare target
int Counter = 5;
double Grid[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
const int Primes[] = {2, 3, 5, 7, 11, 13};
static const char *Words[] = {"one", "three", "", "seventeen"};
volatile int Seed = 4;
Seeded::Seeded() : Value(Seed * 5) {}
Seeded Constructed;
int Table::Squares[20];
template <class T>
T Holder<T>::Value = 3;
int *Inside = &Table::Squares[7];
static int Uninitialized[64];

static int countCalls() {
  static int Calls = 100;
  return ++Calls;
}
static int length(const char *S) {
  int N = 0;
  while (S[N])
    ++N;
  return N;
}
#pragma omp end declare target

int Linked[10];
#pragma omp declare target link(Linked)

PROGRAM(scalar) {
  int Got = 0;
#pragma omp target map(from : Got)
  Got = Counter++;
  check::value("first", Got, 5);
#pragma omp target map(from : Got)
  Got = Counter;
  check::value("second", Got, 6);
  check::value("the host's", Counter, 5);
#pragma omp target update from(Counter)
  check::value("updated", Counter, 6);
  Counter = 50;
#pragma omp target update to(Counter)
#pragma omp target map(from : Got)
  Got = Counter;
  check::value("third", Got, 50);
}

PROGRAM(array_of_rows) {
  double Sum = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : Sum)
  for (int I = 0; I < 3; ++I)
    for (int J = 0; J < 4; ++J)
      Sum += Grid[I][J] * (I + 1);
  check::value("Sum", Sum, 10 + 2 * 26 + 3 * 42);
}

PROGRAM(constant_table) {
  int Sum = 0, N = 600;
#pragma omp target teams distribute parallel for reduction(+ : Sum)
  for (int I = 0; I < N; ++I)
    Sum += Primes[I % 6];
  check::value("Sum", Sum, 4100);
}

PROGRAM(table_of_strings) {
  int Length[4];
#pragma omp target parallel for num_threads(4) map(from : Length)
  for (int I = 0; I < 4; ++I)
    Length[I] = length(Words[I]);
  const int Want[] = {3, 5, 0, 9};
  check::array("Length", Length, Want, 4);
}

PROGRAM(constructed) {
  int Got = 0;
#pragma omp target map(from : Got)
  Got = Constructed.Value;
  check::value("Value", Got, 20);
}

PROGRAM(pointer_to_another) {
  int Got = 0;
#pragma omp target map(from : Got)
  {
    Table::Squares[7] = 49;
    Got = *Inside;
  }
  check::value("Got", Got, 49);
}

PROGRAM(static_member) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < 20; ++I)
    Table::Squares[I] = I * I;
#pragma omp target update from(Table::Squares)
  for (int I = 0; I < 20; ++I)
    check::value("Squares", Table::Squares[I], I * I, I);
}

PROGRAM(member_of_template) {
  double Got = 0;
#pragma omp target map(from : Got)
  {
    Holder<int>::Value += 1;
    Holder<double>::Value += 0.5;
    Got = Holder<int>::Value + Holder<double>::Value;
  }
  check::value("Got", Got, 7.5);
}

PROGRAM(local_static) {
  int Got[2];
#pragma omp target map(from : Got)
  {
    Got[0] = countCalls();
    Got[1] = countCalls();
  }
  check::value("first call", Got[0], 101);
  check::value("second call", Got[1], 102);
}

PROGRAM(linked) {
  for (int I = 0; I < 10; ++I)
    Linked[I] = I;
#pragma omp target teams distribute parallel for map(tofrom : Linked)
  for (int I = 0; I < 10; ++I)
    Linked[I] *= 3;
  for (int I = 0; I < 10; ++I)
    check::value("Linked", Linked[I], 3 * I, I);
}

PROGRAM(zero_at_first) {
  int Sum = 0, Bad = 0;
#pragma omp target parallel for num_threads(64) reduction(+ : Sum, Bad)
  for (int I = 0; I < 64; ++I) {
    Bad += Uninitialized[I] != 0;
    Uninitialized[I] = I;
    Sum += Uninitialized[I];
  }
  check::value("not zero", Bad, 0);
  check::value("Sum", Sum, 63 * 32);
#pragma omp target parallel for num_threads(64) reduction(+ : Bad)
  for (int I = 0; I < 64; ++I)
    Bad += Uninitialized[I] != I;
  check::value("lost", Bad, 0);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
