#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "tests/conformance/cases.h"
#include "tests/conformance/host_array.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ddx::testing {
namespace {

using ops::Op;

const Shape shapes[] = {{},   {0},  {1},  {7},    {8},       {9},          {15},      {16},
                        {17}, {31}, {33}, {3, 5}, {2, 0, 3}, {2, 3, 4, 5}, {1, 1, 1}, {70001}};

const std::pair<Shape, Shape> broadcasts[] = {{{}, {17}},
                                              {{17}, {}},
                                              {{1}, {9}},
                                              {{9}, {1}},
                                              {{3, 17}, {17}},
                                              {{17}, {3, 17}},
                                              {{3, 17}, {3, 1}},
                                              {{3, 1}, {3, 17}},
                                              {{3, 1}, {1, 17}},
                                              {{1, 17}, {3, 1}},
                                              {{0}, {1}},
                                              {{1}, {2, 0}},
                                              {{2, 1, 4}, {5, 1}},
                                              {{2, 3, 4}, {3, 1}},
                                              {{64, 129}, {129}},
                                              {{64, 129}, {64, 1}},
                                              {{2, 3, 4, 5}, {1, 3, 1, 5}},
                                              {{1, 1}, {1}},
                                              {{200, 301}, {301}}};

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

/// The derivative of order n + 1 of log gamma(x), x > 0: the sum of (-1)^(n+1) n! / (x + k)^(n+1)
/// over the first k, and Euler's integral for the others.
double polygamma(double n, double x) {
  constexpr int steps = 200;
  double sum = 0;
  for (int k = 0; k < steps; ++k) {
    sum += std::pow(x + k, -n - 1);
  }
  const double z = x + steps;
  sum += std::pow(z, -n - 1) *
         (0.5 + (n + 1) / (12 * z) - (n + 1) * (n + 2) * (n + 3) / (720 * z * z * z));
  if (n == 0) {
    return std::log(z) - sum;
  }
  return (std::fmod(n, 2) == 1 ? 1 : -1) * std::tgamma(n + 1) * (sum + std::pow(z, -n) / n);
}

/// Both numbers as words, for operations on bits.
std::function<double(double, double)> on_words(std::int64_t (*function)(std::int64_t,
                                                                        std::int64_t)) {
  return [function](double a, double b) {
    return static_cast<double>(
        function(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)));
  };
}

