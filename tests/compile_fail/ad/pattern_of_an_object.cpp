// error: ddx: the numbers of this result cannot be listed to find their sparsity pattern
#include "ddx/ad/sparse/find_pattern.h"

#include <tuple>

template <class T>
struct Point {
  T x, y;
};

std::size_t places(double x) {
#ifdef DDX_OFFENDING
  return ddx::jacobian_pattern([](const auto& at) { return Point{at, at * at}; }, x).pattern.size();
#else
  return ddx::jacobian_pattern([](const auto& at) { return std::tuple(at, at * at); }, x)
      .pattern.size();
#endif
}
