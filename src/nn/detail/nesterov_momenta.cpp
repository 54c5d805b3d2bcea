#include "ddx/nn/detail/nesterov_momenta.h"

#include "ddx/core/device.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/tensor.h"
#include "ddx/tensor/while_loop.h"

#include <utility>

namespace ddx::nn::detail {
namespace {

constexpr double negligible = 1e-20;

}  // namespace

RuntimeNumber momentum_at(double beta, double decay, const RuntimeNumber& step) {
  return beta * (1 - 0.5 * pow(0.96, step * decay));
}

RuntimeNumber momentum_product(double beta, double decay, const RuntimeNumber& step) {
  if (step.is_known()) {
    double product = 1;
    for (double t = 1; t <= step.value() && product > negligible; ++t) {
      product *= momentum_at(beta, decay, t).value();
    }
    return product;
  }
  const auto last = step.computed<double>();
  const Tensor<double> one(1.0, last.device());
  using State = std::pair<Tensor<double>, Tensor<double>>;  // A step, the product of those before.
  const auto goes_on = [&](const State& state) {
    return logical_and(less_equal(state.first, last), greater(state.second, negligible));
  };
  const auto next = [&](const State& state) {
    const RuntimeNumber momentum = momentum_at(beta, decay, RuntimeNumber(state.first));
    return State(state.first + 1.0, state.second * momentum.computed<double>());
  };
  return RuntimeNumber(while_loop(goes_on, next, State(one, one)).second);
}

}  // namespace ddx::nn::detail
