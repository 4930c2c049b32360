int helper(int);
int inLibrary(int);
extern int Offset;
#pragma omp declare target to(helper, Offset)

int main() {
  int A[10];
#pragma omp target teams distribute parallel for map(from : A)
  for (int I = 0; I < 10; ++I)
    A[I] = helper(I) + Offset;
  int Wrong = inLibrary(20) != 40;
  for (int I = 0; I < 10; ++I)
    Wrong += A[I] != 3 * I + 5;
  return Wrong;
}
