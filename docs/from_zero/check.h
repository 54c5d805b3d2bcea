/// \file
/// The one thing that the programs share: they end with status 1 where a number is not what it
/// should be.

#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>

/// Prints both numbers, and ends the program where they differ by more than `tolerance`, relative.
inline void check(const char* what, double found, double expected, double tolerance = 1e-12) {
  std::printf("%-40s %.15g\n", what, found);
  if (!(std::fabs(found - expected) <= tolerance * std::fabs(expected))) {
    std::printf("  but it should be %.15g\n", expected);
    std::exit(1);
  }
}
