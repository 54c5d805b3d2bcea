#include "ddx/nn/runtime_number.h"

#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/tensor.h"

#include <cmath>

namespace ddx::nn {

Tensor<double> RuntimeNumber::on(Device device) const {
  return is_known() ? full(Shape(), known_, device) : computed_;
}

template <class OfNumbers, class OfTensors>
RuntimeNumber RuntimeNumber::combined(const RuntimeNumber& a, const RuntimeNumber& b,
                                      const OfNumbers& of_numbers, const OfTensors& of_tensors) {
  if (a.is_known() && b.is_known()) {
    return of_numbers(a.known_, b.known_);
  }
  const Device device = (a.is_known() ? b : a).computed_.device();
  return RuntimeNumber(of_tensors(a.on(device), b.on(device)));
}

RuntimeNumber operator+(const RuntimeNumber& a, const RuntimeNumber& b) {
  const auto add = [](const auto& x, const auto& y) { return x + y; };
  return RuntimeNumber::combined(a, b, add, add);
}

RuntimeNumber operator-(const RuntimeNumber& a, const RuntimeNumber& b) {
  const auto subtract = [](const auto& x, const auto& y) { return x - y; };
  return RuntimeNumber::combined(a, b, subtract, subtract);
}

RuntimeNumber operator*(const RuntimeNumber& a, const RuntimeNumber& b) {
  const auto multiply = [](const auto& x, const auto& y) { return x * y; };
  return RuntimeNumber::combined(a, b, multiply, multiply);
}

RuntimeNumber operator/(const RuntimeNumber& a, const RuntimeNumber& b) {
  const auto divide = [](const auto& x, const auto& y) { return x / y; };
  return RuntimeNumber::combined(a, b, divide, divide);
}

RuntimeNumber pow(const RuntimeNumber& base, const RuntimeNumber& exponent) {
  return RuntimeNumber::combined(
      base, exponent, [](double x, double y) { return std::pow(x, y); },
      [](const Tensor<double>& x, const Tensor<double>& y) { return ddx::pow(x, y); });
}

RuntimeNumber sqrt(const RuntimeNumber& a) {
  return a.is_known() ? RuntimeNumber(std::sqrt(a.known_)) : RuntimeNumber(ddx::sqrt(a.computed_));
}

RuntimeNumber hypot(const RuntimeNumber& a, const RuntimeNumber& b) {
  if (a.is_known() && b.is_known()) {
    return std::hypot(a.known_, b.known_);
  }
  const RuntimeNumber largest = max(max(a, -a), max(b, -b));
  const RuntimeNumber unit = choose_positive(largest, largest, 1);
  const RuntimeNumber x = a / unit;
  const RuntimeNumber y = b / unit;
  return unit * sqrt(x * x + y * y);
}

RuntimeNumber min(const RuntimeNumber& a, const RuntimeNumber& b) {
  return RuntimeNumber::combined(
      a, b, [](double x, double y) { return std::isnan(x) || x < y ? x : y; },
      [](const Tensor<double>& x, const Tensor<double>& y) { return minimum(x, y); });
}

RuntimeNumber max(const RuntimeNumber& a, const RuntimeNumber& b) {
  return RuntimeNumber::combined(
      a, b, [](double x, double y) { return std::isnan(x) || x > y ? x : y; },
      [](const Tensor<double>& x, const Tensor<double>& y) { return maximum(x, y); });
}

RuntimeNumber choose_zero(const RuntimeNumber& condition, const RuntimeNumber& a,
                          const RuntimeNumber& b) {
  if (condition.is_known()) {
    return condition.known_ == 0 ? a : b;
  }
  const Device device = condition.computed_.device();
  return RuntimeNumber(select(equal(condition.computed_, 0.0), a.on(device), b.on(device)));
}

RuntimeNumber choose_positive(const RuntimeNumber& condition, const RuntimeNumber& a,
                              const RuntimeNumber& b) {
  if (condition.is_known()) {
    return condition.known_ > 0 ? a : b;
  }
  const Device device = condition.computed_.device();
  return RuntimeNumber(select(greater(condition.computed_, 0.0), a.on(device), b.on(device)));
}

}  // namespace ddx::nn
