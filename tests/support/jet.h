/// \file
/// Numbers that carry their slopes along: an independent judge of compiled derivatives, exact up to
/// rounding. A program that is written over a type name, or printed twice, runs on them as it runs
/// on double; `Jet<Jet<double, 1>, N>` carries second derivatives.

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace ddx::testing::jets {

// Constants may stand beside jets, and jets consist of plain numbers.
using std::abs, std::acos, std::asin, std::asinh, std::atan, std::atan2, std::cbrt, std::ceil,
    std::copysign;
using std::cos, std::cosh, std::erf, std::exp, std::exp2, std::expm1, std::fabs, std::floor;
using std::fma, std::fmax, std::fmin, std::fmod, std::hypot, std::log, std::log10, std::log1p;
using std::log2, std::pow, std::round, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
using std::trunc;

/// What went by on the way that makes a comparison of derivatives meaningless.
struct JetTrouble {
  inline static bool kink = false;       ///< A function was evaluated where it has no derivative.
  inline static bool unbounded = false;  ///< A value or a slope is not finite, or very large.
  inline static double largest = 0;      ///< The largest absolute value or slope.
  static void reset() {
    kink = unbounded = false;
    largest = 0;
  }
};

/// A value of type `Value` and its slopes in N directions; float has slopes in double.
template <class Value, std::size_t N>
struct Jet {
  using Slope = std::conditional_t<std::same_as<Value, float>, double, Value>;

  Value value{};
  std::array<Slope, N> slope{};

  Jet() = default;
  template <class A>
    requires std::is_arithmetic_v<A>
  Jet(A constant) : value(static_cast<Value>(constant)) {}
  template <class Other>
    requires(!std::same_as<Other, Value>)
  Jet(const Jet<Other, N>& other) : value(static_cast<Value>(other.value)) {
    for (std::size_t i = 0; i < N; ++i) {
      slope[i] = other.slope[i];
    }
  }
  /// A constant of the inner kind.
  explicit Jet(const Value& constant)
    requires(!std::is_arithmetic_v<Value>)
      : value(constant) {}
  template <class A>
    requires std::is_arithmetic_v<A>
  explicit operator A() const {
    return static_cast<A>(value);
  }

  Jet operator-() const;
  Jet operator+() const { return *this; }
  template <class B>
  Jet& operator+=(const B& b) {
    return *this = Jet(*this + b);
  }
  template <class B>
  Jet& operator-=(const B& b) {
    return *this = Jet(*this - b);
  }
  template <class B>
  Jet& operator*=(const B& b) {
    return *this = Jet(*this * b);
  }
  template <class B>
  Jet& operator/=(const B& b) {
    return *this = Jet(*this / b);
  }
  Jet& operator++() { return *this += 1; }
  Jet& operator--() { return *this -= 1; }
  Jet operator++(int) {
    const Jet old = *this;
    ++*this;
    return old;
  }
  Jet operator--(int) {
    const Jet old = *this;
    --*this;
    return old;
  }
};

namespace jet_detail {

template <class T>
struct Arithmetic {
  static constexpr std::size_t directions = 0;
  using Value = T;
};
template <class V, std::size_t N>
struct Arithmetic<Jet<V, N>> {
  static constexpr std::size_t directions = N;
  using Value = V;
};

/// The type of the result of arithmetic between `A` and `B`, as of the values that they represent.
/// Constants are no wider than double, so they never widen a nested value.
template <class A, class B>
struct Common {
  using VA = typename Arithmetic<A>::Value;
  using VB = typename Arithmetic<B>::Value;
  static constexpr std::size_t n = std::max(Arithmetic<A>::directions, Arithmetic<B>::directions);
  template <class X, class Y>
  static auto value() {
    if constexpr (!std::is_arithmetic_v<X>) {
      return X{};
    } else if constexpr (!std::is_arithmetic_v<Y>) {
      return Y{};
    } else {
      return X{} + Y{};
    }
  }
  using type = Jet<decltype(value<VA, VB>()), n>;
};

template <class A, class B>
concept Mixed = (Arithmetic<A>::directions + Arithmetic<B>::directions > 0) &&
                (Arithmetic<A>::directions > 0 || std::is_arithmetic_v<A>) &&
                (Arithmetic<B>::directions > 0 || std::is_arithmetic_v<B>);
template <class A, class B>
using CommonOf = typename Common<A, B>::type;

inline double innermost(double v) {
  return v;
}
template <class V, std::size_t N>
double innermost(const Jet<V, N>& v) {
  return innermost(v.value);
}

inline void watch(double v) {
  JetTrouble::largest = std::max(JetTrouble::largest, std::fabs(v));
  JetTrouble::unbounded |= !(std::fabs(v) < 1e12);
}
template <class V, std::size_t N>
void watch(const Jet<V, N>& v) {
  watch(v.value);
  for (const auto& s : v.slope) {
    watch(s);
  }
}

/// The result `value` of a function whose partials by a and b are `pa` and `pb`.
template <class J, class A, class B, class P>
J combine(const typename Arithmetic<J>::Value& value, const A& a, const P& pa, const B& b,
          const P& pb) {
  J result;
  result.value = value;
  for (std::size_t i = 0; i < result.slope.size(); ++i) {
    result.slope[i] = pa * a.slope[i] + pb * b.slope[i];
  }
  watch(result);
  return result;
}
template <class J, class P>
J chain(const typename Arithmetic<J>::Value& value, const J& a, const P& pa) {
  return combine<J>(value, a, pa, J(0), P(0));
}

}  // namespace jet_detail

template <class V, std::size_t N>
Jet<V, N> Jet<V, N>::operator-() const {
  Jet result;
  result.value = -value;
  for (std::size_t i = 0; i < N; ++i) {
    result.slope[i] = -slope[i];
  }
  return result;
}

#define DDX_JET_BINARY(name, form, by_x, by_y)                          \
  template <class A, class B>                                           \
    requires jet_detail::Mixed<A, B>                                    \
  jet_detail::CommonOf<A, B> name(const A& a, const B& b) {             \
    using J = jet_detail::CommonOf<A, B>;                               \
    using S = typename J::Slope;                                        \
    const J left(a);                                                    \
    const J right(b);                                                   \
    typename jet_detail::Arithmetic<J>::Value u = left.value;           \
    typename jet_detail::Arithmetic<J>::Value w = right.value;          \
    [[maybe_unused]] const S x(u);                                      \
    [[maybe_unused]] const S y(w);                                      \
    return jet_detail::combine<J>(form, left, S(by_x), right, S(by_y)); \
  }
DDX_JET_BINARY(operator+, u + w, 1, 1)
DDX_JET_BINARY(operator-, u - w, 1, -1)
DDX_JET_BINARY(operator*, u* w, y, x)
DDX_JET_BINARY(operator/, u / w, 1 / y, -x / (y * y))
DDX_JET_BINARY(atan2, atan2(u, w), y / (x * x + y * y), -x / (x * x + y * y))
DDX_JET_BINARY(hypot, hypot(u, w), x / sqrt(x * x + y * y), y / sqrt(x * x + y * y))
DDX_JET_BINARY(pow, pow(u, w), y* pow(x, y - 1), log(x) * pow(x, y))
#undef DDX_JET_BINARY

#define DDX_JET_COMPARE(op)                                      \
  template <class A, class B>                                    \
    requires jet_detail::Mixed<A, B>                             \
  bool operator op(const A& a, const B& b) {                     \
    return jet_detail::innermost(a) op jet_detail::innermost(b); \
  }
DDX_JET_COMPARE(<)
DDX_JET_COMPARE(>)
DDX_JET_COMPARE(<=)
DDX_JET_COMPARE(>=)
DDX_JET_COMPARE(==)
DDX_JET_COMPARE(!=)
#undef DDX_JET_COMPARE

#define DDX_JET_UNARY(name, by_x)                                   \
  template <class V, std::size_t N>                                 \
  Jet<V, N> name(const Jet<V, N>& a) {                              \
    using S = typename Jet<V, N>::Slope;                            \
    [[maybe_unused]] const S x(a.value);                            \
    return jet_detail::chain<Jet<V, N>>(name(a.value), a, S(by_x)); \
  }
DDX_JET_UNARY(sin, cos(x))
DDX_JET_UNARY(cos, -sin(x))
DDX_JET_UNARY(tan, 1 / (cos(x) * cos(x)))
DDX_JET_UNARY(asin, 1 / sqrt(1 - x * x))
DDX_JET_UNARY(acos, -1 / sqrt(1 - x * x))
DDX_JET_UNARY(atan, 1 / (1 + x * x))
DDX_JET_UNARY(sinh, cosh(x))
DDX_JET_UNARY(cosh, sinh(x))
DDX_JET_UNARY(tanh, 1 / (cosh(x) * cosh(x)))
DDX_JET_UNARY(asinh, 1 / sqrt(x * x + 1))
DDX_JET_UNARY(exp, exp(x))
DDX_JET_UNARY(exp2, exp(x* log(S(2))) * log(S(2)))
DDX_JET_UNARY(expm1, exp(x))
DDX_JET_UNARY(log, 1 / x)
DDX_JET_UNARY(log2, 1 / (x * log(S(2))))
DDX_JET_UNARY(log10, 1 / (x * log(S(10))))
DDX_JET_UNARY(log1p, 1 / (1 + x))
DDX_JET_UNARY(sqrt, 1 / (2 * sqrt(x)))
DDX_JET_UNARY(cbrt, 1 / (3 * cbrt(x) * cbrt(x)))
DDX_JET_UNARY(erf, 2 / sqrt(acos(S(-1))) * exp(-x * x))
#undef DDX_JET_UNARY

#define DDX_JET_STEP(name)                                                  \
  template <class V, std::size_t N>                                         \
  Jet<V, N> name(const Jet<V, N>& a) {                                      \
    Jet<V, N> result;                                                       \
    result.value = V(name(a.value));                                        \
    JetTrouble::kink |= result == a && name(jet_detail::innermost(a)) != 0; \
    return result;                                                          \
  }
DDX_JET_STEP(floor)
DDX_JET_STEP(ceil)
DDX_JET_STEP(trunc)
DDX_JET_STEP(round)
#undef DDX_JET_STEP

template <class V, std::size_t N>
Jet<V, N> fabs(const Jet<V, N>& a) {
  JetTrouble::kink |= a == 0;
  return a < 0 ? -a : a;
}
template <class V, std::size_t N>
Jet<V, N> abs(const Jet<V, N>& a) {
  return fabs(a);
}

/// Which of two values: a tie is a kink unless both have the same slopes.
template <class J>
void note_tie(const J& a, const J& b) {
  if (a == b) {
    for (std::size_t i = 0; i < a.slope.size(); ++i) {
      JetTrouble::kink |= a.slope[i] != b.slope[i];
    }
  }
}
template <class J>
const J& max(const J& a, const J& b) {
  note_tie(a, b);
  return a < b ? b : a;
}
template <class J>
const J& min(const J& a, const J& b) {
  note_tie(a, b);
  return b < a ? b : a;
}
template <class J>
const J& clamp(const J& v, const J& low, const J& high) {
  note_tie(v, low);
  note_tie(v, high);
  return v < low ? low : high < v ? high : v;
}
template <class A, class B>
  requires jet_detail::Mixed<A, B>
jet_detail::CommonOf<A, B> fmax(const A& a, const B& b) {
  using J = jet_detail::CommonOf<A, B>;
  return max(J(a), J(b));
}
template <class A, class B>
  requires jet_detail::Mixed<A, B>
jet_detail::CommonOf<A, B> fmin(const A& a, const B& b) {
  using J = jet_detail::CommonOf<A, B>;
  return min(J(a), J(b));
}
template <class A, class B>
  requires jet_detail::Mixed<A, B>
jet_detail::CommonOf<A, B> copysign(const A& a, const B& b) {
  using J = jet_detail::CommonOf<A, B>;
  const J magnitude = fabs(J(a));
  JetTrouble::kink |= b == 0;
  return std::signbit(jet_detail::innermost(b)) ? -magnitude : magnitude;
}
template <class A, class B>
  requires jet_detail::Mixed<A, B>
jet_detail::CommonOf<A, B> fmod(const A& a, const B& b) {
  using J = jet_detail::CommonOf<A, B>;
  J result(a);
  const double x = jet_detail::innermost(J(a));
  const double y = jet_detail::innermost(J(b));
  result -= J(b) * std::trunc(x / y);
  JetTrouble::kink |= std::fmod(x, y) == 0;
  return result;
}
/// The value is rounded once, as the function's is.
template <class V, std::size_t N>
Jet<V, N> fma(const Jet<V, N>& a, const Jet<V, N>& b, const Jet<V, N>& c) {
  Jet<V, N> result = a * b + c;
  if constexpr (std::is_arithmetic_v<V>) {
    result.value = std::fma(a.value, b.value, c.value);
  }
  return result;
}

}  // namespace ddx::testing::jets
