# Where what is built lies. Commands, modules and CMake files find one another by
# relative paths, so the build folder is laid out as what is installed is.

set(CMAKE_INSTALL_LIBDIR lib CACHE STRING "Folder of the modules, below the prefix")
include(GNUInstallDirs)
# Not the project's name, as that of no other version.
if("$CACHE{CMAKE_INSTALL_DOCDIR}" STREQUAL "")
  set(CMAKE_INSTALL_DOCDIR "${CMAKE_INSTALL_DATAROOTDIR}/doc/ferry-${FERRY_LLVM}")
endif()
foreach(_dir BINDIR LIBDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${_dir}}")
    message(FATAL_ERROR "CMAKE_INSTALL_${_dir} is ${CMAKE_INSTALL_${_dir}}: "
      "Ferry can be moved, so it must be a path below the prefix, like lib64.")
  endif()
endforeach()

set(FERRY_BIN_DIR "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_BINDIR}")
set(FERRY_LIB_DIR "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")
file(RELATIVE_PATH FERRY_LIB_FROM_BIN "${FERRY_BIN_DIR}" "${FERRY_LIB_DIR}")

# What all but the modules and the commands lies in: versions do not meet there.
set(FERRY_FILES "ferry-${FERRY_LLVM}")
set(FERRY_FILES_DIR "${FERRY_LIB_DIR}/${FERRY_FILES}")
# find_package(Ferry) finds it by the beginning of its name.
set(FERRY_CMAKE_DIR "${FERRY_LIB_DIR}/cmake/Ferry-${FERRY_LLVM}")
