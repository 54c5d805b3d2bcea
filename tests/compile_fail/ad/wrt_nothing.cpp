// error: ddx: nothing to differentiate with respect to
#define __DDX__ 1  // Only the checks are tested; nothing is differentiated.
#include "ddx/ad/operators.h"
#include "ddx/ad/wrt.h"

#include <vector>

double product(double x, double y);

void slope() {
#ifdef DDX_OFFENDING
  (void)ddx::pullback(product, ddx::wrt<>, 1.0, 2.0);
#else
  (void)ddx::pullback(product, ddx::wrt<0>, 1.0, 2.0);
#endif
}
