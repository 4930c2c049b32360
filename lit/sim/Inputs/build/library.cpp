int inLibrary(int N) {
#pragma omp target map(tofrom : N)
  N *= 2;
  return N;
}
