# Makes the assembly file IN fit to stand in any module: writes OUT.
#
# - Its labels must not be those that the module's own code gets.
# - Its code goes into one section group, of which the linker keeps one copy.
# - Its symbols are weak (Launch.cpp says so), for linkers that see no groups in
#   what link-time optimisation gives them.
# - In link-time optimisation several modules become one: only the first copy
#   may define anything.
file(READ "${IN}" text)
string(PREPEND text "\n")
string(REGEX REPLACE "\n[ \t]*\\.file[^\n]*" "" text "${text}")
string(REPLACE ".L" ".Lferry." text "${text}")
set(group ".section .text.ferry_launch,\"axG\",@progbits,__ferry_launch_begin,comdat")
string(REGEX REPLACE "\n[ \t]*\\.text\n" "\n${group}\n" text "${text}")
if(NOT text MATCHES "ferry_launch,")
  message(FATAL_ERROR "${IN}: no .text directive to replace")
endif()
file(WRITE "${OUT}" ".ifndef __ferry_launch_begin\n.att_syntax\n${text}\n.endif\n.text\n")
