// error: ddx: a gradient needs a function with a floating-point result; for any other result use
// ddx::pullback
#define __DDX__ 1  // Only the checks are tested; nothing is differentiated.
#include "ddx/ad/operators.h"
#include "ddx/ad/wrt.h"

#include <vector>

std::vector<double> doubled(double x);

void slope() {
#ifdef DDX_OFFENDING
  (void)ddx::gradient(doubled, 1.0);
#else
  (void)ddx::pullback(doubled, 1.0);
#endif
}
