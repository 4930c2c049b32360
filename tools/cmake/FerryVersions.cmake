# Which LLVM: FERRY_LLVM is the version that was asked for, or that of LLVM_DIR,
# or the first one here. Read before project(), which chooses a compiler.

set(FERRY_TESTED_LLVM 19 22)
list(GET FERRY_TESTED_LLVM 0 FERRY_DEFAULT_LLVM)
list(JOIN FERRY_TESTED_LLVM " or " FERRY_TESTED_LLVM_TEXT)
option(FERRY_UNTESTED_LLVM "Try a version of LLVM that Ferry is not tested with" OFF)

if(NOT FERRY_LLVM AND LLVM_DIR AND EXISTS "${LLVM_DIR}/LLVMConfig.cmake")
  file(STRINGS "${LLVM_DIR}/LLVMConfig.cmake" _line
    REGEX "^set\\(LLVM_VERSION_MAJOR [0-9]+\\)" LIMIT_COUNT 1)
  string(REGEX MATCH "[0-9]+" FERRY_LLVM "${_line}")
endif()
if(NOT FERRY_LLVM)
  set(FERRY_LLVM ${FERRY_DEFAULT_LLVM})
endif()
set(FERRY_LLVM "${FERRY_LLVM}" CACHE STRING "Version of LLVM: ${FERRY_TESTED_LLVM_TEXT}")

# What stands before an option of LLVM for link-time optimisation of device code:
# clang-linker-wrapper itself did that once, now each device's linker does. And
# before one for the clang that links device code.
if(FERRY_LLVM LESS 20)
  set(FERRY_LTO_OPTION --offload-opt=)
  set(FERRY_DEVICE_CLANG_OPTION --device-linker=nvptx64-nvidia-cuda=)
else()
  set(FERRY_LTO_OPTION --device-linker=nvptx64-nvidia-cuda=--plugin-opt=)
  set(FERRY_DEVICE_CLANG_OPTION --device-compiler=nvptx64-nvidia-cuda=)
endif()

# OpenMP's device runtimes for GPUs, below the folder of device runtimes: a file
# for each architecture once, now one for all.
if(FERRY_LLVM LESS 20)
  set(FERRY_AMDGPU_FOLDER "")
  set(FERRY_NVPTX_FOLDER "")
  set(FERRY_NVPTX_FILES libomptarget-nvptx-sm_*.bc)
else()
  set(FERRY_AMDGPU_FOLDER /amdgcn-amd-amdhsa)
  set(FERRY_NVPTX_FOLDER /nvptx64-nvidia-cuda)
  set(FERRY_NVPTX_FILES libomptarget-nvptx.bc)
endif()

# For messages of the linker: libomptarget's package in Debian, and the section
# of the entries that objects of other versions have for it.
if(FERRY_LLVM LESS 21)
  set(FERRY_OFFLOAD_PACKAGE libomp-${FERRY_LLVM}-dev)
  set(FERRY_OTHER_LLVM "LLVM 21 or later")
  set(FERRY_OTHER_ENTRIES llvm_offload_entries)
else()
  set(FERRY_OFFLOAD_PACKAGE liboffload-${FERRY_LLVM}-dev)
  set(FERRY_OTHER_LLVM "LLVM 20 or earlier")
  set(FERRY_OTHER_ENTRIES omp_offloading_entries)
endif()
