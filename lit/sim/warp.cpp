// Warps: shuffles, votes, matches, barriers of warps and blocks, in kernels
// without the OpenMP device runtime.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"
#include "Inputs/device.h"

namespace {
constexpr unsigned All = ~0u;
constexpr int W = 32;
} // namespace

PROGRAM(thread_numbers) {
  constexpr int B = 5, T = 70;
  int A[B * T];
#pragma omp target teams ompx_bare num_teams(B) thread_limit(T) map(from : A)
  A[blockId() * blockSize() + threadId()] =
      blockId() * 1000 + threadId() + gridSize() * 100000;
  for (int I = 0; I < B * T; ++I)
    check::value("A", A[I], I / T * 1000 + I % T + B * 100000, I);
}

PROGRAM(shuffles) {
  int Up[W], Down[W], Xor[W], Index[W];
  float Half[W];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(W) \
    map(from : Up, Down, Xor, Index, Half)
  {
    int I = threadId(), X = I * I;
    Up[I] = __nvvm_shfl_sync_up_i32(All, X, 3, 0);
    Down[I] = __nvvm_shfl_sync_down_i32(All, X, 5, 31);
    Xor[I] = __nvvm_shfl_sync_bfly_i32(All, X, 9, 31);
    Index[I] = __nvvm_shfl_sync_idx_i32(All, X, I * 7 % W, 31);
    // Two segments of 16 lanes.
    Half[I] = __nvvm_shfl_sync_down_f32(All, X * 0.5f, 2, 0x101f);
  }
  for (int I = 0; I < W; ++I) {
    int U = I < 3 ? I : I - 3, D = I + 5 < W ? I + 5 : I, K = I * 7 % W,
        H = I % 16 + 2 < 16 ? I + 2 : I;
    check::value("Up", Up[I], U * U, I);
    check::value("Down", Down[I], D * D, I);
    check::value("Xor", Xor[I], (I ^ 9) * (I ^ 9), I);
    check::value("Index", Index[I], K * K, I);
    check::value("Half", Half[I], 0.5f * H * H, I);
  }
}

PROGRAM(warp_sum) {
  constexpr int T = 128;
  int Sum[T];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(from : Sum)
  {
    int I = threadId(), S = I;
    for (int D = 16; D > 0; D /= 2)
      S +=
          __nvvm_shfl_sync_bfly_i32(All, S, D, 31);
    Sum[I] = S;
  }
  for (int I = 0; I < T; ++I)
    check::value("Sum", Sum[I], W * W * (I / W) + W * (W - 1) / 2, I);
}

PROGRAM(prefix_sums) {
  int Prefix[W];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(W) \
    map(from : Prefix)
  {
    int I = threadId(), S = I * 3 + 1;
    for (int D = 1; D < W; D *= 2) {
      int Other = __nvvm_shfl_sync_up_i32(All, S, D, 0);
      if (I >= D)
        S += Other;
    }
    Prefix[I] = S;
  }
  for (int I = 0, S = 0; I < W; ++I) {
    S += I * 3 + 1;
    check::value("Prefix", Prefix[I], S, I);
  }
}

PROGRAM(votes) {
  unsigned Ballot[W], Any[W], EachOne[W], Same[W];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(W) \
    map(from : Ballot, Any, EachOne, Same)
  {
    int I = threadId();
    Ballot[I] = __nvvm_vote_ballot_sync(All, I % 3 == 0);
    Any[I] = __nvvm_vote_any_sync(All, I == 17) +
             2 * __nvvm_vote_any_sync(All, I > 40);
    EachOne[I] = __nvvm_vote_all_sync(All, I < 32) +
                 2 * __nvvm_vote_all_sync(All, I != 4);
    Same[I] = __nvvm_vote_uni_sync(All, I < 0) +
              2 * __nvvm_vote_uni_sync(All, I < 5);
  }
  unsigned Want = 0;
  for (int I = 0; I < W; I += 3)
    Want |= 1u << I;
  for (int I = 0; I < W; ++I) {
    check::value("Ballot", Ballot[I], Want, I);
    check::value("Any", Any[I], 1, I);
    check::value("EachOne", EachOne[I], 1, I);
    check::value("Same", Same[I], 1, I);
  }
}

PROGRAM(votes_of_some_lanes) {
  unsigned Ballot[W];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(W) \
    map(from : Ballot)
  {
    int I = threadId();
    if (I < 10)
      Ballot[I] = __nvvm_vote_ballot_sync(0x3ff, I & 1);
    else
      Ballot[I] = __nvvm_vote_ballot_sync(~0x3ffu, I % 4 == 0);
  }
  for (int I = 0; I < W; ++I)
    check::value("Ballot", Ballot[I], I < 10 ? 0x2aau : 0x11111000u, I);
}

