// A chain of callables made by std::bind, std::ref, std::mem_fn and std::invoke.

#include "gradient_check.h"

#include <cmath>
#include <functional>
#include <vector>

namespace {

struct Gain {
  double factor;
  double offset;
  [[nodiscard]] double apply(double x) const { return factor * x + offset; }
  void adapt(double by) { factor += 0.1 * by; }
};

double blend(double a, double b, double t) {
  return (1 - t) * a + t * b * b;
}

void accumulate(double& sum, double x) {
  sum = 0.8 * sum + x;
}

double bound_callables(double factor, double offset, const std::vector<double>& inputs) {
  using namespace std::placeholders;
  Gain gain{factor, offset};
  double sum = 0;
  const auto amplify = std::bind(&Gain::apply, std::ref(gain), _1);
  const auto mix = std::bind(blend, _2, _1, offset);
  const auto record = std::bind(accumulate, std::ref(sum), _1);
  const auto adapt = std::mem_fn(&Gain::adapt);
  std::function<double(double, double)> swapped = mix;
  for (const double x : inputs) {
    const double y = amplify(x);
    record(swapped(y, std::sin(x)));
    adapt(gain, y);
    record(std::invoke(&Gain::offset, gain) * std::invoke(&Gain::apply, &gain, y));
  }
  const std::reference_wrapper<double> last = sum;
  last.get() *= 1.5;
  return sum + gain.factor;
}

DDX_CHECK_GRADIENT(bound_callables, at(0.7, 0.2, std::vector{0.5, -0.3, 0.9}),
                   at(1.3, -0.4, std::vector{0.8}), at(-0.6, 0.5, std::vector{0.1, 1.1}))

}  // namespace
