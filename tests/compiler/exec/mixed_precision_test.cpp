#include "gradient_check.h"

#include <array>
#include <cmath>
#include <vector>

namespace {

float single_precision(float x, float y) {
  return x * y + std::sin(x) / (1 + y * y);
}

float single_precision_loop(const std::vector<float>& x) {
  float s = 1;
  for (const float v : x) {
    s = s * v + std::sqrt(1 + s * s);
  }
  return s;
}

double widened(float x, double y) {
  const double wide = x;
  return wide * wide * y + x * y;
}

float narrowed(double x) {
  const auto narrow = static_cast<float>(x * x);
  return narrow * narrow + static_cast<float>(x);
}

double mixed_accumulation(const std::array<float, 3>& x, double scale) {
  double s = 0;
  for (const float v : x) {
    s += v * scale;
  }
  s *= static_cast<float>(s);
  return s;
}

double integer_and_floating(double x, int n, unsigned u, long k) {
  return x * n / 2 + n / 2 * x * x + x / static_cast<double>(u) + static_cast<double>(k) * x;
}

template <class T>
T generic_precision(T x) {
  const T half = static_cast<T>(0.5);
  return std::exp(-half * x * x) * std::fabs(x);
}

long double extended(long double x) {
  return x * x * std::sqrt(x + 2);
}

double through_extended(double x) {
  const long double wide = x;
  return static_cast<double>(extended(wide) * wide);
}

float compound_with_wider(float x) {
  float s = x;
  s += static_cast<float>(2.0 * x * x);
  s *= 0.5F;
  return s * x;
}

DDX_CHECK_GRADIENT_FLOAT(single_precision, at(0.5F, 1.0F), at(-1.25F, 0.5F), at(2.0F, -0.75F))
DDX_CHECK_GRADIENT_FLOAT(single_precision_loop, at(std::vector{0.5F, 1.0F, -0.25F}),
                         at(std::vector{0.75F}), at(std::vector{1.0F, 0.5F}))
DDX_CHECK_GRADIENT_FLOAT(widened, at(0.5F, 1.0), at(-1.25F, 0.5), at(2.0F, -0.75))
DDX_CHECK_GRADIENT_FLOAT(narrowed, at(0.5), at(-1.25), at(1.0))
DDX_CHECK_GRADIENT_FLOAT(mixed_accumulation, at(std::array{0.5F, 1.0F, 2.0F}, 0.5),
                         at(std::array{0.5F, -1.0F, 0.25F}, 1.5),
                         at(std::array{-0.5F, 1.0F, 1.0F}, -0.5))
DDX_CHECK_GRADIENT(integer_and_floating, at(0.5, 3, 2U, 4L), at(-1.25, 0, 1U, -2L),
                   at(2.0, 8, 5U, 0L))
DDX_CHECK_GRADIENT(generic_precision, at(0.5), at(-1.25), at(2.0))
DDX_CHECK_GRADIENT_FLOAT(generic_precision, at(0.5F), at(-1.25F), at(2.0F))
DDX_CHECK_GRADIENT(through_extended, at(0.5), at(-1.25), at(2.0))
DDX_CHECK_GRADIENT_FLOAT(compound_with_wider, at(0.5F), at(-1.25F), at(2.0F))

}  // namespace