const std::map<Op, std::function<double(double)>> unary_functions = {
    {Op::neg, [](double x) { return -x; }},
    {Op::abs, [](double x) { return std::fabs(x); }},
    {Op::sign, [](double x) { return static_cast<double>((x > 0) - (x < 0)); }},
    {Op::square, [](double x) { return x * x; }},
    {Op::relu, [](double x) { return std::max(x, 0.0); }},
    {Op::reciprocal, [](double x) { return 1 / x; }},
    {Op::exp, [](double x) { return std::exp(x); }},
    {Op::expm1, [](double x) { return std::expm1(x); }},
    {Op::log, [](double x) { return std::log(x); }},
    {Op::log1p, [](double x) { return std::log1p(x); }},
    {Op::sqrt, [](double x) { return std::sqrt(x); }},
    {Op::rsqrt, [](double x) { return std::pow(x, -0.5); }},
    {Op::sin, [](double x) { return std::sin(x); }},
    {Op::cos, [](double x) { return std::cos(x); }},
    {Op::tanh, [](double x) { return std::tanh(x); }},
    {Op::sigmoid, sigmoid},
    {Op::floor, [](double x) { return std::floor(x); }},
    {Op::ceil, [](double x) { return std::ceil(x); }},
    {Op::round, [](double x) { return std::nearbyint(x); }},
    {Op::exp2, [](double x) { return std::pow(2, x); }},
    {Op::log2, [](double x) { return std::log(x) / std::log(2); }},
    {Op::log10, [](double x) { return std::log(x) / std::log(10); }},
    {Op::tan, [](double x) { return std::sin(x) / std::cos(x); }},
    {Op::asin, [](double x) { return std::atan2(x, std::sqrt(1 - x * x)); }},
    {Op::acos, [](double x) { return std::atan2(std::sqrt(1 - x * x), x); }},
    {Op::atan, [](double x) { return std::asin(x / std::sqrt(1 + x * x)); }},
    {Op::sinh, [](double x) { return (std::exp(x) - std::exp(-x)) / 2; }},
    {Op::cosh, [](double x) { return (std::exp(x) + std::exp(-x)) / 2; }},
    {Op::asinh, [](double x) { return std::log(x + std::sqrt(x * x + 1)); }},
    {Op::acosh, [](double x) { return std::log(x + std::sqrt(x * x - 1)); }},
    {Op::atanh, [](double x) { return std::log((1 + x) / (1 - x)) / 2; }},
    {Op::erf, [](double x) { return 1 - std::erfc(x); }},
    {Op::erfc, [](double x) { return 1 - std::erf(x); }},
    {Op::gelu, [](double x) { return x * (1 + std::erf(x * M_SQRT1_2)) / 2; }},
    {Op::gelu_tanh,
     [](double x) {
       return x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))) / 2;
     }},
    {Op::silu, [](double x) { return x * (1 + std::tanh(x / 2)) / 2; }},
    {Op::lgamma, [](double x) { return std::log(std::tgamma(x)); }},
    {Op::digamma, [](double x) { return polygamma(0, x); }},
    {Op::is_finite, [](double x) { return std::fabs(x) <= 1e300 ? 1 : 0; }},
    {Op::is_inf, [](double x) { return std::fabs(x) > 1e300 ? 1 : 0; }},
    {Op::is_nan, [](double x) { return x >= 0 || x < 0 ? 0 : 1; }},
    {Op::logical_not, [](double x) { return 1 - x; }},
    {Op::bitwise_not, [](double x) { return -1 - x; }},
};

const std::map<Op, std::function<double(double, double)>> binary_functions = {
    {Op::add, [](double a, double b) { return a + b; }},
    {Op::sub, [](double a, double b) { return a - b; }},
    {Op::mul, [](double a, double b) { return a * b; }},
    {Op::div, [](double a, double b) { return a / b; }},
    {Op::pow, [](double a, double b) { return std::exp(b * std::log(a)); }},
    {Op::maximum, [](double a, double b) { return std::max(a, b); }},
    {Op::minimum, [](double a, double b) { return std::min(a, b); }},
    {Op::squared_difference, [](double a, double b) { return a * a - 2 * a * b + b * b; }},
    {Op::remainder, [](double a, double b) { return a - b * std::floor(a / b); }},
    {Op::floor_divide, [](double a, double b) { return std::floor(a / b); }},
    {Op::fmod, [](double a, double b) { return a - b * std::trunc(a / b); }},
    {Op::atan2, [](double y, double x) { return std::arg(std::complex<double>(x, y)); }},
    {Op::hypot, [](double a, double b) { return std::abs(std::complex<double>(a, b)); }},
    {Op::polygamma, polygamma},
    {Op::bitwise_and, on_words([](std::int64_t a, std::int64_t b) { return a & b; })},
    {Op::bitwise_or, on_words([](std::int64_t a, std::int64_t b) { return a + b - (a & b); })},
    {Op::bitwise_xor, on_words([](std::int64_t a, std::int64_t b) { return a + b - 2 * (a & b); })},
    {Op::left_shift, [](double a, double b) { return a * std::pow(2, b); }},
    {Op::right_shift, [](double a, double b) { return std::floor(a / std::pow(2, b)); }},
    {Op::cotangent_product, [](double dy, double f) { return dy * f; }},
    {Op::cotangent_quotient, [](double dy, double x) { return dy / x; }},
    {Op::relu_gradient, [](double dy, double y) { return dy * (y > 0); }},
    {Op::tanh_gradient, [](double dy, double y) { return dy - dy * y * y; }},
    {Op::sigmoid_gradient, [](double dy, double y) { return dy * (y - y * y); }},
    {Op::gelu_gradient,
     [](double dy, double x) {
       return dy * ((1 + std::erf(x * M_SQRT1_2)) / 2 +
                    x * std::exp(-x * x / 2) * M_SQRT1_2 * M_2_SQRTPI / 2);
     }},
    {Op::gelu_tanh_gradient,
     [](double dy, double x) {
       const double t = std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x));
       const double slope = std::sqrt(2 / M_PI) * (1 + 3 * 0.044715 * x * x);
       return dy * ((1 + t) / 2 + x * (1 - t * t) * slope / 2);
     }},
    {Op::silu_gradient,
     [](double dy, double x) {
       const double t = std::tanh(x / 2);
       return dy * ((1 + t) / 2 + x * (1 - t * t) / 4);
     }},
    {Op::logical_and, [](double a, double b) { return std::min(a, b); }},
    {Op::logical_or, [](double a, double b) { return std::max(a, b); }},
    {Op::equal, [](double a, double b) { return a == b ? 1 : 0; }},
    {Op::not_equal, [](double a, double b) { return a == b ? 0 : 1; }},
    {Op::less, [](double a, double b) { return a < b ? 1 : 0; }},
    {Op::less_equal, [](double a, double b) { return b < a ? 0 : 1; }},
    {Op::greater, [](double a, double b) { return b < a ? 1 : 0; }},
    {Op::greater_equal, [](double a, double b) { return a < b ? 0 : 1; }},
};

