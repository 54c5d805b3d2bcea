// error: ddx: derivatives are made by the ddx compiler, which does not build this file; compile it
// with ddx++ or, in CMake, call ddx_enable_autodiff(<target>)
#include "ddx/ad/operators.h"

double slope() {
  const auto square = [](double x) { return x * x; };
#ifdef DDX_OFFENDING
  const auto [value, gradient] = ddx::value_with_gradient(square, 3.0);
  return value + gradient;
#else
  return square(3.0);
#endif
}
