// Arguments of the plugin, and what it says when it is alone.
// RUN: not %ferry_plain -fsyntax-only -Xclang -plugin-arg-ferry -Xclang -Wtypo %s 2>&1 | FileCheck -DLLVM=%llvm_version %s -DARGUMENT=-Wtypo
// RUN: not %ferry_plain -fsyntax-only -Xclang -plugin-arg-ferry -Xclang -Wno-typo %s 2>&1 | FileCheck -DLLVM=%llvm_version %s -DARGUMENT=-Wno-typo
// RUN: not %ferry_plain -fsyntax-only -Xclang -plugin-arg-ferry -Xclang verbose %s 2>&1 | FileCheck -DLLVM=%llvm_version %s -DARGUMENT=verbose
// RUN: not %ferry_plain -fsyntax-only -Xclang -plugin-arg-ferry -Xclang -W %s 2>&1 | FileCheck -DLLVM=%llvm_version %s -DARGUMENT=-W
// RUN: not %ferry_plain -fsyntax-only -fplugin-arg-ferry--Wtypo %s 2>&1 | FileCheck -DLLVM=%llvm_version %s -DARGUMENT=-Wtypo
// RUN: %ferry_plain -fsyntax-only -fplugin-arg-ferry--Wno-host-global %s 2>&1 | count 0

// CHECK: error: ferry: unknown plugin argument '[[ARGUMENT]]'; known are -W[no-]host-global and -W[no-]owning-capture

// Without the passes nothing is carried over.
// RUN: %clangxx_plain -fplugin=%front_end_module %offload --offload-host-only -fsyntax-only %s 2>&1 | FileCheck -DLLVM=%llvm_version %s --check-prefix=ALONE
// RUN: rm -rf %t && mkdir %t && cp -r %files %t && cp %passes_module %t/another.so
// RUN: %clangxx_plain -fplugin=%front_end_module -fpass-plugin=%t/another.so %offload --offload-host-only -fsyntax-only %s 2>&1 | FileCheck -DLLVM=%llvm_version %s --check-prefix=ALONE
// RUN: %clangxx_plain -fplugin=%front_end_module -fpass-plugin=%passes_module %offload -fsyntax-only %s 2>&1 | count 0
// A program without offloading needs neither.
// RUN: %clangxx_plain -fplugin=%front_end_module -fopenmp -fsyntax-only %s 2>&1 | count 0
// RUN: %clangxx_plain -fplugin=%front_end_module -fsyntax-only %s 2>&1 | count 0

// ALONE: warning: ferry: captured pointers are not carried over to the device without the passes: add -fpass-plugin=libferry-[[LLVM]].so

int main() { return 0; }
