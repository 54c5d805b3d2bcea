// error: ddx: a sparsity pattern is found by a call with ddx::Dependent numbers, which this
// function does not take
#include "ddx/ad/sparse/find_pattern.h"

#include <vector>

std::size_t places(const std::vector<double>& x) {
#ifdef DDX_OFFENDING
  return ddx::jacobian_pattern([](const std::vector<double>& at) { return at; }, x).pattern.size();
#else
  return ddx::jacobian_pattern([](const auto& at) { return at; }, x).pattern.size();
#endif
}
