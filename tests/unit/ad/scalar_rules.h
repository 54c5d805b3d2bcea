/// \file
/// The rows of scalar.def as functions that tests can call.

#pragma once

#include "ddx/ad/detail/math.h"

#include "tests/unit/ad/scalar_rule_domains.h"

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <numbers>
#include <ostream>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdollar-in-identifier-extension"

namespace ddx::testing {

/// A row in one scalar type. Unused partials are null.
template <class T>
struct RowIn {
  using Partial = T (*)(T x, T y, T z, T result);

  T (*value)(T x, T y, T z);
  std::array<Partial, 3> partials;
};

/// One row of scalar.def.
struct ScalarRule {
  std::string name;
  unsigned arity;
  bool integer_second;
  std::span<const Point> points;
  RowIn<float> in_float;
  RowIn<double> in_double;
  RowIn<long double> in_extended;
  RowIn<double> with_integer_second;  ///< As in_double, the second operand passed as an int.

  template <class T>
  [[nodiscard]] const RowIn<T>& in() const {
    if constexpr (std::same_as<T, float>) {
      return in_float;
    } else if constexpr (std::same_as<T, double>) {
      return in_double;
    } else {
      return in_extended;
    }
  }
};

/// Names a row in the messages of a test.
inline std::ostream& operator<<(std::ostream& out, const ScalarRule& rule) {
  return out << rule.name << " of " << rule.arity;
}

template <class Row, class T, class Second, class... Texts>
RowIn<T> row_in(Texts... texts) {
  RowIn<T> row{&Row::template value<T>, {}};
  std::size_t k = 0;
  ((row.partials[k++] = texts.template operator()<T, Second>()), ...);
  return row;
}

template <class Row, class... Texts>
ScalarRule rule(const char* name, unsigned arity, Texts... texts) {
  constexpr bool integer = Row::integer_second;
  return {name,
          arity,
          integer,
          Row::points,
          row_in<Row, float, std::conditional_t<integer, int, float>>(texts...),
          row_in<Row, double, std::conditional_t<integer, int, double>>(texts...),
          row_in<Row, long double, std::conditional_t<integer, int, long double>>(texts...),
          row_in<Row, double, int>(texts...)};
}

// The tokens of a partial as a function template: the operands are variables of these names.
#define DDX_PARTIAL(tokens)                                                                      \
  []<class T, class Second>() -> typename RowIn<T>::Partial {                                    \
    return [](T $0, T second, T $2, T $r) -> T {                                                 \
      using $T = T;                                                                              \
      const auto $1 = static_cast<Second>(second);                                               \
      using Result = std::remove_cvref_t<decltype(tokens)>;                                      \
      static_assert(                                                                             \
          std::same_as<Result, $T> || std::same_as<Result, int> || std::same_as<Result, Second>, \
          "a partial is an integer or of the row's type, so that float stays float");            \
      (void)$0, (void)$1, (void)$2, (void)$r;                                                    \
      return static_cast<T>(tokens);                                                             \
    };                                                                                           \
  }
#define DDX_PARTIALS_1(a) DDX_PARTIAL(a)
#define DDX_PARTIALS_2(a, b) DDX_PARTIAL(a), DDX_PARTIAL(b)
#define DDX_PARTIALS_3(a, b, c) DDX_PARTIAL(a), DDX_PARTIAL(b), DDX_PARTIAL(c)
#define DDX_SINGULAR_RULE(name, arity, \
                          ...)  // tests/compiler/exec/singular_points_test.cpp has them.
#define DDX_SCALAR_RULE(name, arity, ...) \
  rule<ScalarRow<#name, arity>>(#name, arity, DDX_PARTIALS_##arity(__VA_ARGS__)),

/// Every row of the table.
inline const std::vector<ScalarRule>& scalar_rules() {
  static const std::vector<ScalarRule> rules = {
#include "compiler/rules/scalar.def"
  };
  return rules;
}

#undef DDX_PARTIALS_3
#undef DDX_PARTIALS_2
#undef DDX_PARTIALS_1
#undef DDX_PARTIAL

}  // namespace ddx::testing

#pragma clang diagnostic pop
