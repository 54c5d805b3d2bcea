// error: ddx: argument 1 after the function has no tangent
#define __DDX__ 1  // Only the checks are tested; nothing is differentiated.
#include "ddx/ad/operators.h"
#include "ddx/ad/wrt.h"

#include <vector>

double power(double x, int n);

double slope() {
#ifdef DDX_OFFENDING
  return std::get<0>(ddx::gradient(power, 2.0, 3));
#else
  return ddx::gradient(power, ddx::wrt<0>, 2.0, 3);
#endif
}
