// -Wowning-capture: a container is captured by value; the device gets its pointer
// and not its memory. Off by default: the pointer's data may be mapped.
// RUN: %ferry_plain %offload --offload-host-only -fsyntax-only -Xclang -plugin-arg-ferry -Xclang -Wowning-capture -Xclang -verify -Wno-openmp-mapping %s
// RUN: %ferry_plain %offload --offload-host-only -fsyntax-only -Wno-openmp-mapping %s 2>&1 | count 0
// RUN: %ferry_plain %offload --offload-host-only -fsyntax-only -Xclang -plugin-arg-ferry -Xclang -Wowning-capture -Xclang -plugin-arg-ferry -Xclang -Wno-owning-capture -Wno-openmp-mapping %s 2>&1 | count 0
#include <memory>
#include <string>
#include <vector>

template <class F> void run(F f) {
#pragma omp target // expected-note 4 {{used in this target region}}
  f(0);
}

struct View {
  double *Data;
};
struct Logger {
  int Level;
  void (*Write)(int);
  int &Count;
  ~Logger();
};

void captures(std::vector<double> V, std::string S, std::shared_ptr<int> P, View W, Logger L, double *D) {
  run([V](int) { (void)V; });     // expected-warning {{'V' is captured by value by code that runs on the device, and owns host memory; capture a pointer to its data instead [-Wowning-capture]}}
  run([=](int) { (void)S; });     // expected-warning {{'S' is captured by value}}
  run([P, D](int) { (void)P; });  // expected-warning {{'P' is captured by value}}
  run([X = V](int) { (void)X; }); // expected-warning {{'X' is captured by value}}
  run([&V](int) { (void)V; });
  run([W, L](int I) { W.Data[I] = L.Level; });
  run([Data = V.data()](int I) { Data[I] = 0; });
}

// On the host it is nobody's business.
auto onHost(std::vector<double> V) {
  return [V](int I) { return V[I]; };
}
