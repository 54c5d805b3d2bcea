// error: ddx: a Hessian is of a function with a real result
#include "ddx/ad/sparse/find_pattern.h"

#include <vector>

std::size_t places(const std::vector<double>& x) {
#ifdef DDX_OFFENDING
  return ddx::hessian_pattern([](const auto& at) { return at; }, x).pattern.size();
#else
  return ddx::hessian_pattern([](const auto& at) { return at[0] * at[1]; }, x).pattern.size();
#endif
}
