// error: ddx: the function of this implicit function cannot be called with the unknown
#include "ddx/ad/implicit.h"

double root(double a) {
#ifdef DDX_OFFENDING
  return ddx::implicit([](double x) { return x * x - 2; }, 2.0, a);
#else
  return ddx::implicit([](double x, double b) { return x * x - b; }, 2.0, a);
#endif
}
