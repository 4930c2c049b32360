//===- InlineAsm.cpp - Functions that replace inline assembly -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See InlineAsm.def.
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Numeric.h"

using namespace ferry::sim;

// --- One result --------------------------------------------------------------

#define FERRY_SIM_SUBTRACT(R, MODE)                                            \
  FERRY_SIM_DEVICE double ferry_sim_asm_sub_##R##_f64(double A, double B) {    \
    return rounded<double>(MODE, Subtract(), A, B);                            \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim_asm_sub_##R##_f32(float A, float B) {       \
    return rounded<float>(MODE, Subtract(), A, B);                             \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim_asm_sub_##R##_ftz_f32(float A, float B) {   \
    return flushed(rounded<float>(MODE, Subtract(), flushed(A), flushed(B)));  \
  }
FERRY_SIM_SUBTRACT(rn, FE_TONEAREST)
FERRY_SIM_SUBTRACT(rz, FE_TOWARDZERO)
FERRY_SIM_SUBTRACT(rm, FE_DOWNWARD)
FERRY_SIM_SUBTRACT(rp, FE_UPWARD)

FERRY_SIM_DEVICE float ferry_sim_asm_rcp_approx_ftz_f32(float A) {
  return flushed(canonical(1 / flushed(A)));
}

FERRY_SIM_DEVICE double ferry_sim_asm_rsqrt_approx_ftz_f64(double A) {
  return upperHalf(approximateRsqrt(upperHalf(A)));
}

/// How far the highest set bit can be shifted to the left.
FERRY_SIM_DEVICE uint32_t ferry_sim_asm_bfind_shiftamt_u32(uint32_t A) {
  return A ? __builtin_clz(A) : ~0u;
}

FERRY_SIM_DEVICE double ferry_sim_asm_select_equal_or_nan_f64(double A,
                                                              double B,
                                                              double Then,
                                                              double Else) {
  return A < B || A > B ? Else : Then;
}

// --- Two results -------------------------------------------------------------

/// What LLVM returns as {i64, i64} in two registers; also as {i32, i32}, which
/// a struct of two 32-bit integers in C is not: that fits into one register.
struct LowHigh {
  uint64_t Low, High;
};

static LowHigh split(unsigned __int128 Value) {
  return {static_cast<uint64_t>(Value), static_cast<uint64_t>(Value >> 64)};
}
static unsigned __int128 joined(uint64_t Low, uint64_t High) {
  return static_cast<unsigned __int128>(High) << 64 | Low;
}

FERRY_SIM_DEVICE LowHigh ferry_sim_asm_mad_wide_u32(uint32_t A, uint32_t B,
                                                    uint32_t C) {
  uint64_t Result = uint64_t(A) * B + C;
  return {static_cast<uint32_t>(Result), Result >> 32};
}

FERRY_SIM_DEVICE LowHigh ferry_sim_asm_mul_wide_u64(uint64_t A, uint64_t B) {
  return split(static_cast<unsigned __int128>(A) * B);
}

FERRY_SIM_DEVICE LowHigh ferry_sim_asm_mad_wide_u64(uint64_t A, uint64_t B,
                                                    uint64_t C) {
  return split(static_cast<unsigned __int128>(A) * B + C);
}

FERRY_SIM_DEVICE LowHigh ferry_sim_asm_add_u128(uint64_t ALow, uint64_t AHigh,
                                                uint64_t BLow, uint64_t BHigh) {
  return split(joined(ALow, AHigh) + joined(BLow, BHigh));
}

FERRY_SIM_DEVICE LowHigh ferry_sim_asm_sub_u128(uint64_t ALow, uint64_t AHigh,
                                                uint64_t BLow, uint64_t BHigh) {
  return split(joined(ALow, AHigh) - joined(BLow, BHigh));
}
