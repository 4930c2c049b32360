//===- AccessPathsTest.h - Kernels whose paths are known --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most tests compare the printed tree, which shows everything but the integer
// reads and the extent of the accesses.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TEST_ACCESSPATHSTEST_H
#define FERRY_TEST_ACCESSPATHSTEST_H

#include "ParseIR.h"
#include "closure/AccessPaths.h"

namespace ferry::test {

/// The paths of a kernel `@K`.
struct Analysed {
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
  AccessPaths Paths;

  explicit Analysed(const std::string &Text) : M(parseIR(Context, Text)) {
    if (M)
      Paths = AccessPaths::analyse(*M, M->getFunction("K"));
  }

  const PathNode &argument(unsigned I = 0) const {
    return (*Paths.find("K"))[I];
  }
  const PathNode &member(int64_t Offset) const {
    return *argument().Members.at(Offset);
  }
};

/// `void @K(ptr %f, i64 %i)` with \p Body, and \p Rest of the module.
inline std::string kernel(const std::string &Body,
                          const std::string &Rest = "") {
  return "define void @K(ptr %f, i64 %i) {\n" + Body + "\n  ret void\n}\n" +
         Rest;
}

/// The tree of the parameter %f, as it is printed.
inline std::string paths(const std::string &Body,
                         const std::string &Rest = "") {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Analysed A(kernel(Body, Rest));
  A.argument().print(OS);
  return Text;
}

} // namespace ferry::test

#endif // FERRY_TEST_ACCESSPATHSTEST_H
