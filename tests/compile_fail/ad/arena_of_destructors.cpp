// error: use make or make_array
#include "ddx/ad/detail/arena.h"

#include <vector>

void allocate(ddx::detail::Arena& arena) {
#ifdef DDX_OFFENDING
  (void)arena.alloc<std::vector<double>>(1);
#else
  (void)arena.make<std::vector<double>>();
#endif
}
