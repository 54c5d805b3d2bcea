/// \file
/// The numbers behind random_gamma and random_beta: logarithms of gamma variables, in double, since
/// those of small concentrations are too small for any floating type.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/recorded_keys.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstddef>
#include <memory>
#include <source_location>
#include <utility>
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

/// The elements of a tensor that random numbers depend on.
template <FloatingScalar Scalar>
struct Parameters {
  explicit Parameters(const Tensor<Scalar>& tensor)
      : shape(tensor.shape()), device(tensor.device()) {
    const auto elements = tensor.elements();
    values = std::make_shared<const std::vector<double>>(elements.begin(), elements.end());
  }

  /// A tensor like this one with `element(i)` at place i.
  template <class Element>
  [[nodiscard]] Array array_of(const Element& element) const {
    std::vector<Scalar> made;
    made.reserve(values->size());
    for (std::size_t i = 0; i < values->size(); ++i) {
      made.push_back(static_cast<Scalar>(element(i)));
    }
    return Tensor<Scalar>(shape, made, device).array();
  }

  /// log_gamma_slope of logarithms of gamma variables of these concentrations.
  [[nodiscard]] Array log_gamma_slopes(const std::vector<double>& logarithms) const {
    return array_of([&](std::size_t i) { return log_gamma_slope(logarithms[i], (*values)[i]); });
  }

  Shape shape;
  Device device;
  std::shared_ptr<const std::vector<double>> values;  ///< Shared with what draws at each call.
};

/// Gamma variables of a tensor of concentrations.
template <FloatingScalar Scalar>
class GammaNumbers {
 public:
  /// Throws: UsageError where a concentration is not a finite number above 0.
  GammaNumbers(const RandomKey& key, const Tensor<Scalar>& concentration,
               const std::source_location& where)
      : concentration_(concentration),
        logarithms_(key, concentration.device(),
                    [given = concentration_, where](const RandomKey& own) {
                      return log_gamma_numbers(own, "random_gamma", *given.values, where);
                    }) {}

  [[nodiscard]] Tensor<Scalar> values() const {
    return Tensor<Scalar>(logarithms_.array([given = concentration_](const auto& logarithms) {
      return given.array_of([&](std::size_t i) { return std::exp(logarithms[i]); });
    }));
  }

  /// The derivatives of the logarithms by the concentrations.
  [[nodiscard]] Tensor<Scalar> log_slopes() const {
    return Tensor<Scalar>(logarithms_.array([given = concentration_](const auto& logarithms) {
      return given.log_gamma_slopes(logarithms);
    }));
  }

 private:
  Parameters<Scalar> concentration_;
  HostNumbers<std::vector<double>> logarithms_;
};

/// Beta variables of two tensors of parameters.
template <FloatingScalar Scalar>
class BetaNumbers {
 public:
  /// Throws: UsageError where the shapes differ, or a parameter is not a finite number above 0.
  BetaNumbers(const RandomKey& key, const Tensor<Scalar>& a, const Tensor<Scalar>& b,
              const std::source_location& where)
      : a_(a), b_(b), logarithms_(key, a.device(), [a = a_, b = b_, where](const RandomKey& own) {
          require_equal_parameters(a.shape, b.shape, where);
          const auto [first, second] = own.split();
          return Pair(log_gamma_numbers(first, "random_beta", *a.values, where),
                      log_gamma_numbers(second, "random_beta", *b.values, where));
        }) {}

  [[nodiscard]] Tensor<Scalar> values() const {
    return Tensor<Scalar>(logarithms_.array([like = a_](const Pair& logarithms) {
      return like.array_of([&](std::size_t i) { return share(logarithms, i); });
    }));
  }

  /// value (1 - value), without cancellation.
  [[nodiscard]] Tensor<Scalar> slopes() const {
    return Tensor<Scalar>(logarithms_.array([like = a_](const Pair& logarithms) {
      return like.array_of([&](std::size_t i) {
        return share(logarithms, i) *
               (1 / (1 + std::exp(logarithms.first[i] - logarithms.second[i])));
      });
    }));
  }

  /// The derivatives of the logarithms of the gamma variables of a by a.
  [[nodiscard]] Tensor<Scalar> first_log_slopes() const {
    return Tensor<Scalar>(logarithms_.array(
        [a = a_](const Pair& logarithms) { return a.log_gamma_slopes(logarithms.first); }));
  }

  /// Those of b by b.
  [[nodiscard]] Tensor<Scalar> second_log_slopes() const {
    return Tensor<Scalar>(logarithms_.array(
        [b = b_](const Pair& logarithms) { return b.log_gamma_slopes(logarithms.second); }));
  }

 private:
  /// The logarithms of the gamma variables of a and of b.
  using Pair = std::pair<std::vector<double>, std::vector<double>>;

  static double share(const Pair& logarithms, std::size_t i) {
    return 1 / (1 + std::exp(logarithms.second[i] - logarithms.first[i]));
  }

  Parameters<Scalar> a_;
  Parameters<Scalar> b_;
  HostNumbers<Pair> logarithms_;
};

}  // namespace ddx::detail
