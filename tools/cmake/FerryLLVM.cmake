# Finds LLVM and Clang FERRY_LLVM. A plugin is tied to the compiler that loads it,
# so what is not tested is an error, with one message that says what to do.

# In an error message CMake wraps every line that does not begin with a blank.
set(_known ${FERRY_LLVM})
if(NOT _known IN_LIST FERRY_TESTED_LLVM)
  set(_known ${FERRY_DEFAULT_LLVM})
endif()
set(_advice
  "On Debian 12 run `tools/ferry build --llvm=${_known}`, which installs what is missing, or\n"
  "  apt-get install llvm-${_known}-dev llvm-${_known}-tools libclang-${_known}-dev clang-${_known} clang-tools-${_known}\n"
  "Elsewhere name the right one with -DLLVM_DIR=<prefix>/lib/cmake/llvm, in an empty build folder.")
if(NOT FERRY_LLVM IN_LIST FERRY_TESTED_LLVM AND NOT LLVM_DIR AND NOT FERRY_UNTESTED_LLVM)
  message(FATAL_ERROR "Ferry needs LLVM ${FERRY_TESTED_LLVM_TEXT}, not ${FERRY_LLVM}.\n"
    ${_advice} "\nTo try this one all the same, give -DFERRY_UNTESTED_LLVM=ON.")
endif()
find_package(LLVM CONFIG QUIET HINTS /usr/lib/llvm-${FERRY_LLVM}/lib/cmake/llvm)
if(NOT LLVM_FOUND)
  message(FATAL_ERROR "Ferry needs LLVM ${FERRY_LLVM}: none was found.\n" ${_advice})
endif()
if(NOT LLVM_VERSION_MAJOR IN_LIST FERRY_TESTED_LLVM AND NOT FERRY_UNTESTED_LLVM)
  message(FATAL_ERROR "Ferry needs LLVM ${FERRY_TESTED_LLVM_TEXT}: "
    "found ${LLVM_PACKAGE_VERSION} in\n  ${LLVM_DIR}\n" ${_advice}
    "\nTo try this one all the same, give -DFERRY_UNTESTED_LLVM=ON.")
endif()
if(NOT LLVM_VERSION_MAJOR EQUAL FERRY_LLVM)
  message(FATAL_ERROR "LLVM ${FERRY_LLVM} was asked for: "
    "found ${LLVM_PACKAGE_VERSION} in\n  ${LLVM_DIR}\n" ${_advice})
endif()

find_package(Clang CONFIG QUIET HINTS "${LLVM_DIR}/../clang" NO_DEFAULT_PATH)
if(NOT Clang_FOUND OR NOT EXISTS "${CLANG_INCLUDE_DIRS}/clang/AST/AST.h")
  message(FATAL_ERROR "Ferry needs Clang ${FERRY_LLVM}'s headers and libraries "
    "beside\n  ${LLVM_DIR}\n" ${_advice})
endif()
separate_arguments(FERRY_LLVM_DEFINITIONS UNIX_COMMAND "${LLVM_DEFINITIONS}")

# The offload runtime (libomptarget) is not on the default library path.
set(FERRY_OFFLOAD_LIBDIR "${LLVM_LIBRARY_DIR}" CACHE PATH
  "Folder of libomptarget and of the device runtimes")
set(FERRY_DEVICE_LIBDIR "" CACHE PATH
  "Folder of OpenMP's device runtimes for GPUs, where LLVM has none")

# Debian's packages of OpenMP's headers exclude each other: one version's may be
# unpacked elsewhere.
set(FERRY_OPENMP_DIR "" CACHE PATH
  "Folder of libomp.so and of clang/<version>/include/omp.h, where Clang has none")

# Whether there is what OpenMP's device code for NVIDIA GPUs is linked with, and
# where. Without it Clang looks for itself, and says what it lacks.
set(FERRY_DEVICE_RUNTIME OFF)
set(FERRY_NVPTX_DIR "")
set(FERRY_NVPTX_FLAG "")
foreach(_dir IN ITEMS "${FERRY_DEVICE_LIBDIR}" "${FERRY_OFFLOAD_LIBDIR}" "${LLVM_LIBRARY_DIR}")
  file(GLOB _runtimes "${_dir}${FERRY_NVPTX_FOLDER}/${FERRY_NVPTX_FILES}")
  if(_dir AND _runtimes AND NOT FERRY_DEVICE_RUNTIME)
    set(FERRY_DEVICE_RUNTIME ON)
    set(FERRY_NVPTX_DIR "${_dir}${FERRY_NVPTX_FOLDER}")
    set(FERRY_NVPTX_FLAG "--libomptarget-nvptx-bc-path=${FERRY_NVPTX_DIR}")
  endif()
endforeach()

# The system's Python, not one that a version manager puts first in PATH:
# python3-psutil, which lit's time limit needs, belongs to the former.
find_program(FERRY_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(FERRY_PYTHON python3)
find_file(FERRY_LIT NAMES lit.py lit PATHS
  "${LLVM_LIBRARY_DIR}/../build/utils/lit" "${LLVM_TOOLS_BINARY_DIR}"
  NO_DEFAULT_PATH)
