# Finds LLVM 19 and Clang 19. A plugin is tied to the compiler that loads it,
# so any other version is an error, with one message that says what to do.

set(FERRY_LLVM_MAJOR 19)

find_package(LLVM CONFIG QUIET HINTS /usr/lib/llvm-${FERRY_LLVM_MAJOR}/lib/cmake/llvm)
# In an error message CMake wraps every line that does not begin with a blank.
set(_advice
  "On Debian 12 run `tools/ferry build`, which installs what is missing, or\n"
  "  apt-get install llvm-19-dev llvm-19-tools libclang-19-dev clang-19 libomp-19-dev\n"
  "Elsewhere name the right one with -DLLVM_DIR=<prefix>/lib/cmake/llvm, in an empty build folder.")
if(NOT LLVM_FOUND)
  message(FATAL_ERROR "Ferry needs LLVM ${FERRY_LLVM_MAJOR}: none was found.\n" ${_advice})
endif()
if(NOT LLVM_VERSION_MAJOR EQUAL FERRY_LLVM_MAJOR)
  message(FATAL_ERROR "Ferry needs LLVM ${FERRY_LLVM_MAJOR}: "
    "found ${LLVM_PACKAGE_VERSION} in\n  ${LLVM_DIR}\n" ${_advice})
endif()

find_package(Clang CONFIG QUIET HINTS "${LLVM_DIR}/../clang" NO_DEFAULT_PATH)
if(NOT Clang_FOUND OR NOT EXISTS "${CLANG_INCLUDE_DIRS}/clang/AST/AST.h")
  message(FATAL_ERROR "Ferry needs Clang ${FERRY_LLVM_MAJOR}'s headers and libraries "
    "beside\n  ${LLVM_DIR}\n" ${_advice})
endif()
separate_arguments(FERRY_LLVM_DEFINITIONS UNIX_COMMAND "${LLVM_DEFINITIONS}")

# The offload runtime (libomptarget) is not on the default library path.
set(FERRY_OFFLOAD_LIBDIR "${LLVM_LIBRARY_DIR}" CACHE PATH
  "Folder of libomptarget and of the device runtimes")

# The compiler that loads the modules, whatever compiles them.
set(FERRY_CLANGXX "${LLVM_TOOLS_BINARY_DIR}/clang++")

# The system's Python, not one that a version manager puts first in PATH:
# python3-psutil, which lit's time limit needs, belongs to the former.
find_program(FERRY_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(FERRY_PYTHON python3)
find_file(FERRY_LIT lit.py PATHS "${LLVM_LIBRARY_DIR}/../build/utils/lit" NO_DEFAULT_PATH)