/// What an integer of the dtype keeps of a result: division truncates, it wraps around.
double stored(double value, DType dtype) {
  switch (info(dtype).kind) {
    case DTypeKind::Float:
    case DTypeKind::Boolean:
    case DTypeKind::Complex:
      return value;
    case DTypeKind::Signed:
    case DTypeKind::Unsigned:
      return wrapped(std::trunc(value), dtype);
  }
  return NAN;
}

/// The shape that two shapes broadcast to, by its definition.
Shape stretched(const Shape& a, const Shape& b) {
  Shape longer = a.rank() >= b.rank() ? a : b;
  const Shape& shorter = a.rank() >= b.rank() ? b : a;
  std::vector<std::int64_t> extents(longer.extents().begin(), longer.extents().end());
  for (std::size_t i = 0; i < shorter.rank(); ++i) {
    auto& extent = extents[longer.rank() - shorter.rank() + i];
    extent = extent == 1 ? shorter[i] : extent;
  }
  return Shape(extents);
}

/// Every pair of operand shapes: equal ones, then broadcast ones.
std::vector<std::pair<Shape, Shape>> shape_pairs() {
  std::vector<std::pair<Shape, Shape>> pairs;
  for (const Shape& shape : shapes) {
    pairs.emplace_back(shape, shape);
  }
  pairs.insert(pairs.end(), std::begin(broadcasts), std::end(broadcasts));
  return pairs;
}

std::string name_of(const Shape& a, const Shape& b) {
  return to_string(a) + " with " + to_string(b);
}

/// The cases of a function of two elements, on every pair of operand shapes.
std::vector<Case> pair_cases(const ops::OpInfo& op, DType dtype,
                             const std::function<double(double, double)>& function,
                             const std::shared_ptr<const void>& attributes) {
  const DType result = ops::result_dtype(op.op, dtype);
  std::vector<Case> cases;
  for (const auto& [shape_a, shape_b] : shape_pairs()) {
    const HostArray a = draw(domain_of(op, 0), shape_a, dtype, 1);
    const HostArray b = draw(domain_of(op, 1), shape_b, dtype, 2);
    cases.push_back({name_of(shape_a, shape_b),
                     {a, b},
                     {tabulate(stretched(shape_a, shape_b), result,
                               [&](const Index& i) {
                                 return stored(function(a.broadcast_at(i), b.broadcast_at(i)),
                                               result);
                               })},
                     attributes});
  }
  return cases;
}

}  // namespace

