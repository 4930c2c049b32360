// Arrays of pointers in captured objects, on a simulated GPU: e2e's programs.
//
// RUN: for o in -O0 -O2; do echo "at $o"; \
// RUN:   %sim_cxx -std=c++20 $o %s -o %t || exit 1; \
// RUN:   %ferry_sim --strict --quiet -- %t || exit 1; done
#include "../e2e/arrays_of_pointers.cpp"
