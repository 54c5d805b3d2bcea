// error: ddx: a class used as TangentVector needs ddx_accumulate(into, from)
#include "ddx/ad/detail/runtime.h"

struct Leaf {
  using TangentVector = Leaf;
#ifndef DDX_OFFENDING
  friend void ddx_accumulate(Leaf&, const Leaf&) {}
#endif
};

void add(Leaf& into, const Leaf& from) {
  ddx::detail::accumulate(into, from);
}
