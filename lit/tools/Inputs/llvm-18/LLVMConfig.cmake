# Just enough to be found.
set(LLVM_VERSION_MAJOR 18)
set(LLVM_PACKAGE_VERSION 18.1.8)
