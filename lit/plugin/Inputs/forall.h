template <class F> void forall(F f) {
#pragma omp target
  f(0);
}
#define FORALL _Pragma("omp target")
