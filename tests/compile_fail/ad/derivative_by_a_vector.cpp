// error: ddx: a derivative is by one floating-point number; for any other argument use
// ddx::gradient
#define __DDX__ 1  // Only the checks are tested; nothing is differentiated.
#include "ddx/ad/operators.h"
#include "ddx/ad/wrt.h"

#include <vector>

double first(const std::vector<double>& x);

void slope() {
#ifdef DDX_OFFENDING
  (void)ddx::derivative(first, std::vector{1.0});
#else
  (void)ddx::gradient(first, std::vector{1.0});
#endif
}