// A mask may name lanes that have ended or that the block does not have: nobody
// waits for them (PTX ISA, "shfl.sync"), and they have no vote.
PROGRAM(lanes_that_are_not_there) {
  constexpr int T = 50;
  unsigned Out[T] = {};
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T)                \
    map(tofrom : Out)
  {
    int I = threadId();
    if (I % 32 >= 7) {
      Out[I] = __nvvm_vote_ballot_sync(~0u, true);
      __nvvm_bar_warp_sync(~0u);
      Out[I] += __nvvm_shfl_sync_idx_i32(~0u, I, 9, 31);
    }
  }
  for (int I = 0; I < T; ++I) {
    unsigned Full = 0xffffff80u + 9, Partial = 0x3ff80u + 32 + 9;
    check::value("Out", Out[I], I % 32 < 7 ? 0 : I < 32 ? Full : Partial, I);
  }
}

PROGRAM(matches) {
  unsigned Any[W], Wide[W];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(W) \
    map(from : Any, Wide)
  {
    int I = threadId();
    Any[I] = __nvvm_match_any_sync_i32(All, I % 4);
    Wide[I] = __nvvm_match_any_sync_i64(All, long(I / 16) << 40);
  }
  for (int I = 0; I < W; ++I) {
    check::value("Any", Any[I], 0x11111111u << I % 4, I);
    check::value("Wide", Wide[I], I < 16 ? 0xffffu : 0xffff0000u, I);
  }
}

PROGRAM(lane_masks) {
  unsigned Equal[W], Less[W], Lane[W];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(W) \
    map(from : Equal, Less, Lane)
  {
    int I = threadId();
    Equal[I] = __nvvm_read_ptx_sreg_lanemask_eq();
    Less[I] = __nvvm_read_ptx_sreg_lanemask_lt();
    Lane[I] = __nvvm_read_ptx_sreg_laneid();
  }
  for (int I = 0; I < W; ++I) {
    check::value("Equal", Equal[I], 1u << I, I);
    check::value("Less", Less[I], (1u << I) - 1, I);
    check::value("Lane", Lane[I], I, I);
  }
}

PROGRAM(active_lanes) {
  unsigned Mask[W];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(W) \
    map(from : Mask)
  {
    int I = threadId();
    Mask[I] = 0;
    if (I & 1)
      Mask[I] = __nvvm_activemask();
    __nvvm_bar_warp_sync(All);
  }
  // Any set of lanes that took the same way is right; it must hold the lane.
  for (int I = 0; I < W; ++I) {
    check::value("own bit", Mask[I] >> I & 1, I & 1, I);
    check::value("others", Mask[I] & 0x55555555, 0, I);
  }
}

PROGRAM(warp_reductions) {
  int Sum[W], Least[W], Or[W];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(W) \
    map(from : Sum, Least, Or)
  {
    int I = threadId();
    Sum[I] = __nvvm_redux_sync_add(I * 2, All);
    Least[I] = __nvvm_redux_sync_min(20 - I, All);
    Or[I] = __nvvm_redux_sync_or(1 << I % 9, All);
  }
  for (int I = 0; I < W; ++I) {
    check::value("Sum", Sum[I], W * (W - 1), I);
    check::value("Least", Least[I], -11, I);
    check::value("Or", Or[I], 0x1ff, I);
  }
}

PROGRAM(shared_memory_and_barriers) {
  constexpr int B = 3, T = 96;
  int A[B][T];
#pragma omp target teams ompx_bare num_teams(B) thread_limit(T) map(from : A)
  {
    SHARED int Line[T];
    int I = threadId();
    Line[I] = I * 10 + blockId();
    for (int S = 0; S < 4; ++S) {
      barrier();
      int Next = Line[(I + 1) % T];
      barrier();
      Line[I] = Next;
    }
    A[blockId()][I] = Line[I];
  }
  for (int G = 0; G < B; ++G)
    for (int I = 0; I < T; ++I)
      check::value("A", A[G][I], (I + 4) % T * 10 + G, G * T + I);
}

PROGRAM(barriers_that_count) {
  constexpr int T = 100;
  int Count[T], AnyOne[T], EachOne[T];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) \
    map(from : Count, AnyOne, EachOne)
  {
    int I = threadId();
    Count[I] = __nvvm_bar0_popc(I % 3 == 0);
    AnyOne[I] = __nvvm_bar0_or(I == 77) != 0;
    EachOne[I] = __nvvm_bar0_and(I != 77) != 0;
  }
  for (int I = 0; I < T; ++I) {
    check::value("Count", Count[I], 34, I);
    check::value("AnyOne", AnyOne[I], 1, I);
    check::value("EachOne", EachOne[I], 0, I);
  }
}

