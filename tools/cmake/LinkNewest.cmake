# Runs when Ferry is installed: ${FERRY_COMMAND} becomes a link to that of the
# newest version in its folder that is complete, with what the simulator needs
# of LLVM; without such a one, to that of the newest.
set(_prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
set(_newest 0)
set(_complete 0)
file(GLOB _versions RELATIVE "${_prefix}/bin" "${_prefix}/bin/${FERRY_COMMAND}-*")
foreach(_version IN LISTS _versions)
  string(REPLACE "${FERRY_COMMAND}-" "" _version "${_version}")
  if(NOT _version MATCHES "^[0-9]+$" OR
     NOT EXISTS "${_prefix}/lib/libferry-${_version}.so" OR
     NOT EXISTS "${_prefix}/lib/libferry-clang-${_version}.so" OR
     NOT EXISTS "${_prefix}/lib/ferry-${_version}/ferry.cfg")
    continue()
  endif()
  if(_version GREATER _newest)
    set(_newest ${_version})
  endif()
  if(_version GREATER _complete AND EXISTS "${_prefix}/lib/ferry-${_version}/complete")
    set(_complete ${_version})
  endif()
endforeach()
if(_complete)
  set(_newest ${_complete})
endif()
if(_newest)
  file(CREATE_LINK ${FERRY_COMMAND}-${_newest} "${_prefix}/bin/${FERRY_COMMAND}" SYMBOLIC)
endif()
