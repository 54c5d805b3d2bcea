// error: ddx: no parameter of this implicit function has a tangent
#include "ddx/ad/implicit.h"

double root(double a) {
#ifdef DDX_OFFENDING
  return ddx::implicit([](double x, int b) { return x * x - b; }, 2.0, static_cast<int>(a));
#else
  return ddx::implicit([](double x, double b) { return x * x - b; }, 2.0, a);
#endif
}
