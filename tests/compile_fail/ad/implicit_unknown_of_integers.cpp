// error: ddx: the unknown consists of floating-point numbers alone
#include "ddx/ad/fixed_point.h"

double root(double a) {
#ifdef DDX_OFFENDING
  return ddx::fixed_point([](int x, double b) { return x + static_cast<int>(b); }, 1, a);
#else
  return ddx::fixed_point([](double x, double b) { return (x + b / x) / 2; }, 1.0, a);
#endif
}