PROGRAM(barrier_of_a_warp) {
  int A[W];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(W) map(from : A)
  {
    SHARED int Line[W];
    int I = threadId();
    Line[I] = I;
    __nvvm_bar_warp_sync(All);
    int X = Line[W - 1 - I];
    __nvvm_bar_warp_sync(All);
    Line[I] = X * 2;
    __nvvm_bar_warp_sync(All);
    A[I] = Line[I ^ 1];
  }
  for (int I = 0; I < W; ++I)
    check::value("A", A[I], 2 * (W - 1 - (I ^ 1)), I);
}

PROGRAM(named_barrier) {
  constexpr int T = 128;
  int A[T];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(from : A)
  {
    SHARED int Line[T];
    int I = threadId();
    Line[I] = I;
    // Two warps each meet at a barrier of their own.
    if (I < 64) {
      __nvvm_barrier_sync_cnt(1, 64);
      A[I] = Line[63 - I];
    } else {
      __nvvm_barrier_sync_cnt(2, 64);
      A[I] = Line[191 - I];
    }
  }
  for (int I = 0; I < T; ++I)
    check::value("A", A[I], I < 64 ? 63 - I : 191 - I, I);
}

PROGRAM(block_sum) {
  constexpr int B = 4, T = 256;
  long Out[B];
#pragma omp target teams ompx_bare num_teams(B) thread_limit(T) map(from : Out)
  {
    SHARED long Part[T];
    int I = threadId();
    Part[I] = blockId() * T + I;
    for (int D = T / 2; D > 0; D /= 2) {
      barrier();
      if (I < D)
        Part[I] += Part[I + D];
    }
    if (I == 0)
      Out[blockId()] = Part[0];
  }
  for (int G = 0; G < B; ++G)
    check::value("Out", Out[G], long(G) * T * T + T * (T - 1) / 2, G);
}

PROGRAM(scan_of_a_block) {
  constexpr int T = 160;
  int Out[T];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(from : Out)
  {
    SHARED int Part[2][T];
    int I = threadId(), Now = 0;
    Part[0][I] = I % 7;
    for (int D = 1; D < T; D *= 2, Now ^= 1) {
      barrier();
      Part[Now ^ 1][I] = Part[Now][I] + (I >= D ? Part[Now][I - D] : 0);
    }
    Out[I] = Part[Now][I];
  }
  for (int I = 0, S = 0; I < T; ++I) {
    S += I % 7;
    check::value("Out", Out[I], S, I);
  }
}

PROGRAM(atomics_of_a_block) {
  constexpr int T = 200;
  int Out[3];
#pragma omp target teams ompx_bare num_teams(1) thread_limit(T) map(from : Out)
  {
    SHARED int Sum, Most, Last;
    int I = threadId();
    if (I == 0)
      Sum = 0, Most = -1, Last = 0;
    barrier();
    __atomic_fetch_add(&Sum, I, __ATOMIC_RELAXED);
    __atomic_fetch_max(&Most, I * 7 % T, __ATOMIC_RELAXED);
    __atomic_fetch_xor(&Last, I, __ATOMIC_RELAXED);
    barrier();
    if (I == 0)
      Out[0] = Sum, Out[1] = Most, Out[2] = Last;
  }
  int X = 0;
  for (int I = 0; I < T; ++I)
    X ^= I;
  check::value("Sum", Out[0], T * (T - 1) / 2);
  check::value("Most", Out[1], T - 1);
  check::value("Xor", Out[2], X);
}

PROGRAM(last_block) {
  constexpr int B = 12, T = 64;
  DeviceArray<int> Done(1, 0);
  DeviceArray<long> Part(B, 0);
  int *D = Done;
  long *P = Part, Sum = 0;
#pragma omp target teams ompx_bare num_teams(B) thread_limit(T) \
    is_device_ptr(D, P) map(tofrom : Sum)
  {
    SHARED int Order;
    if (threadId() == 0) {
      P[blockId()] = blockId() * 10;
      __nvvm_membar_gl();
      Order = __atomic_fetch_add(D, 1, __ATOMIC_RELAXED);
    }
    barrier();
    if (Order == B - 1 && threadId() == 0)
      for (int I = 0; I < B; ++I)
        Sum += *(volatile long *)&P[I];
  }
  check::value("Sum", Sum, 10 * B * (B - 1) / 2);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
