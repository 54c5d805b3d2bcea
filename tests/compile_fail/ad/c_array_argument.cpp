// error: ddx: argument 0 after the function has no tangent (an integer, a C array
#define __DDX__ 1  // Only the checks are tested; nothing is differentiated.
#include "ddx/ad/operators.h"
#include "ddx/ad/wrt.h"

#include <vector>

double norm(const double* x, double scale);

void slope(const double (&x)[2]) {
#ifdef DDX_OFFENDING
  (void)ddx::gradient(norm, ddx::wrt<0>, x, 1.0);
#else
  (void)ddx::gradient(norm, ddx::wrt<1>, x, 1.0);
#endif
}
