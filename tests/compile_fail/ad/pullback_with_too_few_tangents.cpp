// error: ddx: the pullback of this registered derivative must return a std::tuple with one tangent
// for each differentiable parameter, in order
#include "ddx/ad/detail/registered_pullback.h"

std::tuple<double, double> call() {
  const auto pullback = [](double dy) {
#ifdef DDX_OFFENDING
    return std::tuple(dy);
#else
    return std::tuple(dy, dy);
#endif
  };
  return ddx::detail::call_pullback<std::tuple<double, double>>(pullback, 1.0,
                                                                ddx::Wanted<2>::all());
}
