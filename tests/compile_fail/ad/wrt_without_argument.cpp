// error: ddx: ddx::wrt<...> names a position that has no argument
#define __DDX__ 1  // Only the checks are tested; nothing is differentiated.
#include "ddx/ad/operators.h"
#include "ddx/ad/wrt.h"

#include <vector>

double product(double x, double y);

void slope() {
#ifdef DDX_OFFENDING
  (void)ddx::gradient(product, ddx::wrt<2>, 1.0, 2.0);
#else
  (void)ddx::gradient(product, ddx::wrt<1>, 1.0, 2.0);
#endif
}
