// What a lambda captures: where the pointers lie, which of them are references
// or `this`, and what they are called.
// RUN: %annotations -std=c++17 %s | FileCheck %s

template <class F> void run(F f) {
#pragma omp target
  f(0);
}

struct View {
  double *Data;
  long N;
};

struct Grid {
  double *Cells;
  int N;
  void byThis();
  void byStarThis();
};

void lambdas(double *P, View V, double Sum, const long &Scale) {
  // CHECK-LABEL: {{^}}_Z3runI{{.*}}lambdas
  // CHECK-SAME: : line [[#L:]]:1
  // CHECK-NEXT: 0 f: lambda, 8 bytes, align 8
  // CHECK-NEXT:   +0 pointer P
  run([=](int I) { P[I] = 1; });

  // CHECK-NEXT: {{^}}_Z3runI{{.*}}: line [[#L]]:1
  // CHECK-NEXT: 0 f: lambda, 16 bytes, align 8
  // CHECK-NEXT:   +0 reference Sum: 8 bytes, align 8
  // CHECK-NEXT:   +8 reference P: 8 bytes, align 8
  // CHECK-NEXT:   | +0 pointer -
  run([&](int I) { Sum += P[I]; });

  // A member of a member, and a reference to const.
  // CHECK-NEXT: {{^}}_Z3runI{{.*}}: line [[#L]]:1
  // CHECK-NEXT: 0 f: lambda, 24 bytes, align 8
  // CHECK-NEXT:   +0 pointer V.Data
  // CHECK-NEXT:   +16 reference Scale const: 8 bytes, align 8
  run([V, &Scale](int I) { V.Data[I] = Scale; });

  // Init captures have names of their own.
  // CHECK-NEXT: {{^}}_Z3runI{{.*}}: line [[#L]]:1
  // CHECK-NEXT: 0 f: lambda, 16 bytes, align 8
  // CHECK-NEXT:   +0 pointer Third
  // CHECK-NEXT:   +8 reference Total: 8 bytes, align 8
  run([Third = P + 2, &Total = Sum](int I) { Total += Third[I]; });

  // Closures in closures, by value and by reference.
  auto Inner = [P](int I) { return P[I]; };
  // CHECK-NEXT: {{^}}_Z3runI{{.*}}: line [[#L]]:1
  // CHECK-NEXT: 0 f: lambda, 8 bytes, align 8
  // CHECK-NEXT:   +0 pointer Inner.P
  run([Inner](int I) { Inner(I); });
  // CHECK-NEXT: {{^}}_Z3runI{{.*}}: line [[#L]]:1
  // CHECK-NEXT: 0 f: lambda, 8 bytes, align 8
  // CHECK-NEXT:   +0 reference Inner: 8 bytes, align 8
  // CHECK-NEXT:   | +0 pointer P
  run([&Inner](int I) { Inner(I); });

  // Mutable and generic.
  // CHECK-NEXT: {{^}}_Z3runI{{.*}}: line [[#L]]:1
  // CHECK-NEXT: 0 f: lambda, 8 bytes, align 8
  // CHECK-NEXT:   +0 pointer P
  run([P](auto I) mutable { *P++ = I; });

  // A lambda without captures, and one without pointers.
  // CHECK-NEXT: {{^}}_Z3runI{{.*}}: line [[#L]]:1
  // CHECK-NEXT: 0 f: lambda, 1 bytes, align 1
  run([](int) {});
  // CHECK-NEXT: {{^}}_Z3runI{{.*}}: line [[#L]]:1
  // CHECK-NEXT: 0 f: lambda, 8 bytes, align 8
  run([Sum](int) { (void)Sum; });
}

// CHECK-NEXT: {{^}}_Z3runI{{.*}}Grid6byThis
// CHECK-NEXT: 0 f: lambda, 8 bytes, align 8
// CHECK-NEXT:   +0 this this: 16 bytes, align 8
// CHECK-NEXT:   | +0 pointer Cells
void Grid::byThis() {
  run([this](int I) { Cells[I] = 1; });
}

// CHECK-NEXT: {{^}}_Z3runI{{.*}}Grid10byStarThis
// CHECK-NEXT: 0 f: lambda, 16 bytes, align 8
// CHECK-NEXT:   +0 pointer Cells
void Grid::byStarThis() {
  run([*this](int I) { Cells[I] = 1; });
}
