// error: ddx: this function may capture nothing, so that no derivative is lost
#include "ddx/ad/implicit.h"

double root(double a) {
#ifdef DDX_OFFENDING
  return ddx::implicit([a](double x, double) { return x * x - a; }, 2.0, a);
#else
  return ddx::implicit([](double x, double b) { return x * x - b; }, 2.0, a);
#endif
}
