//===- ReadOrder.h - What a kernel may write before it reads ----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variable that other threads, or the kernel itself by another pointer, can
// reach may be read at the kernel's beginning instead of where the program
// reads it if nobody can have changed it in between. By the specification
// (OpenMP 5.2, section 1.4.1) a read has a defined value only if it is ordered
// with every write to the same memory: by the program's order in one thread, or
// by a synchronisation between threads. So a read r may see a change since the
// kernel's beginning only if
//
//  1. a write of the kernel lies on a way from the kernel's beginning to r. All
//     threads execute the same code, and a barrier, or the beginning or end of
//     a parallel region, stands on the way from the write to r if it orders a
//     write of another thread; or
//  2. something on the way orders r behind writes elsewhere: an atomic access,
//  a
//     flush, a critical construct, a lock, or a call of unknown code.
//
// Where a construct leaves it to the implementation which thread executes which
// iteration of its loop (RegionInfo::Independent), two iterations are not
// ordered, and no way leads from one to another one. In loops with a schedule,
// inner loops and sequential code ways lead round the loop.
//
// A write counts if it may be to the same memory: not to a variable of the
// kernel's own, and not, by the types that the compiler was told (type-based
// alias analysis, from -O1 on), to an object of another type.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_READORDER_H
#define FERRY_CLOSURE_READORDER_H

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace ferry {

/// Notes the loads in \p F, an inlined and simplified clone of a kernel, whose
/// value may have changed since the kernel's beginning.
///
/// \param Independent no iteration of the construct's loop is ordered with
///                    another one.
void noteChangeableLoads(llvm::Function &F, bool Independent);

/// Whether \p I was noted, or noteMayBeChanged was called for it.
bool mayBeChanged(const llvm::Instruction &I);
void noteMayBeChanged(llvm::Instruction &I);

} // namespace ferry

#endif // FERRY_CLOSURE_READORDER_H
