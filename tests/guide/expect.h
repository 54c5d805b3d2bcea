/// \file
/// Checks of the guide's programs: a wrong number ends the program with a message.

#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace ddx::testing {

/// Exits with status 1 unless `actual` is `expected` within a relative error.
inline void expect_close(const char* what, double actual, double expected, double within = 1e-9) {
  if (!(std::abs(actual - expected) <= within * (1 + std::abs(expected)))) {
    std::fprintf(stderr, "%s: got %.17g, expected %.17g\n", what, actual, expected);
    std::exit(1);
  }
}

}  // namespace ddx::testing
