// In forward mode, a registered pullback serves results whose numbers are known by their type, or
// where it is a lambda, which can be differentiated.
#include "ddx/ad.h"

#include <array>
#include <vector>

std::vector<double> doubled(const std::vector<double>& x);
struct Back {
  std::vector<double> operator()(const std::vector<double>& dy) const { return {2 * dy[0]}; }
};
DDX_DERIVATIVE_OF(doubled) auto doubled_vjp(const std::vector<double>& x) {
  return ddx::vjp(std::vector{2 * x[0]}, Back{});
}

std::array<double, 1> tripled(const std::vector<double>& x);
DDX_DERIVATIVE_OF(tripled) auto tripled_vjp(const std::vector<double>& x) {
  return ddx::vjp(std::array{3 * x[0]}, [](const std::array<double, 1>& dy) {
    return std::vector{3 * dy[0]};
  });
}

double f(const std::vector<double>& x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate in forward mode: the call of 'doubled', for which only a pullback is registered}}
  return doubled(x)[0] * x[0];
#else
  return tripled(x)[0] * x[0];
#endif
}

const std::vector<double> point{1.0};
const double backwards = ddx::gradient(f, point)[0];
const double forwards = ddx::jvp(f, ddx::along(point), point).tangent;  // expected-note {{derivative requested here}}
