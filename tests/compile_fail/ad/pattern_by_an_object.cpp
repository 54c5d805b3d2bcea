// error: ddx: a sparsity pattern is found for arguments of numbers, vectors, arrays, pairs and
// tuples
#include "ddx/ad/sparse/find_pattern.h"

#include <array>

struct Point {
  double x, y;
};

std::size_t places(const Point& point) {
#ifdef DDX_OFFENDING
  return ddx::jacobian_pattern([](const auto& at) { return at.x * at.y; }, point).pattern.size();
#else
  return ddx::jacobian_pattern([](const auto& at) { return at[0] * at[1]; },
                               std::array{point.x, point.y})
      .pattern.size();
#endif
}
