#include "gradient_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace {

double power(double x, int n) {
  return n == 0 ? 1 : x * power(x, n - 1);
}

double power_by_squaring(double x, int n) {
  if (n == 0) {
    return 1;
  }
  const double half = power_by_squaring(x, n / 2);
  return n % 2 == 0 ? half * half : x * half * half;
}

double fibonacci(double x, int n) {
  return n < 2 ? x + n : fibonacci(x, n - 1) * 0.5 + fibonacci(x, n - 2) * x;
}

double odd_steps(double x, int n);
double even_steps(double x, int n) {
  return n == 0 ? x : odd_steps(x * x + 0.1, n - 1);
}
double odd_steps(double x, int n) {
  return n == 0 ? -x : even_steps(std::sin(x), n - 1) * x;
}

double mutual(double x, int n) {
  return even_steps(x, n) + odd_steps(x, n);
}

template <int N>
double unrolled(double x) {
  if constexpr (N == 0) {
    return x;
  } else {
    return x * unrolled<N - 1>(x) + N;
  }
}

double over_template_parameter(double x) {
  return unrolled<4>(x) + unrolled<1>(x * x);
}

/// Stops on an active condition.
double until_small(double x) {
  return x < 0.01 ? x : until_small(0.3 * x) + x * x;
}

double pairwise_sum(const std::vector<double>& x, std::size_t begin, std::size_t end) {
  if (end - begin == 1) {
    return x[begin] * x[begin];
  }
  const std::size_t middle = (begin + end) / 2;
  return pairwise_sum(x, begin, middle) + pairwise_sum(x, middle, end) * x[begin];
}

double divide_and_conquer(const std::vector<double>& x) {
  return pairwise_sum(x, 0, x.size());
}

void transform_in_place(std::array<double, 4>& a, int depth) {
  if (depth == 0) {
    return;
  }
  for (int i = 0; i < 4; ++i) {
    a[i] = a[i] * a[(i + depth) % 4] + 0.1;
  }
  transform_in_place(a, depth - 1);
  a[depth] *= 0.5;
}

double recursion_in_place(const std::array<double, 4>& start, int depth) {
  std::array<double, 4> a = start;
  transform_in_place(a, depth);
  return a[0] * a[1] + a[2] - a[3];
}

double simpson(double a, double b, double scale) {
  const auto f = [scale](double t) { return std::exp(-scale * t * t); };
  return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b));
}

double adaptive(double a, double b, double scale, double tolerance) {
  const double m = (a + b) / 2;
  const double whole = simpson(a, b, scale);
  const double halves = simpson(a, m, scale) + simpson(m, b, scale);
  if (std::fabs(whole - halves) < tolerance) {
    return halves;
  }
  return adaptive(a, m, scale, tolerance / 2) + adaptive(m, b, scale, tolerance / 2);
}

double adaptive_quadrature(double b, double scale) {
  return adaptive(0, b, scale, 1e-4);
}

DDX_CHECK_GRADIENT(power, at(0.5, 3), at(-1.2, 0), at(2.0, 5))
DDX_CHECK_GRADIENT(power_by_squaring, at(0.5, 13), at(-1.2, 0), at(1.3, 6))
DDX_CHECK_GRADIENT(fibonacci, at(0.5, 6), at(-1.2, 1), at(1.3, 4))
DDX_CHECK_GRADIENT(mutual, at(0.5, 5), at(-1.2, 0), at(1.1, 4))
DDX_CHECK_GRADIENT(over_template_parameter, at(0.5), at(-1.2), at(1.1))
DDX_CHECK_GRADIENT(until_small, at(0.5), at(-1.2), at(1.2))
DDX_CHECK_GRADIENT(divide_and_conquer, at(std::vector{0.5}), at(std::vector{0.5, -1.0, 2.0}),
                   at(std::vector{1.5, 0.3, 0.2, -0.7, 0.9}))
DDX_CHECK_GRADIENT(recursion_in_place, at(std::array{0.5, 1.0, -2.0, 0.3}, 3),
                   at(std::array{1.5, -1.0, 0.4, 0.3}, 0), at(std::array{0.5, 0.0, 0.7, -0.3}, 2))
DDX_CHECK_GRADIENT(adaptive_quadrature, at(0.6, 1.2), at(2.0, 2.0), at(1.7, 4.3))

}  // namespace
