/* A plain C offload program: a struct that holds a pointer, no closure. */
#include <stdio.h>

int main(void) {
  int a[10], sum = 0;
  for (int i = 0; i < 10; ++i)
    a[i] = i;
#pragma omp target enter data map(to : a)
  for (int i = 0; i < 10; ++i)
    a[i] = -1;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < 10; ++i)
    sum += a[i];
#pragma omp target exit data map(delete : a)
  printf("%d\n", sum);
  return sum != 45;
}