std::vector<Case> cast_cases(const ops::OpInfo& op, DType dtype) {
  std::vector<Case> cases;
  for (const auto& to : dtype_table) {
    for (const Shape& shape : {Shape{}, Shape{0}, Shape{9}, Shape{17}, Shape{3, 5}}) {
      const HostArray x = draw(op.domain, shape, dtype, 1);
      cases.push_back({std::string(to.text) + " " + to_string(shape),
                       {x},
                       {tabulate(shape, to.dtype, [&](const Index& i) {
                         if (to.kind == DTypeKind::Boolean) {
                           return x.at(i) != 0 ? 1.0 : 0.0;
                         }
                         const bool floating = info(dtype).kind == DTypeKind::Float ||
                                               info(dtype).kind == DTypeKind::Complex;
                         if (floating && to.kind == DTypeKind::Unsigned) {
                           return std::max(0.0,
                                           std::trunc(x.at(i)));  // Clamped, not wrapped around.
                         }
                         return stored(x.at(i), to.dtype);
                       })}});
    }
  }
  return cases;
}

std::vector<Case> unary_cases(const ops::OpInfo& op, DType dtype) {
  const auto& function = unary_functions.at(op.op);
  std::vector<Case> cases;
  for (const Shape& shape : shapes) {
    const HostArray x = draw(op.domain, shape, dtype, 1);
    const DType result = ops::result_dtype(op.op, dtype);
    cases.push_back({to_string(shape), {x}, {tabulate(shape, result, [&](const Index& i) {
                       return stored(function(x.at(i)), result);
                     })}});
  }
  return cases;
}

std::vector<Case> binary_cases(const ops::OpInfo& op, DType dtype) {
  return pair_cases(op, dtype, binary_functions.at(op.op), keep(ops::NoAttributes{}));
}

std::vector<Case> scaled_sum_cases(const ops::OpInfo& op, DType dtype) {
  return pair_cases(
      op, dtype, [](double a, double b) { return a - 0.75 * b; },
      keep(ops::ScaleAttributes{-0.75}));
}

std::vector<Case> select_cases(const ops::OpInfo& op, DType dtype) {
  std::vector<std::array<Shape, 3>> operands;
  for (const Shape& shape_c : {Shape{}, Shape{17}, Shape{3, 1}, Shape{3, 17}}) {
    operands.push_back({shape_c, {3, 17}, {3, 17}});
    operands.push_back({shape_c, {}, {17}});
    operands.push_back({shape_c, {3, 17}, {}});
    operands.push_back({shape_c, {17}, {3, 1}});
  }
  operands.push_back({Shape{1}, {0, 5}, {}});
  operands.push_back({Shape{3, 1, 5}, {2, 1, 4, 5}, {}});
  operands.push_back({Shape{2, 1, 4, 1}, {3, 1, 5}, {4, 5}});
  // Enough for several threads, by rows and within one.
  operands.push_back({Shape{600, 1}, {600, 130}, {130}});
  operands.push_back({Shape{80000}, {}, {1}});
  std::vector<Case> cases;
  for (const auto& [shape_c, shape_a, shape_b] : operands) {
    const HostArray c = draw(ops::Domain::Any, shape_c, DType::boolean, 3);
    const HostArray a = draw(op.domain, shape_a, dtype, 1);
    const HostArray b = draw(op.domain, shape_b, dtype, 2);
    cases.push_back(
        {to_string(shape_c) + ", " + name_of(shape_a, shape_b),
         {c, a, b},
         {tabulate(stretched(shape_c, stretched(shape_a, shape_b)), dtype, [&](const Index& i) {
           return c.broadcast_at(i) != 0 ? a.broadcast_at(i) : b.broadcast_at(i);
         })}});
  }
  return cases;
}

}  // namespace ddx::testing
