// error: ddx: the function cannot be called with these arguments; it is called as const
#define __DDX__ 1  // Only the checks are tested; nothing is differentiated.
#include "ddx/ad/operators.h"
#include "ddx/ad/wrt.h"

#include <vector>

struct Counter {
  double operator()(double x) { return x; }
  double operator()(double x, double) const { return x; }
};

void slope() {
#ifdef DDX_OFFENDING
  (void)ddx::pullback(Counter{}, 1.0);
#else
  (void)ddx::pullback(Counter{}, 1.0, 2.0);
#endif
}
