// error: ddx: the result of the function has no tangent, so nothing can be pulled back
#define __DDX__ 1  // Only the checks are tested; nothing is differentiated.
#include "ddx/ad/operators.h"
#include "ddx/ad/wrt.h"

#include <vector>

int rounded(double x);
double same(double x);

void slope() {
#ifdef DDX_OFFENDING
  (void)ddx::pullback(rounded, 1.0);
#else
  (void)ddx::pullback(same, 1.0);
#endif
}
