// error: ddx: an argument after the function, the fifth or later, has no tangent
#define __DDX__ 1  // Only the checks are tested; nothing is differentiated.
#include "ddx/ad/operators.h"
#include "ddx/ad/wrt.h"

#include <vector>

double sum(double a, double b, double c, double d, int n);

double slope() {
#ifdef DDX_OFFENDING
  return std::get<0>(ddx::gradient(sum, 1.0, 2.0, 3.0, 4.0, 5));
#else
  return std::get<0>(ddx::gradient(sum, ddx::wrt<0, 1, 2, 3>, 1.0, 2.0, 3.0, 4.0, 5));
#endif
}
