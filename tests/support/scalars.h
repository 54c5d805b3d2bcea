/// \file
/// Walks over the floating-point scalars inside an argument, a result or a tangent.

#pragma once

#include <array>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <vector>

// As in gradient_check.h.
#pragma clang optimize off

namespace ddx::testing {

/// Calls `visit` with each floating-point scalar of `object`, in the order of its members.
/// Members without tangent (integers, strings, ...) are passed over, so a value and its tangent
/// are walked in step.
template <class T, class Visit>
void for_each_scalar(T& object, const Visit& visit) {
  using Object = std::remove_cv_t<T>;
  const auto visit_all = [&visit](auto&&... parts) { (for_each_scalar(parts, visit), ...); };
  if constexpr (std::is_floating_point_v<Object>) {
    visit(object);
  } else if constexpr (requires { object.real() + object.imag(); }) {
    using Real = typename Object::value_type;
    auto& parts =
        reinterpret_cast<std::conditional_t<std::is_const_v<T>, const Real(&)[2], Real(&)[2]>>(
            object);
    visit_all(parts[0], parts[1]);
  } else if constexpr (requires { object.ddx_fields(); }) {
    std::apply(visit_all, object.ddx_fields());
  } else if constexpr (std::ranges::range<Object>) {
    for (auto&& part : object) {
      for_each_scalar(part, visit);
    }
  } else if constexpr (requires { std::tuple_size<Object>::value; }) {
    std::apply(visit_all, object);
  }
}

/// The scalars of `object`, widened to double.
template <class T>
[[nodiscard]] std::vector<double> scalars(const T& object) {
  std::vector<double> result;
  for_each_scalar(object, [&result](auto scalar) { result.push_back(double{scalar}); });
  return result;
}

/// The number of scalars in `object`.
template <class T>
[[nodiscard]] std::size_t scalar_count(const T& object) {
  return scalars(object).size();
}

/// Writes `values` into the scalars of `object`; the inverse of `scalars`.
template <class T>
void set_scalars(T& object, const std::vector<double>& values) {
  std::size_t next = 0;
  for_each_scalar(object, [&](auto& scalar) {
    scalar = static_cast<std::remove_reference_t<decltype(scalar)>>(values[next++]);
  });
}

}  // namespace ddx::testing

#pragma clang optimize on
