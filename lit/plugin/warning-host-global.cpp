// -Whost-global: a lambda that runs on the device refers to a variable that the
// device has not. On by default: the kernel reads another variable, or crashes.
// RUN: %ferry_plain %offload --offload-host-only -fsyntax-only -Xclang -verify %s
// RUN: %ferry_plain %offload --offload-host-only -fsyntax-only -Xclang -plugin-arg-ferry -Xclang -Whost-global -Xclang -verify %s
// RUN: %ferry_plain %offload --offload-host-only -fsyntax-only -Xclang -plugin-arg-ferry -Xclang -Wno-host-global %s 2>&1 | count 0
// RUN: %ferry_plain %offload --offload-host-only -fsyntax-only %s 2>&1 | FileCheck %s
// Said by the host compilation alone.
// RUN: %ferry_plain %offload -fsyntax-only -fno-caret-diagnostics %s 2>&1 | grep "variable 'Local'" | count 1

template <class F> void run(F f) {
#pragma omp target // expected-note 5 {{used in this target region}}
  f(0);
}

int Counter;
int Unevaluated;
static double Table[4];
const int Size = 4;
constexpr double Factors[] = {1, 2};
const double NotAConstant = 0.5 + Counter;
#pragma omp declare target
int OnDevice;
#pragma omp end declare target
int Linked;
#pragma omp declare target link(Linked)
struct Statics {
  static int Member;
};
int Statics::Member;

// CHECK: warning-host-global.cpp:[[#@LINE+5]]:19: warning: variable 'Counter' is used on the device but is not in a 'declare target' directive; the device does not see its value [-Whost-global]
// CHECK: warning-host-global.cpp:[[#@LINE-21]]:1: note: used in this target region
void globals(int *P) {
  static int Local;
  run([=](int I) {
    P[I] = Size + Counter; // expected-warning {{variable 'Counter' is used on the device but is not in a 'declare target' directive; the device does not see its value [-Whost-global]}}
    P[I] += Counter;       // said once
    P[I] += Table[I];      // expected-warning {{variable 'Table' is used on the device}}
    P[I] += Local;         // expected-warning {{variable 'Local' is used on the device}}
    P[I] += Statics::Member; // expected-warning {{variable 'Member' is used on the device}}
    P[I] += NotAConstant;  // expected-warning {{variable 'NotAConstant' is used on the device}}
    P[I] += OnDevice + Linked;
    P[I] += sizeof(Unevaluated) + alignof(decltype(Unevaluated));
    decltype(Unevaluated) Own = 0;
    P[I] += Own;
  });
}

// A lambda that stays on the host may use what it likes.
void onHost(int *P) {
  auto Host = [=](int I) { P[I] = Counter; };
  Host(0);
}

// What a region itself names is mapped by the rules of OpenMP.
void mapped(int *P) {
#pragma omp target
  P[0] = Counter;
}
