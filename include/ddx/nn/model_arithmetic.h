/// \file
/// Arithmetic with whole models and tangents, parameter by parameter.

#pragma once

#include "ddx/nn/detail/mapping.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/detail/walk.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/exponential.h"
#include "ddx/tensor/power.h"
#include "ddx/tensor/trigonometry.h"

#include <cmath>
#include <concepts>
#include <cstdint>
#include <utility>

namespace ddx::nn {

namespace detail {

/// A model or a tangent of several parameters: what the functions below take, so that they do not
/// stand beside those of tensors and numbers.
template <class T>
concept Composite = !Parameter<T> && Differentiable<T>;

}  // namespace detail

/// A model or tangent with `f(parameter)` in the place of each parameter; `f` takes tensors and
/// numbers of each type that occurs. All else is that of `model`. Tangents may hold symbolic zeros:
/// they stay such where f(0) is 0.
///
/// Throws:  UsageError where f(0) of a symbolic zero is not 0; names the path.
/// Example:
///   const auto halves = nn::mapped(gradient, [](const auto& x) { return x * 0.5F; });
template <detail::Composite Model, class F>
[[nodiscard]] Model mapped(Model model, const F& f) {
  visit_parameters(
      [&](const Path& path, auto& x) {
        x = detail::is_absent(x) ? detail::from_zeros("mapped", path, f(x)) : f(x);
      },
      model);
  return model;
}

/// A model or tangent with `f(x, y)` for the parameters x of `a` and y of `b` in each place. All
/// else is that of `a`.
///
/// Throws:  UsageError where a parameter and its counterpart differ in shape or device, lists in
///          length, or both are symbolic zeros and f(0, 0) is not 0; names the path.
template <detail::Composite Model, class F>
[[nodiscard]] Model zipped(Model a, const Model& b, const F& f) {
  visit_parameters(
      [&](const Path& path, auto& x, const auto& y) {
        detail::check_pair("zipped", path, x, y);
        const bool absent = detail::is_absent(x) && detail::is_absent(y);
        x = absent ? detail::from_zeros("zipped", path, f(x, y)) : f(x, y);
      },
      a, b);
  return a;
}

/// a + b.
///
/// Throws:  UsageError as zipped.
template <detail::Composite Model>
[[nodiscard]] Model plus(Model a, const Model& b) {
  return zipped(std::move(a), b,
                [](const auto& x, const auto& y) { return detail::plus_scaled(x, 1, y); });
}

/// a - b.
///
/// Throws:  UsageError as zipped.
template <detail::Composite Model>
[[nodiscard]] Model minus(Model a, const Model& b) {
  return zipped(std::move(a), b,
                [](const auto& x, const auto& y) { return detail::plus_scaled(x, -1, y); });
}

/// a + factor b: a step along a direction.
///
/// Throws:  UsageError as zipped.
template <detail::Composite Model>
[[nodiscard]] Model plus_scaled(Model a, double factor, const Model& b) {
  return zipped(std::move(a), b,
                [&](const auto& x, const auto& y) { return detail::plus_scaled(x, factor, y); });
}

/// The products of elements.
///
/// Throws:  UsageError as zipped.
template <detail::Composite Model>
[[nodiscard]] Model times(Model a, const Model& b) {
  return zipped(std::move(a), b, [](const auto& x, const auto& y) { return x * y; });
}

/// The quotients of elements.
///
/// Throws:  UsageError as zipped; also where both are symbolic zeros, since 0 / 0 is not 0.
template <detail::Composite Model>
[[nodiscard]] Model over(Model a, const Model& b) {
  return zipped(std::move(a), b, [](const auto& x, const auto& y) { return x / y; });
}

/// factor a.
template <detail::Composite Model>
[[nodiscard]] Model scaled(Model a, double factor) {
  return mapped(std::move(a), [&](const auto& x) { return detail::scaled(x, factor); });
}

/// a + number, for each element.
///
/// Throws:  UsageError where a zero is symbolic and the number is not 0; names the path.
template <detail::Composite Model>
[[nodiscard]] Model shifted(Model a, double number) {
  return mapped(std::move(a), [&](const auto& x) { return detail::plus(x, number); });
}

/// 1 / a, for each element.
///
/// Throws:  UsageError where a zero is symbolic; names the path.
template <detail::Composite Model>
[[nodiscard]] Model reciprocal(Model a) {
  return mapped(std::move(a), [](const auto& x) { return 1 / x; });
}

/// a to the power of `exponent`, for each element.
///
/// Throws:  UsageError where a zero is symbolic and its power is not 0; names the path.
template <detail::Composite Model>
[[nodiscard]] Model pow(Model a, double exponent) {
  return mapped(std::move(a), [&]<class X>(const X& x) {
    using ddx::pow;
    using std::pow;
    return X(pow(x, static_cast<detail::ElementOf<X>>(exponent)));
  });
}

/// a to the power of b, for each element.
///
/// Throws:  UsageError as zipped.
template <detail::Composite Model>
[[nodiscard]] Model pow(Model a, const Model& b) {
  return zipped(std::move(a), b, []<class X>(const X& x, const X& y) -> X {
    using ddx::pow;
    using std::pow;
    return pow(x, y);
  });
}

/// The root of degree `n`, for each element; of an odd degree also where the element is negative.
///
/// Throws:  UsageError where n is less than 1.
template <detail::Composite Model>
[[nodiscard]] Model root(Model a, int n) {
  return mapped(std::move(a), detail::of_tensors([&](const auto& x) { return ddx::root(x, n); }));
}

/// 10 to the power of each element.
///
/// Throws:  UsageError where a zero is symbolic; names the path.
template <detail::Composite Model>
[[nodiscard]] Model exp10(Model a) {
  return mapped(std::move(a), detail::of_tensors([](const auto& x) { return ddx::exp10(x); }));
}

/// The sum of the products of all elements, added up in double. Symbolic zeros count as zeros.
///
/// Throws:  UsageError where a parameter and its counterpart differ in shape or device, or lists in
///          length; names the path.
template <detail::Composite Model>
[[nodiscard]] double dot(const Model& a, const Model& b) {
  double total = 0;
  visit_parameters(
      [&](const Path& path, const auto& x, const auto& y) {
        detail::check_pair("dot", path, x, y);
        total += detail::inner_product(x, y);
      },
      a, b);
  return total;
}

/// Whether all parameters have equal shapes and close elements. A symbolic zero is close to zeros
/// of any shape, a NaN to nothing. State that is not a parameter is ignored.
///
/// Throws:  UsageError where lists differ in length; names the path.
template <detail::Composite Model>
[[nodiscard]] bool all_close(const Model& a, const Model& b, const Tolerance& tolerance = {}) {
  bool close = true;
  visit_parameters([&](const Path&, const auto& x,
                       const auto& y) { close = close && detail::close(x, y, tolerance); },
                   a, b);
  return close;
}

/// The number of numbers in all parameters.
template <detail::Composite Model>
[[nodiscard]] std::int64_t parameter_count(const Model& model) {
  std::int64_t count = 0;
  visit_parameters(
      [&](const Path&, const auto& x) {
        count += static_cast<std::int64_t>(detail::element_count(x));
      },
      model);
  return count;
}

/// The functions of elementary_functions.def, for each element of each parameter: `nn::exp(a)`.
///
/// Throws:  UsageError where a zero is symbolic and its value is not 0, as for `cos`; names the
///          path.
#define DDX_ELEMENTARY(name)                                   \
  template <detail::Composite Model>                           \
  [[nodiscard]] Model name(Model a) {                          \
    return mapped(std::move(a), []<class X>(const X& x) -> X { \
      using ddx::name;                                         \
      using std::name;                                         \
      return name(x);                                          \
    });                                                        \
  }
#include "ddx/nn/elementary_functions.def"

}  // namespace ddx::nn
