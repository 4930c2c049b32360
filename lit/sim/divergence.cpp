// Lanes of a warp that go different ways.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

namespace {
constexpr int N = 500;

/// Runs Function(I) for all I on the device and compares with the host.
template <class F>
void compare(F Function) {
  static long Got[N];
#pragma omp target teams distribute parallel for map(from : Got)
  for (int I = 0; I < N; ++I)
    Got[I] = Function(I);
  for (int I = 0; I < N; ++I)
    check::value("Got", Got[I], Function(I), I);
}
} // namespace

PROGRAM(if_else) {
  compare([](int I) -> long { return I % 2 ? 3L * I : I - 7L; });
}

PROGRAM(nested_if_else) {
  compare([](int I) -> long {
    long R = 1;
    if (I % 2) {
      if (I % 3) {
        R = I * 2;
        if (I % 5 == 1)
          R += 1000;
      } else {
        R = I * 3;
      }
    } else {
      if (I > 100) {
        R -= I;
      } else if (I > 50) {
        R = -R * I;
      }
      R *= 2;
    }
    return R + I;
  });
}

PROGRAM(trip_counts) {
  compare([](int I) -> long {
    long S = 0;
    for (int K = 0; K < I % 37; ++K)
      S = S * 3 + K;
    return S;
  });
}

PROGRAM(nested_loops) {
  compare([](int I) -> long {
    long S = I;
    for (int J = 0; J < 1 + I % 5; ++J)
      for (int K = J; K < I % 11; ++K)
        S = (S * 7 + J * K) % 10007;
    return S;
  });
}

PROGRAM(while_loops) {
  compare([](int I) -> long {
    long X = I + 1, Steps = 0;
    while (X != 1) {
      X = X % 2 ? 3 * X + 1 : X / 2;
      ++Steps;
    }
    return Steps;
  });
}

PROGRAM(early_returns) {
  compare([](int I) -> long {
    if (I % 7 == 0)
      return 1;
    for (int K = 2; K < 30; ++K) {
      if (I % K == 0)
        return K * 100;
      if (I < K)
        return -K;
    }
    return 5;
  });
}

PROGRAM(break_and_continue) {
  compare([](int I) -> long {
    long S = 0;
    for (int K = 0; K < 50; ++K) {
      if ((K + I) % 3 == 0)
        continue;
      if (K > I % 41)
        break;
      for (int L = 0; L < 10; ++L) {
        if (L * K == I % 60)
          break;
        S += L;
      }
      S += K;
    }
    return S;
  });
}

PROGRAM(switches) {
  compare([](int I) -> long {
    long R = 0;
    for (int K = 0; K < 4; ++K)
      switch ((I + K) % 9) {
      case 0:
        R += 1;
        break;
      case 1:
      case 2:
        R += 10;
        [[fallthrough]];
      case 3:
        R *= 2;
        break;
      case 7:
        return R + 100000;
      default:
        R -= I;
      }
    return R;
  });
}

PROGRAM(short_circuit) {
  compare([](int I) -> long {
    int Calls = 0;
    auto Test = [&](bool Result) {
      ++Calls;
      return Result;
    };
    bool R = (Test(I % 2) && Test(I % 3 == 0)) ||
             (Test(I % 5 == 0) && (Test(I > 250) || Test(I % 7 == 1)));
    return Calls * 2 + R;
  });
}

PROGRAM(jumps) {
  compare([](int I) -> long {
    long S = 0;
    int K = I % 8;
  again:
    S = S * 5 + K;
    if (K > 5)
      goto out;
    if (S % 2)
      K += 2;
    ++K;
    if (K < 9)
      goto again;
  out:
    return S;
  });
}

PROGRAM(loop_entered_in_the_middle) {
  compare([](int I) -> long {
    long S = I;
    int K = 0;
    if (I % 3 == 1)
      goto middle;
    for (K = 0; K < I % 13; ++K) {
      S += K;
    middle:
      S = S * 2 % 100003;
      if (S % 17 == 3)
        break;
    }
    return S * 100 + K;
  });
}

PROGRAM(exits_of_a_loop) {
  compare([](int I) -> long {
    long X = I * 7 + 3;
    for (int K = 0;; ++K) {
      X = (X * 1103515245 + 12345) % 2147483648;
      if (X % 16 == 5)
        return X;
      if (X % 64 == 1)
        break;
      if (K == 40)
        return -X;
    }
    return X + 1;
  });
}

PROGRAM(binary_search) {
  static int Sorted[300];
  for (int K = 0; K < 300; ++K)
    Sorted[K] = K * K / 7;
  static int Got[N];
#pragma omp target teams distribute parallel for map(to : Sorted) map(from : Got)
  for (int I = 0; I < N; ++I) {
    int Low = 0, High = 300;
    while (Low < High) {
      int Middle = (Low + High) / 2;
      if (Sorted[Middle] < I * 25)
        Low = Middle + 1;
      else
        High = Middle;
    }
    Got[I] = Low;
  }
  for (int I = 0; I < N; ++I) {
    int Want = 0;
    while (Want < 300 && Sorted[Want] < I * 25)
      ++Want;
    check::value("Got", Got[I], Want, I);
  }
}

PROGRAM(some_threads_only) {
  static int A[N];
  memset(A, 0, sizeof(A));
#pragma omp target parallel num_threads(100) map(tofrom : A)
  {
    int T = omp_get_thread_num();
    if (T % 3 == 0) {
      for (int I = T; I < N; I += 100)
        A[I] = T;
    }
#pragma omp barrier
    if (T % 3 == 1) {
      int S = 0;
      for (int I = T - 1; I < N; I += 100)
        S += A[I];
      A[T] = S;
    }
#pragma omp barrier
    if (T % 3 == 2)
      A[T] = A[T - 1] + 1;
  }
  for (int T = 0; T < 100; ++T)
    check::value("A", A[T],
                 T % 3 == 0   ? T
                 : T % 3 == 1 ? (T - 1) * 5
                              : (T - 2) * 5 + 1,
                 T);
}

PROGRAM(division_by_lane) {
  compare([](int I) -> long {
    unsigned long A = I * 2654435761ul + 1, B = I % 90 + 2;
    // Euclid's algorithm and modular powers.
    while (B) {
      unsigned long R = A % B;
      A = B;
      B = R;
    }
    unsigned long P = 1, Base = I + 2;
    for (int E = I % 25; E; E >>= 1, Base = Base * Base % 65521)
      if (E & 1)
        P = P * Base % 65521;
    return A * 100000 + P;
  });
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
