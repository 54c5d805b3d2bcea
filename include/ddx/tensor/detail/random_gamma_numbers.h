/// \file
/// The numbers behind random_gamma and random_beta: logarithms of gamma variables, in double, since
/// those of small concentrations are too small for any floating type.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstddef>
#include <source_location>
#include <vector>

namespace ddx::detail {

/// Logarithms of gamma variables of these concentrations.
///
/// Throws: UsageError where a concentration is not a finite number above 0.
std::vector<double> log_gamma_numbers(RandomKey key, const char* operation,
                                      const std::vector<double>& concentrations,
                                      const std::source_location& where);

/// The derivative of a logarithm of a gamma variable by its concentration, from the series of the
/// lower incomplete gamma function. Loses the digits that the distribution function has in its
/// upper tail: a variable that only a part 10^-k exceeds has 16 - k of them.
double log_gamma_slope(double logarithm, double concentration) noexcept;

void require_equal_parameters(const Shape& a, const Shape& b, const std::source_location& where);

/// As above, for the elements of a tensor.
template <FloatingScalar Scalar>
std::vector<double> log_gamma_numbers(RandomKey key, const char* operation,
                                      const Tensor<Scalar>& concentration,
                                      const std::source_location& where) {
  const auto elements = concentration.elements();
  return log_gamma_numbers(key, operation, std::vector<double>(elements.begin(), elements.end()),
                           where);
}

/// The exponentials of the logarithms, as a tensor like the concentration.
template <FloatingScalar Scalar>
Tensor<Scalar> gamma_values(const std::vector<double>& logarithms,
                            const Tensor<Scalar>& concentration) {
  std::vector<Scalar> values;
  values.reserve(logarithms.size());
  for (const double logarithm : logarithms) {
    values.push_back(static_cast<Scalar>(std::exp(logarithm)));
  }
  return Tensor<Scalar>(concentration.shape(), values, concentration.device());
}

/// The derivatives of the logarithms by the concentration.
template <FloatingScalar Scalar>
Tensor<Scalar> log_gamma_slopes(const std::vector<double>& logarithms,
                                const Tensor<Scalar>& concentration) {
  const auto elements = concentration.elements();
  std::vector<Scalar> slopes;
  slopes.reserve(logarithms.size());
  for (std::size_t i = 0; i < logarithms.size(); ++i) {
    slopes.push_back(static_cast<Scalar>(log_gamma_slope(logarithms[i], elements[i])));
  }
  return Tensor<Scalar>(concentration.shape(), slopes, concentration.device());
}

/// Beta variables, and what their derivative needs.
template <FloatingScalar Scalar>
struct BetaNumbers {
  Tensor<Scalar> value;
  Tensor<Scalar> slope;        ///< value (1 - value), without cancellation.
  std::vector<double> first;   ///< The logarithms of the gamma variables of a.
  std::vector<double> second;  ///< Those of b.
};

/// Throws: UsageError where the shapes differ, or a parameter is not a finite number above 0.
template <FloatingScalar Scalar>
BetaNumbers<Scalar> beta_numbers(RandomKey key, const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                                 const std::source_location& where) {
  require_equal_parameters(a.shape(), b.shape(), where);
  const auto [first_key, second_key] = key.split();
  BetaNumbers<Scalar> numbers;
  numbers.first = log_gamma_numbers(first_key, "random_beta", a, where);
  numbers.second = log_gamma_numbers(second_key, "random_beta", b, where);
  std::vector<Scalar> values;
  std::vector<Scalar> slopes;
  for (std::size_t i = 0; i < numbers.first.size(); ++i) {
    const double share = 1 / (1 + std::exp(numbers.second[i] - numbers.first[i]));
    const double rest = 1 / (1 + std::exp(numbers.first[i] - numbers.second[i]));
    values.push_back(static_cast<Scalar>(share));
    slopes.push_back(static_cast<Scalar>(share * rest));
  }
  numbers.value = Tensor<Scalar>(a.shape(), values, a.device());
  numbers.slope = Tensor<Scalar>(a.shape(), slopes, a.device());
  return numbers;
}

}  // namespace ddx::detail
