/// \file
/// The values that weights have before training.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/nn/detail/initial_numbers.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/undrawn_weights.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/random_truncated_normal.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstdint>
#include <source_location>
#include <span>
#include <vector>

namespace ddx::nn {

/// How many numbers a unit of a layer reads, and how many units read each number.
struct Fans {
  std::int64_t in = 1;
  std::int64_t out = 1;
};

/// A rule for the initial values of a weight: one of the constants below, or what one of the
/// functions returns.
///
/// With n inputs and m outputs per unit, the variance of the values is 2 / (n + m) after Glorot,
/// 2 / n after He and 1 / n after LeCun; uniform ones lie in [-a, a) with a = sqrt(3 variance).
///
/// Source:  X. Glorot, Y. Bengio, "Understanding the difficulty of training deep feedforward neural
///          networks", AISTATS 2010. K. He, X. Zhang, S. Ren, J. Sun, "Delving deep into
///          rectifiers", ICCV 2015. Y. LeCun, L. Bottou, G. Orr, K.-R. Müller, "Efficient
///          BackProp", 1998.
/// Example:
///   Dense<float> layer({.in = 84, .out = 10, .initializer = Initializer::orthogonal(2)});
struct Initializer {
  enum class Kind : std::uint8_t {
    Constant,
    Uniform,
    Normal,
    TruncatedNormal,
    ScaledUniform,
    ScaledNormal,
    Orthogonal,
    Identity
  };
  enum class Fan : std::uint8_t { In, Mean };

  Kind kind = Kind::Constant;
  double first = 0;   ///< Value, low end, mean, scale of the variance, or gain.
  double second = 0;  ///< High end or deviation.
  Fan fan = Fan::In;  ///< What the scale of a variance is divided by.

  static const Initializer Zeros;
  static const Initializer Ones;
  static const Initializer GlorotUniform;
  static const Initializer GlorotNormal;
  static const Initializer HeUniform;
  static const Initializer HeNormal;
  static const Initializer LeCunUniform;
  static const Initializer LeCunNormal;
  static const Initializer
      Identity;  ///< The unit matrix; of a matrix that is not square, its part.

  /// One value everywhere.
  [[nodiscard]] static constexpr Initializer constant(double value) noexcept {
    return {Kind::Constant, value};
  }
  /// Uniform in [low, high).
  [[nodiscard]] static constexpr Initializer uniform(double low, double high) noexcept {
    return {Kind::Uniform, low, high};
  }
  /// Normal.
  [[nodiscard]] static constexpr Initializer normal(double mean, double deviation) noexcept {
    return {Kind::Normal, mean, deviation};
  }
  /// Normal, without what lies farther from the mean than two deviations. Without its tails, the
  /// distribution has 0.88 of the deviation.
  [[nodiscard]] static constexpr Initializer truncated_normal(double mean,
                                                              double deviation) noexcept {
    return {Kind::TruncatedNormal, mean, deviation};
  }
  /// A random matrix with orthogonal rows or columns, whichever are fewer, of length `gain`. All
  /// axes but the last together are the rows.
  ///
  /// Source:  A. Saxe, J. McClelland, S. Ganguli, "Exact solutions to the nonlinear dynamics of
  ///          learning in deep linear neural networks", ICLR 2014.
  [[nodiscard]] static constexpr Initializer orthogonal(double gain = 1) noexcept {
    return {Kind::Orthogonal, gain};
  }

  friend constexpr bool operator==(const Initializer&, const Initializer&) = default;
};

inline constexpr Initializer Initializer::Zeros{};
inline constexpr Initializer Initializer::Ones{Kind::Constant, 1};
inline constexpr Initializer Initializer::GlorotUniform{Kind::ScaledUniform, 1, 0, Fan::Mean};
inline constexpr Initializer Initializer::GlorotNormal{Kind::ScaledNormal, 1, 0, Fan::Mean};
inline constexpr Initializer Initializer::HeUniform{Kind::ScaledUniform, 2};
inline constexpr Initializer Initializer::HeNormal{Kind::ScaledNormal, 2};
inline constexpr Initializer Initializer::LeCunUniform{Kind::ScaledUniform, 1};
inline constexpr Initializer Initializer::LeCunNormal{Kind::ScaledNormal, 1};
inline constexpr Initializer Initializer::Identity{Kind::Identity, 1};

namespace detail {

/// The standard deviation of a kind that depends on the fans.
double scaled_deviation(const Initializer& initializer, Fans fans) noexcept;

/// These numbers as a tensor.
template <FloatingScalar Scalar>
Tensor<Scalar> as_tensor(const std::vector<double>& numbers, const Shape& shape, Device device) {
  std::vector<Scalar> values;
  values.reserve(numbers.size());
  for (const double number : numbers) {
    values.push_back(static_cast<Scalar>(number));
  }
  return Tensor<Scalar>(shape, std::span<const Scalar>(values), device);
}

}  // namespace detail

/// Room for values that are to be drawn: zeros, or what the memory holds while UndrawnWeights are
/// wanted.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> room_for_values(const Shape& shape, Device device) {
  return detail::UndrawnWeights::are_wanted()
             ? Tensor<Scalar>(ddx::detail::Array(shape, dtype_of<Scalar>, device))
             : zeros<Scalar>(shape, device);
}

/// Initial values. Equal keys give equal values on every device.
///
/// Throws:  UsageError where the ends of a uniform distribution do not ascend, a deviation or a
///          gain is negative or not finite, or the shape has no rows and columns where these are
///          needed: rank 2 for the identity, at least 2 for an orthogonal matrix.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> initial_values(
    const Initializer& initializer, const Shape& shape, Fans fans, RandomKey key,
    Device device = {}, std::source_location where = std::source_location::current()) {
  if (detail::UndrawnWeights::are_wanted()) {
    return Tensor<Scalar>(ddx::detail::Array(shape, dtype_of<Scalar>, device));
  }
  const double first = initializer.first;
  const double second = initializer.second;
  switch (initializer.kind) {
    case Initializer::Kind::Constant:
      break;
    case Initializer::Kind::Uniform:
      return random_uniform<Scalar>(key, shape, {.low = first, .high = second}, device, where);
    case Initializer::Kind::Normal:
      detail::require_not_negative("Initializer", "deviation", second);
      return random_normal<Scalar>(key, shape, {.mean = first, .deviation = second}, device);
    case Initializer::Kind::TruncatedNormal:
      detail::require_not_negative("Initializer", "deviation", second);
      return random_truncated_normal<Scalar>(key, shape, {.mean = first, .deviation = second},
                                             device, where);
    case Initializer::Kind::ScaledUniform: {
      const double bound = std::sqrt(3.0) * detail::scaled_deviation(initializer, fans);
      return random_uniform<Scalar>(key, shape, {.low = -bound, .high = bound}, device, where);
    }
    case Initializer::Kind::ScaledNormal:
      return random_normal<Scalar>(
          key, shape, {.mean = 0, .deviation = detail::scaled_deviation(initializer, fans)},
          device);
    case Initializer::Kind::Orthogonal:
      detail::require_not_negative("Initializer", "gain", first);
      return detail::as_tensor<Scalar>(detail::orthogonal_numbers(key, shape, first, where), shape,
                                       device);
    case Initializer::Kind::Identity:
      return detail::as_tensor<Scalar>(detail::identity_numbers(shape, where), shape, device);
  }
  return full(shape, static_cast<Scalar>(first), device);
}

}  // namespace ddx::nn
