//===- WarpOperations.cpp - What lanes of a warp do together --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

namespace ferry::sim {

static uint64_t reduce(const Warp &W, uint32_t Group, WarpOperation Operation) {
  uint64_t Result = W.Request[__builtin_ctz(Group)].Value;
  for (uint32_t Rest = Group & (Group - 1); Rest; Rest &= Rest - 1) {
    const uint64_t V = W.Request[__builtin_ctz(Rest)].Value;
    const auto A = static_cast<uint32_t>(Result), B = static_cast<uint32_t>(V);
    const auto SA = static_cast<int32_t>(A), SB = static_cast<int32_t>(B);
    switch (Operation) {
    case WarpOperation::Add:
      Result = A + B;
      break;
    case WarpOperation::MinSigned:
      Result = SA < SB ? A : B;
      break;
    case WarpOperation::MaxSigned:
      Result = SA > SB ? A : B;
      break;
    case WarpOperation::MinUnsigned:
      Result = A < B ? A : B;
      break;
    case WarpOperation::MaxUnsigned:
      Result = A > B ? A : B;
      break;
    case WarpOperation::And:
      Result = A & B;
      break;
    case WarpOperation::Or:
      Result = A | B;
      break;
    default:
      Result = A ^ B;
      break;
    }
  }
  return Result;
}

/// What \p Lane gets from a shuffle (PTX ISA, "shfl.sync", the pseudocode).
static uint64_t shuffle(const Warp &W, uint32_t Group, unsigned Lane) {
  const WarpRequest &R = W.Request[Lane];
  auto Field = [](uint32_t Bits) { return static_cast<int>(Bits & 31); };
  const int Segment = Field(R.C >> 8), Clamp = Field(R.C), B = Field(R.B);
  const int Self = static_cast<int>(Lane);
  const int Max = (Self & Segment) | (Clamp & ~Segment), Min = Self & Segment;
  int From = Self;
  bool Inside = true;
  switch (R.Operation) {
  case WarpOperation::ShuffleUp:
    From = Self - B;
    Inside = From >= Max;
    break;
  case WarpOperation::ShuffleDown:
    From = Self + B;
    Inside = From <= Max;
    break;
  case WarpOperation::ShuffleXor:
    From = Self ^ B;
    Inside = From <= Max;
    break;
  default:
    From = Min | (B & ~Segment);
    Inside = From <= Max;
    break;
  }
  if (!Inside || !(Group >> From & 1))
    From = Self;
  return W.Request[From].Value;
}

/// Gives the lanes of \p Group the result of their common operation.
static void complete(Warp &W, uint32_t Group) {
  const WarpOperation Operation = W.Request[__builtin_ctz(Group)].Operation;
  uint64_t Common = 0;
  if (Operation == WarpOperation::Ballot ||
      Operation == WarpOperation::Uniform) {
    for (uint32_t Rest = Group; Rest; Rest &= Rest - 1)
      if (W.Request[__builtin_ctz(Rest)].Value)
        Common |= Rest & -Rest;
    if (Operation == WarpOperation::Uniform)
      Common = Common == 0 || Common == Group;
  } else if (Operation >= WarpOperation::Add &&
             Operation <= WarpOperation::Xor) {
    Common = reduce(W, Group, Operation);
  }
  for (uint32_t Rest = Group; Rest; Rest &= Rest - 1) {
    const unsigned L = __builtin_ctz(Rest);
    if (Operation <= WarpOperation::ShuffleXor) {
      W.Result[L] = shuffle(W, Group, L);
    } else if (Operation == WarpOperation::Match) {
      uint64_t Same = 0;
      for (uint32_t Others = Group; Others; Others &= Others - 1)
        if (W.Request[__builtin_ctz(Others)].Value == W.Request[L].Value)
          Same |= Others & -Others;
      W.Result[L] = Same;
    } else {
      W.Result[L] = Common;
    }
  }
  ++W.Syncs;
}

bool resolveOperations(Warp &W) {
  for (uint32_t Rest = W.AtWarp; Rest; Rest &= Rest - 1) {
    const WarpRequest &R = W.Request[__builtin_ctz(Rest)];
    if (R.Operation >= WarpOperation::ActiveMask)
      continue;
    const uint32_t Need = R.Mask & W.live();
    uint32_t Have = 0;
    for (uint32_t Others = Need & W.AtWarp; Others; Others &= Others - 1)
      if (W.Request[__builtin_ctz(Others)] == R)
        Have |= Others & -Others;
    if (Have != Need || !Need)
      continue;
    complete(W, Need);
    W.AtWarp &= ~Need;
    W.Ready |= Need;
    return true;
  }
  return false;
}

bool resolveJoin(Warp &W) {
  int Best = -1;
  auto IsInner = [&](const WarpRequest &A, const WarpRequest &B) {
    return A.Depth != B.Depth ? A.Depth > B.Depth : A.Order < B.Order;
  };
  for (uint32_t Rest = W.AtWarp; Rest; Rest &= Rest - 1) {
    const int L = __builtin_ctz(Rest);
    if (W.Request[L].Operation >= WarpOperation::ActiveMask &&
        (Best < 0 || IsInner(W.Request[L], W.Request[Best])))
      Best = L;
  }
  if (Best < 0)
    return false;
  const WarpRequest &R = W.Request[Best];
  uint32_t Group = 0;
  for (uint32_t Rest = W.AtWarp; Rest; Rest &= Rest - 1) {
    const WarpRequest &O = W.Request[__builtin_ctz(Rest)];
    if (O.Operation == R.Operation && O.Depth == R.Depth && O.Site == R.Site)
      Group |= Rest & -Rest;
  }
  for (uint32_t Rest = Group; Rest; Rest &= Rest - 1)
    W.Result[__builtin_ctz(Rest)] = Group;
  W.AtWarp &= ~Group;
  W.Ready |= Group;
  return true;
}

} // namespace ferry::sim
