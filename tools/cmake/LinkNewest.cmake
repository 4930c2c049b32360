# Runs when Ferry is installed, with the folders FERRY_BINDIR and FERRY_LIBDIR
# below the prefix: ${FERRY_COMMAND} becomes a link to that of the
# newest version in its folder that is complete, with what the simulator needs
# of LLVM; without such a one, to that of the newest.
set(_bin "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${FERRY_BINDIR}")
set(_lib "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${FERRY_LIBDIR}")
set(_newest 0)
set(_complete 0)
file(GLOB _versions RELATIVE "${_bin}" "${_bin}/${FERRY_COMMAND}-*")
foreach(_version IN LISTS _versions)
  string(REPLACE "${FERRY_COMMAND}-" "" _version "${_version}")
  if(NOT _version MATCHES "^[0-9]+$" OR
     NOT EXISTS "${_lib}/libferry-${_version}.so" OR
     NOT EXISTS "${_lib}/libferry-clang-${_version}.so" OR
     NOT EXISTS "${_lib}/ferry-${_version}/ferry.cfg")
    continue()
  endif()
  if(_version GREATER _newest)
    set(_newest ${_version})
  endif()
  if(_version GREATER _complete AND EXISTS "${_lib}/ferry-${_version}/complete")
    set(_complete ${_version})
  endif()
endforeach()
if(_complete)
  set(_newest ${_complete})
endif()
if(_newest)
  file(CREATE_LINK ${FERRY_COMMAND}-${_newest} "${_bin}/${FERRY_COMMAND}" SYMBOLIC)
endif()
