#pragma once

#include <ddx/ad.h>

[[clang::annotate("primal")]] double registered_cube(double x);
DDX_DERIVATIVE_OF(registered_cube) inline auto registered_cube_vjp(double x) {
  return ddx::vjp(x * x * x, [x](double dy) { return 3 * x * x * dy; });
}

// Asks for a gradient in a header, so each unit that includes it has the entry.
inline double value_in_header(double x) {
  return ddx::value_with_gradient([](double y) { return y + 1; }, x).value;
}
