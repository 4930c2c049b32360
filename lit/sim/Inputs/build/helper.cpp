#pragma omp begin declare target
int Offset = 5;
int helper(int I) { return 3 * I; }
#pragma omp end declare target
