// error: ddx: a class used as TangentVector needs ddx_conform(tangent, primal)
#include "ddx/ad/detail/runtime.h"

struct Leaf {
  using TangentVector = Leaf;
  friend void ddx_accumulate(Leaf&, const Leaf&) {}
#ifndef DDX_OFFENDING
  friend void ddx_conform(Leaf&, const Leaf&) {}
#endif
};

void shape(Leaf& tangent, const Leaf& primal) {
  ddx::detail::conform(tangent, primal);
}
