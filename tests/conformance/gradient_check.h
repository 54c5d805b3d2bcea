/// \file
/// Pullbacks of tensor functions against central differences.

#pragma once

#include "ddx/ad/detail/registered_pullback.h"
#include "ddx/ad/vjp.h"
#include "ddx/backend/lazy.h"
#include "ddx/core/device.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/tensor.h"

#include "tests/conformance/deferred_checks.h"
#include "tests/conformance/host_array.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <source_location>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::testing {

using Doubles = Tensor<double>;

/// The call location passed to derivatives.
inline const std::source_location here;

/// A tensor with random elements of a domain.
inline Doubles random_tensor(const Shape& shape, std::uint64_t seed, Device device,
                             ops::Domain domain = ops::Domain::Any) {
  const HostArray drawn = draw(domain, shape, DType::f64, seed);
  return Doubles(shape, drawn.values, device);
}

// What the check needs of each kind of argument: a direction like it, itself moved along a
// direction, the inner product with a direction, and whether it is the only owner of its storage.

inline Doubles direction_like(const Doubles& x, std::uint64_t seed) {
  return random_tensor(x.shape(), seed, x.device());
}
inline double direction_like(double, std::uint64_t seed) {
  return 0.5 + static_cast<double>(seed);
}
inline std::vector<Doubles> direction_like(const std::vector<Doubles>& x, std::uint64_t seed) {
  std::vector<Doubles> directions;
  for (const auto& part : x) {
    directions.push_back(direction_like(part, seed += 100));
  }
  return directions;
}

inline Doubles along(const Doubles& x, double step, const Doubles& direction) {
  Doubles moved = x;
  for (std::size_t i = 0; i < x.count(); ++i) {
    moved.mutable_elements()[i] += step * direction.elements()[i];
  }
  return moved;
}
inline double along(double x, double step, double direction) {
  return x + step * direction;
}
inline std::vector<Doubles> along(const std::vector<Doubles>& x, double step,
                                  const std::vector<Doubles>& direction) {
  std::vector<Doubles> moved;
  for (std::size_t i = 0; i < x.size(); ++i) {
    moved.push_back(along(x[i], step, direction[i]));
  }
  return moved;
}

inline double inner(const Doubles& a, const Doubles& b) {
  EXPECT_TRUE(a.is_symbolic_zero() || a.shape() == b.shape())
      << to_string(a.shape()) << " " << to_string(b.shape());
  double sum = 0;
  for (std::size_t i = 0; i < b.count(); ++i) {
    sum += a.is_symbolic_zero() ? 0 : a.elements()[i] * b.elements()[i];
  }
  return sum;
}
inline double inner(double a, double b) {
  return a * b;
}
inline double inner(const std::vector<Doubles>& a, const std::vector<Doubles>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += inner(a[i], b[i]);
  }
  return sum;
}

/// Whether only the caller, and a value that is the operand itself, own the operand.
inline bool is_released(const Doubles& x, const Doubles& value) {
  backend::lazy_barrier();  // What was recorded holds on to its operands until it is run.
  return x.array().owners() == 1 || x.elements().data() == value.elements().data();
}
inline bool is_released(double, const Doubles&) {
  return true;
}
inline bool is_released(const std::vector<Doubles>& x, const Doubles& value) {
  return std::ranges::all_of(x, [&](const Doubles& part) { return is_released(part, value); });
}

inline bool is_zero(const Doubles& x) {
  return x.is_symbolic_zero();
}
inline bool is_zero(double x) {
  return x == 0;
}
inline bool is_zero(const std::vector<Doubles>& x) {
  return x.empty();
}

inline std::string described(const Doubles& x) {
  return to_string(x.shape());
}
inline std::string described(double x) {
  return std::to_string(x);
}
inline std::string described(const std::vector<Doubles>& x) {
  std::string text;
  for (const auto& part : x) {
    text += (text.empty() ? "" : " and ") + described(part);
  }
  return text;
}

/// Wanted with only tangent `only` set.
template <std::size_t... i>
Wanted<sizeof...(i)> want_only(std::size_t only, std::index_sequence<i...>) {
  return Wanted<sizeof...(i)>((i == only)...);
}

/// Checks the derivative `vjp_of(x...)` of `value_of(x...)` in a random direction with a random
/// cotangent: <w, f(x + hv) - f(x - hv)> / 2h = <pullback(w), v>. Also: the value is that of the
/// function, asking for one tangent gives that tangent, a symbolic zero gives zeros, and what the
/// derivative need not save is not kept. Elements are observed in comparisons alone, for
/// DeferredChecks.
template <class ValueOf, class VjpOf, class... Arguments>
void expect_gradient(ops::Saves saves, ValueOf value_of, VjpOf vjp_of, const Arguments&... x) {
  using Tangents = std::tuple<Arguments...>;
  constexpr auto places = std::index_sequence_for<Arguments...>{};
  std::string what = "arguments";
  ((what += " " + described(x)), ...);
  const Doubles value = value_of(x...);
  auto pullback = [&] {
    auto [vjp_value, function] = vjp_of(x...);
    DeferredChecks::compare(what, [value, other = vjp_value] { EXPECT_EQ(other, value); });
    return function;
  }();
  // A device of a plugin owns what has been sent to it, so there it cannot be seen.
  const bool can_be_seen = value.device().kind() != Device::Kind::Pjrt;
  if (can_be_seen && (saves == ops::Saves::Nothing || saves == ops::Saves::Output)) {
    EXPECT_TRUE((is_released(x, value) && ...))
        << "the derivative keeps an operand that its row does not name";
  }
  const Doubles cotangent = random_tensor(value.shape(), 99, value.device());
  const auto call = [&](const Doubles& dy, Wanted<sizeof...(x)> wanted) {
    return detail::call_pullback<Tangents>(pullback, dy, wanted);
  };
  const Tangents gradient = call(cotangent, Wanted<sizeof...(x)>::all());

  std::uint64_t seed = 10;
  const Tangents directions{direction_like(x, ++seed)...};
  constexpr double step = 1e-5;
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    const Doubles ahead = value_of(along(x, step, std::get<i>(directions))...);
    const Doubles behind = value_of(along(x, -step, std::get<i>(directions))...);
    DeferredChecks::compare(what, [=] {
      const double expected = (inner(ahead, cotangent) - inner(behind, cotangent)) / (2 * step);
      const double got = (inner(std::get<i>(gradient), std::get<i>(directions)) + ...);
      EXPECT_NEAR(got, expected, 1e-6 * (1 + std::abs(expected)));
    });

    const auto expect_alone = [&]<std::size_t only>() {
      const Tangents one = call(cotangent, want_only(only, places));
      DeferredChecks::compare(what, [=] {
        const double alone = inner(std::get<only>(one), std::get<only>(directions));
        EXPECT_DOUBLE_EQ(alone, inner(std::get<only>(gradient), std::get<only>(directions)))
            << "tangent " << only << " alone";
      });
    };
    (expect_alone.template operator()<i>(), ...);
    const Tangents zeros = call(Doubles(), Wanted<sizeof...(x)>::all());
    EXPECT_TRUE((is_zero(std::get<i>(zeros)) && ...)) << "a symbolic zero must give zeros";
  }(places);
}

}  // namespace ddx::testing
