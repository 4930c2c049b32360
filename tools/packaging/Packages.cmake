# What `cpack` makes in the build folder: -G DEB a package for Debian, -G TGZ an
# archive that can be unpacked anywhere; and with --config CPackSourceConfig.cmake
# an archive of the sources.

set(CPACK_PACKAGE_NAME "ferry-${FERRY_LLVM}")
set(CPACK_PACKAGE_VENDOR "Ferry")
set(CPACK_PACKAGE_CONTACT "The Ferry developers <maintainers@ferry.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "closures in OpenMP target regions, for Clang ${FERRY_LLVM}")
set(CPACK_PACKAGE_FILE_NAME
  "ferry-${PROJECT_VERSION}-llvm${FERRY_LLVM}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_SOURCE_PACKAGE_FILE_NAME "ferry-${PROJECT_VERSION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_VERBATIM_VARIABLES ON)
string(REGEX REPLACE "([][+.*()^$?|\\])" "\\\\\\1" _source "${PROJECT_SOURCE_DIR}")
set(CPACK_SOURCE_IGNORE_FILES
  "^${_source}/build[^/]*/" "^${_source}/\\.git(/|$)" "/__pycache__/")

# --- Debian ---------------------------------------------------------------------

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"A plugin for Clang ${FERRY_LLVM} and passes for LLVM ${FERRY_LLVM}. With them a lambda or functor
that holds pointers, at any depth, works in an OpenMP target region as it
stands. The commands are ferry-clang and ferry-clang++, which take the place
of clang and clang++, and ferry-sim, which runs programs on simulated GPUs.")
# Shared libraries are found by dpkg-shlibdeps. The rest is what the commands call.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(_depends clang-${FERRY_LLVM} clang-tools-${FERRY_LLVM} lld-${FERRY_LLVM}
  llvm-${FERRY_LLVM} ${FERRY_OFFLOAD_PACKAGE} libc6-dev libgcc-12-dev python3)
if(FERRY_OPENMP_DIR)
  list(APPEND _depends libomp5-19)
elseif(NOT FERRY_OFFLOAD_PACKAGE STREQUAL "libomp-${FERRY_LLVM}-dev")
  list(APPEND _depends libomp-${FERRY_LLVM}-dev)
endif()
list(JOIN _depends ", " CPACK_DEBIAN_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-jinja2, python3-yaml")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake")

# ferry-clang is one of the installed versions' by update-alternatives: the one
# of the highest priority, so those with which the simulator works come first.
set(FERRY_PRIORITY ${FERRY_LLVM})
if(FERRY_DEVICE_RUNTIME)
  math(EXPR FERRY_PRIORITY "${FERRY_LLVM} + 100")
endif()
set(FERRY_ALTERNATIVES "")
set(_kind --install)
foreach(name ${FERRY_COMMANDS})
  string(APPEND FERRY_ALTERNATIVES " \\\n    ${_kind} /usr/bin/${name} ${name}"
    " /usr/bin/${name}-${FERRY_LLVM}")
  if(_kind STREQUAL "--install")
    string(APPEND FERRY_ALTERNATIVES " ${FERRY_PRIORITY}")
  endif()
  set(_kind --slave)
  string(APPEND FERRY_ALTERNATIVES " \\\n    --slave /usr/share/man/man1/${name}.1.gz"
    " ${name}.1.gz /usr/share/man/man1/${name}-${FERRY_LLVM}.1.gz")
endforeach()
foreach(_script postinst prerm)
  configure_file(debian/${_script}.in "${CMAKE_CURRENT_BINARY_DIR}/${_script}" @ONLY)
  list(APPEND CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${CMAKE_CURRENT_BINARY_DIR}/${_script}")
endforeach()
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

configure_file(debian/Install.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/Install.cmake" @ONLY)
install(SCRIPT "${CMAKE_CURRENT_BINARY_DIR}/Install.cmake"
  COMPONENT debian EXCLUDE_FROM_ALL)
configure_file(PackageParts.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/PackageParts.cmake" @ONLY)
set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_CURRENT_BINARY_DIR}/PackageParts.cmake")

include(CPack)
