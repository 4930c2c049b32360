// Pointers outside their array by a distance that is known only at the launch:
// the programs of the host device's test.
//
// RUN: %run_at_all_levels
#include "../e2e/ranges.cpp"
